#!/usr/bin/env python3
"""Trains the model behind the front door: lines of several writers → configs/words/danger_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_danger.py [--check]

Every line is learnt as it stands and in a copy with typos or lost spaces. `--check` writes nothing and prints what the
limits in danger.yaml mean: the scores are each line's, by a model that had not seen its writer. The lines of the
sealed writers are not read here, nor those of everyday words that only measure. What children say to the coach is no
danger; what they say when they have lost heart only tells sadness from the other categories.
"""

import argparse
import sys
from typing import Any, Final

import numpy as np
import training

from maththera.words.danger.danger_detection import CATEGORIES
from tests.support.danger_lines import Line, asked_of_the_coach, everyday, framed, lines

WEIGHTS: Final = {"hard": 1.6, "plain": 3.6, "everyday": 4.0}
"""What it costs to take such a line for danger; not to hear danger costs 1. Plain and everyday lines are said each
day."""
FEWEST: Final = 5  # lines that a run must stand in: rarer ones crowd out better ones
MOST: Final = 120_000  # runs that are kept: those with the largest weights


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    coach, lost_heart = asked_of_the_coach()
    known = (*lines("writer_*.tsv"), *everyday("learnt"), *framed(), *coach)
    every = [*known, *lost_heart]
    twice = [*every, *every]
    names, matrix = training.counted(training.with_noise([line.text for line in every]), FEWEST)
    danger = np.array([line.danger for line in twice])
    clear = np.tile(np.arange(len(every)) < len(known), 2)
    costs = np.array([WEIGHTS.get(line.label, 1.0) for line in twice])[clear]
    writers = np.array([line.writer for line in twice])[clear]
    print(f"{len(known)} lines of {len(set(writers))} writers, {matrix.shape[1]} runs", file=sys.stderr)
    if check_only:
        report(known, training.held_out(matrix[clear], danger[clear], costs, writers, len(known), MOST))
        return
    kinds = training.kinds_of(matrix[danger], CATEGORIES, [line.label for line in twice if line.danger])
    training.write("danger", names, training.fit(matrix[clear], danger[clear], costs), MOST, kinds)


def report(known: tuple[Line, ...], unseen: Any) -> None:
    labels, manners = np.array([line.label for line in known]), np.array([line.manner for line in known])
    danger = np.array([line.danger for line in known])
    hard, easy = unseen[labels == "hard"], unseen[labels == "plain"]
    for share in (0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.15):
        limit = np.quantile(hard, 1 - share)
        print(
            f"hard {share:.4f}  limit {limit:6.2f}  heard {np.mean(unseen[danger] > limit):.3f}"
            f"  plain {np.mean(easy > limit):.4f}"
        )
    limit = np.quantile(hard, 0.92)
    print({name: round(float(np.mean(unseen[labels == name] > limit)), 2) for name in CATEGORIES})
    print({name: round(float(np.mean(unseen[danger & (manners == name)] > limit)), 2) for name in sorted(set(manners))})


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the model behind the front door: lines of several writers → configs/words/danger_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_danger.py [--check]

Every line is learnt as it stands and in a copy with typos or lost spaces. The limits in danger.yaml are set on the
scores that it prints: each line's, by a model that had not seen its writer. `--check` writes nothing. The lines of the
sealed writers are not read here.
"""

import argparse
import sys
from typing import Any, Final

import numpy as np
import training

from maththera.words.danger.danger_detection import CATEGORIES
from tests.support.danger_lines import Line, lines

PLAIN_WEIGHT: Final = 3.0  # an ordinary line that is taken for danger costs more than a hard one
FEWEST: Final = 5  # lines that a run must stand in: rarer ones crowd out better ones
MOST: Final = 120_000  # runs that are kept: those with the largest weights


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    known = lines("writer_*.tsv")
    twice = [*known, *known]
    names, matrix = training.counted(training.with_noise([line.text for line in known]), FEWEST)
    danger = np.array([line.danger for line in twice])
    costs = np.array([(PLAIN_WEIGHT if line.label == "plain" else 1.0) for line in twice])
    writers = np.array([line.writer for line in twice])
    print(f"{len(known)} lines of {len(set(writers))} writers, {matrix.shape[1]} runs", file=sys.stderr)
    report(known, training.held_out(matrix, danger, costs, writers, len(known), MOST))
    if check_only:
        return
    kinds = training.kinds_of(matrix[danger], CATEGORIES, [line.label for line in twice if line.danger])
    training.write("danger", names, training.fit(matrix, danger, costs), MOST, kinds)


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

#!/usr/bin/env python3
"""Trains the model behind the front door: lines of several writers → configs/words/danger_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_danger.py [--check]

Every line is learnt as it stands and in a copy with typos or lost spaces. The limits in danger.yaml are set on the
scores that it prints: each line's, by a model that had not seen its writer. `--check` writes nothing. The lines of the
sealed writers are not read here.
"""

import argparse
import random
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from maththera.words.danger import CATEGORIES
from maththera.words.danger_model import SCALE, VERSION, features, plain
from tests.support.danger_lines import Line, lines, noisy

TOP: Final = Path(__file__).resolve().parent.parent
MODEL: Final = TOP / "configs" / "words" / "danger_model.tsv"

SMOOTHING: Final = 0.01
STRENGTH: Final = 3.0  # inverse of the regularisation
SHORTEST: Final = 8.0
PLAIN_WEIGHT: Final = 3.0  # an ordinary line that is taken for danger costs more than a hard one
FEWEST: Final = 3  # lines that a run must stand in
KINDS_FEWEST: Final = 6
MOST: Final = 100_000  # runs that are kept: those with the largest weights
MOST_KINDS: Final = 9_000


class Fit(NamedTuple):
    ratios: Any
    weights: Any
    bias: float


def fit(matrix: Any, danger: Any, costs: Any) -> Fit:
    """Naive Bayes log odds ratios, and the logistic regression over features scaled by them."""
    inside = SMOOTHING + np.asarray(matrix[danger].sum(0)).ravel()
    outside = SMOOTHING + np.asarray(matrix[~danger].sum(0)).ravel()
    ratios = np.log((inside / inside.sum()) / (outside / outside.sum()))
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=600)
    model.fit(scaled(matrix, ratios), danger, sample_weight=costs)
    return Fit(ratios, model.coef_[0], float(model.intercept_[0]))


def scaled(matrix: Any, ratios: Any) -> Any:
    sizes = np.sqrt(np.asarray(matrix.sum(1)).ravel())
    return sparse.diags(1 / np.maximum(sizes, SHORTEST)) @ matrix.multiply(ratios).tocsr()


def scores(found: Fit, matrix: Any) -> Any:
    return scaled(matrix, found.ratios) @ found.weights + found.bias


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    chance = random.Random(2027)  # noqa: S311 - the same copies each time
    known = lines("writer_*.tsv")
    copies = [line._replace(text=noisy(line.text, chance)) for line in known]
    together = [*known, *copies]
    texts = [plain(line.text) for line in together]
    counter = CountVectorizer(analyzer=features, binary=True, min_df=FEWEST, dtype=np.float32)
    matrix = counter.fit_transform(texts).tocsr()
    danger = np.array([line.danger for line in together])
    costs = np.array([(PLAIN_WEIGHT if line.label == "plain" else 1.0) for line in together])
    writers = np.array([line.writer for line in together])
    print(f"{len(known)} lines of {len(set(writers))} writers, {matrix.shape[1]} runs", file=sys.stderr)
    unseen = held_out(matrix, danger, costs, writers, len(known))
    report(known, unseen)
    if check_only:
        return
    write(counter.get_feature_names_out(), matrix, danger, fit(matrix, danger, costs), together)


def held_out(matrix: Any, danger: Any, costs: Any, writers: Any, count: int) -> Any:
    """Each line's score by a model that has not seen its writer."""
    found = np.zeros(count)
    for writer in sorted(set(writers)):
        mine = writers == writer
        model = fit(matrix[~mine], danger[~mine], costs[~mine])
        own = np.where(mine[:count])[0]
        found[own] = scores(model, matrix[own])
    return found


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


def write(names: Any, matrix: Any, danger: Any, found: Fit, together: list[Line]) -> None:
    """Weights in thousandths; runs that hardly count are left out."""
    categories = [*CATEGORIES]
    own = matrix[danger]
    often = np.where(np.asarray(own.sum(0)).ravel() >= KINDS_FEWEST)[0]
    kinds_matrix = own[:, often]
    sizes = np.sqrt(np.maximum(np.asarray(kinds_matrix.sum(1)).ravel(), 1))
    kinds = LogisticRegression(C=3.0, class_weight="balanced", max_iter=400)
    kinds.fit(sparse.diags(1 / sizes) @ kinds_matrix, [line.label for line in together if line.danger])
    order = [list(kinds.classes_).index(name) for name in categories]
    by_run = dict(zip(often, np.round(kinds.coef_[order].T * SCALE).astype(int), strict=True))
    strongest = np.abs(kinds.coef_).max(0)
    kept_kinds = set(often[np.argsort(-strongest)[:MOST_KINDS]])
    weights = np.round(found.ratios * found.weights * SCALE).astype(int)
    kept = set(np.argsort(-np.abs(weights))[:MOST])
    body = []
    for place, name in enumerate(names):
        if place not in kept and place not in kept_kinds:
            continue
        numbers = [int(weights[place]) if place in kept else 0]
        numbers += [int(each) for each in by_run[place]] if place in kept_kinds else []
        body.append("\t".join([name.replace(" ", "_"), *map(str, numbers)]))
    text = "\n".join(body) + "\n"
    head = [
        VERSION,
        f"bias\t{found.bias:.4f}",
        f"shortest\t{SHORTEST}",
        f"categories\t{','.join(categories)}",
        f"kinds_bias\t{','.join(f'{kinds.intercept_[place]:.4f}' for place in order)}",
        f"sha256\t{sha256(text.encode()).hexdigest()}",
    ]
    MODEL.write_text("\n".join(head) + "\n\n" + text, encoding="utf-8")
    print(f"{MODEL.relative_to(TOP)}: {len(body)} runs, {MODEL.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

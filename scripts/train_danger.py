#!/usr/bin/env python3
"""Trains the model behind the front door: lines of several writers → configs/words/danger_model.tsv.

    .venv/bin/python scripts/train_danger.py [--check]

Every line is learnt as it stands and in a copy with typos or lost spaces. Thresholds are set on scores that each line got
from a model that had not seen its writer. `--check` prints those figures and writes nothing. The lines of the sealed writers
are not read here.
"""

import argparse
import random
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from maththera.korean.jamo import parts, whole
from maththera.words.danger import CATEGORIES
from maththera.words.danger_model import SCALE, VERSION, features, plain

TOP: Final = Path(__file__).resolve().parent.parent
LINES: Final = TOP / "tests" / "data" / "danger"
MODEL: Final = TOP / "configs" / "words" / "danger_model.tsv"

SMOOTHING: Final = 0.01
STRENGTH: Final = 30.0  # inverse of the regularisation
SHORTEST: Final = 20.0
PLAIN_WEIGHT: Final = 3.0  # an ordinary line that is taken for danger costs more than a hard one
FEWEST: Final = 3  # lines that a run must stand in
KINDS_FEWEST: Final = 6
SMALLEST: Final = 0.02  # runs whose part of a score is smaller are left out
VOWELS: Final = "ㅏㅐㅓㅔㅗㅜㅡㅣㅛㅠㅕㅑ"
FINALS: Final = ("", "ㄴ", "ㅅ", "ㅆ", "ㅇ", "ㄹ")


class Line(NamedTuple):
    label: str
    manner: str
    text: str
    writer: str

    @property
    def danger(self) -> bool:
        return self.label in CATEGORIES


def read_lines(pattern: str) -> list[Line]:
    found = []
    for path in sorted(LINES.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, manner, text = line.split("\t")
            found.append(Line(label, manner, text, path.stem))
    return found


def noisy(text: str, chance: random.Random) -> str:
    """A copy as a child may type it: without spaces, or with a few wrong, lost or parted syllables."""
    if chance.random() < 0.5:
        return text.replace(" ", "")
    signs = list(text)
    for _ in range(1 + len(signs) // 14):
        place = chance.randrange(len(signs))
        syllable = parts(signs[place]) if len(signs[place]) == 1 else None
        if syllable is None or chance.random() < 0.2:
            signs[place] = "" if chance.random() < 0.5 else signs[place] + " "
        elif chance.random() < 0.6:
            signs[place] = whole(syllable[0], chance.choice(VOWELS), syllable[2])
        else:
            signs[place] = whole(syllable[0], syllable[1], chance.choice(FINALS))
    return "".join(signs)


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
    told = matrix.multiply(ratios).tocsr()
    sizes = np.sqrt(np.asarray(told.multiply(told).sum(1)).ravel())
    return sparse.diags(1 / np.maximum(sizes, SHORTEST)) @ told


def scores(found: Fit, matrix: Any) -> Any:
    return scaled(matrix, found.ratios) @ found.weights + found.bias


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    chance = random.Random(2027)
    lines = read_lines("writer_*.tsv")
    copies = [line._replace(text=noisy(line.text, chance)) for line in lines]
    together = [*lines, *copies]
    texts = [plain(line.text) for line in together]
    counter = CountVectorizer(analyzer=features, binary=True, min_df=FEWEST, dtype=np.float32)
    matrix = counter.fit_transform(texts).tocsr()
    danger = np.array([line.danger for line in together])
    costs = np.array([(PLAIN_WEIGHT if line.label == "plain" else 1.0) for line in together])
    writers = np.array([line.writer for line in together])
    print(f"{len(lines)} lines of {len(set(writers))} writers, {matrix.shape[1]} runs", file=sys.stderr)
    unseen = held_out(matrix, danger, costs, writers, len(lines))
    report(lines, unseen)
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


def report(lines: list[Line], unseen: Any) -> None:
    labels, manners = np.array([line.label for line in lines]), np.array([line.manner for line in lines])
    danger = np.array([line.danger for line in lines])
    hard, easy = unseen[labels == "hard"], unseen[labels == "plain"]
    for share in (0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.15):
        limit = np.quantile(hard, 1 - share)
        print(f"hard {share:.4f}  limit {limit:6.2f}  heard {np.mean(unseen[danger] > limit):.3f}  plain {np.mean(easy > limit):.4f}")
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
    kept_kinds = set(often[strongest >= np.sort(strongest)[max(0, len(strongest) - 9_000)]])
    body = []
    for place, name in enumerate(names):
        ratio, weight = round(found.ratios[place] * SCALE), round(found.weights[place] * SCALE)
        kept = abs(found.ratios[place] * found.weights[place]) >= SMALLEST
        if not kept and place not in kept_kinds:
            continue
        numbers = [ratio, weight] if kept else [0, 0]
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
    print(f"{MODEL.relative_to(TOP)}: {len(body)} runs, {MODEL.stat().st_size / 1e6:.1f} MB; {Counter(line.label for line in together)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the model that tells what the coach is asked: tests/data/coach_asks.yaml → configs/chat/asks_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_asks.py [--check]

Ridge regression on the runs of a line, one value for each ask, fitted on its lines; small data need no more. Prints the
share of lines that are taken for what they are, with the cues of asks.yaml and without, by models that had not seen
them (six folds). `--check` writes nothing.
"""

import argparse
from hashlib import sha256
from typing import Any, Final

import numpy as np
import training
from scipy import sparse
from sklearn.model_selection import StratifiedKFold

from maththera.chat.coach.asks import LOGITS, Asks, load_asks
from maththera.words.ngram_model import FORMAT, SCALE
from tests.support.asks import ask_lines, model_class

FEWEST: Final = 2  # lines that a run must stand in
MOST: Final = 14_000  # runs that are kept: those with the largest weights
RIDGE: Final = 0.5
SAME_LETTER: Final = 0.33  # of what a line is worth for its own ask, it is worth for the others of its intent
FOLDS: Final = 6


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    registry = load_asks(training.TOP)
    lines = [(model_class(registry, name), text) for name, text in ask_lines()]
    texts = [text for _, text in lines]
    asks = sorted({name for name, _ in lines})
    labels = np.array([asks.index(name) for name, _ in lines])
    names, matrix = training.counted(texts, FEWEST)
    print(f"{len(lines)} lines, {len(asks)} asks, {matrix.shape[1]} runs")
    cues = np.array([words_for(registry, asks, text) for text in texts])
    letters = np.array([registry.letter(name) for name in asks])
    worth = np.maximum(np.eye(len(asks)), SAME_LETTER * (letters[:, None] == letters))
    scores = np.zeros((len(texts), len(asks)))
    for seen, unseen in StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(texts, labels):
        weights, bias = fit(matrix[seen], labels[seen], worth)
        scores[unseen] = scaled(matrix[unseen]) @ weights + bias
    for told, added in (("the model alone", 0 * cues), ("with the cues", cues)):
        print(f"{told}: {np.mean((registry.model_weight * scores + added).argmax(1) == labels):.3f} of unseen lines")
    if check_only:
        return
    weights, _ = fit(matrix, labels, worth)
    chosen = np.sort(np.argsort(-np.abs(weights).max(1))[:MOST])
    write(names[chosen], asks, *fit(matrix[:, chosen], labels, worth))


def words_for(registry: Asks, asks: list[str], text: str) -> list[float]:
    """What the words of a line add for each class."""
    talk = registry.book.found(text)
    found = talk and model_class(registry, talk.name)
    return [talk.weight if talk is not None and name == found else registry.cue(name, text) for name in asks]


def scaled(matrix: Any) -> Any:
    return sparse.diags(1 / np.sqrt(np.maximum(np.asarray(matrix.sum(1)).ravel(), 1))) @ matrix


def fit(matrix: Any, labels: Any, worth: Any) -> tuple[Any, Any]:
    """-> weights of runs by asks, and what an ask has without any run. `worth`: of a line of an ask for each ask."""
    rows, wanted = scaled(matrix), worth[labels]
    alike = (rows @ rows.T).toarray() + RIDGE * np.eye(len(labels))
    return rows.T @ np.linalg.solve(alike, wanted - wanted.mean(0)), wanted.mean(0)


def write(names: Any, asks: list[str], weights: Any, bias: Any) -> None:
    """The weights for finding are 0: everything said is one of the asks."""
    rows = np.round(weights * LOGITS * SCALE).astype(int)
    body = "".join(
        "\t".join([name.replace(" ", "_"), "0", *map(str, row)]) + "\n" for name, row in zip(names, rows, strict=True)
    )
    head = [
        FORMAT.format("asks"),
        "bias\t0",
        "shortest\t1",
        f"categories\t{','.join(asks)}",
        f"kinds_bias\t{','.join(f'{each * LOGITS:.4f}' for each in bias)}",
        f"sha256\t{sha256(body.encode()).hexdigest()}",
    ]
    path = training.TOP / "configs" / "chat" / "asks_model.tsv"
    path.write_text("\n".join(head) + "\n\n" + body, encoding="utf-8")
    print(f"{path.relative_to(training.TOP)}: {len(names)} runs, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

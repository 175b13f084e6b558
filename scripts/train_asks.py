#!/usr/bin/env python3
"""Trains the model that tells what the coach is asked: tests/data/coach_asks → configs/chat/asks_model.npz.

    PYTHONPATH=. .venv/bin/python scripts/train_asks.py [--check]

Ridge regression on the runs of a line, one value for each ask. Prints for each writer the share of lines that a model
of the other writers' lines takes for what they are. `--check` writes nothing.
"""

import argparse
from typing import Any, Final

import numpy as np
import training
from scipy import sparse

from maththera.chat.coach.ask_model import AskModel, code_of, in_one_form
from maththera.chat.coach.asks import load_asks
from tests.support.asks import ask_lines

FEWEST: Final = 2  # lines that a run must stand in
MOST: Final = 800_000  # weights that are kept: the largest
RIDGE: Final = 0.5
SAME_LETTER: Final = 0.15  # of what a line is worth for its own ask, it is worth for the others of its intent
STEPS: Final = 32_000  # of the scale, for the largest weight
PATH: Final = training.TOP / "configs" / "chat" / "asks_model.npz"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    registry, lines = load_asks(training.TOP), ask_lines()
    asks = sorted({line.ask for line in lines})
    labels = np.array([asks.index(line.ask) for line in lines])
    letters = np.array([registry.letter(name) for name in asks])
    worth = np.maximum(np.eye(len(asks)), SAME_LETTER * (letters[:, None] == letters))
    names, matrix = training.counted([in_one_form(line.text) for line in lines], FEWEST)
    print(f"{len(lines)} lines, {len(asks)} asks, {matrix.shape[1]} runs")
    if not check_only:
        weights, bias = fit(matrix, labels, worth)
        write(names, asks, weights, bias)
        model = AskModel.load(PATH)
        told = [max(shares, key=shares.__getitem__) for shares in (model.shares(line.text) for line in lines)]
        right = np.mean([name == line.ask for name, line in zip(told, lines, strict=True)])
        print(f"{PATH.relative_to(training.TOP)}: {PATH.stat().st_size / 1e6:.1f} MB, {right:.3f} of its own lines")
    for writer in sorted({line.writer for line in lines}):
        own = np.array([line.writer == writer for line in lines])
        weights, bias = fit(matrix[~own], labels[~own], worth)
        found = (scaled(matrix[own]) @ largest(weights) + bias).argmax(1)
        print(f"{writer}: {np.mean(found == labels[own]):.3f} of {own.sum()} lines, by the others' lines")


def scaled(matrix: Any) -> Any:
    return sparse.diags(1 / np.sqrt(np.maximum(np.asarray(matrix.sum(1)).ravel(), 1))) @ matrix


def fit(matrix: Any, labels: Any, worth: Any) -> tuple[Any, Any]:
    """-> weights of runs by asks, and what an ask has without any run. `worth`: of a line of an ask for each ask."""
    rows, wanted = scaled(matrix), worth[labels]
    alike = (rows @ rows.T).toarray() + RIDGE * np.eye(len(labels))
    return rows.T @ np.linalg.solve(alike, wanted - wanted.mean(0)), wanted.mean(0)


def largest(weights: Any) -> Any:
    """The weights, but for the smallest, which are nothing."""
    sizes = np.abs(weights)
    return np.where(sizes >= np.partition(sizes.ravel(), -MOST)[-MOST], weights, 0)


def write(names: Any, asks: list[str], weights: Any, bias: Any) -> None:
    kept = np.round(largest(weights) * (STEPS / np.abs(weights).max())).astype(np.int16)
    codes = np.array([code_of(name) for name in names], dtype=np.uint32)
    held = np.flatnonzero(kept.any(1))
    held = held[np.argsort(codes[held])]
    by_run = sparse.csr_matrix(kept[held])
    np.savez_compressed(
        PATH,
        names=np.array(asks),
        bias=bias.astype(np.float32),
        runs=codes[held],
        starts=by_run.indptr.astype(np.int32),
        places=by_run.indices.astype(np.uint8),
        weights=by_run.data,
        scale=np.abs(weights).max() / STEPS,
    )


if __name__ == "__main__":
    main()

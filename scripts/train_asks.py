#!/usr/bin/env python3
"""Trains the models that tell what the coach and the assistant are asked, and which kind of thing adults want:
of tests/data, coach_asks → coach/asks_model.npz, assistant_asks → assistant/assistant_model.npz and message_kinds →
adults/message_kinds_model.npz of configs/chat.

    PYTHONPATH=. .venv/bin/python scripts/train_asks.py coach|assistant|kinds [--check]

Ridge regression on the runs of a line, one value for each ask; for the assistant an ask is a written answer, and the
question that stands beside each is a line too. Prints for each writer the share of lines that a model
of the other writers' lines takes for what they are, and how often such a reading is right whose share is so large.
`--check` writes nothing.
"""

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import training
import yaml
from scipy import sparse
from scipy.linalg import lapack

from maththera.chat.coach.asks import load_asks
from maththera.chat.messages.ask_model import SHARPNESS, AskModel, code_of, in_one_form
from maththera.korean.particles import with_particle
from tests.support.asks import Asked, AskLine, ask_lines

FEWEST: Final = {"coach": 2, "assistant": 1, "kinds": 2}  # lines that a run must stand in
MOST: Final = 800_000  # weights that are kept: the largest
RIDGE: Final = 0.5
SAME_INTENT: Final = 0.15  # of what a line is worth for its own ask, it is worth for the others of its intent
# Of shares, to see how far they can be trusted.
BOUNDS: Final = (0, 0.03, 0.06, 0.09, 0.12, 0.16, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.01)
STEPS: Final = 32_000  # of the scale, for the largest weight
WHAT: Final = ("뭐예요?", "뭐야?", "무슨 뜻인가요?")
CONFIGS: Final = training.TOP / "configs" / "chat"
PATHS: Final = {
    "coach": CONFIGS / "coach" / "asks_model.npz",
    "assistant": CONFIGS / "assistant" / "assistant_model.npz",
    "kinds": CONFIGS / "adults" / "message_kinds_model.npz",
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("of", choices=PATHS)
    asked.add_argument("--check", action="store_true")
    options = asked.parse_args()
    of: Asked = options.of
    check_only, path = options.check, PATHS[of]
    lines = [*ask_lines(of), *(written_questions() if of == "assistant" else ())]
    asks = sorted({line.ask for line in lines})
    labels = np.array([asks.index(line.ask) for line in lines])
    worth = np.eye(len(asks))
    if of == "coach":
        registry = load_asks(training.TOP)
        intents = np.array([registry.intent(name) for name in asks])
        worth = np.maximum(worth, SAME_INTENT * (intents[:, None] == intents))
    names, matrix = training.counted([in_one_form(line.text) for line in lines], FEWEST[of])
    print(f"{len(lines)} lines, {len(asks)} asks, {matrix.shape[1]} runs")
    rows, wanted = scaled(matrix).astype(np.float32), worth[labels].astype(np.float32)
    inverse = inverted((rows @ rows.T).toarray())
    shares = inverse @ (wanted - wanted.mean(0))
    if not check_only:
        write(path, names, asks, rows.T @ shares, wanted.mean(0))
        model = AskModel.load(path)
        told = [max(shares, key=shares.__getitem__) for shares in (model.shares(line.text) for line in lines)]
        right = np.mean([name == line.ask for name, line in zip(told, lines, strict=True)])
        print(f"{path.relative_to(training.TOP)}: {path.stat().st_size / 1e6:.1f} MB, {right:.3f} of its own lines")
    told = np.empty_like(wanted)
    for writer in sorted({line.writer for line in lines}):
        own = np.array([line.writer == writer for line in lines])
        told[own] = wanted[own] - np.linalg.solve(inverse[np.ix_(own, own)], shares[own])
        right = np.mean(told[own].argmax(1) == labels[own])
        print(f"{writer}: {right:.3f} of {own.sum()} lines, by the others' lines")
    likely = np.exp(SHARPNESS * (told - told.max(1, keepdims=True)))
    first, right = 1 / likely.sum(1), told.argmax(1) == labels
    for low, high in pairwise(BOUNDS):
        between = (first >= low) & (first < high)
        if not between.any():
            continue
        print(f"share {low} to {high}: {between.mean():.3f} of all lines, {right[between].mean():.3f} of them right")


def written_questions() -> list[AskLine]:
    """The question that stands beside each written answer of the assistant, and one for each term of the glossary,
    which is answered elsewhere."""
    written = ("assistant/advice.yaml", "assistant/app_help.yaml", "assistant/everyday.yaml", "papers/glossary.yaml")
    advice, served, everyday, glossary = (
        yaml.safe_load((CONFIGS / name).read_text(encoding="utf-8")) for name in written
    )
    answers = {**served["answers"], **advice["answers"], **everyday["answers"]}
    own = [AskLine(name, one["ask"], "written") for name, one in answers.items()]
    asked = "".join(line.text for line in own)
    terms = [one["term"] for one in glossary["terms"] if one["term"] not in asked]
    return [*own, *(AskLine("other", f"{with_particle(term, '이가')} {WHAT[at % 3]}", "written")
                    for at, term in enumerate(terms))]  # fmt: skip


def scaled(matrix: Any) -> Any:
    return sparse.diags(1 / np.sqrt(np.maximum(np.asarray(matrix.sum(1)).ravel(), 1))) @ matrix


def inverted(alike: Any) -> Any:
    """The inverse of how alike the lines are, with the ridge. What a model of all lines but some would tell of these
    stands in it as well, so that no such model has to be trained."""
    alike[np.diag_indices_from(alike)] += RIDGE
    factor, _ = lapack.spotrf(alike, overwrite_a=True)
    half, _ = lapack.spotri(factor, overwrite_c=True)
    return np.triu(half) + np.triu(half, 1).T


def largest(weights: Any) -> Any:
    """The weights, but for the smallest, which are nothing."""
    sizes = np.abs(weights)
    if sizes.size <= MOST:
        return weights
    return np.where(sizes >= np.partition(sizes.ravel(), -MOST)[-MOST], weights, 0)


def write(path: Path, names: Any, asks: list[str], weights: Any, bias: Any) -> None:
    kept = np.round(largest(weights) * (STEPS / np.abs(weights).max())).astype(np.int16)
    codes = np.array([code_of(name) for name in names], dtype=np.uint32)
    held = np.flatnonzero(kept.any(1))
    held = held[np.argsort(codes[held])]
    by_run = sparse.csr_matrix(kept[held])
    np.savez_compressed(
        path,
        names=np.array(asks),
        bias=bias.astype(np.float32),
        runs=codes[held],
        starts=by_run.indptr.astype(np.int32),
        places=by_run.indices.astype(np.uint16),
        weights=by_run.data,
        scale=np.abs(weights).max() / STEPS,
    )


if __name__ == "__main__":
    main()

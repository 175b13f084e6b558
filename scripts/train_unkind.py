#!/usr/bin/env python3
"""Trains the model behind the gate: lines of several writers → configs/words/unkind_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_unkind.py [--check]

Every line is learnt as it stands and in a copy with typos or lost spaces. The limit in gate.yaml is set on the scores
that it prints: each line's, sentence by sentence as the gate reads it, by a model that had not seen its writer.
`--check` writes nothing. The sealed lines are not read here.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import training
from sklearn.feature_extraction.text import CountVectorizer

from maththera.settings import home
from maththera.words.ngram_model import NgramModel, features, plain
from maththera.words.output_gate.gate_words import GateKnowledge, UnkindLimit
from maththera.words.output_gate.sentence_checks import Reader, SentenceChecks, TextRequirements
from maththera.words.output_gate.text_gate import Gate
from tests.support import gate_lines
from tests.support.gate_lines import Written, written

FEWEST: Final = 3  # lines that a run must stand in
MOST: Final = 120_000  # runs that are kept: those with the largest weights
CHECKED: Final = frozenset({"untrue"})  # wrong sums are calculated; words do not show them
OF_WORDS: Final = frozenset({"belittling", "comparison", "profanity", "violence", "sexual", "contact", "private"})


SILENT: Final = NgramModel(0.0, 1.0, {}, (), (), {})


class Windows(SentenceChecks):
    """Takes down what the gate reads at once of a text, with what its words alone add to the score of that."""

    def __init__(self, known: GateKnowledge) -> None:
        self.lift = known.words.unkind.lift
        self.seen: list[tuple[str, float]] = []
        self._certain_words, self._any_words = (
            SentenceChecks(replace(known, unkind=SILENT, words=known.words.model_copy(update={"unkind": limits})))
            for limits in (UnkindLimit(limit=1, lift=0), UnkindLimit(limit=1, lift=1))
        )

    def fault(self, sentence: str, before: str, to: Reader, about: TextRequirements, *, ended: bool) -> None:  # noqa: ARG002
        text = before + sentence
        if self._certain_words.unkind(sentence, text):
            self.seen.append((text, np.inf))
        else:
            self.seen.append((text, self.lift if self._any_words.unkind(sentence, text) else 0.0))


def windows(texts: Sequence[str]) -> list[tuple[int, str, float]]:
    """What the gate reads at once of each text, with the text's place and what words add."""
    known = GateKnowledge.load(home())
    gate = Gate(known)
    gate.checks = listening = Windows(known)
    found = []
    for place, text in enumerate(texts):
        listening.seen = []
        gate.check(text, "child", TextRequirements(gate.longest("coach")))
        found += [(place, *each) for each in listening.seen or [(text, 0.0)]]
    return found


def known() -> list[Written]:
    """Of the writers; of the one before them, and our own sentences."""
    before = [Written(line.why, line.text, "earlier") for line in gate_lines.harmful() if line.why in OF_WORDS]
    own = sorted({line.text for line in gate_lines.own("*")})
    fine = {line.text: "earlier" for line in gate_lines.harmless() if line.to == "child"} | dict.fromkeys(own, "own")
    good = [Written("good", text, writer) for text, writer in fine.items()]
    return [line for line in (*written("writer_*.tsv"), *before, *good) if line.label not in CHECKED]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    check_only = asked.parse_args().check
    lines = known()
    twice = [*lines, *lines]
    names, matrix = training.counted(training.with_noise([line.text for line in lines]), FEWEST)
    unkind = np.array([not line.good for line in twice])
    writers = np.array([line.writer for line in twice])
    print(f"{len(lines)} lines of {len(set(writers))} writers, {matrix.shape[1]} runs", file=sys.stderr)
    report(lines, held_out(lines, names, matrix, unkind, writers))
    if not check_only:
        training.write("unkind", names, training.fit(matrix, unkind), MOST)


def held_out(lines: Sequence[Written], names: Any, matrix: Any, unkind: Any, writers: Any) -> Any:
    """The score of each line's worst window by a model that has not seen its writer."""
    read = windows([line.text for line in lines])
    places = np.array([place for place, *_ in read])
    added = np.array([lift for *_, lift in read])
    counter = CountVectorizer(analyzer=features, binary=True, vocabulary=names, dtype=np.float32)
    seen = counter.transform([plain(text) for _, text, _ in read]).tocsr()
    found = np.full(len(lines), -np.inf)
    for writer in sorted(set(writers)):
        own = writers[places] == writer
        model = training.fit(matrix[writers != writer], unkind[writers != writer])
        np.maximum.at(found, places[own], training.scores(model, seen[own]) + added[own])
    return found


def report(lines: Sequence[Written], found: Any) -> None:
    labels, writers = np.array([line.label for line in lines]), np.array([line.writer for line in lines])
    for limit in np.arange(-1, 4, 0.25):
        shares = [
            f"{writer} {np.mean(found[(writers == writer) & (labels != 'good')] > limit):.3f}"
            f" / {np.mean(found[(writers == writer) & (labels == 'good')] > limit):.4f}"
            for writer in sorted(set(writers) - {"own"})
        ]
        own = np.mean(found[writers == "own"] > limit)
        print(f"{limit:5.2f}  held, of harmful / good:  {'   '.join(shares)}   own {own:.4f}")
    limit = GateKnowledge.load(home()).words.unkind.limit
    print(
        f"{limit:.2f}", {name: round(float(np.mean(found[labels == name] > limit)), 2) for name in sorted(set(labels))}
    )


if __name__ == "__main__":
    main()

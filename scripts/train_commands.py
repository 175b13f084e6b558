#!/usr/bin/env python3
"""Trains the model of commands: sentences by what they mean → configs/words/command_model.tsv.

    PYTHONPATH=. .venv/bin/python scripts/train_commands.py

Every sentence is learnt as commands are read: with its names, days and numbers taken out, as it stands and in a copy
with typos or lost spaces. The examples of the shipped flows are learnt as well.
"""

import sys

import numpy as np
import training

from tests.support.commands import learnt_sentences

FEWEST = 2  # lines that a run must stand in
MOST = 1_000  # runs of the part that tells a command from none
STRENGTH = 30.0  # inverse of the regularisation
NONE = "none"


def main() -> None:
    lines = learnt_sentences()
    texts, labels = [text for text, _ in lines], [label for _, label in lines]
    names, matrix = training.counted(training.with_noise(texts), FEWEST)
    twice = np.array([*labels, *labels])
    print(f"{len(lines)} sentences of {len(set(labels))} meanings, {matrix.shape[1]} runs", file=sys.stderr)
    kinds = training.kinds_of(matrix, sorted(set(labels)), twice, FEWEST, STRENGTH)
    training.write("command", names, training.fit(matrix, twice != NONE), MOST, kinds)


if __name__ == "__main__":
    main()

"""How well explanations are graded without a language model, on answers that claims were not written on.

`python -m benchmarks grading` prints it.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from benchmarks.report import Section, at_least, at_most, table
from maththera.lessons.content import LessonContent
from maththera.lessons.grading import grade_words
from maththera.settings import home
from tests.support import typed
from tests.support.graded import Graded, Kind, explained, graded, question

ROUNDS: Final = 5
HALVES: Final[tuple[typed.Half, ...]] = ("sealed", "dev")
ADVERSARIAL: Final[tuple[Kind, ...]] = ("swapped", "negated", "salad", "off_topic", "half")


def measure() -> Section:
    """The part `dev` is a test; the others have set nothing."""
    fair, wrong = explained("fair"), explained(*ADVERSARIAL)
    old = {"author": graded("test"), "strangers": graded("strangers")}
    least = LessonContent.load(home()).config.sessions.passed["subjective"]
    halves = {half: [typed.read(line) for line in typed.lines(half)] for half in HALVES}
    sealed = halves["sealed"]
    passes = {
        "fair": _share(each.passes(least) for each in fair),
        "wrong": _share(each.passes(least) for each in wrong),
    }
    every = [*fair, *wrong]
    section = Section(
        "Explanations by rubric",
        (_TEXT + _TYPED).format(fair=len(fair), wrong=len(wrong), old=sum(map(len, old.values()))),
        [
            at_least("fair: passed or not as labelled", passes["fair"], 95, " %", 1),
            at_least("adversarial: passed or not as labelled", passes["wrong"], 95, " %", 1),
            at_least("exactly the points of the label", _share(each.apart == 0 for each in every), 90, " %", 1),
            at_most(
                "praised for what was not said", _share(bool(each.given - each.wanted) for each in every), 1, " %", 1
            ),
            *(
                at_least(
                    f"typed answers to tasks, {kind}: passed or not as labelled",
                    _share(each.right for each in sealed if each.line.kind == kind),
                    95,
                    " %",
                    1,
                )
                for kind in ("fair", "adversarial")
            ),
            at_most(
                "typed answers to tasks: passed though it should not",
                _share(each.passed_wrongly for each in sealed),
                1,
                " %",
                1,
            ),
        ],
    )
    parts: dict[str, list[Graded]] = {"fair": fair, **{kind: explained(kind) for kind in ADVERSARIAL}}
    parts |= {f"older, {who}": each for who, each in old.items()}
    rows = [_row(name, answers, least) for name, answers in parts.items() if answers]
    section.tables = [
        table(
            (
                "answers",
                "number",
                "pass or fail right",
                "exact points",
                "point too many",
                "not graded",
                "whole question right",
            ),
            rows,
        ),
        table(
            ("typed answers", "number", "pass or fail right", "read as meant", "asked again", "passed wrongly"),
            [
                _typed_row(f"{half}, {kind}", [each for each in read if each.line.kind == kind])
                for half, read in halves.items()
                for kind in ("fair", "adversarial")
            ],
        ),
        table(("milliseconds", "median", "slowest"), [_milliseconds([*fair, *wrong])]),
    ]
    return section


def _row(name: str, answers: Sequence[Graded], least: int) -> tuple[str, ...]:
    shares: list[Callable[[Graded], bool]] = [
        lambda each: each.passes(least),
        lambda each: each.apart == 0,
        lambda each: bool(each.given - each.wanted),
        lambda each: each.ungraded,
        lambda each: each.whole_right(least),
    ]
    return name, str(len(answers)), *(f"{_share(map(share, answers)):.1f} %" for share in shares)


def _typed_row(name: str, read: Sequence[typed.Read]) -> tuple[str, ...]:
    shares: list[Callable[[typed.Read], bool]] = [
        lambda each: each.right,
        lambda each: each.exact,
        lambda each: each.asked_again,
        lambda each: each.passed_wrongly,
    ]
    return name, str(len(read)), *(f"{_share(map(share, read)):.1f} %" for share in shares)


def _share(right: Iterable[bool]) -> float:
    return 100 * statistics.mean(right)


def _milliseconds(answers: Sequence[Graded]) -> tuple[str, float, float]:
    samples = []
    for each in [*answers] * ROUNDS:
        started = time.perf_counter()
        grade_words(question(each.question), each.said)
        samples.append(1000 * (time.perf_counter() - started))
    return "an answer read before", statistics.median(samples), max(samples)


_TEXT: Final = """\
{fair} fair and {wrong} adversarial explanations (roles exchanged, denied, lists of words, off topic, half right) to
questions of the shipped courses, written and labelled by strangers to the claims, and the {old} older answers, of which
those points count that an explanation is still asked for. Rules give a point only where the meaning is certain: what
they cannot tell is asked for once more and then not graded, and here it counts as wrong where it was fair. An
explanation follows a task that is judged exactly, and never lowers what that earned; the whole question is right where
the task was answered as the explanation was meant. When they were first run, 61.6 % of the fair and 78.3 % of the
adversarial answers passed or not as labelled, 50.5 % had exactly their points, and 14.8 % were praised for what was not
said; rules and claims were then mended with the adversarial ones in sight."""

_TYPED: Final = """

Answers typed to tasks were written by strangers to the reader. It was made with those to every second task in sight
(`dev`); the targets are measured on the other tasks (`sealed`). "Asked again": something was meant and not
understood."""

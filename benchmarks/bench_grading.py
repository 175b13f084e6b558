"""How well the answers to questions with a task are judged without a language model, each behind another explanation.

`python -m benchmarks grading` prints it.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from typing import Final

from benchmarks.report import Section, Target, at_least, at_most, table
from maththera.lessons.courses.course import Subjective
from maththera.lessons.courses.tasks import LETTERS, Answer, Order, Task, score_of_task
from tests.support import typed
from tests.support.graded import Explanation, Kind, content, explained, graded, question
from tests.support.judged import Judged, judged

HALVES: Final[tuple[typed.Half, ...]] = ("sealed", "fresh", "dev")
KINDS: Final = ("fair", "adversarial")
ADVERSARIAL: Final[tuple[Kind, ...]] = ("swapped", "negated", "salad", "off_topic", "half")


@dataclass(frozen=True, slots=True)
class Played:
    """A question played to its end; `wanted`: what its task is worth as it was meant, None where nothing was."""

    wanted: int | None
    found: Judged
    praise: tuple[str, ...]
    least: int

    @property
    def right(self) -> bool:
        return ((self.found.score or 0) >= self.least) == ((self.wanted or 0) >= self.least)

    @property
    def exact(self) -> bool:
        return self.found.score == self.wanted

    @property
    def praised_falsely(self) -> bool:
        """More points than were earned, or an explanation that nobody judged called right."""
        called = any(praise in reply for reply in self.found.replies[1:] for praise in self.praise)
        return called or (self.found.score or 0) > (self.wanted or 0)


def measure() -> Section:
    """Of the typed answers, `sealed` and `fresh` have set nothing."""
    read = {
        f"typed, {half}, {kind}": [typed.read(line) for line in typed.lines(half) if line.kind == kind]
        for half in HALVES
        for kind in KINDS
    }
    typed_played = {name: asyncio.run(_typed([each.line for each in lines])) for name, lines in read.items()}
    chosen = {
        "options, fair explanations": asyncio.run(_chosen(explained("fair"))),
        "options, adversarial explanations": asyncio.run(_chosen(explained(*ADVERSARIAL))),
        "options, older explanations": asyncio.run(_chosen([*graded("test"), *graded("strangers")])),
    }
    unseen = {kind: typed_played[f"typed, sealed, {kind}"] + typed_played[f"typed, fresh, {kind}"] for kind in KINDS}
    section = Section(
        "Answers in lessons", _TEXT, _targets(unseen, [each for some in chosen.values() for each in some])
    )
    section.tables = [
        table(
            ("questions played", "number", "pass or fail right", "exact points", "false praise", "asked again"),
            [_row(name, played) for name, played in {**typed_played, **chosen}.items()],
        ),
        table(
            ("milliseconds", "median", "slowest"), [_milliseconds([each for some in read.values() for each in some])]
        ),
    ]
    return section


def _targets(unseen: dict[str, list[Played]], chosen: list[Played]) -> list[Target]:
    every = [*unseen["fair"], *unseen["adversarial"]]
    return [
        *(
            at_least(
                f"typed, unseen, {kind}: passed or not as meant", _share(each.right for each in played), 95, " %", 1
            )
            for kind, played in unseen.items()
        ),
        at_least("typed, unseen: exactly the points", _share(each.exact for each in every), 90, " %", 1),
        at_most("typed, unseen: false praise", _share(each.praised_falsely for each in every), 1, " %", 1),
        at_least("options: exactly the points", _share(each.exact for each in chosen), 90, " %", 1),
        at_most("options: false praise", _share(each.praised_falsely for each in chosen), 1, " %", 1),
    ]


async def _typed(lines: Sequence[typed.Line]) -> list[Played]:
    """Each line, then an explanation of the question where there is one, fair and adversarial in turn."""
    said = cycle([*explained(*ADVERSARIAL), *explained("fair")])
    played = []
    for line in lines:
        name = line.task.replace(" ", "")
        words = next(
            (one.said for one in (next(said) for _ in range(_LOOKED_AT)) if one.question == name), "그냥 그래서"
        )
        wanted = None if line.meant is None else score_of_task(question(name).task, line.meant)
        played.append(await _played(name, line.typed, words, wanted))
    return played


async def _chosen(explanations: Sequence[Explanation]) -> list[Played]:
    """Each explanation behind a choice of options: right, half right and wrong ones in turn."""
    played = []
    for number, one in enumerate(explanations):
        task = question(one.question).task
        answers = _answers(task)
        answer = answers[number % len(answers)]
        played.append(await _played(one.question, _as_chosen(task, answer), one.said, score_of_task(task, answer)))
    return played


def _answers(task: Task) -> list[Answer]:
    """All that can be chosen; of a number the right one and the next."""
    if not task.options:
        return [task.right, (task.right[0] + 1,)]
    places = product(*(range(len(texts)) for texts in task.options))
    return [each for each in places if not isinstance(task, Order) or len(set(each)) == len(each)]


def _as_chosen(task: Task, answer: Answer) -> str:
    """As a page sends what was tapped."""
    if not task.options:
        return str(answer[0])
    names = LETTERS if task.letters else "123456789"
    return " ".join(names[place] for place in answer)


async def _played(name: str, answer: str, words: str, wanted: int | None) -> Played:
    asked: Subjective = question(name)
    lesson = content().config
    said = lesson.words[content().courses[name.split("/", maxsplit=1)[0]].head.speech]
    found = await judged(name, answer, words)
    praise = tuple(each for each in (said.right, said.full_points, said.some_points) if each not in asked.explanation)
    return Played(wanted, found, praise, lesson.sessions.passed["subjective"])


def _row(name: str, played: Sequence[Played]) -> tuple[str, ...]:
    shares: list[Callable[[Played], bool]] = [
        lambda each: each.right,
        lambda each: each.exact,
        lambda each: each.praised_falsely,
        lambda each: each.found.score is None and each.wanted is not None,
    ]
    return name, str(len(played)), *(f"{_share(map(share, played)):.1f} %" for share in shares)


def _share(right: Iterable[bool]) -> float:
    return 100 * statistics.mean(right)


def _milliseconds(read: Sequence[typed.Read]) -> tuple[str, float, float]:
    samples = []
    for each in read:
        started = time.perf_counter()
        typed.read(each.line)
        samples.append(1000 * (time.perf_counter() - started))
    return "a typed answer read", statistics.median(samples), max(samples)


_LOOKED_AT: Final = 600
"""More than there are explanations."""

_TEXT: Final = """\
A whole question is judged: an answer to its task, then an explanation, played through the lesson's agent. Typed answers
of strangers: the reader was made with those to every second task (`dev`) in sight, those to the other tasks (`sealed`)
only measure. 198 `fresh` answers were written by the reader's author before it was last mended. Of neither of the two
more than counts, by task, were looked at since; other lines to many of their tasks were then written into `dev`,
and the totals were watched after most changes: they are no longer those of tasks never met. At their first
reading 83.7 % of the fair and 84.1 % of the adversarial fresh answers passed or not as meant; of the sealed
ones, before the mending, 91.5 % and 83.5 %. "Asked again": something was meant and not understood. Options: every
combination in turn, as a page sends them, with the 333 fair, 180 adversarial (roles exchanged, denied, lists of words,
off topic, half right) and 283 older explanations behind them.

Explanations in free words earn nothing without a language model, and nothing is said of whether they are right. The
rules that graded them until now are gone: on the same explanations 57.1 % of the fair and 90.0 % of the adversarial
ones passed or not as labelled (wanted: 95 % each), 53.4 % got exactly their points (90 %), 3.7 % were praised for what
was not said (1 %)."""

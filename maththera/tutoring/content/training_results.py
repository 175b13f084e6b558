"""What a child did in a training, judged again by the service: which items were right, and whether the rule is met."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from maththera.arithmetic.answer_parser import parse_answer
from maththera.arithmetic.problem import SIGNS, Problem
from maththera.tutoring.content.trainings import LEAST_ITEMS, Done, Item, Training

Answered = Mapping[str, Any]
"""An item as the client tells of it: `item_id`, and for each step its last answer and how many tries it took; whether
the solution was `shown`; why it was `skipped`."""

_TYPED: Final = str.maketrans({**SIGNS, "*": SIGNS["x"]})
_TRIES: Final = 2
"""A step may be tried once more."""


def fits(given: int | str | None, answer: int | str) -> bool:
    """Whether it is the answer of a step."""
    if given is None:
        return False
    return _bare(given) == _bare(answer) if isinstance(answer, str) else parse_answer(given) == answer


def _bare(text: int | str) -> str:
    """Words as a keyboard writes them: "빌려오기" is "빌려 오기", "2" is "2번" and "7x8" is "7×8"."""
    return "".join(str(text).lower().split()).translate(_TYPED).removesuffix("번")


def judged(training: Training, answered: Iterable[Answered]) -> list[bool]:
    """Which items are right, in the order in which they were done: the last step right, at the second try at most, and
    without its solution. Skipped ones are left out."""
    items = {item.id: item for item in training.items}
    done = [one for one in answered if one["item_id"] in items and not one.get("skipped")]
    return [_right(items[one["item_id"]], one) for one in done]


def _right(item: Item, one: Answered) -> bool:
    answers, tries = one["answers"], one.get("tries") or [1]
    done = len(answers) == len(item.steps) and max(tries) <= _TRIES and not one.get("shown")
    return done and fits(answers[-1], item.steps[-1].answer)


def is_met(done: Done, rights: Sequence[bool]) -> bool:
    """Whether so many of the last so many are right."""
    return sum(rights[-done.of :]) >= done.correct


def practised(training: Training, results: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether anything was right, and whether the training's rule is met. Without single items, as the client says."""
    items = results.get("items")
    if isinstance(items, list):
        rights = judged(training, items)
        return any(rights), is_met(training.done, rights)
    right = results.get("done") is not False and results.get("right", results.get("correct")) != 0
    return right, right


def fitting_items(training: Training, failed: Problem | None, *, start: int) -> list[str]:
    """The ids of the items that ask for nothing larger than the problem that failed, from one of them on; where they
    are too few, the smallest."""
    items = sorted(training.items, key=_largest)
    limit = max(failed.a, failed.b, failed.answer) if failed is not None else None
    fitting = [item.id for item in items if limit is None or _largest(item) <= limit]
    least = max(training.done.of, LEAST_ITEMS)
    found = fitting if len(fitting) >= least else [item.id for item in items[:least]]
    kept = [item.id for item in training.items if item.id in found]
    place = start % len(kept)
    return [*kept[place:], *kept[:place]]


def _largest(item: Item) -> int:
    """The largest number that is shown or sought."""
    numbers = [step.answer for step in item.steps if isinstance(step.answer, int)]
    for value in item.params.values():
        numbers += [one for one in (value if isinstance(value, list) else [value]) if type(one) is int]
    return max((one for one in numbers if one < _NO_TIME), default=0)


_NO_TIME: Final = 1000
"""What is larger is a time in milliseconds."""

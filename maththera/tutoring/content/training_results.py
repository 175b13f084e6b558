"""What a child did in a training, judged again by the service: which items were right, and whether the rule is met."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from maththera.arithmetic.answer_parser import parse_answer
from maththera.arithmetic.problem import SIGNS
from maththera.tutoring.content.training_patterns import Item
from maththera.tutoring.content.training_tasks import TaskError
from maththera.tutoring.content.trainings import MasteryRule, TrainingPlan

Answered = Mapping[str, Any]
"""An item as the client tells of it: `item_id`, and for each step its last answer and how many tries it took; whether
the solution was `shown`; why it was `skipped`."""

Outcome = Literal["met", "below", "nothing", "unknown"]
"""How a training went: its rule met, something right but less than that, nothing right, or not told."""

_TYPED: Final = str.maketrans({**SIGNS, "*": SIGNS["x"]})
_TRIES: Final = 2
"""A step may be tried once more."""
_PLACE_SHARE: Final = 0.05
"""The share of a line by which a place may be off, as a finger is."""


def fits(given: int | str | None, answer: int | str) -> bool:
    """Whether it is the answer of a step."""
    if given is None:
        return False
    return _bare(given) == _bare(answer) if isinstance(answer, str) else parse_answer(given) == answer


def _bare(text: int | str) -> str:
    """Words as a keyboard writes them: "빌려오기" is "빌려 오기", "2" is "2번" and "7x8" is "7×8"."""
    return "".join(str(text).lower().split()).translate(_TYPED).removesuffix("번")


def judged(plan: TrainingPlan, answered: Iterable[Answered]) -> list[bool]:
    """Which items are right, in the order in which they were done: the last step right, at the second try at most, and
    without its solution. Skipped ones, and what is no item of the training, are left out."""
    items = ((_item(plan, str(one["item_id"])), one) for one in answered if not one.get("skipped"))
    return [_right(item, one) for item, one in items if item is not None]


def _item(plan: TrainingPlan, item_id: str) -> Item | None:
    try:
        return plan.item(item_id)
    except TaskError:
        return None


def _right(item: Item, one: Answered) -> bool:
    answers, tries = one["answers"], one.get("tries") or [1]
    done = len(answers) == len(item.steps) and max(tries) <= _TRIES and not one.get("shown")
    return done and is_right(item.ask, item.params, answers[-1], item.steps[-1].answer)


def is_right(ask: str, params: Mapping[str, object], given: int | str | None, answer: int | str) -> bool:
    """Whether it is the answer of a step; on a line, whether the place is near enough."""
    low, high, place = params.get("low"), params.get("high"), parse_answer(given) if given is not None else None
    if ask == "place" and isinstance(low, int) and isinstance(high, int) and isinstance(answer, int):
        return place is not None and abs(place - answer) <= (high - low) * _PLACE_SHARE
    return fits(given, answer)


def is_met(done: MasteryRule, rights: Sequence[bool]) -> bool:
    """Whether so many of the last so many are right."""
    return sum(rights[-done.of :]) >= done.correct


def outcome(plan: TrainingPlan, results: Mapping[str, Any]) -> Outcome:
    """How a training went, by its single items where they are told, else by how many the client counts as right and of
    how many. Without numbers its word `done` is believed."""
    items, done = results.get("items"), results.get("done")
    if isinstance(items, list):
        rights = judged(plan, items)
        return "met" if is_met(plan.done, rights) else "below" if any(rights) else "nothing"
    right, of = results.get("right", results.get("correct")), results.get("of", items)
    if type(right) is not int:
        return "unknown" if type(done) is not bool else "met" if done else "below"
    if right <= 0:
        return "nothing"
    enough = right >= plan.done.correct and (type(of) is not int or right * plan.done.of >= of * plan.done.correct)
    return "met" if enough and done is not False else "below"

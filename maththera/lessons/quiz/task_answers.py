"""What a learner typed as the answer to a task: the names of options, their words, or a number."""

import re
from functools import cache
from typing import Final

from maththera.korean.numbers import Number as Numeral
from maththera.korean.numbers import numbers_in, plain, written
from maththera.korean.pronunciation import sounds
from maththera.lessons.courses.tasks import Answer, Number, Order, Task
from maththera.lessons.quiz.option_names import answer_by_names, only_names
from maththera.lessons.quiz.option_words import answer_by_words
from maththera.lessons.quiz.step_orders import order_by_relations

_CHANGED: Final = re.compile(r"아니(?!면)(?:야|다|라|고|에요)?|아냐|말고|취소|잠깐만?")
_EITHER: Final = re.compile(r"아니면|또는|혹은")
_ABOUT: Final = re.compile(r"\s*(?:보다|쯤|정도|가까이)")
_DENIED: Final = re.compile(r"\s*(?:은|는|이|가)?\s*(?:절대\s*)?(?:아니|아닌|아냐|아님|아닙|틀리|틀렸|틀린|말고)")
_ONE_DENIED: Final = re.compile(
    r"[1-9]\s*(?:번)?\s*(?:은|는|이|가)?\s*(?:아니(?:야|다|에요|요)?|아냐|아님|아닙니다)\s*[.!]*"
)
_RESULT: Final = re.compile(r"\s*(?:나와|나왔|나오|남아|남았|돼|됐|됩)")
_CONCLUDED: Final = re.compile(r"(?:면|니까?|서|하고|답은?)[\s,]*\S{0,3}$")
_OPERATOR: Final = re.compile(r"[-+×÷*]|더하|빼|곱하|나누")
_HEARD_UP_TO: Final = 1000


def read_answer(task: Task, typed: str) -> Answer | None:
    """None where the answer is unclear."""
    text = plain(typed).strip().lower()
    if isinstance(task, Number):
        number = _number(text)
        return None if number is None else (number,)
    if isinstance(task, Order) and (order := order_by_relations(task, text)):
        return order
    if _ONE_DENIED.fullmatch(text):
        return None
    return answer_by_names(task, text) or (None if only_names(task, text) else answer_by_words(task, text))


def _number(text: str) -> int | None:
    """The only number, the one that another was changed to, or the result of a calculation."""
    if _EITHER.search(text):
        return None
    *before, last = _CHANGED.split(text)
    if before and not numbers_in(last):
        return None
    last = last.rpartition("=")[2]
    found = [one for one in numbers_in(last) if one.value is not None or one.in_digits]
    if not found:
        return _number_by_sound(last)
    if any(_ABOUT.match(last, one.end) for one in found):
        return None
    return _value(last, [one for one in found if not _DENIED.match(last, one.end)])


def _value(text: str, found: list[Numeral]) -> int | None:
    """Of those that are not denied; None where there is none."""
    values = {value for one in found for value in one.values[:1]}
    if len(values) > 1:
        told = _CONCLUDED.search(text[: found[-1].start])
        if not (told or _OPERATOR.search(text)) or _OPERATOR.search(text, found[-1].stop):
            return None
        values = set(found[-1].values[:1]) if told or _RESULT.match(text, found[-1].stop) else set()
    return values.pop() if len(values) == 1 and found[-1].values else None


def _number_by_sound(text: str) -> int | None:
    """A number that is written as it sounds: "삼배고시보"."""
    return _numbers_by_ear().get(sounds(re.sub(r"(?:이요|요|이야|야|입니다)?[\s.!]*$", "", text)).key)


@cache
def _numbers_by_ear() -> dict[str, int]:
    return {sounds(written(number, "sino")).key: number for number in range(10, _HEARD_UP_TO)}

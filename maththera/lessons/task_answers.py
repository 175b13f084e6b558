"""What a learner typed as the answer to a task: "2", "②", "두 번째", "ㄴ", "3 1 2", "1-나, 2-가", or the words."""

import re
from collections.abc import Sequence
from typing import Final

from maththera.lessons.answer_words import answer_words
from maththera.lessons.tasks import CIRCLED, LETTERS, Answer, Number, Order, Task

_CONSONANTS: Final = "ㄱㄴㄷㄹㅁㅂㅅ"
_ORDINALS: Final = "첫두세네"
_NAMES: Final = (CIRCLED, "123456789", LETTERS, _CONSONANTS, "abcdefg")
_ONE: Final = rf"[{CIRCLED}1-9가나다라마바사{_CONSONANTS}a-g]"
_TAIL: Final = r"\s*(?:번째|번)?\s*(?:거|것|께)?\s*(?:이?요|이?야|예요|이에요|입니다|같아요?|[.)!,~])*"
_LEAD: Final = r"(?:정?답은?\s*|나는\s*|음+\s*)?"
_SINGLE: Final = re.compile(rf"{_LEAD}\(?({_ONE}|[일이삼사오](?=\s*번)|[{_ORDINALS}](?=\s*번째))\)?{_TAIL}")
_BETWEEN: Final = r"[\s,.()>→\-–:=·/번은는이가과와하고]*"
_PAIR: Final = re.compile(rf"\(?([1-9{CIRCLED}])\)?\s*(?:번|은|는|[-–:=.→)>\s])*\s*({_ONE})(?![가-힣]{{2}})")
_FILLERS: Final = re.compile(
    r"(?:순서|차례|정답|답|그다음|다음|먼저|그리고|번)(?:는|은|에|로)?|이?(?:에요|예요|야|요)\b"
)
_SINO: Final = "일이삼사오"


def read_answer(task: Task, typed: str) -> Answer | None:
    """None when no one can tell what is meant."""
    text = typed.strip().lower()
    if isinstance(task, Number):
        return _number(text)
    spoken = _spoken(task, text)
    if len(task.options) == 1:
        return _single(len(task.options[0]), text) or spoken
    found = _several(task, text)
    return found if found is not None else spoken


def _number(text: str) -> Answer | None:
    """The only number, or the result of a calculation."""
    words = answer_words(text.rpartition("=")[2])
    numbers = {int(word.form) for word in words if word.is_number}
    return (numbers.pop(),) if len(numbers) == 1 else None


def _single(count: int, text: str) -> Answer | None:
    found = _SINGLE.fullmatch(text)
    if found is None:
        return None
    place = _place(found[1])
    return (place,) if 0 <= place < count else None


def _several(task: Task, text: str) -> Answer | None:
    """Names in the order of the gaps, or each behind the number of its gap."""
    gaps, counts = len(task.options), [len(texts) for texts in task.options]
    bare = _FILLERS.sub(" ", text)
    found = _PAIR.findall(bare)
    pairs = {_place(gap): _place(name) for gap, name in found}
    if not isinstance(task, Order) and len(found) == gaps and set(pairs) == set(range(gaps)):
        return _within(tuple(pairs[gap] for gap in range(gaps)), counts)
    if not re.fullmatch(rf"(?:{_BETWEEN}{_ONE}){{{gaps}}}{_BETWEEN}", bare):
        return None
    answer = _within(tuple(map(_place, re.findall(_ONE, bare))), counts)
    twice = isinstance(task, Order) and len({*(answer or ())}) < gaps
    return None if twice else answer


def _within(answer: Answer, counts: Sequence[int]) -> Answer | None:
    fits = len(answer) == len(counts) and all(0 <= place < count for place, count in zip(answer, counts, strict=True))
    return answer if fits else None


def _spoken(task: Task, text: str) -> Answer | None:
    """The words of the options: of each gap one, where they stand in the order of the gaps."""
    squeezed = _squeezed(text)
    if isinstance(task, Order):
        at = [squeezed.find(_squeezed(step)) for step in task.steps]
        if min(at) < 0:
            return None
        return tuple(sorted(range(len(at)), key=at.__getitem__))
    answer, begin = [], 0
    for texts in task.options:
        found = _first(texts, squeezed, begin)
        if found is None:
            return None
        place, begin = found
        answer.append(place)
    if len(task.options) == 1 and _first(task.options[0], squeezed, begin) is not None:
        return None
    return tuple(answer)


def _first(texts: Sequence[str], text: str, begin: int) -> tuple[int, int] | None:
    """The option that stands first from `begin` on, and where it ends; of two there the longer one."""
    found = [
        (match.start(), -len(option), place)
        for place, option in enumerate(map(_squeezed, texts))
        if (match := re.compile(rf"(?<!\d){re.escape(option)}(?!\d)").search(text, begin))
    ]
    if not found:
        return None
    start, length, place = min(found)
    return place, start - length


def _place(name: str) -> int:
    for names in (*_NAMES, _SINO, _ORDINALS):
        if name in names:
            return names.index(name)
    return -1


def _squeezed(text: str) -> str:
    return re.sub(r"[\s.]+", "", text).lower()

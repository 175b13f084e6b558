"""Options by their words: whole, shortened, inside a sentence, or misspelt.

A part of an option that no other option of its gap has, stands for it; a part that is denied where the option does not
deny it stands against it. What speaks for two options of a gap, or for none, is no answer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.korean.numbers import plain
from maththera.lessons.option_parts import Found, find_options, is_denied
from maththera.lessons.task_names import name_at
from maththera.lessons.tasks import Answer, Match, Order, Task

_OPEN: Final = re.compile(r"아니면|또는|혹은|모르겠|몰라|헷갈")
_GAP: Final = re.compile(
    r"\(\s*([1-9])\s*\)|(?<![0-9가-힣])([1-9])\s*(?:번(?:째)?|[:.)](?=\s)|은\s|는\s)|(첫|두|세|네)\s*번?째"
)
_ORDINALS: Final = "첫두세네"


@dataclass(frozen=True, slots=True)
class Said:
    """An option (`place`) of a gap, or the gap itself where there is no place."""

    start: int
    gap: int
    place: int
    denied: bool = False


def by_words(task: Task, text: str) -> Answer | None:
    text = re.sub(r"(?<=\d)\s*[xX*]\s*(?=\d)", "×", plain(text))
    text = re.sub(r"빵(?=\s*개|\s*점)", "0", re.sub(r"[\s,.…]+(?=아니(?:다|야)?[\s,])", " ", text))
    if _OPEN.search(text):
        return None
    if isinstance(task, Order):
        return _in_order(task, text)
    if isinstance(task, Match):
        return _matched(task, text)
    return _filled(task.options, text)


def _filled(options: Sequence[Sequence[str]], text: str) -> Answer | None:
    """What is said for each gap; where one word fits several gaps, that one takes it which has nothing else."""
    found = _longest([one for gap, texts in enumerate(options) for one in find_options(texts, text, gap)])
    gaps = range(len(options))
    spans = {gap: sorted({one.span for one in found if one.gap == gap}) for gap in gaps}
    if len(options) > 1 and len(spans[0]) == len(options) and all(each == spans[0] for each in spans.values()):
        spans = {gap: [each[gap]] for gap, each in spans.items()}
    for _ in gaps:
        for gap in gaps:
            if len(spans[gap]) == 1:
                taken = spans[gap][0]
                spans |= {at: [one for one in spans[at] if one != taken] for at in gaps if at != gap}
    kept = [one for one in found if one.span in spans[one.gap]]
    said = _judged(kept, text)
    return _complete([_only([one for one in said if one.gap == gap]) for gap in gaps])


def _only(said: Sequence[Said]) -> int | None:
    """The one option that is said and not denied."""
    denied = {one.place for one in said if one.denied}
    places = {one.place for one in said} - denied
    return places.pop() if len(places) == 1 else None


def _complete(answer: Sequence[int | None]) -> Answer | None:
    filled = tuple(place for place in answer if place is not None)
    return filled if len(filled) == len(answer) else None


def _in_order(task: Order, text: str) -> Answer | None:
    """Each step where it is said first; none may be denied, and none come again after another one."""
    said = _said(task.steps, text)
    order = [one.place for at, one in enumerate(said) if not at or said[at - 1].place != one.place]
    if any(one.denied for one in said) or sorted(order) != list(range(len(task.steps))):
        return None
    return tuple(order)


def _matched(task: Match, text: str) -> Answer | None:
    """Options beside their left sides, whichever comes first; without left sides in their order."""
    lefts = [pair.left for pair in task.pairs]
    gaps, options = _sides(lefts, task.right_side, text)
    options = options or _lettered(text)
    if any(one.gap >= len(lefts) for one in gaps):
        return None
    denied = {one.place for one in options if one.denied}
    options = [one for one in options if one.place not in denied]
    if not gaps:
        places = [one.place for at, one in enumerate(options) if not at or options[at - 1].place != one.place]
        return tuple(places) if len(places) == len(lefts) and not denied else None
    answer: dict[int, set[int]] = {}
    for gap, place in _beside(sorted([*gaps, *options], key=lambda one: one.start)):
        answer.setdefault(gap, set()).add(place)
    return _complete([_single(answer.get(gap, set())) for gap in range(len(lefts))])


def _single(places: set[int]) -> int | None:
    return next(iter(places)) if len(places) == 1 else None


def _beside(said: Sequence[Said]) -> Iterator[tuple[int, int]]:
    """Gaps with their options: all gaps stand before theirs, or all behind, as the first one does."""
    run = said if said and said[0].place < 0 else said[::-1]
    gap = -1
    for one in run:
        if one.place < 0:
            gap = one.gap
        else:
            yield gap, one.place


def _numbered(text: str) -> list[Said]:
    """Left sides by their numbers."""
    return [
        Said(match.start(), int(match[1] or match[2]) - 1 if match[1] or match[2] else _ORDINALS.index(match[3]), -1)
        for match in _GAP.finditer(text)
    ]


def _lettered(text: str) -> list[Said]:
    """Options by their letters, where one stands as a word."""
    found = []
    for match in re.finditer(
        r"(?<![가-힣ㄱ-ㅎa-z0-9])(?=[가나다라마ㄱㄴㄷㄹㅁ](?:$|[\s,.]|이?[요고]|입니다|예요|야))", text
    ):
        name = name_at(text, match.start())
        if name and name[0] == "letter":
            found.append(Said(match.start(), -1, name[1]))
    return found


def _said(texts: Sequence[str], text: str) -> list[Said]:
    """The options whose parts stand in the text, from left to right."""
    return _judged(_longest(find_options(texts, text, 0)), text)


def _sides(lefts: Sequence[str], rights: Sequence[str], text: str) -> tuple[list[Said], list[Said]]:
    """What stands on the left, by its words or its number, and on the right; what can be both is right."""
    right = find_options(rights, text, 1)
    taken = {one.span for one in right}
    found = _longest(
        [*(one for one in find_options(lefts, text, 0) if one.span not in taken or one.part.whole), *right]
    )
    said, numbered = _judged(found, text), _numbered(text)
    left = [Said(one.start, one.place, -1) for one in said if not one.gap]
    options = [one for one in said if one.gap]
    if len({one.gap for one in numbered}) > len({one.gap for one in left}):
        at = {one.start for one in numbered}
        return numbered, [one for one in options if one.start not in at]
    return left, options


def _longest(found: Sequence[Found]) -> list[Found]:
    """Without the parts that a longer part of something else covers."""
    return sorted(one for one in found if not any(_replaces(other, one) for other in found))


def _replaces(longer: Found, one: Found) -> bool:
    """A longer part of something else, or the whole of what it is a part of."""
    other = (longer.gap, longer.place) != (one.gap, one.place)
    return longer.covers(one) and (other or (longer.part.whole and not one.part.whole))


def _judged(found: list[Found], text: str) -> list[Said]:
    said = []
    for at, one in enumerate(found):
        key = one.gap, one.place
        later = (each.start for each in found[at + 1 :] if (each.gap, each.place) != key and each.start >= one.end)
        other_way = is_denied(text, one.start, one.end, next(later, len(text))) != one.part.denied
        said.append(Said(one.start, one.gap, one.place, denied=other_way))
    return _agreeing(said, found)


def _agreeing(said: list[Said], found: list[Found]) -> list[Said]:
    """Where one part speaks for an option and, denied, against another one, it speaks for the first."""
    taken = {(one.gap, *one.span) for one, each in zip(found, said, strict=True) if not each.denied}
    return [each for one, each in zip(found, said, strict=True) if not each.denied or (one.gap, *one.span) not in taken]

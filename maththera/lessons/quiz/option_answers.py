"""Answers that give options by their words: whole, shortened, inside a sentence, or misspelt. A part of an option's
text stands for the option if no other option of its gap has it. If a part is denied, it counts against the option,
unless the option itself denies it. Words that fit two options of a gap, or none, give no answer."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.lessons.courses.tasks import Answer, Cloze, Match, Order, Task
from maththera.lessons.quiz.option_patterns import Found, find_options, is_denied, is_excluded, spelt
from maththera.lessons.quiz.option_search import name_at

_OPEN: Final = re.compile(r"아니면|또는|혹은|모르겠|몰라(?!도)|헷갈")
_GAP: Final = re.compile(
    r"\(\s*([1-9])\s*\)|(?<![0-9가-힣])([1-9])\s*(?:번(?:째)?|[:.)](?=\s)|은\s|는\s)|(첫|두|세|네)\s*번?째"
)
_SIGNS: Final = {"더하기": "+", "빼기": "-", "곱하기": "×"}
_ORDINALS: Final = "첫두세네"
_LETTER: Final = re.compile(
    r"(?<![가-힣ㄱ-ㅎa-z0-9])(?=[가나다라마ㄱㄴㄷㄹㅁ](?:$|[\s,.]|이?[요고지]|입니다|예요|야))|(?<=[1-9])(?=[가나다라마](?:$|[\s,.]))"
)
_TOPIC: Final = re.compile(r"(?:\d+|[가-힣]{1,4})[은는의](?=\s)")
"""Matches the topic particle after a number: the number is then the left side."""
_FAR_MORE: Final = 3
"""How many times heavier the evidence for an option has to be than that for another one, or against it."""
_QUOTED: Final = re.compile(r"[가-힣]{0,3}지(?:요|입니다)?\s*(?=[,./]|$)")
"""Matches the end of a denied phrase that is quoted as the option has it: "확인하지"."""
_NEAR: Final = 5
"""Characters from a gap's number to the letter of its option: "2번은 나"."""


@dataclass(frozen=True, slots=True)
class OptionMention:
    """A mention of an option (`place`) of a gap, or of the gap itself if there is no place. `weight`: the strength of
    the evidence."""

    start: int
    gap: int
    place: int
    denied: bool = False
    weight: int = 40


def answer_by_words(task: Task, text: str) -> Answer | None:
    text = re.sub(r"(?<=\d)\s*[xX*]\s*(?=\d)", "×", spelt(text))
    text = re.sub(r"빵(?=\s*개|\s*점)", "0", re.sub(r"[\s,.…]+(?=아니(?:다|야)?[\s,])", " ", text))
    text = re.sub(r"(?<=\d)\s*(더하기|빼기|곱하기)\s*(?=\d)", lambda sign: _SIGNS[sign[1]], text)
    if _OPEN.search(text):
        return None
    if isinstance(task, Order):
        return _in_order(task, text)
    if isinstance(task, Match):
        return _matched(task, text)
    frames = [
        task.text.replace(f"({gap + 1})", "…") if isinstance(task, Cloze) else "" for gap in range(len(task.options))
    ]
    return _filled(task.options, frames, text)


def _filled(options: Sequence[Sequence[str]], frames: Sequence[str], text: str) -> Answer | None:
    """The options named for each gap; a word that fits several gaps goes to the gap that has no other."""
    found = _longest(
        [one for gap, texts in enumerate(options) for one in find_options(texts, text, gap, frame=frames[gap])]
    )
    spans = _spans(found, len(options))
    kept = [one for one in found if one.span in spans[one.gap]]
    said = _judged(kept, text)
    return _complete([_only_option([one for one in said if one.gap == gap]) for gap in range(len(options))])


def _spans(found: Sequence[Found], count: int) -> dict[int, list[tuple[int, int]]]:
    """Where each gap is filled. A word that fits several gaps goes to the gap that has no other, or that comes next in
    order."""
    gaps = range(count)
    spans = {gap: sorted({one.span for one in found if one.gap == gap}) for gap in gaps}
    if count > 1 and len(spans[0]) == count and all(each == spans[0] for each in spans.values()):
        return {gap: [each[gap]] for gap, each in spans.items()}
    for gap in [*gaps] * count:
        if len(spans[gap]) == 1:
            taken = spans[gap][0]
            spans |= {at: [one for one in spans[at] if one != taken] for at in gaps if at != gap}
    for gap in gaps:
        before = [one for at in range(gap) if len(spans[at]) == 1 for one in spans[at]]
        behind = [one for at in range(gap + 1, count) if len(spans[at]) == 1 for one in spans[at]]
        between = [one for one in spans[gap] if max(before, default=one) <= one <= min(behind, default=one)]
        if len(between) == 1:
            spans[gap] = between
    in_order = sorted({one.span for one in found})
    if any(len(each) > 1 for each in spans.values()) and len(in_order) == count:
        return {gap: [span] for gap, span in enumerate(in_order)}
    return spans


def _only_option(said: Sequence[OptionMention]) -> int | None:
    """The one option that is mentioned and not denied, or mentioned far more than any other."""
    told: Counter[int] = Counter()
    denied: Counter[int] = Counter()
    for one in said:
        (denied if one.denied else told)[one.place] += one.weight
    places = [place for place, weight in told.most_common() if weight >= _FAR_MORE * denied[place]]
    if not places:
        return None
    rivals = (told[place] for place in told if place != places[0] and denied[place] < _FAR_MORE * told[place])
    return None if told[places[0]] < _FAR_MORE * max(rivals, default=0) else places[0]


def _complete(answer: Sequence[int | None]) -> Answer | None:
    filled = tuple(place for place in answer if place is not None)
    return filled if len(filled) == len(answer) else None


def _in_order(task: Order, text: str) -> Answer | None:
    """The steps in the order of their first mention; none may be denied, or come again after another one."""
    said = _option_mentions(task.steps, text)
    order = [one.place for at, one in enumerate(said) if not at or said[at - 1].place != one.place]
    if any(one.denied for one in said) or sorted(order) != list(range(len(task.steps))):
        return None
    return tuple(order)


def step_mentions(task: Order, text: str) -> list[tuple[int, int, int]]:
    """Where each step is mentioned, as start and end; empty if one is denied."""
    found = _longest(find_options(task.steps, text, 0, each=True))
    if any(one.denied for one in _judged(found, text)):
        return []
    said: list[tuple[int, int, int]] = []
    for one in found:
        if said and said[-1][2] == one.place:
            said[-1] = (said[-1][0], max(one.end, said[-1][1]), one.place)
        else:
            said.append((one.start, one.end, one.place))
    return said


def _matched(task: Match, text: str) -> Answer | None:
    """The pairs of left and right sides, whichever comes first; without left sides, the right ones in their order."""
    lefts = [pair.left for pair in task.pairs]
    gaps, options = _sides(lefts, task.right_side, text)
    letters = _lettered(text)
    options += [one for one in letters if not options or any(0 < one.start - gap.start <= _NEAR for gap in gaps)]
    if any(one.gap >= len(lefts) for one in gaps):
        return None
    denied = {one.place for one in options if one.denied}
    if not gaps:
        places = [one.place for at, one in enumerate(options) if not at or options[at - 1].place != one.place]
        return tuple(places) if len(places) == len(lefts) and not denied else None
    answer: dict[int, list[OptionMention]] = {}
    for gap, option in _beside(sorted([*gaps, *options], key=lambda one: one.start)):
        answer.setdefault(gap, []).append(option)
    return _complete([_only_option(answer.get(gap, [])) for gap in range(len(lefts))])


def _beside(said: Sequence[OptionMention]) -> Iterator[tuple[int, OptionMention]]:
    """The pairs of gaps and options. As in the first pair, all gaps come before their options, or all after."""
    run = said if said and said[0].place < 0 else said[::-1]
    gap = -1
    for one in run:
        if one.place < 0:
            gap = one.gap
        else:
            yield gap, one


def _numbered(text: str) -> list[OptionMention]:
    """The left sides named by number."""
    return [
        OptionMention(
            match.start(), int(match[1] or match[2]) - 1 if match[1] or match[2] else _ORDINALS.index(match[3]), -1
        )
        for match in _GAP.finditer(text)
    ]


def _lettered(text: str) -> list[OptionMention]:
    """The options named by letter, if the letter stands as a word."""
    found = []
    for match in _LETTER.finditer(text):
        name = name_at(text, match.start())
        if name and name[0] == "letter":
            found.append(OptionMention(match.start(), -1, name[1]))
    return found


def _option_mentions(texts: Sequence[str], text: str) -> list[OptionMention]:
    """The options mentioned in a text, from left to right."""
    return _judged(_longest(find_options(texts, text, 0, each=True)), text)


def _sides(lefts: Sequence[str], rights: Sequence[str], text: str) -> tuple[list[OptionMention], list[OptionMention]]:
    """The left sides mentioned, by words or number, and the right ones; what fits both is a right side."""
    right = find_options(rights, text, 1, each=True)
    right = [one for one in right if not (one.part.is_number and _TOPIC.match(text, one.start))]
    taken = {one.span for one in right}
    found = _longest(
        [*(one for one in find_options(lefts, text, 0, each=True) if one.span not in taken or one.part.whole), *right]
    )
    said, numbered = _judged(found, text), _numbered(text)
    left = [OptionMention(one.start, one.place, -1) for one in said if not one.gap]
    options = [one for one in said if one.gap]
    if len({one.gap for one in numbered}) > len({one.gap for one in left}):
        at = {one.start for one in numbered}
        return numbered, [one for one in options if one.start not in at]
    return left, options


def _longest(found: Sequence[Found]) -> list[Found]:
    """The parts that no longer part of another option covers."""
    return sorted(one for one in found if not any(_replaces(other, one) for other in found))


def _replaces(longer: Found, one: Found) -> bool:
    """Whether a part is longer and of another option, or the whole option that the other is a piece of."""
    other = (longer.gap, longer.place) != (one.gap, one.place)
    return longer.covers(one) and (other or (longer.part.whole and not one.part.whole))


def _judged(found: list[Found], text: str) -> list[OptionMention]:
    said = []
    for at, one in enumerate(found):
        key = one.gap, one.place
        later = (each.start for each in found[at + 1 :] if (each.gap, each.place) != key and each.start >= one.end)
        other_way = is_denied(text, one.start, one.end, next(later, len(text))) != one.part.denied
        quoted = one.part.denied and _QUOTED.match(text, one.end - 1)
        other_way = (other_way and not quoted) or is_excluded(text, one.end)
        said.append(OptionMention(one.start, one.gap, one.place, other_way, one.weight))
    return _agreeing(said, found)


def _agreeing(said: list[OptionMention], found: list[Found]) -> list[OptionMention]:
    """The mentions without contradictions: if the same words count for one option and against another, only the first
    counts."""
    taken = {(one.gap, *one.span) for one, each in zip(found, said, strict=True) if not each.denied}
    return [each for one, each in zip(found, said, strict=True) if not each.denied or (one.gap, *one.span) not in taken]

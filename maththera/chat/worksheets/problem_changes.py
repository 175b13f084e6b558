"""Changes to some problems of a worksheet; the others stay as they are."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.worksheets.new_sheets import (
    COUNT,
    GAP,
    HARDER,
    SMALLER,
    STORY,
    digits_of,
    named_kind,
    number_of,
    two_and_one,
)
from maththera.chat.worksheets.sheet_problems import Focus, Form, Part, Sheet, Task, redrawn_at
from maththera.chat.worksheets.sheet_texts import ANIMALS, KIND_NAMES, sheet_text
from maththera.korean.particles import with_particle

_SWAP: Final = re.compile(r"(\d{1,2})\s*번?\s*(?:이?랑|하고|과|와|,)\s*(\d{1,2})\s*번.{0,6}바꿔")
_ANOTHER: Final = re.compile(r"(\d{1,2})\s*번(?:은|을|만|문제)?.{0,8}(?:다른|바꿔|바꾸|쉬운|빼)")
_LAST_PICTURE: Final = re.compile(r"(마지막|(\d{1,2})\s*번).{0,10}그림")
_PLACED: Final = re.compile(
    rf"(앞|처음|첫|맨\s*앞|뒤|마지막|끝)\S{{0,3}}\s*(?:의|에|에\s*있는)?\s*{COUNT}?\s*(?:개|문제|번)?"
)
_SOME: Final = re.compile(rf"{COUNT}\s*(?:개|문제)(?:는|은)\s")
"""Matches a number of problems without saying which ones."""
_AT: Final = re.compile(
    rf"(\d{{1,2}})\s*번|{COUNT}\s*번째|(하나|한\s*(?:개|문제)|두\s*(?:개|문제)|둘)(?:만|은|는|을|를)"
)
_TOO_EASY: Final = re.compile(r"쉬[워웠]|쉽[다네대]|시시")
_TOO_HARD: Final = re.compile(r"쉬운|쉽게|자신감|어려[워웠]|어렵[다네대]|버거")
_DIGITS: Final = re.compile(r"[한두세123]\s*자리")


def swapped(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with two problems exchanged."""
    if (found := _SWAP.search(message)) is None:
        return None
    one, other = int(found[1]) - 1, int(found[2]) - 1
    if max(one, other) >= len(sheet.sets[0]) or min(one, other) < 0:
        return sheet, f"이 학습지에는 {len(sheet.sets[0])}번까지 있어요."
    tasks = [*sheet.sets[0]]
    tasks[one], tasks[other] = tasks[other], tasks[one]
    made = replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]))
    return made, sheet_text(made, first=f"{one + 1}번과 {other + 1}번의 자리를 바꾸었어요.")


def with_picture(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with a picture for one problem."""
    if (found := _LAST_PICTURE.search(message)) is None:
        return None
    place = int(found[2]) - 1 if found[2] else len(sheet.sets[0]) - 1
    return _at(
        sheet,
        place,
        lambda task: replace(task, form="picture"),
        "그림으로 바꾸었어요. 십 모형과 낱개를 그려 주셔도 돼요.",
    )


def _at(sheet: Sheet, place: int, change: Callable[[Task], Task], said: str) -> tuple[Sheet, str]:
    if not 0 <= place < len(sheet.sets[0]):
        return sheet, f"이 학습지에는 {len(sheet.sets[0])}번까지 있어요."
    tasks = [*sheet.sets[0]]
    tasks[place] = change(tasks[place])
    made = replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]))
    return made, sheet_text(made, first=f"{place + 1}번을 {said}")


def one_other(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with one problem replaced: the one with this number, or the story about this animal."""
    found = _ANOTHER.search(message)
    animal = (
        next((place for place, (who, _) in enumerate(ANIMALS) if who in message), None)
        if sheet.form == "story" and not sheet.theme
        else None
    )
    if found is None and animal is None:
        return None
    tasks = sheet.sets[0]
    place = int(found[1]) - 1 if found else next((at for at, task in enumerate(tasks) if task.teller == animal), -1)
    if place < 0:
        return sheet, "그 동물이 나오는 문제는 없어요. 몇 번을 바꿀지 번호로 말씀해 주세요."
    if place >= len(tasks):
        return sheet, f"이 학습지에는 {len(tasks)}번까지 있어요."
    task = tasks[place]
    kind = named_kind(message, Focus(task.kind)) if re.search(r"[올내]림|덧셈|뺄셈", message) else task.kind
    size = len(str(task.a))
    part = Part(
        kind,
        1,
        size,
        small=bool(SMALLER.search(message)),
        ones=task.b < 10 <= task.a and kind != "share",
        rest=task.rest > 0 and kind == "share",
    )
    named = f"{KIND_NAMES[kind]}으로 " if kind != task.kind else ""
    made = redrawn_at(replace(sheet, turn=sheet.turn + 1), [place], part)
    who = ANIMALS[task.teller][0] if animal is not None and not sheet.theme else ""
    first = f"{place + 1}번{f'({who})' if who else ''}을 {named}바꾸었어요. 나머지는 그대로예요."
    return made, sheet_text(made, first=first)


def some_otherwise(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with some problems replaced by another kind or size."""
    places = places_named(message, len(sheet.sets[0]))
    kind_named = re.search(r"[올내]림|덧셈|뺄셈|더하기|빼기|없는|있는", message)
    form: Form | None = "gap" if GAP.search(message) else "story" if STORY.search(message) else None
    if places and form:
        tasks = [replace(task, form=form if at in places else task.form) for at, task in enumerate(sheet.sets[0])]
        made = replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]))
        name = "빈칸 채우기" if form == "gap" else "문장제"
        return made, sheet_text(made, first=f"{', '.join(str(at + 1) for at in places)}번을 {_to(name)} 바꾸었어요.")
    harder = HARDER.search(message) or _TOO_EASY.search(message)
    easier = not harder and (SMALLER.search(message) or _TOO_HARD.search(message))
    wished = kind_named or easier or harder or _DIGITS.search(message)
    if not places or not wished:
        return None
    old = sheet.sets[0][places[0]]
    kind = named_kind(message, Focus(old.kind)) if kind_named else old.kind
    digits = digits_of(message) if _DIGITS.search(message) else min(3, len(str(old.a)) + bool(harder))
    same_size = not _DIGITS.search(message) and not harder
    part = Part(kind, len(places), digits, small=bool(easier) and not kind_named,
                ones=two_and_one(message) or (same_size and old.b < 10 <= old.a))  # fmt: skip
    made = redrawn_at(sheet, places, part)
    said = f"{', '.join(str(place + 1) for place in places)}번"
    return made, sheet_text(made, first=f"{with_particle(said, '을를')} 바꾸었어요. 나머지는 그대로예요.")


def places_named(message: str, count: int) -> list[int]:
    """The places (from 0) of the problems that a message names; none if it means all."""
    if found := _PLACED.search(message):
        several = min(number_of(found[2]) if found[2] else 1, count)
        return (
            [*range(several)]
            if found[1].strip().startswith(("앞", "처음", "첫", "맨"))
            else [*range(count - several, count)]
        )
    if found := _SOME.search(message):
        return [*range(max(0, count - number_of(found[1])), count)]
    if found := _AT.search(message):
        if found[3]:
            return [*range(count - (2 if found[3].startswith("두") or found[3] == "둘" else 1), count)]
        place = (int(found[1]) if found[1] else number_of(found[2])) - 1
        return [place] if 0 <= place < count else []
    return []


def _to(word: str) -> str:
    return fill_template("{word:로}", word=word)

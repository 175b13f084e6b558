"""What adults want otherwise of a worksheet, and what they ask of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from maththera.chat.coach.learner_facts import KindId
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.making.worksheet_problems import Focus, Form, Part, Sheet, Task, drawn, redrawn_at
from maththera.chat.making.worksheet_remakes import (
    headed,
    of_amount,
    of_answers,
    of_difficulty,
    of_one_set,
    of_operation,
    pictured,
    shuffled,
)
from maththera.chat.making.worksheet_texts import ANIMALS, KIND_TOLD, answers, solved, steps, told, with_gaps
from maththera.chat.making.worksheets import (
    COUNT,
    EXAMPLES,
    FEW,
    GAP,
    HARDER,
    LESS,
    MARK,
    SHORT,
    SMALLER,
    STORY,
    ZERO,
    below,
    count_of,
    digits_of,
    leaves_rest,
    named_kind,
    new_sheet,
    number_of,
    parts_of,
    theme_of,
    two_and_one,
)  # fmt: skip
from maththera.korean.particles import with_particle

_ANSWERS: Final = re.compile(
    r"(?:^|\s|문제)(?:정?답|해답)(?:지|안|안지)?(?:도|은|는|만|을|이|이랑|까지|를)?\s*"
    r"(?:요|따로|주|줘|알려|같이|좀|보여|부탁|달라|뭐|뭔|몇|만들|다\s|전부|확인|\W*$)|채점(?:\s*기준|용|하게|할\s*(?:거|수|때))"
)
_FEW_LETTERS: Final = 20
_THING: Final = re.compile(r"(?:^|\s)([가-힣]{2,6}?)(?:으)?로\s*(?:요|해|바꿔|바꾸|만들|부탁|줘|\W*$)")
_NO_THING: Final = re.compile(
    r"^(?:새|따|서|다시|바|그대|하나|종이|표|문장|빈칸|네모|덧셈|뺄셈|곱셈|나눗셈|더하기|빼기|구구|받아|두\s*자리|한\s*자리|세\s*자리|위|아래|앞|뒤|식|숫자|그림|절반|반|그걸|이걸|걸|것)"
)
_BETWEEN: Final = re.compile(r"(?<=[가-힣])(?<![라다냐자])고(?:요)?[,\s]+|,\s*(?!\d)|\s그리고\s|(?<=[요줘])[.!]\s+")
"""What stands between two wishes."""
_ANSWER: Final = re.compile(r"(?:^|\s)(?:정답|해답|답)(?!장|변|답|이\s*\d|은\s*\d)")
_BRIEF: Final = 16
"""Letters of a message that asks for the answers if it names them at all."""
_WORKED: Final = re.compile(r"풀이(?!\s*(?:시간|속도|기록))|푸는\s*(?:방법|과정|법)|해설")
_NO_ANSWERS: Final = re.compile(r"(?:정?답|해답)\S{0,2}\s*(?:은|는|을|를)?\s*(?:빼|없|지워|말고|가려|숨)")
_PURPOSE: Final = re.compile(r"(?:뭘|무엇을?|뭐를?|무얼)\s*보는|의도|교사용|평가\s*요소|보는\s*건지")
_SWAP: Final = re.compile(r"(\d{1,2})\s*번?\s*(?:이?랑|하고|과|와|,)\s*(\d{1,2})\s*번.{0,6}바꿔")
_ANOTHER: Final = re.compile(r"(\d{1,2})\s*번(?:은|을|만|문제)?.{0,8}(?:다른|바꿔|바꾸|쉬운|빼)")
_LAST_PICTURE: Final = re.compile(r"(마지막|(\d{1,2})\s*번).{0,10}그림")
_LIMITED: Final = re.compile(r"(?:백|100)\s*(?:이|을|은)?\s*(?:안\s*)?넘|(?:백|100)\s*(?:이하|미만|까지|안쪽)")
_ANSWER_ZERO: Final = re.compile(r"답에\s*(?:0|영|공)|답이\s*(?:몇십|0으로)")
_LAYOUT: Final = re.compile(r"글(?:씨|자).{0,4}(?:크|키)|칸.{0,4}(?:넓|크)|(?:줄|문제)\s*간격")
_MARKED: Final = re.compile(r"(?:별|세모|네모|동그라미|체크|표시)\S{0,2}\s*(?:가|는|이)?\s*(?:몇|총|모두)")
_MORE: Final = re.compile(r"(?:더|추가)(?:로|요)?\s*(?:줘|주|만들|내|뽑|\W*$)|다른\s*(?:걸|것|문제|거)(?:로|도)?|새로")
_HINTS: Final = re.compile(r"힌트")
_PLACED: Final = re.compile(
    rf"(앞|처음|첫|맨\s*앞|뒤|마지막|끝)\S{{0,3}}\s*(?:의|에|에\s*있는)?\s*{COUNT}?\s*(?:개|문제|번)?"
)
_SOME: Final = re.compile(rf"{COUNT}\s*(?:개|문제)(?:는|은)\s")
"""So many of the problems, without which ones."""
_AT: Final = re.compile(
    rf"(\d{{1,2}})\s*번|{COUNT}\s*번째|(하나|한\s*(?:개|문제)|두\s*(?:개|문제)|둘)(?:만|은|는|을|를)"
)
_REALLY: Final = re.compile(r"(?:맞[아나죠는지]|맞습|정말|진짜|확실|틀[리린렸]|인가|있나|있어요\?|이상|되나|없나)")
_ANOTHER_SET: Final = re.compile(
    r"(?:한|하나|두|또|새)\s*(?:세트|벌|묶음)|세트\s*(?:더|하나)|도\s*(?:만들|한|주|줘|하나)"
)
_TIDY: Final = re.compile(
    r"(?:인쇄|출력|프린트|깔끔|정리|다시\s*(?:한\s*번|보여|써|줘)|한\s*번\s*(?:만\s*)?더|전체|최종)"
)
_CARRIES: Final = re.compile(
    r"([올내])림\s*(?:이|가)?\s*(있|없)(?:는|게|도록|이)\s*(?:\S{1,3}\s*)?(?:걸|것|거|문제|해|바꿔|\W*$)"
)
_DIGITS: Final = re.compile(r"[한두세123]\s*자리")


def changed(sheet: Sheet, message: str, focus: Focus) -> tuple[Sheet, str] | None:
    """The sheet as a message wants it otherwise, and what is said; None where it wants nothing of the sheet. A message
    may want several things: "6문제로 줄여 주시고 답도 넣어 주세요"."""
    wishes = wishes_in(message)
    if len(wishes) > 1 and (several := _several(sheet, wishes, focus)) is not None:
        return several
    return _one_change(sheet, message, focus)


def wishes_in(message: str) -> list[str]:
    """The parts of a message that wish something each."""
    return [part for part in map(str.strip, _BETWEEN.split(message)) if part]


def _several(sheet: Sheet, wishes: Sequence[str], focus: Focus) -> tuple[Sheet, str] | None:
    """The sheet with every wish kept; None where one of them is none."""
    made = sheet
    for wish in wishes:
        if (found := _one_change(made, wish, focus)) is None:
            return None
        made = replace(found[0], answers=found[0].answers or _ANSWERS.search(wish) is not None)
    return None if made == sheet else (made, told(made, first="말씀하신 대로 바꾸었어요."))


def _one_change(sheet: Sheet, message: str, focus: Focus) -> tuple[Sheet, str] | None:
    for change in _CHANGES:
        if (found := change(sheet, message)) is not None:
            return found
    if EXAMPLES.match(message):
        return new_sheet(f"문제 {FEW}개", focus)
    return None


_Change: TypeAlias = Callable[[Sheet, str], tuple[Sheet, str] | None]


def _redrawn(sheet: Sheet, parts: Sequence[Part], first: str = "", **other: object) -> tuple[Sheet, str]:
    made = drawn(replace(sheet, parts=tuple(parts), **other), len(sheet.sets))  # type: ignore[arg-type]
    return made, told(made, first=first)


def _swapped(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if (found := _SWAP.search(message)) is None:
        return None
    one, other = int(found[1]) - 1, int(found[2]) - 1
    if max(one, other) >= len(sheet.sets[0]) or min(one, other) < 0:
        return sheet, f"이 학습지에는 {len(sheet.sets[0])}번까지 있어요."
    tasks = [*sheet.sets[0]]
    tasks[one], tasks[other] = tasks[other], tasks[one]
    made = replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]))
    return made, told(made, first=f"{one + 1}번과 {other + 1}번의 자리를 바꾸었어요.")


def _with_picture(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
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
    return made, told(made, first=f"{place + 1}번을 {said}")


def _one_other(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Another problem in place of one: that with a number, or that of an animal."""
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
    named = f"{KIND_TOLD[kind]}으로 " if kind != task.kind else ""
    made = redrawn_at(replace(sheet, turn=sheet.turn + 1), [place], part)
    who = ANIMALS[task.teller][0] if animal is not None and not sheet.theme else ""
    first = f"{place + 1}번{f'({who})' if who else ''}을 {named}바꾸었어요. 나머지는 그대로예요."
    return made, told(made, first=first)


def _marked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    tasks = sheet.sets[0]
    if _MARKED.search(message):
        places = [str(place) for place, task in enumerate(tasks, start=1) if task.kind in ("carry", "borrow")]
        mark = sheet.mark or "표시"
        return sheet, f"{with_particle(mark, '은는')} {len(places)}개가 나와야 해요: {', '.join(places)}번이에요."
    if found := MARK.search(message):
        made = replace(sheet, mark=found[2] or "동그라미")
        return made, told(made, first=f"표시는 {made.mark} 모양으로 바꾸었어요. 문제는 그대로예요.")
    return None


def _laid_out(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not _LAYOUT.search(message):
        return None
    half = (len(sheet.sets[0]) + 1) // 2
    return sheet, (
        "이 대화는 글로만 드려서 글씨 크기까지는 정할 수 없어요. 문서에 붙여 24포인트쯤으로 키우고, "
        f"한 장에 {half}문제씩 나누고, 문제마다 자리를 맞추어 쓸 네모 칸을 두세요. 문제는 그대로예요."
    )


def _without_answers(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not _NO_ANSWERS.search(message):
        return None
    made = replace(sheet, answers=False)
    return made, told(made, first="답은 빼고 문제만 적었어요.")


def _worked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The steps of every problem."""
    if not _WORKED.search(message) or re.search(r"어떻게\s*(?:가르|설명)|왜", message):
        return None
    lines = ["문제마다 푸는 차례예요."]
    for name, tasks in zip("AB", sheet.sets, strict=False):
        lines += [f"{name}형"] if len(sheet.sets) > 1 else []
        lines += [f"{place}) {steps(task)}" for place, task in enumerate(tasks, start=1)]
    return sheet, "\n".join(lines)


def _with_answers(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not below(message) or _ANSWER_ZERO.search(message):
        return None
    made = replace(sheet, answers=True)
    return made, told(made, first="정답을 맨 아래에 적었어요.")


def _answered(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    asked = _ANSWERS.search(message) or (len(message) <= _BRIEF and _ANSWER.search(message))
    return (sheet, answers(sheet)) if asked and not _ANSWER_ZERO.search(message) else None


def _purposed(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    return (
        (sheet, told(sheet, first="교사용으로 문제마다 보는 것을 적었어요.", purposes=True))
        if _PURPOSE.search(message)
        else None
    )


def _places(message: str, count: int) -> list[int]:
    """The places (from 0) of the problems that a message speaks of; none where it means all."""
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


def _checked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Whether one problem has what it should have."""
    places = _places(message, len(sheet.sets[0]))
    if len(places) != 1 or not _REALLY.search(message) or re.search(r"바꿔|바꾸|빼|로\s*해|다른", message):
        return None
    task = sheet.sets[0][places[0]]
    a, b = task.a % 10, task.b % 10
    why = {
        "carry": f"일의 자리가 {a}+{b}={a + b}이라 받아올림이 있어요",
        "add": f"일의 자리가 {a}+{b}={a + b}이라 받아올림이 없어요",
        "borrow": f"일의 자리 {a}에서 {with_particle(b, '을를')} 뺄 수 없어서 받아내림이 있어요",
        "take": f"일의 자리가 {a}−{b}={a - b}이라 받아내림이 없어요",
    }.get(task.kind, f"{KIND_TOLD[task.kind]} 문제예요")
    denies = re.search(r"없는|없나|없죠", message) is not None
    asked = "림" in message
    holds = denies == (task.kind in ("add", "take")) if asked else True
    first = "네, 맞아요." if holds else "아니요, 달라요."
    more = "" if holds else f' "{places[0] + 1}번 바꿔 줘"라고 하시면 바꾸어 드려요.'
    return sheet, fill_template("{first} {place}번은 {said:예요}. {why}.{more}", first=first, place=places[0] + 1,
                                said=solved(task), why=why, more=more)  # fmt: skip


def _some_otherwise(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Some problems of another kind or size; the rest stays."""
    places = _places(message, len(sheet.sets[0]))
    kind_named = re.search(r"[올내]림|덧셈|뺄셈|더하기|빼기|없는|있는", message)
    form: Form | None = "gap" if GAP.search(message) else "story" if STORY.search(message) else None
    if places and form:
        tasks = [replace(task, form=form if at in places else task.form) for at, task in enumerate(sheet.sets[0])]
        made = replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]))
        name = "빈칸 채우기" if form == "gap" else "문장제"
        return made, told(made, first=f"{', '.join(str(at + 1) for at in places)}번을 {_to(name)} 바꾸었어요.")
    easier = SMALLER.search(message) or re.search(r"쉬운|쉽게|자신감", message)
    wished = kind_named or easier or HARDER.search(message) or _DIGITS.search(message)
    if not places or not wished:
        return None
    old = sheet.sets[0][places[0]]
    kind = named_kind(message, Focus(old.kind)) if kind_named else old.kind
    digits = digits_of(message) if _DIGITS.search(message) else min(3, len(str(old.a)) + bool(HARDER.search(message)))
    same_size = not _DIGITS.search(message) and not HARDER.search(message)
    part = Part(kind, len(places), digits, small=bool(easier) and not kind_named,
                ones=two_and_one(message) or (same_size and old.b < 10 <= old.a))  # fmt: skip
    made = redrawn_at(sheet, places, part)
    said = f"{', '.join(str(place + 1) for place in places)}번"
    return made, told(made, first=f"{with_particle(said, '을를')} 바꾸었어요. 나머지는 그대로예요.")


def _set_elsewhere(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The stories of another place or thing: with the same numbers, or as another set."""
    theme = theme_of(message) or _thing_named(sheet, message)
    if sheet.form != "story" or not theme or theme == sheet.theme:
        return None
    other = replace(sheet, theme=theme, short=sheet.short or bool(SHORT.search(message)))
    if not _ANOTHER_SET.search(message):
        return other, told(other, first=f"수는 그대로 두고 배경만 {_to(theme)} 바꾸었어요.")
    return redrawn_as(replace(other, turn=sheet.turn + 1), f"{_to(theme)} 한 벌 더 만들었어요.")


def _thing_named(sheet: Sheet, message: str) -> str:
    """What the stories are to be about where a message names no more than that: 축구로"""
    found = _THING.search(message) if sheet.form == "story" and len(message) <= _FEW_LETTERS else None
    return found[1] if found and not _NO_THING.search(found[1]) else ""


def redrawn_as(sheet: Sheet, first: str) -> tuple[Sheet, str]:
    """With other problems of the same parts."""
    made = drawn(sheet, len(sheet.sets))
    return made, told(made, first=first)


def _to(word: str) -> str:
    return fill_template("{word:로}", word=word)


def _of_two_and_one(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not two_and_one(message):
        return None
    parts = [replace(one, digits=2, ones=True, zero=None) for one in sheet.parts]
    return _redrawn(sheet, parts, "(두 자리)와 (한 자리)로 바꾸었어요.")


def _shown_again(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    return (sheet, told(sheet, first="지금까지의 학습지예요.")) if _TIDY.search(message) and len(message) < 30 else None


def _otherwise(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Other numbers: smaller, with a zero above, below a hundred, fewer digits."""
    parts = sheet.parts
    borrows = any(one.kind == "borrow" for one in parts)
    if found := _CARRIES.search(message):
        op, has = ("+" if found[1] == "올" else "-"), found[2] == "있"
        kinds: tuple[KindId, KindId] = ("add", "carry") if op == "+" else ("take", "borrow")
        if any(one.kind in kinds for one in parts):
            first = f"받아{found[1]}림이 {found[2]}는 {'덧셈' if op == '+' else '뺄셈'}으로 바꾸었어요."
            new = [replace(one, kind=kinds[has], zero=None) if one.kind in kinds else one for one in parts]
            return _redrawn(sheet, new, first)
    if "나머지" in message and any(one.kind == "share" for one in parts):
        leaves = leaves_rest(message)
        first = f"나머지가 {'있는' if leaves else '없는'} 나눗셈으로 바꾸었어요."
        return _redrawn(sheet, [replace(one, rest=leaves) if one.kind == "share" else one for one in parts], first)
    if _ANSWER_ZERO.search(message) and borrows:
        return sheet, (
            "받아내림이 있는 두 자리 뺄셈에서는 답의 일의 자리가 0이 될 수 없어요. 0이 되려면 두 일의 자리 숫자가 "
            "같아야 하는데, 그러면 받아내림이 없거든요(예: 64−24=40). 그런 문제를 하나 넣거나, 60−24처럼 위의 수에 "
            "0이 있는 것으로 할 수 있어요."
        )
    if _LIMITED.search(message):
        return sheet, told(sheet, first="모두 답이 100보다 작은 문제예요.")
    if re.search(r"세\s*자리", message):
        digits = 2 if LESS.search(message) else 3
        first = "두 자리까지의 수로 다시 냈어요." if digits == 2 else "세 자리 수로 바꾸었어요."
        same = all(one.digits == digits for one in parts)
        kept = sheet, told(sheet, first="네, 모두 두 자리까지의 수예요." if digits == 2 else "모두 세 자리 수예요.")
        return kept if same else _redrawn(sheet, [replace(one, digits=digits) for one in parts], first)
    if ZERO.search(message) and borrows:
        rest = sum(one.count for one in parts) - 2
        zeros = [Part("borrow", min(2, rest + 2), zero=True), *([Part("borrow", rest, zero=False)] if rest > 0 else [])]
        return _redrawn(sheet, zeros, f"{zeros[0].count}문제는 위의 수에 0이 있고, 나머지도 모두 받아내림이 있어요.")
    return None


def _in_other_words(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Stories of one sentence, or another form."""
    form: Form | None = "gap" if GAP.search(message) else "story" if STORY.search(message) else None
    if form and form != sheet.form:
        parts = [replace(one, digits=2) for one in sheet.parts] if form == "gap" else sheet.parts
        return _redrawn(
            sheet, parts, "빈칸 채우기로 바꾸었어요." if form == "gap" else "문장제로 바꾸었어요.", form=form
        )
    if sheet.form == "story" and SHORT.search(message):
        made = replace(sheet, short=True)
        first = (
            "이미 한 줄씩이에요. 더 줄이려면 식만 남길 수 있어요."
            if sheet.short
            else "식은 그대로 두고 글을 짧게 줄였어요."
        )
        return made, told(made, first=first)
    return None


def _counted_anew(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Other numbers of problems, more of them, or others of the same kind."""
    focus = Focus(sheet.parts[0].kind)
    if parts := parts_of(message, focus):
        return _redrawn(sheet, parts, turn=sheet.turn + 1)
    count, more = count_of(message), bool(_MORE.search(message))
    if more or (count and len(message) < 16):
        if len(sheet.parts) == 1 and count:
            return _redrawn(sheet, [replace(sheet.parts[0], count=count)], turn=sheet.turn + more)
        return _redrawn(sheet, sheet.parts, turn=sheet.turn + 1)
    return None


def _hinted(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not _HINTS.search(message):
        return None
    task = sheet.sets[0][0]
    if task.form == "gap":
        one, last = task.a % 10, with_particle(task.answer % 10, "이가")
        return sheet, (
            f"세 단계면 충분해요. {with_particle(with_gaps(task), '이가')} 나오면, "
            f'1단계 "일의 자리부터 볼까? {one}에서 어떻게 하면 끝이 {last} 되지?", '
            '2단계 "십의 자리로 넘어간(빌려준) 것이 있을까?", 3단계 "그럼 십의 자리 빈칸은?"이에요. '
            "답을 말하지 말고, 한 단계마다 잠깐 기다려 주세요."
        )
    return sheet, (
        '두세 단계면 돼요. 1단계 "무엇을 구하는 거지?", 2단계 "일의 자리부터 해 볼까? 십이 생기거나 모자라?", '
        "3단계 모형이나 그림으로 그 한 걸음만 함께 하세요. 답은 말하지 말고 한 단계마다 기다려 주세요."
    )


_CHANGES: Final[tuple[_Change, ...]] = (
    _swapped, _marked, _checked, _with_picture, _laid_out, _without_answers, _worked, _with_answers, _answered,
    _purposed, _hinted, headed, of_one_set, _set_elsewhere, _some_otherwise, shuffled, _of_two_and_one,
    _in_other_words, of_answers, _one_other, of_operation, _counted_anew, _otherwise, of_difficulty, of_amount,
    pictured, _shown_again,
)  # fmt: skip
"""In the order in which they are looked for."""

"""Changes to a whole worksheet: operation or table, difficulty, order, number of problems, a second set, pictures, a
line for the name."""

import re
from dataclasses import replace
from random import Random
from typing import Final

from maththera.chat.coach.learner_facts import OPERATION_OF
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.worksheets.new_sheets import (
    HARDER,
    HEAD,
    NAMED,
    SMALLER,
    count_of,
    digits_of,
    new_sheet,
    parts_of,
    shared,
    tables_of,
)
from maththera.chat.worksheets.sheet_problems import Focus, Part, Sheet, drawn
from maththera.chat.worksheets.sheet_texts import kind_name, sheet_text

_SHUFFLES: Final = re.compile(
    r"(?:순서|차례|번호)\S{0,2}\s*.{0,6}(?:섞|바꿔|바꾸|뒤죽|무작위|랜덤|다르게|뒤섞)|뒤섞|뒤죽박죽|무작위|랜덤|^\W*(?:좀\s*)?섞어\s*(?:서\s*)?(?:줘|주)"
)
_REVERSES: Final = re.compile(r"거꾸로\s*(?:순서|차례|해|바꿔|놓)|(?:순서|차례)\S{0,2}\s*(?:거꾸로|반대로|역순)|역순")
_OPERATION: Final = re.compile(
    r"덧셈|더하기|뺄셈|빼기|곱셈|곱하기|구구단|나눗셈|나누기|[2-9]\s*단(?!\s*계|원)|[올내]림"
)
_BESIDES: Final = re.compile(r"도(?:\s|요|$|\W)|섞|추가|반반|같이|함께|넣")
_INSTEAD: Final = re.compile(
    r"(?:으로|로)(?:\s*만)?\s*(?:좀\s*)?(?:다시|바꿔|바꾸|해|줘|주|부탁|요|만들|\W*$)|말고|대신|아니라|바꿔|만\s*(?:줘|주|요|\W*$)"
)
_TOO_EASY: Final = re.compile(
    r"(?:너무|좀|넘|다)\s*쉬[워웠우운]|쉬워\s*(?:요|해|하|서)|시시|심심해\s*해|쉽대|쉽다[고네는]|금방\s*(?:다\s*)?(?:풀|끝)"
)
_TOO_HARD: Final = re.compile(
    r"(?:너무|좀|넘)\s*(?:어려|높)|어려워\s*(?:요|해|하|서)|어렵(?:대|다[고네는]|겠)|힘들어\s*(?:해|하)|못\s*(?:풀|하)겠|버거|난이도.{0,4}(?:낮|내려|내리)|낮춰|더\s*쉬|쉽게"
)
_ONE_SET: Final = re.compile(r"하나\S{0,2}|한\s*(?:장|벌|세트)|B\s*형|두\s*번째\s*(?:장|것|거)")
"""Matches if one of two sets is meant."""
_ASKS: Final = re.compile(r"어떻게|왜|어떡|뭐라|까요")
_HALF: Final = re.compile(
    r"반(?:만|으로|절반)|절반|너무\s*많|(?:문제|양|개수|수)\S{0,2}\s*(?:좀\s*)?(?:줄|적게)|^\W*(?:좀\s*|더\s*)?줄여|더\s*적게"
)
_DOUBLE: Final = re.compile(
    r"두\s*배|(?:문제|양|개수)\S{0,2}\s*(?:좀\s*)?(?:늘|많이)|^\W*(?:좀\s*|더\s*)?늘려|더\s*많이|너무\s*적|모자라"
)
_FOR_TWO: Final = re.compile(
    r"(?:두|2)\s*(?:장|명|벌|세트|종류|가지\s*버전|사람)|둘이|짝\s*(?:것|거|꿍)|A\s*형|B\s*형|한\s*(?:장|벌|세트)\s*더"
)
_ABOVE: Final = re.compile(r"(?:합|답|곱|차|결과)\S{0,2}\s*(\d{1,3})\s*(?:을|를|이|보다)?\s*(?:넘|이상|크|커|위)")
_BELOW: Final = re.compile(
    r"(?:합|답|곱|차|결과)\S{0,2}\s*(\d{1,3})\s*(?:을|를|이|보다|까지)?\s*(?:안\s*넘|넘지|이하|미만|작|아래|까지|안쪽|안)|(\d{1,3})\s*(?:안에서|까지의\s*수|이하의?\s*수?로)"
)
_PICTURED: Final = re.compile(
    r"그림(?:을|도|으로|으로도)?\s*(?:\S{1,3}\s*)?(?:넣|그려|바꿔|바꾸|추가|보이|표현|있|해|나오|로|같이|부탁|줘|\W*$)|모형\s*그림"
)
_MOST: Final = 20
_LEAST: Final = 2


def shuffled(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with the same problems in another order."""
    if _REVERSES.search(message):
        made = replace(sheet, sets=tuple(tasks[::-1] for tasks in sheet.sets))
        return made, sheet_text(made, first="차례를 거꾸로 바꾸었어요. 문제는 그대로예요.")
    if not _SHUFFLES.search(message) or _OPERATION.search(message):
        return None
    chance = Random(f"order/{sheet.sets}")  # noqa: S311 - the order of a sheet is no secret
    sets = []
    for tasks in sheet.sets:
        mixed = [*tasks]
        chance.shuffle(mixed)
        sets.append(tuple(mixed if tuple(mixed) != tasks else reversed(tasks)))
    made = replace(sheet, sets=tuple(sets))
    return made, sheet_text(made, first="순서만 섞었어요. 문제는 그대로예요.")


def of_operation(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with another operation or table, instead of its own or as well."""
    besides, instead = _BESIDES.search(message), _INSTEAD.search(message)
    if not _OPERATION.search(message) or not (besides or instead) or parts_of(message, Focus()):
        return None
    wanted = _as_large(_parts_named(message, count_of(message) or _count(sheet)), sheet, message)
    if sheet.parts and _same_kinds(wanted, sheet.parts):
        return None
    if not besides or re.search(r"말고|대신", message):
        made = drawn(replace(sheet, parts=wanted, turn=sheet.turn + 1), len(sheet.sets))
        return made, sheet_text(made, first=f"{fill_template('{kinds:로}', kinds=_kinds(wanted))} 바꾸었어요.")
    parts = (*sheet.parts, *wanted) if count_of(message) else shared((*sheet.parts, *wanted), _count(sheet))
    made = drawn(replace(sheet, parts=parts, mixed=True, turn=sheet.turn + 1), len(sheet.sets))
    return made, sheet_text(made, first=f"{_kinds(wanted)}도 섞었어요. 모두 {_count(made)}문제예요.")


def of_difficulty(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with each part one step harder or easier."""
    too_hard = _TOO_HARD.search(message)
    harder = _TOO_EASY.search(message) or (None if too_hard else HARDER.search(message))
    easier = too_hard or SMALLER.search(message)
    if bool(harder) == bool(easier) or _ASKS.search(message):
        return None
    step = _harder if harder else _easier
    changed = [step(part) for part in sheet.parts]
    said = [text for _, text in changed if text]
    if not said:
        last = "이미 제가 낼 수 있는 가장 어려운 문제예요." if harder else "이미 제가 낼 수 있는 가장 쉬운 문제예요."
        return sheet, f"{last} 다른 것을 섞거나 문제 수를 바꿀 수는 있어요."
    parts = tuple(part for part, _ in changed)
    made = drawn(replace(sheet, parts=parts, turn=sheet.turn + 1), len(sheet.sets))
    return made, sheet_text(made, first=" ".join(dict.fromkeys(said)))


def of_one_set(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with the second set one step harder or easier."""
    harder = _TOO_EASY.search(message) or HARDER.search(message)
    easier = _TOO_HARD.search(message) or SMALLER.search(message) or re.search("쉬운", message)
    if len(sheet.sets) < 2 or not _ONE_SET.search(message) or bool(harder) == bool(easier):
        return None
    parts = tuple((_harder if harder else _easier)(part)[0] for part in sheet.parts)
    made = replace(sheet, sets=(sheet.sets[0], drawn(replace(sheet, parts=parts, turn=sheet.turn + 1)).sets[0]))
    return made, sheet_text(made, first=f"B형만 한 단계 {'어렵' if harder else '쉽'}게 바꾸었어요.")


def _harder(part: Part) -> tuple[Part, str]:
    if part.kind == "times":
        harder = part if part.ones else replace(part, ones=not part.small, small=False, table=0)
        return harder, "" if part.ones else "(두 자리)×(한 자리)로 올렸어요." if harder.ones else "모든 단에서 냈어요."
    if part.kind == "share":
        return replace(part, small=False, table=0), "모든 단에서 냈어요." if part.small or part.table else ""
    if part.small:
        return replace(part, small=False), "수를 키웠어요."
    if part.digits < 3:
        return replace(part, digits=part.digits + 1, ones=False, zero=None, least=0, most=0), "자리를 하나 늘렸어요."
    if part.kind in ("add", "take"):
        return replace(part, kind="carry" if part.kind == "add" else "borrow"), "받아올림이나 받아내림을 넣었어요."
    return part, ""


def _easier(part: Part) -> tuple[Part, str]:
    if part.kind == "times" and part.ones:
        return replace(part, ones=False), "곱셈구구로 낮추었어요."
    if part.kind in ("times", "share"):
        easier = replace(part, small=True, rest=False, table=0)
        return easier, "2단에서 5단까지로 낮추었어요." if easier != part else ""
    if part.digits > 2:
        return replace(part, digits=2), "두 자리까지의 수로 낮추었어요."
    if part.digits == 2 and not part.small:
        return replace(part, small=True, zero=None), "수를 작게 해서 따로 냈어요. 받아올림·받아내림은 그대로예요."
    if part.kind in ("carry", "borrow"):
        plain = replace(part, kind="add" if part.kind == "carry" else "take", zero=None)
        return plain, "받아올림이나 받아내림이 없는 것으로 낮추었어요."
    return (
        (replace(part, digits=1, small=False, ones=False), "한 자리 수로 낮추었어요.")
        if part.digits > 1
        else (part, "")
    )


def of_amount(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with half or twice as many problems, or with a second set for another child."""
    if _FOR_TWO.search(message) and len(sheet.sets) < 2:
        made = replace(sheet, sets=(*sheet.sets, *drawn(replace(sheet, turn=sheet.turn + 1)).sets))
        return made, sheet_text(made, first="두 벌로 만들었어요. 종류와 문제 수는 같고 수만 달라요.")
    half, double = _HALF.search(message), _DOUBLE.search(message)
    if bool(half) == bool(double) or (sheet.form == "story" and re.search("짧|글", message)):
        return None
    count = max(_LEAST, _count(sheet) // 2) if half else min(_MOST, 2 * _count(sheet))
    if count == _count(sheet):
        return None
    if half:
        made = replace(sheet, parts=shared(sheet.parts, count), sets=tuple(tasks[:count] for tasks in sheet.sets))
    else:
        made = drawn(replace(sheet, parts=shared(sheet.parts, count)), len(sheet.sets))
    return made, sheet_text(made, first=f"{count}문제로 {'줄였' if half else '늘렸'}어요.")


def of_answers(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with answers within given limits."""
    below, above = _BELOW.search(message), _ABOVE.search(message)
    if not (below or above):
        return None
    most = int(next(filter(None, below.groups()))) if below else 0
    least = int(above[1]) + ("이상" not in above[0]) if above and not below else 0
    digits = digits_of(message) if re.search(r"[한두세123]\s*자리", message) else 0
    count, kinds = _count(sheet), ("add", "carry") if "합" in message else ("take", "borrow") if "차" in message else ()
    kept = [one for one in sheet.parts if not kinds or one.kind in kinds] or [*sheet.parts]
    parts = shared(
        [replace(one, least=least, most=most, digits=digits or one.digits, zero=None) for one in kept], count
    )
    made = drawn(replace(sheet, parts=parts), len(sheet.sets))
    if min(map(len, made.sets), default=0) < count or _repeats(made):  # as of sums up to 20
        small = tuple(replace(one, digits=1) for one in parts)
        made = max(made, drawn(replace(sheet, parts=small), len(sheet.sets)), key=lambda one: len(set(one.sets[0])))
    size = f"{most}까지인" if most else f"{least} 이상인"
    if not all(made.sets) or not made.sets:
        return sheet, f"이 종류에는 답이 {size} 문제가 없어요. 자리 수나 종류를 함께 바꿔 말씀해 주세요."
    return made, sheet_text(made, first=f"답이 {size} 문제로 바꾸었어요.")


def _repeats(sheet: Sheet) -> bool:
    return any(len({(task.a, task.b) for task in tasks}) < len(tasks) for tasks in sheet.sets)


def pictured(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with all sums below a hundred drawn with tens and ones."""
    if not _PICTURED.search(message) or re.search(r"\d\s*번|마지막|그림\S{0,2}\s*(?:빼|없이|말고|지워)", message):
        return None
    fits = [task.op in "+-" and max(task.a, task.b) < 100 for task in sheet.sets[0]]
    if not all(fits):
        return sheet, "그림은 두 자리까지의 덧셈과 뺄셈에만 넣을 수 있어요. 수를 줄이거나 종류를 바꾸면 그려 드릴게요."
    sets = tuple(tuple(replace(task, form="picture") for task in tasks) for tasks in sheet.sets)
    made = replace(sheet, sets=sets)
    return made, sheet_text(made, first="글자로 그린 십 막대와 낱개 그림으로 바꾸었어요.")


def headed(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with a line for the name."""
    if not NAMED.search(message):
        return None
    made = replace(sheet, head=HEAD)
    return made, sheet_text(made, first="이름과 날짜를 쓰는 줄을 위에 넣었어요.")


def _parts_named(message: str, count: int) -> tuple[Part, ...]:
    """Parts with the kinds that a message names, with so many problems in all."""
    if tables := tables_of(message):
        return shared([Part("times", 0, table=table) for table in tables], count)
    sheet, _ = new_sheet(f"{message} 문제 {count}개", Focus(known=True))
    return sheet.parts


def _as_large(parts: tuple[Part, ...], sheet: Sheet, message: str) -> tuple[Part, ...]:
    """The parts with as many digits as the sheet had, if the message names no size."""
    digits = max((one.digits for one in sheet.parts if OPERATION_OF[one.kind] in "+-"), default=0)
    if not digits or re.search(r"[한두세123]\s*자리", message):
        return parts
    return tuple(replace(one, digits=digits) if OPERATION_OF[one.kind] in "+-" else one for one in parts)


def _same_kinds(one: tuple[Part, ...], other: tuple[Part, ...]) -> bool:
    return {(OPERATION_OF[part.kind], part.table) for part in one} == {
        (OPERATION_OF[part.kind], part.table) for part in other
    }


def _count(sheet: Sheet) -> int:
    return sum(part.count for part in sheet.parts)


def _kinds(parts: tuple[Part, ...]) -> str:
    return ", ".join(dict.fromkeys(map(kind_name, parts)))

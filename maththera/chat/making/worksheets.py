"""Worksheets for adults: problems that a message asks for, and the changes of them that later messages ask for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal, TypeAlias

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import SIGNS, Problem, make_problem
from maththera.chat.coach.learner_facts import KindId, kind_of
from maththera.korean.particles import with_particle

Form: TypeAlias = Literal["sum", "gap", "story", "picture"]
_ONES: Final = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8,
    "아홉": 9, "열": 10, "열두": 12, "열다섯": 15, "스무": 20, "스물": 20,
}  # fmt: skip
_COUNT: Final = rf"(\d{{1,2}}|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
_COUNTED: Final = re.compile(rf"(?<![\d가-힣]){_COUNT}\s*(?:개|문제|문항|가지)(?!\s*[월일])")
_COUNTED_EACH: Final = re.compile(rf"{_COUNT}\s*(?:개|문제|문항)?\s*씩")
_NOUN: Final = re.compile(
    r"학습지|연습지|문제지|활동지|진단지|평가지|시험지|(?:확인|연습|도전|비슷한|쉬운|어려운|새)\s*문제|문장제|빈칸\s*채우기|세트|문제|문항"
)
_WANTED: Final = re.compile(
    r"만들|내\s*(?:줘|주|달)|뽑아|출제|짜\s*(?:줘|주)|(?:^|\s|만|좀|개|제|를|을)\s*(?:줘|주세요|주실|주시|달라)|좀요|부탁|필요|추천"
    rf"|(?:{_COUNT}\s*(?:개|문제|문항))(?:만|로|으로)?\s*(?:좀|요|만)?\W*(?:$|[.,])|(?:학습지|문제)(?:로|요)\W*$|줄\s*(?:도전\s*)?문제"
)
_NOT_WANTED: Final = re.compile(
    r"(?:틀린|틀렸|맞힌|맞은|푼|풀었|걸린|기록)\S*\s*(?:문제|것|거)|몇\s*문제|문제(?:가|는)?\s*(?:있|없|라고|인|될|아닌|였)|보여|인쇄|어떤\s*문제"
    r"|문제\s*(?:행동|집)|겹치|오답|순서|방법|얼마나|어떻게|물어|정답률|설명"
)
_ANSWERS: Final = re.compile(
    r"(?:^|\s)(?:정?답|해답)(?:지|안)?(?:도|은|는|만|을|이랑|까지|를)?\s*(?:요|따로|주|줘|알려|같이|좀|보여|부탁|달라|\W*$)"
)
_PURPOSE: Final = re.compile(r"(?:뭘|무엇을?|뭐를?|무얼)\s*보는|의도|교사용|평가\s*요소|보는\s*건지")
_SWAP: Final = re.compile(r"(\d{1,2})\s*번?\s*(?:이?랑|하고|과|와|,)\s*(\d{1,2})\s*번.{0,6}바꿔")
_ANOTHER: Final = re.compile(r"(\d{1,2})\s*번(?:은|을|만|문제)?.{0,8}(?:다른|바꿔|바꾸|쉬운|빼)")
_LAST_PICTURE: Final = re.compile(r"(마지막|(\d{1,2})\s*번).{0,10}그림")
_LIMITED: Final = re.compile(r"(?:백|100)\s*(?:이|을|은)?\s*(?:안\s*)?넘|(?:백|100)\s*(?:이하|미만|까지|안쪽)")
_ANSWER_ZERO: Final = re.compile(r"답에\s*(?:0|영|공)|답이\s*(?:몇십|0으로)")
_ZERO: Final = re.compile(
    r"(?<!\d)(?:0|영|공)(?:이|가)?\s*(?:있|들어|포함)|위(?:에|의\s*수에)?\s*(?:0|영)|몇십\s*(?:에서|빼)"
)
_TWO_SETS: Final = re.compile(r"A\s*(?:형|세트|,)?.{0,4}B|가형.{0,3}나형|두\s*(?:세트|벌|종류)", re.IGNORECASE)
_STORY: Final = re.compile(r"문장제|이야기\s*문제|글\s*문제|서술형")
_GAP: Final = re.compile(r"빈칸|□|네모")
_HARDER: Final = re.compile(r"도전|더?\s*어려운|더\s*어렵|난이도.{0,4}(?:올|높)|심화")
_SMALLER: Final = re.compile(
    r"(?:숫자|수)(?:를|는|가)?\s*(?:좀|더|조금)?\s*(?:작|쉬운|쉽)|더?\s*(?:쉬운|쉽게)|작은\s*수"
)
_LESS: Final = re.compile(r"아직|빼|말고|없이|제외|안\s*배")
_LAYOUT: Final = re.compile(r"글(?:씨|자).{0,4}(?:크|키)|칸.{0,4}(?:넓|크)|(?:줄|문제)\s*간격")
_MARK: Final = re.compile(
    r"(?:먼저|옆에|앞에)\s*(\S{0,4}?)\s*표시|표시(?:는|를|만)?.{0,12}?(별|세모|네모|동그라미|체크|밑줄)\W*(?:로|표|$)"
)
_MARKED: Final = re.compile(r"(?:별|세모|네모|동그라미|체크|표시)\S{0,2}\s*(?:가|는|이)?\s*(?:몇|총|모두)")
_SHORT: Final = re.compile(r"한\s*문장|짧게|줄여|읽기.{0,6}(?:느|어려)")
_MORE: Final = re.compile(r"(?:더|추가)(?:로|요)?\s*(?:줘|주|만들|내|뽑|\W*$)|다른\s*(?:걸|것|문제|거)(?:로|도)?|새로")
_HINTS: Final = re.compile(r"힌트")
_CHECK: Final = re.compile(r"확인|직접\s*볼|알아보|점검")
_FIRST: Final = re.compile(r"진단|처음|첫")
"""What is to go from the easy to the hard."""
_EXAMPLES: Final = re.compile(
    r"^\W*(?:그럼\s*)?(?:예를?\s*들(?:면|어)|예시|예로|어떤\s*문제로)\S*\s*(?:요|좀요?|하나|몇\s*개)?\W*$"
)
_PART: Final = re.compile(
    r"(?P<kind>(?:받아)?\s*[올내]림\s*(?:이|가)?\s*(?:있는|없는)|0\s*(?:이)?\s*(?:있는|없는)|(?<=\d)\s*없는|없는|덧셈|뺄셈|더하기|빼기)\s*(?:거|것|걸|문제|건)?\s*"
    rf"{_COUNT}(?![가-힣]*\s*자리)"
)
_ANIMALS: Final = (
    ("토끼", "당근"), ("다람쥐", "도토리"), ("펭귄", "물고기"), ("곰", "사과"), ("강아지", "공"), ("원숭이", "바나나"),
)  # fmt: skip
_USUAL: Final = 5
_MOST: Final = 20
_HUNDRED: Final = 100
_FEW: Final = 3
"""Problems up to which a wrong answer that would tell something stands beside each."""
_KIND_TOLD: Final[dict[str, str]] = {
    "add": "받아올림이 없는 덧셈", "carry": "받아올림이 있는 덧셈",
    "take": "받아내림이 없는 뺄셈", "borrow": "받아내림이 있는 뺄셈",
    "times": "곱셈구구", "share": "곱셈구구로 찾는 나눗셈",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Task:
    """`teller`: whom a story is about, a place in the list of animals."""

    a: int
    op: str
    b: int
    form: Form = "sum"
    teller: int = 0

    @property
    def problem(self) -> Problem:
        return make_problem(self.a, self.op, self.b)

    @property
    def kind(self) -> KindId:
        return kind_of(self.problem)


@dataclass(frozen=True, slots=True)
class Part:
    """So many problems of a kind. `digits`: of the numbers; `zero`: of a borrow, whether the number above ends in 0,
    None for either; `small`: with the smallest numbers that still have the carry."""

    kind: KindId
    count: int
    digits: int = 2
    zero: bool | None = None
    small: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """`sets`: one, or two alike. `mark`: with what a child marks the problems with a carry; `short`: stories of one
    sentence; `mixed`: the kinds stand in no order; `turn`: how often other problems were drawn."""

    sets: tuple[tuple[Task, ...], ...]
    parts: tuple[Part, ...]
    form: Form = "sum"
    mark: str = ""
    short: bool = False
    mixed: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Focus:
    """What a sheet is about where the message does not say. `cause`: the child's commonest wrong procedure; `right`:
    the child has made no or hardly any mistake; `known`: there are records."""

    kind: KindId = "carry"
    cause: str = ""
    right: bool = False
    known: bool = False


def is_of_sheet(message: str) -> bool:
    """Whether a message wants problems to be made."""
    found = _NOUN.search(message) and _WANTED.search(message) and not _NOT_WANTED.search(message)
    return bool(found) or (bool(_PART.search(message)) and bool(re.search(r"학습지|문제", message)))


def new_sheet(message: str, focus: Focus) -> tuple[Sheet, str]:
    """The sheet that a message asks for, and its text."""
    parts = _parts(message, focus)
    form: Form = "story" if _STORY.search(message) else "gap" if _GAP.search(message) else "sum"
    if not parts:
        count = _count(message) or (_FEW if _HARDER.search(message) or form != "sum" else _USUAL)
        parts = _of_kinds(message, count, focus, form)
    asked = _MARK.search(message)
    mark = (asked[2] or "동그라미") if asked else ""
    mixed = "섞" in message and len(parts) > 1 and not _FIRST.search(message)
    sheet = _drawn(
        Sheet((), parts, form, mark, bool(_SHORT.search(message)), mixed), 2 if _TWO_SETS.search(message) else 1
    )
    check = focus.cause if _CHECK.search(message) and sum(one.count for one in parts) <= _FEW else ""
    return sheet, told(sheet, cause=check)


def changed(sheet: Sheet, message: str, focus: Focus) -> tuple[Sheet, str] | None:
    """The sheet as a message wants it otherwise, and what is said; None where it wants nothing of the sheet."""
    for change in _CHANGES:
        if (found := change(sheet, message)) is not None:
            return found
    if _EXAMPLES.match(message):
        return new_sheet(f"문제 {_FEW}개", focus)
    return None


def asks_for_examples(message: str) -> bool:
    """Whether a message wants an example of what was told, and says nothing else."""
    return _EXAMPLES.match(message) is not None


# --- what is asked for ------------------------------------------------------------------------------------------------


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _ONES[word]


def _count(message: str) -> int | None:
    found = _COUNTED_EACH.search(message) or _COUNTED.search(message)
    return min(_number(found[1]), _MOST) if found else None


def _digits(message: str) -> int:
    if re.search(r"세\s*자리|3\s*자리", message) and not _LESS.search(message):
        return 3
    return 1 if re.search(r"한\s*자리|1\s*자리", message) else 2


def _named_kind(words: str, focus: Focus) -> KindId:
    """The kind that words name. "없는" alone is the other of what went before."""
    subtracts = bool(re.search(r"내림|뺄셈|빼기", words)) or (
        "림" not in words and "덧셈" not in words and "더하기" not in words and focus.kind in ("borrow", "take")
    )
    plain = "없는" in words or ("있는" not in words and re.search(r"덧셈|더하기|뺄셈|빼기", words) is not None)
    if subtracts:
        return "take" if plain else "borrow"
    return "add" if plain else "carry"


def _parts(message: str, focus: Focus) -> tuple[Part, ...]:
    """The parts of a message that says how many of each."""
    found = [(one["kind"], _number(one[2])) for one in _PART.finditer(message)]
    if len(found) < 2:
        return ()
    digits = _digits(message)
    if re.match(r"0", found[0][0]):
        return tuple(Part("borrow", count, digits, zero="있는" in words) for words, count in found)
    parts: list[Part] = []
    before = ""
    for words, count in found:
        whole = words if "림" in words or not before or "없는" not in words else before.replace("있는", "없는")
        parts.append(Part(_named_kind(whole, focus), count, digits))
        before = whole
    return tuple(parts)


def _of_kinds(message: str, count: int, focus: Focus, form: Form) -> tuple[Part, ...]:
    """The parts of a message that names kinds, or none."""
    digits, small = _digits(message), bool(_SMALLER.search(message))
    zero = True if _ZERO.search(message) else None
    carry, borrow = re.search(r"(?:받아)?\s*올림", message), re.search(r"(?:받아)?\s*내림", message)
    none = re.search(r"[올내]림\s*(?:이|가)?\s*없", message)
    added, taken = re.search(r"덧셈|더하기", message), re.search(r"뺄셈|빼기", message)
    if re.search(r"구구단|곱셈", message):
        return (Part("times", count),)
    if "나눗셈" in message:
        return (Part("share", count),)
    if (
        (added and taken)
        or (carry and borrow)
        or (form == "story" and not (added or taken or carry or borrow))
        or (not (added or taken or carry or borrow) and not focus.known)
    ):
        kinds: tuple[KindId, ...] = ("add", "carry", "take", "borrow") if count > _FEW else ("add", "carry", "take")
        share, rest = divmod(count, len(kinds))
        return tuple(
            Part(kind, share + (place < rest), digits) for place, kind in enumerate(kinds) if share + (place < rest)
        )
    if carry or added:
        return (Part("add" if none else "carry", count, digits, small=small),)
    if borrow or taken:
        return (Part("take" if none else "borrow", count, digits, zero, small),)
    if _HARDER.search(message) and focus.right and form == "sum":
        return (Part("carry", count - count // 2, 3), *((Part("borrow", count // 2, 3),) if count > 1 else ()))
    return (Part("borrow" if zero else focus.kind, count, digits, zero, small),)


# --- the problems -----------------------------------------------------------------------------------------------------


def _pool(part: Part) -> Iterator[tuple[int, str, int]]:
    """All problems of a part, in no order that matters. Sums of two digits stay below a hundred."""
    if part.kind == "times":
        yield from ((a, "x", b) for a in range(2, 10) for b in range(2, 10))
        return
    if part.kind == "share":
        yield from ((a * b, "/", a) for a in range(2, 10) for b in range(2, 10))
        return
    first, end = {1: (2, 10), 2: (12, 90), 3: (124, 880)}[part.digits]
    step = 7 if part.digits == 3 else 1
    if part.small:
        first, end = 2, 36
    for a in range(first, end + 8 if part.kind in ("take", "borrow") and part.digits == 2 else end, step):
        for b in range(first if not part.small else 4, min(end, 18) if part.small else end, step):
            if part.kind in ("add", "carry") and (a + b < 10**part.digits or part.digits == 1) and a % 10 and b % 10:
                yield a, "+", b
            if part.kind in ("take", "borrow") and a - b >= (2 if part.small or part.digits == 1 else 11) and b % 10:
                yield a, "-", b
    if part.kind == "borrow" and part.digits == 1:
        yield from ((a, "-", b) for a in range(11, 19) for b in range(2, 10))


def _fits(part: Part, found: tuple[int, str, int]) -> bool:
    a, op, b = found
    if part.kind in ("times", "share"):
        return True
    carries = a % 10 + b % 10 > 9 if op == "+" else a % 10 < b % 10
    if carries != (part.kind in ("carry", "borrow")) or (op == "-" and not carries and a % 10 == 0):
        return False
    if part.small and (a < 12 or (op == "-" and a < 20)):
        return False
    return part.kind != "borrow" or part.zero is None or (a % 10 == 0) is part.zero


def _draw(part: Part, taken: set[int], chance: Random) -> list[tuple[int, str, int]]:
    """Problems of a part with answers that are not taken, as far as there are such."""
    pool = [one for one in _pool(part) if _fits(part, one)]
    chance.shuffle(pool)
    drawn: list[tuple[int, str, int]] = []
    for free in (True, False):
        for one in pool:
            if len(drawn) == part.count:
                return drawn
            answer = make_problem(*one).answer
            if one not in drawn and (not free or answer not in taken):
                drawn.append(one)
                taken.add(answer)
    return drawn


def _drawn(sheet: Sheet, sets: int = 1) -> Sheet:
    """With its problems, always the same of the same parts and turn."""
    chance = Random(f"{sheet.turn}/{sheet.form}")  # noqa: S311 - which problems stand on a sheet is no secret
    made: list[tuple[Task, ...]] = []
    taken: set[int] = set()
    for _ in range(sets):
        found = [one for part in sheet.parts for one in _draw(part, taken, chance)]
        if sheet.mixed:
            chance.shuffle(found)
        made.append(tuple(Task(*one, sheet.form, place % len(_ANIMALS)) for place, one in enumerate(found)))
    return replace(sheet, sets=tuple(made))


# --- what is said -----------------------------------------------------------------------------------------------------


def told(sheet: Sheet, *, first: str = "", purposes: bool = False, cause: str = "") -> str:
    """The sheet. `first`: what goes before; `purposes`: with what each problem shows; `cause`: the wrong procedure
    whose answer is told beside each."""
    lines = [first or _title(sheet)]
    if sheet.mark:
        lines.append(f"풀기 전에 받아올림이나 받아내림이 있는 문제에 먼저 {_marking(sheet)} 표시하게 해 주세요.")
    for name, tasks in zip("AB", sheet.sets, strict=False):
        if len(sheet.sets) > 1:
            lines.append(f"{name}형")
        for place, task in enumerate(tasks, start=1):
            purpose = f" — {_purpose(task)}" if purposes else _signal(task, cause)
            lines.append(f"{place}) {_line(task, short=sheet.short)}{purpose}")
    return "\n".join(lines)


def _marking(sheet: Sheet) -> str:
    return with_particle(sheet.mark, "을를")


def answers(sheet: Sheet) -> str:
    """The answers of a sheet."""
    lines = ["정답이에요."]
    for name, tasks in zip("AB", sheet.sets, strict=False):
        each = ", ".join(f"{place}) {_solved(task)}" for place, task in enumerate(tasks, start=1))
        lines.append(f"{name}형: {each}" if len(sheet.sets) > 1 else each)
    return "\n".join(lines)


def _title(sheet: Sheet) -> str:
    count = sum(one.count for one in sheet.parts)
    kinds = "과 ".join(dict.fromkeys(_KIND_TOLD[one.kind] for one in sheet.parts))
    if len({one.kind for one in sheet.parts}) > 2:
        kinds = "덧셈과 뺄셈"
    form = {"gap": " 빈칸 채우기", "story": " 문장제"}.get(sheet.form, "")
    sets = f" 두 벌, {count}문제씩" if len(sheet.sets) > 1 else f" {count}문제"
    return f'{kinds}{form}{sets}예요. 답은 "답도요"라고 하시면 따로 드려요.'


def _line(task: Task, *, short: bool) -> str:
    a, b = task.a, task.b
    if task.form == "gap":
        return _with_gaps(task)
    if task.form == "picture":
        drawn = " ".join(filter(None, ["▮" * (a // 10), "●" * (a % 10)]))
        other = " ".join(filter(None, ["▮" * (b // 10), "●" * (b % 10)]))
        asked = (
            "모두 얼마예요?" if task.op == "+" else f"여기서 {b}만큼(▮ {b // 10}개, ● {b % 10}개) 지우면 얼마가 남아요?"
        )
        return f"{drawn}{f' 와 {other}, ' if task.op == '+' else ', '}{asked} (▮은 십, ●은 하나)"
    if task.form == "story":
        who, what = _ANIMALS[task.teller]
        named, things = with_particle(who, "이가"), with_particle(what, "을를")
        left = with_particle(what, "은는")
        if task.op == "+" and short:
            return f"{named} {what} {a}개에 {b}개를 더 모으면 모두 몇 개예요?"
        if task.op == "+":
            return f"{named} {things} {a}개 모았어요. {b}개를 더 모았어요. {left} 모두 몇 개예요?"
        if short:
            return f"{named} {what} {a}개 가운데 {b}개를 친구에게 주면 몇 개가 남아요?"
        return f"{named} {things} {a}개 가지고 있었어요. {b}개를 친구에게 주었어요. 남은 {left} 몇 개예요?"
    return f"{a}{SIGNS[task.op]}{b}="


def _with_gaps(task: Task) -> str:
    """The first number without its first digit, the second without its last: □5+3□=82."""
    a, b = str(task.a), str(task.b)
    return f"□{a[1:]}{SIGNS[task.op]}{b[:-1]}□={task.problem.answer}"


def _solved(task: Task) -> str:
    return f"{task.problem.expression}={task.problem.answer}"


def _purpose(task: Task) -> str:
    zero = ", 위의 수에 0이 있음" if task.kind == "borrow" and task.a % 10 == 0 else ""
    size = f"({_size(task.a)})" if task.op in "+-" else ""
    return f"{_KIND_TOLD[task.kind]}{size}{zero}"


def _size(number: int) -> str:
    return f"{['한', '두', '세', '네'][min(len(str(number)), 4) - 1]} 자리"


def _signal(task: Task, cause: str) -> str:
    wrong = wrong_answers(task.problem).get(cause) if cause else None
    right = task.problem.answer
    return (
        f" (바른 답 {right}. {with_particle(wrong, '이가')} 나오면 같은 실수예요)" if wrong not in (None, right) else ""
    )


# --- changes ----------------------------------------------------------------------------------------------------------

_Change: TypeAlias = Callable[[Sheet, str], tuple[Sheet, str] | None]


def _redrawn(sheet: Sheet, parts: Sequence[Part], first: str = "", **other: object) -> tuple[Sheet, str]:
    made = _drawn(replace(sheet, parts=tuple(parts), **other), len(sheet.sets))  # type: ignore[arg-type]
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
        next((place for place, (who, _) in enumerate(_ANIMALS) if who in message), None)
        if sheet.form == "story"
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
    kind = _named_kind(message, Focus(task.kind)) if re.search(r"[올내]림|덧셈|뺄셈", message) else task.kind
    taken = {one.problem.answer for one in tasks}
    drawn = _draw(Part(kind, 1, len(str(task.a)), small=bool(_SMALLER.search(message))), taken, Random(sheet.turn))  # noqa: S311
    named = f"{_KIND_TOLD[kind]}으로 " if kind != task.kind else ""
    return _at(
        sheet,
        place,
        lambda old: replace(old, a=drawn[0][0], op=drawn[0][1], b=drawn[0][2]),
        f"{named}바꾸었어요. 나머지는 그대로예요.",
    )


def _marked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    tasks = sheet.sets[0]
    if _MARKED.search(message):
        places = [str(place) for place, task in enumerate(tasks, start=1) if task.kind in ("carry", "borrow")]
        mark = sheet.mark or "표시"
        return sheet, f"{with_particle(mark, '은는')} {len(places)}개가 나와야 해요: {', '.join(places)}번이에요."
    if found := _MARK.search(message):
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


def _answered(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    return (sheet, answers(sheet)) if _ANSWERS.search(message) and not _ANSWER_ZERO.search(message) else None


def _purposed(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    return (
        (sheet, told(sheet, first="교사용으로 문제마다 보는 것을 적었어요.", purposes=True))
        if _PURPOSE.search(message)
        else None
    )


def _otherwise(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Other numbers: smaller, with a zero above, below a hundred, fewer digits."""
    parts = sheet.parts
    borrows = any(one.kind == "borrow" for one in parts)
    if _ANSWER_ZERO.search(message) and borrows:
        return sheet, (
            "받아내림이 있는 두 자리 뺄셈에서는 답의 일의 자리가 0이 될 수 없어요. 0이 되려면 두 일의 자리 숫자가 "
            "같아야 하는데, 그러면 받아내림이 없거든요(예: 64−24=40). 그런 문제를 하나 넣거나, 60−24처럼 위의 수에 "
            "0이 있는 것으로 할 수 있어요."
        )
    if _LIMITED.search(message):
        return sheet, told(sheet, first="모두 답이 100보다 작은 문제예요.")
    if re.search(r"세\s*자리", message):
        digits = 2 if _LESS.search(message) else 3
        first = "두 자리까지의 수로 다시 냈어요." if digits == 2 else "세 자리 수로 바꾸었어요."
        same = all(one.digits == digits for one in parts)
        kept = sheet, told(sheet, first="네, 모두 두 자리까지의 수예요." if digits == 2 else "모두 세 자리 수예요.")
        return kept if same else _redrawn(sheet, [replace(one, digits=digits) for one in parts], first)
    if _ZERO.search(message) and borrows:
        rest = sum(one.count for one in parts) - 2
        zeros = [Part("borrow", min(2, rest + 2), zero=True), *([Part("borrow", rest, zero=False)] if rest > 0 else [])]
        return _redrawn(sheet, zeros, f"{zeros[0].count}문제는 위의 수에 0이 있고, 나머지도 모두 받아내림이 있어요.")
    if _SMALLER.search(message):
        return _redrawn(
            sheet,
            [replace(one, small=True, digits=2, zero=None) for one in parts],
            "수를 작게 해서 따로 냈어요. 받아올림·받아내림은 그대로예요.",
            turn=sheet.turn + 1,
        )
    if _HARDER.search(message):
        return _redrawn(
            sheet, [replace(one, small=False, digits=min(3, one.digits + 1)) for one in parts], "자리를 하나 늘렸어요."
        )
    return None


def _in_other_words(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Stories of one sentence, or another form."""
    form: Form | None = "gap" if _GAP.search(message) else "story" if _STORY.search(message) else None
    if form and form != sheet.form:
        parts = [replace(one, digits=2) for one in sheet.parts] if form == "gap" else sheet.parts
        return _redrawn(
            sheet, parts, "빈칸 채우기로 바꾸었어요." if form == "gap" else "문장제로 바꾸었어요.", form=form
        )
    if sheet.form == "story" and _SHORT.search(message):
        made = replace(sheet, short=True)
        return made, told(made, first="식은 그대로 두고 한 문장씩으로 줄였어요.")
    return None


def _counted_anew(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Other numbers of problems, more of them, or others of the same kind."""
    focus = Focus(sheet.parts[0].kind)
    if parts := _parts(message, focus):
        return _redrawn(sheet, parts, turn=sheet.turn + 1)
    count, more = _count(message), bool(_MORE.search(message))
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
        one, last = task.a % 10, with_particle(task.problem.answer % 10, "이가")
        return sheet, (
            f"세 단계면 충분해요. {with_particle(_with_gaps(task), '이가')} 나오면, "
            f'1단계 "일의 자리부터 볼까? {one}에서 어떻게 하면 끝이 {last} 되지?", '
            '2단계 "십의 자리로 넘어간(빌려준) 것이 있을까?", 3단계 "그럼 십의 자리 빈칸은?"이에요. '
            "답을 말하지 말고, 한 단계마다 잠깐 기다려 주세요."
        )
    return sheet, (
        '두세 단계면 돼요. 1단계 "무엇을 구하는 거지?", 2단계 "일의 자리부터 해 볼까? 십이 생기거나 모자라?", '
        "3단계 모형이나 그림으로 그 한 걸음만 함께 하세요. 답은 말하지 말고 한 단계마다 기다려 주세요."
    )


_CHANGES: Final[tuple[_Change, ...]] = (
    _swapped, _marked, _with_picture, _laid_out, _answered, _purposed, _hinted, _in_other_words, _counted_anew,
    _otherwise, _one_other,
)  # fmt: skip
"""In the order in which they are looked for."""

"""The texts of worksheets: problems as sums, gaps, pictures or stories, and their answers."""

import re
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import SIGNS
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.worksheets.sheet_problems import Part, Sheet, Task
from maththera.knowledge.explanations import explained
from maththera.korean.particles import with_particle

ANIMALS: Final = (
    ("토끼", "당근"), ("다람쥐", "도토리"), ("펭귄", "물고기"), ("곰", "사과"), ("강아지", "공"), ("원숭이", "바나나"),
)  # fmt: skip
KIND_NAMES: Final[dict[str, str]] = {
    "add": "받아올림이 없는 덧셈", "carry": "받아올림이 있는 덧셈",
    "take": "받아내림이 없는 뺄셈", "borrow": "받아내림이 있는 뺄셈",
    "times": "곱셈구구", "share": "곱셈구구로 찾는 나눗셈",
}  # fmt: skip
_THEMES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "떡볶이": (("떡", "개"), ("어묵", "개"), ("튀김", "개")),
    "빵": (("크림빵", "개"), ("식빵", "개"), ("쿠키", "개")),
    "동물원": (("새", "마리"), ("원숭이", "마리"), ("물고기", "마리")),
    "분식": (("김밥", "개"), ("어묵", "개"), ("만두", "개")),
    "문구": (("연필", "자루"), ("공책", "권"), ("지우개", "개")),
    "바다": (("조개", "개"), ("물고기", "마리"), ("게", "마리")),
    "도서관": (("책", "권"), ("의자", "개"), ("책갈피", "장")),
    "과일": (("사과", "개"), ("귤", "개"), ("딸기", "개")),
    "시장": (("사과", "개"), ("감자", "개"), ("생선", "마리")),
    "마트": (("사과", "개"), ("과자", "개"), ("우유", "개")),
}  # fmt: skip
"""Part of a place's name → things that are counted there."""
_ANYWHERE: Final = (("손님", "명"), ("의자", "개"), ("풍선", "개"))
_COLLECTED: Final = (("스티커", "장"), ("카드", "장"), ("그림", "장"))
_PLACE: Final = re.compile(
    r"(?:집|원|장|점|관|방|실|터|가게|학교|바다|마트|카페|역|숲|산|섬|나라|마을|동네|우주|놀이공원|농장)$"
)


@dataclass(frozen=True, slots=True)
class _Story:
    """Templates of a story. `sum`, `rest`: for an addition and a subtraction; `brief_`…: in one short sentence."""

    sum: str
    rest: str
    brief_sum: str
    brief_rest: str


_AT_PLACE: Final = _Story(
    "{place}에 {what:이가} {a}{unit} 있어요. {b}{unit:이가} 더 들어왔어요. {what:은는} 모두 몇 {unit}일까요?",
    "{place}에 {what:이가} {a}{unit} 있었어요. {b}{unit:이가} 나갔어요. 남은 {what:은는} 몇 {unit}일까요?",
    "{place} {what} {a}{unit}, {b}{unit} 더. 모두 몇 {unit}?",
    "{place} {what} {a}{unit}, {b}{unit} 빼면 몇 {unit}?",
)
_OF_THINGS: Final = _Story(
    "{what:을를} {a}{unit} 모았어요. {b}{unit:을를} 더 모았어요. {what:은는} 모두 몇 {unit}일까요?",
    "{what:이가} {a}{unit} 있었어요. {b}{unit:을를} 친구에게 주었어요. 남은 {what:은는} 몇 {unit}일까요?",
    "{what} {a}{unit}, {b}{unit} 더. 모두 몇 {unit}?",
    "{what} {a}{unit}, {b}{unit} 주면 몇 {unit}?",
)


def sheet_text(sheet: Sheet, *, first: str = "", purposes: bool = False, cause: str = "") -> str:
    """The sheet as text. `first`: an introduction; `purposes`: with what each problem is for; `cause`: the wrong
    procedure whose answer stands beside each problem."""
    lines = [first or _title(sheet), *([sheet.head] if sheet.head else [])]
    if sheet.mark:
        marking = with_particle(sheet.mark, "을를")
        lines.append(f"풀기 전에 받아올림이나 받아내림이 있는 문제에 먼저 {marking} 표시하게 해 주세요.")
    for name, tasks in zip("AB", sheet.sets, strict=False):
        if len(sheet.sets) > 1:
            lines.append(f"{name}형")
        for place, task in enumerate(tasks, start=1):
            purpose = f" — {_purpose(task)}" if purposes else _signal(task, cause)
            lines.append(f"{place}) {_line(task, sheet)}{purpose}")
    if sheet.answers:
        lines += ["", *_answer_lines(sheet)]
    return "\n".join(lines)


def answers_text(sheet: Sheet) -> str:
    """The answers of a sheet."""
    return "\n".join(["정답이에요.", *_answer_lines(sheet, head="")])


def _answer_lines(sheet: Sheet, head: str = "정답 ") -> list[str]:
    lines: list[str] = []
    for name, tasks in zip("AB", sheet.sets, strict=False):
        each = ", ".join(f"{place}) {solved(task)}" for place, task in enumerate(tasks, start=1))
        lines.append(f"{head}{name}형: {each}" if len(sheet.sets) > 1 else f"{head}{each}")
    return lines


def solved(task: Task) -> str:
    """52−38=14, 17÷5=3 … 2"""
    return f"{task.expression}={task.answer}{f' … {task.rest}' if task.rest else ''}"


def steps(task: Task) -> str:
    """52−38=14: 50−10=40, 10+2=12, …"""
    if task.rest:
        shared = task.b * task.answer
        return f"{solved(task)}: {task.b}×{task.answer}={shared}, {task.a}−{shared}={task.rest}"
    return f"{solved(task)}: {', '.join(step.expression for step in explained(task.problem))}"


def with_gaps(task: Task) -> str:
    """The first number without its first digit, the second without its last: □5+3□=82."""
    a, b = str(task.a), str(task.b)
    return f"□{a[1:]}{SIGNS[task.op]}{b[:-1]}□={task.answer}{f' … {task.rest}' if task.rest else ''}"


def _title(sheet: Sheet) -> str:
    count = sum(one.count for one in sheet.parts)
    named = [*dict.fromkeys(map(kind_name, sheet.parts))]
    kinds = "덧셈과 뺄셈" if len({one.kind for one in sheet.parts}) > 2 else ", ".join(named)
    if len(named) == 2:
        kinds = f"{with_particle(named[0], '과와')} {named[1]}"
    if sheet.form == "bond":
        kinds = "10이 되는 짝 찾기"
    form = {"gap": " 빈칸 채우기", "story": " 문장제"}.get(sheet.form, "")
    sets = f" 두 벌, {count}문제씩" if len(sheet.sets) > 1 else f" {count}문제"
    below = "" if sheet.answers else ' 답은 "답도요"라고 하시면 따로 드려요.'
    rest = " 나머지가 있는 나눗셈은 아이가 푸는 연습에는 없어서 종이로만 하고 기록에는 남지 않아요."
    rest = rest if any(one.rest for one in sheet.parts) else ""
    return fill_template("{head:예요}.{below}{rest}", head=f"{kinds}{form}{sets}", below=below, rest=rest)


def kind_name(part: Part) -> str:
    """The Korean name of the kind of problem in a part."""
    if part.rest:
        return "나머지가 있는 나눗셈"
    if part.kind == "times" and part.ones:
        return "(두 자리)×(한 자리) 곱셈"
    return f"{part.table}단" if part.table and part.kind == "times" else KIND_NAMES[part.kind]


def _line(task: Task, sheet: Sheet) -> str:
    a, b = task.a, task.b
    if task.form == "gap":
        return with_gaps(task)
    if task.form == "bond":
        return f"{a}{SIGNS[task.op]}□={task.answer}"
    if task.form == "picture" and sheet.form == "bond":
        return f"{'●' * a}{'○' * b}  ●은 {a}개. 10이 되려면 몇 개 더 있어야 해요?"
    if task.form == "picture":
        drawn = " ".join(filter(None, ["▮" * (a // 10), "●" * (a % 10)]))
        other = " ".join(filter(None, ["▮" * (b // 10), "●" * (b % 10)]))
        asked = (
            "모두 얼마예요?" if task.op == "+" else f"여기서 {b}만큼(▮ {b // 10}개, ● {b % 10}개) 지우면 얼마가 남아요?"
        )
        return f"{drawn}{f' 와 {other}, ' if task.op == '+' else ', '}{asked} (▮은 십, ●은 하나)"
    if task.form == "story" and task.op in "+-":
        return _themed(task, sheet) if sheet.theme else _of_animal(task, short=sheet.short)
    return f"{a}{SIGNS[task.op]}{b}="


def _of_animal(task: Task, *, short: bool) -> str:
    a, b = task.a, task.b
    who, what = ANIMALS[task.teller % len(ANIMALS)]
    named, things = with_particle(who, "이가"), with_particle(what, "을를")
    left = with_particle(what, "은는")
    if task.op == "+" and short:
        return f"{named} {what} {a}개에 {b}개를 더 모으면 모두 몇 개예요?"
    if task.op == "+":
        return f"{named} {things} {a}개 모았어요. {b}개를 더 모았어요. {left} 모두 몇 개예요?"
    if short:
        return f"{named} {what} {a}개 가운데 {b}개를 친구에게 주면 몇 개가 남아요?"
    return f"{named} {things} {a}개 가지고 있었어요. {b}개를 친구에게 주었어요. 남은 {left} 몇 개예요?"


def _themed(task: Task, sheet: Sheet) -> str:
    theme = sheet.theme
    known = next((things for word, things in _THEMES.items() if word in theme), ())
    at_place = bool(known) or _PLACE.search(theme) is not None
    things = known or (_ANYWHERE if at_place else tuple((f"{theme} {what}", unit) for what, unit in _COLLECTED))
    what, unit = things[task.teller % len(things)]
    story = _AT_PLACE if at_place else _OF_THINGS
    text = (
        (story.brief_sum if sheet.short else story.sum)
        if task.op == "+"
        else (story.brief_rest if sheet.short else story.rest)
    )
    return fill_template(text, place=theme, what=what, unit=unit, a=task.a, b=task.b)


def _purpose(task: Task) -> str:
    zero = ", 위의 수에 0이 있음" if task.kind == "borrow" and task.a % 10 == 0 else ""
    size = f"({_size(task.a)})" if task.op in "+-" else ""
    return f"{KIND_NAMES[task.kind]}{size}{zero}"


def _size(number: int) -> str:
    return f"{['한', '두', '세', '네'][min(len(str(number)), 4) - 1]} 자리"


def _signal(task: Task, cause: str) -> str:
    wrong = wrong_answers(task.problem).get(cause) if cause and not task.rest else None
    right = task.answer
    return (
        f" (바른 답 {right}. {with_particle(wrong, '이가')} 나오면 같은 실수예요)" if wrong not in (None, right) else ""
    )

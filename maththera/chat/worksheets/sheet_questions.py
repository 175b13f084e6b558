"""Questions about a worksheet that do not change it: answers, steps, the purpose of each problem, a check of one
problem, hints, layout."""

import re
from typing import Final

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.worksheets.problem_changes import places_named
from maththera.chat.worksheets.sheet_problems import Sheet
from maththera.chat.worksheets.sheet_texts import KIND_NAMES, answers_text, sheet_text, solved, steps, with_gaps
from maththera.korean.particles import with_particle

ANSWERS: Final = re.compile(
    r"(?:^|\s|문제)(?:정?답|해답)(?:지|안|안지)?(?:도|은|는|만|을|이|이랑|까지|를)?\s*"
    r"(?:요|따로|주|줘|알려|같이|좀|보여|부탁|달라|뭐|뭔|몇|만들|다\s|전부|확인|\W*$)|채점(?:\s*기준|용|하게|할\s*(?:거|수|때))"
)
_ANSWER: Final = re.compile(r"(?:^|\s)(?:정답|해답|답)(?!장|변|답|이\s*\d|은\s*\d)")
_ONE_ANSWER: Final = re.compile(r"번\s*(?:문제)?\s*(?:은|는|의)?\s*(?:정?답|해답)\S{0,2}\s*(?:뭐|뭔|몇|알려|얼마|\W*$)")
_BRIEF: Final = 16
"""In a shorter message, the mere word for answers asks for them."""
ANSWER_ZERO: Final = re.compile(r"답에\s*(?:0|영|공)|답이\s*(?:몇십|0으로)")
_WORKED: Final = re.compile(r"풀이(?!\s*(?:시간|속도|기록))|푸는\s*(?:방법|과정|법)|해설")
_PURPOSE: Final = re.compile(r"(?:뭘|무엇을?|뭐를?|무얼)\s*보는|의도|교사용|평가\s*요소|보는\s*건지")
_LAYOUT: Final = re.compile(r"글(?:씨|자).{0,4}(?:크|키)|칸.{0,4}(?:넓|크)|(?:줄|문제)\s*간격")
_MARKED: Final = re.compile(r"(?:별|세모|네모|동그라미|체크|표시)\S{0,2}\s*(?:가|는|이)?\s*(?:몇|총|모두)")
_HINTS: Final = re.compile(r"힌트")
_REALLY: Final = re.compile(r"(?:맞[아나죠는지]|맞습|정말|진짜|확실|틀[리린렸]|인가|있나|있어요\?|이상|되나|없나)")


def marks_counted(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """How many problems the child should have marked, and which."""
    if not _MARKED.search(message):
        return None
    tasks = sheet.sets[0]
    places = [str(place) for place, task in enumerate(tasks, start=1) if task.kind in ("carry", "borrow")]
    mark = sheet.mark or "표시"
    return sheet, f"{with_particle(mark, '은는')} {len(places)}개가 나와야 해요: {', '.join(places)}번이에요."


def problem_checked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Whether one problem is of the kind that it should be."""
    places = places_named(message, len(sheet.sets[0]))
    if len(places) != 1 or not _REALLY.search(message) or re.search(r"바꿔|바꾸|빼|로\s*해|다른", message):
        return None
    task = sheet.sets[0][places[0]]
    a, b = task.a % 10, task.b % 10
    why = {
        "carry": f"일의 자리가 {a}+{b}={a + b}이라 받아올림이 있어요",
        "add": f"일의 자리가 {a}+{b}={a + b}이라 받아올림이 없어요",
        "borrow": f"일의 자리 {a}에서 {with_particle(b, '을를')} 뺄 수 없어서 받아내림이 있어요",
        "take": f"일의 자리가 {a}−{b}={a - b}이라 받아내림이 없어요",
    }.get(task.kind, f"{KIND_NAMES[task.kind]} 문제예요")
    denies = re.search(r"없는|없나|없죠", message) is not None
    asked = "림" in message
    holds = denies == (task.kind in ("add", "take")) if asked else True
    first = "네, 맞아요." if holds else "아니요, 달라요."
    more = "" if holds else f' "{places[0] + 1}번 바꿔 줘"라고 하시면 바꾸어 드려요.'
    return sheet, fill_template("{first} {place}번은 {said:예요}. {why}.{more}", first=first, place=places[0] + 1,
                                said=solved(task), why=why, more=more)  # fmt: skip


def layout_told(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """How to print the sheet with larger letters or more room."""
    if not _LAYOUT.search(message):
        return None
    half = (len(sheet.sets[0]) + 1) // 2
    return sheet, (
        "이 대화는 글로만 드려서 글씨 크기까지는 정할 수 없어요. 문서에 붙여 24포인트쯤으로 키우고, "
        f"한 장에 {half}문제씩 나누고, 문제마다 자리를 맞추어 쓸 네모 칸을 두세요. 문제는 그대로예요."
    )


def steps_told(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The steps of every problem."""
    if not _WORKED.search(message) or re.search(r"어떻게\s*(?:가르|설명)|왜", message):
        return None
    lines = ["문제마다 푸는 차례예요."]
    for name, tasks in zip("AB", sheet.sets, strict=False):
        lines += [f"{name}형"] if len(sheet.sets) > 1 else []
        lines += [f"{place}) {steps(task)}" for place, task in enumerate(tasks, start=1)]
    return sheet, "\n".join(lines)


def answers_told(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The answers, or the one that is asked for: 3번 답이 뭐예요?"""
    places = places_named(message, len(sheet.sets[0]))
    if len(places) == 1 and _ONE_ANSWER.search(message):
        return sheet, f"{places[0] + 1}번은 {with_particle(solved(sheet.sets[0][places[0]]), '예요')}."
    asked = ANSWERS.search(message) or (len(message) <= _BRIEF and _ANSWER.search(message))
    return (sheet, answers_text(sheet)) if asked and not ANSWER_ZERO.search(message) else None


def purposes_told(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with the purpose of each problem."""
    return (
        (sheet, sheet_text(sheet, first="교사용으로 문제마다 보는 것을 적었어요.", purposes=True))
        if _PURPOSE.search(message)
        else None
    )


def hints_told(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """Hints for each problem, the smallest first."""
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

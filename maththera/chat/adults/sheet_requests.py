"""Worksheets that adults ask for, and their changes: what they are about, and why."""

import re
from dataclasses import replace
from typing import Final

from maththera.chat.adults.adult_board import AdultBoard
from maththera.chat.adults.adult_request import KINDS_OF_SUBJECTS, AdultAnswer, AdultRequest
from maththera.chat.coach.learner_facts import KindCounts, kind_of, kinds_in
from maththera.chat.records.child_record import Child
from maththera.chat.worksheets.new_sheets import (
    asks_for_examples,
    is_of_sheet,
    missed_wanted,
    new_sheet,
    of_missed,
    too_many,
)
from maththera.chat.worksheets.sheet_changes import changed_sheet
from maththera.chat.worksheets.sheet_problems import Focus, Sheet
from maththera.chat.worksheets.sheet_texts import KIND_NAMES, answers_text, sheet_text
from maththera.korean.particles import with_particle

_OF_WHAT: Final = re.compile(r"[한두세]\s*자리|구구단|곱셈|나눗셈|덧셈|뺄셈|받아[올내]림|문장제|[2-9]\s*단")
_ALIKE: Final = re.compile(
    r"^\W*(?:그럼\s*|그거랑\s*|이거랑\s*)?(?:비슷한|같은|이런|그런)\s*(?:거|것|걸|문제|유형|종류)\S{0,2}\s*(\d{1,2})\s*(?:개|문제)"
)
"""What wants problems like those that were told."""
_FOR_ANOTHER: Final = re.compile(r"것|거(?:도|는|로|\s|$|\W)|꺼|도\s|용|한테|에게|버전|맞[게춰]|위한|위해")
"""What wants the same for the child that is named."""
_ONE_MORE: Final = re.compile(
    r"^\W*(?:그럼\s*)?(?:하나|한\s*개|두\s*개|세\s*개|\d+\s*개|몇\s*개)(?:만|를)?\s*(?:만들|내|뽑)"
)
"""What wants problems of what was spoken of and does not name them."""
_FEW_LETTERS: Final = 20
_ASKS: Final = re.compile(r"어떻게|왜|몇")
_OF_MISTAKES: Final = re.compile(
    r"(?:오류|실수|오답|틀[리린렸]\S*|약점|어려워하는)\S*\s*(?:\S{1,6}\s*){0,3}(?:정리|알려|설명|말해|분석|요약|보여|짚어|찾아)"
)
"""What wants to know of the mistakes besides the problems."""
_FORMS: Final = {"story": "문장제", "gap": "빈칸"}
_EXAMPLES: Final = "문제 3개"


async def changed_worksheet(request: AdultRequest, sheet: Sheet) -> AdultAnswer | None:
    """The worksheet that was made last as a message wants it otherwise, or the same for the child that it names."""
    about = request.board.about
    child = await request.child(request.named[0] if request.named else about)
    if request.named and request.named[0] != about and _FOR_ANOTHER.search(request.text):
        return _for_another(child, request.named[0], sheet)
    if (found := changed_sheet(sheet, request.text, child.focus)) is None:
        return None
    return AdultAnswer(found[1], AdultBoard(found[0], about))


def _for_another(child: Child, student_id: str, sheet: Sheet) -> AdultAnswer:
    """A sheet like the one that was made, of what another child needs."""
    count, form = sum(part.count for part in sheet.parts), _FORMS.get(sheet.form, "")
    made, _ = new_sheet(f"{form} {'도전 ' if child.all_right else ''}문제 {count}개", child.focus)
    made = replace(made, answers=sheet.answers, short=sheet.short, theme=sheet.theme, head=sheet.head)
    return AdultAnswer(sheet_text(made, first=_why(child, made)), AdultBoard(made, student_id))


async def missed_problems(request: AdultRequest) -> AdultAnswer | None:
    """A worksheet of the problems that a child got wrong."""
    text, about = _in_full(request), request.about_or_told
    if not about or not missed_wanted(text):
        return None
    child = await request.child(about)
    sheet = of_missed([one.problem for one in child.answers if not one.right], text)
    if sheet is None:
        return None
    said = "\n".join(filter(None, [sheet_text(sheet, first=_missed(child, sheet)), too_many(text)]))
    return AdultAnswer(said, AdultBoard(sheet, about))


def _missed(child: Child, sheet: Sheet) -> str:
    """How often a child was wrong, and what it answered to the problems of a sheet."""
    wrong = [one for one in child.answers if not one.right]
    given = {one.problem.expression: one.given for one in wrong}
    before = ", ".join(
        f"{place}) {given[task.expression]}"
        for place, task in enumerate(sheet.sets[0], start=1)
        if given.get(task.expression) is not None
    )
    first = f"{with_particle(child.called, '이가')} 틀린 것은 모두 {len(wrong)}번이고,"
    return f"{first} 그 문제 {len(sheet.sets[0])}개를 다시 풀게 모았어요.\n그때 쓴 답: {before}"


async def new_worksheet(request: AdultRequest) -> AdultAnswer | None:
    """A worksheet, or a few examples of what was told."""
    text, about = _in_full(request), request.about_or_told
    if about and (alike := _ALIKE.match(text)):
        text = f"비슷한 문제 {alike[1]}개 만들어 줘"
    wanted = is_of_sheet(text)
    exemplified = request.about is not None and request.board.made is None and asks_for_examples(request.text)
    if not (wanted or exemplified):
        return None
    child = await request.child(about)
    sheet, said = new_sheet(text if wanted else _EXAMPLES, _focus(request, child, text, about))
    said = said if wanted else f"{said}\n{answers_text(sheet)}"
    why = _why(child, sheet, mistakes=bool(_OF_MISTAKES.search(text))) if child.name and request.about else ""
    return AdultAnswer("\n".join(filter(None, [why, said])), AdultBoard(sheet, about))


def _in_full(request: AdultRequest) -> str:
    """A message with what it leaves out: what is wanted in place of what was declined, problems of what was spoken
    of."""
    text, board = request.text, request.board
    if board.declined and not is_of_sheet(text) and _is_named_instead(text):
        text = f"{text} 문제 만들어 줘"
    if _ONE_MORE.match(text):
        kinds = " ".join(_OF_WHAT.findall(board.offered))
        text = f"{kinds} {'문장제' if request.before.subject == 'words' else '문제'} {text}"
    return text


def _is_named_instead(text: str) -> bool:
    """Whether a message names, in a few words, what it would have in place of what was declined."""
    return len(text) <= _FEW_LETTERS and bool(kinds_in(text)) and not _ASKS.search(text)


def _focus(request: AdultRequest, child: Child, text: str, about: str | None) -> Focus:
    """What a sheet for a child is about: the subject that is spoken of, what is hard for it; of one that is alike, what
    it got wrong last, be it ever so little."""
    focus, wrong = child.focus, [one.problem for one in child.answers if not one.right]
    if not child.weakest and wrong and "비슷한" in text:
        focus = replace(focus, kind=kind_of(wrong[-1]), right=False)
    spoken_of = KINDS_OF_SUBJECTS.get(request.before.subject)
    return replace(focus, kind=spoken_of, known=True) if spoken_of and not (about and child.weakest) else focus


def _mistakes_of(kind: KindCounts) -> list[str]:
    """The wrong procedures of a kind of problems, the commonest first, and wrong answers."""
    causes = [f"- ‘{one['title']}’: {one['count']}번" for one in kind["causes"]]
    shown = ", ".join(f"{one['expression']}→{one['given']}" for one in kind["examples"])
    return [*causes, *([f"- 그렇게 쓴 답: {shown}"] if shown else [])]


def _why(child: Child, sheet: Sheet, *, mistakes: bool = False) -> str:
    """Why a sheet is of what it is, by the records of the child; "" where it is of something else. `mistakes`: with how
    they came, and examples."""
    called = with_particle(child.called, "은는")
    if child.facts is None or not child.known:
        return f"{called} 아직 기록이 없어서 흔히 시작하는 것으로 냈어요."
    weak = child.weakest
    if weak and any(part.kind == weak["kind"] for part in sheet.parts):
        wrong, kind = weak["answered"] - weak["right"], KIND_NAMES[weak["kind"]]
        counted = f"{kind} {weak['answered']}문제 가운데 {wrong}번 틀려서"
        lines = [f"{with_particle(child.called, '이가')} {counted} 그것으로 냈어요."]
        return "\n".join([*lines, *(_mistakes_of(weak) if mistakes else ())])
    if child.all_right:
        return f"{called} {child.facts['answered']}문제 가운데 {child.facts['right']}문제를 맞혔어요."
    return ""

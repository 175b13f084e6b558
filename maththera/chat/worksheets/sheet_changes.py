"""Changes to a worksheet that adults ask for, in the order in which they are tried."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from maththera.chat.coach.learner_facts import KindId
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.messages.wishes import wishes_in
from maththera.chat.worksheets.new_sheets import (
    EXAMPLES,
    FEW,
    GAP,
    LESS,
    MARK,
    SHORT,
    STORY,
    ZERO,
    below,
    count_of,
    leaves_rest,
    new_sheet,
    parts_of,
    theme_of,
    too_many,
    two_and_one,
)
from maththera.chat.worksheets.problem_changes import one_other, some_otherwise, swapped, with_picture
from maththera.chat.worksheets.sheet_problems import Focus, Form, Part, Sheet, drawn
from maththera.chat.worksheets.sheet_questions import (
    ANSWER_ZERO,
    ANSWERS,
    answers_told,
    hints_told,
    layout_told,
    marks_counted,
    problem_checked,
    purposes_told,
    steps_told,
)
from maththera.chat.worksheets.sheet_remakes import (
    headed,
    of_amount,
    of_answers,
    of_difficulty,
    of_one_set,
    of_operation,
    pictured,
    shuffled,
)
from maththera.chat.worksheets.sheet_texts import sheet_text

_FEW_LETTERS: Final = 20
_THING: Final = re.compile(r"(?:^|\s)([가-힣]{2,6}?)(?:으)?로\s*(?:요|해|바꿔|바꾸|만들|부탁|줘|\W*$)")
_NO_THING: Final = re.compile(
    r"^(?:새|따|서|다시|바|그대|하나|종이|표|문장|빈칸|네모|덧셈|뺄셈|곱셈|나눗셈|더하기|빼기|구구|받아|두\s*자리|한\s*자리|세\s*자리|위|아래|앞|뒤|식|숫자|그림|절반|반|그걸|이걸|걸|것)"
)
_NO_ANSWERS: Final = re.compile(r"(?:정?답|해답)\S{0,2}\s*(?:은|는|을|를)?\s*(?:빼|없|지워|말고|가려|숨)")
_LIMITED: Final = re.compile(r"(?:백|100)\s*(?:이|을|은)?\s*(?:안\s*)?넘|(?:백|100)\s*(?:이하|미만|까지|안쪽)")
_THREE_DIGITS: Final = re.compile(r"세\s*자리")
_FEW_WORDS: Final = 16
"""A shorter message that names a number of problems says little else."""
_FEW_SENTENCES: Final = 30
"""A shorter message that asks for the sheet again says little else."""
_MORE: Final = re.compile(r"(?:더|추가)(?:로|요)?\s*(?:줘|주|만들|내|뽑|\W*$)|다른\s*(?:걸|것|문제|거)(?:로|도)?|새로")
_ANOTHER_SET: Final = re.compile(
    r"(?:한|하나|두|또|새)\s*(?:세트|벌|묶음)|세트\s*(?:더|하나)|도\s*(?:만들|한|주|줘|하나)"
)
_TIDY: Final = re.compile(
    r"(?:인쇄|출력|프린트|깔끔|정리|다시\s*(?:한\s*번|보여|써|줘)|한\s*번\s*(?:만\s*)?더|전체|최종)"
)
_CARRIES: Final = re.compile(
    r"([올내])림\s*(?:이|가)?\s*(있|없)(?:는|게|도록|이)\s*(?:\S{1,3}\s*)?(?:걸|것|거|문제|해|바꿔|\W*$)"
)
_Change: TypeAlias = Callable[[Sheet, str], tuple[Sheet, str] | None]


def changed_sheet(sheet: Sheet, message: str, focus: Focus) -> tuple[Sheet, str] | None:
    """The sheet after the change that a message asks for, and the reply; None if it asks for no change. A message may
    ask for several: "6문제로 줄여 주시고 답도 넣어 주세요"."""
    wishes = wishes_in(message)
    if len(wishes) > 1 and (several := _several(sheet, wishes, focus)) is not None:
        return several
    return _one_change(sheet, message, focus)


def _several(sheet: Sheet, wishes: Sequence[str], focus: Focus) -> tuple[Sheet, str] | None:
    """The sheet with all of several wishes fulfilled; None if one of them is no wish."""
    made = sheet
    for wish in wishes:
        if (found := _one_change(made, wish, focus)) is None:
            return None
        made = replace(found[0], answers=found[0].answers or ANSWERS.search(wish) is not None)
    return None if made == sheet else (made, sheet_text(made, first="말씀하신 대로 바꾸었어요."))


def _one_change(sheet: Sheet, message: str, focus: Focus) -> tuple[Sheet, str] | None:
    for change in _CHANGES:
        if (found := change(sheet, message)) is not None:
            return found
    if EXAMPLES.match(message):
        return new_sheet(f"문제 {FEW}개", focus)
    return None


def _redrawn(sheet: Sheet, parts: Sequence[Part], first: str = "") -> tuple[Sheet, str]:
    """The sheet with new problems of these parts."""
    made = drawn(replace(sheet, parts=tuple(parts)), len(sheet.sets))
    return made, sheet_text(made, first=first)


def _marked(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with another mark for problems with a carry or a borrow."""
    if (found := MARK.search(message)) is None:
        return None
    made = replace(sheet, mark=found[2] or "동그라미")
    return made, sheet_text(made, first=f"표시는 {made.mark} 모양으로 바꾸었어요. 문제는 그대로예요.")


def _without_answers(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not _NO_ANSWERS.search(message):
        return None
    made = replace(sheet, answers=False)
    return made, sheet_text(made, first="답은 빼고 문제만 적었어요.")


def _with_answers(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not below(message) or ANSWER_ZERO.search(message):
        return None
    made = replace(sheet, answers=True)
    return made, sheet_text(made, first="정답을 맨 아래에 적었어요.")


def _set_elsewhere(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with stories about another place or thing: the same numbers, or a second set."""
    theme = theme_of(message) or _thing_named(sheet, message)
    if sheet.form != "story" or not theme or theme == sheet.theme:
        return None
    other = replace(sheet, theme=theme, short=sheet.short or bool(SHORT.search(message)))
    if not _ANOTHER_SET.search(message):
        return other, sheet_text(other, first=f"수는 그대로 두고 배경만 {_to(theme)} 바꾸었어요.")
    return _redrawn(replace(other, turn=sheet.turn + 1), other.parts, f"{_to(theme)} 한 벌 더 만들었어요.")


def _thing_named(sheet: Sheet, message: str) -> str:
    """The topic of the stories, if the message names nothing else: 축구로."""
    found = _THING.search(message) if sheet.form == "story" and len(message) <= _FEW_LETTERS else None
    return found[1] if found and not _NO_THING.search(found[1]) else ""


def _to(word: str) -> str:
    return fill_template("{word:로}", word=word)


def _of_two_and_one(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    if not two_and_one(message):
        return None
    parts = [replace(one, digits=2, ones=True, zero=None) for one in sheet.parts]
    return _redrawn(sheet, parts, "(두 자리)와 (한 자리)로 바꾸었어요.")


def _shown_again(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    shown = _TIDY.search(message) and len(message) < _FEW_SENTENCES
    return (sheet, sheet_text(sheet, first="지금까지의 학습지예요.")) if shown else None


def _with_carries(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with or without carries and borrows."""
    if (found := _CARRIES.search(message)) is None:
        return None
    op, has = ("+" if found[1] == "올" else "-"), found[2] == "있"
    kinds: tuple[KindId, KindId] = ("add", "carry") if op == "+" else ("take", "borrow")
    if all(one.kind not in kinds for one in sheet.parts):
        return None
    first = f"받아{found[1]}림이 {found[2]}는 {'덧셈' if op == '+' else '뺄셈'}으로 바꾸었어요."
    parts = [replace(one, kind=kinds[has], zero=None) if one.kind in kinds else one for one in sheet.parts]
    return _redrawn(sheet, parts, first)


def _with_rest(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with or without remainders."""
    if "나머지" not in message or all(one.kind != "share" for one in sheet.parts):
        return None
    leaves = leaves_rest(message)
    parts = [replace(one, rest=leaves) if one.kind == "share" else one for one in sheet.parts]
    return _redrawn(sheet, parts, f"나머지가 {'있는' if leaves else '없는'} 나눗셈으로 바꾸었어요.")


def _with_zero_in_answer(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet without borrows that leave a zero."""
    if not ANSWER_ZERO.search(message) or not _borrows(sheet):
        return None
    return sheet, (
        "받아내림이 있는 두 자리 뺄셈에서는 답의 일의 자리가 0이 될 수 없어요. 0이 되려면 두 일의 자리 숫자가 "
        "같아야 하는데, 그러면 받아내림이 없거든요(예: 64−24=40). 그런 문제를 하나 넣거나, 60−24처럼 위의 수에 "
        "0이 있는 것으로 할 수 있어요."
    )


def _below_hundred(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    return (sheet, sheet_text(sheet, first="모두 답이 100보다 작은 문제예요.")) if _LIMITED.search(message) else None


def _of_three_digits(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with or without three-digit numbers."""
    if not _THREE_DIGITS.search(message):
        return None
    digits, first, kept = (
        (2, "두 자리까지의 수로 다시 냈어요.", "네, 모두 두 자리까지의 수예요.")
        if LESS.search(message)
        else (3, "세 자리 수로 바꾸었어요.", "모두 세 자리 수예요.")
    )
    if all(one.digits == digits for one in sheet.parts):
        return sheet, sheet_text(sheet, first=kept)
    return _redrawn(sheet, [replace(one, digits=digits) for one in sheet.parts], first)


def _with_zero_above(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with two borrows from a number that ends in zero."""
    if not ZERO.search(message) or not _borrows(sheet):
        return None
    rest = sum(one.count for one in sheet.parts) - 2
    zeros = [Part("borrow", min(2, rest + 2), zero=True), *([Part("borrow", rest, zero=False)] if rest > 0 else [])]
    return _redrawn(sheet, zeros, f"{zeros[0].count}문제는 위의 수에 0이 있고, 나머지도 모두 받아내림이 있어요.")


def _borrows(sheet: Sheet) -> bool:
    return any(one.kind == "borrow" for one in sheet.parts)


def _in_other_words(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with shorter stories, or in another form."""
    form: Form | None = "gap" if GAP.search(message) else "story" if STORY.search(message) else None
    if form and form != sheet.form:
        parts = [replace(one, digits=2) for one in sheet.parts] if form == "gap" else sheet.parts
        first = "빈칸 채우기로 바꾸었어요." if form == "gap" else "문장제로 바꾸었어요."
        return _redrawn(replace(sheet, form=form), parts, first)
    if sheet.form == "story" and SHORT.search(message):
        made = replace(sheet, short=True)
        first = (
            "이미 한 줄씩이에요. 더 줄이려면 식만 남길 수 있어요."
            if sheet.short
            else "식은 그대로 두고 글을 짧게 줄였어요."
        )
        return made, sheet_text(made, first=first)
    return None


def _counted_anew(sheet: Sheet, message: str) -> tuple[Sheet, str] | None:
    """The sheet with another number of problems, more of them, or others of the same kind."""
    others = replace(sheet, turn=sheet.turn + 1)
    if parts := parts_of(message, Focus(sheet.parts[0].kind)):
        return _redrawn(others, parts)
    count, more = count_of(message), bool(_MORE.search(message))
    if more or (count and len(message) < _FEW_WORDS):
        if len(sheet.parts) == 1 and count:
            return _redrawn(others if more else sheet, [replace(sheet.parts[0], count=count)], too_many(message))
        return _redrawn(others, sheet.parts)
    return None


_CHANGES: Final[tuple[_Change, ...]] = (
    swapped, marks_counted, _marked, problem_checked, with_picture, layout_told, _without_answers, steps_told,
    _with_answers, answers_told, purposes_told, hints_told, headed, of_one_set, _set_elsewhere, some_otherwise,
    shuffled, _of_two_and_one, _in_other_words, of_answers, one_other, of_operation, _counted_anew, _with_carries,
    _with_rest, _with_zero_in_answer, _below_hundred, _of_three_digits, _with_zero_above, of_difficulty, of_amount,
    pictured, _shown_again,
)  # fmt: skip
"""The changes, tried in this order."""

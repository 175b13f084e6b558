"""Worksheets for adults: what a message asks for, and the sheet that is made of it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.learner_facts import KindId
from maththera.chat.worksheets.sheet_problems import Focus, Form, Part, Sheet, Task, drawn, parts_that_make
from maththera.chat.worksheets.sheet_texts import sheet_text
from maththera.korean.numbers import SMALL_NUMBER, counted_in, parse_number

COUNT: Final = rf"({SMALL_NUMBER})"
_COUNTERS: Final = ("개", "문제", "문항", "가지")
_COUNTED_EACH: Final = re.compile(rf"{COUNT}\s*(?:개|문제|문항)?\s*씩")
_NOUN: Final = re.compile(
    r"학습지|연습지|문제지|활동지|진단지|평가지|시험지|(?:보충|연습|복습|과제)\s*(?:자료|거리|용)|(?:쉬운|어려운|비슷한)\s*(?:거|것|걸)\S?\s*(?:\d|한\s|두\s|세\s|몇)|연습(?=\s*\d)|(?:확인|연습|도전|비슷한|쉬운|어려운|새)\s*문제|문장제|빈칸\s*채우기|세트|문제|문항"
)
_WANTED: Final = re.compile(
    r"만들|내\s*(?:줘|주|달)|뽑아|출제|짜\s*(?:줘|주)|(?:^|\s|만|좀|개|제|를|을)\s*(?:줘|주세요|주실|주시|달라)|좀요|부탁|필요|추천"
    rf"|(?:{COUNT}\s*(?:개|문제|문항))\s*(?:{COUNT}\s*)?(?:장|벌|세트|씩)"
    rf"|(?:{COUNT}\s*(?:개|문제|문항))(?:만|로|으로)?\s*(?:좀|요|만)?\W*(?:$|[.,])|(?:학습지|문제)(?:로|요)\W*$|줄\s*(?:도전\s*)?문제"
)
_NOT_WANTED: Final = re.compile(
    r"(?:틀린|틀렸|맞힌|맞은|푼|풀었|걸린|기록)\S*\s*(?:문제|것|거)|몇\s*문제|문제(?:가|는)?\s*(?:있|없|라고|인|될|아닌|였)|보여|인쇄|어떤\s*문제"
    r"|문제\s*(?:행동|집)|겹치|예를\s*들|문제(?:로|를)\s*(?:예를|설명)|오답|순서|방법|얼마나|어떻게|물어|정답률|설명"
)
ZERO: Final = re.compile(
    r"(?<!\d)(?:0|영|공)(?:이|가)?\s*(?:있|들어|포함)|위(?:에|의\s*수에)?\s*(?:0|영)|몇십\s*(?:에서|빼)"
)
_TABLE: Final = re.compile(r"(?<!\d)([2-9])\s*단(?!\s*계|원|으로\s*(?:배열|나눠|나누|편집|구성|짜))")
_NO_REST: Final = re.compile(
    r"나머지\s*(?:가|는|이)?\s*(?:없|0|안\s*(?:나|남))|나누어떨어|나눠떨어|나머지\s*(?:말고|빼)"
)
NAMED: Final = re.compile(r"(?:이름|날짜)\S{0,3}\s*.{0,8}(?:칸|쓰|쓸|적|넣|자리|란|줄)")
HEAD: Final = "이름: ____________   날짜: ____________"
_BONDS: Final = re.compile(
    r"보수|10\s*(?:이|을)?\s*(?:되는|만들)|십\s*(?:이|을)?\s*(?:되는|만들)|짝꿍\s*수|가르기|모으기|10의\s*짝"
)
_TWO_SETS: Final = re.compile(
    r"(?:두|2)\s*장|A\s*(?:형|세트|,)?.{0,4}B|가형.{0,3}나형|두\s*(?:세트|벌|종류)", re.IGNORECASE
)
STORY: Final = re.compile(r"문장제|이야기\s*(?:문제|로|식)|글\s*문제|서술형")
GAP: Final = re.compile(r"빈칸|□|네모")
HARDER: Final = re.compile(r"도전|더?\s*어려운|더\s*어렵|난이도.{0,4}(?:올|높)|심화")
SMALLER: Final = re.compile(
    r"(?:숫자|수)(?:를|는|가)?\s*(?:(?:좀|더|조금|너무)\s*){0,3}(?:작|쉬운|쉽|크[다네니지고]|커요|큰데|큰\s*(?:것|거|듯)|줄여)|더?\s*(?:쉬운|쉽게)|작은\s*수"
)
LESS: Final = re.compile(r"아직|빼|말고|없이|제외|안\s*배")
MARK: Final = re.compile(
    r"(?:먼저|옆에|앞에)\s*(\S{0,4}?)\s*표시|표시(?:는|를|만)?.{0,12}?(별|세모|네모|동그라미|체크|밑줄)\W*(?:로|표|$)"
)
SHORT: Final = re.compile(
    r"한\s*문장|짧|줄여|줄이|줄인|반으로|글이?\s*(?:너무\s*)?(?:길|많)|길면|길어|읽기.{0,6}(?:느|어려)"
)
_KIND: Final = re.compile(r"덧셈|더하기|뺄셈|빼기|곱셈|곱하기|구구단|나눗셈|나누기|[올내]림|[2-9]\s*단|문장제")
_TOLD_OF: Final = re.compile(
    r"[틀푼맞걸][린린힌은]|풀었|했[어나는]|틀렸|맞[았혔췄]|걸렸|몇|왜|어떻|순서|누[가구]|얼마|방법|[?？]|까요|나요|인가"
)
"""Matches a report or a question about problems, which asks for no new ones although it names a kind and a number."""
_ALIKE: Final = re.compile("같은|똑같|비슷|이런|그런|틀린|확인")
_CHECK: Final = re.compile(r"확인|직접\s*볼|알아보|점검")
_FIRST: Final = re.compile(r"진단|처음|첫")
"""Matches a first test, whose problems go from easy to hard."""
EXAMPLES: Final = re.compile(
    r"^\W*(?:그럼\s*)?(?:예를?\s*들(?:면|어)|예시|예로|어떤\s*문제로)\S*\s*(?:요|좀요?|하나|몇\s*개)?\W*$"
)
_PART: Final = re.compile(
    r"(?P<kind>(?:받아)?\s*[올내]림\s*(?:이|가)?\s*(?:있는|없는)|0\s*(?:이)?\s*(?:있는|없는)|(?<=\d)\s*없는|없는|덧셈|뺄셈|더하기|빼기)\s*(?:거|것|걸|문제|건)?\s*"
    rf"{COUNT}(?![가-힣]*\s*자리)"
)
_MISSED: Final = re.compile(
    r"틀린\s*(?:거|것|걸|문제)?\S{0,3}\s*.{0,10}(?:학습지|문제지|연습지|종이|다시\s*(?:풀|뽑|내|만들)|프린트|출력|뽑아|모아|만들어)"
    r"|오답\s*노트\S{0,2}\s*.{0,6}(?:만들|뽑|정리|써|작성|줘|주)|(?:그거|그것|그\s*문제|오답)\S{0,3}\s*.{0,8}(?:다시\s*풀|학습지|종이|뽑아|출력|문제로)|다시\s*(?:풀게|풀\s*수|풀려|풀리게|풀어\s*보게).{0,14}(?:종이|뽑|학습지|출력|프린트|만들)"
)
_USUAL: Final = 5
_MOST: Final = 20
"""The most problems that fit on a sheet."""
_TOO_MANY: Final = "한 장에는 {most}문제까지 담을 수 있어요. 더 필요하시면 다른 문제로 한 장 더 만들어 드릴게요."
_TEN: Final = 10
_BELOW: Final = re.compile(
    r"(?:정?답|해답)\S{0,2}\s*(?:은|는|도|을|를|까지)?\s*(?:맨|제일)?\s*(?:아래|밑|끝|뒤|마지막|포함|같이|함께|넣|적어|달아|붙)"
)
_WITH_ANSWERS: Final = re.compile(r"고\s*(?:정?답|해답)(?:지|안)?(?:도|까지)\W*$")
_TWO_AND_ONE: Final = re.compile(
    r"(?:두|2)\s*자리\s*수?\s*(?:\+|더하기|곱하기|곱셈|×|와|과|에|랑|하고|-|−|빼기|,)\s*(?:한|1)\s*자리|(?:한|1)\s*자리\s*수?(?:를|을)?\s*(?:더하|빼)"
)
_THEMES: Final = (
    re.compile(r"([가-힣A-Za-z]{2,8}?)(?:을|를|이|가|은|는)?\s*(?:배경|테마|주제|소재|버전|컨셉)(?:으?로)?"),
    re.compile(r"(?:배경|테마|주제|소재|버전|컨셉)(?:은|는|을|를|만|도)?\s*([가-힣A-Za-z]{2,8}?)(?:으?로|\W*$)"),
    re.compile(r"([가-힣A-Za-z]{2,8}?)(?:이|가)?\s*(?:나오|등장|들어가)는"),
    re.compile(r"([가-힣A-Za-z]{2,8}?)\s*이야기\s*(?:로|문제|식)"),
)
_NO_THEMES: Final = frozenset(
    {
        "문장제",
        "다른",
        "같은",
        "재미있는",
        "받아올림",
        "받아내림",
        "덧셈",
        "뺄셈",
        "문제",
        "이런",
        "그런",
        "새로운",
        "아이",
        "자주",
        "많이",
        "학습지",
    }
)
FEW: Final = 3
"""On a sheet with up to so many problems, each has the typical wrong answer beside it."""


def is_of_sheet(message: str) -> bool:
    """Whether a message asks for problems."""
    if _NOT_WANTED.search(message):
        return bool(_PART.search(message)) and bool(re.search(r"학습지|문제", message))
    counted = counted_in(message, _COUNTERS) and _KIND.search(message) and not _TOLD_OF.search(message)
    found = counted or (_NOUN.search(message) and _WANTED.search(message))
    return bool(found) or (bool(_PART.search(message)) and bool(re.search(r"학습지|문제", message)))


def new_sheet(message: str, focus: Focus) -> tuple[Sheet, str]:
    """The sheet that a message asks for, and its text."""
    parts = parts_of(message, focus)
    if not parts and _BONDS.search(message):
        return _of_bonds(message)
    form: Form = "story" if STORY.search(message) else "gap" if GAP.search(message) else "sum"
    if not parts:
        count = count_of(message) or (FEW if HARDER.search(message) or form != "sum" else _USUAL)
        parts = _of_kinds(message, count, focus, form)
    asked = MARK.search(message)
    mark = (asked[2] or "동그라미") if asked else ""
    mixed = "섞" in message and len(parts) > 1 and not _FIRST.search(message)
    theme = theme_of(message) if form == "story" else ""
    wanted = Sheet(
        (),
        parts,
        form,
        mark,
        bool(SHORT.search(message)),
        mixed,
        answers=below(message),
        theme=theme,
        head=HEAD if NAMED.search(message) else "",
    )
    sheet = drawn(wanted, 2 if _TWO_SETS.search(message) else 1)
    check = focus.cause if _CHECK.search(message) and sum(one.count for one in parts) <= FEW else ""
    return sheet, "\n".join(filter(None, [sheet_text(sheet, cause=check), too_many(message)]))


def missed_wanted(message: str) -> bool:
    """Whether a message asks for a sheet of the problems that a child got wrong."""
    return _MISSED.search(message) is not None


def of_missed(problems: Sequence[Problem], message: str) -> Sheet | None:
    """A sheet of missed problems, each once, the latest first; None if there are none."""
    once = [*dict.fromkeys((one.a, one.op, one.b) for one in reversed(problems))][: count_of(message) or _MOST]
    tasks = tuple(Task(a, op, b) for a, op, b in once)
    return Sheet((tasks,), parts_that_make(tasks), answers=below(message)) if tasks else None


def _of_bonds(message: str) -> tuple[Sheet, str]:
    """A sheet of the pairs that make ten."""
    part = Part("carry", count_of(message) or _USUAL, 1, least=_TEN, most=_TEN)
    sheet = drawn(Sheet((), (part,), "bond", answers=below(message), head=HEAD if NAMED.search(message) else ""))
    return sheet, "\n".join(filter(None, [sheet_text(sheet), too_many(message)]))


def asks_for_examples(message: str) -> bool:
    """Whether a message only asks for an example of what was just explained."""
    return EXAMPLES.match(message) is not None


def below(message: str) -> bool:
    """Whether the answers go below the problems."""
    return (_BELOW.search(message) or _WITH_ANSWERS.search(message)) is not None


def theme_of(message: str) -> str:
    """The place or topic of the stories that a message asks for; "" if it names none."""
    found = (words.search(message) for words in _THEMES)
    return next((one[1] for one in found if one and one[1] not in _NO_THEMES), "")


def two_and_one(message: str) -> bool:
    """Whether the second number has one digit."""
    return _TWO_AND_ONE.search(message) is not None


def number_of(word: str) -> int:
    """2 for "2" and for "두"; 0 for no number."""
    return parse_number(word) or 0


def count_of(message: str) -> int | None:
    """How many problems a message wants, as far as a sheet can have them; None where it does not say."""
    wanted = _wanted_count(message)
    return min(wanted, _MOST) if wanted else None


def too_many(message: str) -> str:
    """Says that a sheet cannot have so many problems; "" if it can."""
    wanted = _wanted_count(message) or sum(number_of(one[2]) for one in _PART.finditer(message))
    return _TOO_MANY.format(most=_MOST) if wanted > _MOST else ""


def _wanted_count(message: str) -> int:
    """How many problems a message names; 0 where it names none."""
    if each := _COUNTED_EACH.search(message):
        return number_of(each[1])
    return next((one.values[0] for one in counted_in(message, _COUNTERS)), 0)


def digits_of(message: str) -> int:
    """How many digits the numbers have."""
    if two_and_one(message):
        return 2
    if re.search(r"세\s*자리|3\s*자리", message) and not LESS.search(message):
        return 3
    return 1 if re.search(r"한\s*자리|1\s*자리", message) else 2


def named_kind(words: str, focus: Focus) -> KindId:
    """The kind of problem that these words name. "없는" alone is the counterpart of the kind before it."""
    subtracts = bool(re.search(r"내림|뺄셈|빼기", words)) or (
        "림" not in words and "덧셈" not in words and "더하기" not in words and focus.kind in ("borrow", "take")
    )
    plain = "없는" in words or ("있는" not in words and re.search(r"덧셈|더하기|뺄셈|빼기", words) is not None)
    if subtracts:
        return "take" if plain else "borrow"
    return "add" if plain else "carry"


def parts_of(message: str, focus: Focus) -> tuple[Part, ...]:
    """The parts of a sheet, if the message gives a number for each kind of problem; else none."""
    found = [(one["kind"], number_of(one[2])) for one in _PART.finditer(message)]
    if len(found) < 2:
        return ()
    if (wanted := sum(count for _, count in found)) > _MOST:
        found = [(words, max(1, count * _MOST // wanted)) for words, count in found]
    digits = digits_of(message)
    if re.match(r"0", found[0][0]):
        return tuple(Part("borrow", count, digits, zero="있는" in words) for words, count in found)
    parts: list[Part] = []
    before = ""
    for words, count in found:
        whole = words if "림" in words or not before or "없는" not in words else before.replace("있는", "없는")
        parts.append(Part(named_kind(whole, focus), count, digits))
        before = whole
    return tuple(parts)


def tables_of(message: str) -> tuple[int, ...]:
    """The multiplication tables that a message names."""
    return tuple(dict.fromkeys(int(found[1]) for found in _TABLE.finditer(message)))


def leaves_rest(message: str) -> bool:
    """Whether divisions leave a remainder."""
    return "나머지" in message and _NO_REST.search(message) is None


def shared(parts: Sequence[Part], count: int) -> tuple[Part, ...]:
    """The parts with so many problems in all, divided evenly."""
    each, rest = divmod(count, len(parts))
    return tuple(
        replace(part, count=each + (place < rest)) for place, part in enumerate(parts) if each + (place < rest)
    )


def _of_kinds(message: str, count: int, focus: Focus, form: Form) -> tuple[Part, ...]:
    """The parts of a sheet with the kinds that a message names, or else those that the child needs."""
    digits, small = digits_of(message), bool(SMALLER.search(message))
    zero = True if ZERO.search(message) else None
    carry, borrow = re.search(r"(?:받아)?\s*올림", message), re.search(r"(?:받아)?\s*내림", message)
    none = re.search(r"[올내]림\s*(?:이|가)?\s*없", message)
    added, taken = re.search(r"덧셈|더하기", message), re.search(r"뺄셈|빼기", message)
    tables = tables_of(message) or (0,)
    if re.search(r"나눗셈|나누기|나머지", message):
        return shared([Part("share", 0, rest=leaves_rest(message), table=table) for table in tables], count)
    if re.search(r"곱셈|구구|곱하기", message) or any(tables):
        return shared([Part("times", 0, ones=two_and_one(message), table=table) for table in tables], count)
    if (
        (added and taken)
        or (carry and borrow)
        or (form == "story" and not (added or taken or carry or borrow))
        or (not (added or taken or carry or borrow) and not focus.known)
    ):
        kinds: tuple[KindId, ...] = ("add", "carry", "take", "borrow") if count > FEW else ("add", "carry", "take")
        if carry and borrow and not (added or taken or none):
            kinds = ("carry", "borrow")
        if small and not focus.known:
            kinds, digits = ("add", "take", "carry"), 1  # of a child of whom nothing is known
        return shared([Part(kind, 0, digits, small=small) for kind in kinds], count)
    if carry or added:
        return (Part("add" if none else "carry", count, digits, small=small, ones=two_and_one(message)),)
    if borrow or taken:
        return (Part("take" if none else "borrow", count, digits, zero, small, two_and_one(message)),)
    if focus.right and form == "sum" and (HARDER.search(message) or not _ALIKE.search(message)):
        return (Part("carry", count - count // 2, 3), *((Part("borrow", count // 2, 3),) if count > 1 else ()))
    return (Part("borrow" if zero else focus.kind, count, digits, zero, small, two_and_one(message)),)

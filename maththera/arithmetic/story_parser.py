"""Reads stories of one step: two amounts, and a verb that joins, takes away, compares, groups or shares them.

A story counts only if its result is asked for or given: "귤 9개에서 4개 먹었어" alone is not one.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from maththera.arithmetic.expression_parser import Sides
from maththera.arithmetic.expressions import MOST_OPERATIONS, Beyond, Node, Operation
from maththera.korean.number_words import ENDINGS
from maththera.korean.numbers import Number, numbers_in

_HINT: Final = re.compile(r"몇|얼마|남|씩|더[하해]|합|차이|더|덜|[니면]")
_LABELS: Final = frozenset({"학년", "번째", "째", "단원", "단계", "반", "시", "월", "년", "문제", "문항", "층", "등"})
"""Counters of numbers that are not amounts."""
_MUST: Final = re.compile(r"[가-힣]야\s$")
"""Words before "하나요", which is no one: 읽어야 하나요."""
_HAD: Final = re.compile(
    r"에서|중에?|있|인데|이었|였|샀|사서|받|땄|모[았아]|탔|타고|가져|가지고|구웠|만들|심|주웠|했|갔|낳|[.,]\s*$"
)
_ANOTHER_STEP: Final = re.compile(r"몇|얼마|아니|안\s|못\s|더|씩|나누|나눠|똑같")
_LOST: Final = re.compile(
    r"(?:먹|잃|버[리려렸]|썼|쓰[면고]|써서|팔[았면고]|팔려|터[지졌져]|날아(?!오|왔)|깨[졌지져]|떨어|갔|가져가|가면|가고|집에|결석|"
    r"내리|내렸|내려|나가|없어|뗐|떼[면고]|빠[지져졌]|죽|시들|마[시셨]|뺏|도망|사라|부러|찢|지[우웠]|쏟|뽑|꺼내|꺼냈)[가-힣]*"
)
_GIVEN: Final = re.compile(r"(?:줬|주[면고었니]|줘|빌려|나눠\s?[주줬])[가-힣]*")
"""Verbs of giving away, with the receiver or the rest: others may give to the child."""
_PAID: Final = re.compile(r"(?:짜리|어치)?[^.?!\d]{0,8}?(?:샀|사[면고서려]|사\s?먹|내[고면]|냈)[가-힣]*")
_TO_SOMEBODY: Final = re.compile(r"[가-힣](?:한테|에게|께)\s")
_TO_SO_MANY: Final = re.compile(r"(?<=[명람])(?:에게|한테)(?=\s)")
_DONE: Final = re.compile(r"[가-힣]{1,4}(?:어|아|해|고|면|니까|는데|어서|아서)(?:요)?(?![가-힣])")
"""Any verb, if the text says that something is left."""
_LEFT: Final = re.compile(r"남(?!자|동생|편)")
_GAINED: Final = re.compile(
    r"(?:(?:더|또)\s*[가-힣]+|샀[가-힣]*|사면|사서|받[가-힣]*|얻[가-힣]*|생[기겼][가-힣]*|주[웠우][가-힣]*|낳[가-힣]*|"
    r"들어[오왔][가-힣]*|이사\s?[오왔][가-힣]*)"
)
_PUT_TOGETHER: Final = re.compile(r"(?:더하|더해|합치|합쳐|합하|합해|합(?=[은이을]))[가-힣]*")
_PUT_TOGETHER_OR_TOTAL: Final = re.compile(f"{_PUT_TOGETHER.pattern}|모두|전부|총|통틀어|다\\s*해서")
_MORE: Final = re.compile(r"\s*(?:을|를|이|가|만큼)?\s*(?:더\s*)?(?:많|크|길|무거)[가-힣]*")
_LESS: Final = re.compile(r"\s*(?:을|를|이|가|만큼)?\s*(?:더|덜)?\s*(?:적|작|짧|가벼|어[리려])[가-힣]*")
_COMPARED: Final = re.compile(
    r"(?:이나|만큼|이|가)?\s*(?:더|덜|차이|많|적(?!었)|크|커|작|길|긴|짧|어[리려]|모자|필요|부족)"
)
_DIFFERENCE: Final = re.compile(r"(?:[가-힣]{1,3}\s)?차이?(?:는|가|를)?\s*(?=얼마|몇|$)")
_SHARED: Final = re.compile(
    r"[^.?!\d]{0,14}?(?:똑같이|나누|나눠|나뉘)[가-힣]*(?:\s?(?:나누|나눠|가지|갖|주|먹|담)[가-힣]*)?"
)
_IN_PORTIONS: Final = re.compile(r"\s*(?:나누|나눠|담|묶|넣|심|앉|주면|먹으면|타면|자르|잘라|포장|꽂|붙이)[가-힣]*")
_GROUPS: Final = re.compile(
    r"\s*(?:이?면|이?니까|이?고|인데|이[야다]|에|을|를|이|가|동안|있|먹|주|줄|사|타|서|앉|놓|[.,?]|담|모)[가-힣]*|\s*(?:동안\s*)?[가-힣]{1,4}(?:면|니까)"
)
_IN_EACH: Final = re.compile(r"(?:에는?|마다)\s[^.?!]*$")
_TOTAL: Final = re.compile(r"모두|전부|총|다\s*(?:해서|합)|통틀어")
_IS_ONE: Final = re.compile(r"\s*(?:에|는|은|가|이)?\s*$")
_IN_THE_ONE: Final = re.compile(
    r"\s*(?:에게?|한테|에는|마다|당)?\s*(?:[가-힣]{1,6}(?:\s[가-힣]{1,6})?[을를이가은는]?\s*)?$"
)
_RATE: Final = re.compile(r"(?:이?니까|이?면|인데|이?고|씩|이?야|이?지|들이|들어|[.,\s])+[가-힣\s]{0,8}$")
_RATE_TOLD: Final = re.compile(r"씩[^.?!\d]{0,20}[.,]?\s*(?:[가-힣]{1,4}\s)?")
_OF_SO_MANY: Final = re.compile(r"\s*(?:이?면|은|는|에는|에게?|한테|이?니까|[이가을를]|으?로)")
_LISTED_WITH: Final = re.compile(
    r"\s*(?:,|이?고,?|와|과|이?랑|하고|있고,?)?\s*(?:[가-힣]{1,6}\s*){0,3}(?<!중에)(?<!중에서)(?<!보다)\s*"
)
"""What stands between two amounts that are told of alike: 13권, 과학책이 8권."""
_TOTAL_ASKED: Final = (
    r"(?:모두|전부|합(?:해서|쳐서|하면|치면)|다\s*(?:해서|합쳐|합해)|총|통틀어)\s*[가-힣]{{0,5}}\s*몇\s?{counter}"
)
_NO_TOTAL: Final = re.compile(r"남[은는아았]|나머지|보다|차이|(?:더|덜)\s*(?:많|적)")
_PART_OF: Final = re.compile(r"중에?서?\s|중에?서?$|가운데")
_OTHER_PART: Final = re.compile(r"남[은는아았]|나머지|(?<![가-힣])(?:빈|비어)|아닌|안\s|못\s")
_WHAT_IS_LEFT: Final = re.compile(r"남[은는아았]|나머지|(?<![가-힣])(?:빈|비어)|([가-힣])[가-힣]*\W.*(?:안|못)\s\1")
"""What is left of a whole, or what a verb was not done to: 9개가 썩었어. 안 썩은 건."""
_STILL_TO_DO: Final = (
    r"몇\s?{counter}(?:을|를|이|가|만)?\s*(?:더\s*[가-힣]+야|더\s*[가-힣]+(?:아|어|여)야|더\s*필요|더\s*있어야|남)"
)
_NOT_DONE: Final = re.compile(r"[^.?!]{0,10}(?:안|못|아니)")
_WHOLE: Final = re.compile(r"(?:모두|전부|총)\s*$")
_CONTAINER: Final = re.compile(r"(?:을|를)\s+(?:[가-힣]{1,5}\s)?[가-힣]{1,5}\s$")
_INTO: Final = re.compile(r"\s*에\s?(?:똑같이|나누|나눠|고르게)")
_TEAMS: Final = re.compile(r"\s*(?:모둠|조|팀|줄|묶음|편)\S{0,2}\s*(?:만들|만든|짜|서|나누|나눠|묶)[가-힣]*")
_ONE_TO_FILL: Final = re.compile(r"(?:을|를|이|가)?\s*$")
_FROM_TO: Final = re.compile(
    r"(?<![0-9가-힣])(\d{1,4})\s?(?:부터|에서)\s*(\d{1,4})\s?까지(?:의)?\s*(?:(?:자연수|수|숫자)(?:들)?(?:를|을|의)?\s*)?"
    r"(?:(?:다|모두|전부|싹|몽땅)\s*)?(?:더하|더해|합)[가-힣]*"
)
_AND: Final = r"(?:\s*,\s*|\s+|이?랑\s*|하고\s*|[와과]\s*)"
_LISTED: Final = re.compile(
    rf"(?<![0-9.])(\d{{1,5}}(?:{_AND}\d{{1,5}}){{1,{MOST_OPERATIONS}}})\s*(?:을|를)?\s*"
    r"(?:다|모두|전부|싹|몽땅)\s*(?:더하|더해|합치|합하|합쳐|합해)[가-힣]*"
)
_LISTED_BEFORE: Final = re.compile(rf"\d{_AND}$")
_LONGEST_AND: Final = 6
_ASKED: Final = re.compile(r"얼마(?!나|\s?전)|몇(?=\s*(?:이|야|일까|인|남|[?]|$))")
_NO_AMOUNT: Final = re.compile(r"몇\s?(?:시(?!간)|월|학년|번째|단원|등|층|반|가지)")
_OPEN: Final = re.compile(r"(?:면은?|면요)$")
_TOLD: Final = re.compile(r"\s*(?:을|를|이|가)?\s*(?:남|맞|되|돼|됐|많|적|차이|더|덜|필요|[?!.~ㅋㅎㅠㅜ]|$)")
_MOST_BETWEEN: Final = 26
_MOST_BEFORE_VERB: Final = 10


class _Amounts(NamedTuple):
    """Two amounts of a text. `later`: the numbers after the second."""

    text: str
    a: Number
    b: Number
    later: Sequence[Number]

    @property
    def between(self) -> str:
        return self.text[self.a.end : self.b.start].removeprefix(self.a.counter)

    @property
    def behind(self) -> str:
        """The text after the second amount, up to the next number."""
        return self.text[_counted_to(self.text, self.b) : self.later[0].start if self.later else len(self.text)]

    @property
    def alike(self) -> bool:
        return self.a.counter == self.b.counter != ""

    def verb(self, pattern: re.Pattern[str]) -> int | None:
        """The end of the verb that follows the second amount soon and is not denied."""
        found = pattern.search(self.behind)
        if found is None or found.start() > _MOST_BEFORE_VERB or _ANOTHER_STEP.search(self.behind[: found.start()]):
            return None
        return _counted_to(self.text, self.b) + found.end()

    def made(self, op: str, end: int, counter: str) -> "OneStep | None":
        return OneStep(op, self.a, self.b, end, counter)


class OneStep(NamedTuple):
    """A story. `end`: the end of its verb; `counter`: of its result, empty for any."""

    op: str
    a: Number
    b: Number
    end: int
    counter: str


def story_in(text: str) -> Sides | None:
    """The one-step story of a text without an expression, or None."""
    if not _HINT.search(text):
        return None
    if series := _series(text):
        return series
    story = one_step(text)
    if story is None:
        return None
    a, b = Fraction(story.a.value or 0), Fraction(story.b.value or 0)
    return _sides(Operation(story.op, a, b), story.a.start, len(text[: story.end].rstrip(" ,")))


def one_step(text: str) -> OneStep | None:
    """The story of two amounts that a plain text tells and asks about, or None, with its places in the text."""
    text = _TO_SO_MANY.sub("에 ", text)
    found = (one for one in numbers_in(text) if not one.doubtful and one.counter not in _LABELS)
    numbers = [one for one in found if _MUST.search(text, 0, one.start) is None]
    if len(numbers) < 2 or any(one.value is None or one.value < 0 for one in numbers):
        return None
    story = _rate(text, numbers) or _measured(text, numbers)
    story = story or next(filter(None, (read(_amounts(text, numbers)) for read in _READERS)), None)
    if story is None or not _is_told(text, story):
        return None
    a, b = story.a.value or 0, story.b.value or 0
    return None if (story.op == "-" and a < b) or (story.op == "/" and not b) else story


def _series(text: str) -> Sides | None:
    """ "1부터 5까지 다 더하면", "25 25 25 다 더하면"."""
    listed = _LISTED.search(text)
    if listed and not _LISTED_BEFORE.search(text[max(listed.start() - _LONGEST_AND, 0) : listed.start()]):
        return _sides(_sum([int(one) for one in re.findall(r"\d+", listed[1])]), *listed.span())
    found = _FROM_TO.search(text)
    if found is None or int(found[2]) <= int(found[1]):
        return None
    first, last = int(found[1]), int(found[2])
    if last - first <= MOST_OPERATIONS:
        return _sides(_sum(range(first, last + 1)), *found.span())
    pairs = Operation("x", _sum((first, last)), Fraction(last - first + 1))
    return _sides(Operation("/", pairs, Fraction(2)), *found.span(), "too_long")


def _sum(numbers: Sequence[int]) -> Node:
    node: Node = Fraction(numbers[0])
    for number in numbers[1:]:
        node = Operation("+", node, Fraction(number))
    return node


def _sides(node: Node, start: int, end: int, beyond: Beyond | None = None) -> Sides:
    return Sides((node,), start, end, False, None, beyond)


def _amounts(text: str, numbers: Sequence[Number]) -> _Amounts:
    return _Amounts(text, numbers[0], numbers[1], numbers[2:])


def _counted_to(text: str, number: Number) -> int:
    return text.index(number.counter, number.end) + len(number.counter) if number.counter else number.end


# --- kinds of stories -------------------------------------------------------------------------------------------------


def _rate(text: str, numbers: Sequence[Number]) -> OneStep | None:
    """한 다스가 12자루니까 세 다스면."""
    if len(numbers) < 3:
        return None
    one, each, many = numbers[:3]
    if one.value != 1 or not one.counter or one.counter != many.counter or each.counter in ("", one.counter):
        return None
    linked = _IS_ONE.fullmatch(text, _counted_to(text, one), each.start)
    follows = _RATE.fullmatch(text, _counted_to(text, each), many.start)
    if linked is None or follows is None:
        linked = _IN_THE_ONE.fullmatch(text, _counted_to(text, one), each.start)
        follows = _RATE_TOLD.fullmatch(text, _counted_to(text, each), many.start)
    behind = _OF_SO_MANY.match(text, _counted_to(text, many))
    return OneStep("x", each, many, behind.end(), each.counter) if linked and follows and behind else None


def _measured(text: str, numbers: Sequence[Number]) -> OneStep | None:
    """쿠키 18개를 한 봉지에 6개씩 담으면 봉지는 몇 개."""
    if len(numbers) != 3 or numbers[1].value != 1 or numbers[1].counter in ("", numbers[0].counter):
        return None
    whole, one, each = numbers
    alike = whole.counter == each.counter != "" and each.value
    until = _counted_to(text, each)
    linked = _ONE_TO_FILL.fullmatch(text, _counted_to(text, whole), one.start)
    filled = _IN_THE_ONE.fullmatch(text, _counted_to(text, one), each.start)
    portions = _IN_PORTIONS.match(text, until + 1) if text.startswith("씩", until) else None
    if not (alike and linked and filled and portions) or _LEFT.search(text, until):
        return None
    return OneStep("/", whole, each, portions.end(), "") if portions else None


def _grouped(story: _Amounts) -> OneStep | None:
    """4개씩 8줄이면; 8명에게 4개씩; 20개를 4개씩 담으면."""
    between, behind = story.between, story.behind
    if len(between) > _MOST_BETWEEN or not story.a.counter or not story.b.counter:
        return None
    first, second = bool(re.match(r"\s?(?:씩|짜리)", between)), bool(re.match(r"\s?씩", behind))
    if first == second or _ANOTHER_STEP.search(between.replace("씩", "", 1)):
        return None
    end = _counted_to(story.text, story.b)
    if first:
        groups = None if story.alike or story.b.value == 1 else _GROUPS.match(behind)
        return story.made("x", end + groups.end(), story.a.counter) if groups else None
    end += behind.index("씩") + 1
    in_each = _IN_EACH.match(between) is not None
    if story.alike and not in_each:
        portions = _IN_PORTIONS.match(story.text, end) or _TEAMS.match(story.text, end)
        return story.made("/", portions.end(), "") if portions else None
    verb = re.compile(r"\s*[가-힣]+").match(story.text, end)
    return story.made("x", verb.end(), story.b.counter) if verb and _TOTAL.search(behind) else None


def _shared(story: _Amounts) -> OneStep | None:
    """24개를 친구 네 명에게 똑같이 나눠 주면."""
    into = story.alike and _CONTAINER.fullmatch(story.between) is not None and _INTO.match(story.behind) is not None
    if (story.alike and not into) or not story.a.counter or not re.match(r"(?:을|를)\s", story.between):
        return None
    shared = None if _ANOTHER_STEP.search(story.between) or "씩" in story.behind[:3] else _SHARED.match(story.behind)
    return story.made("/", _counted_to(story.text, story.b) + shared.end(), story.a.counter) if shared else None


def _compared(story: _Amounts) -> OneStep | None:
    """형은 12장, 나는 7장이면 몇 장 더; 나는 5장이고 동생은 나보다 3장 더 많아."""
    if not story.alike or len(story.between) > _MOST_BETWEEN or _ANOTHER_STEP.search(story.between):
        return None
    start = _counted_to(story.text, story.b)
    for op, pattern in (("+", _MORE), ("-", _LESS)):
        if found := pattern.match(story.behind):
            return story.made(op, start + found.end(), story.a.counter)
    asked = re.search(rf"몇\s?{story.a.counter}", story.behind)
    if asked and _COMPARED.match(story.behind, asked.end()):
        return _difference(story, start + asked.start())
    if difference := _DIFFERENCE.search(story.behind):
        return _difference(story, start + difference.end())
    result = story.later[0] if len(story.later) == 1 else None
    if result and result.counter == story.a.counter:
        said = _COMPARED.match(story.text, _counted_to(story.text, result))
        return _difference(story, start + len(story.behind)) if said else None
    return None


def _difference(story: _Amounts, end: int) -> OneStep:
    small, large = sorted((story.a, story.b), key=lambda one: one.value or 0)
    return OneStep("-", large, small, end, story.a.counter)


def _changed(story: _Amounts) -> OneStep | None:
    """9개에서 4개 먹었으니까; 5개 있었는데 3개 더 샀어."""
    between = story.between
    if not story.alike or len(between) > _MOST_BETWEEN or _ANOTHER_STEP.search(between) or not _HAD.search(between):
        return None
    left = _LEFT.search(story.text, story.b.end) is not None
    ways = [("-", _PAID)] if story.a.counter == "원" else []
    ways += [("+", _GAINED), ("-", _LOST)]
    ways += [("-", _GIVEN)] if left or _TO_SOMEBODY.search(between) else []
    for op, pattern in (*ways, *([("-", _DONE)] if left else [])):
        if (end := story.verb(pattern)) is not None:
            return story.made(op, end, story.a.counter)
    return None


def _together(story: _Amounts) -> OneStep | None:
    """동생 6살 나는 10살이니까 나이 더하면; 남자 9명 여자 8명이면 모두."""
    if not story.alike or len(story.between) > _MOST_BETWEEN or _ANOTHER_STEP.search(story.between):
        return None
    end = story.verb(_PUT_TOGETHER if re.search(r"중|에서", story.between) else _PUT_TOGETHER_OR_TOTAL)
    return None if end is None else story.made("+", end, story.a.counter)


def _listed(story: _Amounts) -> OneStep | None:
    """동화책이 13권, 과학책이 8권 있어. 모두 몇 권."""
    rest = story.text[_counted_to(story.text, story.b) :]
    asked = re.search(_TOTAL_ASKED.format(counter=story.a.counter), rest)
    if not story.alike or asked is None or _LISTED_WITH.fullmatch(story.between) is None:
        return None
    if _NO_TOTAL.search(rest) or any(one.counter == story.a.counter for one in story.later):
        return None
    if _HAD.search(story.between) and any(one.search(rest, 0, asked.start()) for one in (_LOST, _GIVEN)):
        return None  # it changed
    begun = rest.index("몇", asked.start())
    return story.made("+", _counted_to(story.text, story.b) + begun, story.a.counter)


def _rest_of(story: _Amounts) -> OneStep | None:
    """자리가 20개 있어. 그중에서 12개에 앉았어. 빈 자리는 몇 개; 책은 20쪽이야. 14쪽 읽었어. 몇 쪽을 더."""
    if not story.alike or story.later or len(story.between) > _MOST_BETWEEN or "보다" in story.text[story.a.end :]:
        return None
    counted = _counted_to(story.text, story.b)
    rest = story.text[counted:]
    asked = re.search(rf"몇\s?{story.a.counter}", rest)
    if asked is None or _NOT_DONE.match(rest):
        return None
    whole = _WHOLE.search(story.text[: story.a.start]) or _HAD.search(story.between)
    of_whole = (_PART_OF.search(story.between) and _OTHER_PART.search(rest)) or (whole and _WHAT_IS_LEFT.search(rest))
    still = whole and re.search(_STILL_TO_DO.format(counter=story.a.counter), rest)
    if not of_whole and not still:
        return None
    return story.made("-", counted + asked.start(), story.a.counter)


_READERS: Final[tuple[Callable[[_Amounts], OneStep | None], ...]] = (
    _grouped, _shared, _compared, _listed, _changed, _together, _rest_of,
)  # fmt: skip


# --- its result -------------------------------------------------------------------------------------------------------


def _is_told(text: str, story: OneStep) -> bool:
    """Whether its result, and nothing else, is asked for or given after it."""
    rest = text[story.end :]
    shares = story.op == "/"
    found = (one for one in numbers_in(rest) if one.value is not None and not _MUST.search(rest, 0, one.start))
    given = [one for one in found if not (shares and one.value == 1)]
    asked = _is_asked(rest, story.counter) or (_OPEN.search(text[: story.end]) and re.fullmatch(r"[\s?~요]*", rest))
    if not given or (asked and all(one.doubtful for one in given)):
        return bool(asked)
    result = given[0]
    if len(given) > 1 or asked or (story.counter and result.counter not in ("", story.counter)):
        return False
    each = shares and result.after.startswith("씩")
    return each or result.after in ENDINGS or _TOLD.match(rest, result.stop) is not None


def _is_asked(rest: str, counter: str) -> bool:
    if not counter:
        return "몇" in rest and _NO_AMOUNT.search(rest) is None
    return bool(_ASKED.search(rest) or re.search(rf"몇\s?{counter}", rest))

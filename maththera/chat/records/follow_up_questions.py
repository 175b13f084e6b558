"""Follow-up questions about records: a message changes what it names in the question before it, all else stays."""

import re
from dataclasses import dataclass, replace
from typing import Final

from maththera.arithmetic.problem import make_problem
from maththera.chat.records.record_figures import procedures
from maththera.chat.records.record_question import Bound, Form, Group, Hours, RecordQuestion, Restriction, Wish
from maththera.chat.records.record_words import RecordWords
from maththera.chat.records.spoken_messages import SpokenMessage

_OF_ANOTHER: Final = re.compile("어때|어떤|어떻")
_LISTED: Final = re.compile(
    "그거|그것|그중|그 ?중|이거|이것|이중|다 (?:맞|틀|덧|뺄)|네요|(?:틀리|맞)[진긴]|다섯|개 ?중"
)
_ALIKE: Final = re.compile(
    "[이그]런 ?(?:애|아이|학생|실수|오류)|이렇게 ?(?:쓴|푼|틀린)|비슷하게|(?:같은|똑같은) ?(?:식|실수|이유|방식|원인)"
)
_HARD: Final = re.compile("애먹|쩔쩔|급[한해]|심각|심한|어려|힘들|약[해한]|취약|막[히혀]")
_MISTAKES: Final = ("wrong", "wrong_percent")
"""Measures whose highest value marks what is hardest."""
_BEFORE_THAT: Final = re.compile("^ *(?:그럼|그러면)? *그 ?(전|이전|앞|뒤|이후|다음)[은에]")
_GOES_ON: Final = re.compile("^ *(?:그|그럼|그러면|거기|여기|이) |그날|그때|그 ?기간|거기|그 ?중|이 ?중|가운데")
"""Words by which a message stays within what was asked before."""
_FLIPPED: Final = re.compile("반대로|거꾸로")
_EXAMPLE: Final = re.compile("예시?(를|로|만)? ?(하나|한 ?개)|(하나|한 ?개)만.{0,6}예")
_AMONG: Final = re.compile("그 ?중|이 ?중|가운데")
_COUNTS: Final = re.compile("개수|갯수|문제 ?수")
_SO_OFTEN: Final = re.compile("몇 ?번.{0,3}(?:했|그랬|나)")
_LAST_DAY: Final = re.compile("마지막(?:으로)?.{0,8}(?:언[제젠]|날)|언[제젠].{0,6}마지막")
"""Matches a question about the last day, which looks at all days."""
_OF_PAIR: Final = re.compile("누가|누구|어느 ?(?:쪽|아이|애|학생)|둘 ?중")
_WITH: Final = re.compile(r"^\s*(?:그럼 |그러면 )?\s*(?:이?랑|하고|와|과|이?보다|이?보단)\s")
_OF_ITSELF: Final = ("included", "left_out", "first", "often")
"""Wishes that do not carry over: a question about something else has to name them again."""
_TIMES: Final = ("seconds", "median", "minutes")
_BY_CHILD: Final = {"wish": "figures", "by": "child", "children": ()}
_PROBLEMS: Final = {"wish": "problems"}
_FREED: Final[dict[Group, dict[str, object]]] = {
    "weekday": {"weekdays": frozenset()},
    "half_day": {"hours": ()},
    "operation": {"operations": (), "carries": None},
    "carry": {"carries": None},
    "cause": {"causes": frozenset(), "cause_said": ""},
    "problem": {"expression": None},
}
"""Group → conditions that select one of its rows; dropped if all rows are asked for."""
_NO_ORDER: Final = {"most": "least", "least": "most"}


@dataclass(frozen=True, slots=True)
class Heard:
    """A message: what it says, the learners that it names, and its text without them."""

    said: SpokenMessage
    children: tuple[str, ...]
    text: str


def merged(
    words: RecordWords, heard: Heard, before: RecordQuestion | None, start: RecordQuestion
) -> tuple[RecordQuestion, int | None]:
    """The question of a message, and the place of the row in the previous answer that it is about."""
    said, found = heard.said, words.found
    own = said.measure or said.weak or (said.wish and said.wish not in ("overview", "why", "certain")) or said.by
    joined = _WITH.match(heard.text) and len(heard.children) == 1  # not "민수랑 하늘이", which names both
    together = bool(joined and before is not None and before.children)
    so_often = before is not None and before.only.causes and _SO_OFTEN.search(heard.text)
    anew = bool(heard.children and own and not found("same", heard.text) and not together and not so_often)
    if anew and before is not None:
        start = replace(start, mentioned=before.mentioned)
    base = start if before is None or anew else _without_example(words, heard, _without_marks(before))
    place = None if before is None or anew else _place(words, heard, before)
    if place is not None:
        base = replace(base, by=None, order=None, rank=None, limit=None, bound=None, trend=None)
    result = _with_whom(words, heard, base, together=together)
    result = replace(
        result,
        spans=said.spans or (() if _LAST_DAY.search(heard.text) else base.spans),
        spans_before=base.spans if said.spans else base.spans_before,
        only=_other_hours(_joined(base.only, said.only), heard.text),
        form=_form(words, heard.text, base),
        dated=base.dated or bool(found("dated", heard.text)),
        short=bool(found("short", heard.text)),
        bare=bool(found("bare", heard.text)) or (base.bare and base.wish == "letter"),
        soft=bool(found("soft", heard.text)),
        example=_EXAMPLE.search(heard.text) is not None,
        plain=bool(found("plain", heard.text)),
        summed=said.wish == "letter" and bool(words.words.wishes["overview"].search(heard.text)),
        verdict=bool(found("verdict", heard.text)),
        limit=said.limit or (None if said.by else base.limit),
        rank=said.rank,
        bound=said.bound or _kept_bound(heard, base),
        edge=said.edge or base.edge,
    )
    if said.value is not None and before is not None:
        return _with_value(before.among or result, said.value), None
    if (
        said.measure == "percent"
        and before is not None
        and found("out_of_all", heard.text)
        and base.only.correct is False
    ):
        return replace(result, only=said.only, measure="wrong_percent", wish="figures"), None
    everybody = bool(found("everybody", heard.text)) and not heard.children
    shown = before is not None and not anew and (before.wish == "problems" or before.among is not None)
    if shown and said.wish in (None, "why") and before is not None and _LISTED.search(heard.text) and not said.spans:
        return _of_listed(result, said, before), place
    if _ALIKE.search(heard.text) and (base.only.expression or base.only.causes):
        alike = replace(result, only=alike_in_cause(base.only), order=None, limit=None, dated=False)
        return replace(alike, **(_BY_CHILD if everybody or said.by == "child" else _PROBLEMS)), None
    if _ALIKE.search(heard.text) and heard.children and before is not None and before.measure == "wrong":
        return replace(result, wish="why", measure="wrong", by=None, only=Restriction()), None
    both = found("two", heard.text) or (result.form == "table" and not said.anything)
    if base.only.carries is not None and base.by is None and both:
        return replace(result, by="carry", only=replace(base.only, carries=None)), place
    result = _with_wish(result, said, base, everybody=everybody, goes_on=before is not None and not anew)
    if result.example and said.wish == "problems":
        return replace(result, wish="problems", by=None, order=None, limit=None), place
    return _in_order(result, heard.text, base), place


def _kept_bound(heard: Heard, base: RecordQuestion) -> Bound | None:
    """The bound of the question before, if the message still asks about those within it."""
    said = heard.said
    of_others = said.order or said.measure or heard.children or "비교" in heard.text
    return None if of_others and not _AMONG.search(heard.text) else base.bound


def _without_example(words: RecordWords, heard: Heard, base: RecordQuestion) -> RecordQuestion:
    """The question before, without the one expression that it was about where a message asks of other rows; and without
    its days and other conditions where a message names its own subject and asks of all learners."""
    said, text = heard.said, heard.text
    if _GOES_ON.search(text) or _LISTED.search(text) or _ALIKE.search(text) or words.found("same", text):
        return base
    counted = said.measure or said.weak or said.order
    of_all = said.by == "child" or words.found("everybody", text)
    if of_all and counted and not heard.children and _names_subject(said.only):
        return replace(base, only=Restriction(), spans=said.spans, bound=None, children=())
    other_rows = said.by not in (None, "problem", "day") or said.spans
    if base.only.expression is not None and counted and other_rows and said.only.expression is None:
        return replace(base, only=replace(base.only, expression=None, given=None))
    return base


def _names_subject(only: Restriction) -> bool:
    return bool(only.operations or only.units or only.causes or only.tables)


def _without_marks(question: RecordQuestion) -> RecordQuestion:
    wish: Wish = "figures" if question.wish in _OF_ITSELF else question.wish
    return replace(question, wish=wish, fault=None, about="", notes=(), also=(), among=None, whole=False, without=())


# --- whom -------------------------------------------------------------------------------------------------------------


def _with_whom(words: RecordWords, heard: Heard, base: RecordQuestion, *, together: bool) -> RecordQuestion:
    """The question about the learners that are named, about both of those named last, or about all."""
    found, text = words.found, heard.text
    mentioned = tuple(dict.fromkeys([*base.mentioned, *base.children, *heard.children]))[-2:]
    base = replace(base, mentioned=mentioned)
    if together:
        return replace(base, children=tuple(dict.fromkeys([*base.children, *heard.children])), by=None)
    if heard.children:
        return replace(base, children=heard.children, by=None if base.by == "child" else base.by)
    if found("whole", text) and base.children:
        return replace(base, whole=True, by="child")
    if found("together", text):
        all_of_them = base.by == "child" or found("everybody", text)
        return replace(base, by=None, order=None, children=() if all_of_them else mentioned)
    if (two := found("two", text)) and base.only.carries is None:
        pair = not re.match("세|셋", two) and len(mentioned) > 1
        return replace(base, children=mentioned if pair else (), by="child")
    if len(base.children) > 1 and _OF_PAIR.search(text):
        return replace(base, by="child")
    return replace(base, children=()) if found("everybody", text) else base


def _place(words: RecordWords, heard: Heard, before: RecordQuestion) -> int | None:
    """The place of the row that a message means: the first one, or the one that was asked for."""
    said, found = heard.said, words.found
    if before.by is None or heard.children or said.order or said.rank or said.spans:
        return None
    him = before.by == "child" and found("him", heard.text)
    more = said.wish in ("why", "trainings", "problems", "certain") and (before.order or before.rank or before.bound)
    free = not said.by and replace(said.only, correct=None) == Restriction()
    of_row = (found("row", heard.text) or more) and free
    return (before.rank or 1) if him or of_row else None


# --- what and how -----------------------------------------------------------------------------------------------------


def _form(words: RecordWords, text: str, base: RecordQuestion) -> Form:
    if words.found("file", text):
        return "file"
    return "table" if words.found("table", text) or words.found("chart", text) or base.form == "table" else "text"


def _with_value(question: RecordQuestion, value: int) -> RecordQuestion:
    """The question before with another number."""
    seconds = question.only.seconds
    if question.bound is not None:
        return replace(question, bound=replace(question.bound, value=value), limit=None)
    if seconds is not None:
        return replace(
            question, only=replace(question.only, seconds=(0.0, value) if seconds[0] == 0 else (value, None))
        )
    return replace(question, limit=value)


def _of_listed(question: RecordQuestion, said: SpokenMessage, before: RecordQuestion) -> RecordQuestion:
    """The question limited to the problems that were listed."""
    wish: Wish = "why" if said.wish == "why" and not said.only.operations else "figures"
    by: Group | None = "operation" if said.only.operations or said.by == "operation" else None
    only = replace(said.only, correct=None, operations=())
    return replace(question, wish=wish, measure=None, by=by, order=None, limit=None, bound=None, only=only,
                   among=before.among or before)  # fmt: skip


def alike_in_cause(only: Restriction) -> Restriction:
    """The wrong answers with the same cause as those just mentioned."""
    causes = only.causes
    if only.expression is not None and not causes:
        problem = make_problem(*only.expression)
        given = only.given
        rules = () if given is None else procedures(problem, given)
        causes = frozenset(cause.tag for rule in rules for cause in rule.causes)
    return Restriction(causes=causes, correct=False)


def _with_wish(
    question: RecordQuestion, said: SpokenMessage, base: RecordQuestion, *, everybody: bool, goes_on: bool
) -> RecordQuestion:
    """The question with the wish of this message, or else with the one before."""
    wish = _wish(said, base, everybody=everybody, goes_on=goes_on)
    by = said.by or (question.by if wish in (base.wish, "figures", "days") else None)
    if base.wish == "days" and by == "weekday" and not said.measure and not said.order:
        wish = "days"
    if everybody and by is None and wish != "trainings":
        by = "child"
    if said.trend and not said.spans and len(question.spans) == 1 == len(question.spans_before):
        both = sorted((*question.spans_before, *question.spans), key=lambda span: span.period.start)
        question, by, wish = replace(question, spans=tuple(both), spans_before=()), "period", "figures"
    if said.trend == "ends" or (
        said.trend and by is None and len(question.spans) < 2 and wish in ("figures", "overview")
    ):
        by, wish = "day", "figures"
    only = replace(question.only, units=said.only.units) if by == "unit" else question.only
    by = None if by is not None and said.by is None and _names_one(by, said.only) else by
    if by == "child" and said.by is None and len(said.spans) > 1 and not everybody:
        by = "period"  # two times are compared
    if by == "day" and said.by is None and not said.trend and said.measure in _TIMES:
        by = None  # of all days together
    measure = "wrong" if wish == said.wish == "why" else said.measure or said.weak or base.measure
    order = said.order or (base.order if said.measure is None and said.by is None else None)
    trend = (said.trend or base.trend) if by == "day" else None
    return replace(
        question, wish=wish, measure=measure, also=said.also, by=by, order=order, trend=trend,
        only=_freed(only, by, said.only),
    )  # fmt: skip


def _names_one(by: Group, only: Restriction) -> bool:
    """Whether a message names exactly one row of the question before."""
    named = {"weekday": len(only.weekdays), "half_day": len(only.hours), "operation": len(only.operations)}
    return named.get(by, 0) == 1


def _freed(only: Restriction, by: Group | None, own: Restriction) -> Restriction:
    """The question without conditions that its own grouping makes pointless."""
    if by is None:
        return only
    if own.hours and len(only.weekdays) > 1 and not own.weekdays:  # another comparison than of weekdays
        only = replace(only, weekdays=frozenset())
    named = {name: getattr(own, name) for name in _FREED.get(by, ())}
    if by == "carry":  # rows with and without a carry, of one operation
        return replace(only, carries=None)
    return replace(only, **named)


def _wish(said: SpokenMessage, base: RecordQuestion, *, everybody: bool, goes_on: bool) -> Wish:
    if said.order and said.by is None and (
        (said.measure in ("seconds", "median") and base.by is None)
        or (said.wish is None and base.wish == "problems")
    ):  # fmt: skip
        return "problems"
    if said.wish is None:
        asks = said.measure or said.by or said.bound or said.order or said.rank or len(said.spans) > 1
        return "figures" if asks or base.wish == "certain" else base.wish
    if said.wish == "overview":
        if said.by or said.order:
            return "figures"
        return base.wish if goes_on and _OF_ANOTHER.search(said.text) and not said.trend else "overview"
    if said.wish == "why" and (said.by == "child" or everybody):
        return "figures"
    if said.wish == "days" and said.bound is not None:
        return "figures"
    if said.wish == "problems" and said.by == "child" and _COUNTS.search(said.text):
        return "figures"
    if (said.wish in ("days", "problems") and said.order and said.by) or (said.wish, said.by) == ("problems", "cause"):
        return "figures"
    return said.wish


def _in_order(question: RecordQuestion, text: str, base: RecordQuestion) -> RecordQuestion:
    """The question in reverse order, or from the rank asked for."""
    if _HARD.search(text) and question.order == "least" and (question.by == "cause" or question.measure in _MISTAKES):
        return replace(question, order="most")
    if _FLIPPED.search(text) and base.order in _NO_ORDER and question.order == base.order:
        return replace(question, order="least" if base.order == "most" else "most")
    if question.rank is not None and question.order is None:
        return replace(question, order=base.order or "most")
    return question


def _other_hours(only: Restriction, text: str) -> Restriction:
    """The question for the hours before or after those just mentioned: "그 전은?"."""
    match = _BEFORE_THAT.search(text)
    if match is None or len(only.hours) != 1:
        return only
    hours = only.hours[0]
    earlier = match[1] in ("전", "이전", "앞")
    other = Hours(0, hours.first, f"{hours.first}시 전") if earlier else Hours(hours.end, 24, f"{hours.end}시 이후")
    return replace(only, hours=(other,)) if other.first < other.end else only


def _joined(base: Restriction, own: Restriction) -> Restriction:
    """The restrictions of the question before, changed by those of this message."""
    other = bool(own.operations) and own.operations != base.operations
    return Restriction(
        operations=own.operations or base.operations,
        tables=own.tables or (() if other else base.tables),
        carries=base.carries if own.carries is None and not other else own.carries,
        digits=own.digits or base.digits,
        wrong_place=base.wrong_place if own.wrong_place is None else own.wrong_place,
        units=own.units or base.units,
        causes=own.causes or base.causes,
        cause_said=own.cause_said or base.cause_said,
        expression=own.expression or base.expression,
        given=base.given if own.given is None else own.given,
        correct=base.correct if own.correct is None else own.correct,
        seconds=own.seconds or base.seconds,
        weekdays=own.weekdays or base.weekdays,
        hours=own.hours or base.hours,
        fastest=own.fastest or base.fastest,
    )

"""Answers from the learner's records. Every number stands in the facts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from typing import Final

from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import (
    ENOUGH,
    OPERATION_OF,
    STRONG_SHARE,
    WEAK_SHARE,
    DayCounts,
    Facts,
    KindCounts,
    days_within,
    kind_of,
    kinds_in,
    strong_kinds,
    weak_kinds,
)
from maththera.chat.coach.single_answers import (
    explained_answer,
    kind_slots,
    last_answer,
    list_kinds,
    recent_tries,
    redo_missed,
    slowest,
    why_wrong,
)
from maththera.korean.dates import Period, read_days
from maththera.korean.numbers import numbers_in

_MOST_ITEMS: Final = 3
_TEN_DAYS: Final = 10
_FEW_DAYS: Final = 4
_SHORT: Final = 10
_FEW_WRONG: Final = 2
"""Up to so many wrong answers are listed one by one for an adult."""
_WRONG: Final = re.compile(r"틀|오답|놓")
_RIGHT: Final = re.compile(r"맞|정답")
_SHARE_SAID: Final = re.compile(r"(\d{1,3})\s*(?:%|퍼센트|프로)")
_WRONG_SAID: Final = re.compile(
    r"오답\S{0,2}\s*(?:수가\s*)?(\d{1,3})\s*(?:개|문제|번)?|(\d{1,3})\s*(?:개|문제)(?:나|를|만|밖에)?\s*(?:틀렸|틀린|놓쳤|오답)"
)
_MORE_THAN: Final = re.compile(r"(?:틀린|맞은|맞힌)\s*(?:게|거|것|건)?.{0,2}더\s*(?:많|적)")
_LAST: Final = re.compile(r"마지막|최근에\s*언제|언제\s*했")
_DAYS_AGO: Final = ("오늘,", "어제,", "그저께,")
_ALL: Final = re.compile(
    r"(?:다|전부|모두|싹\s*다|백\s*점)\s*맞|하나도\s*안\s*틀|틀린\s*(?:게|거|건|것)?\s*(?:하나도\s*)?없"
)
"""Were all right?"""
_HOW_MANY_TIMES: Final = re.compile(r"몇\s*번\s*(?:이나\s*)?(?:했|왔|들어|연습|공부)")
_FIRST: Final = re.compile(r"언제부터|(?:맨\s*)?(?:처음|첨)\s*(?:한|시작|했|온)")
"""When was the first day?"""
_FASTEST: Final = re.compile(r"(?:제일|가장|젤)\s*빨[리라랐]")
_OF_SPEED: Final = re.compile(r"빨라|빨리|느려|느리|속도")
WELL: Final = re.compile(
    r"(?:잘\s*(?:하|해|했|푸|풀)(?!려|는\s*법|고(?!\s*있)|게|자)|못\s*(?:하|해|했)(?=\S*\s*(?:지|나|니|냐|거야|[?])))\S{0,5}"
    r"(?:\s*있\S{0,3})?(?:\s*(?:나|난|내가|거[야지]))?\s*[?!.~ㅋㅎ]*$"
)
"""Am I good at it?"""
_OPERATION_NAMES: Final = {"+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}
_MOST: Final = re.compile(r"(?:제일|가장|젤)\s*많이")


def day_text(day: str, today: str = "") -> str:
    """11월 22일; of the last three days 어제(11월 22일)"""
    found = date.fromisoformat(day)
    text = f"{found.month}월 {found.day}일"
    ago = (date.fromisoformat(today) - found).days if today else len(_DAYS_AGO)
    return f"{_DAYS_AGO[ago]} {text}" if ago < len(_DAYS_AGO) else text


# --- counting ---------------------------------------------------------------------------------------------------------


def _period(turn: CoachTurn, facts: Facts) -> tuple[str, Period | None]:
    """The words and the days that are asked about; those of the question before for "그중에"."""
    today = date.fromisoformat(facts["today"])
    found = read_days(turn.message, today)
    if found.period is not None:
        span = found.period.start != found.period.end or found.said.endswith(("주", "달"))
        return f"{found.said}에는 " if span else f"{found.said} ", found.period
    length = found.length or (_TEN_DAYS if "열흘" in turn.message else None)
    if length:
        return f"최근 {length}일 동안 ", Period(today - timedelta(days=length - 1), today)
    board = turn.board
    if (
        "since" in board
        and turn.board.get("ask") in ("count", "days", "day_summary")
        and not _HOW_MANY_TIMES.search(turn.message)
        and (
            re.search(r"그중|그럼|그날|그때", turn.message)
            or _ALL.search(turn.message)
            or (kinds_in(turn.message) and len(turn.message) < _SHORT)
        )
    ):
        period = Period(date.fromisoformat(board["since"]), date.fromisoformat(board["until"]))
        return "오늘 " if period.start == period.end == today else "그때 ", period
    return "", None


def _days_of(facts: Facts, period: Period | None) -> list[DayCounts]:
    if period is None:
        return facts["days"]
    return [one for one in facts["days"] if period.start <= date.fromisoformat(one["day"]) <= period.end]


def _counted(days: Sequence[DayCounts], kinds: Sequence[str]) -> list[tuple[int, int]]:
    """(answered, right) of each of the days, or of some kinds on them."""
    if not kinds:
        return [(one["answered"], one["right"]) for one in days]
    return [own for one in days for kind in kinds if (own := one["kinds"].get(kind)) is not None]


def _count(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    if _HOW_MANY_TIMES.search(turn.message) and not turn.adult and not kinds_in(turn.message):
        _days(turn, draft, facts)
        return
    when, period = _period(turn, facts)
    days = _days_of(facts, period)
    counted = _counted(days, kinds_in(turn.message))
    answered, right = sum(one[0] for one in counted), sum(one[1] for one in counted)
    wrong = answered - right
    slots: dict[str, object] = {"when": when, "answered": answered, "right": right, "wrong": wrong}
    draft.board.pop("since", None)
    if period is not None:
        draft.board["since"], draft.board["until"] = period.start.isoformat(), period.end.isoformat()
    if not answered and period is None and (kinds := kinds_in(turn.message)):
        draft.say("kind_no_score", name=draft.kind(kinds[0], "name"))
    elif not answered:
        draft.say("count_nothing", when=when)
    elif _ALL.search(turn.message) and "몇" not in turn.message:
        draft.say("count_not_all" if wrong else "count_all_right", **slots)
    elif _MORE_THAN.search(turn.message):
        draft.say(
            "count_more_right" if right > wrong else "count_more_wrong" if wrong > right else "count_same", **slots
        )
    elif _WRONG.search(turn.message) and not _RIGHT.search(turn.message):
        draft.say("count_wrong" if wrong else "count_none_wrong", **slots)
    else:
        draft.say("count_right" if _RIGHT.search(turn.message) else "count_all", **slots)


def _days(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    when, period = _period(turn, facts)
    days, last = _days_of(facts, period), facts["days"][-1]
    if (period is None or "마지막" in turn.message) and (
        named := _LAST.search(turn.message) or _MOST.search(turn.message)
    ):
        most = named.re is _MOST
        if 1 < len(facts["days"]) <= _FEW_DAYS and "언제" in turn.message and "마지막" not in turn.message:
            listed = [day_text(one["day"], facts["today"]).partition(",")[0] for one in reversed(facts["days"])]
            draft.say("days_listed", list=", ".join(listed))
            return
        day = max(facts["days"], key=lambda one: one["answered"]) if most else last
        told = day_text(day["day"], facts["today"])
        draft.say("most_day" if most else "last_day", last=told, answered=day["answered"])
        draft.board["since"] = draft.board["until"] = day["day"]
        return
    if period is None and not turn.adult and _FIRST.search(turn.message):
        first = facts["days"][0]
        draft.say("first_day", first=day_text(first["day"], facts["today"]), days=len(facts["days"]))
        return
    slots: dict[str, object] = {"when": when, "last": day_text(last["day"], facts["today"]), "days": len(days)}
    if period is None:
        ten = days_within(facts, _TEN_DAYS)
        draft.say("days_within", when="최근 10일 동안 ", days=len(ten), last=slots["last"])
        if len(ten) < len(facts["days"]):
            draft.say("days_whole", days=len(facts["days"]), first=day_text(facts["days"][0]["day"]))
        return
    draft.board["since"], draft.board["until"] = period.start.isoformat(), period.end.isoformat()
    if period.start == period.end or not days:
        counts = {name: sum(one[name] for one in days) for name in ("answered", "right")}
        draft.say("practised" if days else "not_practised", **slots, **counts)
        before = [one for one in facts["days"] if date.fromisoformat(one["day"]) < period.start]
        if not days and before and before[-1] != last:
            draft.say("practised_before", day=day_text(before[-1]["day"]))
    else:
        draft.say("days_within", **slots)


def _day_summary(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    when, period = _period(turn, facts)
    days = _days_of(facts, period) if period else facts["days"][-1:]
    if not days:
        draft.say("not_practised", when=when, last=day_text(facts["days"][-1]["day"]))
        return
    draft.board["since"], draft.board["until"] = days[0]["day"], days[-1]["day"]
    when = when or f"{day_text(days[0]['day'])}에 "
    draft.say("day_summary", when=when, answered=sum(d["answered"] for d in days), right=sum(d["right"] for d in days))
    shown = {one["day"] for one in days}
    kinds = list(dict.fromkeys(one["kind"] for one in facts["tries"] if one["day"] in shown))
    if kinds:
        draft.say("day_kinds", kinds=", ".join(draft.kind(kind, "name") for kind in kinds[:_MOST_ITEMS]))


# --- weak and strong --------------------------------------------------------------------------------------------------


def _weak(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    wanted = kinds_in(turn.message)
    weak = [one for one in weak_kinds(facts) if not wanted or one["kind"] in wanted]
    if not weak:
        _not_weak(draft, facts, wanted)
        return
    asked = next((one.value for one in numbers_in(turn.message) if one.value and one.counter in ("개", "가지")), None)
    items = [*islice(weak, asked or _MOST_ITEMS)]
    draft.say("weak_open")
    for number, one in enumerate(items, start=1):
        draft.say("weak_item", number=number, **kind_slots(draft, one))
    if asked and asked > len(items):
        draft.say("weak_only", count=len(items))
    draft.say("weak_close")
    list_kinds(draft, items)
    draft.board["offer"] = "give_problem"


def _not_weak(draft: Draft, facts: Facts, wanted: Sequence[str]) -> None:
    asked = [one for one in facts["kinds"] if one["kind"] in wanted]
    if wanted and not asked:
        draft.say("kind_no_score", name=draft.kind(wanted[0], "name"))
    elif asked:
        for one in asked:
            draft.say("kind_score", **kind_slots(draft, one))
    else:
        key = "weak_none" if facts["answered"] >= 2 * ENOUGH else "weak_few"
        draft.say(key, answered=facts["answered"], right=facts["right"], kinds=_kind_names(draft, facts))


def _kind_names(draft: Draft, facts: Facts) -> str:
    return ", ".join(draft.kind(one["kind"], "name") for one in facts["kinds"])


def _strong(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    strong = strong_kinds(facts)
    more = re.search(r"또|하나\s*더|다른", turn.message) or turn.ask == "other"
    place = draft.board.get("item", 0) + 1 if more and draft.board.get("ask") in ("strong", "evidence", "other") else 0
    if place < len(strong):
        draft.say("strong_next" if place else "strong", **kind_slots(draft, strong[place]))
        draft.board["kind"] = strong[place]["kind"]
    elif strong:
        draft.say("strong_no_more")
    else:
        draft.say("strong_none", answered=facts["answered"], right=facts["right"])
    draft.board["item"] = place
    draft.board["items"] = [{"what": "strength", "id": one["kind"]} for one in strong]


def _kinds_meant(turn: CoachTurn, draft: Draft) -> list[str]:
    """The kinds that a message names or points at."""
    wanted = kinds_in(turn.message)
    if not wanted and turn.opened and re.search(r"이거|이런|이 ?문제", turn.message):
        wanted = [kind_of(turn.opened[0])]
    if not wanted and draft.board.get("kind") and re.search(r"그거|그건|이거|이건", turn.message):
        wanted = [draft.board["kind"]]
    return wanted


def _how_am_i(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    if wanted := _kinds_meant(turn, draft):
        own = [one for one in facts["kinds"] if one["kind"] in wanted]
        if own and not turn.adult and WELL.search(turn.message):
            _whether_well(draft, own)
            return
        for one in own:
            _say_score(turn, draft, one)
        if not own:
            draft.say("kind_no_score", name=draft.kind(wanted[0], "name"))
        return
    if not turn.adult and WELL.search(turn.message):
        draft.say("all_well" if facts["right"] >= STRONG_SHARE * facts["answered"] else "all_learning")
    draft.say("how_am_i", answered=facts["answered"], right=facts["right"], days=len(days_within(facts, _TEN_DAYS)))
    if strong := strong_kinds(facts)[:1]:
        draft.say("how_strong", **kind_slots(draft, strong[0]))
    if weak := weak_kinds(facts)[:1]:
        draft.say("how_weak", **kind_slots(draft, weak[0]))
        list_kinds(draft, weak)
        draft.board["offer"] = "give_problem"
    elif turn.adult and 0 < facts["answered"] - facts["right"] <= _FEW_WRONG:
        last_answer(replace(turn, message="틀린"), draft, facts)


def _whether_well(draft: Draft, own: Sequence[KindCounts]) -> None:
    """Whether the child is good at what it names: yes, or that it is learning it."""
    answered, right = sum(one["answered"] for one in own), sum(one["right"] for one in own)
    first = own[0]["kind"]
    name = draft.kind(first, "name") if len(own) == 1 else _OPERATION_NAMES[OPERATION_OF[first]]
    key = "kind_well" if right >= STRONG_SHARE * answered else "kind_learning"
    draft.say(key, name=name, answered=answered, right=right)
    draft.board["kind"] = first


def _say_score(turn: CoachTurn, draft: Draft, one: KindCounts) -> None:
    """How a kind goes; of one that is hard for a child, also what helps."""
    slots = kind_slots(draft, one)
    draft.say("kind_score", **slots)
    if not turn.adult and one["right"] < WEAK_SHARE * one["answered"]:
        draft.say("kind_trick", **slots)


def _says_operations(draft: Draft, facts: Facts) -> bool:
    """Which operation goes best, with the counts of each; False where there is one alone."""
    counts: dict[str, tuple[int, int]] = {}
    for one in facts["kinds"]:
        right, answered = counts.get(OPERATION_OF[one["kind"]], (0, 0))
        counts[OPERATION_OF[one["kind"]]] = right + one["right"], answered + one["answered"]
    if len(counts) < 2:
        return False
    shares = {op: right / answered for op, (right, answered) in counts.items()}
    best = max(shares, key=shares.__getitem__)
    alike = len({*shares.values()}) == 1
    draft.say("compare_alike" if alike else "compare_ops", name=_OPERATION_NAMES[best])
    for op, (right, answered) in counts.items():
        draft.say("operation_score", name=_OPERATION_NAMES[op], right=right, answered=answered)
    return True


def _compare(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    kinds = [one for one in facts["kinds"] if one["kind"] in kinds_in(turn.message)]
    sums: dict[str, list[int]] = {}
    for one in kinds:
        counts = sums.setdefault(OPERATION_OF[one["kind"]], [0, 0])
        counts[0] += one["right"]
        counts[1] += one["answered"]
    if len(sums) > 1:
        best = max(sums, key=lambda op: sums[op][0] / sums[op][1])
        draft.say("compare_ops", name=_OPERATION_NAMES[best])
    for one in kinds:
        draft.say("kind_score", **kind_slots(draft, one))
    if not kinds and not turn.adult and _says_operations(draft, facts):
        return
    if not kinds:
        draft.say("how_am_i", answered=facts["answered"], right=facts["right"], days=len(days_within(facts, _TEN_DAYS)))


# --- change, time, single answers -------------------------------------------------------------------------------------


def _change(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    days = facts["days"]
    if not turn.adult and _OF_SPEED.search(turn.message):
        draft.say("speed_before")
        _speed(turn, draft, facts)
        return
    if len(days) < 2 or facts["answered"] < 4 * ENOUGH:
        draft.say("change_few", answered=facts["answered"])
        return
    half = max(1, len(days) // 2)
    before, after = days[:half], days[-half:]
    counts = {
        "before": sum(one["answered"] for one in before), "before_right": sum(one["right"] for one in before),
        "after": sum(one["answered"] for one in after), "after_right": sum(one["right"] for one in after),
    }  # fmt: skip
    was, is_ = counts["before_right"] / counts["before"], counts["after_right"] / counts["after"]
    key = "change_up" if is_ > was + 0.05 else "change_down" if is_ < was - 0.05 else "change_same"
    draft.say(key, where="", **counts)


def _speed(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    timed = [one for one in facts["tries"] if one["seconds"] is not None]
    if timed and _FASTEST.search(turn.message):
        first = min(timed, key=lambda one: one["seconds"] or 0)
        draft.say("fastest", expression=first["expression"], seconds=first["seconds"])
    else:
        draft.say("speed" if facts["seconds"] else "no_times", seconds=facts["seconds"])


def _time_spent(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    """How long was practised is not written down; how much was, is."""
    draft.say("time_not_kept")
    _count(turn, draft, facts)


def _enough(_: CoachTurn, draft: Draft, facts: Facts) -> None:
    draft.say("enough", answered=facts["answered"], kinds=_kind_names(draft, facts))


def _evidence(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    if re.search(r"왜.*(?:어려|틀|헷갈|못)", turn.message):
        why_wrong(turn, draft, facts)
        return
    kind = draft.board.get("kind")
    one = next((one for one in facts["kinds"] if one["kind"] == kind), None)
    if one is None:
        draft.say("evidence_all", answered=facts["answered"], right=facts["right"])
        return
    strong = turn.board.get("ask") in ("strong", "other") and one in strong_kinds(facts)
    draft.say("evidence_strong" if strong else "evidence_weak", **kind_slots(draft, one))


def kind_detail(draft: Draft, facts: Facts, kind: str) -> None:
    """More of one kind: an answer of the child's own, and what helps."""
    one = next((one for one in facts["kinds"] if one["kind"] == kind), None)
    if one is None:
        draft.say("kind_no_score", name=draft.kind(kind, "name"))
        return
    slots = kind_slots(draft, one)
    draft.say("kind_detail", **slots)
    if one["examples"] and (given := one["examples"][0]["given"]) is not None:
        draft.say("kind_example", **explained_answer(draft, one["examples"][0]["expression"], given))
    draft.say("kind_trick", **slots)
    draft.board["kind"], draft.board["offer"] = kind, "give_problem"


def claimed_of_records(message: str) -> tuple[str, int] | None:
    """("share" or "wrong", the number) of what an adult says that the records of a child come to: 60%네, 오답 24개."""
    if re.search(r"몇|얼마|우리\s*반|학급|전체", message):
        return None
    if (share := _SHARE_SAID.search(message)) is not None:
        return "share", int(share[1])
    wrong = _WRONG_SAID.search(message)
    return None if wrong is None else ("wrong", int(wrong[1] or wrong[2]))


def _record_claim(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    """Confirms or sets right what an adult says of the records, and tells where the wrong answers come from."""
    claimed = claimed_of_records(turn.message)
    answered, right = facts["answered"], facts["right"]
    what, said = claimed or ("wrong", answered - right)
    share, wrong = round(100 * right / answered), answered - right
    slots: dict[str, object] = {"answered": answered, "right": right, "wrong": wrong, "share": share, "said": said}
    fits = abs(said - share) <= 1 if what == "share" else said == wrong
    draft.say(f"claim_{what}_{'yes' if fits else 'no'}", **slots)
    missed = max(facts["kinds"], key=lambda one: one["answered"] - one["right"])
    if wrong and missed["right"] < missed["answered"]:
        rest: dict[str, object] = {"rest": answered - missed["answered"], "rest_right": right - missed["right"]}
        draft.say("claim_one_kind" if rest["rest"] else "claim_only_kind", **kind_slots(draft, missed), **rest)
        draft.board["kind"] = missed["kind"]


RECORD_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft, Facts], None]]] = {
    "count": _count,
    "days": _days,
    "day_summary": _day_summary,
    "weak": _weak,
    "strong": _strong,
    "how_am_i": _how_am_i,
    "compare_ops": _compare,
    "change": _change,
    "speed": _speed,
    "slowest": slowest,
    "last_answer": last_answer,
    "why_wrong": why_wrong,
    "recent_tries": recent_tries,
    "time_spent": _time_spent,
    "redo_missed": redo_missed,
    "enough": _enough,
    "evidence": _evidence,
    "record_claim": _record_claim,
}
"""Ask → what answers it from the facts of a child that has answers."""

"""The child's answers one by one: the words for a kind with its examples, the last answer, those that were wrong and
why."""

import re
from collections.abc import Sequence
from typing import Final

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.column_replies import carry_word
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import Facts, KindCounts, Try, kind_of, kinds_in, weak_kinds
from maththera.chat.coach.message_shapes import exercise_of
from maththera.korean.numbers import numbers_in

_MOST_ITEMS: Final = 3
_MOST_TRIES: Final = 10
_HUNDRED: Final = 100
_WRONG: Final = re.compile(r"틀|오답|놓")


def wrong_of(one: KindCounts) -> int:
    """How many answers were wrong."""
    return one["answered"] - one["right"]


def kind_slots(draft: Draft, one: KindCounts) -> dict[str, object]:
    """The values that sentences on a kind are filled with."""
    slots: dict[str, object] = {
        "name": draft.kind(one["kind"], "name"),
        "answered": one["answered"],
        "right": one["right"],
        "wrong": wrong_of(one),
        "weak": draft.kind(one["kind"], "weak"),
        "trick": draft.kind(one["kind"], "trick"),
        "home": draft.kind(one["kind"], "home"),
        "why": draft.kind(one["kind"], "why"),
    }
    example, cause = next(iter(one["examples"]), None), next(iter(one["causes"]), None)
    slots["example"] = draft.worded("weak_example", **_try_slots(example)) if example else ""
    slots["cause"] = draft.worded("weak_cause", title=cause["title"], count=cause["count"]) if cause else ""
    slots["count"] = cause["count"] if cause else wrong_of(one)
    return slots


def _try_slots(one: Try) -> dict[str, object]:
    problem = exercise_of(one["expression"])
    return {
        "expression": one["expression"], "given": one["given"], "answer": problem.answer if problem else "?",
        "seconds": one["seconds"],
    }  # fmt: skip


def explained_answer(draft: Draft, expression: str, given: int) -> dict[str, object]:
    """Why an answer came out: the words for it, and the title of the wrong procedure."""
    problem = exercise_of(expression)
    rules = malrules_giving(problem, given) if problem else ()
    slots: dict[str, object] = {
        "right": problem.answer if problem else "",
        "title": "",
        "expression": expression,
        "given": given,
    }
    if problem is None or not rules:
        return {**slots, "title": "아직 알 수 없는 까닭", "explained": draft.worded("explain_unknown")}
    slots["title"] = rules[0].title
    ones = problem.a % 10, problem.b % 10
    tags = {cause.tag for cause in rules[0].causes}
    if "EXECUTION_L4_CARRY_FORGOTTEN" in tags and (carried := carry_word(problem, "explain_carry")) is not None:
        return {**slots, "explained": draft.worded(carried.key, ones=sum(ones), **carried.slots)}
    if "CONCEPT_L6_SUBTRACTION_COMMUTES" in tags and ones[0] < ones[1]:
        return {**slots, "explained": draft.worded("explain_borrow", one=ones[0], other=ones[1])}
    if (key := f"explain_{rules[0].name}") in draft.texts.says and (shown := _shown_by(problem)):
        return {**slots, "explained": draft.worded(key, **shown)}
    procedure = rules[0].title.partition(" (")[0]
    return {**slots, "explained": draft.worded("explain_other", procedure=procedure)}


def _shown_by(problem: Problem) -> dict[str, object]:
    """The numbers that words for a wrong procedure name; none where its problem is too large for them."""
    big, small = max(problem.a, problem.b), min(problem.a, problem.b)
    if big >= _HUNDRED:
        return {}
    (tens, ones), place = divmod(big, 10), problem.b % 10
    start = big if problem.op == "+" else problem.a
    return {
        "a": problem.a, "b": problem.b, "big": big, "small": small, "tens": tens, "one": ones, "other": place,
        "sum": problem.a % 10 + place, "left": problem.a // 10 - 1, "minus": problem.b // 10,
        "start": start, "next": start + 1 if problem.op == "+" else start - 1,
    }  # fmt: skip


def list_kinds(draft: Draft, items: Sequence[KindCounts]) -> None:
    """Remember the kinds that were listed."""
    draft.board["items"] = [{"what": "kind", "id": one["kind"]} for one in items]
    draft.board["item"], draft.board["kind"] = 0, items[0]["kind"]
    draft.board.pop("concept", None)  # what is asked next is about the list


def slowest(_: CoachTurn, draft: Draft, facts: Facts) -> None:
    """The problem that took longest."""
    longest = facts["slowest"]
    draft.say("slowest" if longest else "no_times", **(_try_slots(longest) if longest else {}))


def last_answer(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    """The last answer, that to a problem which is named, or the newest that were wrong."""
    if (problem := exercise_of(_named_expression(turn.message))) is not None:
        own = [one for one in facts["tries"] if one["expression"] == problem.expression and one["given"] is not None]
        missed = [one for one in own if not one["correct"]]
        shown = (missed or own)[-1:]
        draft.board["expression"], draft.board["given"] = problem.expression, shown[0]["given"] if shown else None
        if not shown:
            draft.say("tried_never", expression=problem.expression)
        else:
            draft.say("tried_wrong" if missed else "tried_right", **_try_slots(shown[0]))
            draft.board["offer"] = "why_wrong"
        return
    listed = [item["id"] for item in turn.board.get("items", []) if item["what"] == "try"]
    if turn.adult and listed and not _WRONG.search(turn.message):  # what was written to those that were told of
        for each in listed:
            expression, _, written = each.rpartition("=")
            asked = exercise_of(expression)
            draft.say("tried_wrong", expression=expression, given=written, answer=asked.answer if asked else "?")
        draft.board["offer"] = "why_wrong"
        return
    if _WRONG.search(turn.message) or "그중" in turn.message or turn.board.get("ask") in ("count", "weak", "how_am_i"):
        wrong = [one for one in facts["tries"] if not one["correct"] and one["given"] is not None][-_MOST_ITEMS:]
        tries = ", ".join(f"{one['expression']}({one['given']})" for one in reversed(wrong))
        draft.say("wrong_list" if wrong else "wrong_none", tries=tries)
        if wrong:
            draft.board["expression"], draft.board["given"] = wrong[-1]["expression"], wrong[-1]["given"]
            draft.board["items"] = [
                {"what": "try", "id": f"{one['expression']}={one['given']}"} for one in reversed(wrong)
            ]
        return
    given = [one for one in facts["tries"] if one["given"] is not None]
    if not given:
        draft.say("no_records")
        return
    draft.say("last_right" if given[-1]["correct"] else "last_wrong", **_try_slots(given[-1]))
    draft.board["expression"], draft.board["given"] = given[-1]["expression"], given[-1]["given"]


def recent_tries(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    """The newest answers, as many as are asked for."""
    counts = [one.value for one in numbers_in(turn.message) if one.value and one.counter in ("개", "문제")]
    given = [one for one in facts["tries"] if one["given"] is not None][-min(counts[0] if counts else 3, _MOST_TRIES) :]
    told = (f"{one['expression']}={one['given']}({'맞음' if one['correct'] else '더 연습'})" for one in reversed(given))
    draft.say("recent_tries", count=len(given), tries=", ".join(told))


def redo_missed(_: CoachTurn, draft: Draft, facts: Facts) -> None:
    """The newest problem that was wrong, to be tried again."""
    missed = [one for one in facts["tries"] if not one["correct"]]
    if not missed:
        draft.say("wrong_none")
        return
    draft.say("redo_missed", expression=missed[-1]["expression"])
    draft.board["problem"], draft.board["kind"] = missed[-1]["expression"], missed[-1]["kind"]
    draft.board.pop("expression", None)


def _named_expression(message: str) -> str | None:
    found = read_expressions(message)
    return found[0].text if found else None


def why_wrong(turn: CoachTurn, draft: Draft, facts: Facts) -> None:
    """Why an answer was wrong: one that is named or was spoken of, else the commonest cause."""
    expression = _named_expression(turn.message)
    given, asked = (
        next(
            (
                one.value
                for one in numbers_in(turn.message)
                if one.value is not None and expression and str(one.value) not in expression
            ),
            None,
        ),
        kinds_in(turn.message),
    )
    if expression is None and not asked and draft.board.get("given") is not None:
        expression, given = draft.board.get("expression"), draft.board.get("given")
    if (problem := exercise_of(expression)) is not None:
        missed = [one for one in facts["tries"] if one["expression"] == problem.expression and not one["correct"]]
        given = given if given not in (None, problem.answer) else missed[-1]["given"] if missed else None
        if given is not None:
            explained = explained_answer(draft, problem.expression, given)
            if turn.adult and draft.board.get("times", {}).get("why_wrong_child"):
                draft.add(draft.kind(kind_of(problem), "why"))
            else:
                draft.say("why_wrong_child", **explained)
            draft.board["expression"], draft.board["given"] = problem.expression, given
            return
    weak = [one for one in weak_kinds(facts) if not asked or one["kind"] in asked]
    weak = weak or [one for one in facts["kinds"] if wrong_of(one) and (not asked or one["kind"] in asked)]
    if not weak:
        draft.say("why_wrong_none")
        return
    slots = kind_slots(draft, weak[0])
    once = next(iter(weak[0]["examples"]), None) if wrong_of(weak[0]) == 1 else None
    if once is not None and once["given"] is not None and not turn.adult:
        draft.say("why_wrong_once", **explained_answer(draft, once["expression"], once["given"]))
        draft.board["expression"], draft.board["given"] = once["expression"], once["given"]
        return
    draft.say("why_wrong_cause", **slots)
    draft.say("why_wrong_why", **slots)
    list_kinds(draft, weak[:1])

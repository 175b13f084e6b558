"""A session step by step, for an adult who looks back: what the child saw, and in sentences what was seen of it, why,
what followed and what was said."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from maththera.knowledge.skills import Skills
from maththera.korean.particles import with_particle
from maththera.store.task_observations import Seen
from maththera.store.tutoring_sessions import TurnRow
from maththera.tutoring.content.cause_catalogue import Catalogue
from maththera.tutoring.state import Event, is_helped
from maththera.tutoring.turns.envelopes import plan_in_words

Json = dict[str, Any]

_UNKNOWN: Final = "UNKNOWN"
_SIGNS: Final = str.maketrans({"x": "×", "/": "÷", "-": "−"})
_PATTERNS: Final[Mapping[str, str]] = {
    "correct_fast": "이 아이에게 빠른 답이에요.",
    "correct_slow": "맞았지만 이 아이에게 느린 답이에요.",
    "logical_error": "알려진 어떤 방법으로도 나오지 않지만 정답에 가까운 답이에요.",
    "severe_error": "알려진 어떤 방법으로도 나오지 않고 정답에서 먼 답이에요.",
}
_EXPLAINED: Final[Mapping[str, str]] = {
    "logical_error": "알려진 잘못된 방법에서 나오는 답이에요.",
    "severe_error": "수의 크기와 어긋나는 잘못된 방법에서 나오는 답이에요.",
}
"""Where a wrong procedure gives the answer."""
_EVENTS: Final[Mapping[str, str]] = {
    "training_done": "놀이를 마쳤어요.",
    "stop": "여기서 그만했어요.",
}
_ROUTES: Final[Mapping[str, str]] = {
    "A": "부담이 덜한 문제로 돌아가서 다시 올라와요.",
    "B": "앞 단계의 문제로 돌아가서 다시 올라와요.",
    "fluency_drill": "같은 단계에서 더 편해지도록 연습해요.",
    "refocus": "같은 문제를 다시 차분히 봐요.",
    "advance": "다음 단계로 나아가요.",
    "recovery": "되돌아온 길을 한 걸음 올라와요.",
    "bridge_loop": "두 단계 사이를 잇는 문제를 풀어요.",
    "white_out": "많이 어려워해서, 잘하는 곳으로 멀리 돌아가요.",
    "worked_example": "문제를 함께 한 단계씩 풀어요.",
    "probe": "원인을 가르려고 한 가지만 뺀 확인 문제를 내요.",
    "none": "같은 단계에서 이어 가요.",
}
_PHASES: Final[Mapping[str, str]] = {
    "diagnostic_question": "무엇을 알고 있는지 묻는 문제를 내요.",
    "worked_example": "문제를 함께 한 단계씩 풀어요.",
    "breather": "쉬운 문제로 잠깐 숨을 골라요.",
    "training": "놀이를 해요.",
}
"""Where these follow, they say more than the route."""
_FOCUS: Final = "멈추고 생각하는 놀이를 한 다음 같은 문제를 다시 봐요."
_LET_GO: Final = "이 문제는 그만두고 다음 문제로 가요."
_HOW_SURE: Final[Mapping[str, str]] = {"high": "확실해요", "medium": "아마도 그래요", "low": "아직 몰라요"}


def session_steps(
    begun: Json | None,
    rows: Sequence[TurnRow],
    observed: Mapping[str, Mapping[str, Seen]],
    catalogue: Catalogue,
    skills: Skills,
) -> Json:
    """`begun`: the view of the session before its first turn, None where it is not known. `observed`: task id → tag →
    who saw it. -> `steps`, and `open`: the task that waits now."""
    task, words = begun and begun["task"], list[str]()
    steps: list[Json] = []
    for row in rows:
        seen = {**dict.fromkeys(row.event.get("observed", ()), "adult"), **observed.get(_task_of(row.event), {})}
        tags = [catalogue.observations[tag].description for tag in seen if tag in catalogue.observations]
        steps.append(
            {
                "turn": row.turn,
                "phase": task and _phase(steps, row),
                "task": task,
                "words": words,
                "given": row.event.get("answer"),
                "input": row.event.get("input"),
                "found": row.event.get("steps") or [],
                "aid": is_helped(cast("Event", row.event)),
                "played": _played(row.event),
                "solution": _solution_seen(row.response),
                "correct": row.response["correct"],
                "seen": [*_seen(row, task), *(f"옆에서 본 것: {one}." for one in tags)],
                "why": [*_why(row.response, catalogue), *_predicted(row, catalogue)],
                "follows": [*_follows(row, task, catalogue), *_next_time(row, catalogue, skills)],
                "said": row.response["feedback"]["feedback_text"],
                "row": _payload(row, "adaptation_result").get("row"),
            }
        )
        task, words = row.response["task"], _words_beside(row.response)
    if task is None:
        return {"steps": steps, "open": None}
    phase = rows[-1].response["phase"] if rows else begun and begun["phase"]
    seen_now = [*observed.get(task["task_id"], {})]
    return {"steps": steps, "open": {"phase": phase, "task": task, "words": words, "observed": seen_now}}


def _task_of(event: Mapping[str, Any]) -> str:
    return str(event.get("task_id", ""))


def _phase(before: Sequence[Json], row: TurnRow) -> str:
    """In which the answer was given: the one that the turn before has led to."""
    if phase := _payload(row, "diagnostic_request").get("session_context", {}).get("current_step"):
        return str(phase)
    return str(before[-1]["phase"]) if before else "normal"


def _payload(row: TurnRow, kind: str) -> Mapping[str, Any]:
    """What an envelope of the turn holds; nothing where there is none."""
    return next((one["payload"] for one in row.trace if one["type"] == kind), {})


def _words_beside(response: Mapping[str, Any]) -> list[str]:
    """The lines that stay beside the next task, and the hint for it."""
    lines, hint = _lines(response, "next"), response["feedback"].get("hint_text")
    return [*lines, hint] if hint else lines


def _lines(response: Mapping[str, Any], about: str) -> list[str]:
    return [line["text"] for line in response["feedback"].get("lines") or () if line["about"] == about]


def _solution_seen(response: Mapping[str, Any]) -> Json | None:
    """What was solved together, where the page showed it: it stands below the words about the answer."""
    return response.get("solution") if _lines(response, "answer") and response["phase"] != "ended" else None


def _played(event: Mapping[str, Any]) -> list[Json]:
    """The items of a training that the child came to; none where its client counted only."""
    items = event.get("results", {}).get("items")
    return [
        {
            "item_id": one["item_id"],
            "answers": one["answers"],
            "tries": one.get("tries", []),
            "shown": one.get("shown", False),
        }
        for one in (items if isinstance(items, list) else ())
        if not one.get("skipped")
    ]


def _seen(row: TurnRow, task: Json | None) -> Iterator[str]:
    event, response = row.event, row.response
    kind, given = event["type"], event.get("answer")
    if kind == "timeout":
        yield "모르겠다고 했어요." if event.get("said") else "답이 없었어요."
    elif isinstance(given, int):
        yield f"{with_particle(given, '라고')} 답했어요."
        if response["correct"] is not None:
            yield "맞았어요." if response["correct"] else "틀렸어요."
    elif kind in _EVENTS:
        yield _EVENTS[kind]
    if kind == "answer_submitted" and task is not None:
        if event.get("rt_ms") is not None:
            yield f"{event['rt_ms'] / 1000:.1f}초 걸렸어요."
        if task["kind"] != "widget" or response["correct"]:
            yield from _pattern(row)
        if is_helped(cast("Event", event)):
            yield "도움을 보았어요."


def _pattern(row: TurnRow) -> Iterator[str]:
    pattern = row.response["response_pattern"] or ""
    explained = _EXPLAINED if _payload(row, "diagnostic_result").get("malrules") else {}
    if said := explained.get(pattern) or _PATTERNS.get(pattern):
        yield said


def _why(response: Mapping[str, Any], catalogue: Catalogue) -> Iterator[str]:
    diagnosis = response["diagnosis"]
    tag = diagnosis["cause_tag"]
    if tag in catalogue.causes and tag != _UNKNOWN:
        yield f"원인: {catalogue.causes[tag].name} ({_HOW_SURE.get(diagnosis['confidence'], '아직 몰라요')})."
    elif diagnosis["candidates"]:
        named = [catalogue.causes[one].name for one in diagnosis["candidates"] if one in catalogue.causes]
        yield f"있을 수 있는 원인: {', '.join(named)}."
    if diagnosis["reasoning"]:
        yield diagnosis["reasoning"]


def _predicted(row: TurnRow, catalogue: Catalogue) -> Iterator[str]:
    """What each possible cause would answer at the probe that follows."""
    probe = _payload(row, "diagnostic_result").get("probe") or {}
    told = [
        f"‘{catalogue.causes[tag].name}’: {answer if isinstance(answer, int) else '틀린 답'}"
        for tag, answer in probe.get("predictions", ())
        if tag in catalogue.causes
    ]
    if told:
        yield f"확인 문제에서 기다리는 답: {', '.join(told)}."


def _follows(row: TurnRow, task: Json | None, catalogue: Catalogue) -> Iterator[str]:
    response = row.response
    if response["phase"] == "ended":
        yield "활동이 끝났어요."
    else:
        yield _way(response, task)
        if response["task"] is not None and (problem := response["task"].get("problem")):
            yield f"다음 문제: {str(response['task']['prompt'] or problem['expression']).translate(_SIGNS)}"
    titles = [catalogue.trainings[one].title for one in response["training"] if one in catalogue.trainings]
    if titles:
        yield f"권하는 놀이: {', '.join(titles)}."


def _way(response: Mapping[str, Any], task: Json | None) -> str:
    """The way that the turn takes. A training for attention comes before the same problem; a problem that was let go
    does not come again."""
    route, phase = response["adaptation"]["route"], response["phase"]
    if route != "refocus":
        return _PHASES.get(phase) or _ROUTES[route]
    if phase == "training":
        return _FOCUS
    shown = [one and one["problem"] and one["problem"]["expression"] for one in (task, response["task"])]
    return _ROUTES[route] if phase != "normal" or shown[0] in (shown[1], None) else _LET_GO


def _next_time(row: TurnRow, catalogue: Catalogue, skills: Skills) -> Iterator[str]:
    """What an adult may plan, where the turn says so."""
    plan = _payload(row, "adaptation_result").get("next_time") or {}
    skill = next((one.name for one in skills if one.skill_id == plan.get("skill_id")), None)
    training = catalogue.trainings.get(plan.get("training_id") or "")
    if (says := plan_in_words(skill, training.title if training else None)) is not None:
        yield says

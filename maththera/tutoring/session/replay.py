"""Sessions computed again from their records: the start, and each turn's event with what a model said in it."""

from collections.abc import Sequence
from typing import Any, cast

from maththera.store.tutoring_sessions import TurnRow
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.state import ENGINE, Event, TutoringState, given
from maththera.tutoring.turns.turn import Turn, TurnContext, answer_refused

Json = dict[str, Any]


def same_engine(start: Json) -> bool:
    """Whether the session was played by this engine. Those of an earlier one cannot be computed again."""
    return bool(recorded_engine(start) == ENGINE)


def recorded_engine(start: Json) -> int:
    """The engine that played a session; the first one did not say so."""
    return int(start.get("engine", 1))


def state_from_rows(engine: InMemoryEngine, start: Json, rows: Sequence[TurnRow]) -> TutoringState:
    """The state that the rows lead to."""
    state = engine.begin(start)
    for row in rows:
        state = engine.turn(state, _event(row), _context(row))
    return state


def replay_differences(engine: InMemoryEngine, start: Json, rows: Sequence[TurnRow]) -> list[Json]:
    """For each turn whether it comes out as it was recorded, and what `differs`; up to one that no longer fits."""
    state = engine.begin(start)
    found: list[Json] = []
    for row in rows:
        event, context = _event(row), _context(row)
        if answer_refused({**state, "event": event}) is not None:
            return [*found, {"turn": row.turn, "identical": False, "differs": ["event"]}]
        state = engine.turn(state, event, context)
        differs = _differences(row, given(context.turn))
        found.append({"turn": row.turn, "identical": not differs, "differs": differs})
    return found


def replayed_states(engine: InMemoryEngine, start: Json, rows: Sequence[TurnRow]) -> list[TutoringState]:
    """The state after each turn; up to the first whose event no longer fits, as the session would have gone another
    way."""
    state = engine.begin(start)
    found: list[TutoringState] = []
    for row in rows:
        event = _event(row)
        if answer_refused({**state, "event": event}) is not None or not _same_task(state, row):
            break
        state = engine.turn(state, event, _context(row))
        found.append(state)
    return found


def _same_task(state: TutoringState, row: TurnRow) -> bool:
    """Whether the child answered this very problem; the number of a task says nothing about what it asks."""
    task, problem_id = state["task"], row.facts.get("problem_id")
    return problem_id is None or (task is not None and task["problem_id"] == problem_id)


def _event(row: TurnRow) -> Event:
    return cast("Event", {**row.event, "llm": row.llm})


def _context(row: TurnRow) -> TurnContext:
    return TurnContext(degraded=row.response["degraded"])


def _differences(row: TurnRow, turn: Turn) -> list[str]:
    found = [key for key, value in row.response.items() if not _as_recorded(value, turn.response.get(key))]
    then, now = (_envelopes(one.trace) for one in (row, turn))
    return found + [kind for kind, payload in then.items() if not _as_recorded(payload, now.get(kind))]


def _as_recorded(then: object, now: object) -> bool:
    """Whether a value came out as it was recorded. Members that records did not have yet are no difference."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and _as_recorded(value, now[name]) for name, value in then.items())
    return then == now


def _envelopes(trace: list[Json]) -> dict[str, Any]:
    """The envelopes by type, without the times of the stages, which are never the same."""
    return {one["type"]: one["payload"] for one in trace if one["type"] != "stages"}

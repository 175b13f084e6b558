"""The input of the tutoring graph from Studio and flows: the body of `POST /sessions`, under `start`."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.runtime.graph_input import GraphInput
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.session.session_start import NewSession, recorded_start
from maththera.tutoring.state import SCHEMA_VERSION, Mode, TutoringState
from maththera.tutoring.turns.events import BadEvent


class SessionStart(GraphInput):
    """Everything may be left out."""

    student_id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        "studio", description="A name for the session; no records are read or written."
    )
    c_position: int | None = Field(None, description="Level on the ladder C1..C15; beyond it, the nearest.")
    w_position: float | None = Field(None, description="Working-memory load of the first problem.")
    problem_count: Annotated[int, Field(ge=1)] | None = None
    first_problem: str | None = Field(None, description="Such as 28+15.")
    mode: Mode = Field("practice", description="placement finds out what the child knows.")
    seed: Annotated[int, Field(ge=0)] = Field(0, description="The same seed, the same session.")


class SessionInput(GraphInput):
    """Begins a new session, also on a thread that has one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"start": {"first_problem": "28+15"}}]})

    start: SessionStart = Field(description="How the session begins; {} takes the defaults.")


def first_state(wanted: SessionInput, rules: Rules) -> dict[str, Any]:
    """The state of a session before its first node. It clears every key of an older session on the thread.
    ValueError."""
    nothing: dict[str, Any] = dict.fromkeys(TutoringState.__annotations__)
    try:
        nothing_known = recorded_knowledge([], rules.knowledge, rules.bank)
        start = recorded_start(NewSession(**wanted.start.model_dump()), None, nothing_known, rules)
    except BadEvent as error:
        raise ValueError(f"{error.loc.replace('body', 'start')}: {error.msg}") from None
    return {**nothing, "schema_version": SCHEMA_VERSION, "start": start, "turn": 0}

"""Weeks with the tutor: a child comes every few days, as the API starts it, and everything shown is written down."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from time import perf_counter_ns
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from maththera.knowledge.knowledge import Evidence, Knowledge, Word
from maththera.simulation.independent.child import Child, Reply
from maththera.simulation.independent.sums import read
from maththera.simulation.knowing.examiner import Examiner, Truth
from maththera.store.learner_state import LEARNER_COLUMNS, LearnerRow, LearnerUpdate, learner_from_turns
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import UNKNOWN
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.session_start import Capabilities, NewSession, recorded_start
from maththera.tutoring.state import Event, TutoringState, given
from maththera.tutoring.turns.envelopes import position, task_view
from maththera.tutoring.turns.turn import Turn, TurnContext

DAYS_BETWEEN: Final = (2, 3, 3, 4, 5)
_RECENT_SESSIONS: Final = 20
_FIRST_DAY: Final = 739_000
EVERY_STRAND: Final = "all"
"""The strand of a position that has none."""


class Asked(NamedTuple):
    """One task. `first`: the first unaided showing of an ordinary problem. `chance`: the child's true chance, unaided;
    `predicted`: what the tutor expects it to be. `counts`: it is a task of its own, not one more step of an example."""

    kind: str
    prompt: str
    c: int | None
    skill_id: str | None
    sign: str | None
    right: bool | None
    why: str
    first: bool
    phase: str
    chance: float
    predicted: float
    counts: bool = True


@dataclass(slots=True)
class Session:
    """What happened in one session, and what stands at its end. `tasks` were counted so far. `said`: the
    tutor's word on each skill of the ladder; `hold`: how surely a wrong procedure is followed."""

    day: float
    start_c: int
    strand: str
    asked: list[Asked] = field(default_factory=list)
    tasks: int = 0
    stated: set[str] = field(default_factory=set)
    white_out: bool = False
    ended_because: str = ""
    said: Mapping[str, Word] = field(default_factory=dict)
    truth: Truth = field(default_factory=dict)
    hold: float = 0.0


@dataclass(slots=True)
class Weeks:
    """`given_c`: the level that the start was given, or None."""

    index: int
    kind: str
    procedure: str | None
    given_c: int | None
    truth: Truth
    speed: float
    sessions: list[Session] = field(default_factory=list)


class _TimedNodes(Nodes):
    """The tutor's nodes, with the time of each choice of a task."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.selected_us: list[float] = []

    def select(self, state: TutoringState) -> Update:
        started = perf_counter_ns()
        found = super().select(state)
        self.selected_us.append((perf_counter_ns() - started) / 1000)
        return found


class Tutor:
    """The tutor as it stands, without its shell: what the API would do, session after session."""

    def __init__(self, rules: Rules, examiner: Examiner, *, widgets: bool = False) -> None:
        """`widgets`: the client can show items of number sense."""
        self.rules, self.examiner, self.widgets = rules, examiner, widgets
        self.learnt_us: list[float] = []
        self._nodes = _TimedNodes(rules)
        self._engine = InMemoryEngine(self._nodes)

    @property
    def selected_us(self) -> list[float]:
        """Microseconds of every choice of a task so far."""
        return self._nodes.selected_us

    def weeks(  # noqa: PLR0913 - who comes, how it starts, how often
        self, index: int, child: Child, seed: int, *, level_given: bool, sessions: int, problems: int,
        bad_day: int | None = None, rest: int | None = None,
    ) -> Weeks:  # fmt: skip
        """`bad_day`: the number of a session in which nothing comes off. `rest`: days before one more session."""
        chance = Random(f"weeks {seed}:{index}")  # noqa: S311 - repeatable on purpose
        truth = self.examiner.truth(child)
        given_c = self.examiner.teachers_level(truth) if level_given else None
        name = child.procedure.name if child.procedure is not None else None
        weeks = Weeks(index, child.habits.kind, name, given_c, truth, child.habits.speed)
        turns: list[list[SimpleNamespace]] = []
        knowledge = Knowledge.start(self.rules.knowledge, _FIRST_DAY)
        day = 0
        for number in range(sessions + (rest is not None)):
            if number:
                day += rest if rest is not None and number == sessions else chance.choice(DAYS_BETWEEN)
            child.sits_down(day)
            wanted = NewSession(
                student_id=f"child-{index}",
                c_position=given_c if number == 0 else None,
                problem_count=problems,
                seed=chance.getrandbits(31),
                capabilities=Capabilities(widgets=self.widgets, presentation=True),
            )
            bad = chance if number == bad_day else None
            knowledge = knowledge.on_day(_FIRST_DAY + day)
            session, knowledge = self._session(child, wanted, turns, knowledge, bad)
            weeks.sessions.append(session)
        return weeks

    def screening(self, child: Child, seed: int) -> NumberSenseProfile:
        """What a screening of number sense finds."""
        wanted = NewSession("child", seed=seed, mode="number_sense", capabilities=Capabilities(widgets=True))
        knowledge = Knowledge.start(self.rules.knowledge, _FIRST_DAY)
        state = self._engine.begin(recorded_start(wanted, None, knowledge, self.rules))
        while (view := task_view(state["task"], self.rules)) is not None:
            state = self._engine.turn(state, _event(view, child.respond(view), state["turn"] + 1, taps=False))
        return cast("NumberSenseProfile", given(state["summary"])["number_sense"])

    def _session(
        self,
        child: Child,
        wanted: NewSession,
        turns: list[list[SimpleNamespace]],
        knowledge: Knowledge,
        bad: Random | None,
    ) -> tuple[Session, Knowledge]:
        state = self._engine.begin(recorded_start(wanted, _learner(wanted.student_id, turns), knowledge, self.rules))
        place = position(state)
        session = Session(child.day, place["c"], place.get("strand", EVERY_STRAND))
        turns.append([])
        seen: set[str] = set()
        while (view := task_view(state["task"], self.rules)) is not None:
            state = self._turn(state, view, child, session, seen, turns[-1], bad)
        self._training_at_the_end(state, child)
        session.ended_because = state["ended_because"] or ""
        session.truth, session.hold = self.examiner.truth(child), child.hold
        self._time_evidence(knowledge, state)
        known = self.rules.session_knowledge.at(state)
        session.said = {skill_id: known[skill_id].word for skill_id in session.truth}
        return session, known

    def _time_evidence(self, knowledge: Knowledge, state: TutoringState) -> None:
        """Learns from the session's answers once more, against the clock."""
        for entry in state["known"]["evidence"]:
            started = perf_counter_ns()
            knowledge = knowledge.after(Evidence(*entry))
            self.learnt_us.append((perf_counter_ns() - started) / 1000)

    def _turn(  # noqa: PLR0913 - one turn, and everything it is written into
        self, state: TutoringState, view: Mapping[str, Any], child: Child, session: Session, seen: set[str],
        turns: list[SimpleNamespace], bad: Random | None,
    ) -> TutoringState:  # fmt: skip
        counted = state["counters"]["tasks"]
        phase, asked = state["current_step"], self._asked(view, child, seen, self.rules.session_knowledge.at(state))
        reply = _reply(view, child, bad)
        context = TurnContext()
        state = self._engine.turn(state, _event(view, reply, state["turn"] + 1, taps=child.habits.taps), context)
        turn = cast("Turn", context.turn)
        turns.append(_row(turn))
        right = turn.response["correct"]
        if bad is None and (right is not None or view["kind"] == "training"):
            child.learn(view, right=bool(right))
        session.asked.append(asked._replace(right=right, why=reply.why, phase=phase, counts=counted > session.tasks))
        session.tasks = counted
        session.white_out = session.white_out or turn.response["phase"] == "white_out"
        diagnosis = turn.response["diagnosis"]
        if diagnosis["confidence"] == "high" and diagnosis["cause_tag"] not in (None, UNKNOWN):
            session.stated.add(diagnosis["cause_tag"])
        return state

    def _asked(self, view: Mapping[str, Any], child: Child, seen: set[str], knowledge: Knowledge) -> Asked:
        """The task before it is answered."""
        shown, one = view["problem"], read(view["prompt"])
        problem = self.rules.bank.problem(shown["problem_id"]) if shown else None
        skill = self.examiner.skills.of_problem(problem) if problem is not None else None
        prompt = view["prompt"]
        if widget := view.get("widget"):
            prompt += f" {widget['params']}"
        first = view["kind"] == "problem" and view["visual_mode"] == "none" and view["prompt"] not in seen
        seen.add(view["prompt"])
        return Asked(
            kind=view["kind"],
            prompt=prompt,
            c=problem.c_level if problem is not None else None,
            skill_id=skill.skill_id if skill is not None else None,
            sign=problem.op if problem is not None else None,
            right=None,
            why="",
            first=first,
            phase="",
            chance=child.success(one) if one is not None else 0.0,
            predicted=knowledge.expectation(problem) if problem is not None else 0.0,
        )

    def _training_at_the_end(self, state: TutoringState, child: Child) -> None:
        """The child takes the first training that the end of the session offers."""
        if not state["offered"]:
            return
        training_id = state["offered"][0]
        event: Event = {
            "type": "training_done",
            "request_id": "end",
            "training_id": training_id,
            "results": {"done": True},
        }
        self._engine.turn(state, event)
        plan = self.rules.catalogue.trainings[training_id]
        items = plan.draw(earlier=0, seed=state["start"]["seed"], level=state["c_position"], limit=None)
        steps = [{"steps": [{"prompt": step.prompt} for step in plan.item(one).steps]} for one in items]
        child.learn({"kind": "training", "training": {"items": steps}}, right=True)


def _reply(view: Mapping[str, Any], child: Child, bad: Random | None) -> Reply:
    if view["kind"] == "training":
        return Reply(None, 0, "training")
    return Reply(bad.randrange(100), 3500, "bad day") if bad is not None else child.respond(view)


def _event(view: Mapping[str, Any], reply: Reply, number: int, *, taps: bool) -> Event:
    """As the page sends it, which says whether a number was tapped or typed."""
    event: Event = {"request_id": f"r{number}", "task_id": view["task_id"]}
    if view["kind"] == "training":
        return {**event, "type": "training_done", "training_id": view["training"]["id"], "results": {"done": True}}
    if reply.answer is None:
        return {**event, "type": "timeout"}
    return {
        **event,
        "type": "answer_submitted",
        "answer": reply.answer,
        "rt_ms": reply.rt_ms,
        "input": "widget" if view["kind"] == "widget" else "tap" if taps and view["choices"] else "typed",
        "behavior_tags": [],
    }


def _learner(student_id: str, turns: list[list[SimpleNamespace]]) -> LearnerRow | None:
    """The child as its last sessions show it, the newest turn first."""
    newest = [row for session in islice(reversed(turns), _RECENT_SESSIONS) for row in reversed(session)]
    return learner_from_turns(student_id, cast("Any", newest))


def _row(turn: Turn) -> SimpleNamespace:
    """A turn as it is read back from the records."""
    learner = {name: getattr(turn.learner, name) for name in LearnerUpdate.__dataclass_fields__}
    return SimpleNamespace(**{**dict.fromkeys(LEARNER_COLUMNS), **turn.facts, "learner": learner})

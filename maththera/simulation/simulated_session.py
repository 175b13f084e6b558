"""One child's session: the events sent to the tutor, and the counts of its reactions."""

from dataclasses import dataclass, field
from typing import Any, Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.strategies import Step
from maththera.simulation.population import Start
from maththera.simulation.simulated_learner import ShownTask
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.posterior import (
    cause_probabilities,
    concluded_causes,
    may_ask_model,
    removed_variable,
)
from maththera.tutoring.moves.transition_facts import ROUTES
from maththera.tutoring.problems.worked_examples import step_at_hand
from maththera.tutoring.state import Event, TutoringState, given
from maththera.tutoring.transitions import ROWS, Row

JUDGED_AFTER: Final = 12
"""The number of problems after which the tutor's conclusion is read."""
_LOOPS: Final = frozenset({"anchor", "fine_adjustment", "return", "bridge"})


@dataclass(slots=True)
class SessionRecord:
    """The record of one session. Counters are of tasks unless they say otherwise.

    `conclusion`: the stated causes after JUDGED_AFTER problems, the one with most evidence first; UNKNOWN alone if
    errors stayed unexplained; empty if the tutor saw none. `suspects`: the same with causes not stated yet. `shown`:
    the answers until then that came from the defect.
    """

    index: int
    kind: str
    accepts: tuple[str, ...]
    held_out: bool
    conclusion: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    stated_at: int | None = None
    shown: int = 0
    turns: int = 0
    problems: int = 0
    tasks: int = 0
    loop_tasks: int = 0
    trainings: int = 0
    first_tries: int = 0
    first_tries_right: int = 0
    routed: int = 0
    routed_wrongly: int = 0
    probes: int = 0
    probed: int = 0
    probes_deciding: int = 0
    asks: int = 0
    white_outs: int = 0
    longest_failure: int = 0
    transcript: list[Any] = field(default_factory=list)


class SimulatedSession:
    """A session in progress: the next event for the tutor, and the account of each turn."""

    def __init__(self, start: Start, rules: Rules, *, transcript: bool = False) -> None:
        self._learner, self._rules, self._transcript = start.learner, rules, transcript
        self.record = SessionRecord(
            start.index, start.learner.defect.kind, start.learner.defect.accepts, start.held_out
        )
        self._failures = 0
        self.origin = self._fault = ""
        """Where the last answer came from: what only the simulation knows."""
        self._judged = False

    def event(self, state: TutoringState) -> Event:
        """What the child sends for the task at hand."""
        task, number = given(state["task"]), state["turn"] + 1
        if task["training_id"] is not None:
            self.trained(task["training_id"])
            return {
                "type": "training_done",
                "request_id": f"r{number}",
                "task_id": task["task_id"],
                "training_id": task["training_id"],
                "results": {"done": True},
            }
        problem = self._rules.bank.problem(given(task["problem_id"]))
        if (example := state["example"]) is not None:
            problem = _asked_by(step_at_hand(example, self._rules))
        response = self._learner.respond(ShownTask(problem, task["choices"], removed_variable(state)))
        self.origin = response.origin
        return {
            "type": "answer_submitted",
            "request_id": f"r{number}",
            "task_id": task["task_id"],
            "answer": response.answer,
            "rt_ms": response.rt_ms,
            "behavior_tags": response.behavior_tags,
        }

    def trained(self, training_id: str) -> None:
        """The child has done a training."""
        self._learner.train(matched=training_id in self._own_trainings)

    def note(self, before: TutoringState, after: TutoringState) -> None:
        """Counts one turn."""
        record, kind, row = self.record, given(before["task"])["kind"], ROWS[after["row"]]
        if self._transcript:
            shown = (after["observation"], after["diagnosis"], after["task"], after["stated"])
            record.transcript.append((row.number, *shown))
        record.turns += 1
        record.tasks += 1
        record.loop_tasks += kind in _LOOPS
        record.trainings += kind == "training"
        diagnosed: TutoringState = {**before, "diagnosis": after["diagnosis"]}
        asks_cause = row.cause_unknown and may_ask_model(diagnosed, self._rules)
        record.asks += asks_cause or not given(after["feedback"])["feedback_text"]
        record.shown += self.origin == "defect" and kind != "training" and not self._judged
        record.white_outs += row.enters_white_out
        self._note_answer(before, after, kind)
        self._note_diagnosis(after, kind, row)
        if not self._judged and (after["counters"]["closed"] >= JUDGED_AFTER or after["task"] is None):
            self._judge(after)

    def finish(self, state: TutoringState) -> SessionRecord:
        """The record of the session that has ended in `state`."""
        if not self._judged:
            self._judge(state)
        self.record.problems = state["counters"]["closed"]
        self.record.stated = tuple(state["stated"])
        return self.record

    @property
    def _own_trainings(self) -> set[str]:
        causes = self._rules.catalogue.causes
        return {training for tag in self._learner.defect.accepts for training in causes[tag].trainings}

    def _note_answer(self, before: TutoringState, after: TutoringState, kind: str) -> None:
        observation, record = given(after["observation"]), self.record
        if observation["correct"] is None:
            return
        if kind == "worked_example":
            if after["example"] is None:
                self._learner.practise(self._rules.bank.problem(given(observation["problem_id"])), matched=False)
            return
        self._failures = 0 if observation["correct"] else self._failures + 1
        record.longest_failure = max(record.longest_failure, self._failures)
        attempts, loop = before["attempts"], before["loop_state"]
        if kind == "problem" and attempts is not None and attempts["shown"] == 1:
            record.first_tries += 1
            record.first_tries_right += observation["correct"]
        problem = self._rules.bank.problem(given(observation["problem_id"]))
        own = loop is not None and kind in _LOOPS and self._laid_for_own_cause(before)
        self._learner.practise(problem, matched=own and observation["correct"])

    def _laid_for_own_cause(self, state: TutoringState) -> bool:
        """Whether the open loop is for a problem that the defect spoils, and names its cause."""
        cause = given(state["loop_state"]).get("cause_tag")
        original = state["original_problem"]
        if cause not in self._learner.defect.accepts or original is None:
            return False
        return self._learner.shows_defect(self._rules.bank.problem(original))

    def _note_diagnosis(self, after: TutoringState, kind: str, row: Row) -> None:
        record = self.record
        if row.starts_probe:
            record.probes += 1
            record.probed += kind == "problem"
        if kind == "probe" and row.route not in ("probe", "refocus"):
            record.probes_deciding += given(after["diagnosis"])["confidence"] != "low"
        if kind == "problem":
            self._fault = self.origin
        if row.opens_loop and self.record.accepts and self._fault == "defect" and not self.record.held_out:
            record.routed += 1
            record.routed_wrongly += not self._routed_rightly(after)
        if record.stated_at is None and after["stated"]:
            record.stated_at = record.turns

    def _routed_rightly(self, after: TutoringState) -> bool:
        """By the route of the true cause; a severe error goes route B whatever its cause."""
        move, attempts = given(after["move"]), after["attempts"]
        if ROWS[move["row"]].severe or (attempts is not None and attempts["pattern"] == "severe_error"):
            return True
        causes = self._rules.catalogue.causes
        # A switched operation that comes again after a second look at the sign goes route A, by row 7.
        return move["route"] in {ROUTES.get(causes[tag].domain, "A") for tag in self.record.accepts}

    def _judge(self, state: TutoringState) -> None:
        self._judged = True
        belief = cause_probabilities(state["posterior"], state, self._rules)
        ranked = sorted(belief.probability, key=lambda tag: -belief.of(tag))
        self.record.conclusion = tuple(concluded_causes(state, self._rules))
        self.record.suspects = tuple(dict.fromkeys([*self.record.conclusion, *ranked]))


def _asked_by(step: Step) -> Problem:
    """A step of an example as the problem that it asks for."""
    if not step.fills:
        return make_problem(int(step.left), step.op, int(step.right))
    if step.op == "+":
        return make_problem(int(step.result), "-", int(step.left), form="addend")
    return make_problem(int(step.result), "/", int(step.left), form="factor")

"""Sessions without a server: the real engine on the real configuration, and children who answer in it."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Self, cast

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.graph import AGENTS
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.number_sense.items import Item, item
from maththera.tutoring.problems.worked_examples import step_at_hand
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.state import OWNERS, Event, Task, TutoringState, given
from maththera.tutoring.turns.turn import Turn, TurnContext, answer_refused

FAST, SLOW, IMPULSIVE = 3000, 16_000, 400
"""Response times in milliseconds, by the norm of every level."""


class Session:
    """A session and all its finished turns. Every event must be one that the session accepts."""

    def __init__(self, engine: InMemoryEngine, rules: Rules, start: dict[str, Any]) -> None:
        self.engine = engine
        self.rules = rules
        self.state = engine.begin(start)
        self.turns: list[Turn] = []
        self.rows: list[str] = []

    # --- what there is ----------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        return self.state["current_step"] == "ended"

    @property
    def task(self) -> Task:
        return given(self.state["task"])

    @property
    def task_or_none(self) -> Task | None:
        return self.state["task"]

    @property
    def problem(self) -> Problem:
        """The problem of the task at hand."""
        return self.rules.bank.problem(given(self.task["problem_id"]))

    @property
    def right_answer(self) -> int:
        """What the task at hand asks for: a problem's answer, what a step of an example finds, an item's answer."""
        if self.item is not None:
            return self.item.answer
        example = self.state["example"]
        return self.problem.answer if example is None else step_at_hand(example, self.rules).found

    @property
    def response(self) -> dict[str, Any]:
        """The client's answer to the last turn."""
        return self.turns[-1].response

    @property
    def position(self) -> tuple[int, float]:
        return self.state["c_position"], self.state["w_position"]

    # --- what the client may send -----------------------------------------------------------------------------

    def answer(
        self,
        answer: int,
        rt_ms: int = FAST,
        tags: Sequence[str] = (),
        telemetry: dict[str, Any] | None = None,
        llm: Sequence[dict[str, Any]] = (),
        *,
        input: str | None = None,  # noqa: A002 - the field of the event
    ) -> Self:
        return self.send(
            "answer_submitted",
            answer=answer,
            rt_ms=rt_ms,
            input=input,
            behavior_tags=list(tags),
            telemetry=telemetry or {},
            llm=list(llm),
        )

    @property
    def item(self) -> Item | None:
        """The item of number sense at hand, if it is one."""
        item_id = self.task.get("item_id")
        return item(item_id) if item_id else None

    def right(self, rt_ms: int = FAST) -> Self:
        return self.answer(self.right_answer, rt_ms)

    def slip(self, rt_ms: int = FAST) -> Self:
        """A near answer that no malrule explains, where there is one: logical, cause unknown. To an item of number
        sense, and to a step of an example, a wrong one."""
        if self.item is not None:
            return self.answer(wrong_place(self.item), rt_ms)
        if self.task["kind"] == "worked_example":
            return self.answer(self.right_answer + 1, rt_ms)
        problem, explained = self.problem, set(wrong_answers(self.problem).values())
        near = (problem.answer + step for distance in range(1, 10_000) for step in (distance, -distance))
        return self.answer(next(n for n in near if n >= 0 and n not in explained), rt_ms)

    def timeout(self) -> Self:
        return self.send("timeout")

    def train(self) -> Self:
        return self.send("training_done", training_id=given(self.task["training_id"]), results={"done": True})

    def stop(self) -> Self:
        return self.send("stop", task_id=None)

    def idle(self) -> Self:
        """Nobody answers; what the service itself says then."""
        return self.send("idle", task_id=None, turn=self.state["turn"])

    def send(self, kind: str, **more: Any) -> Self:
        """Whatever the client sends, for the task at hand unless `more` says otherwise."""
        task = self.state["task"]
        event = {
            "type": kind,
            "request_id": f"r{len(self.turns)}",
            "task_id": task["task_id"] if task else None,
            **more,
        }
        event = {key: value for key, value in event.items() if value is not None and value != []}
        return self.apply(cast("Event", event))

    def apply(self, event: Event) -> Self:
        assert answer_refused({**self.state, "event": event}) is None, event
        context = TurnContext()
        self.state = self.engine.turn(self.state, event, context)
        self.turns.append(given(context.turn))
        self.rows.append(given(self.state["move"])["row"])
        return self


def begin(
    rules: Rules, first: str | None = None, c: int | None = None, w: float | None = None, **start: Any
) -> Session:
    """A session that shows the expression `first`, at (c, w): by default the problem's own position."""
    return Session(
        InMemoryEngine(Nodes(rules)),
        rules,
        {
            "first_problem": problem_id(rules, first) if first else None,
            "c_position": c,
            "w_position": w,
            "seed": 7,
            **start,
        },
    )


def problem_id(rules: Rules, expression: str) -> str:
    """The bank's problem, else the derived one."""
    a, op, b = parse_expression(expression)
    return (rules.bank.find(a, op, b, "horizontal") or make_problem(a, op, b)).problem_id


def wrong_place(shown: Item) -> int:
    """A wrong answer to an item of number sense: on a line the end that is farther away."""
    if shown.range:
        return shown.range if shown.answer < shown.range / 2 else 0
    return shown.answer + 1


# --- children -----------------------------------------------------------------------------------------------------

Child = Callable[[Session], Session]
"""What a child does at the task at hand."""


def failing(session: Session) -> Session:
    """Wrong each time, without haste; leaves no training out."""
    if session.task["kind"] == "training":
        return session.train()
    return session.slip() if session.item is not None else session.answer(session.right_answer + 1)


def random_child(seed: int, *, right: float, malrule: float, timeout: float, impulsive: float, stop: float) -> Child:
    """All numbers are shares from 0 to 1, `malrule` of the wrong answers; trainings are done or time out."""
    random = Random(seed)  # noqa: S311 - a child, not a secret

    def act(session: Session) -> Session:
        if random.random() < stop:
            return session.stop()
        if random.random() < timeout:
            return session.timeout()
        if session.task["kind"] == "training":
            return session.train() if random.random() < 0.8 else session.timeout()
        rt_ms = random.randrange(1, 800) if random.random() < impulsive else random.randrange(800, 12_000)
        return session.answer(_random_answer(random, session, right, malrule), rt_ms)

    return act


def _random_answer(random: Random, session: Session, right: float, malrule: float) -> int:
    if session.item is not None:
        return session.item.answer if random.random() < right else random.randrange(101)
    problem = session.problem
    if random.random() < right or session.task["kind"] == "worked_example":
        return session.right_answer + (random.random() >= right)
    explained = sorted(wrong_answers(problem).values())
    if explained and random.random() < malrule:
        return random.choice(explained)
    if session.task["choices"] and random.random() < 0.5:
        return random.choice(session.task["choices"])
    return random.choice((problem.answer + 1, problem.answer + 2, problem.answer * 3 + 5, random.randrange(1000)))


def answer_wrong(session: Session) -> int:
    """What the first malrule that applies gives; else one more than the right answer."""
    if session.task["kind"] == "worked_example":
        return session.right_answer + 1
    if session.item is not None:
        return wrong_place(session.item)
    return next(iter(wrong_answers(session.problem).values()), session.problem.answer + 1)


def play(session: Session, child: Child) -> Session:
    """To the end."""
    while not session.ended:
        child(session)
    return session


# --- watching -----------------------------------------------------------------------------------------------------


class WatchedEngine(InMemoryEngine):
    """Fails where a node writes what its agent does not own, or changes the state it was given."""

    def _visit(self, node: str, state: TutoringState, context: TurnContext) -> Update:
        before = json.dumps(state)
        update = super()._visit(node, state, context)
        assert update.keys() <= OWNERS[AGENTS[node]], f"{node} writes {update.keys() - OWNERS[AGENTS[node]]}"
        assert json.dumps(state) == before, f"{node} changes the state it was given"
        return update

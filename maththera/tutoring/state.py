"""The state of a tutoring session: plain JSON types only, each key written by exactly one agent.

Problems are held by id. What the checkpoint keeps is bounded: lists are cut, counters replace histories.
"""

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypeVar

from typing_extensions import TypedDict  # Studio reads the state with pydantic, which needs it before Python 3.12

SCHEMA_VERSION: Final = 2

ENGINE: Final = 9
"""Recorded in each `start`, and raised when the rules choose or state otherwise: sessions of another engine are shown
as recorded and cannot be computed again. Those before 2 have none."""

Mode = Literal["practice", "placement", "number_sense"]
"""What a session is for: to practise, to find out what the child knows, or to look at its number sense."""

Phase = Literal[
    "normal",
    "warm_up",
    "screening",
    "number_sense",
    "placement",
    "probe",
    "diagnostic_question",
    "scaffolded_recovery_1",
    "scaffolded_recovery_2",
    "scaffolded_recovery_3",
    "bridge_loop",
    "breather",
    "white_out",
    "worked_example",
    "training",
    "ended",
]
Kind = Literal[
    "problem",
    "probe",
    "diagnostic_question",
    "anchor",
    "fine_adjustment",
    "return",
    "bridge",
    "worked_example",
    "training",
    "widget",
]
Pattern = Literal["correct_fast", "correct_slow", "severe_error", "logical_error", "no_response"]
VisualMode = Literal["none", "ten_frame", "coin", "base_ten", "number_line", "array", "vertical"]
Agent = Literal["orchestrator", "diagnostic", "analysis", "tutor"]


T = TypeVar("T")


def given(value: T | None) -> T:
    """The value, which the order of the nodes guarantees. TypeError: a node ran out of order."""
    if value is None:
        raise TypeError("a node ran before the one that it builds on")
    return value


class Event(TypedDict, total=False):
    """A checked event. `type` is answer_submitted, timeout, training_done or stop, from the client; or idle, from the
    service: no answer has come since `turn`."""

    type: str
    request_id: str
    task_id: str
    answer: int
    rt_ms: int
    input: str
    behavior_tags: list[str]
    telemetry: dict[str, Any]
    steps: list[int | None]
    said: bool
    """In a timeout: the child said that it doesn't know."""
    training_id: str
    results: dict[str, Any]
    turn: int
    observed: list[str]
    """Tags that adults saw at the task before its answer came."""
    llm: list[dict[str, Any]]
    """In a replay only: the model's recorded outputs, used instead of asking again."""


def is_helped(event: Event) -> bool:
    """Whether an aid of the client helped with the answer; reading aloud is none."""
    return "aid" in ((event.get("telemetry") or {}).get("helped") or ())


class Visual(TypedDict):
    """The picture of a problem: `shown` are its two numbers, in the order that `model` says (`strategies.Picture`).
    `movable`: made of pieces that a child can move."""

    mode: Literal["ten_frame", "coin", "base_ten", "number_line", "array"]
    model: Literal["join", "take", "gap", "groups", "share"]
    shown: list[int]
    movable: bool


class TaskStep(TypedDict):
    """One step on the way to the answer: □ is what it finds, ○ what an earlier one has found."""

    prompt: list[str]
    expression: str


class Presentation(TypedDict):
    """How a task is shown: which part is large and coloured, whether the digits stand in a grid of places, and the
    steps into which it is taken apart. `story`: shown in place of the bare problem, its lines parted by line breaks;
    the answer is the problem's."""

    emphasis: Literal["operation"] | None
    grid: bool
    steps: list[TaskStep] | None
    story: NotRequired[str | None]


WidgetParams: TypeAlias = dict[str, int | str | list[str] | list[int | None]]
"""What a widget is drawn from, by name."""


class Widget(TypedDict):
    """What a child sees and handles in place of a written problem; `ask` and `params` are those of `training_tasks`."""

    name: str
    ask: str
    params: WidgetParams


class Task(TypedDict):
    """The task that the child sees. A training has no problem, nor has a widget: it has the id of an item of number
    sense. `choices` is empty where the number must be typed. `words`: said beside it, where choices are new to the
    child."""

    task_id: str
    kind: Kind
    problem_id: str | None
    prompt: str
    answer_format: Literal["integer", "training"]
    choices: list[int]
    visual_mode: str
    visual: NotRequired[Visual | None]
    presentation: NotRequired[Presentation]
    training_id: str | None
    training_items: NotRequired[list[str]]
    words: NotRequired[list[str]]
    item_id: NotRequired[str]


def is_aided(task: Task) -> bool:
    """Whether a picture or steps help with the task."""
    return task["visual_mode"] != "none" or bool(task.get("presentation", {}).get("steps"))


class StepAnswer(TypedDict):
    """The step of a worked example that was closed: its equation, the number it finds, and the problem that this is;
    None where it is none by itself."""

    expression: str
    found: int
    problem_id: NotRequired[str | None]


class Observation(TypedDict):
    """F-01, F-02: the observation of an answer. `malrules` are those that give it; `rt_ms` is None where the time is
    not reliable; `norm` is the response-time norm used, and why the time is `unreliable`; `loop_state` the loop in
    which the answer was given."""

    phase: Phase
    kind: Kind | None
    problem_id: str | None
    item_id: str | None
    answer: int | None
    correct: bool | None
    rt_ms: int | None
    pattern: Pattern | None
    loop_state: NotRequired["LoopState | None"]
    impulsive: bool
    tap: bool
    input: str | None
    behavior_tags: list[str]
    malrules: list[str]
    norm: dict[str, Any]
    step: NotRequired[StepAnswer]
    steps: NotRequired[list[bool]]


def is_misheard(observation: Observation) -> bool:
    """Whether a wrong answer was spoken: the child may have said another number than was heard."""
    return observation["input"] == "voice" and observation["correct"] is False


class Diagnosis(TypedDict):
    """F-03, F-11. `cause_tags`: the cause, and those that are stated together with it because nothing tells them apart.
    `pairs` are the [malrule, cause] candidates that are still open; `probe` the next probe, if any."""

    cause_tag: str | None
    cause_tags: list[str]
    cause_domain: str | None
    confidence: Literal["high", "medium", "low"] | None
    candidates: list[str]
    training_ids: list[str]
    probe_needed: bool
    source: Literal["rule", "probe", "llm", "default"]
    reasoning: str
    pairs: list[list[str]]
    probe: dict[str, Any] | None


class Move(TypedDict):
    """The row of the transition table that holds, and the nodes still to be visited on its way; what the answer said
    about skills, and which skills it changed."""

    row: str
    route: str
    situation: str
    path: list[str]
    before: list[float]
    show: str | None
    widened: bool
    downscaling: str | None
    evidence: list[list[Any]]
    changes: list[dict[str, Any]]


class KnownSoFar(TypedDict):
    """`start`, `key`: the digests of what was known at the start and is known now; `evidence`: that of all answers
    since, each with the fields of `Evidence` in order."""

    start: str
    key: str
    evidence: list[list[Any]]


class LoopState(TypedDict, total=False):
    """An open loop. `c_e`, `w_e`: where the original stands; `item`, `round`: the Bridge's place; `original`: the
    problem that led into the White-out."""

    type: Literal["three_step_recovery", "bridge_loop", "whiteout"]
    step: int
    step_results: list[dict[str, Any]]
    route: Literal["A", "B"]
    cause_tag: str
    c_e: int
    w_e: float
    trained: bool
    misses: int
    aided: bool
    item: Literal["gap", "moved", "original"]
    round: int
    rights: int
    original: str


class Downscaling(TypedDict):
    """F-15. `level`: upscaling steps taken (0..3); `fast`: fast right answers towards the next one."""

    active: bool
    strategy: str | None
    visual_aids: list[str]
    level: int
    fast: int


class ProbeState(TypedDict):
    """UC4: a diagnosis that waits for a probe's answer. `asked` lists the probes shown so far."""

    original_problem: str
    probe_problem: str
    removed_variable: str
    candidates: list[list[str]]
    asked: list[str]
    pattern: Pattern


class Attempts(TypedDict):
    """The attempts at the current ordinary problem: how often it was shown and what went wrong.

    `slip`: the causes that explain the first answer while the second look is open, else None. `silent`: that answer
    says nothing of what the child can do alone. `again`: it stands for a problem that was solved together on an earlier
    day.
    """

    problem_id: str
    shown: int
    attention: int
    timeouts: int
    slip: list[list[str]] | None
    silent: NotRequired[bool]
    c_e: int
    w_e: float
    pattern: Pattern | None
    again: bool


class PlacementState(TypedDict):
    """What a placement has asked: [skill, right] of each answer, None for right where it says nothing, and the skill of
    the task at hand. `easy` counts the easy problems; `last`: the task at hand is the last. `chances`: at the end, that
    a first try is right, by skill."""

    answers: list[list[Any]]
    skill_id: str
    easy: int
    last: bool
    chances: NotRequired[dict[str, float]]


class Example(TypedDict):
    """A worked example for the skill of the problem `model`, or, `together`, that problem itself. `shown`: the problems
    worked through, the last of them at hand, and its open `step`. `phase`, `show`: what waits after it; the phase is
    None until it begins where the row of the turn says what comes next."""

    model: str
    shown: list[str]
    step: int
    together: bool
    phase: Phase | None
    show: str


class NumberSenseState(TypedDict):
    """`queue`: ids of the items that are to come before the session proper, or that a screening still has; `first`: how
    many there were. `answers`: [item id, answer or None, reliable time in ms or None] of each of them. `misses`: in a
    row, while the child is below the ladder; `back`: the position (C, W) to which it returns then. `typing_ms`: what
    copying a number took."""

    queue: list[str]
    first: int
    answers: list[list[Any]]
    misses: int
    back: list[float]
    typing_ms: int | None


class Again(TypedDict):
    """A problem that was solved together: other numbers of its skill are due from the day after `day`."""

    problem_id: str
    day: int


class Practice(TypedDict):
    """What the session has asked. `asked`: skill → ordinary tasks; `sources`: part of the mixture → ordinary tasks;
    `tries`: the last ordinary first tries, 1 where right; `given`: skills of a given start that are still to be tried;
    `drills`: in a row; `missed`: the operations of the misses in a row, whatever the task; `last`: the skill that was
    asked last, and `expected` its chance to be right; `looped`: skills whose problems had a loop; `shown`: kind and
    expression → how often. `place`: where the strand at work stands (C, W), while a problem is shown that does not move
    it; else None. `unsure`: skill → how often the child said that it doesn't know; `exampled`: skills that were shown
    by an example."""

    asked: dict[str, int]
    sources: dict[str, int]
    tries: list[int]
    given: list[str]
    drills: int
    missed: list[str]
    last: str | None
    expected: float
    looped: list[str]
    shown: dict[str, int]
    place: list[float] | None
    unsure: dict[str, int]
    exampled: list[str]


class Counters(TypedDict):
    """Counters of the whole session; those ending in `_run` count in a row. `answered` and `right` count every task
    with a problem, scaffolds too; `closed` the session's own problems, and `solved` those of them that got the right
    answer."""

    tasks: int
    answered: int
    right: int
    closed: int
    solved: NotRequired[int]
    right_run: int
    slow_run: int
    wrong_run: int
    trainings_for_attention: int
    dropped_run: int
    timeout_run: int
    white_outs: NotRequired[int]


class TutoringState(TypedDict, total=False):
    """The state of a session, grouped by the agent that writes it. `row` is the transition table's row of the turn."""

    # orchestrator
    schema_version: int
    event: Event | None
    turn: int
    last_turn: dict[str, Any] | None
    # diagnostic agent, for the turn at hand
    observation: Observation | None
    diagnosis: Diagnosis | None
    row: str
    # analysis agent
    start: dict[str, Any]
    known: KnownSoFar
    move: Move | None
    current_step: Phase
    task: Task | None
    remaining: int
    c_position: int
    w_position: float
    original_problem: str | None
    scaffold_problem: str | None
    loop_state: LoopState | None
    downscaling: Downscaling
    probe_state: ProbeState | None
    attempts: Attempts | None
    waiting: dict[str, Any] | None
    example: Example | None
    placement: PlacementState | None
    number_sense: NumberSenseState
    history: list[str]
    response_times: list[int]
    rt_norms: dict[str, list[int]]
    again: list[Again]
    practice: Practice
    strand: str
    unlearnt: list[str]
    streak: int
    falls: dict[str, int]
    loops: dict[str, int]
    loop_done_at: int | None
    evidence: dict[str, int]
    posterior: dict[str, list[float]]
    mistakes: dict[str, list[int]]
    stated: list[str]
    together: dict[str, list[str]]
    taught: dict[str, bool]
    fluency_noted: list[str]
    offered: list[str]
    trained: list[str]
    sibling_of: str | None
    choices_new: bool
    counters: Counters
    ended_because: str | None
    summary: dict[str, Any] | None
    # tutor agent
    feedback: dict[str, Any] | None


OWNERS: Final[dict[Agent, frozenset[str]]] = {
    "orchestrator": frozenset({"schema_version", "event", "turn", "last_turn"}),
    "diagnostic": frozenset({"observation", "diagnosis", "row"}),
    "tutor": frozenset({"feedback"}),
    "analysis": frozenset(TutoringState.__annotations__)
    - {"schema_version", "event", "turn", "last_turn", "observation", "diagnosis", "row", "feedback"},
}
"""Agent → the keys that it alone may write."""

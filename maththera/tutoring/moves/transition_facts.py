"""What the transition table asks about: one flat view of the state, the answer and its diagnosis."""

from math import log
from typing import Final, NamedTuple

from maththera.arithmetic.curriculum import HIGHEST_C
from maththera.arithmetic.malrules import CATALOGUE
from maththera.knowledge.knowledge import Evidence
from maththera.tutoring.content.session_rules import Numbers, Rules
from maththera.tutoring.content.training_results import Outcome, outcome
from maththera.tutoring.diagnosis.hypotheses import UNKNOWN
from maththera.tutoring.practice.session_practice import by_skills, strand_at_work, task_key
from maththera.tutoring.practice.skill_problems import next_level
from maththera.tutoring.problems.worked_examples import Left, left_to_do
from maththera.tutoring.state import Diagnosis, Event, LoopState, TutoringState, given, is_helped

ROUTES: Final = {
    "STRATEGY": "A",
    "EXECUTION": "A",
    "FLUENCY": "A",
    "TRANSCRIPTION": "A",
    "CONCEPT": "B",
    "SPATIAL": "B",
}
"""Domain → route. ATTENTION is refocused, UNKNOWN is decided by the diagnostic question."""


_SEVERAL: Final = 2
"""Answers that a procedure has explained before its next one is no slip."""
_KINDS_OF_ORIGINAL: Final = frozenset({"problem", "return"})
"""Kinds of task that show the ordinary problem itself. In the Bridge Loop, `item` says whether it is shown."""


class Facts(NamedTuple):
    """All that a row's condition may read. `right` and `wrong` are both False where no answer was given."""

    phase: str
    event: str
    right: bool
    wrong: bool
    fast: bool
    slow: bool
    impulsive: bool
    severe: bool
    domain: str | None
    cause: str | None
    undecided: bool
    route: str | None
    promotes: bool
    slow_run_full: bool
    refocused: bool
    trainings_left: bool
    last_drop: bool
    last_timeout: bool
    timed_out_before: bool
    second_look_due: bool
    second_look: bool
    loops_used_up: bool
    white_out_due: bool
    not_learnt_yet: bool
    own_cause: bool
    trained: bool
    aided: bool
    misses: int
    last_miss: bool
    loop_route: str | None
    loop_again: bool
    item: str | None
    last_round: bool
    rights: int
    skill_looped: bool
    skill_exampled: bool
    shown_out: bool
    last_placement: bool
    said: bool
    needs_example: bool
    example_left: Left | None
    training: Outcome | None
    trained_again: bool
    last_item: bool
    last_item_miss: bool

    @property
    def timeout(self) -> bool:
        """No answer came in time."""
        return self.event == "timeout"

    @property
    def miss(self) -> bool:
        """A wrong answer or none."""
        return self.wrong or self.timeout

    @property
    def attention(self) -> bool:
        """The miss says nothing about arithmetic: too quick to have been thought, or an attention cause."""
        return self.wrong and (self.impulsive or self.domain == "ATTENTION")


def gather_facts(state: TutoringState, rules: Rules) -> Facts:
    """The facts of the current turn. They need the observation; without a diagnosis its facts are None or False."""
    numbers = rules.numbers
    event, observation, diagnosis = given(state["event"]), state["observation"], state["diagnosis"]
    loop: LoopState = state["loop_state"] or {}
    attempts, counters, phase = state["attempts"], state["counters"], state["current_step"]
    correct = observation["correct"] if observation else None
    pattern = observation["pattern"] if observation else None
    kept = attempts["pattern"] if attempts else None
    domain = diagnosis["cause_domain"] if diagnosis else None
    cause = diagnosis["cause_tag"] if diagnosis else None
    impulsive = bool(observation and observation["impulsive"])
    wrong = correct is False
    ordinary = phase == "normal"
    promotes, shown_out = (
        ordinary and correct is True and _promotes(state, rules, fast=pattern == "correct_fast"),
        _shown_out(state, rules),
    )
    return Facts(
        phase=phase,
        event=event["type"],
        right=correct is True,
        wrong=wrong,
        fast=pattern == "correct_fast",
        slow=pattern == "correct_slow",
        impulsive=impulsive,
        severe=(pattern if ordinary else kept) == "severe_error",
        domain=domain,
        cause=cause,
        undecided=bool(diagnosis and diagnosis["probe_needed"]),
        route=ROUTES.get(domain or ""),
        promotes=promotes,
        slow_run_full=promotes if by_skills(state) else counters["slow_run"] + 1 >= numbers.position.slow_run,
        refocused=bool(attempts and attempts["attention"]),
        trainings_left=counters["trainings_for_attention"] < numbers.limits.attention_trainings,
        last_drop=counters["dropped_run"] + 1 >= numbers.limits.dropped_run,
        last_timeout=counters["timeout_run"] + 1 >= numbers.limits.timeout_run,
        timed_out_before=bool(attempts and attempts["timeouts"]),
        second_look_due=ordinary
        and pattern == "logical_error"
        and (state["practice"]["expected"] >= numbers.limits.second_look_from or _doubted(diagnosis))
        and attempts is not None
        and attempts["slip"] is None
        and not shown_out
        and not _repeats(state, diagnosis, numbers),
        second_look=ordinary and bool(attempts and attempts["slip"] is not None),
        loops_used_up=cause is not None and state["loops"].get(cause, 0) >= numbers.limits.loops_per_cause,
        white_out_due=_white_out_due(state, numbers, wrong=wrong and not impulsive, miss=wrong or correct is None),
        not_learnt_yet=_not_learnt_yet(state, rules),
        own_cause=wrong and _explained_by(state, loop.get("cause_tag")),
        trained=loop.get("trained", False),
        aided=loop.get("aided", False),
        misses=loop.get("misses", 0),
        last_miss=loop.get("misses", 0) + 1 >= numbers.limits.fine_adjustment_misses,
        loop_route=loop.get("route"),
        loop_again=state["loop_done_at"] is not None and state["loop_done_at"] == loop.get("c_e"),
        item=loop.get("item"),
        last_round=loop.get("round", 0) >= numbers.limits.bridge_rounds,
        rights=loop.get("rights", 0),
        skill_looped=state["practice"]["last"] in state["practice"]["looped"],
        skill_exampled=state["practice"]["last"] in state["practice"]["exampled"],
        shown_out=shown_out,
        last_placement=bool(state["placement"] and state["placement"]["last"]),
        said=bool(event.get("said")),
        needs_example=_needs_example(state),
        training=_training(event, rules),
        trained_again=bool(state["waiting"] and state["waiting"].get("again")),
        example_left=left_to_do(state, rules) if phase == "worked_example" else None,
        last_item=not state["number_sense"]["queue"],
        last_item_miss=state["number_sense"]["misses"] + 1 >= numbers.number_sense.misses,
    )


def _training(event: Event, rules: Rules) -> Outcome | None:
    """How the training went that was done; None where none was."""
    if event["type"] != "training_done":
        return None
    return outcome(rules.catalogue.trainings[event["training_id"]], event.get("results", {}))


def _needs_example(state: TutoringState) -> bool:
    """Whether the child has said before that it doesn't know this skill, and had no example of it in this session."""
    practice, skill_id = state["practice"], state["practice"]["last"]
    return skill_id is not None and practice["unsure"].get(skill_id, 0) > 0 and skill_id not in practice["exampled"]


def streak_needed(state: TutoringState, numbers: Numbers) -> int:
    """need(C+1): the promotion streak, and one more for each fall from the next C in this session."""
    falls = state["falls"].get(str(min(HIGHEST_C, state["c_position"] + 1)), 0)
    streak = 1 if state["start"]["policy"]["advance"] == "seed" else int(state["start"]["policy"]["promotion_streak"])
    return streak + min(numbers.position.falls_counted, falls)


def _promotes(state: TutoringState, rules: Rules, *, fast: bool) -> bool:
    """Whether this right answer moves up: its skill is passed with it, or the streak is full."""
    if is_helped(given(state["event"])):
        return False
    if not by_skills(state):
        return state["streak"] + 1 >= streak_needed(state, rules.numbers)
    skill_id, task, attempts = state["practice"]["last"], state["task"], state["attempts"]
    if attempts is None or task is None or skill_id is None or state["practice"]["place"] is not None:
        return False
    if attempts["shown"] > 1 or task["visual_mode"] != "none":
        return False
    known = rules.session_knowledge.at(state)
    known = known.after(Evidence(skill_id, right=True, day=known.day, fast=fast))
    falls = state["falls"].get(str(next_level(strand_at_work(state), attempts["c_e"])), 0)
    return known[skill_id].known or known.passed(skill_id, falls)


def _shown_out(state: TutoringState, rules: Rules) -> bool:
    """Whether the task, or after a probe the ordinary problem, was shown as often as it may be in a session."""
    task = state["task"]
    if task is None or task["problem_id"] is None:
        return False
    kind, problem_id = task["kind"], task["problem_id"]
    if kind == "probe":
        kind, problem_id = "problem", given(state["original_problem"])
    key = task_key(kind, rules.bank.problem(problem_id))
    return state["practice"]["shown"].get(key, 0) >= rules.numbers.limits.same_task


def _white_out_due(state: TutoringState, numbers: Numbers, *, wrong: bool, miss: bool) -> bool:
    """Row 15: too many wrong answers in a row whatever the tasks, or one problem shown and missed too often."""
    if wrong and state["counters"]["wrong_run"] + 1 >= numbers.limits.wrong_run:
        return True
    attempts, task = state["attempts"], state["task"]
    loop: LoopState = state["loop_state"] or {}
    shown = loop.get("item") == "original" or (task is not None and task["kind"] in _KINDS_OF_ORIGINAL)
    return miss and shown and attempts is not None and attempts["shown"] >= numbers.limits.showings


def _doubted(diagnosis: Diagnosis | None) -> bool:
    """A procedure gives the answer, but the session's other answers speak against its cause."""
    return diagnosis is not None and diagnosis["cause_domain"] == UNKNOWN and bool(diagnosis["pairs"])


def _repeats(state: TutoringState, diagnosis: Diagnosis | None, numbers: Numbers) -> bool:
    """Whether a procedure gives the answer that has explained several before and is likelier since: that is no slip."""
    before, least = state["posterior"], log(numbers.evidence.rival)
    found = (before.get(f"{name}|{tag}", (0.0, 0)) for name, tag in (diagnosis["pairs"] if diagnosis else ()))
    return any(one[1] >= _SEVERAL and one[0] >= least for one in found)


def _not_learnt_yet(state: TutoringState, rules: Rules) -> bool:
    """The skill of the ordinary problem was never shown: misses say that it is to be learnt, not that something blocks
    it, unless so many come in a row that nothing secure helped. A first problem that an adult chose counts as shown."""
    attempts, practice, limit = state["attempts"], state["practice"], rules.numbers.limits.wrong_run
    skill_id = practice["last"]
    if attempts is None or skill_id is None or attempts["problem_id"] == state["start"]["first_problem"]:
        return False
    if len(practice["missed"]) + 1 >= 2 * limit:
        return False
    return not rules.session_knowledge.at(state)[skill_id].shown_once


def _explained_by(state: TutoringState, cause: str | None) -> bool:
    observation = state["observation"]
    malrules = observation["malrules"] if observation else []
    return cause is not None and any(cause == c.tag for name in malrules for c in CATALOGUE[name].causes)

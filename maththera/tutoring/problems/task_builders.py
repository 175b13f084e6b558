"""The tasks that a row of the transition table may name as the next one, each built from the state."""

from collections.abc import Callable
from functools import partial
from typing import Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.number_sense.items import item
from maththera.tutoring.number_sense.session_items import next_below_c1
from maththera.tutoring.placement.session_placement import next_placement_problem
from maththera.tutoring.practice.mixture import MISSES
from maththera.tutoring.practice.session_practice import by_skills, task_key
from maththera.tutoring.problems import scaffolds
from maththera.tutoring.problems.easier_problems import anchor_without_the_difficulty, simplified
from maththera.tutoring.problems.informative_problems import spoilt, suspected_answers
from maththera.tutoring.problems.problem_selection import (
    Selected,
    drill_problem,
    lower_problem,
    may_be_shown,
    next_practice,
    recent_keys,
    safe_ground_problem,
    secure_problem,
    sibling_problem,
    siblings_of,
)
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.problems.task_presentation import presentation, tap_choices, told_as_story, visual_aid
from maththera.tutoring.problems.training_items import training_items
from maththera.tutoring.problems.worked_examples import plan_example
from maththera.tutoring.state import Again, Kind, Task, TutoringState, given

_ABSTRACT: Final = 1
"""From this upscaling level on there are no choices."""
_STANDS_STILL: Final = frozenset({"review", "secure"})
"""Parts of the mixture whose problems never move the position."""
_MAY_NEED_EXAMPLE: Final = frozenset({"border", "secure"})
_NOT_EXPECTED: Final = 0.5
"""The chance of a right answer below which a skill that was missed is shown first."""
_CHOOSABLE: Final = frozenset({"problem", "anchor", "moved"})
_TYPED: Final = frozenset({"suspects", "placement"})
"""What a problem is for whose number must be typed: one in four taps would be right without the skill."""
_PUT_OFF: Final = frozenset({
    "same", "probe", "anchor", "gap", "sub_step", "again", "return", "bridge_gap", "moved", "bridge_original",
})  # fmt: skip
"""Tasks about what was missed, which a breather may come before."""


def _practice_task(draft: TutoringState, rules: Rules, selected: Selected, *, again: bool = False) -> Task:
    """A new ordinary problem, with its attempts counted from 1. `again`: for one that was solved together before."""
    problem, source, lead = selected.problem, selected.source, by_skills(draft)
    if selected.widened and (move := draft["move"]) is not None:
        draft["move"] = {**move, "widened": True}
    draft["attempts"] = {
        "problem_id": problem.problem_id,
        "shown": 1,
        "attention": 0,
        "timeouts": 0,
        "slip": None,
        "c_e": problem.c_level if lead else draft["c_position"],
        "w_e": problem.w_total if lead else draft["w_position"],
        "pattern": None,
        "again": again,
    }
    practice, skill_id = draft["practice"], rules.knowledge.skill_of(problem)
    if draft["current_step"] == "normal":
        moves = not lead or (problem.op == draft["strand"] and source not in _STANDS_STILL)
        practice = {
            **practice,
            "asked": {**practice["asked"], skill_id: practice["asked"].get(skill_id, 0) + 1},
            "sources": {**practice["sources"], source: practice["sources"].get(source, 0) + 1},
            "given": [one for one in practice["given"] if one != skill_id],
            "drills": practice["drills"] + 1 if source == "drill" else 0,
            "place": None if moves else [draft["c_position"], draft["w_position"]],
        }
    expected = rules.session_knowledge.at(draft).expectation(problem)
    draft["practice"] = {**practice, "last": skill_id, "expected": round(expected, 3)}
    story = told_as_story(draft, rules, problem, source)
    task = _task(draft, rules, "problem", problem, "typed" if source in _TYPED else "")
    return {**task, "presentation": {**task["presentation"], "story": story}} if story else task


def _show_placement(draft: TutoringState, rules: Rules) -> Task:
    return _practice_task(draft, rules, Selected(next_placement_problem(draft, rules), "placement"))


def _show_select(draft: TutoringState, rules: Rules) -> Task | None:
    """The next problem: in the White-out on safe ground, else what practice asks next; None where an example comes
    before it."""
    if draft["current_step"] != "normal":
        failed = rules.bank.problem(given(draft["loop_state"])["original"]).op
        return _practice_task(draft, rules, safe_ground_problem(draft, rules, failed=failed))
    selected = next_practice(draft, rules)
    if selected.source == "review" and (due := _due_again(draft, rules, selected.problem)) is not None:
        draft["again"] = [entry for entry in draft["again"] if entry != due]
        other = sibling_problem(draft, rules, rules.bank.problem(due["problem_id"]))
        return _practice_task(draft, rules, selected._replace(problem=other or selected.problem), again=True)
    problem = selected.problem
    if _needs_example(draft, rules, selected) and plan_example(
        draft, rules, problem.problem_id, phase="normal", show="alone"
    ):
        draft["sibling_of"] = problem.problem_id
        return None
    return _practice_task(draft, rules, selected)


def _needs_example(draft: TutoringState, rules: Rules, selected: Selected) -> bool:
    """Whether the skill is shown before it is asked: it was missed last and is not expected to be right."""
    if selected.source not in _MAY_NEED_EXAMPLE:
        return False
    known = rules.session_knowledge.at(draft)[rules.knowledge.skill_of(selected.problem)]
    return known.missed and known.chance < _NOT_EXPECTED


def _show_alone(draft: TutoringState, rules: Rules) -> Task:
    """The problem for which the example was given."""
    return _practice_task(draft, rules, Selected(_taken_model(draft, rules), "border"))


def _taken_model(draft: TutoringState, rules: Rules) -> Problem:
    """The problem whose sibling was to follow, which is over with this task."""
    model = rules.bank.problem(given(draft["sibling_of"]))
    draft["sibling_of"] = None
    return model


def _due_again(draft: TutoringState, rules: Rules, problem: Problem) -> Again | None:
    """A problem of the same skill that was solved together on an earlier day."""
    skill_id, today = rules.knowledge.skill_of(problem), rules.session_knowledge.at(draft).day
    for entry in draft["again"]:
        if entry["day"] < today and rules.knowledge.skill_of(rules.bank.problem(entry["problem_id"])) == skill_id:
            return entry
    return None


def _show_secure(draft: TutoringState, rules: Rules) -> Task:
    """Something that works."""
    return _practice_task(draft, rules, secure_problem(draft, rules))


def _show_simplified(draft: TutoringState, rules: Rules) -> Task | None:
    """Smaller numbers of the skill that was let go. Where the bank has none, of what it stands on, `widened`; where
    that was shown lately, what practice asks next, and no simplification is claimed."""
    model, move = _taken_model(draft, rules), given(draft["move"])
    problem = simplified(model, rules.ladder, rules.session_knowledge.at(draft))
    if (
        problem is None
        or problem.key in recent_keys(draft, rules, problem.c_level)
        or not may_be_shown(draft, rules, "problem", problem)
    ):
        draft["move"] = {**move, "downscaling": None}
        return _show_select(draft, rules)
    widened = rules.knowledge.skill_of(problem) != rules.knowledge.skill_of(model)
    return _practice_task(draft, rules, Selected(problem, "simplified", widened))


def _show_drill(draft: TutoringState, rules: Rules) -> Task | None:
    """Row 3: the same skill with other numbers near the position; after two in a row, and where the problem was a
    review or a secure one, what practice asks next."""
    practice = draft["practice"]
    more = practice["place"] is None and practice["drills"] < rules.numbers.limits.drill_run
    if more and (found := drill_problem(draft, rules)) is not None:
        return _practice_task(draft, rules, found)
    return _show_select(draft, rules)


def _show_sibling(draft: TutoringState, rules: Rules) -> Task | None:
    problem = sibling_problem(draft, rules, _taken_model(draft, rules))
    return _practice_task(draft, rules, Selected(problem, "sibling")) if problem else _show_select(draft, rules)


def put_off_after_misses(draft: TutoringState, rules: Rules, *, history: list[str]) -> None:
    """Puts off the next task behind a breather, where the child has missed two in a row and the task is about what was
    missed. Not for a child that says nothing or only hurries: for those there are moves of their own. `history`: as it
    was before that task."""
    task, move, observation = draft["task"], draft["move"], draft["observation"]
    if task is None or move is None or len(draft["practice"]["missed"]) < MISSES or not by_skills(draft):
        return
    event, hurried = given(draft["event"]), observation is not None and observation["impulsive"]
    if move["show"] not in _PUT_OFF or hurried or (event["type"] == "timeout" and not event.get("said")):
        return
    draft["waiting"] = {"phase": draft["current_step"], "task": task}
    draft["current_step"], draft["history"] = "breather", history
    draft["move"] = {**move, "situation": "breather"}
    draft["task"] = _breather_task(draft, rules, secure_problem(draft, rules).problem)


def _breather_task(draft: TutoringState, rules: Rules, problem: Problem) -> Task:
    """A problem between two tasks about what was missed, without a picture: its attempts are not counted."""
    practice, skill_id, scaling = draft["practice"], rules.knowledge.skill_of(problem), draft["downscaling"]
    draft["practice"] = {**practice, "asked": {**practice["asked"], skill_id: practice["asked"].get(skill_id, 0) + 1}}
    draft["downscaling"] = {**scaling, "active": False}
    task = _task(draft, rules, "problem", problem)
    draft["downscaling"] = scaling
    return task


def _show_put_off(draft: TutoringState, rules: Rules) -> Task:
    """What was put off behind a breather."""
    task: Task = given(draft["waiting"])["task"]
    draft["waiting"] = None
    problem = rules.bank.problem(given(task["problem_id"]))
    draft["history"] = [*draft["history"], problem.key][-rules.numbers.selection.recent :]
    return {**task, "task_id": _next_id(draft)}


def _show_same(draft: TutoringState, rules: Rules) -> Task:
    """The current ordinary problem once more; for a second look, the child writes the number itself."""
    attempts = given(draft["attempts"])
    draft["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    choosable = "typed" if attempts["slip"] is not None else ""
    return _task(draft, rules, "problem", rules.bank.problem(attempts["problem_id"]), choosable)


def _show_probe(draft: TutoringState, rules: Rules) -> Task:
    probe = given(draft["probe_state"])
    draft["scaffold_problem"] = probe["probe_problem"]
    return _task(draft, rules, "probe", rules.bank.problem(probe["probe_problem"]))


def _original(draft: TutoringState, rules: Rules) -> Problem:
    return rules.bank.problem(given(draft["original_problem"]))


def _scaffold(draft: TutoringState, rules: Rules, problem: Problem, kind: Kind, choosable: str = "") -> Task:
    draft["scaffold_problem"] = problem.problem_id
    return _task(draft, rules, kind, problem, choosable)


def _show_anchor(draft: TutoringState, rules: Rules) -> Task:
    """Route A: the anchor of tables D, without the difficulty that failed. Route B: a problem of what the failed skill
    stands on, at the lowered position."""
    loop = draft["loop_state"]
    if loop is not None and loop["route"] == "A":
        anchor = partial(anchor_without_the_difficulty, ladder=rules.ladder, is_spoilt=spoilt(draft, rules))
        return _scaffold_of_original(draft, rules, "anchor", anchor)
    selected = lower_problem(draft, rules, _original(draft, rules))
    if selected.widened and (move := draft["move"]) is not None:
        draft["move"] = {**move, "widened": True}
    return _scaffold(draft, rules, selected.problem, "anchor")


def _scaffold_of_original(
    draft: TutoringState, rules: Rules, kind: Kind, scaffold: Callable[[Problem], Problem]
) -> Task:
    """The original's scaffold; one that an earlier loop of the session has shown is built from a sibling instead."""
    original, shown = _original(draft, rules), draft["practice"]["shown"]
    found = scaffold(original)
    if task_key(kind, found) in shown:
        others = map(scaffold, siblings_of(draft, rules, original))
        found = next((one for one in others if task_key(kind, one) not in shown), found)
    return _scaffold(draft, rules, found, kind)


def _show_gap(draft: TutoringState, rules: Rules) -> Task:
    kind: Kind = "diagnostic_question" if draft["current_step"] == "diagnostic_question" else "fine_adjustment"
    before = draft["task"]
    if before is not None and before["kind"] == kind:  # row 19: the same once more
        return _scaffold(draft, rules, rules.bank.problem(given(before["problem_id"])), kind)
    return _scaffold_of_original(draft, rules, kind, scaffolds.gap)


def _show_sub_step(draft: TutoringState, rules: Rules) -> Task:
    """Route B's part of the original; the gap where the child's own wrong procedure spoils that."""
    is_spoilt = spoilt(draft, rules)

    def part(original: Problem) -> Problem:
        found = scaffolds.sub_step(original)
        return scaffolds.gap(original) if is_spoilt(found) else found

    return _scaffold_of_original(draft, rules, "fine_adjustment", part)


def _show_again(draft: TutoringState, rules: Rules) -> Task:
    """The loop's current task once more, now with aid."""
    task = draft["task"]
    problem = rules.bank.problem(given(draft["scaffold_problem"]))
    kind: Kind = {"scaffolded_recovery_1": "anchor", "bridge_loop": "bridge"}.get(
        draft["current_step"], "fine_adjustment"
    )  # type: ignore[assignment]
    choosable = "moved" if task is not None and task["kind"] == "bridge" and task["choices"] else ""
    return _task(draft, rules, kind, problem, choosable)


def _show_bridge_gap(draft: TutoringState, rules: Rules) -> Task:
    return _scaffold(draft, rules, scaffolds.gap(_original(draft, rules)), "bridge")


def _show_moved(draft: TutoringState, rules: Rules) -> Task:
    return _scaffold(draft, rules, scaffolds.moved(_original(draft, rules)), "bridge", "moved")


def _show_return(draft: TutoringState, rules: Rules) -> Task:
    return _show_original(draft, rules, "return")


def _show_bridge_original(draft: TutoringState, rules: Rules) -> Task:
    """In the last round the original stands in columns: the last of the downscaling strategies."""
    loop, original = given(draft["loop_state"]), _original(draft, rules)
    if loop["round"] >= rules.numbers.limits.bridge_rounds and original.form == "result":
        a, op, b = original.a, original.op, original.b
        original = rules.bank.find(a, op, b, "vertical") or make_problem(a, op, b, layout="vertical")
        if (move := draft["move"]) is not None:
            draft["move"] = {**move, "downscaling": "vertical_layout"}
    return _show_original(draft, rules, "bridge", original)


def _show_original(draft: TutoringState, rules: Rules, kind: Kind, problem: Problem | None = None) -> Task:
    attempts = given(draft["attempts"])
    problem = problem or _original(draft, rules)
    draft["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    return _task(draft, rules, kind, problem)


def _show_training(draft: TutoringState, rules: Rules) -> Task:
    training_id = given(draft["waiting"])["training_id"]
    plan = rules.catalogue.trainings[training_id]
    items = training_items(draft, rules, plan)
    return {
        "task_id": _next_id(draft),
        "kind": "training",
        "problem_id": None,
        "prompt": plan.title,
        "answer_format": "training",
        "choices": [],
        "visual_mode": plan.training(items[:1]).visual_mode,
        "training_id": training_id,
        "training_items": items,
    }


def _show_widget(draft: TutoringState, rules: Rules) -> Task:
    """The next item of number sense: the first that waits, else one for a child below C1."""
    sense = draft["number_sense"]
    item_id, *queue = sense["queue"] or [next_below_c1(draft, rules)]
    draft["number_sense"] = {**sense, "queue": queue}
    shown = item(item_id)
    practice = draft["practice"]
    draft["practice"] = {**practice, "shown": {**practice["shown"], shown.key: practice["shown"].get(shown.key, 0) + 1}}
    return {
        "task_id": _next_id(draft),
        "kind": "widget",
        "problem_id": None,
        "prompt": shown.prompt,
        "answer_format": "integer",
        "choices": [*shown.choices],
        "visual_mode": "none",
        "training_id": None,
        "item_id": item_id,
    }


def first_task(draft: TutoringState, rules: Rules) -> Task | None:
    """The first task of the session, or after its warm-up: an item, the placement's, the problem that was asked for,
    else what practice asks."""
    if draft["number_sense"]["queue"] or draft["current_step"] == "number_sense":
        return _show_widget(draft, rules)
    if draft["current_step"] == "placement":
        return _show_placement(draft, rules)
    first = draft["start"]["first_problem"]
    if first is None:
        return _show_select(draft, rules)
    return _practice_task(draft, rules, Selected(rules.bank.problem(first), "given"))


TASK_BUILDERS: Final[dict[str, Callable[[TutoringState, Rules], Task | None]]] = {
    "placement": _show_placement,
    "select": _show_select,
    "alone": _show_alone,
    "secure": _show_secure,
    "simplified": _show_simplified,
    "drill": _show_drill,
    "put_off": _show_put_off,
    "sibling": _show_sibling,
    "same": _show_same,
    "probe": _show_probe,
    "anchor": _show_anchor,
    "gap": _show_gap,
    "sub_step": _show_sub_step,
    "again": _show_again,
    "return": _show_return,
    "bridge_gap": _show_bridge_gap,
    "moved": _show_moved,
    "bridge_original": _show_bridge_original,
    "training": _show_training,
    "widget": _show_widget,
    "first": first_task,
}
"""`show` of a row of the transition table → the function that builds the task; None where an example comes first."""


def _next_id(draft: TutoringState) -> str:
    return f"t{draft['counters']['tasks'] + 1}"


def _task(draft: TutoringState, rules: Rules, kind: Kind, problem: Problem, choosable: str = "") -> Task:
    draft["history"] = [*draft["history"], problem.key][-rules.numbers.selection.recent :]
    practice, key = draft["practice"], task_key(kind, problem)
    draft["practice"] = {**practice, "shown": {**practice["shown"], key: practice["shown"].get(key, 0) + 1}}
    offered = (choosable or kind) in _CHOOSABLE and not (
        kind == "problem" and draft["downscaling"]["level"] >= _ABSTRACT
    )
    number = draft["counters"]["tasks"] + 1
    visual, shown = visual_aid(draft, kind, problem), presentation(draft, kind, problem)
    if draft["downscaling"]["active"]:
        draft["downscaling"] = {**draft["downscaling"], "visual_aids": [visual["mode"]] if visual else []}
    return {
        "task_id": _next_id(draft),
        "kind": kind,
        "problem_id": problem.problem_id,
        "prompt": problem.prompt,
        "answer_format": "integer",
        "choices": tap_choices(
            problem, seeded_index(1 << 30, draft["start"]["seed"], number), suspected_answers(draft, rules, problem)
        )
        if offered
        else [],
        "visual_mode": visual["mode"] if visual else "vertical" if shown["grid"] else "none",
        "visual": visual,
        "presentation": shown,
        "training_id": None,
    }

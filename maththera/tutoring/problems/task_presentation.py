"""How a task is shown: the picture that fits its problem, its steps, the variable that a probe takes out, its story,
and the numbers to tap."""

from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Picture, Step
from maththera.knowledge.explanations import explained, pictured
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import malrule_results
from maththera.tutoring.practice.session_practice import border_of, by_skills
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import Kind, Presentation, TaskStep, TutoringState, Visual

COUNT: Final = 4
"""Of the numbers to tap."""
_TOLD: Final = frozenset({"review", "secure"})
"""Parts of the mixture of which some are told as a story."""
_ONE_OF: Final = 3
"""Every third of the problems that may be told is."""
_ONE_OF_KNOWN_STRAND: Final = 2
"""Every second, where the whole strand is known; every second of these as a chain."""


def visual_aid(draft: TutoringState, kind: Kind, problem: Problem) -> Visual | None:
    """The picture of a problem while the aids are on: after the steps did not help, in another representation. A probe
    removes one variable only and the original's return is unaided, so both have none."""
    if not draft["downscaling"]["active"] or kind in ("probe", "return"):
        return None
    picture = pictured(problem, other=_in_steps(draft))
    if picture is None:
        return None
    return drawn(picture)


def drawn(picture: Picture) -> Visual | None:
    """A picture as a client draws it; None for columns, which are how a problem is written."""
    if picture.mode == "columns":
        return None
    movable = picture.mode != "number_line"
    return {"mode": picture.mode, "model": picture.model, "shown": [*picture.shown], "movable": movable}


def presentation(draft: TutoringState, kind: Kind, problem: Problem) -> Presentation:
    """F-15, step_separation: the steps. A probe: the operation's sign, or the places."""
    probe = draft["probe_state"] if kind == "probe" else None
    removed = probe["removed_variable"] if probe else None
    return {
        "emphasis": "operation" if removed == "operation" else None,
        "grid": removed == "layout",
        "steps": _steps(problem) if _in_steps(draft) and kind not in ("probe", "return") else None,
        "story": None,
    }


def first_step(state: TutoringState, problem: Problem) -> str:
    """What to do first, in the representation that the task is shown in; of a task whose steps were answered, the first
    that went wrong."""
    observation = state["observation"]
    steps = observation.get("steps") if observation is not None else None
    if observation is not None and steps and not all(steps) and observation["problem_id"] == problem.problem_id:
        return separated_steps(problem)[steps.index(False)].say
    return explained(problem, other=_in_steps(state))[0].say


def _in_steps(draft: TutoringState) -> bool:
    move = draft["move"]
    return move is not None and move["downscaling"] == "step_separation" and draft["current_step"] != "breather"


def separated_steps(problem: Problem) -> Sequence[Step]:
    """The steps of a task in steps: in the other representation, unless only the first has more than one."""
    other, main = explained(problem, other=True), explained(problem)
    return main if len(other) == 1 < len(main) else other


def _steps(problem: Problem) -> list[TaskStep]:
    return [{"prompt": [step.say], "expression": step.outline} for step in separated_steps(problem)]


def told_as_story(state: TutoringState, rules: Rules, problem: Problem, source: str) -> str | None:
    """The story of an ordinary problem, or None where it stands bare. Told is what is known: as review, and to who
    knows a whole strand."""
    if source not in _TOLD or state["current_step"] != "normal" or state["downscaling"]["active"]:
        return None
    draw = seeded_index(1 << 30, state["start"]["seed"], state["counters"]["tasks"], ord("s"))
    if draw % _ONE_OF and draw % _ONE_OF_KNOWN_STRAND:
        return None
    skill = rules.knowledge.skills[rules.knowledge.skill_of(problem)]
    if not by_skills(state) or not rules.session_knowledge.at(state)[skill.skill_id].understood:
        return None
    top = not border_of(state, rules).is_open(skill.strand)
    if draw % (_ONE_OF_KNOWN_STRAND if top else _ONE_OF):
        return None
    part, other = divmod(draw // (_ONE_OF * _ONE_OF_KNOWN_STRAND), 2)
    chain = rules.stories.chain(problem, part) if top and other else None
    return chain or rules.stories.story(problem, part)


def tap_choices(problem: Problem, seed_number: int, suspected: Iterable[int] = ()) -> list[int]:
    """The four numbers that a child may tap, ascending: the right answer, two malrule results, so that a tap can show a
    malrule, and one filler that no malrule gives. `suspected`: wrong results that the child is suspected to give, the
    likeliest first; they come before all others. Else one malrule result is below the answer and one above, if
    possible; the seed rotates over them. A malrule result with more digits than the answer is left out: 313 for 28+15
    looks wrong at once. If malrules give fewer than two results, fillers take their place."""
    answer = problem.answer
    yielded = set(malrule_results(problem).values())
    shown = sorted(result for result in yielded if len(str(result)) <= len(str(answer)))
    turn = crc32(f"{seed_number}:{problem.expression}".encode())
    below = _rotated([result for result in shown if result < answer], turn)
    above = _rotated([result for result in shown if result > answer], turn)
    found = dict.fromkeys([answer, *suspected, *below[:1], *above[:1], *below[1:], *above[1:]])
    picked = [*found][: COUNT - 1]
    distance = 1
    while len(picked) < COUNT:
        nearest = (answer - distance, answer + distance)
        for filler in nearest if turn % 2 else reversed(nearest):
            if filler >= 0 and filler not in yielded and len(picked) < COUNT:
                picked.append(filler)
        distance += 1
    return sorted(picked)


def _rotated(numbers: Sequence[int], turn: int) -> list[int]:
    start = turn % len(numbers) if numbers else 0
    return [*numbers[start:], *numbers[:start]]

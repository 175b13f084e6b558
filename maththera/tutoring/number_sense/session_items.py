"""The items of number sense in a session: those before its first problem, a screening's, and those below C1; and what
follows from their answers."""

from collections.abc import Mapping
from statistics import median
from typing import Any, Final

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.knowledge.knowledge import Knowledge
from maththera.tutoring.content.session_rules import NumberSenseNumbers, Rules
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.number_sense.items import COPY, SKILLS, highest_level, item, item_id
from maththera.tutoring.number_sense.screening_profile import screening_items
from maththera.tutoring.practice.resting_skills import resting
from maththera.tutoring.practice.session_practice import by_skills
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import NumberSenseState, Phase, TutoringState, given

BELOW_C1: Final = 0
"""The C of number sense."""
_PLACES: Final = 2
"""Skills that are asked by turns."""
_DRAWS: Final = 12
"""Items among which one is looked for that was not shown too often."""
_NEEDED_FOR_C1: Final = ("C1.plus1", "C1.minus1")


def items_before(start: Mapping[str, Any], known: Knowledge, rules: Rules) -> NumberSenseState:
    """What comes before the session proper: a screening's items; numbers to copy before a placement; a warm-up for the
    youngest. Nothing where the client shows no widgets."""
    numbers, seed, queue = rules.numbers.number_sense, int(start["seed"]), list[str]()
    if start["capabilities"]["widgets"]:
        if start["mode"] == "number_sense":
            queue = screening_items(seed)
        if start["mode"] == "placement":
            queue += [item_id(COPY, 1, seeded_index(1 << 30, seed, place)) for place in range(numbers.copies)]
        if start["mode"] != "number_sense" and _is_youngest(start, numbers):
            queue += _warm_up(known, seed, numbers.warm_up)
    return {"queue": queue, "first": len(queue), "answers": [], "misses": 0, "back": [], "typing_ms": None}


def _is_youngest(start: Mapping[str, Any], numbers: NumberSenseNumbers) -> bool:
    """By where the session starts; before a placement by what adults have said of the child: where it is, else its
    grade."""
    if start["mode"] != "placement":
        return bool(start["c_position"] <= numbers.warm_up_c)
    if start["thought_c"] is not None:
        return bool(start["thought_c"] <= numbers.warm_up_c)
    return start["grade"] is not None and bool(start["grade"] <= numbers.warm_up_grade)


def _warm_up(known: Knowledge, seed: int, count: int) -> list[str]:
    """The skills that were asked least, each at the level of what is known."""
    skills = sorted(SKILLS, key=lambda one: (known[one].tries, known[one].last_day or 0))[:count]
    return [_item_of(one, known, seeded_index(1 << 30, seed, place)) for place, one in enumerate(skills)]


def _item_of(skill_id: str, known: Knowledge, seed: int) -> str:
    """An item of a skill, the harder the surer it is known."""
    levels = highest_level(skill_id)
    return item_id(skill_id, max(1, round(known.chance(skill_id) * levels)), seed)


def next_below_c1(draft: TutoringState, rules: Rules) -> str:
    """The next item below C1: of what C1 stands on and is lacking, two skills by turns; else of what else is lacking,
    else of any. After two misses in a row the easiest of the surest skill."""
    seed = seeded_index(1 << 30, int(draft["start"]["seed"]), draft["counters"]["tasks"])
    shown, limit = draft["practice"]["shown"], rules.numbers.limits.same_task
    before = draft["task"].get("item_id") if draft["task"] else None
    ids = [_below_c1(draft, rules, seed + other) for other in range(_DRAWS)]
    fresh = (one for one in ids if shown.get(item(one).key, 0) < limit)
    return next((one for one in fresh if before is None or item(one).key != item(before).key), ids[0])


def _below_c1(draft: TutoringState, rules: Rules, seed: int) -> str:
    known, asked = rules.session_knowledge.at(draft), draft["practice"]["asked"]
    if draft["number_sense"]["misses"] > 1:
        return item_id(max(SKILLS, key=known.chance), 1, seed)
    lacking = lacking_below_c1(draft, rules)[:_PLACES]
    others = [one for one in SKILLS if rules.knowledge.skills[one].needed]
    skills = lacking or [one for one in others if not _met(known, one)][:_PLACES] or others
    return _item_of(min(skills, key=lambda one: asked.get(one, 0)), known, seed)


def lacking_below_c1(state: TutoringState, rules: Rules) -> list[str]:
    """The skills of number sense that C1 stands on and that are neither known nor passed, in teaching order; without
    those that rest."""
    known, skills = rules.session_knowledge.at(state), rules.knowledge.skills
    below = {one for skill_id in _NEEDED_FOR_C1 for one in skills.ancestors(skill_id)}
    rest = resting(state["start"]["struggles"], known.day)
    return [one for one in SKILLS if one in below - rest and not _met(known, one)]


def _met(known: Knowledge, skill_id: str) -> bool:
    return known[skill_id].known or known[skill_id].passed


def copying_ms(state: NumberSenseState) -> int | None:
    """The median time of the numbers that were copied rightly; None where fewer than two times are reliable."""
    times = [
        rt_ms
        for one, given, rt_ms in state["answers"]
        if one.startswith(COPY) and rt_ms is not None and given is not None and item(one).is_right(given)
    ]
    return round(median(times)) if len(times) > 1 else None


# --- the effects of the rows ------------------------------------------------------------------------------------------


def keep_item(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the answer; after the last item of the warm-up the session proper begins."""
    sense, observation = draft["number_sense"], given(draft["observation"])
    answer = [given(given(draft["task"]).get("item_id")), observation["answer"], observation["rt_ms"]]
    sense = {**sense, "answers": [*sense["answers"], answer]}
    if not sense["queue"] and draft["current_step"] == "warm_up":
        sense = {**sense, "typing_ms": copying_ms(sense), "answers": []}
        draft["current_step"] = proper_phase(draft)
        draft["move"] = {**given(draft["move"]), "show": "first"}
    draft["number_sense"] = sense


def proper_phase(draft: TutoringState) -> Phase:
    """The phase in which the session proper begins."""
    if draft["start"]["mode"] == "placement":
        return "placement"
    return "number_sense" if draft["c_position"] == BELOW_C1 else "normal"


def begin_below_c1(draft: TutoringState, rules: Rules) -> None:
    """The last session ended below C1, and something is still lacking there."""
    if draft["start"]["below_c1"] and _may_go_below(draft) and lacking_below_c1(draft, rules):
        _go_below(draft)


def _may_go_below(draft: TutoringState) -> bool:
    """Where the client can show it, and skills lead."""
    return bool(draft["start"]["capabilities"]["widgets"]) and by_skills(draft)


def _go_below(draft: TutoringState) -> None:
    back = [draft["c_position"], draft["w_position"]]
    draft["number_sense"] = {**draft["number_sense"], "misses": 0, "back": back}
    draft["c_position"], draft["w_position"] = BELOW_C1, 0.0


def enter_below_c1(draft: TutoringState, c: int) -> None:
    """After a failure at C1 number sense comes next."""
    if c > LOWEST_C or not _may_go_below(draft):
        return
    _go_below(draft)
    draft["current_step"], draft["loop_state"] = "number_sense", None
    draft["downscaling"] = {**draft["downscaling"], "active": False, "visual_aids": []}
    draft["move"] = {**given(draft["move"]), "show": "widget", "downscaling": None}


def count_item(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """An item below C1: once nothing is lacking there, the child is back where it fell from."""
    sense = draft["number_sense"]
    asked, practice = given(item(given(given(draft["task"]).get("item_id"))).skill_id), draft["practice"]
    draft["practice"] = {**practice, "asked": {**practice["asked"], asked: practice["asked"].get(asked, 0) + 1}}
    draft["number_sense"] = {**sense, "misses": 0 if facts.right else sense["misses"] + 1}
    if facts.right and not lacking_below_c1(draft, rules):
        c, w = sense["back"]
        draft["c_position"], draft["w_position"] = int(c), w
        draft["current_step"] = "normal"
        draft["move"] = {**given(draft["move"]), "show": "select"}

"""The effects of the rows on number sense: the items before a session, a screening, and the level below C1."""

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.number_sense.items import item
from maththera.tutoring.number_sense.session_items import copying_ms, lacking_below_c1
from maththera.tutoring.practice.session_practice import by_skills
from maththera.tutoring.state import Phase, TutoringState, given

BELOW_C1 = 0
"""The C of number sense."""


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

"""The templates that the coach needs, and the slots that each may use: what `configs/coach.yaml` is checked against."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from maththera.chat.wording import slots

SAYS: Final[Mapping[str, str]] = {
    "nobody": "",
    "unreadable": "",
    "no_records": "",
    "start_here": "unit",
    "distress": "",
    "scores_open": "",
    "score_line": "unit mean best answered right",
    "score_line_new": "unit mean best answered right",
    "score_line_best": "unit mean best answered right",
    "score_last": "day mean answered right",
    "more_units": "count",
    "strong_unit": "unit",
    "weak_open": "",
    "weak_unit": "number unit",
    "weak_metric": "metric score",
    "weak_example": "expression given right",
    "weak_training": "training",
    "weak_practice": "practice",
    "weak_none": "",
    "weak_few": "",
    "weak_close": "",
    "plan_open": "",
    "plan_open_new": "",
    "plan_where": "unit metric score",
    "plan_where_unit": "unit goal",
    "plan_how": "tip",
    "plan_training": "training",
    "plan_next": "prompt",
    "plan_close": "",
    "cheer_open": "",
    "glad_open": "",
    "glad_close": "",
    "cheer_answered": "mean answered right",
    "cheer_tried": "mean answered right",
    "cheer_strong": "unit mean",
    "cheer_last": "answered",
    "cheer_new": "",
    "cheer_close": "",
    "steps_open": "prompt",
    "steps_again": "prompt",
    "step_line": "number step",
    "given_right": "given",
    "given_explained": "given procedure",
    "given_unknown": "given",
    "last_answer": "prompt",
    "steps_open_task": "",
    "steps_close": "",
    "no_problem": "",
    "concept_open": "says",
    "unit_open": "unit",
    "goal_line": "goal",
    "concept_line": "name says",
    "example_open": "prompt",
    "unit_before": "names",
    "unit_tip": "tip",
    "no_unit": "",
    "next_open": "",
    "next_problem": "prompt unit",
    "next_parked": "",
    "next_cause": "training",
    "next_position": "",
    "next_asked": "",
    "next_start": "",
    "next_first": "unit mean",
    "next_close": "",
}
STEPS: Final[Mapping[str, str]] = {
    "add_zero": "a",
    "count_on": "a b counted",
    "double": "a double",
    "near_double": "a b double answer",
    "partner": "a partner",
    "split": "a one other",
    "ten_first": "a partner rest answer",
    "ten_and": "ones answer",
    "tens_together": "one other sum",
    "ones_together": "one other sum",
    "lend": "near gap",
    "give_back": "sum gap answer",
    "sum": "a b answer",
    "difference": "a b answer",
    "take_nothing": "a",
    "take_all": "a",
    "take_part": "a b answer",
    "from_ten": "b left",
    "count_back": "a b counted",
    "count_up": "a b counted answer",
    "times_zero": "a b",
    "times_one": "a",
    "skip_count": "a b counted",
    "product": "a b answer",
    "five_times": "a product",
    "rest_times": "a rest product",
    "which_times": "a b",
    "table": "b counted times",
    "quotient": "a b answer left",
    "left_over": "a b answer left",
    "by_zero": "a b",
    "below_zero": "a b",
    "tens": "a answer",
    "gap_addend": "a b",
    "gap_factor": "a b",
    "column_add": "place one other sum digit",
    "column_add_carry": "place one other sum digit",
    "column_add_carried": "place one other sum digit",
    "column_add_carried_carry": "place one other sum digit",
    "column_take": "place top bottom digit",
    "column_take_lent": "place top bottom digit",
    "column_take_borrow": "place top bottom ten next digit",
    "column_take_borrow_lent": "place top bottom ten next digit",
    "column_take_zero_lent": "place top bottom ten next digit",
    "column_times": "place digit times carry product",
    "column_times_carried": "place digit times carry product",
    "column_carry": "digit carry",
    "take_apart": "number parts",
    "part_times": "one other product",
    "parts_together": "parts answer",
    "divide": "place number b digit left",
    "divide_left": "place number b digit left",
}


def misfits(given: Mapping[str, Sequence[str]], needed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Key and reason of everything that is missing, that nobody says, or that has a slot which is never filled."""
    for key in sorted(needed.keys() - given.keys()):
        yield key, "is missing"
    for key, variants in given.items():
        if key not in needed:
            yield key, "is never said"
            continue
        for variant in variants:
            try:
                strange = slots(variant) - set(needed[key].split())
            except ValueError as error:
                yield key, f"{variant!r}: {error}"
                continue
            if strange:
                yield key, f"{variant!r}: there is no {', '.join(sorted(strange))} here"

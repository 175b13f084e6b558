"""The templates that the coach needs, and the slots that each may use: what `coach.yaml` is checked against."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, get_args

from maththera.arithmetic.expressions import Beyond
from maththera.chat.coach.text_templates import slot_names

ANSWER_SLOTS: Final[Mapping[str, str]] = {
    "nobody": "",
    "unreadable": "",
    "no_records": "",
    "start_here": "unit",
    "scores_open": "",
    "score_total": "answered right",
    "score_none": "",
    "score_line": "unit answered right",
    "score_line_new": "unit answered right",
    "score_last": "day answered right",
    "more_units": "count",
    "strong_unit": "unit",
    "weak_open": "",
    "weak_unit": "number unit",
    "weak_metric": "metric",
    "weak_example": "expression given right",
    "weak_training": "training",
    "weak_practice": "practice",
    "weak_none": "",
    "weak_few": "",
    "weak_close": "",
    "plan_open": "",
    "plan_open_new": "",
    "plan_where": "unit metric",
    "plan_where_unit": "unit goal",
    "plan_how": "tip",
    "plan_training": "training",
    "plan_next": "prompt",
    "plan_close": "",
    "cheer_open": "",
    "glad_open": "",
    "glad_close": "",
    "cheer_answered": "answered right",
    "cheer_tried": "answered right",
    "cheer_strong": "unit answered right",
    "cheer_last": "answered",
    "cheer_new": "",
    "cheer_close": "",
    "steps_open": "prompt",
    "steps_again": "prompt",
    "step_line": "number step",
    "given_right": "given",
    "given_explained": "given answer procedure",
    "given_unknown": "given answer",
    "last_answer": "prompt",
    "steps_open_task": "",
    "hint_open": "prompt",
    "hint_last": "",
    "hint_quiz": "",
    "steps_close": "",
    "no_problem": "",
    "story": "",
    **dict.fromkeys((f"outside_{why}" for why in get_args(Beyond)), ""),
    "beyond": "",
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
    "next_easy": "",
    "next_start": "",
    "next_first": "unit",
    "next_close": "",
}
LINE_SLOTS: Final[Mapping[str, str]] = {
    "left_over": "a b answer left",
    "by_zero": "a b",
    "below_zero": "a b",
    "whole_order": "rest",
    "whole_brackets": "part value rest",
    "whole_times": "part value rest",
    "whole_next": "part value rest",
    "whole_last": "part value",
    "gap_is": "value",
}


def slot_faults(given: Mapping[str, Sequence[str]], needed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Key and reason of each template that is missing, never used, or has a slot that is never filled."""
    for key in sorted(needed.keys() - given.keys()):
        yield key, "is missing"
    for key, variants in given.items():
        if key not in needed:
            yield key, "is never said"
            continue
        for variant in variants:
            try:
                strange = slot_names(variant) - set(needed[key].split())
            except ValueError as error:
                yield key, f"{variant!r}: {error}"
                continue
            if strange:
                yield key, f"{variant!r}: there is no {', '.join(sorted(strange))} here"

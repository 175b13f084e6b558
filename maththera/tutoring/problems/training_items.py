"""The items of a training for what has failed: none of them with larger numbers."""

from collections.abc import Sequence

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.trainings import TrainingPlan
from maththera.tutoring.state import TutoringState, given


def fitting_training(state: TutoringState, rules: Rules, training_ids: Sequence[str]) -> str:
    """The first of them that has items no larger than what failed; the first where none has."""
    level, limit = _level_and_limit(state, rules)
    seed, plans = state["start"]["seed"], (rules.catalogue.trainings[one] for one in training_ids)
    fitting = (
        one.id for one in plans if one.has_items(earlier=_earlier(state, one), seed=seed, level=level, limit=limit)
    )
    return next(fitting, training_ids[0])


def training_items(state: TutoringState, rules: Rules, plan: TrainingPlan) -> list[str]:
    """Items for the level of what failed, and not harder than that; other ones each time the child has the training.
    What is smaller than all its items gets the smallest."""
    level, limit = _level_and_limit(state, rules)
    seed, earlier = state["start"]["seed"], _earlier(state, plan)
    return plan.draw(earlier=earlier, seed=seed, level=level, limit=limit) or plan.smallest(
        earlier=earlier, seed=seed, level=state["c_position"]
    )


def _level_and_limit(state: TutoringState, rules: Rules) -> tuple[int, int | None]:
    """The C of what failed, and its largest number."""
    attempts, last = state["attempts"], given(state["observation"])["problem_id"]
    failed_id = state["original_problem"] or (attempts["problem_id"] if attempts else last)
    failed = rules.bank.problem(failed_id) if failed_id else None
    return (failed.c_level, max(failed.a, failed.b, failed.answer)) if failed else (state["c_position"], None)


def _earlier(state: TutoringState, plan: TrainingPlan) -> int:
    """How often the child has had the training."""
    before, again = state["start"].get("trained", {}).get(plan.id, 0), (state["waiting"] or {}).get("again", False)
    return int(before) + state["trained"].count(plan.id) + bool(again)

"""The rules that decided reviews suggest, with the answers that show them."""

from dataclasses import asdict
from typing import Literal

from fastapi import APIRouter, Depends

from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.api.reviews import EXAMPLE_DECISION, problem_of
from maththera.store import review_queue
from maththera.store.access.authorization import may_read_rule_candidates

router = APIRouter(prefix="/api/v1/reviews/candidates", tags=["reviews"], route_class=ApiRoute)


class CandidateExample(Answer):
    expression: str
    given: int
    right: int


class RuleCandidate(Answer):
    candidate_id: int
    operation: Literal["+", "-", "x", "/"]
    cause_tag: str
    procedure: str
    created_at: Moment
    examples: list[CandidateExample]


class RuleCandidates(Answer):
    model_config = example(
        {
            "candidates": [
                {
                    "candidate_id": 3,
                    "operation": "+",
                    "cause_tag": EXAMPLE_DECISION["cause_tag"],
                    "procedure": EXAMPLE_DECISION["procedure"],
                    "created_at": "2026-11-21T02:00:00+00:00",
                    "examples": [{"expression": "28+15", "given": 77, "right": 43}],
                }
            ]
        }
    )

    candidates: list[RuleCandidate]


@router.get(
    "",
    summary="The rules that decided patterns suggest",
    response_description="Those with the most examples first",
    dependencies=[Depends(caller_who(may_read_rule_candidates))],
)
async def list_rule_candidates(services: Services) -> RuleCandidates:
    """Each with the answers that show it. Whose they were is not kept here."""
    found = await services.learners.reviews.candidates()
    return RuleCandidates(candidates=[_candidate(services, one) for one in found])


def _candidate(services: Services, found: review_queue.RuleCandidate) -> RuleCandidate:
    examples = [
        {"expression": problem.expression, "given": given, "right": problem.answer}
        for problem_id, given in found.examples
        if (problem := problem_of(services, problem_id)) is not None
    ]
    return RuleCandidate.model_validate(asdict(found) | {"examples": examples})

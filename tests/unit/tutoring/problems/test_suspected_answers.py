"""The wrong answers that are offered to a child that taps."""

from typing import Any

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.informative_problems import suspected_answers
from tests.support.sessions import begin

CARRY = "sum_carry_dropped|EXECUTION_L4_CARRY_FORGOTTEN"


@pytest.mark.parametrize(("sent", "wanted"), [("tap", [75]), ("typed", [75]), (None, [])])
def test_what_a_child_is_suspected_to_answer_is_offered_where_the_client_tells_taps_from_typing(
    rules: Rules, sent: str | None, wanted: list[int]
) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    event: Any = {"type": "answer_submitted", "request_id": "r1", "answer": 63, **({"input": sent} if sent else {})}
    session.state = {**session.state, "event": event, "posterior": {CARRY: [3.0, 1, 0]}}
    assert suspected_answers(session.state, rules, make_problem(58, "+", 27)) == wanted


def test_what_nothing_speaks_for_is_not_offered(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    event: Any = {"type": "answer_submitted", "request_id": "r1", "answer": 63, "input": "tap"}
    session.state = {**session.state, "event": event, "posterior": {CARRY: [-1.0, 1, 0]}}
    assert suspected_answers(session.state, rules, make_problem(58, "+", 27)) == []

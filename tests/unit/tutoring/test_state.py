"""The state's keys and who may write them."""

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.graph import AGENTS, EDGES
from maththera.tutoring.state import OWNERS, TutoringState, given
from tests.support.sessions import begin


def test_every_key_has_exactly_one_owner() -> None:
    owned = [key for keys in OWNERS.values() for key in keys]
    assert sorted(owned) == sorted(TutoringState.__annotations__)


def test_every_node_has_an_agent() -> None:
    assert set(AGENTS.values()) == set(OWNERS)
    assert set(EDGES) - {"__start__"} == set(AGENTS)


def test_a_session_has_every_key_after_its_first_turn(rules: Rules) -> None:
    state = begin(rules, "8+6").right().state
    assert set(state) == set(TutoringState.__annotations__) - {"schema_version"}  # the service adds that one


def test_given_refuses_what_is_not_there() -> None:
    assert given(0) == 0
    with pytest.raises(TypeError):
        given(None)

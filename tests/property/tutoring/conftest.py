"""What the tests of the tutoring rules share."""

import pytest

from maththera.tutoring.content.session_rules import Rules
from tests.support.tutoring import rules as shared_rules


@pytest.fixture(scope="session")
def rules() -> Rules:
    return shared_rules()

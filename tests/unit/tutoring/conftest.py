"""What the tests of the tutoring rules share."""

import pytest

from maththera.tutoring.rules import Rules
from tests.support.sessions import shared_rules


@pytest.fixture(scope="session")
def rules() -> Rules:
    return shared_rules()

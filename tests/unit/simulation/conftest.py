from dataclasses import dataclass

import pytest

from maththera.settings import home
from maththera.simulation.parameters import Parameters, load_parameters
from maththera.simulation.session_runs import SessionRunner, Setup
from maththera.tutoring.content.session_rules import Rules
from tests.support.tutoring import rules as shared_rules


@pytest.fixture(scope="session")
def rules() -> Rules:
    return shared_rules()


@pytest.fixture(scope="session")
def parameters(rules: Rules) -> Parameters:
    return load_parameters(home(), rules)


@dataclass(frozen=True)
class Laboratories:
    """Makes laboratories that share what is loaded."""

    rules: Rules
    parameters: Parameters

    def make(self, setup: Setup) -> SessionRunner:
        return SessionRunner(self.rules, self.parameters, setup)


@pytest.fixture(scope="session")
def laboratories(rules: Rules, parameters: Parameters) -> Laboratories:
    return Laboratories(rules, parameters)

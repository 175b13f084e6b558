"""docs/flows.md and docs/flows.ko.md: their example runs, and they explain every message there is."""

import re
from pathlib import Path

import pytest

from maththera.flows.checker.flow_checker import load
from tests.support.flow_messages import messages
from tests.support.flow_world import catalogue

DOCS = Path(__file__).parents[3] / "docs"
GUIDES = ["flows.md", "flows.ko.md"]
ROW = re.compile(r"^\| `(.+?)` \| .+ \|$", re.MULTILINE)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_message_of_the_checker_is_explained_and_no_other(guide):
    listed = (DOCS / guide).read_text(encoding="utf-8").split("<!-- messages -->")[1]
    explained = set(ROW.findall(listed))

    assert messages() - explained == set(), "not explained"
    assert explained - messages() == set(), "explained, but never said"


@pytest.mark.parametrize("guide", GUIDES)
def test_the_first_flow_compiles(guide):
    text = (DOCS / guide).read_text(encoding="utf-8")
    example = re.search(r"<!-- example flow -->\n```yaml\n(.*?)```", text, re.DOTALL)

    assert example is not None
    assert load(example[1], catalogue=catalogue()).warnings == []

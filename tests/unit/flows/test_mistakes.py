"""Every file of tests/data/flow_mistakes ends with the lines that reading it must report: all of them, and no other."""

from pathlib import Path

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.language.faults import FlowError
from tests.support.flow_tools import CATALOGUE

FOLDER = Path(__file__).parents[2] / "data" / "flow_mistakes"
FILES = sorted(FOLDER.glob("*.yaml"))
MARK = "#! "


def expected(path: Path) -> list[str]:
    return [line.removeprefix(MARK) for line in path.read_text().splitlines() if line.startswith(MARK)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_mistake_is_one_precise_line_and_all_come_in_one_pass(path):
    text = path.read_text().split(MARK)[0]

    with pytest.raises(FlowError) as raised:
        load(text, path="x.yaml", catalogue=CATALOGUE, graphs={"tutoring"}, prompts={"feedback"})

    assert [str(fault).removeprefix("x.yaml:") for fault in raised.value.faults] == expected(path)


def test_there_are_more_mistakes_than_anyone_makes_in_a_day():
    assert len({line for path in FILES for line in expected(path)}) >= 100

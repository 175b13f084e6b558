"""Every file of tests/data/flow_mistakes ends with the lines that reading it must report: all of them, and no other."""

from pathlib import Path

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.language.faults import Fault, FlowError
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


WELL = """flow:
  name: 들여쓰기
  description: 무엇을 한다
  inputs:
    - {name: n, type: int}
    - name: word
      type: string
  steps:
    - id: a
      action: python
      code: |
        return {'v': $inputs.n}
    - id: b
      action: foreach
      items: [1, 2]
      steps:
        - id: c
          action: python
          code: "return {'v': $item}"
        - id: d
          action: python
          depends_on: [c]
          on_error:
            action: fallback
            fallback_value: {v: 1}
          code: "return {'v': $c_result.v}"
    - id: e
      mcp_call:
        server: s
        tool: t
        params:
          word: $inputs.word
          v: $a_result.v
      depends_on: [b]
  outputs:
    out: $b_result
    e: $e_result
"""


def shifted(row: int, by: int) -> str:
    rows = WELL.splitlines()
    rows[row] = " " * (len(rows[row]) - len(rows[row].lstrip()) + by) + rows[row].lstrip()
    return "\n".join(rows)


def faults_of(text: str) -> list[Fault]:
    try:
        load(text, catalogue=None)
    except FlowError as error:
        return error.faults
    return []


@pytest.mark.parametrize("by", [-2, -1, 1, 2, 4])
def test_a_row_at_a_wrong_indent_is_one_mistake_that_names_it_or_the_next(by):
    named = []
    for row, text in enumerate(WELL.splitlines()):
        if len(text) - len(text.lstrip()) + by >= 0:
            faults = faults_of(shifted(row, by))
            if any(fault.message.english.startswith("not YAML") for fault in faults):
                assert len(faults) == 1, (row, faults)
                named.append(faults[0].line - 1 - row)
    assert set(named) <= {0, 1}
    assert named.count(0) > 0.7 * len(named) > 15


def test_a_row_at_a_wrong_indent_is_named_with_the_indent_that_the_next_row_asks_for():
    for row, expected in ((7, 2), (8, 4), (16, 8), (26, 4), (34, 2)):
        for by in (-1, 1):
            (fault,) = faults_of(shifted(row, by))
            assert (fault.line, f" {expected} are expected" in str(fault)) == (row + 1, True), fault

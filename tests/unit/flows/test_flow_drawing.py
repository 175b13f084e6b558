"""A flow as boxes and lines."""

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.diagram import Arrow, arrows, step_arrows
from maththera.flows.flow_drawing import DrawnBox, arranged, drawing, framed
from maththera.flows.language.yaml_source import files_in
from maththera.settings import home
from tests.support.flow_home import FLOWS

LEADS_ON_IF_IT_FAILS = """
flow:
  name: 갈림
  inputs: [{name: x, type: int}]
  steps:
    - {id: a, action: python, code: "return {'v': $inputs.x}", on_error: {goto: c}}
    - {id: b, action: python, code: "return {'v': 1}", route: [{when: "$b_result.v > 0", to: d}, {to: end}]}
    - {id: c, action: python, code: "return {'v': 2}"}
    - {id: d, action: foreach, items: [1, 2], steps: [
        {id: e, action: python, code: "return {'v': $item}"},
        {id: f, action: python, code: "return {'v': $e_result.v}"}]}
    - {id: g, action: python, code: "return {'v': 3}", depends_on: [d]}
"""
TEXTS = {
    **FLOWS,
    "갈림": LEADS_ON_IF_IT_FAILS,
    **{path.stem: path.read_text(encoding="utf-8") for path in files_in(home() / "flows")},
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_drawn_is_what_runs(name: str) -> None:
    flow = load(TEXTS[name], catalogue=None, graphs=None)
    assert sorted(step_arrows(flow.steps), key=str) == sorted(arrows(flow), key=str)


def test_inner_steps_lie_in_the_box_of_theirs_and_the_others_beside_each_other() -> None:
    drawn = drawing(load(LEADS_ON_IF_IT_FAILS, catalogue=None))
    boxes = {box.id: box for box in drawn.boxes}
    assert {box.id for box in drawn.boxes if box.parent == "d"} == {"e", "f"}
    assert all(inside(boxes[inner], boxes["d"]) for inner in "ef")
    assert not any(inside(boxes[one], boxes[other]) for one in "abcg" for other in "abcdefg" if one != other)
    assert all(
        box.x >= 0 and box.x + box.width <= drawn.width and box.y + box.height <= drawn.height for box in boxes.values()
    )
    for line in drawn.lines:
        (_, y0), *_, (_, y1) = line.points
        assert y0 == boxes[line.source].y + boxes[line.source].height
        assert y1 == boxes[line.target].y


def test_a_line_back_faces_its_box_and_one_to_its_own_box_stays_outside() -> None:
    parts = {name: framed(DrawnBox(name, name, [], "end", 0, None, 0, 0, 0, 0)) for name in "abc"}
    drawn = arranged(parts, [Arrow("a", "b"), Arrow("b", "c"), Arrow("c", "a"), Arrow("b", "b")])
    boxes = {box.id: box for box in drawn.boxes}
    points = {(line.source, line.target): line.points for line in drawn.lines}
    assert points["c", "a"][0][1] == boxes["c"].y
    assert points["c", "a"][-1][1] == boxes["a"].y + boxes["a"].height
    assert all(x >= boxes["b"].x + boxes["b"].width for x, _ in points["b", "b"])


def inside(inner: DrawnBox, outer: DrawnBox) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )

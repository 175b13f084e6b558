"""A flow as boxes and lines."""

from itertools import pairwise

import pytest
from langgraph.graph import END

from maththera.flows.checker.flow_checker import load
from maththera.flows.diagram import Arrow, arrows, step_arrows
from maththera.flows.flow_drawing import NOTE_SIZE, TITLE_SIZE, DrawnBox, arranged, drawing, framed, text_width
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
CHOSEN_LATER = """
flow:
  name: 나중
  inputs: [{name: x, type: int}]
  steps:
    - {id: r, action: route, route: [{when: "$inputs.x > 0", to: a}, {to: b}]}
    - {id: a, action: python, code: "return {'v': 1}"}
    - {id: b, action: python, code: "return {'v': 2}", depends_on: [a]}
"""
MENDED = """
flow:
  name: 고침
  inputs: [{name: x, type: int}]
  steps:
    - {id: a, action: python, code: "return {'v': $inputs.x}", on_error: {goto: c}}
    - {id: b, action: python, code: "return {'v': 1}", depends_on: [a, c]}
    - {id: c, action: python, code: "return {'v': 2}"}
"""
SURE = """
flow:
  name: 확실
  inputs: [{name: x, type: int}]
  steps:
    - {id: a, action: python, code: "return {'v': $inputs.x}", on_error: {goto: c},
       route: [{when: "$a_result.v > 0", to: b}, {to: d}]}
    - {id: b, action: python, code: "return {'v': 1}"}
    - {id: c, action: python, code: "return {'v': 2}"}
    - {id: d, action: python, code: "return {'v': 3}"}
"""
OPEN = """
flow:
  name: 열림
  inputs: [{name: x, type: int}]
  steps:
    - {id: a, action: route, route: [{when: "$inputs.x > 0", to: b}]}
    - {id: b, action: python, code: "return {'v': 1}"}
"""
BESIDE = """
flow:
  name: 나란히
  inputs: [{name: x, type: int}]
  steps:
    - {id: r, action: route, route: [{when: "$inputs.x > 0", to: a}, {to: b}]}
    - {id: a, action: python, code: "return {'v': 1}"}
    - {id: b, action: python, code: "return {'v': 2}", depends_on: [a]}
    - {id: c, action: python, code: "return {'v': 3}", depends_on: [r]}
    - {id: d, action: python, code: "return {'v': 4}", depends_on: [c]}
"""
WAYS = {
    CHOSEN_LATER: {"r a": "$inputs.x > 0", "r b": "그 밖에"},
    MENDED: {"a c": "실패하면", "a b": "그 밖에"},
    SURE: {"a b": "$a_result.v > 0", "a c": "실패하면", "a d": "그 밖에"},
    OPEN: {"a b": "$inputs.x > 0", f"a {END}": "그 밖에"},
    BESIDE: {"r a": "$inputs.x > 0", "r b": "그 밖에"},
}
TEXTS = {
    **FLOWS,
    **{text.split()[2]: text for text in WAYS},
    "갈림": LEADS_ON_IF_IT_FAILS,
    **{path.stem: path.read_text(encoding="utf-8") for path in files_in(home() / "flows")},
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_drawn_is_what_runs(name: str) -> None:
    flow = load(TEXTS[name], catalogue=None, graphs=None)
    assert sorted(step_arrows(flow.steps), key=str) == sorted(arrows(flow), key=str)


@pytest.mark.parametrize("text", WAYS)
def test_every_way_of_a_step_is_drawn_with_its_condition_and_no_other(text: str) -> None:
    found = {f"{each.source} {each.target}": each.label for each in arrows(load(text, catalogue=None))}
    assert {name: label for name, label in found.items() if label is not None} == WAYS[text]


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


@pytest.mark.parametrize("ways", [2, 3, 6])
def test_long_conditions_neither_cover_each_other_nor_leave_the_picture(ways: int) -> None:
    route = ", ".join(f'{{when: "$inputs.x > {n + 1}000 and $inputs.x < {n + 1}999", to: s{n}}}' for n in range(ways))
    steps = "".join(f"    - {{id: s{n}, action: python, code: return 1}}\n" for n in range(ways))
    head = "flow:\n  name: 긴\n  inputs: [{name: x, type: int}]\n  steps:\n"
    drawn = drawing(load(f"{head}    - {{id: r, action: route, route: [{route}]}}\n{steps}", catalogue=None))
    places = []
    for line in drawn.lines:
        if line.label is not None:
            assert line.label_at is not None
            (x, y), half = line.label_at, text_width(line.label) * NOTE_SIZE / TITLE_SIZE / 2
            assert 0 <= x - half <= x + half <= drawn.width
            places.append((x, y))
    assert len(places) == ways + 1  # and where none holds
    heights = sorted(y for _, y in places)
    assert all(low + NOTE_SIZE < high for low, high in pairwise(heights))
    for line in drawn.lines:
        if line.label is None:
            assert line.label_at is None


def inside(inner: DrawnBox, outer: DrawnBox) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )

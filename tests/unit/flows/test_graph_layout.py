"""Where a graph's nodes go on paper."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from maththera.flows.graph_layout import Layout

EDGES = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"), ("d", "a"), ("d", "e")]


BOX = (50.0, 40.0)


def placed() -> Layout:
    return Layout(dict.fromkeys("abcdef", BOX), EDGES, 60)


def test_every_edge_but_those_that_lead_back_goes_down() -> None:
    place = placed().place
    assert [edge for edge in EDGES if place[edge[1]][1] <= place[edge[0]][1]] == [("d", "a")]


names = st.integers(0, 11).map("n{}".format)


@given(
    st.dictionaries(names, st.tuples(st.floats(10, 300), st.floats(10, 300)), min_size=1),
    st.lists(st.tuples(names, names), max_size=30),
)
def test_boxes_do_not_touch_and_edges_run_between_them(
    boxes: dict[str, tuple[float, float]], edges: list[tuple[str, str]]
) -> None:
    edges = [edge for edge in edges if set(edge) <= set(boxes)]
    layout = Layout(boxes, edges, 60)
    for name, (width, height) in boxes.items():
        x, y = layout.place[name]
        assert width / 2 <= x <= layout.width - width / 2
        assert height / 2 < y < layout.height - height / 2
    for (one, (width, height)), (other, (other_width, other_height)) in combinations(boxes.items(), 2):
        (x, y), (other_x, other_y) = layout.place[one], layout.place[other]
        apart = abs(x - other_x) - (width + other_width) / 2, abs(y - other_y) - (height + other_height) / 2
        assert max(apart) > 10
    for source, target in edges:
        if source != target:
            path = layout.path((source, target))
            assert (path[0], path[-1]) == (layout.place[source], layout.place[target])


def test_a_long_edge_passes_beside_what_lies_between() -> None:
    layout = placed()
    _, (x, top), (same_x, bottom), _ = layout.path(("a", "d"))
    assert x == same_x
    assert bottom - top == 40
    assert all(abs(x - layout.place[name][0]) >= 25 for name in "bc")


def test_a_thousand_steps_in_a_row_are_placed() -> None:
    names = [str(number) for number in range(1_000)]
    layout = Layout(dict.fromkeys(names, BOX), list(pairwise(names)), 60)
    assert layout.height == 100 * 1_000


def test_a_node_that_nothing_leads_to_is_there_too() -> None:
    assert "f" in placed().place


def test_a_taller_box_has_room_and_a_long_edge_passes_it_straight() -> None:
    layout = Layout({**dict.fromkeys("abcde", BOX), "b": (50.0, 340.0)}, EDGES, 60)
    (_, top), (_, middle), (_, bottom) = (layout.place[name] for name in "abd")
    assert (middle - top, bottom - middle) == (250, 250)
    _, (x0, y0), (x1, y1), _ = layout.path(("a", "d"))
    assert (x0, y0, y1) == (x1, middle - 170, middle + 170)


def test_parts_that_nothing_connects_stand_side_by_side() -> None:
    place = Layout(dict.fromkeys("xab", BOX), [("a", "b")], 60).place
    assert place["x"][1] == place["a"][1] < place["b"][1]
    assert place["x"][0] < place["a"][0]

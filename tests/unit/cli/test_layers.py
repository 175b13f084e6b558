"""Where a graph's nodes go on paper."""

from maththera.cli.layers import Layout

EDGES = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"), ("d", "a"), ("d", "e")]


def placed() -> Layout:
    return Layout(dict.fromkeys("abcdef", 50.0), EDGES, 100)


def test_every_edge_but_those_that_lead_back_goes_down() -> None:
    place = placed().place
    assert [edge for edge in EDGES if place[edge[1]][1] <= place[edge[0]][1]] == [("d", "a")]


def test_nodes_do_not_touch() -> None:
    layout = placed()
    spots = [layout.place[name] for name in "abcdef"]
    for number, (x, y) in enumerate(spots):
        assert 25 <= x <= layout.width - 25
        assert 0 < y < layout.height
        assert all(y != other_y or abs(x - other_x) >= 50 for other_x, other_y in spots[number + 1 :])


def test_a_long_edge_passes_beside_what_lies_between() -> None:
    layout = placed()
    path = layout.path(("a", "d"))
    assert len(path) == 3
    between = [layout.place[name][0] for name in "bc"]
    assert all(abs(path[1][0] - x) >= 25 for x in between)


def test_a_node_that_nothing_leads_to_is_there_too() -> None:
    assert "f" in placed().place


def test_a_taller_node_has_room_and_a_long_edge_passes_it_straight() -> None:
    layout = Layout(dict.fromkeys("abcde", 50.0), EDGES, 100, {"b": 300.0})
    (_, top), (_, middle), (_, bottom) = (layout.place[name] for name in "abd")
    assert (middle - top, bottom - middle) == (250, 250)
    _, (x0, y0), (x1, y1), _ = layout.path(("a", "d"))
    assert (x0, y0, y1) == (x1, middle - 150, middle + 150)


def test_nodes_that_the_first_does_not_reach_are_layered_too() -> None:
    place = Layout(dict.fromkeys("xab", 50.0), [("a", "b")], 100).place
    assert place["x"][1] == place["a"][1] < place["b"][1]

import pytest

from maththera.learner_model.concept_knowledge import ENOUGH
from maththera.servers import logic_engine
from maththera.servers.toolkit.server_base import ServerResources
from tests.unit.servers.conftest import Refused, calling


async def test_a_gap_is_what_the_child_shows_not_to_know(world: ServerResources) -> None:
    async with calling(logic_engine.build(world)) as call:
        found = await call("find_concept_gap", student_id="s1")
        every = await call("find_concept_gap", student_id="s1", threshold=1)
    assert "Cur-C11" in [gap["concept_id"] for gap in found["gaps"]], "where a child that drops carries ends up"
    for gap in found["gaps"]:
        assert gap["mastery"] < 0.5
        assert gap["evidence"]["answers"] >= ENOUGH
        assert gap["evidence"]["right"] < gap["evidence"]["answers"]
    order = [world.graph.order[gap["concept_id"]] for gap in every["gaps"]]
    assert order == sorted(order)


async def test_a_child_without_records_has_an_explained_empty_answer(empty_world: ServerResources) -> None:
    async with calling(logic_engine.build(empty_world)) as call:
        found = await call("find_concept_gap", student_id="nobody")
        path = await call("get_learning_path", student_id="nobody", target_concept="받아올림")
    assert found["gaps"] == []
    assert "기록이 없는" in found["message"]
    assert [step["status"] for step in path["path"]] == ["new"] * len(path["path"])
    assert path["path"][-1]["concept_id"] == "Cur-C7"


async def test_prerequisites_of_a_topic_in_free_text(empty_world: ServerResources) -> None:
    async with calling(logic_engine.build(empty_world)) as call:
        found = await call("get_prerequisites", concept_id="두자리수 덧셈", depth=2)
    assert found["concept"]["concept_id"] == "Cur-C8"
    assert [node["concept_id"] for node in found["prerequisite_tree"]] == ["Cur-C7", "Cog-C5"]
    below = found["prerequisite_tree"][0]["prerequisites"]
    assert {node["concept_id"] for node in below} == {"Cur-C5", "Cur-C6", "Cog-C4"}
    assert all(node["prerequisites"] == [] and node["depth"] == 2 for node in below)


async def test_a_concept_that_rests_on_nothing_says_so(empty_world: ServerResources) -> None:
    async with calling(logic_engine.build(empty_world)) as call:
        found = await call("get_prerequisites", concept_id="Cog-C1")
    assert found["prerequisite_tree"] == []
    assert "없습니다" in found["message"]


async def test_a_miss_names_the_argument_and_what_is_near(empty_world: ServerResources) -> None:
    async with calling(logic_engine.build(empty_world)) as call:
        with pytest.raises(Refused, match=r"concept_id: '분수의 덧셈'.*가까운 개념.*Cur-C"):
            await call("get_prerequisites", concept_id="분수의 덧셈")
        with pytest.raises(Refused, match="threshold"):
            await call("find_concept_gap", student_id="s1", threshold=2)


async def test_the_path_leaves_out_what_is_known(world: ServerResources) -> None:
    async with calling(logic_engine.build(world)) as call:
        found = await call("get_learning_path", student_id="s1", target_concept="세 자리 수의 덧셈")
    steps = [step["concept_id"] for step in found["path"]]
    assert steps[-1] == "Cur-C11"
    assert not set(steps) & set(found["known"])
    assert {*steps, *found["known"]} == {*world.graph.ancestors("Cur-C11"), "Cur-C11"}


async def test_the_fallback_of_the_first_flows_fits_the_output_schema(empty_world: ServerResources) -> None:
    tools = {tool.name: tool for tool in await logic_engine.build(empty_world).list_tools()}
    schema = tools["get_prerequisites"].output_schema
    assert schema is not None
    assert schema["required"] == ["prerequisite_tree"]

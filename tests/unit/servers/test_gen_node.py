from typing import Any

import pytest

from maththera.learner_model.error_patterns import stated_causes
from maththera.servers import gen_node
from maththera.servers.toolkit.server_base import ServerResources
from tests.unit.servers.conftest import Refused, calling


async def test_problems_for_this_child(world: ServerResources) -> None:
    async with calling(gen_node.build(world)) as call:
        found = await call("generate_picket_problem", student_id="s1", target_concept="두 자리 수의 덧셈")
        again = await call("generate_picket_problem", student_id="s1", target_concept="Cur-C8")
    assert found["problem"] == found["problems"][0]
    assert len(found["problems"]) == 5
    assert found["problems"] == again["problems"], "the same records give the same problems"
    answers = await world.history.answers("s1")
    recent = {world.bank.problem(a.problem_id).key for a in answers[-20:] if a.problem_id}
    assert not recent & {world.bank.problem(one["problem_id"]).key for one in found["problems"]}
    assert stated_causes(answers), "a child that drops every carry has its cause stated"
    assert found["problems"][0]["shows"] in stated_causes(answers)
    loads = [one["dna"]["w_total"] for one in found["problems"]]
    assert loads == sorted(loads)


async def test_a_bridge_leads_to_the_next_concept(world: ServerResources) -> None:
    async with calling(gen_node.build(world)) as call:
        found = await call(
            "generate_picket_problem", student_id="s1", target_concept="Cur-C7", bridge_to_concept="Cur-C8", count=5
        )
        alone = await call("generate_picket_problem", student_id="s1", target_concept="Cur-C7", bridge_to_concept=None)
    assert [one["role"] for one in found["problems"]] == ["target"] * 3 + ["bridge"] * 2
    assert found["bridge"]["concept_id"] == "Cur-C8"
    assert alone["bridge"] is None


@pytest.mark.parametrize(
    ("count", "roles"), [(1, ["target"]), (2, ["target", "bridge"]), (3, ["target", "target", "bridge"])]
)
async def test_a_bridge_fits_from_two_problems_on(empty_world: ServerResources, count: int, roles: list[str]) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        wanted = {"student_id": "s1", "target_concept": "Cur-C7", "bridge_to_concept": "Cur-C8"}
        found = await call("generate_picket_problem", **wanted, count=len(roles))
    assert [one["role"] for one in found["problems"]] == roles
    assert ("다리 문제는 없습니다" in found["message"]) == ("bridge" not in roles)


async def test_fewer_problems_than_wanted_are_told(empty_world: ServerResources) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        one = await call("generate_picket_problem", student_id="s1", target_concept="Cur-C2", count=30)
        mixed = await call("generate_problem_set", student_id="s1", concepts=["Cur-C2"], count=30)
    for found in (one, mixed):
        assert f"30개 가운데 {len(found['problems'])}개만" in found["message"]


async def test_the_adjustment_makes_problems_harder(empty_world: ServerResources) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        loads = []
        for adjustment in (0, 0.5, 1):
            found = await call(
                "generate_picket_problem", student_id="new", target_concept="Cur-C8", difficulty_adjustment=adjustment
            )
            assert "기록이 없는" in found["message"]
            loads.append(sum(one["dna"]["difficulty"] for one in found["problems"]))
    assert loads == sorted(loads)
    assert loads[0] < loads[2]


@pytest.mark.parametrize("concept", [f"Cur-C{c}" for c in range(1, 16)] + [f"Cog-C{c}" for c in range(1, 7)])
async def test_every_concept_of_a_heatmap_has_problems(empty_world: ServerResources, concept: str) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        found = await call(
            "generate_picket_problem", student_id="new", target_concept=concept, difficulty_adjustment=0.1
        )
    assert len(found["problems"]) == 5


async def test_a_set_gives_the_weaker_concept_more(world: ServerResources) -> None:
    async with calling(gen_node.build(world)) as call:
        found = await call("generate_problem_set", student_id="s1", concepts=["Cur-C1", "Cur-C8", "구구단"], count=10)
        told = await call("generate_problem_set", student_id="s1", concepts=["Cur-C7"], count=4, word_problems=True)
    assert len(found["problems"]) == 10
    assert {one["dna"]["concepts"][0] for one in found["problems"]} == {"Cur-C1", "Cur-C8", "Cur-C13"}
    assert [one["dna"]["problem_type"] for one in told["problems"]] == ["서술형"] * 4


async def test_concepts_that_share_problems_do_not_repeat_them(empty_world: ServerResources) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        found = await call("generate_problem_set", student_id="new", concepts=["Cog-C5", "자릿값", "Cur-C8"], count=12)
        few = await call("generate_problem_set", student_id="new", concepts=["Cur-C1", "Cur-C8", "Cur-C13"], count=2)
    assert len({one["expression"] for one in found["problems"]}) == 12
    assert len(few["problems"]) == 2


@pytest.mark.parametrize(
    ("problem", "valid", "fields"),
    [
        ({"expression": "28+15", "answer": 43}, True, []),
        ({"expression": "28+15", "answer": 13}, False, ["answer"]),
        ({"expression": "15-28"}, False, ["expression"]),
        ({"expression": "1000+5"}, False, ["expression"]),
        ({}, False, ["expression"]),
        ({"problem_id": "P-99999"}, False, ["problem_id"]),
        ({"problem_id": "P-00847", "expression": "1+1"}, False, ["problem_id"]),
        ({"problem_id": "P-00847", "expression": "9+66"}, True, []),
        ({"problem_id": "my-own-1", "expression": "9+66"}, True, []),
        ({"problem_id": "P-00001", "answer": 2, "dna": {"ignored": True}}, True, []),
        ({"expression": "7×8", "question": "7상자에 8개씩 모두 몇 개인가요?"}, True, []),
        ({"expression": "7×8", "question": "7상자에 모두 56개 있습니다."}, False, ["question"] * 3),
        ({"expression": "7×7", "question": "7상자에 사탕이 있습니다. 몇 개인가요?"}, False, ["question"]),
    ],
)
async def test_checking(empty_world: ServerResources, problem: dict[str, Any], valid: bool, fields: list[str]) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        found = await call("validate_problem", problem=problem)
    assert found["valid"] is valid
    assert [fault["field"] for fault in found["errors"]] == fields


async def test_what_is_made_is_valid(world: ServerResources) -> None:
    async with calling(gen_node.build(world)) as call:
        made = await call(
            "generate_problem_set", student_id="s1", concepts=["Cur-C8", "Cur-C14"], count=6, word_problems=True
        )
        for one in made["problems"]:
            assert (await call("validate_problem", problem=one))["errors"] == []


async def test_bad_arguments_are_named(empty_world: ServerResources) -> None:
    async with calling(gen_node.build(empty_world)) as call:
        with pytest.raises(Refused, match="bridge_to_concept: '도형'"):
            await call("generate_picket_problem", student_id="s1", target_concept="Cur-C1", bridge_to_concept="도형")
        with pytest.raises(Refused, match="count"):
            await call("generate_picket_problem", student_id="s1", target_concept="Cur-C1", count=0)

import re
from typing import Final

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.knowledge.knowledge import Evidence
from maththera.servers import q_dna
from maththera.servers.toolkit.server_base import ServerResources
from tests.unit.servers.conftest import Refused, calling


async def test_word_problems_of_a_topic(empty_world: ServerResources) -> None:
    wanted = {"concepts": ["두 자리 수의 덧셈"], "difficulty": 3, "problem_type": "서술형"}
    async with calling(q_dna.build(empty_world)) as call:
        found = (await call("find_similar_dna_problems", target_dna=wanted, limit=10))["results"]
        told = await call("get_problem_dna", problem_id=found[0]["problem_id"])
    assert len({one["expression"] for one in found}) == 10
    assert len({one["problem_id"].split(":")[1] for one in found}) > 2, "stories of one kind only"
    for one in found:
        a, b = one["expression"].split("+")
        assert a in one["question"]
        assert b in one["question"]
        assert one["answer"] == int(a) + int(b)
        assert one["dna"]["concepts"] == ["Cur-C8", "Cog-C5"]
        assert one["dna"]["problem_type"] == "서술형"
        assert abs(one["dna"]["difficulty"] - 3) < 1
    assert (told["question"], told["answer"]) == (found[0]["question"], found[0]["answer"])


@pytest.mark.parametrize(
    ("kind", "fits"),
    [
        ("가로셈", lambda one: "□" in one["question"] and one["question"].endswith("=□")),
        ("세로셈", lambda one: one["question"].endswith("=□")),
        ("빈칸", lambda one: "+□=" in one["question"]),
        (None, lambda one: "□" in one["question"]),
    ],
)
async def test_every_type_of_problem(empty_world: ServerResources, kind: str | None, fits: object) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        found = await call(
            "find_similar_dna_problems", target_dna={"concepts": ["Cur-C2"], "problem_type": kind}, limit=5
        )
    assert len(found["results"]) == 5
    assert all(fits(one) for one in found["results"])  # type: ignore[operator]


async def test_several_concepts_take_turns(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        found = await call("find_similar_dna_problems", target_dna={"concepts": ["Cur-C7", "구구단"]}, limit=4)
    assert [one["dna"]["concepts"][0] for one in found["results"]] == ["Cur-C7", "Cur-C13"] * 2


async def test_a_type_that_a_concept_does_not_have_is_explained(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        found = await call("find_similar_dna_problems", target_dna={"concepts": ["Cur-C8"], "problem_type": "빈칸"})
        few = await call(
            "find_similar_dna_problems", target_dna={"concepts": ["Cur-C2"], "problem_type": "계산"}, limit=9
        )
    assert found["results"] == []
    assert "빈칸" in found["message"]
    assert few["message"] == f"이런 문제는 {len(few['results'])}개뿐입니다."


async def test_the_dna_foresees_the_mistakes(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        found = await call("get_problem_dna", problem_id="X:28+15:h")
    by_answer = {one["answer"]: one for one in found["mistakes"]}
    assert by_answer[13]["cause_tags"] == ["SPATIAL_L4_PLACE_VALUE"]
    assert found["dna"]["w_total"] == 7.0 == sum(found["w_scores"].values())


@pytest.mark.parametrize("bad", ["P-99999", "W:add-more:X:0+5:h", "W:nothing:P-00001", "X:1/0:h", "드롭"])
async def test_no_such_problem(empty_world: ServerResources, bad: str) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        with pytest.raises(Refused, match=re.escape(f"problem_id: '{bad}'")):
            await call("get_problem_dna", problem_id=bad)


async def test_bad_dna_is_named(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        with pytest.raises(Refused, match=r"target_dna\.concepts"):
            await call("find_similar_dna_problems", target_dna={"concepts": []})
        with pytest.raises(Refused, match=r"target_dna\.concepts: '분수'"):
            await call("find_similar_dna_problems", target_dna={"concepts": ["분수"]})


async def test_mastery_rests_on_the_answers(world: ServerResources, empty_world: ServerResources) -> None:
    async with calling(q_dna.build(world)) as call:
        found = (await call("estimate_mastery", student_id="s1"))["concepts"]
        nobody = await call("estimate_mastery", student_id="nobody")
    said = [Evidence(*entry) for a in await world.history.answers("s1") for entry in a.evidence or ()]
    counted = sum(one["evidence"]["answers"] for one in found if one["concept_id"].startswith("Cur"))
    assert counted == sum(one.first_try for one in said) > 0
    assert {one["status"] for one in found} <= {"mastered", "expected", "learning", "unsure"}
    assert nobody["concepts"] == []
    assert nobody["message"]


async def test_conditions_on_tasks_are_kept(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        plain = await call(
            "find_similar_dna_problems", target_dna={"concepts": ["두 자리 수의 덧셈"], "carries": False}
        )
        sevens = await call("find_similar_dna_problems", target_dna={"concepts": ["곱셈구구"], "tables": [7]})
        none = await call("find_similar_dna_problems", target_dna={"concepts": ["두 자리 수의 덧셈"], "tables": [7]})
    assert plain["results"]
    for one in plain["results"]:
        a, b = map(int, one["expression"].split("+"))
        assert a % 10 + b % 10 < 10
    assert sevens["results"]
    assert all("7" in re.split("[x×÷/]", one["expression"]) for one in sevens["results"])
    assert (none["results"], none["message"]) == ([], "이 조건에 맞는 문제가 없습니다.")


LIKE: Final = {
    "28+15": "Cur-C8", "47+6": "Cur-C8", "8+7": "Cur-C7", "345+278": "Cur-C11", "52-38": "Cur-C10", "43-21": "Cur-C10",
    "300-145": "Cur-C12", "7x8": "Cur-C13", "24x3": "Cur-C15", "56/7": "Cur-C14",
}  # fmt: skip


@pytest.mark.parametrize(("like", "concept"), LIKE.items())
async def test_problems_like_another_have_its_operation_digits_and_carries(
    empty_world: ServerResources, like: str, concept: str
) -> None:
    shown = make_problem(*parse_expression(like))
    async with calling(q_dna.build(empty_world)) as call:
        found = (await call("find_similar_dna_problems", target_dna={"concepts": [concept], "like": like}))["results"]
    assert len(found) == 10
    for one in found:
        alike = make_problem(*parse_expression(one["expression"]))
        assert (alike.op, bool(alike.carries)) == (shown.op, bool(shown.carries))
        assert sorted(len(str(each)) for each in (alike.a, alike.b)) == sorted(
            len(str(each)) for each in (shown.a, shown.b)
        )
        assert alike.key != shown.key
        if shown.op in "+-":
            assert alike.carries == shown.carries


async def test_what_no_problem_is_like_is_said(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        found = await call("find_similar_dna_problems", target_dna={"concepts": ["Cur-C11"], "like": "1234+5678"})
        with pytest.raises(Refused, match="식을 읽지 못했습니다"):
            await call("find_similar_dna_problems", target_dna={"concepts": ["Cur-C11"], "like": "이것"})
    assert found["results"] == []
    assert "1234+5678" in found["message"]

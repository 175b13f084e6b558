"""What a tool says of arguments that do not fit."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from maththera.servers import q_dna, school_info
from maththera.servers.toolkit.argument_errors import argument_error_text, unsendable_arguments
from maththera.servers.toolkit.server_base import ServerResources
from tests.unit.servers.conftest import Refused, calling


@pytest.mark.parametrize(
    ("tool", "arguments", "lines"),
    [
        ("query_school_info", {"question": "", "year": 1}, ["question: 1자 이상이어야 합니다.",
                                                            "school_code: 꼭 필요합니다.",
                                                            "year: 2000 이상이어야 합니다."]),
        ("search_schools", {"naem": "가"}, ["naem: 이 도구에 없는 인수입니다. 있는 인수: name, region."]),
        ("search_school", {}, ["search_school: 이 서버에 없는 도구입니다. "
                               "있는 도구: query_school_info, get_school_metadata, search_schools."]),
        ("get_school_metadata", {"school_code": "B99"}, ["school_code: 'B99'라는 학교는 등록되어 있지 않습니다. "
                                                         "search_schools로 찾아보세요."]),
    ],
)  # fmt: skip
async def test_each_argument_is_named(
    empty_world: ServerResources, tool: str, arguments: dict[str, Any], lines: list[str]
) -> None:
    async with calling(school_info.build(empty_world)) as call:
        with pytest.raises(Refused) as refused:
            await call(tool, **arguments)
    assert str(refused.value).splitlines() == lines


@pytest.mark.parametrize("value", [10**30, "a\0b", {"deep": [2**63]}])
async def test_what_cannot_be_carried_is_refused_as_by_the_client(empty_world: ServerResources, value: Any) -> None:
    said = "question, year: 쓸 수 없는 글자(NUL)나 너무 긴 수가 들어 있습니다."
    arguments = {"question": value, "school_code": "B99", "year": value}
    async with calling(school_info.build(empty_world)) as call:
        with pytest.raises(Refused) as refused:
            await call("query_school_info", **arguments)
    assert str(refused.value) == unsendable_arguments(arguments) == said


async def test_a_field_inside_is_named_with_its_way(empty_world: ServerResources) -> None:
    async with calling(q_dna.build(empty_world)) as call:
        with pytest.raises(Refused, match=r"^target_dna\.difficulty: 5 이하여야 합니다\.$"):
            await call("find_similar_dna_problems", target_dna={"concepts": ["덧셈"], "difficulty": 9})


def test_what_has_no_words_here_keeps_the_librarys_own() -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(list[bytes]).validate_python([1] * 7)
    assert argument_error_text(refused.value).splitlines()[0] == "[0]: Input should be a valid bytes."
    assert argument_error_text(refused.value).splitlines()[-1] == "그 밖에 2가지가 더 맞지 않습니다."

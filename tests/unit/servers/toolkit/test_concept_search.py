import pytest

from maththera.learner_model.concept_graph import load_concepts
from maththera.servers.toolkit.concept_search import ConceptSearch
from maththera.settings import home

SEARCH = ConceptSearch(load_concepts(home() / "configs" / "learner_model" / "concepts.yaml"))


@pytest.mark.parametrize(
    ("text", "concept_id"),
    [
        ("Cur-C7", "Cur-C7"),
        ("cur-c7", "Cur-C7"),
        ("CogC4", "Cog-C4"),
        ("두 자리 수의 덧셈", "Cur-C8"),
        ("두자리수 덧셈", "Cur-C8"),
        ("받아올림이 있는 두 자리 덧셈 단원", "Cur-C8"),
        ("받아내림이 있는 두자리수의 뺄셈", "Cur-C10"),
        ("세자리 뺄셈", "Cur-C12"),
        ("구구단을 외우기", "Cur-C13"),
        ("나눗셈 단원", "Cur-C14"),
        ("똑같이 나누기", "Cur-C14"),
        ("가르고 모으기", "Cog-C3"),
        ("자리값", "Cog-C5"),
        ("10 만들기", "Cog-C4"),
        ("덧셈과 뺄셈의 관계", "Cog-C6"),
    ],
)
def test_free_text_finds_its_concept(text: str, concept_id: str) -> None:
    found = SEARCH.find(text)
    assert found is not None
    assert found.concept_id == concept_id
    assert 0.45 <= found.certainty <= 1


@pytest.mark.parametrize(
    "text", ["분수", "분수의 덧셈", "소수", "도형", "시계 보기", "길이 재기", "Cur-C16", "Cog-C7", "!!", " "]
)
def test_what_is_no_concept_is_a_miss(text: str) -> None:
    assert SEARCH.find(text) is None


def test_a_broad_word_is_less_sure_than_a_name() -> None:
    broad, name = SEARCH.find("덧셈"), SEARCH.find("두 자리 덧셈")
    assert broad is not None
    assert name is not None
    assert broad.certainty < name.certainty == 1


def test_the_nearest_are_ranked() -> None:
    near = SEARCH.nearest("분수의 덧셈", 3)
    assert len(near) == 3
    assert [one.certainty for one in near] == sorted((one.certainty for one in near), reverse=True)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.llm.token_estimate import estimate_tokens


@pytest.mark.parametrize(
    ("text", "published"),
    [
        # Counts published with the release of GPT-4o, for cl100k, the vocabulary that needs more.
        (
            "안녕하세요, 제 이름은 GPT-4o입니다. 저는 새로운 유형의 언어 모델입니다, 만나서 반갑습니다!",
            45,
        ),
        ("Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!", 27),
        # A published comparison of Korean and English, o200k.
        ("토큰 사용량을 줄이려고 에이전트 루프를 다시 짰다.", 20),
        ("I refactored the agent loop to cut token usage.", 12),
    ],
)
def test_it_errs_upwards_but_less_than_twofold(text: str, published: int) -> None:
    assert published <= estimate_tokens(text) < 2 * published


def test_single_spaces_are_free_and_line_breaks_are_not() -> None:
    assert estimate_tokens("a b") == 2
    assert estimate_tokens("a\n\nb") == 3
    assert estimate_tokens("a    b") == 3


@given(st.text(), st.text())
def test_it_counts_every_character_and_never_more_than_bytes(left: str, right: str) -> None:
    both = estimate_tokens(f"{left}\n{right}")
    assert both >= max(estimate_tokens(left.rstrip()), estimate_tokens(right.lstrip()))
    assert both <= len(f"{left}\n{right}".encode(errors="replace"))

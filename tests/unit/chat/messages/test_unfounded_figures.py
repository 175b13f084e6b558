"""Figures that nobody has counted are no facts."""

import pytest

from maththera.chat.messages.unfounded_figures import claims_unknown_figure, known_figures

KNOWN = known_figures([{"right": 12, "share": 80}], ["어제 7문제 했어요"])


@pytest.mark.parametrize(
    "text",
    [
        "지금까지 999문제를 풀었어.",
        "이번 주에 31문제를 맞혔어요.",
        "정답률은 95%예요.",
        "틀린 문제가 14문제 있습니다.",
        "좋아요. 그리고 5일 동안 빠짐없이 공부했습니다.",
        "아이들의 20퍼센트가 여기서 헷갈려요.",
    ],
)
def test_a_figure_that_no_fact_gave(text: str) -> None:
    assert claims_unknown_figure(text, KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "지금까지 12문제를 맞혔어요.",
        "정답률은 80%예요.",
        "어제 7문제를 하셨네요.",
        "하루에 10문제씩 함께 해 보세요.",
        "3번 정도 되풀이하면 좋아요.",
        "8+7에서 8에 2를 더하면 10이 됐어요.",
    ],
)
def test_facts_advice_and_calculations(text: str) -> None:
    assert not claims_unknown_figure(text, KNOWN)

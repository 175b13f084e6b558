"""What a model is given of a long conversation."""

from typing import Final

from maththera.chat.config import HistoryLimits
from maththera.chat.messages.conversation_history import split_by_budget, summary_by_rules
from maththera.chat.state import Utterance

LIMITS: Final = HistoryLimits(tokens=60, messages=40, summary_characters=40, message_characters=8)


def turns(*texts: str) -> list[Utterance]:
    return [Utterance(role="assistant" if place % 2 else "user", text=text) for place, text in enumerate(texts)]


def test_what_fits_stays() -> None:
    history = turns("안녕", "안녕!", "뭐 해?", "공부해.")
    assert split_by_budget(history, LIMITS) == ([], history)
    assert split_by_budget([], LIMITS) == ([], [])


def test_the_newest_stay_and_a_question_goes_with_its_answer() -> None:
    history = turns("가" * 40, "나", "다", "라", "마", "바")
    dropped, kept = split_by_budget(history, LIMITS)
    assert dropped == history[:2]
    assert kept == history[2:]


def test_a_turn_larger_than_the_budget_goes_whole() -> None:
    history = turns("안녕", "가" * 4000)
    assert split_by_budget(history, LIMITS) == (history, [])


def test_a_summary_has_the_beginnings() -> None:
    assert (
        summary_by_rules("", turns("약점이 뭐야?", "받아올림이\n있는 덧셈이야."), LIMITS)
        == "물음: 약점이 뭐야?\n답: 받아올림이 있는…"
    )


def test_the_oldest_of_a_summary_goes_first() -> None:
    summary = ""
    for number in range(9):
        summary = summary_by_rules(summary, turns(f"{number}번 물음", f"{number}번 답"), LIMITS)
        assert len(summary) <= LIMITS.summary_characters
    assert summary.endswith("물음: 8번 물음\n답: 8번 답")
    assert "0번" not in summary

"""What is said where nothing of a message is understood."""

from maththera.chat.adults.not_understood import Near, met, near_questions

GAMES = Near("수학에 도움이 되는 놀이가 있나요?", "카드놀이가 좋아요.", 0.04)
FAR = Near("계산기를 써도 되나요?", "네, 쓰셔도 돼요.", 0.01)


def test_the_nearest_answer_is_told_with_how_the_message_was_taken() -> None:
    said = near_questions("놀 거리 좀", [GAMES, FAR])
    assert said.startswith(f"'{GAMES.ask}'라는 말씀이라면 이래요.\n{GAMES.text}")
    assert FAR.text not in said


def test_what_is_not_near_enough_is_only_offered() -> None:
    said = near_questions("그거", [FAR])
    assert FAR.ask in said
    assert FAR.text not in said


def test_a_worry_is_met_first() -> None:
    assert near_questions("이러다 큰일 날까 걱정이에요", [GAMES]).startswith("걱정되시죠.")


def test_a_feeling_without_a_question_is_only_met() -> None:
    assert met("요즘 정말 답답하네요").startswith("답답하셨겠어요.")
    assert met("답답한데 뭘 하면 될까요?") == ""
    assert met("오늘은 문제를 풀었어요") == ""

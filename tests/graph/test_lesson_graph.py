"""The drawn lesson: who may follow whom, who writes what, and how the stages pass."""

import re
from typing import Any

import pytest

from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.courses.course import Subjective
from maththera.lessons.graph import build
from maththera.lessons.state import AGENT_NAMES, DRAFTS, WRITES, TutorState
from maththera.settings import home
from maththera.words.output_gate.text_gate import load_gate
from tests.support.graded import content as shipped_content
from tests.support.lessons import Play, chapter, content, question_of, right, wrong
from tests.support.words import safety


@pytest.fixture
async def play() -> Play:
    found = Play()
    await found.begin()
    return found


def test_the_drawing_has_the_edges_of_the_design_and_no_others() -> None:
    writer = DraftWriter(None, content().config.models, load_gate(home()))
    graph = build(content(), safety(None), writer).compile().get_graph()
    edges = {(edge.source, edge.target) for edge in graph.edges}
    agents = set(AGENT_NAMES)
    assert {pair for pair in edges if set(pair) <= agents} == {
        ("session_manager", "learning_supervisor"),
        ("learning_supervisor", "theory_educator"),
        ("learning_supervisor", "quiz_generator"),
        ("learning_supervisor", "evaluation_feedback_agent"),
        ("learning_supervisor", "qna_resolver"),
        ("learning_supervisor", "session_manager"),
        ("theory_educator", "learning_supervisor"),
        ("quiz_generator", "learning_supervisor"),
        ("evaluation_feedback_agent", "learning_supervisor"),
        ("qna_resolver", "learning_supervisor"),
    }
    assert {target for source, target in edges if source == "conversation_record"} == {"learner", "__end__"}


def test_the_state_has_the_fields_of_the_design() -> None:
    assert list(TutorState.__annotations__) == [
        "user_id", "user_type", "current_chapter", "current_agent", "session_progress_stage", "ui_mode",
        "current_question_type", "current_question_number", "current_question_content", "current_question_answer",
        "is_answer_correct", "evaluation_feedback", "hint_usage_count", "theory_draft", "quiz_draft",
        "feedback_draft", "qna_draft", "previous_agent", "session_decision_result", "current_session_count",
        "session_start_time", "current_session_conversations", "recent_sessions_summary",
    ]  # fmt: skip


async def test_each_agent_writes_only_the_fields_that_are_its_own() -> None:
    written: dict[str, set[str]] = {}
    for user_type in ("beginner", "advanced"):
        play = Play(user_type)
        await play.begin()
        await play.send("수직선이 뭐야?", "배고파")
        for well in (False, False, True):
            await play.send("시작", "왜 0부터 세지 않아?", "먼소린지 모르겠어", "다른 예 보여 줘", "999")
            await play.listen()
            await play.send("다음", {"kind": "hint", "text": ""}, "정답이 뭐야?")
            await play.answer(well=well)
            await play.send("왜?", "다음")
        for node, update in play.updates:
            written.setdefault(node, set()).update(update)
    shown = set(TutorState.__annotations__)
    for agent in AGENT_NAMES:
        assert written[agent] & shown <= WRITES[agent], agent


async def test_a_session_passes_through_its_stages(play: Play) -> None:
    state = await play.send("시작")
    assert (state["session_progress_stage"], state["previous_agent"]) == ("session_start", "theory_educator")
    assert chapter().explanation.beginner[0].text.strip() in play.text()
    while state["session_progress_stage"] == "session_start":
        state = await play.send("다음")
    assert (state["session_progress_stage"], state["previous_agent"]) == ("theory_completed", "theory_educator")
    state = await play.send("다음")
    assert (state["session_progress_stage"], state["ui_mode"]) == ("theory_completed", "quiz")
    assert state["current_question_content"] == play.text()
    state = await play.answer(well=True)
    assert (state["session_progress_stage"], state["ui_mode"]) == ("quiz_and_feedback_completed", "chat")
    assert state["evaluation_feedback"]
    assert play.text().startswith(state["evaluation_feedback"])
    state = await play.send("다음")
    assert (state["session_progress_stage"], state["current_chapter"]) == ("session_start", 1)
    assert (state["current_session_count"], state["session_decision_result"]) == (2, "retry")
    state = await play.session(well=True)
    assert (state["current_chapter"], state["session_decision_result"]) == (2, "proceed")
    assert (state["current_session_count"], state["current_question_number"]) == (1, 0)
    assert all(state[draft] == "" for draft in DRAFTS)


async def test_only_the_supervisor_speaks_and_it_clears_the_draft_that_it_used(play: Play) -> None:
    await play.listen()
    state = await play.send("다음", "수직선이 뭐야?")
    state = await play.answer(well=False)
    said = state["current_session_conversations"]
    assert {one["agent_name"] for one in said if one["message_type"] == "system"} == {"learning_supervisor"}
    assert {one["agent_name"] for one in said if one["message_type"] == "user"} == {"learner"}
    assert {one["agent_name"] for one in said if one["message_type"] == "tool"} == {
        "theory_educator", "quiz_generator", "qna_resolver", "evaluation_feedback_agent",
    }  # fmt: skip
    for draft in DRAFTS:
        values = [update[draft] for _, update in play.updates if draft in update]
        assert values[-1] == ""
        assert any(values)


@pytest.mark.parametrize("stage", ["session_start", "theory_completed", "quiz_and_feedback_completed"])
async def test_a_question_is_answered_at_each_stage_and_leaves_it_as_it_is(play: Play, stage: str) -> None:
    if stage != "session_start":
        await play.listen()
    if stage == "quiz_and_feedback_completed":
        await play.send("다음")
        await play.answer(well=True)
    state = await play.send("수직선이 뭐야?")
    assert (state["session_progress_stage"], state["previous_agent"]) == (stage, "qna_resolver")
    assert "한 줄에 세워 놓은 선" in play.text()


@pytest.mark.parametrize("message", ["왜 2를 더해?", "왜 10으로 채워?", "8+2는 왜 해?", "왜 갈라?", "왜 그래?"])
async def test_a_question_about_an_open_check_is_answered_by_its_step_and_the_check_waits(message: str) -> None:
    play = Play(held=shipped_content(), chapter=7)
    await play.begin()
    before = await play.send("시작")
    check, picture = play.shown("check"), play.shown("picture")
    assert check["ask"] == "8+□=10"
    state = await play.send(message)
    assert "9+5" not in play.text()
    assert "8+6" in play.text() or "10을 먼저" in play.text(), play.text()
    assert (play.shown("check"), play.shown("picture"), state["telling"]) == (check, picture, before["telling"])
    shown = [one["shown"] for one in state["current_session_conversations"] if "shown" in one][-1]
    assert shown["check"] == check, "it is there after a reload, too"
    await play.send({"kind": "answer", "text": "2"})
    assert play.shown("check")["turn"] == 2


@pytest.mark.parametrize("message", ["응", "ㅁㄴㅇㄹ", "안녕", "우리 집 전화번호는 010-1234-5678이야"])
async def test_a_check_waits_behind_whatever_is_no_answer(message: str) -> None:
    play = Play(held=shipped_content(), chapter=7)
    await play.begin()
    await play.send("시작")
    check = play.shown("check")
    await play.send(message)
    assert play.shown("check") == check


async def test_a_picture_of_other_numbers_is_none_of_the_open_check() -> None:
    play = Play(held=shipped_content(), chapter=7)
    await play.begin()
    await play.send("시작")
    assert play.shown("check")["drawn"]
    await play.send("13+4 풀어 줘")
    assert play.shown("picture")["shown"] == [13, 4]
    assert not play.shown("check")["drawn"]


async def test_a_hint_to_a_step_has_the_numbers_of_the_step() -> None:
    play = Play(held=shipped_content(), chapter=7)
    await play.begin()
    await play.send("시작")
    for step, hint in (("2", "8 다음 수부터 10까지"), ("4", "점 6개를 그리고 2개를"), ("14", "10 다음 수부터 4개")):
        await play.send({"kind": "answer", "text": "9"})
        assert hint in play.text()
        await play.send({"kind": "answer", "text": step})


@pytest.mark.parametrize("number", range(1, 16))
async def test_a_lesson_opens_in_a_childs_words_and_names_only_the_buttons_that_are_there(number: int) -> None:
    play = Play(held=shipped_content(), chapter=number)
    await play.begin()
    assert not re.search("받아올림|받아내림|덧셈|뺄셈|장 '", play.text()), play.text()
    named = set(re.findall("'(다음|시작|힌트|물어볼래|모르겠어|넘어갈래)'", play.text()))
    assert named == {"다음"}


async def test_a_question_during_the_quiz_is_answered_without_giving_the_key_away(play: Play) -> None:
    state = await play.to_question()
    question = chapter().question(state["current_question_number"])
    for asks in ("정답이 뭐야?", f"{question.question} 알려 줘", "수직선이 뭐야?", "하나 더 적은 수는 어떻게 찾아?"):
        state = await play.send(asks)
        assert (state["ui_mode"], state["previous_agent"]) == ("quiz", "qna_resolver")
        assert question.key.text not in play.text().replace("①②③④", "")  # type: ignore[union-attr]
    state = await play.answer(well=True)
    assert state["is_answer_correct"] == 1


async def test_hints_are_two_and_counted(play: Play) -> None:
    state = await play.to_question()
    question = chapter().question(state["current_question_number"])
    for used, hint in enumerate(question.hints, start=1):
        state = await play.send("힌트 줘")
        assert hint in play.text()
        assert state["hint_usage_count"] == used
    state = await play.send("힌트")
    assert (state["hint_usage_count"], state["ui_mode"]) == (2, "quiz")
    assert not any(hint in play.text() for hint in question.hints)
    assert state["current_question_content"].startswith("문제야.")


async def test_who_fails_tries_again_and_after_three_sessions_goes_on(play: Play) -> None:
    seen, asked = [], []
    for _ in range(3):
        asked.append((await play.to_question())["current_question_number"])
        await play.answer(well=False)
        state = await play.send("다음")
        seen.append((state["session_decision_result"], state["current_chapter"], state["current_session_count"]))
    assert seen == [("retry", 1, 2), ("retry", 1, 3), ("proceed", 2, 1)]
    assert len(set(asked)) == 3, "another question each time"
    assert [one.session_count for one in play.saved] == [1, 2, 3]
    assert [one.decision for one in play.saved] == ["retry", "retry", "forced"]


async def test_what_was_stumbled_over_is_all_that_comes_again_and_in_another_way(play: Play) -> None:
    number = (await play.to_question())["current_question_number"]
    await play.answer(well=False)
    await play.send("다음", "시작")
    pointed = chapter().question(number).paragraphs
    again = [one for one in chapter().explanation.beginner if one.id in pointed]
    assert again[0].again.strip() in play.text()
    state = await play.send(*["다음"] * len(again))
    assert state["session_progress_stage"] == "theory_completed"


async def test_the_explanation_is_told_in_two_halves(play: Play) -> None:
    told = []
    for _ in range(2):
        await play.listen()
        told.append({one for node, update in play.updates if node == "theory_educator" for one in _paragraphs(update)})
        play.updates.clear()
        await play.send("다음")
        await play.answer(well=True)
        await play.send("다음")
    first, second = told
    assert first.isdisjoint(second)
    assert first | second == {one.id for one in chapter().explanation.beginner}


def _paragraphs(update: dict[str, Any]) -> list[str]:
    """Those that a note of the educator names."""
    return [text.split(": ")[1].split(";")[0] for text in [one["text"] for one in update["notes"]]]


async def test_a_check_that_is_missed_is_shown_in_another_way_and_then_told(play: Play) -> None:
    await play.send("시작")
    first = chapter().explanation.beginner[0]
    assert first.check is not None
    assert play.shown("check")["ask"] == first.check.ask
    assert play.shown("picture")["mode"] == "ten_frame"
    state = await play.send("99")
    assert (state["session_progress_stage"], state["telling"]["turn"]) == ("session_start", 0)
    assert first.again.splitlines()[0] in play.text()
    assert play.shown("picture")["mode"] == "number_line"
    assert f"답은 {first.check.key}" not in play.text()
    state = await play.send("98")
    assert state["telling"] == {"turn": 1, "helps": 0, "missed": [first.id]}
    assert f"답은 {first.check.key}" in play.text()


async def test_a_right_reply_to_a_check_goes_on_and_a_question_leaves_it_open(play: Play) -> None:
    await play.send("시작")
    first = chapter().explanation.beginner[0]
    assert first.check is not None
    state = await play.send("수직선이 뭐야?")
    assert (state["telling"]["turn"], state["previous_agent"]) == (0, "qna_resolver")
    assert first.check.ask in play.text()
    state = await play.send({"kind": "answer", "text": str(first.check.key)})
    assert state["telling"] == {"turn": 1, "helps": 0, "missed": []}
    assert any(praise in play.text() for praise in content().config.words["casual"].check_right)


async def test_a_wrong_first_try_has_another_before_the_key_is_told(play: Play) -> None:
    number = (await play.to_question())["current_question_number"]
    question = question_of(number)
    state = await play.send({"kind": "answer", "text": wrong(question)})
    assert (state["ui_mode"], state["session_progress_stage"]) == ("quiz", "theory_completed")
    assert right(question) not in play.text()
    assert play.shown("evaluation")["step"] == "try"
    state = await play.send({"kind": "answer", "text": right(question)})
    assert (state["ui_mode"], state["session_progress_stage"]) == ("chat", "quiz_and_feedback_completed")
    assert "이번에는 맞았어" in play.text()
    assert state["is_answer_correct"] == 0, "the first try counts"
    assert state["current_question_answer"] == f"{wrong(question)}\n{right(question)}"


async def test_five_summaries_are_kept_and_the_course_comes_to_its_end() -> None:
    play = Play("beginner")
    await play.begin()
    for well in (False, False, True, True, True, True, False, True):
        state = await play.session(well=well)
    assert len(state["recent_sessions_summary"]) == 5
    assert state["recent_sessions_summary"][-1]["session_id"] == play.saved[-1].session_id
    assert all(isinstance(value, str) for one in state["recent_sessions_summary"] for value in one.values())
    assert state["finished"]
    assert "마지막 장" in play.text()


async def test_the_kind_of_user_decides_explanation_questions_and_feedback() -> None:
    told = {}
    for user_type in ("beginner", "advanced"):
        play = Play(user_type)
        await play.begin()
        await play.send("시작")
        theory = play.text()
        state = await play.listen()
        state = await play.send("다음")
        await play.answer(well=True)
        told[user_type] = (theory, state["current_question_number"], play.text())
        question = chapter().question(state["current_question_number"])
        assert user_type in question.user_types
        assert (question.deeper in play.text()) == (user_type == "advanced") or not question.deeper
    assert told["beginner"][0] != told["advanced"][0]


async def test_an_answer_nobody_can_read_is_asked_for_again_and_not_judged(play: Play) -> None:
    await play.to_question()
    state = await play.send({"kind": "answer", "text": "어떤 구름"})
    assert (state["ui_mode"], state["current_question_answer"]) == ("quiz", "")
    assert "하나를 골라" in play.text()


@pytest.mark.parametrize("said", ["3번인가 2번인가 헷갈려요", "1번이야 2번이야?"])
async def test_who_wavers_between_choices_is_asked_to_take_one(play: Play, said: str) -> None:
    await play.listen()
    state = await play.send("다음", said)
    assert (state["ui_mode"], state["current_question_answer"]) == ("quiz", "")
    assert "하나를 골라 줘" in play.text()
    assert "힌트" in play.text()


@pytest.fixture
async def in_sentences() -> tuple[Play, Subjective]:
    """The second session of an advanced learner, whose question waits for an answer in sentences."""
    play = Play("advanced")
    await play.begin()
    await play.session(well=True)
    question = question_of((await play.to_question())["current_question_number"])
    assert isinstance(question, Subjective)
    return play, question


@pytest.mark.parametrize("said", ["네", "다음", "응응!", "그만할래", "음... 잠깐만", "안녕하세요"])
async def test_what_is_no_try_at_a_sentence_is_not_judged(in_sentences: tuple[Play, Subjective], said: str) -> None:
    """Sent twice, or behind the question's back."""
    play, question = in_sentences
    state = await play.send(said)
    assert (state["ui_mode"], state["current_question_answer"]) == ("quiz", "")
    how = content().config.words["casual"].how[question.task.form]
    assert any(words in play.text() for words in (how, "여기서 이어서", "천천히 생각해도", "반가워"))
    state = await play.send(right(question))
    assert state["is_answer_correct"] == 100


async def test_an_explanation_that_gives_its_reason_is_no_question(in_sentences: tuple[Play, Subjective]) -> None:
    play, question = in_sentences
    state = await play.send(right(question), f"{question.model_answer} 왜냐하면 차이가 나니까요")
    assert (state["is_answer_correct"], state["previous_agent"]) == (100, "evaluation_feedback_agent")


async def test_without_a_model_an_explanation_earns_nothing_either(in_sentences: tuple[Play, Subjective]) -> None:
    play, question = in_sentences
    state = await play.send(wrong(question), wrong(question), question.model_answer)
    assert (state["is_answer_correct"], state["question_open"]) == (0, False)


async def test_a_question_that_holds_the_answer_is_still_one(in_sentences: tuple[Play, Subjective]) -> None:
    play, question = in_sentences
    state = await play.send(right(question), f"{question.model_answer} 왜 그래?")
    assert (state["ui_mode"], state["previous_agent"]) == ("quiz", "qna_resolver")


async def test_a_task_is_followed_by_its_explanation_within_the_same_stage(
    in_sentences: tuple[Play, Subjective],
) -> None:
    play, question = in_sentences
    state = await play.send(right(question))
    assert (state["session_progress_stage"], state["ui_mode"]) == ("theory_completed", "quiz")
    assert question.explain in play.text()
    assert f"“{question.begin} …”" in play.text().partition(question.explain)[2]
    assert "정답이야!" in play.text()
    state = await play.send(question.model_answer)
    assert (state["session_progress_stage"], state["ui_mode"]) == ("quiz_and_feedback_completed", "chat")
    assert state["current_question_answer"] == f"{right(question)}\n{question.model_answer}"
    assert "네 생각을 들려줘서 고마워" in play.text()
    assert "네 말로 잘 설명했어!" not in play.text()
    await play.send("다음")
    assert play.saved[-1].quiz.user_answer == f"{right(question)}\n{question.model_answer}"
    assert play.saved[-1].quiz.question_content.startswith(f"문제야. {question.question}")


@pytest.mark.parametrize("said", ["다음", "몰라", "", "파란 하늘에 구름이 떠 있어."])
async def test_an_explanation_never_lowers_what_the_task_earned(
    in_sentences: tuple[Play, Subjective], said: str
) -> None:
    play, question = in_sentences
    state = await play.send(right(question), {"kind": "answer", "text": said})
    assert (state["is_answer_correct"], state["question_open"]) == (100, False)
    assert "네 말로 잘 설명했어!" not in play.text()


async def test_a_hint_helps_with_the_explanation_too(in_sentences: tuple[Play, Subjective]) -> None:
    play, question = in_sentences
    state = await play.send(right(question), "힌트 줘")
    assert (state["ui_mode"], state["hint_usage_count"]) == ("quiz", 1)
    assert question.hints[0] in play.text()
    assert (await play.send(question.model_answer))["session_progress_stage"] == "quiz_and_feedback_completed"


@pytest.mark.parametrize(
    ("said", "reply"),
    [("안녕하세요", "반가워"), ("잠깐만요", "천천히 생각해도 돼"), ("힌트 주세요", "힌트는 문제를 풀 때 줄게")],
)
async def test_what_calls_for_no_agent_has_a_reply_of_its_own(play: Play, said: str, reply: str) -> None:
    await play.listen()
    state = await play.send(said)
    assert (state["session_progress_stage"], state["previous_agent"]) == ("theory_completed", "learning_supervisor")
    assert reply in play.text()


async def test_who_has_had_enough_may_rest_and_goes_on_where_they_were(play: Play) -> None:
    await play.listen()
    state = await play.send("이제 그만하고 싶어")
    assert state["session_progress_stage"] == "theory_completed"
    assert "여기서 이어서" in play.text()
    assert (await play.send("다음"))["ui_mode"] == "quiz"


@pytest.mark.parametrize("kind", ["answer", "message"])
@pytest.mark.parametrize("answer", ["잘 모르겠어", "몰라요!", "패스"])
async def test_not_knowing_is_asking_for_help_and_no_try(play: Play, answer: str, kind: str) -> None:
    question = question_of((await play.to_question())["current_question_number"])
    for hint in question.hints:
        state = await play.send({"kind": kind, "text": answer})
        assert (state["current_question_answer"], state["ui_mode"]) == ("", "quiz")
        assert hint in play.text()
    state = await play.send({"kind": kind, "text": answer})
    assert (state["is_answer_correct"], state["session_progress_stage"]) == (0, "quiz_and_feedback_completed")
    assert "고마워" in play.text()


@pytest.mark.parametrize("sent", [7, [], {"kind": "dance"}, {}])
async def test_what_studio_may_send_does_not_break_it(play: Play, sent: Any) -> None:
    state = await play.send(sent)
    assert state["session_progress_stage"] == "session_start"


async def test_a_completed_session_is_saved_as_it_was(play: Play) -> None:
    await play.send("수직선이 뭐야?")
    await play.to_question()
    state = await play.send({"kind": "hint", "text": "힌트"})
    number, content_ = state["current_question_number"], state["current_question_content"]
    state = await play.answer(well=True)
    feedback, talk = state["evaluation_feedback"], len(state["current_session_conversations"])
    await play.send("다음")
    (saved,) = play.saved
    assert saved.session_id.startswith("user1_ch1_session001_")
    assert (saved.quiz.question_number, saved.quiz.question_content) == (number, content_)
    assert (saved.quiz.is_correct, saved.quiz.hint_count, saved.quiz.feedback) == (1, 1, feedback)
    assert len(saved.conversations) == talk + 1
    assert set(saved.conversations[0]) == {"agent_name", "message", "timestamp", "message_type", "session_stage"}
    assert {one["session_stage"] for one in saved.conversations} == {
        "session_start", "theory_completed", "quiz_and_feedback_completed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "step"),
    [
        ("14-6은 어떻게 해?", "10에서 6을 빼. 10−6=4"),
        ("13-5가 뭐야?", "낱개를 더해. 5+3=8"),
        ("숙제 도와줘 23+48 어떻게 풀어?", "십의 자리를 모아. 20+40=60"),
    ],
)
async def test_a_calculation_is_explained_step_by_step(play: Play, asked: str, step: str) -> None:
    await play.send("시작")
    state = await play.send(asked)
    assert state["previous_agent"] == "qna_resolver"
    assert step in play.text()


@pytest.mark.parametrize(
    "vague", ["이해가 안 돼", "먼소린지 하나도 모르겟어", "모르겠어", "그림으로 보여줘", "더 쉽게 설명해줘"]
)
async def test_who_does_not_understand_is_shown_the_same_in_another_way(play: Play, vague: str) -> None:
    await play.send("시작")
    state = await play.send(vague)
    assert (state["session_progress_stage"], state["telling"]["turn"]) == ("session_start", 0)
    assert chapter().explanation.beginner[0].again.splitlines()[0] in play.text()
    assert play.shown("picture")["mode"] == "number_line"


@pytest.mark.parametrize("why", ["왜?", "왜 틀렸어?", "왜 그게 답이야?", "이 문제 다시 설명해 줘"])
async def test_a_bare_why_behind_the_feedback_is_answered_by_what_the_question_was_about(play: Play, why: str) -> None:
    state = await play.to_question()
    await play.answer(well=False)
    await play.send(why)
    pointed = chapter().question(state["current_question_number"]).paragraphs
    told = next(one for one in chapter().explanation.beginner if one.id in pointed)
    assert told.again.strip() in play.text()

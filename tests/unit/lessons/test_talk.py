"""What messages and answers mean, and what is answered to questions."""

import pytest

from maththera.lessons.agents import question_answers
from maththera.lessons.agents.draft_texts import answer_feedback, explanation_feedback, task_feedback
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import MultipleChoice, UserType
from maththera.lessons.courses.tasks import Cloze, solution
from maththera.lessons.explanation_turns import Outcome, session_paragraphs
from maththera.lessons.quiz import quiz_questions
from maththera.lessons.quiz.answer_grading import grade_answer
from maththera.lessons.quiz.message_intents import MessageIntent
from maththera.lessons.state import Evaluation
from maththera.settings import home
from tests.support.graded import graded
from tests.support.lessons import chapter, content, question_of, right, wrong

READER = content().reader
WORDS = content().config.words["casual"]
RULES = content().config.qna
CHOICE = chapter().multiple_choice[2]
"""Choices 3, 5, 1, 2; the key is 3."""


@pytest.mark.parametrize(
    ("message", "sense"),
    [
        ("응", "go_on"), ("  네!! ", "go_on"), ("다음", "go_on"), ("네, 이해했어요. 다음", "go_on"),
        ("다음 문제 주세요", "go_on"), ("응응 다음거", "go_on"), ("준비 됐어요", "go_on"), ("ㅇㅋ", "go_on"),
        ("Start!", "go_on"), ("궁금한 거 없어", "go_on"), ("알겠음 ㅋㅋ", "go_on"),
        ("왜?", "question"), ("수직선이 뭐야", "question"), ("네, 그런데 왜요?", "question"),
        ("이해가 안 돼", "simpler"), ("더 쉽게 말해줘", "simpler"), ("그림으로 보여주면 안대?", "simpler"),
        ("먼소린지 하나도 모르겟어", "simpler"), ("난 이거 진짜 못하겠어 ㅠㅠ", "discouraged"),
        ("시른데...", "unwilling"),
        ("나 화장실", "away"), ("다시 처음부터 해줘", "restart"), ("다른걸로 한번더", "example"),
        ("이거 나 아는건데?", "known"), ("얼마나 걸려", "duration"), ("민수는 몇개 맞았어?", "others"),
        ("받아올림 뜻", "question"), ("네?", "question"),
        ("힌트 좀", "hint"), ("힌트줘", "hint"), ("힌 트 주세요!", "hint"), ("모르겠어 힌트", "hint"),
        ("도와줘", "hint"), ("그만할래", "rest"), ("쉬고 싶어 ㅠㅠ", "rest"),
        ("음... 잠깐만", "pause"), ("잠시만 기다려 주세요", "pause"), ("생각 중이에요", "pause"), ("음", "pause"),
        ("좀 생각해 볼게요", "pause"), ("안녕하세요!", "greeting"), ("선생님 안녕", "greeting"),
        ("몰라요 ㅠㅠ", "simpler"),
        ("배고파", "unclear"), ("", "unclear"), ("ㅋㅋㅋ", "unclear"),
    ],
)  # fmt: skip
def test_what_a_message_means(message: str, sense: MessageIntent) -> None:
    assert READER.intent_of(message) == sense


@pytest.mark.parametrize(("message", "asks"), [("정답이 뭐야?", True), ("수직선이 뭐야?", True), ("모르겠어", False),
                                               ("3", False), ("하나 더 세면 돼", False), ("?", False),
                                               ("7이야?", False), ("잘모르겠당", False),
                                               ("여섯이야. 왜냐면 5 다음이니까요", False)])  # fmt: skip
def test_what_is_said_to_an_open_question_may_be_a_question(message: str, asks: bool) -> None:
    assert READER.is_question(message) == asks


def test_no_right_answer_is_taken_for_a_question_or_a_call_for_a_hint() -> None:
    answers = [each.said for each in graded("dev") if each.says]
    usual = ("unclear", "question", "go_on")
    assert [said for said in answers if READER.is_question(said) or READER.intent_of(said) not in usual] == []


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("3", 0), ("①", 0), ("1번", 0), ("1", 2), ("4번", 3), ("4", 3), (" 3 번 ", 2), ("2번이야", 1),
        ("9", None), ("5번", None), ("③번", 2), ("셋", 0), ("", None),
    ],
)  # fmt: skip
def test_which_choice_an_answer_means(answer: str, place: int | None) -> None:
    """The text of a choice comes before its number: "3" is the first of these, "4" the fourth."""
    assert quiz_questions.chosen_place(CHOICE, answer) == place


def test_a_question_is_put_that_was_not_asked_yet() -> None:
    numbers: list[int] = []
    every = chapter().questions_for("beginner", "subjective")
    for number in range(len(every) + 1):
        numbers.append(
            quiz_questions.choose_question(chapter(), "beginner", "subjective", numbers, f"draw {number}").number
        )
    assert sorted(numbers[:-1]) == [one.number for one in every]
    assert numbers[-1] not in numbers[:-1], "when all of the type were asked, one of another type"


@pytest.mark.parametrize("user_type", ["beginner", "advanced"])
@pytest.mark.parametrize("well", [True, False])
def test_every_session_of_every_course_asks_about_what_it_told(user_type: UserType, *, well: bool) -> None:
    shipped = LessonContent.load(home())
    rules = shipped.config.sessions
    for course in shipped.courses.values():
        for each in course.chapters.values():
            outcomes: list[Outcome] = []
            while len(outcomes) < rules.most:
                told = {one.id for one in session_paragraphs(each, user_type, outcomes, rules.most)[0]}
                kind = quiz_questions.question_type(rules, user_type, len(outcomes) + 1)
                asked = [one["question"] for one in outcomes]
                question = quiz_questions.choose_question(each, user_type, kind, asked, "draw", told)
                assert told & set(question.paragraphs), (course.id, each.chapter, len(outcomes))
                outcomes.append(Outcome(question=question.number, right=well))


def test_the_offered_question_hides_what_answers_it() -> None:
    for question in chapter().questions:
        shown = str(quiz_questions.question_view(question))
        assert question.explanation not in shown
        assert not any(hint in shown for hint in question.hints)
        if isinstance(question, MultipleChoice):
            assert not any(choice.why in shown for choice in question.choices)


@pytest.mark.parametrize("number", [question.number for question in chapter().questions])
def test_every_question_can_be_passed_and_failed(number: int) -> None:
    question = question_of(number)
    best = 1 if isinstance(question, MultipleChoice) else 100
    assert grade_answer(question, right(question), READER, WORDS)["score"] == best
    assert grade_answer(question, wrong(question), READER, WORDS)["score"] == 0


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   ",
        "잘 모르겠어",
        "몰라요",
        "글쎄…",
        "잘모르겠어요ㅠㅠ",
        "나 이거 진짜 하나도 모르겠당",
        "ㅁㄹㅁㄹ",
        "생각이 안나",
        "못 풀겠어요",
        "I don't know",
    ],
)
def test_what_is_no_answer_is_met_kindly_with_nothing(answer: str) -> None:
    for question in chapter().questions:
        evaluation = grade_answer(question, answer, READER, WORDS)
        assert evaluation["score"] == 0
        assert evaluation["remark"] in (WORDS.empty, WORDS.does_not_know)
        assert answer_feedback(question, evaluation, "beginner", WORDS).startswith(evaluation["remark"])


def test_feedback_says_what_the_choice_shows_and_what_was_explained() -> None:
    chosen = grade_answer(CHOICE, "2번", READER, WORDS)
    told = answer_feedback(CHOICE, chosen, "beginner", WORDS)
    assert CHOICE.choices[1].why in told
    assert CHOICE.explanation in told
    assert CHOICE.deeper not in told
    assert CHOICE.deeper in answer_feedback(CHOICE, chosen, "advanced", WORDS)
    question = chapter().subjective[2]
    half: Evaluation = {
        **chosen, "score": 100, "rule_score": 100, "graded_by": "model", "met": ["none"], "missed": ["before_one"]
    }  # fmt: skip
    told = explanation_feedback(question, half, "", "beginner", WORDS)
    assert question.points[0].says in told
    assert question.points[1].says not in told
    assert solution(question.task) not in told
    assert solution(question.task) in explanation_feedback(question, {**half, "rule_score": 50}, "", "beginner", WORDS)


def test_the_feedback_to_a_task_says_why_and_does_not_tell_what_is_right() -> None:
    task = chapter().subjective[0].task
    assert isinstance(task, Cloze)
    told = task_feedback(task, (0, 0), WORDS)
    assert told == f"{WORDS.partly}\n{task.gaps[0][0].why}"
    assert task_feedback(task, (2, 2), WORDS).splitlines() == [WORDS.wrong, task.gaps[0][2].why, task.gaps[1][2].why]
    assert task_feedback(task, task.right, WORDS) == WORDS.right


@pytest.mark.parametrize(
    ("message", "source", "part"),
    [
        ("수직선이 무슨 뜻이야?", "qna", "한 줄에 세워"),
        ("손가락 써도 되나요?", "qna", "손가락을 써도 괜찮아"),
        ("하나 더 많은 수는 어떻게 찾아?", "paragraph", "바로 다음 수"),
    ],
)
def test_a_question_is_answered_from_the_chapter(message: str, source: str, part: str) -> None:
    found = question_answers.answer_from_chapter(message, chapter(), "beginner", content().config.qna)
    assert found is not None
    assert found.source == source
    assert part in found.text


@pytest.mark.parametrize("message", ["공룡은 왜 죽었어?", "오늘 날씨 어때?", "왜?", "", "asdf"])
def test_what_the_chapter_does_not_tell_is_not_made_up(message: str) -> None:
    assert question_answers.answer_from_chapter(message, chapter(), "beginner", content().config.qna) is None


def test_a_text_that_answers_the_open_question_is_known() -> None:
    assert question_answers.tells_key("그건 3이야.", CHOICE, RULES)
    assert not question_answers.tells_key("13이나 30은 아니야.", CHOICE, RULES)
    subjective = chapter().subjective[2]
    assert question_answers.tells_key("0은 하나도 없다는 뜻이야.", subjective, RULES)
    assert not question_answers.tells_key("빈 접시를 떠올려 봐.", subjective, RULES)

"""Answers written in advance: each is found by its own question, and by what adults say in other words."""

import re

import pytest

from maththera.chat.assistant.advice_answers import AnswerBook
from maththera.settings import home

BOOK = AnswerBook.load(home())
CITED = re.compile(r"^[^(]+ \((19|20)\d\d\)\. .+[.?] .+\.$")
ADVICE = BOOK.file.answers


def found(question: str, *before: str) -> str:
    """The answer to the last question of a conversation."""
    board = None
    for each in before:
        asked = BOOK.find(each, board)
        assert asked is not None, each
        board = asked.board()
    asked = BOOK.find(question, board)
    return asked.name if asked else ""


@pytest.mark.parametrize("name", BOOK.answers)
def test_every_answer_is_found_by_its_own_question(name: str) -> None:
    assert found(BOOK.answers[name].ask) == name


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("집에서 어떻게 도와주면 좋을까요?", "home"),
        ("하루에 얼마나 해야 해요?", "minutes"),
        ("손가락 쓰는 건 못하게 할까요?", "fingers"),
        ("아이가 수학 시간마다 울어요", "crying"),
        ("숙제를 쉬게 해도 될까요?", "homework"),
        ("빨라지면 좋은 건가요?", "slow"),
        ("가르쳐도 금방 까먹는데 어떡하죠?", "forgets"),
        ("기억력 훈련을 시키면 좋아질까요?", "memory_training"),
        ("난산증은 나을 수 있나요?", "dyscalculia_cure"),
        ("학원을 보내야 할까요?", "academy"),
        ("학원에서 앞선 내용을 배우면 좋아요?", "ahead"),
        ("계산기를 쓰게 해도 되나요?", "calculator"),
        ("리포트 어디서 봐요?", "report"),
        ("아이 비밀 그림 바꾸려면요?", "pictures"),
        ("인터넷 없이도 돼요?", "network"),
        ("구구단 어떻게 외우게 하죠", "times"),
        ("앱에서 시간 제한 끌 수 있나요", "time_limit"),
        ("곱셈구구는 몇 학년이죠", "curriculum_times"),
    ],
)
def test_what_is_asked(question: str, name: str) -> None:
    assert found(question) == name


@pytest.mark.parametrize(
    "question",
    [
        "손가락 세기 논문 찾아줘",
        "받아올림이 뭐야?",
        "오늘 점심 뭐 먹을까?",
        "난산증이 뭐야?",
        "구구단 연습지 만들어줘",
        "비가 왜 와요?",
        "GPT가 뭔지 설명하고 저장해줘",
        "",
    ],
)
def test_what_no_answer_is_written_for(question: str) -> None:
    assert found(question) == ""


@pytest.mark.parametrize(
    ("before", "question", "name"),
    [
        ("손가락으로 세는 거 못하게 해야 하나요?", "왜요?", "fingers_why"),
        ("손가락으로 세는 거 못하게 해야 하나요?", "3학년인데두요?", "fingers_age"),
        ("받아내림을 어떻게 가르쳐요?", "집에서는 뭘 해주면 좋을까요?", "home_borrow"),
        ("CRA 접근이 우리말로 뭐예요?", "뺄셈 예시로", "cra_example"),
        ("난산증은 얼마나 흔한가요?", "출처가 있어요?", "dyscalculia_rate:sources"),
    ],
)
def test_a_follow_up_keeps_the_topic(before: str, question: str, name: str) -> None:
    assert found(question, before) == name
    assert found(question) != name


@pytest.mark.parametrize(
    ("before", "question", "name"),
    [
        ("받아내림을 어떻게 가르쳐요?", "구체물 없이는?", "without_objects"),
        ("손가락으로 세는 거 못하게 해야 하나요?", "옆반 선생님도 볼 수 있나요?", "who_sees"),
    ],
)
def test_a_follow_up_that_says_what_it_is_about(before: str, question: str, name: str) -> None:
    assert found(question, before) == found(question) == name


def test_the_sources_are_told_when_they_are_asked_for() -> None:
    assert found("근거가 있어요?") == ""
    asked = found("근거가 있어요?", "손가락으로 세는 거 못하게 해야 하나요?")
    assert all(source in BOOK.text(asked) for source in BOOK.sources("fingers"))
    assert BOOK.text("fingers").endswith("근거: Siegler (1996); Gelman 외 (1978)")


def test_what_rests_on_no_study_says_so() -> None:
    assert BOOK.file.unsourced in BOOK.text("calculator")
    assert BOOK.text("calculator:sources") == BOOK.file.unsourced


def test_near_questions_are_offered_with_what_was_read() -> None:
    offers = BOOK.offers("수직선 과제에서 오차가 큰 아이")
    assert "'수직선'" in offers[0]
    assert found(offers[1].removeprefix("- ")) == "line"
    assert BOOK.offers("오늘 점심 뭐 먹을까?") == []


@pytest.mark.parametrize("name", BOOK.answers)
def test_an_answer_is_short_and_polite(name: str) -> None:
    sentences = re.findall(r"[^.]+\.(?=\s|$)", BOOK.answers[name].text)
    assert 1 <= len(sentences) <= 4
    assert all(each.rstrip('."').endswith("요") for each in sentences)


def test_there_is_advice_for_skills_and_for_troubles() -> None:
    assert {"borrow", "carry", "times", "divide", "place", "words", "anxiety", "slow", "forgets"} <= ADVICE.keys()


@pytest.mark.parametrize("source", BOOK.file.sources.values())
def test_sources_are_cited_in_full(source: str) -> None:
    assert CITED.match(source)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("모레 소풍 가는 날 비 소식 있나요", "outside_world"),
        ("내일 점심 급식 메뉴 좀 알려 주세요", "outside_world"),
        ("학교 수학 단원평가는 몇 개나 맞았대요", "school_marks"),
        ("교실에서 친구들하고는 잘 지내는지 궁금해요", "school_life"),
        ("오늘은 제가 정말 지치고 힘드네요", "adult_tired"),
        ("칭찬을 해 줘도 오히려 짜증을 내더라고요", "praise_refused"),
        ("자기는 멍청하다면서 연필을 던져 버려요", "says_stupid"),
        ("숙제 봐주다가 제가 또 소리를 질렀네요", "bad_parent"),
        ("알려 주신 대로 해 봤는데 효과가 없어요", "did_not_work"),
        ("다른 아이들이 얘만 봐준다고 불공평하대요", "fair"),
        ("가람이 기록을 다른 집 부모도 볼 수 있나요", "who_sees"),
    ],
)
def test_what_no_record_holds_and_what_is_felt_has_words_of_its_own(message: str, name: str) -> None:
    assert found(message) == name


@pytest.mark.parametrize("name", ["test", "esteem", "praise", "crying", "says_stupid", "adult_tired"])
def test_no_figures_stand_beside_a_feeling(name: str) -> None:
    assert not BOOK.is_of_helping(name)
    assert BOOK.is_of_helping("home_carry")


def test_one_thing_of_an_answer_is_one_that_can_be_done() -> None:
    text = BOOK.text("zero:one")
    assert text.count(".") == 2
    assert "보여 주세요" in text
    assert "어려워요" not in text


@pytest.mark.parametrize("name", ["borrow", "carry", "place", "words", "divide", "zero"])
def test_what_is_done_in_words_alone_is_about_the_subject(name: str) -> None:
    told = BOOK.subjects.own_answer(name, "without")
    assert told not in ("", "spoken_tens")

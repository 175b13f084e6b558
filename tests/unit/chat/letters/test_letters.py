"""Texts that adults want written, and the changes of them."""

from typing import Final

import pytest

from maththera.chat.coach.learner_facts import Facts
from maththera.chat.letters.letter_book import LetterBook
from maththera.chat.letters.letter_changes import changed_letter
from maththera.chat.letters.letter_texts import LetterWriter
from maththera.chat.letters.letters import Letter, letter_wanted
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import load_problem_kinds
from maththera.settings import home

BOOK: Final = LetterBook.load(home())
WRITER: Final = LetterWriter(BOOK, load_problem_kinds(home()))
FACTS: Final[Facts] = {
    "today": "2026-01-10", "answered": 60, "right": 36, "tries": [], "slowest": None, "seconds": 5,
    "days": [{"day": "2026-01-09", "answered": 60, "right": 36, "kinds": {}}],
    "kinds": [
        {"kind": "take", "answered": 15, "right": 15, "causes": [], "examples": []},
        {"kind": "carry", "answered": 27, "right": 6, "examples": [],
         "causes": [{"name": "sum_carry_dropped", "title": "받아올린 수를 더하지 않는다", "count": 21}]},
    ],
}  # fmt: skip
CHILD: Final = Child("하늘", FACTS)


@pytest.mark.parametrize(
    ("message", "role", "kind"),
    [
        ("내일 학부모 상담인데 어머님께 드릴 말씀 정리해 주세요", "teacher", "talk"),
        ("우리 반 가정통신문 하나 써 주세요", "teacher", "class_letter"),
        ("담임 선생님께 감사 문자 좀 써 주세요", "guardian", "thanks"),
        ("남편한테 톡으로 보내게 짧게 써 줘요", "guardian", "family"),
        ("할머니께 보여 드릴 글 하나 써 주세요", "guardian", "elders"),
        ("통지표에 한 줄 적어 주세요", "teacher", "record"),
        ("개별화 목표 문장 하나 써 주세요", "teacher", "goal"),
        ("칭찬 멘트 두 개만 주세요", "teacher", "praise"),
        ("아이한테 첫마디를 뭐라고 할까요", "guardian", "child_line"),
    ],
)
def test_what_is_wanted_is_told_from_the_message(message: str, role: str, kind: str) -> None:
    letter = letter_wanted(BOOK, message, role)
    assert letter is not None
    assert letter.kind == kind
    assert "{" not in WRITER.text(letter, CHILD, message)


@pytest.mark.parametrize(
    "message",
    [
        "연구에서는 이런 걸 뭐라고 하나요?",
        "아이가 뭐라고 썼어요?",
        "상담에서 처음에 무슨 말부터 할까요?",
        "칭찬은 어떻게 해요?",
        "할머니가 봐 주세요",
    ],
)
def test_questions_want_no_letter(message: str) -> None:
    assert letter_wanted(BOOK, message, "guardian") is None


def test_a_letter_is_changed_and_keeps_what_was_changed_before() -> None:
    letter = Letter("talk")
    assert "60" in WRITER.text(letter, CHILD)
    spoken = changed_letter(WRITER, letter, "구어체로 다시요", CHILD)
    assert spoken is not None
    bare = changed_letter(WRITER, spoken[0], "숫자는 빼고요", CHILD)
    assert bare is not None
    assert "어머님" in bare[1]
    assert [figure for figure in ("60", "36", "21") if figure in bare[1]] == []
    assert "받아올림이 있는 덧셈" in bare[1]


def test_a_sentence_and_a_smile_are_added() -> None:
    added = changed_letter(WRITER, Letter("thanks"), "수학을 좋아하게 됐다는 말도 넣고", CHILD)
    assert added is not None
    assert "수학을 좋아하게 됐다고" in added[1]
    smiling = changed_letter(WRITER, added[0], "끝에 이모티콘 하나", CHILD)
    assert smiling is not None
    assert smiling[1].endswith("😊")
    assert "좋아하게 됐다고" in smiling[1]


def test_a_boast_that_no_record_tells_is_not_written() -> None:
    told = changed_letter(WRITER, Letter("elders"), "수학 천재라고 한 줄 넣어 주세요", CHILD)
    assert told is not None
    assert "기록이 말해 주지 않아서" in told[1]


def test_a_suspicion_is_not_written_into_a_record() -> None:
    message = "난산증이 의심된다고 생활기록부에 적어도 돼요?"
    letter = letter_wanted(BOOK, message, "teacher")
    assert letter is not None
    told = WRITER.text(letter, CHILD, message)
    assert told.startswith("의심은 적지 않으시는 것이 좋아요")
    assert "자주 빠뜨림" in told


@pytest.mark.parametrize("kind", [kind for kind, texts in BOOK.letters.items() if texts.lines or texts.each])
@pytest.mark.parametrize("who", [CHILD, Child("지우", {**FACTS, "answered": 0, "right": 0, "kinds": [], "days": []})])
def test_every_letter_can_be_written_with_and_without_records(kind: str, who: Child) -> None:
    assert WRITER.text(Letter(kind), who).strip()


def changed_to(letter: Letter, *messages: str, child: Child = CHILD) -> str:
    told = ""
    for message in messages:
        found = changed_letter(WRITER, letter, message, child)
        assert found is not None, message
        letter, told = found
    return told


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("하늘이 선생님께 오늘 숙제 못했다고 알림장 써줘", "오늘 숙제 못했습니다."),
        ("내일 체험학습이라 못간다고 선생님께 톡 써줘요", "내일 체험학습이라 못갑니다."),
        ("학교에 결석한다고 문자 써주세요", "결석합니다."),
    ],
)
def test_what_is_to_be_told_is_what_the_letter_tells(message: str, sentence: str) -> None:
    letter = letter_wanted(BOOK, message, "guardian")
    assert letter is not None
    told = WRITER.text(letter, CHILD, message)
    assert sentence in told
    assert "자주 막혀서" not in told
    more = changed_to(letter, "아파서 그렇다고 써줘요", "아버지 말투로")
    assert f"{sentence} 아파서 그렇습니다." in more
    assert "하늘이 아버지입니다" in more
    assert "안녕하십니까" in changed_to(letter, "더 정중하게")


def test_a_letter_gets_shorter_and_says_so_where_it_cannot() -> None:
    letter = letter_wanted(BOOK, "담임선생님한테 보낼 편지 좀 써주세요", "guardian")
    assert letter is not None
    long = WRITER.text(letter, CHILD)
    assert "27문제 가운데 6문제" not in changed_to(letter, "좀 더 짧게요")
    assert len(changed_to(letter, "좀 더 짧게요")) < len(long) / 2
    assert changed_to(letter, "좀 더 짧게요", "더 짧게").startswith("지금 글이 이미 그래요")


def test_only_what_goes_well_is_left() -> None:
    told = changed_to(Letter("letter"), "못하는거는 빼고 좋은말만")
    assert "받아내림이 없는 뺄셈" in told
    assert "받아올림이 있는" not in told
    assert changed_to(Letter("letter"), "좋은 말만", "한 줄로").count("\n") == 0


def test_nobody_who_missed_one_is_told_to_have_all_right() -> None:
    child = Child("준호", {**FACTS, "answered": 24, "right": 23, "kinds": FACTS["kinds"][:1]})
    for kind in ("record", "family", "elders"):
        told = WRITER.text(Letter(kind), child)
        assert "24문제 가운데 23문제" in told
        assert "모두" not in told


def test_a_goal_runs_as_long_as_is_wanted() -> None:
    told = changed_to(Letter("goal"), "한학기짜리로")
    assert "18주 안에" in told
    assert "8주 안에" not in told.replace("18주", "")
    assert "4주 안에" in changed_to(Letter("goal"), "4주짜리로")
    assert "27문제 가운데 6문제" in WRITER.text(Letter("goal"), CHILD)


def test_several_changes_of_a_message_are_all_made() -> None:
    told = changed_to(Letter("talk"), "구어체로 바꾸고 숫자는 빼고요")
    assert "어머님" in told
    assert [figure for figure in ("60", "36", "21") if figure in told] == []


@pytest.mark.parametrize(
    ("message", "role", "kind"),
    [
        ("하늘이 학부모 상담 자료 만들어줘", "teacher", "talk"),
        ("하늘이 방과후 선생님께 전달사항 써줘", "teacher", "handover"),
        ("할머니가 봐주시는데 할머니용으로 설명 좀", "guardian", "carer"),
        ("틀렷을때 뭐라고 말해줘야되요", "guardian", "wrong_line"),
        ("민수 부모님께 잘하고 있다고 한마디", "teacher", "letter"),
        ("민수 칭찬 카드 문구", "teacher", "praise"),
    ],
)
def test_more_kinds_are_told_from_the_message(message: str, role: str, kind: str) -> None:
    letter = letter_wanted(BOOK, message, role, named=True)
    assert letter is not None
    assert letter.kind == kind
    assert "{" not in WRITER.text(letter, CHILD, message)


def reported(*messages: str) -> str:
    letter = letter_wanted(BOOK, messages[0], "teacher")
    assert letter is not None
    text = WRITER.text(letter, CHILD, messages[0])
    for message in messages[1:]:
        found = changed_letter(WRITER, letter, message, CHILD)
        assert found is not None
        letter, text = found
    return text


def test_a_letter_that_reports_names_the_child() -> None:
    text = reported("하늘이 아버님께 요즘 열심히 한다고 편지 써 주세요")
    assert "하늘 아버님" in text
    assert "하늘 학생은 요즘 열심히 합니다." in text
    assert "받아내림이 없는 뺄셈" in text


def test_a_letter_that_reports_can_be_short_and_warm_at_once() -> None:
    long, short = (
        reported("하늘이 아버님께 요즘 열심히 한다고 편지 써 주세요", *wish)
        for wish in ([], ["더 짧고 따뜻하게 바꿔 주세요"])
    )
    assert len(short) < len(long)
    assert "열심히 합니다" in short
    assert "따뜻하게 살펴 주셔서" in short


def test_a_goal_over_other_weeks_is_no_table_of_weeks() -> None:
    text = reported("하늘이 개별화 목표 하나 써 주세요", "중간 목표로 나눠 줘요", "기간은 한 학기로 해 주세요")
    assert "18주" in text

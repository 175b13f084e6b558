"""What goes on with an answer: which kind a message is of, and what is told of a subject."""

from pathlib import Path
from typing import Final

import pytest
import yaml

from maththera.chat.assistant.advice_answers import AnswerBook
from maththera.settings import home

BOOK: Final = AnswerBook.load(home())
SUBJECTS: Final = BOOK.subjects
LINES: Final[dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).parents[3] / "data" / "assistant_follow_ups.yaml").read_text(encoding="utf-8")
)
RATE: Final = "dyscalculia_rate"


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in LINES.items() for line in lines])
def test_a_follow_up_is_of_its_kind(kind: str, line: str) -> None:
    assert BOOK.going_on(line)[0] == kind


def test_there_are_lines_of_every_kind() -> None:
    assert LINES.keys() == SUBJECTS.kinds.keys()


@pytest.mark.parametrize(
    "message",
    [
        "분수는 어떻게 가르쳐요?",
        "구구단은 왜 외워야 해요?",
        "계산기는 언제까지 쓰게 하죠?",
        "하늘이가 지난주에 받아내림 있는 뺄셈에서 무엇을 어떻게 틀렸는지 자세히 알려 주세요",
        "관련 논문 찾아줘",
    ],
)
def test_what_names_a_subject_or_is_long_goes_on_with_nothing(message: str) -> None:
    assert BOOK.going_on(message)[0] == ""


@pytest.mark.parametrize("subject", [name for name in SUBJECTS.subjects if name != "dyscalculia"])
def test_how_common_dyscalculia_is_is_told_of_nothing_else(subject: str) -> None:
    assert SUBJECTS.answer(subject, "common") != RATE
    assert SUBJECTS.answer("dyscalculia", "common") == RATE
    assert BOOK.answers[RATE].text.startswith("난산증은")


@pytest.mark.parametrize(
    ("tag", "subject"),
    [
        ("EXECUTION_L4_CARRY_FORGOTTEN", "carry"),
        ("CONCEPT_L6_SUBTRACTION_COMMUTES", "borrow"),
        ("EXECUTION_L5_BORROW_ACROSS_ZERO", "zero"),
        ("EXECUTION_L6_TABLE_NEIGHBOUR", "times"),
        ("SPATIAL_L4_PLACE_VALUE", "place"),
        ("ATTENTION_L0_OPERATION_SWITCH", "mistakes"),
        ("", "mistakes"),
    ],
)
def test_a_cause_of_errors_has_a_subject(tag: str, subject: str) -> None:
    assert SUBJECTS.of_records(10, 3, tag) == subject
    assert SUBJECTS.of_records(10, 0, tag) == "right"
    assert SUBJECTS.of_records(0, 0, tag) == "no_records"


@pytest.mark.parametrize("subject", SUBJECTS.subjects)
def test_what_is_not_known_is_asked_back_with_what_is(subject: str) -> None:
    told = BOOK.text(f"{subject}:near")
    assert SUBJECTS.subjects[subject].called in told
    assert told.count("\n- ") >= 1

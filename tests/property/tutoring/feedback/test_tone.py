"""No template and no slot ever breaks the tone guide, and no way of saying the answer gets past it."""

from functools import cache
from itertools import product
from typing import cast, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kiwipiepy import Kiwi  # type: ignore[import-untyped]

from maththera.korean.numbers import parse_number
from maththera.settings import home
from maththera.tutoring.feedback.feedback_templates import Context, FeedbackTemplates, load_feedback
from maththera.tutoring.feedback.text_conditions import TextCondition
from maththera.tutoring.feedback.tone import check

FEEDBACKS: FeedbackTemplates = load_feedback(home() / "configs" / "tutoring" / "feedback.yaml")

VERBS = ["하", "보", "가", "세", "쓰", "더하", "모으", "만들", "찾", "고르", "읽", "그리", "묶", "빼"]
PLAIN = ["어", "자", "ᆯ까", "네", "지", "구나", "ᆯ게", "니"]
POLITE = ["어요", "ᆸ니다", "세요", "죠", "지요", "네요", "ᆯ까요", "ᆯ게요", "ᆸ시다", "군요"]

ONES = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"]
NATIVE_ONES = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"]
NATIVE_TENS = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"]


@cache
def kiwi() -> Kiwi:
    return Kiwi()


def said(verb: str, ending: str, *, honorific: bool) -> str:
    """The verb with its ending as Korean spells it: 하 + 어요 is 해요."""
    infix = [("시", "EP")] if honorific else []
    spelled: str = kiwi().join([(verb, "VV"), *infix, (ending, "EF")])
    return spelled


def sino(number: int) -> str:
    """14 is 십사."""
    if number == 0:
        return "영"
    text = ""
    for worth, name in ((1000, "천"), (100, "백"), (10, "십"), (1, "")):
        digit = number // worth % 10
        if digit:
            text += (ONES[digit] if digit > 1 or not name else "") + name
    return text


def native(number: int) -> str:
    """14 is 열넷; below 100."""
    return NATIVE_TENS[number // 10] + NATIVE_ONES[number % 10]


@pytest.mark.slow
def test_plain_endings_pass_and_polite_ones_do_not() -> None:
    for verb, ending in product(VERBS, PLAIN):
        assert check([said(verb, ending, honorific=False)], None, answer=None, revealed=False, mode="full") == []
        if verb == "세":
            continue  # 세시지 is as well "it is three o'clock"
        honorific = said(verb, ending, honorific=True)
        rules = {violation.rule for violation in check([honorific], None, answer=None, revealed=False)}
        assert "honorific" in rules, honorific
    for verb, ending in product(VERBS, POLITE):
        polite = said(verb, ending, honorific=False)
        assert "honorific" in {v.rule for v in check([polite], None, answer=None, revealed=False)}, polite


@given(st.integers(0, 9999))
def test_number_words_are_read_back(number: int) -> None:
    assert parse_number(sino(number)) == number
    if 0 < number < 100:
        assert parse_number(native(number)) == number


@settings(deadline=None)
@given(st.integers(0, 999), st.sampled_from(["digits", "sino", "native"]), st.sampled_from(["답은 {}.", "{}!"]))
def test_the_answer_is_found_however_it_is_said(answer: int, how: str, sentence: str) -> None:
    word = {
        "digits": str(answer),
        "sino": sino(answer),
        "native": native(answer) if 10 <= answer < 100 else sino(answer),
    }
    if sentence == "{}!" and how != "digits" and answer < 10:
        return  # a lone syllable may be another word: 이, 사, 오
    line = sentence.format(word[how])
    assert "answer" in {violation.rule for violation in check([line], None, answer=answer, revealed=False)}, line


@given(st.text(alphabet="가나다 라마.바사", max_size=30), st.booleans())
def test_length(text: str, is_hint: bool) -> None:
    lines, hint = (["좋아!"], text) if is_hint else ([text], None)
    too_long = len(text) > (15 if is_hint else 10)
    found = {violation.rule for violation in check(lines, hint, answer=None, revealed=False, mode="quick")}
    assert ("length" in found) == (too_long and bool(text.strip(" .")))


@given(st.text(max_size=40), st.none() | st.text(max_size=20), st.none() | st.integers(0, 999))
@settings(deadline=None)
def test_any_text_is_judged(line: str, hint: str | None, answer: int | None) -> None:
    for violation in check([line], hint, answer=answer, revealed=False):
        assert violation.rule in {"empty", "sentences", "length", "hint", "answer", "honorific", "banned", "language"}


contexts = st.builds(
    lambda required, optional: cast(
        "Context", {**required, **{name: value for name, value in optional.items() if value is not None}}
    ),
    st.fixed_dictionaries({"hidden": st.lists(st.integers(0, 1000), max_size=2)}),
    st.fixed_dictionaries(
        {
            "cause_tag": st.sampled_from(
                [None, "SPATIAL_L4_ALIGNMENT", "SPATIAL_L4_PLACE_VALUE", "EXECUTION_L5_OTHER"]
            ),
            "domain": st.sampled_from([None, "CONCEPT", "SPATIAL", "EXECUTION", "ATTENTION", "TRANSCRIPTION"]),
            "strategy": st.sampled_from([None, "STR_COUNT_ON", "STR_MAKE10", "STR_PLACE_VALUE", "STR_RETRIEVE"]),
            "op": st.sampled_from([None, "+", "-", "x", "/"]),
            "form": st.sampled_from([None, "result", "addend", "factor", "tens"]),
            "known": st.none() | st.integers(0, 999),
            "target": st.none() | st.integers(0, 1000),
            "closed": st.none() | st.integers(0, 200),
            "facts": st.none()
            | st.frozensets(st.sampled_from(get_args(TextCondition)))
            | st.just(frozenset(get_args(TextCondition))),
        }
    ),
)


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(sorted(FEEDBACKS.situations)),
    contexts,
    st.integers(0, 2**32),
    st.integers(0, 600),
    st.sampled_from([None, *(template for group in FEEDBACKS.situations.values() for template in group)]),
)
def test_whatever_is_composed_keeps_the_guide(
    situation: str, context: Context, seed: int, turn: int, last: str | None
) -> None:
    if situation.startswith("closing"):
        context["hidden"] = []  # nothing is open when a session is over
    words = FEEDBACKS.compose(situation, context=context, last_template=last, seed=seed, turn=turn)
    assert words is not None
    assert words.template_id != last
    assert words == FEEDBACKS.compose(situation, context=context, last_template=last, seed=seed, turn=turn)
    assert "{" not in "".join([*words.lines, words.hint or ""])
    for answer in [*context["hidden"], None]:
        assert check(words.lines, words.hint, answer=answer, revealed=False) == []

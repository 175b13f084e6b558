"""Expressions as people write them: what they are, what is claimed of them, and what is no expression."""

from fractions import Fraction

import pytest

from maththera.arithmetic.result_claims import claim_in, read_expressions
from tests.support.claims import lines, misjudged


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("20곱하기6이랑 4곱하기6으로 쪼개도 되는 거 맞지", [("20×6", None), ("4×6", None)]),
        ("26 맞는 거 아냐? 5-3 2, 8-2 6", [("5−3", 2), ("8−2", 6)]),
    ],
)
def test_each_of_two_expressions(text: str, read: list[tuple[str, int | None]]) -> None:
    assert [(one.text, one.claimed) for one in read_expressions(text)] == read


def test_what_was_written() -> None:
    written = [
        *lines(),
        *lines("expression_claims_own"),
        *lines("expression_claims_fresh")[::2],
        *lines("expression_claims_unread")[::2],
    ]
    judged = {line.text: misjudged(line) for line in written}
    assert {text: fault for text, fault in judged.items() if fault is not None} == {}


@pytest.mark.parametrize(
    ("text", "expression", "value"),
    [
        ("3 + 4 x 2", "3+4×2", 11),
        ("(2+3)x4", "(2+3)×4", 20),
        ("12-(5-3)", "12−(5−3)", 10),
        ("2(3+4)", "2×(3+4)", 14),
        ("팔더하기육", "8+6", 14),
        ("28에서 15를 빼고 3을 더하면?", "28−15+3", 16),
        ("5하고 3하고 2를 더하면", "5+3+2", 10),
        ("20에서 3 빼고 또 4 빼면?", "20−3−4", 13),
        ("5보다 3 큰 수는", "5+3", 8),
        ("3의 4배", "3×4", 12),
        ("8을 5번 더하면", "8×5", 40),
        ("5와 3의 합은?", "5+3", 8),
        ("8개 더하기 6개", "8+6", 14),
        ("육백에서 이백오십을 빼면", "600−250", 350),
        ("１８＋２４는?", "18+24", 42),
        ("12ㅡ5", "12−5", 7),
        ("칠팔은 얼마야", "7×8", 56),
        ("3+□=5", "3+□=5", 2),
        ("□-4=6", "□−4=6", 10),
        ("12÷?=4", "12÷□=4", 3),
        ("3+5=?", "3+5", 8),
        ("1 7 + 5 몇", "17+5", 22),
        ("12 000 + 3 000", "12000+3000", 15000),
        ("5씩 4번은?", "5×4", 20),
        ("12의 절반은?", "12÷2", 6),
        ("12 절반이면 몇이야?", "12÷2", 6),
        ("40을 반으로 나누고 또 반으로 나누면", "40÷2÷2", 10),
        ("54는 6으로 나누면?", "54÷6", 9),
        ("5는 3에 2를 더하면 돼", "3+2", 5),
        ("구구단에서 구사 뭐야", "9×4", 36),
    ],
)
def test_the_whole_expression(text: str, expression: str, value: int) -> None:
    (one,) = read_expressions(text)
    assert (one.text, one.value, one.claimed, one.beyond) == (expression, value, None, None)


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        ("12-5+3=10 맞지?", 10, True),
        ("3 + 4 x 2 는 11이야?", 11, True),
        ("8+5=8+2+3=13", 13, True),
        ("8+5=8+2+3=14", 14, False),
        ("10=12-5+3", 10, True),
        ("답이 10인데 12-5+3 맞아?", 10, True),
        ("8+6은 13이 아니라 14야", 14, True),
        ("8+6은 13이 아니지?", 13, True),
        ("8+6은 열셋 아니야?", 13, False),
        ("8+6은 15인 줄 알았는데 14야", 14, True),
        ("3+4는 2+5야?", 7, True),
        ("3+4랑 2+5는 같아?", 7, True),
        ("팔 더하기 사는 십이야?", 12, True),
        ("팔 더하기 이는 십이야?", 10, True),
        ("내 생각에 98+90 답이 178 나왔어", 178, False),
        ("1이야 2야? 1x1은", None, None),
        ("3+4가 8보다 커?", None, None),
        ("8+6 푸는 방법 3가지", None, None),
        ("8+6, 나는 9살이야", None, None),
        ("7*4 두배?", None, None),
        ("36÷4하면 9 ㅇㅇ?", 9, True),
        ("1 0 0 - 37 = 63", 63, True),
        ("11 곱하기 11 121", 121, True),
        ("이십오 빼기 십육은 십일 마자요?", 11, False),
        ("11이 5+6이야?", 11, True),
    ],
)
def test_what_is_claimed(text: str, claimed: int | None, right: bool | None) -> None:
    one = read_expressions(text)[0]
    assert (one.claimed, one.right) == (claimed, right)


@pytest.mark.parametrize(
    ("text", "right"), [("17÷5=3…2", True), ("17÷5=3…1", False), ("17÷5=2…7", False), ("17÷5=3 나머지 2", True)]
)
def test_a_remainder_is_claimed_too(text: str, right: bool) -> None:
    (one,) = read_expressions(text)
    assert (one.right, one.beyond) == (right, "remainder")


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("3/4 더하기 1/4", "fraction"),
        ("사분의 일 더하기 사분의 삼", "fraction"),
        ("½+½", "fraction"),
        ("1과 1/2 더하기 2", "fraction"),
        ("5/3+4/3", "fraction"),
        ("0.5+0.5", "decimal"),
        ("영점오 더하기 영점오", "decimal"),
        ("1000000 곱하기 7777", "too_long"),
        ("99999999999999999999+1", "too_long"),
        ("+".join("1" * 40), "too_long"),
        ("3-5", "negative"),
        ("(3-5)x2+9", "negative"),
        ("-3+5", "negative"),
        ("7÷2", "remainder"),
        ("7/2", "remainder"),
        ("7÷2x2", "remainder"),
        ("5 나누기 0", "by_zero"),
        ("□x0=5", "unknown"),
        ("□+□=5", "unknown"),
        ("10의 50%", "percent"),
        ("3²", "power"),
    ],
)
def test_what_is_beyond_has_a_name(text: str, beyond: str) -> None:
    assert [one.beyond for one in read_expressions(text)] == [beyond]


def test_a_way_below_zero_is_no_end_below_zero() -> None:
    (one,) = read_expressions("3-5+4")
    assert (one.value, one.beyond) == (Fraction(2), None)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2026-03-02에 뭐 했지",
            "010-1234-5678",
            "1/2이 뭐야",
            "더하기가 뭐야",
        ),
        *(
            "두 자리 덧셈이 어려워",
            "사이에 3이 있어",
            "이사 갔어",
            "구이 먹었어",
            "하루에 10분씩 3번 할래",
            "2학년 3반",
            "오이는 3개",
            "나는 9살이야",
        ),
        *("8+", "+5", "3:30에 하자", "", "(한 자리)+(한 자리)", "두 자리 수 더하기 한 자리 수"),
    ],
)
def test_what_is_no_expression(text: str) -> None:
    assert read_expressions(text) == ()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("왜 13이야?", 13),
        ("그럼 답이 35야?", 35),
        ("열넷이야?", 14),
        ("14로 나왔는데", 14),
        ("우리 반은 25명이야", None),
        ("14 15", None),
        ("두 번째", None),
        ("8+6=14", None),
        ("모르겠어요", None),
    ],
)
def test_a_claim_without_an_expression(text: str, claim: int | None) -> None:
    assert claim_in(text) == claim


@pytest.mark.parametrize(
    "part",
    ["(", "8+", "-", "1 ", "3의 ", "3=", "□", "3에 5를 ", "칠팔 ", "8+6은 ", "1, ", "5개씩 3", "사과 5개 있는데 "],
)
def test_long_nonsense_is_read_too(part: str) -> None:
    assert all(one.right is not True for one in read_expressions(part * (4000 // len(part))))

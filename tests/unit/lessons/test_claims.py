"""What an answer claims: relation, roles and denial count, and words alone say nothing."""

import pytest

from maththera.lessons.claims import asserts, stand, wordings


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("(부분은) 전체보다 작다", "부분은 전체보다 작아"),
        ("(부분은) 전체보다 작다", "전체보다 작아요"),
        ("전체가 부분보다 크다", "부분보다 전체가 더 커"),
        ("[큰 수|7]부터 [세다|시작하다]", "큰 수 7부터 이어서 세면 돼"),
        ("[큰 수|7]부터 [세다|시작하다]", "일곱부터 시작해요"),
        ("순서를 바꾸어도 [합이|답이] 같다", "순서를 바꿔도 합은 똑같아"),
        ("순서를 바꾸어도 [합이|답이] 같다", "순서 바꿔도 답은 안 달라져"),
        ("십의 자리에서 줄이지 않다", "십의 자리에서 하나를 빌려주고 안 줄여서 그래"),
        ("거꾸로 빼면 안 되다", "거꾸로 빼면 틀려"),
        ("1을 올리다", "1을 올리지 않으면 안 돼"),
        ("1을 올리다", "1을 십의 자리 위로 올려야 해"),
        ("5에서 1을 [빼다|떼다]", "하나를 다섯에서 떼어야 해"),
        ("곱하고 1을 더하다", "곱한 다음에 1을 더해"),
        ("10에서 5를 빼다", "13을 갈라서 10에서 5를 빼고 3을 더해"),
        ("5에 3을 더하다", "3에 5를 더하면 돼"),
        ("[바뀌지|변하지]_않다", "수가 변하지 않아"),
        ("일의 자리는 낱개이다", "1의 자리는 낱개야"),
        ("7 8", "6 다음에 일곱, 여덟"),
    ],
)
def test_a_claim_is_heard_in_other_words(claim: str, answer: str) -> None:
    assert stand(claim, answer) == "says"


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("(부분은) 전체보다 작다", "전체는 부분보다 작아"),
        ("(부분은) 전체보다 작다", "부분은 전체보다 커"),
        ("(부분은) 전체보다 작다", "부분은 전체보다 작지 않아"),
        ("순서를 바꾸어도 합이 같다", "순서를 바꾸면 합이 달라져"),
        ("0을 더하면 그대로이다", "0을 더하면 커져"),
        ("0을 더하면 그대로이다", "0을 더하면 그대로가 아니야"),
        ("5에서 1을 빼다", "1에서 5를 빼야 해"),
        ("1을 올리다", "1을 안 올려"),
        ("1을 올리다", "1을 올리면 안 돼"),
    ],
)
def test_the_contrary_is_heard_as_such(claim: str, answer: str) -> None:
    assert stand(claim, answer) == "contrary"


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("(부분은) 전체보다 작다", "조각은 전체보다 작아"),
        ("[큰 수|7]부터 세다", "작은 수부터 세"),
        ("[큰 수|7]부터 세다", "7부터 세나?"),
        ("[큰 수|7]부터 세다", "7부터 세는지 몰라"),
        ("1을 올리다", "1을 올리는 방법을 배웠어"),
        ("1을 올리다", "2를 올려"),
        ("0을 곱하면 그대로이다", "0을 곱하면 0이 되고 1을 곱하면 그대로야"),
        ("곱하고 1을 더하다", "1을 더하고 곱해"),
        ("1을 더하고 곱해야 하다", "1을 더하고 곱했어"),
        ("사실을 확인하지 않다", "사실을 확인해요"),
    ],
)
def test_in_doubt_nothing_is_concluded(claim: str, answer: str) -> None:
    assert stand(claim, answer) == "nothing"


def test_what_is_against_a_point_must_be_said_expressly() -> None:
    assert asserts("1을 버리다", "그 1을 버려요")
    assert not asserts("1을 버리다", "1을 버리면 열이 모자라")
    assert not asserts("2부터 세다", "2 7부터 세")


@pytest.mark.parametrize("claim", ["!", "[!|더하다]", "7을 [|더하다]", "()"])
def test_a_claim_with_a_part_that_is_no_word_has_no_wording(claim: str) -> None:
    assert wordings(claim) == ()

"""Instruments, hints and what follows them, and everyday words that are none: read with the shipped rules."""

from collections.abc import AsyncIterator
from functools import cache
from typing import Final

import pytest

from maththera.settings import home
from maththera.store.database import Database
from maththera.words.danger.danger_detection import Danger, DangerDetector
from maththera.words.danger.message_safety import Place, Sender
from tests.support.databases import migrated
from tests.support.words import safety

CHILD: Final = Sender("student", "s1")
COACH: Final = Place("coach", "t1")
ADULTS: Final = [
    "수모형이 집에 없는데 다른 걸로 대신해도 돼요?",
    "아이가 자꾸 35라고 하는데 왜 그럴까요?",
    "바둑알로 대신 써도 되나요?",
    "우리 애가 손가락으로만 세요",
    "둘째가 첫째 걸 자꾸 만져요",
    "숙제를 몰래 베끼던데요",
    "아이가 틀리면 화를 내요",
    "어떤 교구를 사야 하나요?",
]


@cache
def reader() -> DangerDetector:
    return DangerDetector.load(home())


def find(message: str) -> Danger | None:
    return reader().read(message, writer="child")[0]


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    await migrated(sqlite_url)
    found = Database(sqlite_url)
    yield found
    await found.close()


@pytest.mark.parametrize(
    "message",
    [
        "아빠가 술 마시면 허리띠 꺼내요",
        "엄마가 화나면 회초리부터 찾아요",
        "할머니가 효자손을 들고 쫓아와요",
        "틀릴 때마다 옷걸이 들고 와요",
        "삼촌이 몽둥이 갖고 와서 무서워요",
        "엄마가 구두주걱으로 등을 때려요",
        "아빠 벨트 소리만 들으면 숨고 싶어",
        "집에서 매 맞아요",
        "아빠가 매를 들어요",
    ],
)
def test_an_instrument_in_a_hand_at_home_is_heard(message: str) -> None:
    found = find(message)
    assert found is not None
    assert (found.category, found.tier) == ("violence_home", 1)


@pytest.mark.parametrize(
    "message",
    [
        "엉덩이가 아파서 못 앉겠어요",
        "종아리 멍들어서 앉지 못해요",
        "아빠가 아무한테도 말하지 말래요",
        "집에서 있었던 일은 말하면 안 된대요",
        "엄마가 선생님한테 이르면 혼난대",
        "우리집 얘기 밖에서 말하면 안된대요",
        "허벅지가 쓰라려서 못 걷겠어요",
        "등이 따가워서 누울 수가 없어요 눕지 못해요",
    ],
)
def test_pain_and_secrecy_are_at_least_asked_about(message: str) -> None:
    assert find(message) is not None
    assert reader().follows(message)


@pytest.mark.parametrize(
    "message",
    [
        "아빠가 벨트 사 오셨어요",
        "할머니가 효자손 들고 등 긁어요",
        "엄마가 옷걸이 가져와서 옷 걸었어",
        "벨트가 12개 있는데 5개 팔면?",
        "아빠가 파리채로 모기 잡았어",
        "매일 문제 풀어요",
        "매미가 7마리 있어",
        "동생이 내 책 찢었어",
        "누나가 맨날 내 폰 만져",
        "짝꿍이 내 색연필 써",
        "동생 진짜 없었으면 좋겠다",
        "언니가 내 인형 가져가서 짜증나",
        "동생이 내 그림 망쳤어",
        "쟤는 맨날 내꺼 만져",
        "동생 미워",
        "나 이제 안 울어",
        "이제 안 무서워요",
        "지금은 괜찮아요",
        "오늘은 안 슬퍼",
        "이제 기분 좋아졌어",
        "장난이야 ㅋㅋ",
        "농담이에요",
        "아재개그 하나 해줄까",
    ],
)
def test_household_quarrels_and_being_well_are_no_danger(message: str) -> None:
    assert find(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "응 맨날 그런 생각해",
        "아무한테도 말 못 했어",
        "동생이랑 둘이만 있어요",
        "엄마한테 말하면 안돼 비밀이에요",
        "선생님한테는 말 못 하겠어요",
        "아직도 등이 아파",
        "너무 무서워",
        "집에 나 혼자 있어",
        "오늘도 또 그럴까 봐",
    ],
)
@pytest.mark.parametrize("before", ["아빠가 매를 들어요", "엉덩이가 아파서 못 앉겠어요"])
async def test_what_follows_a_danger_gets_helplines(database: Database, before: str, message: str) -> None:
    own = safety(database)
    assert (await own.check_message(before, CHILD, COACH, "m1")).told is not None
    heard = await own.check_message(message, CHILD, COACH, "m2")
    assert heard.told is not None
    assert heard.told.numbers, "no second question"


@pytest.mark.parametrize(
    "message",
    [
        "8+6은 14야",
        "답 아무한테도 말 안 할게",
        "혼자 풀어 볼래",
        "다음 문제 줘",
        "자꾸 틀려",
        "받아올림이 무서워요",
        "힌트 줘",
        "동생이랑 같이 풀었어",
    ],
)
async def test_sums_after_a_danger_stay_sums(database: Database, message: str) -> None:
    own = safety(database)
    await own.check_message("아빠가 매를 들어요", CHILD, COACH, "m1")
    assert (await own.check_message(message, CHILD, COACH, "m2")).told is None


@pytest.mark.parametrize("message", ADULTS)
@pytest.mark.parametrize("before", [None, "우리 아이가 죽고 싶대요"])
async def test_a_question_of_an_adult_is_no_danger(database: Database, before: str | None, message: str) -> None:
    own, guardian = safety(database), Sender("guardian", "s1")
    if before is not None:
        assert (await own.check_message(before, guardian, COACH, "m1")).told is not None
    assert (await own.check_message(message, guardian, COACH, "m2")).told is None

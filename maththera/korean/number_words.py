"""The words of Korean numbers, the words that follow a number, and words that only look like a number."""

from collections.abc import Iterable
from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SINO_DIGITS: Final = {word: value for value, word in enumerate("영일이삼사오육칠팔구")} | {"공": 0, "륙": 6}
PLACES: Final = {"십": 10, "백": 100, "천": 1000}
MYRIADS: Final = {"만": 10_000, "억": 100_000_000}
NATIVE_TENS: Final = {
    word: 10 * tens
    for tens, word in enumerate(("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"), start=1)
} | {"스무": 20}
NATIVE_ONES: Final = {
    word: value
    for value, words in enumerate(
        ("하나 한 첫", "둘 두", "셋 세 석", "넷 네 넉", "다섯", "여섯", "일곱", "여덟 여덜", "아홉"), start=1
    )
    for word in words.split()
}
BEFORE_A_COUNTER: Final = frozenset({"한", "첫", "두", "세", "석", "네", "넉", "스무"})
"""Forms that occur only before a counter: alone, "네" is also "yes"."""
EITHER: Final = {
    "한두": (1, 2), "두세": (2, 3), "두서너": (2, 3, 4), "서너": (3, 4), "네댓": (4, 5), "너댓": (4, 5),
    "대여섯": (5, 6), "예닐곱": (6, 7), "일고여덟": (7, 8),
}  # fmt: skip
"""Words that mean one of two numbers."""

FIRST_SYLLABLES: Final = frozenset(
    word[0] for words in (SINO_DIGITS, PLACES, MYRIADS, NATIVE_TENS, NATIVE_ONES, EITHER) for word in words
)
"""The first syllables of numbers in words."""

NATIVE_COUNTERS: Final = _words("""
    개 명 마리 장 권 자루 송이 살 문제 문항 가지 그루 대 채 켤레 칸 조각 봉지 상자 시간 시 바퀴 묶음 줄 모둠 병
    잔 사람 달 배 쪽 군데 판 알 톨 다스 팩 세트 박스 바구니 접시 번째 째 번 걸음 자리 수 뼘 단계 주 건 부 쌍 통 해
    """)
SINO_COUNTERS: Final = _words("""
    원 월 일 분 초 년 학년 점 번 층 반 단 단원 단계 쪽 페이지 주일 주 개월 퍼센트 센티미터 센티 미터 킬로그램
    킬로 그램 리터 등 인분 회 차 번째 일째 년째 장 문제 문항 명 개 살 대 마리 권 세 자리
    """)
OTHER_WORDS: Final = frozenset(
    _words("""
    공개 공대 공부 공수 공원 공인 공장 공주 공통 공해 공회 구단 구도 구분 구월 구장 네모 네시 두부 두통 만세
    만수 만원 만일 만점 만화 백수 사단 사대 사도 사반 사부 사세 사수 사원 사월 사인 사자리 사장 사주 사회 삼대
    세대 세수 세월 십장 열대 열차 영도 영수 영원 영점 오대 오도 오리 오반 오세 오월 오장 오차 오해 육수 육회
    이개 이단 이달 이대 이반 이번 이분 이수 이일 이장 이점 이주 이쪽 이해 일단 일대 일등 일반 일부 일수 일원
    일주일 일해 일회 천대 천세 천장 칠판 팔자 한대 한번 한수 한시 한줄 한쪽 한판 한해
    """)
)
"""Everyday words that are spelled as a short number with its counter: "이번" is "this time"."""
AMBIGUOUS: Final = frozenset(
    _words("""
    공 공공 공사 구 구구 구만 구이 만 만이 만일 백 백일 사 사구 사사 사이 사천 열 영 영영 오 오만 오이 오일 이
    이만 이사 이일 이천 일 일구 일이 천 천만 천일 천천 팔 팔이
    """)
)
"""Numerals that are also other words or parts of them: "이" is a particle, "일" is work, "팔" an arm."""

PARTICLES: Final = _words("""
    이 가 은 는 을 를 에 에다 에다가 에서 에서는 의 로 으로 와 과 도 만 이나 나 랑 이랑 하고 부터 까지 보다 씩
    짜리 만큼 마다 까지는 부터는 에는 에서부터 으로는 로는 까지의 보다는 처럼 이라는 라는 중에 정도 쯤 이서
    """)
ENDINGS: Final = _words("""
    요 이요 예요 에요 이에요 이예요 입니다 입니까 이다 다 야 이야 임 인 죠 이죠 지 이지 지요 이지요 인데 인데요 인가
    인가요 인가여 일까 일까요 이니 니 냐 이냐 인지 같아 같아요 인것같아 인것같아요 라고 이라고 라고만 이라고만 라고요
    이라고요 래 이래 이라며 라며 이면 면 이니까 니까 이라서 라서 이었어 였어 이네 네 이네요 네요 이라 라 이여 여 이얌
    얌 이거든 거든 이잖아 잖아 인거야 인거지 인걸 인듯 이겠지 겠지 이란 란 이어야 여야 맞지 이랬어 랬어 일걸 일걸요
    더라 이더라 이라던데 라던데 이구나 구나 인줄 이고 고 이자나 자나 이자너 자너 맞아 맞나 맞죠 아니야
    """)


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))

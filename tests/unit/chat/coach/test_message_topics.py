"""Messages that go on with what was said before: which they are, and what they then mean."""

from typing import Final

import pytest

from maththera.chat.assistant.tool_routing import ToolRouter, resolve_follow_up
from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.message_entities import EntityReader
from maththera.chat.coach.message_topics import ResolvedMessage, Topic
from maththera.chat.config import load_config
from maththera.settings import home
from tests.support.coach import knowledge

FOLLOW_UPS: Final = load_config(home()).follow_ups
ROUTER: Final = ToolRouter.load(home())
READER: Final = EntityReader(knowledge())


@pytest.mark.parametrize(
    ("kind", "messages"),
    [
        (
            "easier",
            "더 쉽게 설명해줘|무슨 말인지 모르겠어|이해가 안 돼|좀 더 쉬운 말로 해 주세요|뭔 소리야?|천천히 말해 줘",
        ),
        ("example", "예를 들어줘|예를 들어 줄래?|예시 보여줘|또 다른 예"),
        ("why", "왜?|왜 그래?|왜 그런 거야?|왜 그렇게 돼?|근데 왜요?|이유가 뭐야?"),
        ("more", "자세히|더 자세하게 알려 주세요|좀 더 구체적으로"),
        ("again", "다시 설명해줘|한 번 더|계속|맞아?"),
        ("missed", "왜 틀렸어?|왜 아니야?|근데 왜 틀린 거야"),
        (
            "answer",
            "33 나왔어|14로 나왔는데|14|14야|14 맞아?|답은 14|정답은 14이에요!|14인가?|그럼 답이 35야?",
        ),
        (None, "8+6|3.5|1/2|14 15|-3|14번 문제|2015년|14, 15"),
        ("solve", "어떻게 풀어?|답이 뭐야?|답이 뭔데|다른 방법은 없어?|그건 어떻게 해?"),
        ("practise", "어떻게 연습해?|어떻게 하면 좋아져?"),
        ("problem", "문제 내줘|비슷한 문제 하나 더 줘|딴 거 줘|하나 더 풀래"),
        (
            None,
            "받아올림 설명해줘|왜 8+6은 14야?|그럼 곱셈은?|너무 어려워|수학은 왜 해?|내 약점 보여줘|설명|?",
        ),
    ],
)
def test_what_says_nothing_by_itself(kind: str | None, messages: str) -> None:
    assert {message: FOLLOW_UPS.kind(message) for message in messages.split("|")} == dict.fromkeys(
        messages.split("|"), kind
    )


WEAK: Final = "1. 받아내림이 있는 (십몇)−(몇)\n· 정확도 (40점)\n14−9는 5인데 15가 나온 적이 있어.\n2. 곱셈구구"
NEXT: Final = "다음에는 이 문제가 좋겠어.\n40+4=□ ('두 자리 수의 덧셈 (백 몇십 포함)')"


@pytest.mark.parametrize(
    ("kind", "question", "answer", "before", "wanted"),
    [
        ("easier", "받아올림이 뭐야?", "", "explanation", "explanation"),
        ("why", "8+6 내 답은 13이야", "", "worked_solution", "worked_solution"),
        ("why", "내 약점 보여줘", WEAK, "records", "explanation"),
        ("more", "내 약점 보여줘", WEAK, "records", "records"),
        ("practise", "내 약점 보여줘", WEAK, "records", "study_plan"),
        ("why", "다음에 뭘 풀까?", NEXT, "recommendation", "recommendation"),
        ("answer", "다음에 뭘 풀까?", NEXT, "recommendation", "worked_solution"),
        ("answer", "받아올림이 뭐야?", "", "explanation", "explanation"),
        ("easier", "다음에 뭘 풀까?", NEXT, "recommendation", "worked_solution"),
        ("problem", "받아올림이 뭐야?", "", "explanation", "recommendation"),
        ("why", "수학이 싫어", "", "encouragement", "encouragement"),
        ("missed", "내 점수 보여줘", "", "records", "worked_solution"),
    ],
)
def test_what_it_then_wants(kind: str, question: str, answer: str, before: Handling, wanted: str) -> None:
    assert ResolvedMessage(READER, "…", Topic(kind, question, answer, answer)).handling(before) == wanted


def test_what_it_then_names() -> None:
    missed = ResolvedMessage(READER, "왜?", Topic("why", "8+6 내 답은 13이야"))
    assert (missed.problems, missed.given) == ([{"expression": "8+6"}], 13)
    weak = ResolvedMessage(READER, "왜?", Topic("why", "내 약점 보여줘", WEAK, WEAK))
    assert (weak.units, weak.asks_weak_points) == (["Cur-C9"], True)
    own = ResolvedMessage(READER, "곱셈은?", Topic("why", "받아올림이 뭐야?"))
    assert own.units == ["Cur-C13"]
    assert ResolvedMessage(READER, "내 성적", Topic(None, "받아올림이 뭐야?")).units == []


def test_how_to_solve_means_the_problem_that_was_shown_last() -> None:
    topic = Topic("solve", "8+6이 뭐야?", "8+6=□ 문제를 같이 풀어 보자.", NEXT)
    assert ResolvedMessage(READER, "어떻게 풀어?", topic).problems == [{"expression": "40+4"}]


def test_a_number_answers_the_problem_that_was_shown_last() -> None:
    heard = ResolvedMessage(READER, "답은 44야!", Topic("answer", "다음에 뭘 풀까?", NEXT, NEXT))
    assert (heard.problems, heard.given) == ([{"expression": "40+4"}], 44)


@pytest.mark.parametrize(
    ("message", "earlier", "question", "tools", "difficulty"),
    [
        ("더 쉽게 설명해줘", ["받아올림이 뭐야?"], "받아올림이 뭐야?", ("glossary",), "easy"),
        ("자세히", ["더 쉽게 설명해줘", "받아올림이 뭐야?"], "받아올림이 뭐야?", ("glossary",), "hard"),
        ("그럼 곱셈은?", ["왜?", "받아올림이 뭐야?"], "그럼 곱셈은?", ("glossary",), None),
        ("예를 들어줘", ["그럼 곱셈은?", "받아올림이 뭐야?"], "그럼 곱셈은?", ("glossary",), None),
        ("왜?", ["자릿값을 설명하고 저장해줘"], "자릿값을 설명하고 저장해줘", ("glossary",), None),
        ("왜?", ["저장해줘", "수 감각 논문 찾아줘"], "수 감각 논문 찾아줘", ("search_paper",), None),
        ("왜?", ["오늘 뭐 하지"], "오늘 뭐 하지", None, None),
        ("왜?", [], "왜?", None, None),
        ("논문도 찾아줘", ["자릿값이 뭐야?"], "자릿값이 뭐야?", ("search_paper",), None),
        ("논문도 찾아줘", [], "논문도 찾아줘", ("search_paper",), None),
        ("요약해줘", ["받아올림이 뭐야?"], "요약해줘", ("summarize",), None),
        ("그럼 이번 달은?", ["지난달 정답률 알려줘"], "그럼 이번 달은?", ("text2sql",), None),
        ("더 쉽게 설명해줘", [], "더 쉽게 설명해줘", ("glossary",), None),
    ],
)
def test_what_the_assistant_is_asked(
    message: str, earlier: list[str], question: str, tools: tuple[str, ...] | None, difficulty: str | None
) -> None:
    meant = resolve_follow_up(message, earlier, ROUTER, FOLLOW_UPS)
    assert (meant.question, meant.pipeline and meant.pipeline.tools, meant.difficulty) == (question, tools, difficulty)


def test_what_is_asked_again_is_the_question_that_was_whole() -> None:
    earlier = ["그럼 지난주는?", "이번 주 정답률 알려줘"]
    assert resolve_follow_up("그럼 지난달은?", earlier, ROUTER, FOLLOW_UPS).before == "이번 주 정답률 알려줘"
    assert resolve_follow_up("자세히", earlier, ROUTER, FOLLOW_UPS).before == "이번 주 정답률 알려줘"
    assert resolve_follow_up("이번 주 정답률 알려줘", earlier, ROUTER, FOLLOW_UPS).before == ""

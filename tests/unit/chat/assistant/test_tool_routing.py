from pathlib import Path

import pytest

from maththera.chat.assistant.tool_routing import DEFAULT_PIPELINE, Pattern, ToolRouter
from maththera.config_files import ConfigError
from maththera.llm.time_budget import Budget
from maththera.settings import home
from tests.support import chatting
from tests.support.speaking_llm import SpeakingLlm

SHIPPED = ToolRouter.load(home())


@pytest.mark.parametrize(
    ("question", "tools"),
    [
        ("왜 딥러닝을 사용하는거야?", ("general",)),
        ("왜 받아올림을 하는 거야", ("general",)),
        ("Quantum Attention이 뭐야?", ("glossary",)),
        ("자릿값의 뜻을 알려줘", ("glossary",)),
        ("받아올림과 받아내림의 차이", ("glossary",)),
        ("xyz123 논문 찾아줘", ("search_paper",)),
        ("난산증 논문 추천해줘", ("search_paper",)),
        ("수 감각 선행 연구 있어?", ("search_paper",)),
        ("find papers on number line training", ("search_paper",)),
        ("ANS와 수학 성취 meta-analysis 있나요?", ("search_paper",)),
        ("난산증과 난독증 동반 논문", ("search_paper",)),
        ("subitizing 정의", ("glossary",)),
        ("수학 불안 연구 찾아서 요약해줘", ("search_paper", "summarize")),
        ("설명해 주신 거 저장해 주세요", ("save_file",)),
        ("난산증 최신 통계 검색해줘", ("web_search",)),
        ("이번 주에 문제를 가장 많이 푼 학생은?", ("text2sql",)),
        ("2030년 논문 몇 개?", ("text2sql",)),
        ("지난달 단원별 정답률 알려줘", ("text2sql",)),
        ("우리 반이 가장 많이 틀린 단원이 뭐야?", ("text2sql",)),
        ("이번 주에 틀린 문제가 가장 많은 단원은?", ("text2sql",)),
        ("우리 반에서 받아올림을 어려워하는 학생은?", ("text2sql",)),
        ("우리 아이 약점이 뭐야?", ("text2sql",)),
        ("우리 반 학생들이 자주 하는 실수는?", ("text2sql",)),
        ("우리 아이 요즘 어때요?", ("text2sql",)),
        ("논문 목록 보여줘", ("text2sql",)),
        ("s1 성적 알려줘", ("text2sql",)),
        ("웹에서 난산증 소식 찾아줘", ("web_search",)),
        ("이 글 요약해줘", ("summarize",)),
        ("방금 답 저장해줘", ("save_file",)),
        ("GPT가 뭔지 설명하고 저장해줘", ("glossary", "save_file")),
        ("난산증 논문 찾아서 요약하고 저장해줘", ("search_paper", "summarize", "save_file")),
        ("난산증 논문 요약해줘", ("search_paper", "summarize")),
        ("정답률 알려주고 저장해줘", ("text2sql", "save_file")),
    ],
)
def test_patterns(question: str, tools: tuple[str, ...]) -> None:
    found = SHIPPED.route(question)
    assert found is not None
    assert found.tools == tools


@pytest.mark.parametrize("question", ["안녕", "오늘 점심 뭐 먹을까?", "", "ㅋㅋㅋ"])
def test_what_no_pattern_knows(question: str) -> None:
    assert SHIPPED.route(question) is None


def test_the_pattern_of_the_requirements_is_there() -> None:
    (why,) = [pattern for pattern in SHIPPED.patterns if pattern.name == "simple_why"]
    assert why.priority == 150
    assert why.keywords == ("왜",)
    assert why.exclude_keywords == ("논문", "검색", "찾아", "저장")
    assert SHIPPED.route("왜 이 논문을 쓰는거야? 찾아줘").tools == ("search_paper",)  # type: ignore[union-attr]


def test_the_higher_priority_wins_then_the_first() -> None:
    low = Pattern(name="low", keywords=("가",), tools=("web_search",), priority=1)
    high = Pattern(name="high", keywords=("가",), tools=("glossary",), priority=2)
    same = Pattern(name="same", keywords=("가",), tools=("general",), priority=2)
    found = ToolRouter((low, high, same)).route("가")
    assert found is not None
    assert (found.name, found.priority) == ("high", 2)


def test_spaces_width_and_capitals_do_not_matter() -> None:
    router = ToolRouter((Pattern(name="x", keywords=("Quantum Attention",), tools=("glossary",), priority=1),))
    for question in ("quantumattention", "QUANTUM  ATTENTION", "Ｑｕａｎｔｕｍ attention"):
        assert router.route(question) is not None


def test_faults_of_the_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "configs" / "chat" / "assistant").mkdir(parents=True)
    file = tmp_path / "configs" / "chat" / "assistant" / "multi_request_patterns.yaml"
    file.write_text("patterns:\n  - {name: x, tools: [general], priority: 1}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="needs keywords or any_of_keywords"):
        ToolRouter.load(tmp_path)
    file.write_text("patterns:\n  - {name: x, keywords: [' '], tools: [oven], priority: 1}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        ToolRouter.load(tmp_path)
    assert "tools" in str(refused.value)
    assert "a keyword needs a letter" in str(refused.value)


async def test_a_model_chooses_where_no_pattern_does() -> None:
    with SpeakingLlm([], plain={"tools": ["search_paper", "summarize"], "reasoning": "글을 찾아 요약한다."}) as llm:
        models = chatting.models(llm.base_url)
        found = await SHIPPED.choose("수 감각 글 정리", models, Budget(20))
        await models.aclose()
    assert found.tools == ("search_paper", "summarize")
    assert found.name == "model"


@pytest.mark.parametrize("plain", [{"tools": ["rm -rf"], "reasoning": ""}, {"tools": []}, ["x"]])
async def test_a_model_that_makes_up_a_tool_is_not_listened_to(plain: object) -> None:
    with SpeakingLlm([], plain=plain) as llm:
        models = chatting.models(llm.base_url)
        assert await SHIPPED.choose("점심 뭐 먹지", models, Budget(20)) == DEFAULT_PIPELINE
        await models.aclose()


async def test_no_model_no_choice() -> None:
    assert await SHIPPED.choose("점심 뭐 먹지", chatting.models(), Budget(1)) == DEFAULT_PIPELINE

"""Summaries, web search, saved files and the tool that always answers."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from maththera.chat import general, saved_files, summaries
from maththera.chat.assistant_tools import AssistantTexts
from maththera.chat.general import General
from maththera.chat.glossary import Glossary, Question
from maththera.chat.levels import NAMES
from maththera.chat.saved_files import Saving
from maththera.chat.summaries import Summaries, summary
from maththera.chat.tools import Asker, ToolFailed
from maththera.chat.web import Page, Web, search_web
from maththera.learners.access import Principal
from maththera.learners.database import Database
from maththera.learners.saved_files import SavedFiles
from maththera.learners.tables import utc_now
from maththera.learners.tables_papers import saved_files as saved_table
from maththera.settings import home

TEXTS = AssistantTexts.load(home() / "configs")
GLOSSARY = Glossary.load(home())
TEACHER = Principal("t1", "teacher", frozenset({"s1", "민수"}))
ASKER = Asker(TEACHER, None)
TEXT = (
    "받아올림은 한 자리의 합이 10을 넘을 때 일어난다. 오늘은 날씨가 좋았다. 받아올림에서는 10을 윗자리의 1로 바꾼다. "
    "점심에는 국수를 먹었다. 아이들은 받아올림의 1을 자주 빠뜨린다."
)


# --- summaries ---------------------------------------------------------------------------------------------------


def test_a_summary_keeps_what_a_text_is_about_in_its_order() -> None:
    found = summary(TEXT, 2)
    assert all("받아올림" in sentence for sentence in found)
    assert [TEXT.index(sentence) for sentence in found] == sorted(TEXT.index(sentence) for sentence in found)


@pytest.mark.parametrize("text", ["짧다", "한 줄", "ㅋ" * 5000, "a\n" * 3000, "!?" * 100])
def test_a_summary_of_anything_is_something(text: str) -> None:
    found = summary(text, 3)
    assert 1 <= len(found) <= 3
    assert all(found)


def test_a_summary_does_not_say_the_same_twice() -> None:
    assert len(summary("받아올림은 10을 넘을 때 일어난다. 받아올림은 10을 넘을 때 꼭 일어난다.", 2)) == 1


async def test_what_is_summed_up() -> None:
    tool = Summaries(TEXTS.summaries).tool()
    result = await tool.call(ASKER, summaries.Asked(question="요약해줘", text=TEXT))
    lines = {level: result["answers"][level].count("\n") for level in NAMES}
    assert lines["elementary"] < lines["advanced"]
    quoted = await tool.call(ASKER, summaries.Asked(question=f"이 글 요약해줘: {TEXT}", text="앞의 답"))
    assert quoted["material"] == TEXT
    for text in (None, "", "  "):
        with pytest.raises(ToolFailed, match="요약할 글"):
            await tool.call(ASKER, summaries.Asked(question="요약해줘", text=text))


# --- the web -----------------------------------------------------------------------------------------------------


def web(answer: Any) -> tuple[Web, list[str]]:
    asked: list[str] = []

    def search(query: str) -> Sequence[Page]:
        asked.append(query)
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

    return Web(TEXTS.web, search), asked


async def test_pages_are_told_with_their_addresses() -> None:
    tool, asked = web([{"title": "난산증", "href": "https://example.org/a", "body": "수를\n배우는 어려움"}])
    result = await tool.tool().call(ASKER, Question(question="웹에서 난산증 찾아줘"))
    assert asked == ["난산증"]
    assert all("https://example.org/a" in result["answers"][level] for level in NAMES)
    assert result["material"] == "[난산증] 수를 배우는 어려움"


@pytest.mark.parametrize(
    "page",
    [{"title": "x", "href": "javascript:alert(1)", "body": ""}, {"title": "x", "href": "file:///etc/passwd"}, {}],
)
async def test_what_is_no_address_of_the_web_is_left_out(page: Page) -> None:
    tool, _ = web([page])
    assert (await tool.tool().call(ASKER, Question(question="난산증")))["answers"] == {}


@pytest.mark.parametrize("error", [OSError("no network"), RuntimeError("rate limit"), ValueError("html")])
async def test_a_search_that_fails_is_a_failure(error: Exception) -> None:
    tool, _ = web(error)
    with pytest.raises(ToolFailed, match="웹에서 찾을 수 없습니다"):
        await tool.tool().call(ASKER, Question(question="난산증"))


async def test_learners_are_not_named_to_a_search_engine() -> None:
    tool, asked = web([])
    await tool.tool().call(Asker(TEACHER, "s1"), Question(question="s1 학생과 민수의 받아올림 자료 s12 찾아줘"))
    (query,) = asked
    assert "민수" not in query
    assert "s1 " not in query
    assert "받아올림" in query


async def test_a_question_with_nothing_to_look_for_is_not_sent() -> None:
    tool, asked = web([])
    assert (await tool.tool().call(ASKER, Question(question="검색해줘")))["answers"] == {}
    assert asked == []


def test_without_a_network_the_search_gives_up_at_once() -> None:
    with pytest.raises(Exception, match="must not reach"):  # what tests have in place of a network
        search_web("난산증")


# --- saved files -------------------------------------------------------------------------------------------------


@pytest.fixture
def files(empty: Database) -> SavedFiles:
    return SavedFiles(empty)


async def test_an_answer_is_saved_for_its_owner_alone(files: SavedFiles) -> None:
    tool = Saving(files, TEXTS.saving).tool()
    result = await tool.call(ASKER, saved_files.Asked(question="받아올림이 뭔지 저장해줘", text="10이 되면 올려요."))
    file_id = result["file"]["file_id"]
    found = await files.find(TEACHER, file_id)
    assert found is not None
    assert found.text == "# 받아올림이 뭔지 저장해줘\n\n10이 되면 올려요.\n"
    for other in (Principal("t2", "teacher", TEACHER.subject), Principal("a", "admin")):
        assert await files.find(other, file_id) is None
    assert await files.find(TEACHER, "0" * 32) is None


async def test_what_is_about_a_learner_who_left_is_closed(files: SavedFiles) -> None:
    made = await files.save(TEACHER, "s1", "x.md", "s1에 대한 답", timedelta(days=1))
    assert await files.find(TEACHER, made.file_id) is not None
    assert await files.find(Principal("t1", "teacher"), made.file_id) is None


async def test_files_end_with_their_time(files: SavedFiles, empty: Database) -> None:
    made = await files.save(TEACHER, None, "x.md", "답", timedelta(days=1))
    past = update(saved_table).values(expires_at=utc_now())
    await empty.write(lambda connection: connection.execute(past))
    assert await files.find(TEACHER, made.file_id) is None
    await files.save(TEACHER, None, "y.md", "답", timedelta(days=1))
    ids = await empty.run(lambda connection: connection.execute(select(saved_table.c.file_id)))
    assert made.file_id not in ids.scalars().all()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("받아올림이 뭔지 설명하고 저장해줘", "받아올림.md"),
        ("난산증 논문 찾아서 저장해줘", "난산증.md"),
        ("../../etc/passwd 저장해줘", "etc-passwd.md"),
        ("C:\\Windows\\system32 저장", "C-Windows-system32.md"),
        ("저장해줘", "답변.md"),
        ("방금 답 저장해줘", "답변.md"),
        ("💾", "답변.md"),
        ("자릿값 " * 60, ""),
    ],
)
def test_a_name_comes_from_the_question_and_is_no_path(files: SavedFiles, question: str, name: str) -> None:
    found = Saving(files, TEXTS.saving).name(question)
    assert found == name or not name
    assert len(found) <= 43
    assert not set(found) & set("/\\:\0\n\r\"'")
    assert ".." not in found


async def test_there_is_nothing_to_save(files: SavedFiles) -> None:
    for text in (None, "", " \n"):
        with pytest.raises(ToolFailed, match="저장할 답이 없어요"):
            await Saving(files, TEXTS.saving).tool().call(ASKER, saved_files.Asked(question="저장해줘", text=text))


# --- general -----------------------------------------------------------------------------------------------------


async def _none(_: str, __: int) -> Sequence[general.Titled]:
    return ()


async def _lost(_: str, __: int) -> Sequence[general.Titled]:
    raise OSError("the store is lost")


@pytest.mark.parametrize("papers", [_none, _lost])
@pytest.mark.parametrize(
    "question",
    ["안녕", "고마워!", "오늘 점심 뭐 먹을까?", "왜 받아올림을 하는거야", "", "ㅋㅋㅋ", "{places} {0}", "가" * 4000],
)
@pytest.mark.parametrize("failed", [[], ["text2sql", "search_paper", "web_search"], ["glossary"]])
async def test_general_always_answers(papers: general.NearestPapers, question: str, failed: list[Any]) -> None:
    tool = General(TEXTS.general, GLOSSARY, papers).tool()
    result = await tool.call(ASKER, general.Asked(question=question, failed=failed))
    assert all(result["answers"][level].strip() for level in NAMES)
    assert result["material"] == ""


async def test_general_says_where_it_looked_and_what_is_near() -> None:
    tool = General(TEXTS.general, GLOSSARY, _none).tool()
    result = await tool.call(ASKER, general.Asked(question="바다올림이 뭐야", failed=["glossary"]))
    assert "용어집" in result["answers"]["beginner"]
    assert result["nearest"][0] == "받아올림"
    assert "받아올림:" in result["answers"]["elementary"]


async def test_a_greeting_is_greeted() -> None:
    tool = General(TEXTS.general, GLOSSARY, _none).tool()
    greeted = await tool.call(ASKER, general.Asked(question="안녕하세요!"))
    assert greeted["answers"] == TEXTS.general.greetings.answers
    asked = await tool.call(ASKER, general.Asked(question="안녕, 오늘 점심 메뉴 추천해줘"))
    assert asked["answers"] != TEXTS.general.greetings.answers

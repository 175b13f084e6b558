"""Summaries, web search, saved files and the tool that always answers."""

import unicodedata
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, ClassVar

import pytest
from sqlalchemy import select, update

from maththera.chat.assistant import general_answers, saved_files, summaries
from maththera.chat.assistant.advice_answers import AnswerBook
from maththera.chat.assistant.assistant_tools import AssistantTexts
from maththera.chat.assistant.general_answers import GeneralTool
from maththera.chat.assistant.saved_files import SaveFileTool
from maththera.chat.assistant.summaries import SummaryTool, summary
from maththera.chat.assistant.web_search import Page, WebSearchTool, search_web
from maththera.chat.assistant.web_search import WebSearchArguments as WebAsked
from maththera.chat.messages.answer_levels import LEVEL_NAMES
from maththera.chat.messages.chat_tools import Asker, ToolFailed, ToolRefused
from maththera.chat.papers.glossary import Glossary
from maththera.settings import home
from maththera.store import conversations
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.personal_data.erasure import ErasureRecords
from maththera.store.personal_data.student_names import StudentNames
from maththera.store.saved_files import SavedFile, SavedFiles
from maththera.store.schema import utc_now

TEXTS = AssistantTexts.load(home() / "configs")
GLOSSARY = Glossary.load(home())
ADVICE = AnswerBook.load(home())
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


class Shelf:
    """Two papers, 가 and 나."""

    TEXTS: ClassVar[dict[str, str]] = {
        "논문 가": "손가락 세기는 좋은 발판이다.",
        "논문 나": "수직선 놀이는 수 감각을 키운다.",
    }

    async def titles_in(self, text: str) -> list[str]:
        return sorted((title for title in self.TEXTS if title in text), key=text.index)

    async def texts_of(self, titles: Sequence[str]) -> list[str]:
        return [self.TEXTS[title] for title in titles]

    async def texts_on(self, question: str) -> list[str]:
        return [text for title, text in self.TEXTS.items() if any(topic in text for topic in self.topics(question))]

    def topics(self, question: str) -> list[str]:
        return [topic for topic in ("손가락", "수직선", "분수") if topic in question]


async def test_a_summary_is_of_the_subject_that_is_named() -> None:
    tool = SummaryTool(TEXTS.summaries, Shelf()).tool()

    async def told(question: str, *earlier: str) -> str:
        asked = summaries.SummaryArguments(question=question, text="나누어 연습하면 오래 남는다.", earlier=[*earlier])
        return str((await tool.call(ASKER, asked))["answers"]["beginner"])

    assert "수직선 놀이" in await told("수직선 내용 간추려 줘")
    assert "나누어" in await told("간추려 줘")
    with pytest.raises(ToolFailed, match="요약할 글"):
        await told("분수 요약해줘")


def test_one_line_is_of_what_was_asked_for() -> None:
    text = "수량을 견주는 일은 어렵다. 수량과 기호를 잇는 일이 어렵다는 설명이 많다. 뺄셈 오류는 규칙을 따른다."
    assert summary(text, 1, ["뺄셈", "오류"]) == ["뺄셈 오류는 규칙을 따른다."]


def test_what_a_text_cites_is_no_part_of_its_summary() -> None:
    cited = "Kim, H. (2001). Carrying and borrowing. Journal of Sums, 3, 1–9.\n\nLee, D. (1999). Sums of ten. Press."
    told = " ".join(summary(f"{TEXT}\n\n읽을거리\n\n{cited}", 9))
    assert not any(part in told for part in ("Carrying", "Journal", "Kim", "Sums", "Press"))


async def test_a_paper_that_the_answer_before_lists_is_summed_up_from_its_own_text() -> None:
    tool, listed = SummaryTool(TEXTS.summaries, Shelf()).tool(), "- 논문 나: …\n- 논문 가: …"

    async def told(question: str) -> str:
        result = await tool.call(ASKER, summaries.SummaryArguments(question=question, text=listed))
        return str(result["answers"]["beginner"])

    assert "손가락" in await told("두 번째 거 요약해줘")
    assert "손가락" not in await told("첫번째 논문 요약해줘")
    assert (await told("결론만 한 줄로")).count("\n- ") == 1
    with pytest.raises(ToolFailed, match="그런 항목이 없어요"):
        await told("세 번째 글 요약해줘")


async def test_what_is_summed_up() -> None:
    tool = SummaryTool(TEXTS.summaries, Shelf()).tool()
    result = await tool.call(ASKER, summaries.SummaryArguments(question="요약해줘", text=TEXT))
    lines = {level: result["answers"][level].count("\n") for level in LEVEL_NAMES}
    assert lines["elementary"] < lines["advanced"]
    quoted = await tool.call(ASKER, summaries.SummaryArguments(question=f"이 글 요약해줘: {TEXT}", text="앞의 답"))
    assert quoted["material"] == TEXT
    for text in (None, "", "  "):
        with pytest.raises(ToolFailed, match="요약할 글"):
            await tool.call(ASKER, summaries.SummaryArguments(question="요약해줘", text=text))


# --- the web -----------------------------------------------------------------------------------------------------


@pytest.fixture
async def learners(empty: Database) -> StudentNames:
    """s1 and others are known by tokens, 지우 by a conversation."""
    await AccessTokens(empty).create("teacher", ["s1", "민수", "7", "a.b@c"])
    said = conversations.ConversationTurn("r", "안녕", "안녕!", {})
    await conversations.Conversations(empty).append(conversations.Thread("t", "coach", "지우", None), 1, said)
    return StudentNames(empty)


Make = Callable[[Any], tuple[WebSearchTool, list[str]]]


@pytest.fixture
def web(learners: StudentNames) -> Make:
    def make(answer: Any) -> tuple[WebSearchTool, list[str]]:
        asked: list[str] = []

        def search(query: str) -> Sequence[Page]:
            asked.append(query)
            if isinstance(answer, Exception):
                raise answer
            return list(answer)

        return WebSearchTool(TEXTS.web, learners, search), asked

    return make


async def test_pages_are_told_with_their_addresses(web: Make) -> None:
    tool, asked = web([{"title": "난산증", "href": "https://example.org/a", "body": "수를\n배우는 어려움"}])
    result = await tool.tool().call(ASKER, WebAsked(question="웹에서 난산증 찾아줘"))
    assert asked == ["난산증"]
    assert all("https://example.org/a" in result["answers"][level] for level in LEVEL_NAMES)
    assert result["material"] == "[난산증] 수를 배우는 어려움"


@pytest.mark.parametrize(
    "page",
    [{"title": "x", "href": "javascript:alert(1)", "body": ""}, {"title": "x", "href": "file:///etc/passwd"}, {}],
)
async def test_what_is_no_address_of_the_web_is_left_out(web: Make, page: Page) -> None:
    tool, _ = web([page])
    assert (await tool.tool().call(ASKER, WebAsked(question="난산증")))["answers"] == {}


@pytest.mark.parametrize("error", [OSError("no network"), RuntimeError("rate limit"), ValueError("html")])
async def test_a_search_that_fails_is_a_failure(web: Make, error: Exception) -> None:
    tool, _ = web(error)
    with pytest.raises(ToolFailed, match="웹에서 찾을 수 없습니다"):
        await tool.tool().call(ASKER, WebAsked(question="난산증"))


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("s1 학생과 민수의 받아올림 자료 s12 찾아줘", "학생과 의 받아올림 자료 s12"),
        ("김민수에게 줄 받아올림 자료", "김 에게 줄 받아올림 자료"),
        ("S1에게 줄 자료", "에게 줄 자료"),
        ("ｓ１에게 줄 자료", "에게 줄 자료"),
        (unicodedata.normalize("NFD", "지우에게 줄 자료"), "에게 줄 자료"),
        ("a.b@c의 놀이 자료", "의 놀이 자료"),
        ("7단 외우는 놀이", "7단 외우는 놀이"),  # a number speaks of nobody
    ],
)
@pytest.mark.parametrize("who", [ASKER, Asker(Principal("a", "admin"), None), Asker(TEACHER, "s1")])
async def test_no_learner_is_named_to_a_search_engine(web: Make, who: Asker, question: str, query: str) -> None:
    """Whoever asks, and whoever's learner it is."""
    tool, asked = web([])
    await tool.tool().call(who, WebAsked(question=question))
    assert asked == [query]


@pytest.mark.parametrize(
    ("question", "failed"),
    [
        ("민수 정답률 웹에서 찾아줘", []),
        ("지우는 요즘 어때?", []),
        ("우리 반 성적 인터넷에서 찾아줘", []),
        ("제 아이가 공부했는지 구글에서 찾아줘", []),
        ("철수 점수 알려줘", []),
        ("가장 많이 틀리는 단원", ["search_paper"]),
        ("요즘 어때?", ["text2sql", "search_paper"]),
        ("이 학생 논문 몇 개?", ["text2sql"]),
    ],
)
async def test_no_question_about_records_leaves_the_house(web: Make, question: str, failed: list[Any]) -> None:
    tool, asked = web([])
    with pytest.raises(ToolRefused, match="학습 기록에 대한 질문"):
        await tool.tool().call(ASKER, WebAsked(question=question, failed=failed))
    assert asked == []


@pytest.mark.parametrize(
    ("question", "failed"),
    [
        ("2030년 논문 몇 개?", ["text2sql", "search_paper"]),
        ("수학 성적과 불안에 대한 연구 찾아줘", ["search_paper"]),
        ("수학 성적 올리는 놀이 웹에서 찾아줘", []),
        ("우리 반에서 할 수 있는 놀이 찾아줘", []),
    ],
)
async def test_what_is_about_nobodys_records_is_looked_for(web: Make, question: str, failed: list[Any]) -> None:
    tool, asked = web([])
    await tool.tool().call(ASKER, WebAsked(question=question, failed=failed))
    assert len(asked) == 1


async def test_a_question_with_nothing_to_look_for_is_not_sent(web: Make) -> None:
    tool, asked = web([])
    assert (await tool.tool().call(ASKER, WebAsked(question="검색해줘")))["answers"] == {}
    assert asked == []


def test_without_a_network_the_search_gives_up_at_once() -> None:
    with pytest.raises(Exception, match="must not reach"):  # what tests have in place of a network
        search_web("난산증")


# --- saved files -------------------------------------------------------------------------------------------------


@pytest.fixture
def files(empty: Database) -> SavedFiles:
    return SavedFiles(empty)


@pytest.fixture
def saving(files: SavedFiles, learners: StudentNames) -> SaveFileTool:
    return SaveFileTool(files, learners, TEXTS.saving)


async def test_an_answer_is_saved_for_its_owner_alone(files: SavedFiles, saving: SaveFileTool) -> None:
    tool = saving.tool()
    result = await tool.call(
        ASKER, saved_files.SaveFileArguments(question="받아올림이 뭔지 저장해줘", text="10이 되면 올려요.")
    )
    file_id = result["file"]["file_id"]
    found = await files.find(TEACHER, file_id)
    assert found is not None
    assert found.text == "# 받아올림이 뭔지 저장해줘\n\n10이 되면 올려요.\n"
    for other in (Principal("t2", "teacher", TEACHER.subject), Principal("a", "admin")):
        assert await files.find(other, file_id) is None
    assert await files.find(TEACHER, "0" * 32) is None


async def test_a_file_that_names_a_learner_is_erased_with_them(
    files: SavedFiles, saving: SaveFileTool, empty: Database
) -> None:
    asked = saved_files.SaveFileArguments(question="민수의 정답률 저장해줘", text="80%예요.")
    made = (await saving.tool().call(ASKER, asked))["file"]
    assert "민수" in made["name"]
    assert await files.find(TEACHER, made["file_id"]) is not None
    await ErasureRecords(empty).student("민수")
    assert await files.find(TEACHER, made["file_id"]) is None


@pytest.mark.parametrize(
    ("about", "kept", "gone"),
    [(None, [], ["s1", "민수", "지우"]), ("s1", ["s1"], ["민수", "지우"])],
)
async def test_a_file_speaks_of_one_learner_at_most(
    files: SavedFiles, saving: SaveFileTool, about: str | None, kept: list[str], gone: list[str]
) -> None:
    asked = saved_files.SaveFileArguments(question="민수와 s1 비교 저장해줘", text="민수는 8+7, s1은 7단, 지우는 s12.")
    made = (await saving.tool().call(Asker(TEACHER, about), asked))["file"]
    found = await files.find(TEACHER, made["file_id"])
    assert found is not None
    said = f"{made['name']} {found.text}".replace("s12", "")
    assert [each for each in (*kept, *gone) if each in said] == kept
    assert "8+7" in said
    assert "7단" in said


async def test_somebody_elses_learner_is_not_spoken_of(files: SavedFiles, saving: SaveFileTool) -> None:
    made = (await saving.tool().call(ASKER, saved_files.SaveFileArguments(question="저장해줘", text="지우 이야기")))[
        "file"
    ]
    found = await files.find(TEACHER, made["file_id"])
    assert found is not None
    assert "지우" not in found.text


async def test_what_is_about_a_learner_who_left_is_closed(files: SavedFiles) -> None:
    made = await files.save(TEACHER, "s1", "x.md", "s1에 대한 답", timedelta(days=1))
    assert await files.find(TEACHER, made.file_id) is not None
    assert await files.find(Principal("t1", "teacher"), made.file_id) is None


async def test_files_end_with_their_time(files: SavedFiles, empty: Database) -> None:
    made = await files.save(TEACHER, None, "x.md", "답", timedelta(days=1))
    past = update(SavedFile).values(expires_at=utc_now())
    await empty.write(lambda connection: connection.execute(past))
    assert await files.find(TEACHER, made.file_id) is None
    await files.save(TEACHER, None, "y.md", "답", timedelta(days=1))
    ids = await empty.run(lambda connection: connection.execute(select(SavedFile.file_id)))
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
def test_a_name_comes_from_the_question_and_is_no_path(saving: SaveFileTool, question: str, name: str) -> None:
    found = f"{saving.name(question)}.md"
    assert found == name or not name
    assert len(found) <= 43
    assert not set(found) & set("/\\:\0\n\r\"'")
    assert ".." not in found


async def test_there_is_nothing_to_save(saving: SaveFileTool) -> None:
    for text in (None, "", " \n"):
        with pytest.raises(ToolFailed, match="저장할 답이 없어요"):
            await saving.tool().call(ASKER, saved_files.SaveFileArguments(question="저장해줘", text=text))


# --- general -----------------------------------------------------------------------------------------------------


async def _recorded(_: Asker) -> bool:
    return True


async def _unrecorded(_: Asker) -> bool:
    return False


async def _none(_: str, __: int) -> Sequence[general_answers.Titled]:
    return ()


async def _lost(_: str, __: int) -> Sequence[general_answers.Titled]:
    raise OSError("the store is lost")


@pytest.mark.parametrize("papers", [_none, _lost])
@pytest.mark.parametrize(
    "question",
    ["안녕", "고마워!", "오늘 점심 뭐 먹을까?", "왜 받아올림을 하는거야", "", "ㅋㅋㅋ", "{places} {0}", "가" * 4000],
)
@pytest.mark.parametrize("failed", [[], ["text2sql", "search_paper", "web_search"], ["glossary"]])
async def test_general_always_answers(papers: general_answers.NearestPapers, question: str, failed: list[Any]) -> None:
    tool = GeneralTool(TEXTS.general, GLOSSARY, papers, ADVICE, _recorded).tool()
    result = await tool.call(ASKER, general_answers.GeneralArguments(question=question, failed=failed))
    assert all(result["answers"][level].strip() for level in LEVEL_NAMES)
    assert result["material"] == ""


@pytest.mark.parametrize(
    ("reasons", "said", "unsaid"),
    [
        ({"glossary": "timeout"}, "제때 답을 받지 못했어요", "찾지 못했어요"),
        ({"web_search": "error"}, "지금 찾아볼 수 없었어요", "찾지 못했어요"),
        ({"search_paper": "empty"}, "찾지 못했어요", "제때"),
    ],
)
async def test_what_did_not_answer_is_not_said_to_have_nothing(reasons: Any, said: str, unsaid: str) -> None:
    tool = GeneralTool(TEXTS.general, GLOSSARY, _none, ADVICE, _recorded).tool()
    asked = general_answers.GeneralArguments(question="브로콜리", failed=[*reasons], reasons=reasons)
    answer = (await tool.call(ASKER, asked))["answers"]["beginner"]
    assert said in answer
    assert unsaid not in answer


async def test_what_has_just_failed_is_not_offered() -> None:
    tool = GeneralTool(TEXTS.general, GLOSSARY, _none, ADVICE, _recorded).tool()
    for failed, offer in TEXTS.general.offers.items():
        asked = general_answers.GeneralArguments(question="브로콜리", failed=[failed], reasons={failed: "empty"})
        answers = (await tool.call(ASKER, asked))["answers"]
        assert all(offer not in answer for answer in answers.values())
        others = [other for tool_name, other in TEXTS.general.offers.items() if tool_name != failed]
        assert all(other in answers["beginner"] for other in others)


async def test_a_question_about_records_is_offered_only_where_there_are_any() -> None:
    asked = general_answers.GeneralArguments(
        question="브로콜리", failed=["web_search"], reasons={"web_search": "error"}
    )
    for has_records, count in ((_recorded, 1), (_unrecorded, 0)):
        tool = GeneralTool(TEXTS.general, GLOSSARY, _none, ADVICE, has_records).tool()
        answer = (await tool.call(ASKER, asked))["answers"]["beginner"]
        assert answer.count(TEXTS.general.offers["text2sql"]) == count
        assert TEXTS.general.offers["search_paper"] in answer


async def test_general_says_where_it_looked_and_what_is_near() -> None:
    tool = GeneralTool(TEXTS.general, GLOSSARY, _none, ADVICE, _recorded).tool()
    result = await tool.call(ASKER, general_answers.GeneralArguments(question="바다올림이 뭐야", failed=["glossary"]))
    assert "용어집" in result["answers"]["beginner"]
    assert result["nearest"][0] == "받아올림"
    assert "받아올림:" in result["answers"]["elementary"]


async def test_a_table_is_saved_as_a_spreadsheet_opens_it(saving: SaveFileTool, files: SavedFiles) -> None:
    table = "| 문제 | 답 |\n| --- | --- |\n| 47+36 | 73 |\n| =1+1 | 2 |"
    asked = saved_files.SaveFileArguments(question="엑셀로 저장해줘", text=table)
    result = await saving.tool().call(ASKER, asked)
    found = await files.find(ASKER.principal, result["file"]["file_id"])
    assert found is not None
    assert found.name.endswith(".csv")
    assert found.text == "\ufeff문제,답\r\n47+36,73\r\n'=1+1,2\r\n"


async def test_a_form_that_is_not_made_is_said(saving: SaveFileTool) -> None:
    asked = saved_files.SaveFileArguments(question="pdf로 저장해줘", text="답이에요.")
    result = await saving.tool().call(ASKER, asked)
    assert result["file"]["name"].endswith(".md")
    assert ".csv" in result["answers"]["beginner"]

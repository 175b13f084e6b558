import io
from collections.abc import AsyncIterator
from pathlib import Path

import pypdf
import pytest
import typst

from maththera.chat.assistant.assistant_tools import AssistantTexts
from maththera.chat.messages.answer_levels import LEVEL_NAMES
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.papers.glossary import Glossary
from maththera.chat.papers.paper_library import Library, PaperArguments, answering_sentence
from maththera.chat.papers.paper_parsing import PaperRefused, ReadPaper, TitledPassage, read_papers
from maththera.korean.search import meaning_words
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.papers import Paper, Papers
from tests.support.databases import migrated

ASKER = Asker(Principal("t", "teacher"), None)
GLOSSARY = Glossary.load(home())
TEXTS = AssistantTexts.load(home() / "configs").papers
MARKDOWN = """---
title: 뺄셈의 오류
authors: [김하나, 이두리]
year: 2020
---
# 뺄셈의 오류

받아내림이 있는 뺄셈에서 자주 보이는 오류를 모았다.

## 방법

3학년 학생 40명의 답을 보았다.
"""
BIBTEX = r"""
@article{brown1978, author = {Brown, John Seely and Burton, Richard R.}, year = {1978}, journal = {Cognitive Science},
  title = {Diagnostic models for procedural bugs in basic mathematical skills}, abstract = {A model of bugs.}}
@book{m, author = {M{\"u}ller, J.}, title = {Rechenst{\"o}rung}, year = {o.J.}, publisher = {Verlag}}
"""


def one(name: str, content: str | bytes) -> ReadPaper:
    (found,) = read_papers(name, content.encode() if isinstance(content, str) else content)
    return found


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    await migrated(database_url)
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
def library(database: Database, tmp_path: Path) -> Library:
    """Nothing is shipped."""
    return Library(Papers(database), TEXTS, tmp_path / "none", GLOSSARY)


def test_markdown() -> None:
    found = one("bugs.md", MARKDOWN)
    assert found.paper.title == "뺄셈의 오류"
    assert found.paper.authors == ["김하나", "이두리"]
    assert found.paper.year == 2020
    assert [(piece.heading, piece.text) for piece in found.pieces] == [
        ("뺄셈의 오류", "받아내림이 있는 뺄셈에서 자주 보이는 오류를 모았다."),
        ("방법", "3학년 학생 40명의 답을 보았다."),
    ]


def test_markdown_without_a_head_is_called_by_its_heading_or_its_name() -> None:
    assert one("a.md", "# 제목\n\n글").paper.title == "제목"
    assert one("이름.md", "그냥 글").paper.title == "이름"


def test_bibtex() -> None:
    brown, muller = read_papers("list.bib", BIBTEX.encode())
    assert brown.paper.title == "Diagnostic models for procedural bugs in basic mathematical skills"
    assert brown.paper.authors == ["Brown, John Seely", "Burton, Richard R."]
    assert brown.paper.year == 1978
    assert [piece.text for piece in brown.pieces][1] == "A model of bugs."
    assert (muller.paper.title, muller.paper.authors, muller.paper.year) == ("Rechenstörung", ["Müller, J."], None)


def test_pdf() -> None:
    page = b'#set document(title: "On counting")\nChildren count on from the larger number.\n#pagebreak()\nSecond page.'
    found = one("counting.pdf", typst.compile(page))
    assert found.paper.title == "On counting"
    assert [(piece.page, piece.text) for piece in found.pieces] == [
        (1, "Children count on from the larger number."),
        (2, "Second page."),
    ]


def locked_pdf() -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def blank_pdf() -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("x.docx", b"x", "only .pdf"),
        ("no ending", b"x", "only .pdf"),
        ("x.pdf", b"", "cannot be read as PDF"),
        ("x.pdf", b"%PDF-1.7 rubbish", "cannot be read as PDF"),
        ("x.pdf", blank_pdf(), "no text"),
        ("x.pdf", locked_pdf(), "needs a password"),
        ("x.md", b"\xff\xfe", "not UTF-8"),
        ("x.md", b"", "no text"),
        ("x.md", b"---\ntitle: [\n---\ntext", "cannot be read"),
        ("x.md", b"---\nyear: soon\n---\ntext", "cannot be read"),
        ("x.bib", b"@article{x, title = {", "x.bib"),
        ("x.bib", b"no entries", "no entry"),
        ("x.md", b"x" * (30 * 2**20 + 1), "larger than 30 MB"),
        ("x.md", "가 ".encode() * 2_100_000, "more than 4,000,000"),
    ],
)
def test_what_cannot_be_read_says_why(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(PaperRefused, match=reason):
        read_papers(name, content)


def test_a_broken_pdf_is_told_to_who_brought_it_only(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(PaperRefused):
        read_papers("x.pdf", b"a letter to the school")
    assert caplog.text == ""


def test_passages_are_neither_long_nor_hold_what_a_database_refuses() -> None:
    found = one("x.md", "한 문장이다. " * 400 + "\x00\x07" + "끝없는" * 3000)
    assert all(len(piece.text) <= 1800 for piece in found.pieces)
    assert not any("\x00" in piece.text for piece in found.pieces)
    assert sum(piece.text.count("한 문장이다.") for piece in found.pieces) == 400


def test_words_are_those_that_carry_meaning() -> None:
    assert meaning_words("아이들이 받아올림을 배웠다") == ["아이", "받아올림", "배우"]
    assert meaning_words("Number lines and Studies of a theory") == ["number", "line", "and", "study", "of", "theory"]
    assert meaning_words("논문 찾아줘", TEXTS.empty) == []


async def test_the_same_document_twice_is_one(library: Library) -> None:
    assert await library.add(one("a.md", MARKDOWN))
    assert not await library.add(one("again.md", MARKDOWN))
    (row,) = await library.papers.all()
    assert row.file_name == "a.md"


async def test_search_finds_the_passage_and_what_comes_and_goes(library: Library) -> None:
    assert await library.search("뺄셈 오류 논문 찾아줘") == []
    await library.add(one("bugs.md", MARKDOWN))
    (found,) = await library.search("뺄셈 오류 논문 찾아줘")
    assert found.title == "뺄셈의 오류"
    assert found.passage.heading == "뺄셈의 오류"
    assert await library.papers.remove(found.paper.paper_id)
    assert await library.search("뺄셈 오류 논문 찾아줘") == []
    assert not await library.papers.remove(found.paper.paper_id)


@pytest.mark.parametrize("question", ["xyz123 논문 찾아줘", "논문 찾아줘", "", "양자 얽힘 뺄셈 우주선 논문", "?!"])
async def test_what_is_not_there_is_not_found(library: Library, question: str) -> None:
    await library.add(one("bugs.md", MARKDOWN))
    assert await library.search(question) == []


async def test_one_more_word_does_not_hide_what_is_there(library: Library) -> None:
    await library.add(one("a.md", "# 수직선 훈련\n\n수직선 훈련을 한 뒤 정답률이 올랐다."))
    await library.add(one("b.md", "# 기억 게임\n\n기억 게임의 효과는 작았다."))
    alone = [found.title for found in await library.search("수직선 훈련 논문")]
    assert [found.title for found in await library.search("수직선 게임 훈련 논문 찾아줘")][:1] == alone


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("정답률이 얼마나 올랐어?", "정답률은 41%에서 78%로 올랐다."),
        ("누가 참여했나", "초등학생 40명이 참여했다."),
    ],
)
def test_the_sentence_that_answers_is_told(question: str, answer: str) -> None:
    text = "훈련의 효과를 보았다. 초등학생 40명이 참여했다. 훈련 뒤 정답률을 견주었다. 정답률은 41%에서 78%로 올랐다."
    assert answering_sentence(text, question) == answer


async def test_nothing_is_near_a_question_about_nothing_here(library: Library) -> None:
    await library.add(one("bugs.md", MARKDOWN))
    assert await library.nearest("비가 왜 와요?", 2) == []


async def test_either_language_finds(library: Library) -> None:
    await library.add(one("a.md", "# 받아올림\n\n받아올림을 가르치는 법."))
    await library.add(one("b.md", "# Subitizing\n\nSeeing how many without counting."))
    assert [found.title for found in await library.search("carrying 논문")] == ["받아올림"]
    assert [found.title for found in await library.search("직산 논문 찾아줘")] == ["Subitizing"]


async def test_the_tool_answers_at_four_levels_with_its_sources(library: Library) -> None:
    await library.add(one("bugs.md", MARKDOWN))
    result = await library.tool().call(ASKER, PaperArguments(question="뺄셈 오류 논문"))
    assert set(result["answers"]) == set(LEVEL_NAMES)
    assert "김하나, 이두리" in result["answers"]["advanced"]
    assert result["sources"][0]["title"] == "뺄셈의 오류"
    assert "받아내림" in result["material"]
    assert (await library.tool().call(ASKER, PaperArguments(question="우주 논문")))["answers"] == {}


async def test_what_is_shipped_is_there_once_and_marked(database: Database) -> None:
    shipped = home() / "configs" / "chat" / "papers"
    for _ in range(2):
        library = Library(Papers(database), TEXTS, shipped, GLOSSARY)
        found = await library.search("수 감각 논문 찾아줘")
        assert found[0].paper.starter
    rows = await library.papers.all()
    assert len(rows) == len(list(shipped.glob("*.md")))
    result = await library.tool().call(ASKER, PaperArguments(question="수 감각 논문"))
    assert TEXTS.starter in result["answers"]["beginner"]


async def test_what_is_shipped_no_longer_goes_and_what_was_added_stays(database: Database, tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("# 옛 글\n\n옛 글이다.", encoding="utf-8")
    await Library(Papers(database), TEXTS, tmp_path, GLOSSARY).add_shipped()
    (tmp_path / "old.md").unlink()
    library = Library(Papers(database), TEXTS, tmp_path, GLOSSARY)
    await library.add(one("bugs.md", MARKDOWN))
    await library.add_shipped()
    assert [row.title for row in await library.papers.all()] == ["뺄셈의 오류"]


def test_every_shipped_document_says_that_it_is_no_paper() -> None:
    files = list((home() / "configs" / "chat" / "papers").glob("*.md"))
    assert len(files) >= 5
    for file in files:
        assert "심사를 거친 논문이 아니며" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("몇 년도 거야?", "2020년"),
        ("저자가 누구야?", "김하나, 이두리"),
        ("인용 형식으로 써줘", "김하나, 이두리 (2020). 뺄셈의 오류."),
        ("표본은 몇 명이야?", "3학년 학생 40명의 답을 보았다."),
        ("2015년 이후만", "김하나, 이두리 (2020)"),
        ("2022년 이후만", "그 조건에 맞는 논문은"),
        ("2020년 이전만", "김하나, 이두리 (2020)"),
        ("두 번째 거 몇 년도야?", "앞의 답에는 그런 글이 없어요"),
        ("링크도", "인터넷 주소는 없어요"),
        ("이 중에서 가장 최근에 나온 건요?", "2020년 것이에요.\n- 김하나, 이두리 (2020)"),
        ("그중에 제일 오래된 논문은?", "가장 오래된 것은 2020년"),
    ],
)
async def test_what_is_asked_of_the_papers_that_were_named(library: Library, question: str, told: str) -> None:
    await library.add(one("a.md", MARKDOWN))
    before = "관련된 글을 1개 찾았어요.\n\n- 뺄셈의 오류 (2020년): 받아내림이 있는 뺄셈에서 자주 보이는 오류를 모았다."
    assert TEXTS.follow_ups.said.search(question) or "번째" in question
    found = await library.tool().call(ASKER, PaperArguments(question=question, again=True, text=before))
    assert told in found["answers"]["beginner"]


def test_the_newest_of_what_guides_rest_on_is_named() -> None:
    guide = read_papers("a.md", MARKDOWN.encode(), starter=True)[0].paper
    cited = ["Fuson, K. C. (1990). Using blocks.", "Geary, D. C. (2004). Disabilities.", "Brown, J. S. (1980). Repair."]
    told = TEXTS.follow_ups.answer("이 가운데 가장 최근 것은요?", [(guide, "")], cited)
    assert "2004년 것이에요.\n- Geary" in told
    assert "Fuson" not in told
    assert "본문은 등록되어 있지 않고" in told
    assert "1980년" in TEXTS.follow_ups.answer("제일 오래된 건 뭐예요?", [(guide, "")], cited)


@pytest.fixture
async def trained(library: Library) -> Library:
    """A library with a paper of two pages on training, and one on memory."""
    paper = Paper("p1", "수직선 게임 훈련이 어림 정확도에 주는 효과", ["김하나"], 2021, "pdf", "n.pdf")
    pages = (
        "이 연구는 초등학교 2학년 학생 64명이 참여하였다. 훈련은 6주 동안 주 3회 이루어졌다.",
        "수직선 게임을 한 집단의 어림 정확도는 41%에서 78%로 올랐다. 훈련은 한 번에 15분이었다.",
    )
    await library.add(ReadPaper(paper, tuple(TitledPassage("", page, text) for page, text in enumerate(pages, 1))))
    await library.add(one("b.md", "# 기억 게임\n\n기억 게임의 효과는 작았다."))
    return library


@pytest.mark.parametrize(
    "question",
    [
        "수직선 게임 훈련 논문",
        "수직선 훈련 효과 논문",
        "수직선 게임 훈련 효과를 다룬 초등학교 저학년 연구 논문",
        "어림 정확도를 높이는 수직선 게임 연구 논문 있으면 알려줘",
    ],
)
async def test_more_words_never_find_less(trained: Library, question: str) -> None:
    assert (await trained.search(question))[0].title.startswith("수직선 게임")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("얼마나 올랐어?", "(2021년, 2쪽): 수직선 게임을 한 집단의 어림 정확도는 41%에서 78%로 올랐다."),
        ("정확도가 몇 퍼센트나 좋아졌어요?", "(2021년, 2쪽): 수직선 게임을 한 집단"),
        ("몇 명이 참여했어?", "(2021년, 1쪽): 이 연구는 초등학교 2학년 학생 64명이 참여하였다."),
        ("참가자는 몇 명?", "64명"),
        ("훈련은 몇 주 했어?", "6주 동안"),
        ("기간은 얼마나 돼?", "찾은 글에는 그 내용이 적혀 있지 않아요: '수직선 게임"),
        ("부작용이 있었어?", "찾은 글에는 그 내용이 적혀 있지 않아요: '수직선 게임"),
    ],
)
async def test_what_a_paper_tells_is_told_with_its_page_and_year(trained: Library, question: str, told: str) -> None:
    before = "- 수직선 게임 훈련이 어림 정확도에 주는 효과 (2021년, 2쪽): …"
    assert TEXTS.follow_ups.asks_more(question)
    found = await trained.tool().call(ASKER, PaperArguments(question=question, again=True, text=before))
    assert told in found["answers"]["beginner"]


@pytest.mark.parametrize(
    "message", ["우리 반은 몇 명이 참여했어?", "정답률이 얼마나 올랐어?", "하루에 몇 번 해야 해요?"]
)
def test_what_is_asked_of_pupils_is_not_asked_of_papers(message: str) -> None:
    assert not TEXTS.follow_ups.asks_what_is_told(message)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("수직선 게임을 하면 어림 정확도가 얼마나 올라?", "41%에서 78%로"),
        ("수직선 게임으로 어림 정확도가 몇 퍼센트 좋아져요?", "41%에서 78%로"),
        ("하루에 얼마나 연습해야 해요?", None),
        ("게임은 하루에 몇 분이 좋아요?", None),
    ],
)
async def test_a_figure_that_an_added_paper_tells(trained: Library, question: str, told: str | None) -> None:
    answers = (await trained.tool().call(ASKER, PaperArguments(question=question, own=True)))["answers"]
    assert (told in answers["beginner"]) if told else not answers

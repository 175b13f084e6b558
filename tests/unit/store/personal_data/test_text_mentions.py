"""Texts of others that name a child are found, whoever wrote them; other children's are not."""

import json
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from maththera.store.access.access_tokens import AccessTokens
from maththera.store.conversations import Conversations, ConversationTurn, Thread
from maththera.store.database import Database
from maththera.store.papers import Paper, Papers, Passage
from maththera.store.personal_data.text_mentions import Mention, MentionSearch, SoughtNames, mentions_in_files
from maththera.store.students import StudentRecords
from tests.support.databases import migrated


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    await migrated(database_url)
    found = Database(database_url)
    yield found
    await found.close()


async def ask(database: Database, thread_id: str, question: str, answer: str = "네.") -> None:
    thread = Thread(thread_id, "assistant", None, "teacher")
    await Conversations(database).append(thread, 1, ConversationTurn(thread_id, question, answer, {"said": answer}))


async def test_an_id_in_a_question_of_a_teacher_is_found(database: Database) -> None:
    await ask(database, "t1", "ZQkid77 학생은 어떻게 도와야 해?")
    await ask(database, "t2", "어떻게 도와야 해?", "zqkid77은 잘하고 있어요.")
    await ask(database, "t3", "zqkid771은? xzqkid77은?")
    assert await MentionSearch(database).of(["zqkid77"]) == [
        Mention("messages", "text", {"thread_id": "t1", "number": 1}),
        Mention("messages", "text", {"thread_id": "t2", "number": 2}),
        Mention("messages", "detail", {"thread_id": "t2", "number": 2}),
    ]


async def test_the_names_of_a_child_are_its_id_and_the_labels_of_its_tokens(database: Database) -> None:
    tokens = AccessTokens(database)
    await tokens.create("student", ["s1"], label="민수")
    await tokens.create("student", ["s1"], label="")
    await tokens.create("student", ["s2"], label="영희")
    await tokens.create("teacher", ["s1", "s2"], label="3반")
    called = await MentionSearch(database).names("s1")
    assert called == SoughtNames(["s1", "민수"], all_sought=True)
    await ask(database, "t1", "김민수가 자꾸 틀려요")
    await ask(database, "t2", "영희가 자꾸 틀려요")
    texts = [mention for mention in await MentionSearch(database).of(called.sought) if mention.table == "messages"]
    assert texts == [Mention("messages", "text", {"thread_id": "t1", "number": 1})]


async def test_a_child_is_found_by_its_nickname(database: Database) -> None:
    await StudentRecords(database).change("s1", {"nickname": "하늘토끼"})
    await ask(database, "t1", "하늘토끼는 어떻게 도와야 해?")
    await ask(database, "t2", "하늘이 맑아요")
    called = await MentionSearch(database).names("s1")
    assert called == SoughtNames(["s1", "하늘토끼"], all_sought=True)
    texts = [mention for mention in await MentionSearch(database).of(called.sought) if mention.table == "messages"]
    assert texts == [Mention("messages", "text", {"thread_id": "t1", "number": 1})]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("하늘", unicodedata.normalize("NFD", "하늘이는 어떻게 도와야 해?")),
        (unicodedata.normalize("NFD", "하늘"), "하늘이는 어떻게 도와야 해?"),
        ("s77", "ｓ７７ 학생은 어떻게 도와야 해?"),
        ("s77", "Ｓ77?"),
        ("ｓ77", "S77?"),
        ("s77", "누구를 도와야 해?\ns77"),
    ],
)
async def test_a_name_is_found_in_whatever_letters_it_is_written(database: Database, name: str, written: str) -> None:
    await AccessTokens(database).create("student", ["s1"], label=name)
    await ask(database, "t1", "하느님, s771은?", written)
    called = await MentionSearch(database).names("s1")
    texts = [
        mention.column for mention in await MentionSearch(database).of(called.sought) if mention.table == "messages"
    ]
    assert (called.all_sought, texts) == (True, ["text", "detail"])


async def test_saved_flows_and_their_history_are_searched(tmp_path: Path) -> None:
    folder = tmp_path / "flows"
    history = folder / ".history"
    history.mkdir(parents=True)
    (folder / "계획.yaml").write_text(
        unicodedata.normalize("NFD", "flow:\n  description: 하늘이의 계획\n"), encoding="utf-8"
    )
    (folder / "s77_편지.yaml").write_text("flow:\n", encoding="utf-8")
    (history / "계획.jsonl").write_text(json.dumps({"text": "flow:\ns77"}) + "\n{broken ｓ７７\n", encoding="utf-8")
    assert {(each.table, *each.row.values()) for each in mentions_in_files(folder, ["하늘", "s77"])} == {
        ("flows", "계획.yaml", 2),
        ("flows", "s77_편지.yaml", 0),
        ("flows", ".history/계획.jsonl", 1),
        ("flows", ".history/계획.jsonl", 2),
    }
    assert mentions_in_files(folder, ["민수"]) == mentions_in_files(tmp_path / "none", ["하늘"]) == []


@pytest.mark.parametrize(("student_id", "label"), [("7", "민수"), ("s1", "12"), ("s1", "별")])
async def test_a_name_too_short_to_look_for_is_told(database: Database, student_id: str, label: str) -> None:
    await AccessTokens(database).create("student", [student_id], label=label)
    called = await MentionSearch(database).names(student_id)
    assert not called.all_sought
    assert {student_id, label} - {*called.sought} == {"7" if student_id == "7" else label}


async def test_signs_that_a_pattern_heeds_are_letters_here(database: Database) -> None:
    await ask(database, "t1", "a%b_c.d 학생")
    await ask(database, "t2", "aXXb1cYd 학생")
    (found,) = await MentionSearch(database).of(["a%b_c.d"])
    assert found.row == {"thread_id": "t1", "number": 1}


async def test_published_papers_are_not_searched(database: Database) -> None:
    paper = Paper("p", "민수의 수학", ["김민수"], 2020, "pdf", "민수.pdf")
    assert await Papers(database).add(paper, [Passage(0, "민수", 1, "민수는 셋을 더했다.", "민수 셋")])
    assert await MentionSearch(database).of(["민수"]) == []

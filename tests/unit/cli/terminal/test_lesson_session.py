"""A lesson in a terminal whose learner is scripted, on the real service."""

import asyncio
from collections.abc import Iterator
from io import StringIO

import pytest
from redis.asyncio import Redis
from redis.exceptions import TimeoutError as RedisTimeout
from rich.console import Console

from maththera.cli.terminal.lesson_session import LessonSession
from maththera.lessons.lesson_requests import NewLesson
from maththera.lessons.service import InvalidLesson
from maththera.store.database import StoreUnavailable
from tests.support.databases import migrated
from tests.support.lessons import Stand, chapter, stand

GIVEN_UP = ["이거 아는 거야", "모르겠어", "모르겠어", "모르겠어", "다음"]
"""A session without its explanation, whose question is not known even with both hints."""


class Scripted:
    """Says its lines, then leaves."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    def __call__(self, _: str) -> str:
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as found:
        yield found


@pytest.fixture
def here(runner: asyncio.Runner, redis: Redis, redis_url: str, sqlite_url: str) -> Iterator[Stand]:
    async def opened() -> Stand:
        await migrated(sqlite_url)
        return await opening.__aenter__()

    opening = stand(redis_url, sqlite_url)
    yield runner.run(opened())
    runner.run(opening.__aexit__(None, None, None))


def talk(runner: asyncio.Runner, here: Stand, *lines: str, **wanted: object) -> str:
    screen = StringIO()
    console = Console(file=screen, width=200, highlight=False)
    began = NewLesson(**{"user_id": "s1", "user_type": "beginner", **wanted})
    LessonSession(console, runner.run, here.service, ask=Scripted(*lines), sleep=lambda _: None).begin(began)
    return screen.getvalue()


def test_a_session_in_the_terminal(runner: asyncio.Runner, here: Stand) -> None:
    shown = talk(
        runner, here, "시작", "5", "수직선이 뭐야?", "이거 아는 거야", "힌트", *GIVEN_UP[2:], "그만", "not read"
    )  # fmt: skip
    for part in ("안녕!", "· 개념 설명", chapter().explanation.beginner[0].text[:20], "●", "한 줄에 세워 놓은 선",
                 "· 문제 출제", "힌트 1:", "모른다고 말해 줘서 고마워", "한 번 더 해 보자"):  # fmt: skip
        assert part in shown
    assert "학습 안내" not in shown
    (chapter_one,) = runner.run(here.records.statistics("s1"))
    assert (chapter_one.learning_count, chapter_one.passed_count, chapter_one.hint_count) == (1, 0, 2)


def test_the_next_day_the_lesson_goes_on_where_it_stood(runner: asyncio.Runner, here: Stand) -> None:
    talk(runner, here, *GIVEN_UP, "이거 아는 거야", "힌트", "그만")
    shown = talk(runner, here, "모르겠어", "모르겠어")
    for part in ("이어서 합니다", "문제야.", "힌트 1:", "· 채점과 피드백"):
        assert part in shown
    assert "안녕!" not in shown
    last = runner.run(here.service.unfinished(NewLesson(user_id="s1", user_type="beginner")))
    assert last is not None
    (before,) = last[1]["recent_sessions_summary"]
    assert before["session_decision_result"] == "retry"


def test_another_kind_of_lesson_begins_anew_and_so_does_a_chapter_that_is_named(
    runner: asyncio.Runner, here: Stand
) -> None:
    talk(runner, here, "시작")
    for wanted in ({"user_type": "advanced"}, {"user_id": "s2"}, {"chapter": 1}):
        assert "안녕!" in talk(runner, here, **wanted)


def test_a_lesson_that_has_come_to_its_end_is_not_gone_on_with(runner: asyncio.Runner, here: Stand) -> None:
    shown = talk(runner, here, *GIVEN_UP * 3, chapter=3)
    assert "마지막 장" in shown
    assert "안녕!" in talk(runner, here)


def test_an_empty_line_is_no_answer(runner: asyncio.Runner, here: Stand) -> None:
    assert "· 채점과 피드백" not in talk(runner, here, "이거 아는 거야", "", "   ")


def test_what_is_too_long_or_no_unicode_is_met_kindly(runner: asyncio.Runner, here: Stand) -> None:
    shown = talk(runner, here, "시작", "가" * 2001, "\udcff\udcfe", "이거 아는 거야")
    assert "2,000자까지" in shown
    assert "문제야." in shown


def test_a_store_that_is_away_for_long_ends_no_lesson(
    runner: asyncio.Runner, here: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, away = here.service.begin, [True] * 7

    async def in_the_end(*args: object) -> object:
        if away:
            away.pop()
            raise RedisTimeout("away")
        return await begin(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(here.service, "begin", in_the_end)
    shown = talk(runner, here, "시작", "시작")
    assert "저장소에 닿지 않습니다" in shown
    assert chapter().explanation.beginner[0].text[:15] in shown


def test_the_terminal_ends_with_its_lines(runner: asyncio.Runner, here: Stand) -> None:
    assert talk(runner, here).endswith("\n")


def test_a_course_that_is_not_there(runner: asyncio.Runner, here: Stand) -> None:
    with pytest.raises(InvalidLesson):
        talk(runner, here, course="dance")


def test_a_store_that_is_busy_is_waited_for(
    runner: asyncio.Runner, here: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, busy = here.service.begin, [True]

    async def at_second(*args: object) -> object:
        if busy:
            busy.pop()
            raise StoreUnavailable(OSError("busy"))
        return await begin(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(here.service, "begin", at_second)
    shown = talk(runner, here, "시작")
    assert "잠깐만 기다려" in shown
    assert chapter().explanation.beginner[0].text[:15] in shown

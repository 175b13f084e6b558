"""A lesson in a terminal whose learner is scripted, on the real service."""

import asyncio
from collections.abc import Iterator
from io import StringIO

import pytest
from redis.asyncio import Redis
from rich.console import Console

from maththera.cli.lessoning import Talk
from maththera.learners.database import StoreUnavailable
from maththera.learners.migrations import migrate
from maththera.lessons.events import NewLesson
from maththera.lessons.service import BadLesson
from tests.support.lessons import Stand, chapter, stand


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
        await migrate(sqlite_url)
        return await opening.__aenter__()

    opening = stand(redis_url, sqlite_url)
    yield runner.run(opened())
    runner.run(opening.__aexit__(None, None, None))


def talk(runner: asyncio.Runner, here: Stand, *lines: str, **wanted: object) -> str:
    screen = StringIO()
    console = Console(file=screen, width=200, highlight=False)
    began = NewLesson(**{"user_id": "s1", "user_type": "beginner", **wanted})  # type: ignore[arg-type]
    Talk(console, runner.run, here.service, ask=Scripted(*lines), sleep=lambda _: None).begin(began)
    return screen.getvalue()


def test_a_session_in_the_terminal(runner: asyncio.Runner, here: Stand) -> None:
    shown = talk(runner, here, "시작", "수직선이 뭐야?", "다음", "힌트", "모르겠어", "다음", "그만", "not read")
    for part in ("안녕!", "· 개념 설명", chapter().explanation.beginner[1].text[:20], "한 줄에 세워 놓은 선",
                 "· 문제 출제", "힌트 1:", "모른다고 말해 줘서 고마워", "한 번 더 해 보자"):  # fmt: skip
        assert part in shown
    assert "학습 안내" not in shown
    (chapter_one,) = runner.run(here.records.statistics("s1"))
    assert (chapter_one.learning_count, chapter_one.passed_count, chapter_one.hint_count) == (1, 0, 1)


def test_the_terminal_ends_with_its_lines(runner: asyncio.Runner, here: Stand) -> None:
    assert talk(runner, here).endswith("\n")


def test_a_course_that_is_not_there(runner: asyncio.Runner, here: Stand) -> None:
    with pytest.raises(BadLesson):
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
    assert chapter().explanation.beginner[1].text[:20] in shown

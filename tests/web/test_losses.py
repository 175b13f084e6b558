"""The page goes on when its service, its stores, the network or the tablet fail: no answer is lost, and none counts
twice."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import psutil
import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.postgres import PostgresServer
from tests.support.servers import RedisServer
from tests.support.service import AS_SHIPPED, Service, service
from tests.web.conftest import Tablets, class_of, own_address
from tests.web.robot import Robot, told, turns
from tests.web.test_play import first_problem

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_TURTLE: Final = "잠깐만 기다려 줘."
_RESTING: Final = ".resting"
_MINUTE_MS: Final = 60_000


def give(robot: Robot, number: str) -> None:
    """Types an answer, and does not wait."""
    robot.page.keyboard.type(number)
    robot.page.keyboard.press("Enter")


def heard(robot: Robot) -> None:
    robot.page.locator(".words").wait_for()


def recorded(running: Service, robot: Robot) -> list[str]:
    """The tasks that were answered, in order."""
    return [turn["event"]["task_id"] for turn in turns(running, robot.page)]


class Lives:
    """Of a service that may be killed: each at the address and on the data of the one before."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self._folder, self._ends = folder, ends
        self._last: Service | None = None

    def now(self) -> Service:
        """The one that runs, or the next."""
        if self._last is None or self._last.process.poll() is not None:
            port = self._last.port if self._last else 0
            every_address = ("--host", "0.0.0.0")  # noqa: S104
            self._last = self._ends.enter_context(service(self._folder, "", *every_address, port=port))
        return self._last


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    with ExitStack() as ends:
        yield Lives(tmp_path_factory.mktemp("lives"), ends)


@pytest.mark.parametrize("moment", ["before it is read", "on the way", "behind its record"])
def test_a_service_that_is_killed_in_mid_answer_is_waited_for(browser: Browser, lives: Lives, moment: str) -> None:
    """It comes back at its address and on its data; meanwhile the child sees the turtle. On the way the answer may just
    have come through: then it is on record all the same."""
    running = lives.now()
    with class_of(browser, running) as tablets:
        robot = Robot(tablets.child())
        first_problem(robot)
        before = recorded(running, robot)

        def kill() -> None:
            running.process.kill()
            running.process.wait()

        def kill_behind(route: Route) -> None:
            assert route.fetch().ok
            kill()
            route.abort()

        if moment == "behind its record":
            robot.page.route("**/events", kill_behind, times=1)
            give(robot, "7")
        else:
            if moment == "before it is read":
                psutil.Process(running.process.pid).suspend()
            with robot.page.expect_request("**/events"):
                give(robot, "7")
            kill()
        seen = robot.page.locator(_RESTING if moment != "on the way" else f"{_RESTING}, .words")
        seen.wait_for()
        assert not re.search(r"error|오류|실패", robot.page.locator("body").inner_text(), re.IGNORECASE)
        again = lives.now()
        heard(robot)
        after = recorded(again, robot)
        assert after[:-1] == before
        assert len(set(after)) == len(before) + 1
        robot.next()
        robot.page.locator(".problem.shown").wait_for()


def test_a_redis_that_is_stopped_is_not_seen(browser: Browser, tmp_path: Path, redis_server: RedisServer) -> None:
    with (
        service(tmp_path, redis_server.url, program=AS_SHIPPED) as running,
        class_of(browser, running) as tablets,
    ):
        robot = Robot(tablets.child())
        first_problem(robot)
        before = recorded(running, robot)
        turtle = robot.page.locator(_RESTING)
        redis_server.stop()
        for _ in range(2):
            give(robot, "7")
            heard(robot)
            assert turtle.count() == 0
            robot.next()
            robot.page.locator(".problem.shown").wait_for()
        redis_server.start()
        give(robot, "7")
        heard(robot)
        assert len(set(recorded(running, robot))) == len(before) + 3


def test_a_database_that_is_away_is_waited_for(
    browser: Browser, tmp_path: Path, redis_url: str, postgres_server: PostgresServer
) -> None:
    with (
        service(tmp_path, redis_url, MATHTHERA_DATABASE_URL=postgres_server.url()) as running,
        class_of(browser, running) as tablets,
    ):
        robot = Robot(tablets.child())
        first_problem(robot)
        before = recorded(running, robot)
        postgres_server.kill()
        give(robot, "7")
        robot.page.locator(_RESTING).wait_for()
        robot.page.wait_for_timeout(4000)
        assert robot.page.locator(_RESTING).count() == 1
        postgres_server.start()
        heard(robot)
        after = recorded(running, robot)
        assert (after[:-1], len(set(after))) == (before, len(before) + 1)


def test_a_minute_without_a_network_is_played_through(child: SignIn, tablets: Tablets) -> None:
    page = child()
    page.clock.install()
    robot = Robot(page)
    first_problem(robot)
    before = recorded(tablets.service, robot)
    page.context.set_offline(True)
    give(robot, "7")
    page.get_by_text(_TURTLE).wait_for()
    page.clock.run_for(12_000)
    page.get_by_text("같이 기다리자.").wait_for()
    page.get_by_role("button", name="윗줄 셋째 칸").click()
    page.clock.run_for(2 * _MINUTE_MS)
    page.get_by_text("선생님을 불러 줘.").wait_for()
    page.context.set_offline(False)
    page.clock.run_for(20_000)
    heard(robot)
    assert len(recorded(tablets.service, robot)) == len(before) + 1


def test_a_session_at_an_address_of_the_network(browser: Browser, lives: Lives) -> None:
    """Over plain HTTP, as in a school: a browser then withholds locks, random ids and more."""
    running = lives.now()
    with class_of(browser, running) as tablets:
        tablets.hosts.append(own_address())
        robot = Robot(tablets.child(address=f"http://{tablets.hosts[-1]}:{running.port}", touch=True))
        assert robot.page.evaluate("isSecureContext") is False
        robot.start()
        robot.play(wrong=frozenset({1}))
        assert told(turns(running, robot.page)[-1], "adaptation_result")["next_problem"] is None

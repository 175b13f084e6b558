"""A Redis of one's own is killed while people use two workers, and started again: everything works again by itself, and
nothing that was acknowledged is lost. ROUNDS=20 for more of it."""

import logging
import os
import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.support.flow_home import make_home
from tests.support.servers import RedisServer
from tests.support.service import AS_SHIPPED, service, until
from tests.support.visitors import Author, Child, Learner, everybody, visiting

logger = logging.getLogger(__name__)

ROUNDS: Final = int(os.environ.get("ROUNDS", "1"))
AWAY_SECONDS: Final = 1.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200 + 30 * ROUNDS)]


def test_everything_works_again_and_nothing_is_lost(tmp_path: Path, redis_server: RedisServer) -> None:
    home = make_home(tmp_path / "home")
    visitors = everybody()
    two = ("--workers", "2")
    with service(tmp_path, redis_server.url, *two, program=AS_SHIPPED, MATHTHERA_HOME=str(home)) as running:
        with visiting(running.client, visitors) as visits:
            visits.all_served()
            for _ in range(ROUNDS):
                redis_server.kill()
                time.sleep(AWAY_SECONDS)
                visits.all_served(Child, Learner)  # they go on from the records
                redis_server.start()
                started = time.monotonic()
                visits.all_served()
                logger.info("everybody was served again after %.2f s", time.monotonic() - started)
        until(lambda: running.client.get("/readyz").json()["status"] == "ok")
        for visitor in visitors:
            visitor.check(running.client)
        assert running.stop() == 0
    log = running.log.read_text()
    assert "never retrieved" not in log
    assert "Traceback" not in log
    written = Counter((home / "diary").read_text().split("\n"))
    words = [word for each in visitors if isinstance(each, Author) for word in each.words]
    assert words
    assert max(written[f"write {word}"] for word in words) == 1

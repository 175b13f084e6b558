"""The private Redis of a running service is killed and stopped while people use it: what failed meanwhile works again,
by itself. ROUNDS=20 for more of it; `--log-cli-level=INFO` tells how long it takes."""

import logging
import os
import signal
import time
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.support.flow_home import make_home
from tests.support.patience import QUIET
from tests.support.service import AS_SHIPPED, service, until
from tests.support.visitors import Child, Learner, everybody, visiting

logger = logging.getLogger(__name__)

ROUNDS: Final = int(os.environ.get("ROUNDS", "2"))
"""How often Redis is killed, or stopped, in turn."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200 + 30 * ROUNDS)]


def redis_of(pid: int) -> int | None:
    """The process id of the service's Redis."""
    found = [each.pid for each in psutil.Process(pid).children() if "redis-server" in each.name()]
    return found[-1] if found else None


@pytest.mark.parametrize("workers", ["1", "2"])
def test_everything_works_again(tmp_path: Path, workers: str) -> None:
    home = make_home(tmp_path / "home")
    visitors = everybody()
    with service(tmp_path, "", "--workers", workers, program=AS_SHIPPED, MATHTHERA_HOME=str(home)) as running:
        with visiting(running.client, visitors) as visits:
            visits.all_served()
            for number in range(ROUNDS):
                former = redis_of(running.process.pid)
                assert former is not None
                started = time.monotonic()
                os.kill(former, signal.SIGSTOP if number % 2 else signal.SIGKILL)
                visits.all_served(Child, Learner)  # they go on from the records
                until(lambda former=former: redis_of(running.process.pid) not in {former, None})  # type: ignore[misc]
                back = time.monotonic() - started
                assert back < 2 or not QUIET
                visits.all_served()
                logger.info("Redis was back after %.2f s, all served after %.2f s", back, time.monotonic() - started)
        until(lambda: running.client.get("/readyz").json()["status"] == "ok")
        for visitor in visitors:
            visitor.check(running.client)
        assert running.stop() == 0
    log = running.log.read_text()
    assert "never retrieved" not in log
    assert "Traceback" not in log

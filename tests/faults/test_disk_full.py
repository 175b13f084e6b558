"""The disk with the data directory is full: whoever asks is told so, the service is not ready, and it works again when
there is room."""

from pathlib import Path

import pytest

from tests.support.flow_home import make_home
from tests.support.service import AS_SHIPPED, service, until
from tests.support.small_disk import fill, on_small_disk, seen_by
from tests.support.visitors import everybody, visiting

pytestmark = pytest.mark.slow

MEGABYTES = 24


def test_a_full_disk(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    disk = tmp_path / "data"
    disk.mkdir()
    visitors = everybody()
    program = [*on_small_disk(disk, MEGABYTES), *AS_SHIPPED]
    with service(tmp_path, "", program=program, MATHTHERA_HOME=str(home)) as running:
        with visiting(running.client, visitors) as visits:
            visits.all_served()
        ballast = fill(seen_by(running.process.pid, disk))
        for visitor in visitors:
            assert not visitor.visit(running.client), "it said 503"
        ready = running.client.get("/readyz")
        states = {name: each["state"] for name, each in ready.json()["dependencies"].items()}
        assert (ready.status_code, states["database"], states["writes"]) == (503, "up", "down")
        assert running.client.get("/healthz").status_code == 200
        ballast.unlink()
        until(lambda: running.client.get("/readyz").json()["status"] == "ok")
        with visiting(running.client, visitors) as visits:
            visits.all_served()
        for visitor in visitors:
            visitor.check(running.client)
        assert running.stop() == 0
    assert "Traceback" not in running.log.read_text()

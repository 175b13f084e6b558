"""A real Prometheus that scrapes the service, with the alert rules and the questions of the dashboard."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import yaml

from maththera.settings import home
from tests.support.network import free_port
from tests.support.programs import ProgramMissing, prometheus_program
from tests.support.service import Service, service, until
from tests.support.tutoring import right_answer

pytestmark = pytest.mark.slow

FOLDER: Final = home() / "configs" / "monitoring"
SCRAPE: Final = "500ms"


@dataclass(frozen=True)
class Watched:
    """The service, and a client of the Prometheus that watches it."""

    service: Service
    client: httpx.Client

    def ask(self, expression: str) -> list[dict[str, Any]]:
        """The series of an expression now. What Prometheus refuses is a failure."""
        answer = self.client.get("/api/v1/query", params={"query": expression}).json()
        assert answer["status"] == "success", (expression, answer)
        found: list[dict[str, Any]] = answer["data"]["result"]
        return found


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Watched]:
    try:
        program = prometheus_program()
    except ProgramMissing as missing:
        (pytest.fail if request.config.getoption("--require-servers") else pytest.skip)(str(missing))
    folder, port = tmp_path_factory.mktemp("prometheus"), free_port()
    with service(folder, "") as running:
        config = {
            "global": {"scrape_interval": SCRAPE, "scrape_timeout": SCRAPE, "evaluation_interval": SCRAPE},
            "rule_files": [str(FOLDER / "alert_rules.yaml")],
            "scrape_configs": [
                {"job_name": "maththera", "static_configs": [{"targets": [f"127.0.0.1:{running.port}"]}]}
            ],
        }
        (folder / "prometheus.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
        with (folder / "prometheus.log").open("wb") as log:
            process = subprocess.Popen(
                [program, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
                 f"--web.listen-address=127.0.0.1:{port}"],
                stdout=log, stderr=log,
            )  # fmt: skip
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                until(lambda: _is_ready(client, process, folder / "prometheus.log"))
                found = Watched(running, client)
                _play(running)
                until(lambda: found.ask("maththera_turns_total"))
                yield found
        finally:
            process.kill()
            process.wait()


def _is_ready(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> bool:
    assert process.poll() is None, log.read_text("utf-8")
    try:
        return client.get("/-/ready").is_success
    except httpx.TransportError:
        return False


def _play(running: Service) -> None:
    """One right answer."""
    sent = {"student_id": "s1", "first_problem": "28+15", "c_position": 8, "seed": 7}
    view = running.client.post("/api/v1/sessions", json=sent).raise_for_status().json()
    answer = {"type": "answer_submitted", "request_id": "r1", "task_id": view["task"]["task_id"], "rt_ms": 3_000}
    path = f"/api/v1/sessions/{view['session_id']}/events"
    running.client.post(path, json=answer | {"answer": right_answer(view["task"])}).raise_for_status()


def test_every_question_is_understood_and_every_metric_arrives(watched: Watched) -> None:
    panels = json.loads((FOLDER / "grafana_dashboard.json").read_text("utf-8"))["panels"]
    (group,) = yaml.safe_load((FOLDER / "alert_rules.yaml").read_text("utf-8"))["groups"]
    for expression in [
        *(each["expr"] for one in panels for each in one["targets"]),
        *(r["expr"] for r in group["rules"]),
    ]:
        watched.ask(expression)
    (turns,) = watched.ask("sum(maththera_turns_total)")
    assert turns["value"][1] == "1"
    assert float(watched.ask("sum(maththera_turn_seconds_count)")[0]["value"][1]) == 1


def test_the_rules_are_loaded_and_one_of_them_sees_the_service_go(watched: Watched) -> None:
    (group,) = until(lambda: [
        one for one in watched.client.get("/api/v1/rules").json()["data"]["groups"]
        if all(rule["health"] == "ok" for rule in one["rules"])
    ])  # fmt: skip
    assert {rule["state"] for rule in group["rules"]} == {"inactive"}
    watched.service.stop()
    (seen,) = until(lambda: watched.ask("ALERTS"))
    assert (seen["metric"]["alertname"], seen["metric"]["alertstate"]) == ("MaththeraDown", "pending")

"""The OpenAPI document against a service in a process of its own: walked by schemathesis, its examples posted as they
stand, and a typed client made from it."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
import pytest

from tests.support.home import home_with_limits
from tests.support.service import Service, service, until

pytestmark = pytest.mark.slow

BIN: Final = Path(sys.executable).parent
WALK: Final = Path(__file__).parents[1] / "data" / "schemathesis.toml"
PLENTY: Final = 10**6
ASKS: Final = """
flow:
  name: 묻는_흐름
  description: 묻기만 한다
  schedule: "0 7 1 1 *"
  steps:
    - {id: ask, action: approve, question: "해도 될까요?"}
"""
FAILS: Final = """
flow:
  name: 지불
  description: 언제나 실패한다
  steps:
    - {id: pay, action: python, code: "return 1 / 0"}
"""
FLOW: Final = "진단_리포트_생성"
PROCEDURE: Final = {
    "kind": "procedure",
    "title": "뺄 수 없는 자리에 8을 쓴다",
    "operation": "-",
    "cause_tag": "CONCEPT_L5_BORROW_EXCHANGE",
    "when": "carries > 0 and width > 1",
    "columns": {"value": "top - bottom", "write": "8 if value < 0 else value"},
    "example": {"a": 52, "b": 38, "answer": 28},
}
REFUSED: Final[dict[tuple[str, str], set[int]]] = {
    ("post", "/api/v1/auth/sessions"): {403},  # asked without a page of the service, as the others of sign-in
    ("post", "/api/v1/auth/devices"): {403},
    ("post", "/api/v1/auth/child"): {403},
    ("post", "/api/v1/auth/card"): {403},
    ("put", "/api/v1/flows/{name}"): {409},  # names the hash of another text
    ("post", "/api/v1/chat/runs/{run_id}/rating"): {404},  # a run of the coach, which has no levels
    ("post", "/api/v1/lessons/{lesson_id}/messages"): {409},  # a hint where no question is open
    ("post", "/api/v1/reviews/decide"): {404, 422},  # reviews that are not there
    ("post", "/api/v1/procedures"): {404, 409},  # a rule candidate that is not there; and it is proposed already
    ("post", "/api/v1/procedures/{procedure_id}/approve"): {409},  # by who proposed it
    ("post", "/api/v1/procedures/{procedure_id}/off"): {409},  # it is not in force
    ("post", "/api/v1/reviews/{review_id}/decide"): {409, 422},  # names a cause, a run and a step of another review
}
"""Examples that name something of another place: they are well formed, and what they name is not there."""
LATER: Final = frozenset({"training_done", "strategy_told"})
"""Events of a training and of a slow right answer, with which no session begins."""


@dataclass(frozen=True)
class World:
    """A service, its document, and something of everything that an operation names in its path."""

    service: Service
    document: dict[str, Any]
    names: dict[str, str]

    def post(self, path: str, body: object, method: str = "POST") -> Any:
        answer = self.service.client.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def make_records(self, student_id: str) -> None:
        """One record of each kind that an address may name, of this child."""
        session = self.post("/api/v1/sessions", {"student_id": student_id, "first_problem": "28+15", "seed": 7})
        answer = {"type": "answer_submitted", "request_id": "r", "answer": 77, "rt_ms": 3_000}
        events = f"/api/v1/sessions/{session['session_id']}/events"
        self.post(events, answer | {"task_id": session["task"]["task_id"]})
        lesson = self.post("/api/v1/lessons", {"user_id": student_id, "user_type": "beginner"})
        goal = self.post(f"/api/v1/students/{student_id}/goals", {"skill_id": "C8.carry_ones", "due": "2099-12-01"})
        request = self.post(f"/api/v1/students/{student_id}/requests", {"kind": "correction", "about": "name"})
        own = {**PROCEDURE, "title": f"{PROCEDURE['title']} ({student_id})"}
        body = {"message": "내 약점 보여줘", "student_id": student_id}
        said = self.service.client.post("/api/v1/chat", json=body)
        self.names.update(
            execution_id=self.waiting_run(),
            session_id=session["session_id"],
            lesson_id=lesson["lesson_id"],
            goal_id=goal["goal_id"],
            request_id=request["request_id"],
            run_id=said.headers["x-run-id"],
            thread_id=said.headers["x-thread-id"],
            review_id=str(self.service.client.get("/api/v1/reviews").json()["reviews"][0]["review_id"]),
            student_id=student_id,
            procedure_id=str(self.post("/api/v1/procedures", {"definition": own})["procedure_id"]),
            version="0",
            class_id=self.post("/api/v1/classes", {"name": "2반"})["class_id"],
            flow="묻는_흐름",
            name=FLOW,
        )

    def failed_run(self) -> str:
        run: str = self.post(f"/api/v1/flows/{quote('지불')}/run", {"inputs": {}})["execution_id"]
        return self.reached(run, "failed")

    def waiting_run(self) -> str:
        run: str = self.post(f"/api/v1/flows/{quote('묻는_흐름')}/run", {"inputs": {}})["execution_id"]
        return self.reached(run, "waiting")

    def reached(self, run: str, status: str) -> str:
        until(lambda: self.service.client.get(f"/api/v1/executions/{run}").json()["status"] == status)
        return run


@pytest.fixture
def world(tmp_path: Path, redis_url: str) -> Iterator[World]:
    """A new one for each test, since the walk erases learners, withdraws consents and dates births as it likes.

    Without the limits that its some thousand requests, many of them with a wrong token, would reach.
    """
    folder = tmp_path / "service"
    folder.mkdir()
    requests = {"admin": PLENTY, "without_token": PLENTY, "wrong_tokens": PLENTY, "refusal_seconds": 0.01}
    home = home_with_limits(folder / "home", requests=requests)
    with service(folder, redis_url, MATHTHERA_HOME=str(home)) as running:
        world = World(running, running.client.get("/openapi.json").json(), {})
        for name, text in (("묻는_흐름", ASKS), ("지불", FAILS)):
            world.post(f"/api/v1/flows/{quote(name)}", {"text": text}, "PUT")
        world.make_records("walker")
        yield world


@pytest.mark.timeout(400)
def test_every_operation_keeps_to_the_document(world: World) -> None:
    walk = subprocess.run(
        [
            BIN / "schemathesis",
            f"--config-file={WALK}",
            "run",
            f"{world.service.client.base_url}/openapi.json",
            f"--header=Authorization: {world.service.client.headers['Authorization']}",
            "--no-color",
        ],
        env=os.environ | {name.upper(): value for name, value in world.names.items()},
        cwd=world.service.log.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert walk.returncode == 0, walk.stdout + walk.stderr
    counted = re.search(r"Selected: (\d+)/(\d+)\s+Tested: (\d+)", walk.stdout)
    assert counted is not None, walk.stdout
    assert len(set(counted.groups())) == 1, "not every operation was reached in time"


def test_every_documented_example_is_taken_as_it_stands(world: World) -> None:
    refused = []
    for path, operations in world.document["paths"].items():
        for method, operation in operations.items():
            for media, example in examples(world.document, operation):
                answer = sent(world, method, path, media, example)
                later = isinstance(example, dict) and example.get("type") in LATER
                allowed = {409, 422} if later else REFUSED.get((method, path), set())
                if not (answer.is_success or answer.status_code in allowed):
                    refused.append((method, path, example, answer.status_code, answer.text))
    assert refused == []


def sent(world: World, method: str, path: str, media: str, example: object) -> httpx.Response:
    names = dict(world.names)
    if path.endswith(("/retry", "/mark_done", "/skip")):
        names["execution_id"] = world.failed_run()
    if path.endswith("/resume"):
        names["execution_id"] = world.waiting_run()
    if path.endswith(("/events", "/observations")):
        begun = world.post("/api/v1/sessions", {"student_id": world.names["student_id"], "first_problem": "28+15"})
        names["session_id"] = begun["session_id"]
    if method == "put":
        names["name"] = "선수개념"
    query = dict(required_parameters(world.document["paths"][path][method]))
    body = {"json": example} if media == "application/json" else {"content": str(example).encode()}
    url = path.format(**{name: quote(value) for name, value in names.items()})
    headers = {"Content-Type": media}
    return world.service.client.request(method, url, params=query, headers=headers, **body)


def required_parameters(operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(name, example) of each parameter of the query that must be given."""
    for one in operation.get("parameters", ()):
        if one["in"] == "query" and one["required"]:
            assert one["schema"].get("examples"), f"{operation['operationId']}: {one['name']} has no example"
            yield one["name"], one["schema"]["examples"][0]


def examples(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """(media type, example) of each example of a body."""
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        found = [one["value"] for one in content.get("examples", {}).values()]
        found += model_examples(document, content["schema"])
        assert found, operation["operationId"]
        yield from ((media, example) for example in found)


def model_examples(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[object]:
    if "$ref" in schema:
        yield from model_examples(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    yield from schema.get("examples", ())
    for member in schema.get("oneOf", ()):
        yield from model_examples(document, member)


def test_every_required_parameter_has_an_example_that_is_taken(world: World) -> None:
    asked = {"class_id": world.names["class_id"]}
    refused = []
    for path, operations in world.document["paths"].items():
        if "get" in operations and (query := dict(required_parameters(operations["get"]))):
            answer = world.service.client.get(path.format(**asked), params=query)
            if not answer.is_success:
                refused.append((path, query, answer.text))
    assert refused == []


def test_no_two_models_have_one_name(world: World) -> None:
    assert [name for name in world.document["components"]["schemas"] if "__" in name] == []


def test_a_typed_client_made_from_the_document_takes_a_turn(world: World, tmp_path: Path) -> None:
    document, module = tmp_path / "openapi.json", tmp_path / "client_models.py"
    document.write_text(world.service.client.get("/openapi.json").text, encoding="utf-8")
    make: list[str | Path] = [BIN / "datamodel-codegen", "--input", document, "--input-file-type", "openapi"]
    make += ["--output", module]
    make += ["--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11", "--use-annotated"]
    make += ["--enum-field-as-literal", "all", "--set-default-enum-member", "--formatters", "builtin"]
    subprocess.run(make, check=True, capture_output=True, cwd=tmp_path)
    strict: list[str | Path] = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", module]
    checked = subprocess.run(strict, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout

    spec = importlib.util.spec_from_file_location("client_models", module)
    assert spec is not None
    assert spec.loader is not None
    models = sys.modules["client_models"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(models)
    ask = world.service.client
    wanted = models.NewSessionBody(student_id="typed", first_problem="8+6", seed=7)
    begun = ask.post("/api/v1/sessions", json=wanted.model_dump(mode="json", exclude_none=True))
    session = models.SessionView.model_validate_json(begun.content)
    answer = models.AnswerSubmitted(
        type="answer_submitted", request_id="r-1", task_id=session.task.task_id, answer=14, rt_ms=2_000
    )
    path = f"/api/v1/sessions/{session.session_id}/events"
    taken = ask.post(path, json=answer.model_dump(mode="json", exclude_none=True))
    turn = models.Turn.model_validate_json(taken.content)
    assert (turn.turn, turn.correct) == (1, True)

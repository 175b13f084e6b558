"""The OpenAPI document against a service in a process of its own: every operation done with its examples as they stand,
a typed client made from it, and a walk of it with schemathesis."""

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

import httpx
import pytest
from jsonschema import ValidationError

from tests.support.documented import STREAM, Example, Json, examples, good_media, holds, operations, parameters
from tests.support.prepared_world import World, service_for_walks
from tests.support.service import Service

pytestmark = pytest.mark.slow

BIN: Final = Path(sys.executable).parent
WALK: Final = Path(__file__).parents[1] / "data" / "schemathesis.toml"
ERRORS: Final = frozenset({"error", "RUN_ERROR"})
"""Types of events that end a stream which did not do what it was asked."""
NOT_DONE: Final = """
Every operation is to do what each example of its body asks, and to tell one whole stream if it can stream.
- What its address or its example names must be there: make it in `World` of tests/support/prepared_world.py, and put it
  into `names` under the name of the parameter or of the body's field.
- What can be done once only must be new: give it a new name in `World.names_for`.
- A stream must end with an event that says so: `_LAST` of tests/support/documented.py has their types.
"""
NOT_KEPT: Final = """
Where "Schema-valid request rejected" is right, since the request is refused for what it means and no schema can say so,
add the operation to `include-name` of tests/data/schemathesis.toml, with the reason. Everything else is a fault of the
service or of its document.
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[Service]:
    with service_for_walks(tmp_path_factory.mktemp("service"), redis_url) as found:
        yield found


@pytest.fixture
def world(running: Service) -> World:
    """Made anew for each test, since each erases learners, withdraws consents and dates births as it likes."""
    return World(running)


def test_every_operation_does_what_its_examples_ask(world: World) -> None:
    faults = []
    for method, path, operation in sorted(operations(world.document), key=erased_last):
        media = good_media(operation)
        told: list[Json] = []
        asked: list[Example | None] = [*examples(world.document, operation)]
        for example in asked or [None]:
            for accept in media or ["*/*"]:
                try:
                    told += done(world, method, path, example, accept)
                except (AssertionError, ValidationError, httpx.HTTPError) as fault:
                    faults.append(f"{method.upper()} {path} {example or ''}: {fault}")
        if STREAM in media and not told:
            faults.append(f"{method.upper()} {path}: no stream")
    assert not faults, "\n".join([*faults, NOT_DONE])


def erased_last(operation: tuple[str, str, Json]) -> tuple[bool, int]:
    """What is ended or erased is so after all that needs it, and what is part of another before that."""
    method, path, _ = operation
    return (True, -path.count("/")) if method == "delete" else (False, 0)


def done(world: World, method: str, path: str, example: Example | None, accept: str) -> list[Json]:
    """Sends an example as it stands. One that names something of another place may be refused, as documented; it is
    sent again with the names of what is here. -> the events of a stream"""
    operation = world.document["paths"][path][method]
    media, body = example or ("application/json", None)
    names = world.names_for(method, path, body)
    missing = [name for name, _, _ in parameters(operation, "path") if name not in names]
    assert not missing, f"the prepared world has no {missing}"
    query = {
        name: schema["examples"][0] if needed else names[name]
        for name, schema, needed in parameters(operation, "query")
        if needed or name in names
    }

    def send(body: object) -> tuple[httpx.Response, list[Json]]:
        content = {"json": body} if media == "application/json" else {"content": str(body).encode()}
        answer = world.client.request(
            method,
            path.format(**{name: quote(str(value)) for name, value in names.items()}),
            params=query,
            headers={"Content-Type": media, "Accept": accept},
            **({} if example is None else content),
        )
        return answer, holds(world.document, operation, answer)

    answer, events = send(body)
    if not answer.is_success and isinstance(body, dict):
        answer, events = send({key: names.get(key, value) for key, value in body.items()})
    assert answer.is_success, f"{answer.status_code} {answer.text}"
    assert not [event for event in events if event.get("type") in ERRORS], answer.text
    return events


def test_a_typed_client_made_from_the_document_takes_a_turn(running: Service, tmp_path: Path) -> None:
    ask = running.client
    document, module = tmp_path / "openapi.json", tmp_path / "client_models.py"
    document.write_text(ask.get("/openapi.json").text, encoding="utf-8")
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


@pytest.mark.timeout(400)
def test_every_operation_keeps_to_the_document(world: World, tmp_path: Path) -> None:
    """The last one, since it leaves the service as no user would."""
    settings = tmp_path / WALK.name
    settings.write_text(
        f"{WALK.read_text(encoding='utf-8')}\n[parameters]\n{named_in_addresses(world)}", encoding="utf-8"
    )
    walk = subprocess.run(
        [
            BIN / "schemathesis",
            f"--config-file={settings}",
            "run",
            f"{world.client.base_url}/openapi.json",
            *(f"--header={name}: {world.client.headers[name]}" for name in ("Authorization", "Origin", "X-Maththera")),
            "--no-color",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert walk.returncode == 0, walk.stdout + walk.stderr + NOT_KEPT
    counted = re.search(r"Operations: +(\d+) selected / (\d+) total[\s\S]*\n +Tested: (\d+)", walk.stdout)
    assert counted is not None, walk.stdout
    assert len(set(counted.groups())) == 1, "not every operation was walked"


def named_in_addresses(world: World) -> str:
    """What is there, but for the child, whom the walk would erase first, and what has bounds, which the walk tries."""
    unbounded = {"type", "title", "description", "examples"}
    free = {
        name
        for _, _, operation in operations(world.document)
        for name, schema, _ in parameters(operation, "path")
        if schema.keys() <= unbounded and name in world.names
    }
    lines = (f'"path.{name}" = {json.dumps(world.names[name], ensure_ascii=False)}' for name in free - {"student_id"})
    return "\n".join(sorted(lines))

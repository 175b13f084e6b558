"""The OpenAPI document against a service in a process of its own: walked by schemathesis, every operation done with its
examples as they stand, and a typed client made from it."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
import pytest
from jsonschema import ValidationError

from tests.support.documented import STREAM, Example, Json, examples, good_media, holds, operations, parameters
from tests.support.prepared_world import World, prepared_world
from tests.support.service import service

pytestmark = pytest.mark.slow

BIN: Final = Path(sys.executable).parent
WALK: Final = Path(__file__).parents[1] / "data" / "schemathesis.toml"
ERRORS: Final = frozenset({"error", "RUN_ERROR"})
"""Types of events that end a stream which did not do what it was asked."""


@pytest.fixture
def world(tmp_path: Path, redis_url: str) -> Iterator[World]:
    """A new one for each test, since each erases learners, withdraws consents and dates births as it likes."""
    with prepared_world(tmp_path / "service", redis_url) as found:
        yield found


@pytest.mark.timeout(400)
def test_every_operation_keeps_to_the_document(world: World) -> None:
    walk = subprocess.run(
        [
            BIN / "schemathesis",
            f"--config-file={WALK}",
            "run",
            f"{world.client.base_url}/openapi.json",
            *(f"--header={name}: {world.client.headers[name]}" for name in ("Authorization", "Origin", "X-Maththera")),
            "--no-color",
        ],
        env=os.environ | {name.upper(): str(value) for name, value in world.names.items()},
        cwd=world.service.log.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert walk.returncode == 0, walk.stdout + walk.stderr
    counted = re.search(r"Selected: (\d+)/(\d+)\s+Tested: (\d+)", walk.stdout)
    assert counted is not None, walk.stdout
    assert len(set(counted.groups())) == 1, "not every operation was reached in time"


def test_every_operation_answers_well_to_each_of_its_examples(world: World) -> None:
    """Where one can stream, it does."""
    faults = []
    for method, path, operation in sorted(operations(world.document), key=erased_last):
        media = good_media(operation)
        told: list[Json] = []
        for example in [*examples(world.document, operation)] or [None]:
            for accept in media or ["*/*"]:
                try:
                    told += answered_well(world, method, path, example, accept)
                except (AssertionError, LookupError, ValidationError, httpx.HTTPError) as fault:
                    faults.append(f"{method} {path} {example}: {fault!r}")
        if STREAM in media and not told:
            faults.append(f"{method} {path}: no stream")
    assert faults == [], "\n".join(faults)


def erased_last(operation: tuple[str, str, Json]) -> tuple[bool, int]:
    """What is ended or erased is so after all that needs it, and what is part of another before that."""
    method, path, _ = operation
    return (True, -path.count("/")) if method == "delete" else (False, 0)


def answered_well(world: World, method: str, path: str, example: Example | None, accept: str) -> list[Json]:
    """Sends an example as it stands. One that names something of another place may be refused, as documented; it is then
    sent with the names of what is here. -> the events of a stream"""
    operation = world.document["paths"][path][method]
    media, body = example or ("application/json", None)
    names = world.names_for(method, path, body)
    within = {name: quote(str(names[name])) for name, _, _ in parameters(operation, "path")}
    query = {
        name: schema["examples"][0] if needed else names[name]
        for name, schema, needed in parameters(operation, "query")
        if needed or name in names
    }

    def send(body: object) -> tuple[httpx.Response, list[Json]]:
        content = {"json": body} if media == "application/json" else {"content": str(body).encode()}
        answer = world.client.request(
            method,
            path.format(**within),
            params=query,
            headers={"Content-Type": media, "Accept": accept},
            **({} if example is None else content),
        )
        return answer, holds(world.document, operation, answer)

    answer, events = send(body)
    if not answer.is_success and isinstance(body, dict):
        answer, events = send({key: names.get(key, value) for key, value in body.items()})
    assert answer.is_success, answer.text
    assert not [event for event in events if event.get("type") in ERRORS], answer.text
    return events


def test_a_typed_client_made_from_the_document_takes_a_turn(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path, redis_url) as running:
        typed_turn(running.client, tmp_path)


def typed_turn(ask: httpx.Client, tmp_path: Path) -> None:
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

"""Health, readiness, metrics, request ids, failures of ours, and the documentation."""

import asyncio
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import create_engine

from maththera.api.http_layer.problem_details import CATALOGUE
from maththera.api.services import OpenServices
from maththera.app.content import Content
from maththera.llm.model_client import Call, Usage
from maththera.store.database import StoreUnavailable
from tests.api.conftest import Api, serving
from tests.api.test_sessions import answer_to, events
from tests.support.network import free_port


def replace_probe(api: Api, name: str, probe: Any) -> None:
    old: OpenServices = api.app.state.services
    api.app.state.services = replace(old, probes={**old.probes, name: probe})


async def down() -> None:
    raise ConnectionError


async def test_health_needs_no_token(api: Api) -> None:
    answer = await httpx.AsyncClient(transport=httpx.ASGITransport(api.app), base_url="http://t").get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_readiness_shows_each_dependency(api: Api) -> None:
    answer = await api.client.get("/readyz")
    body = answer.json()
    assert (answer.status_code, body["status"]) == (200, "ok")
    assert set(body["dependencies"]) == {"database", "writes", "redis", "servers"}
    assert all(found["state"] == "up" and found["ms"] >= 0 for found in body["dependencies"].values())


@pytest.mark.parametrize(("name", "status", "word"), [("redis", 200, "degraded"), ("database", 503, "down")])
async def test_what_is_down(api: Api, name: str, status: int, word: str) -> None:
    replace_probe(api, name, down)
    answer = await api.client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (status, word)
    assert answer.json()["dependencies"][name]["state"] == "down"


async def test_a_dependency_that_hangs_is_down(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("maththera.api.http_layer.readiness.PATIENCE_SECONDS", 0.01)
    replace_probe(api, "redis", hang)
    assert (await api.client.get("/readyz")).json()["dependencies"]["redis"]["state"] == "down"


async def test_what_the_service_can_do_is_told_for_each_thing(api: Api) -> None:
    async def told() -> Any:
        return (await api.client.get("/readyz")).json()["capabilities"]

    assert set((await told()).values()) == {"ok"}
    replace_probe(api, "model", down)
    assert await told() == {
        "tutoring": "ok", "lessons": "degraded", "chat": "degraded", "flows": "degraded", "erasing": "ok",
    }  # fmt: skip
    replace_probe(api, "redis", down)
    assert await told() == {
        "tutoring": "degraded", "lessons": "degraded", "chat": "down", "flows": "down", "erasing": "degraded",
    }  # fmt: skip


async def test_a_database_that_can_only_be_read_is_not_ready(api: Api, sqlite_url: str) -> None:
    """As on a full disk, or a standby."""
    engine = create_engine(sqlite_url.replace("+aiosqlite", ""))
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER full BEFORE UPDATE ON alembic_version BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    engine.dispose()
    answer = await api.client.get("/readyz")
    states = {name: found["state"] for name, found in answer.json()["dependencies"].items()}
    assert (answer.status_code, answer.json()["status"]) == (503, "down")
    assert states == {"database": "up", "writes": "down", "redis": "up", "servers": "up"}


async def test_a_write_that_waits_for_others_is_slow_and_no_more(api: Api) -> None:
    async def wait() -> None:
        raise TimeoutError

    replace_probe(api, "writes", wait)
    answer = await api.client.get("/readyz")
    assert (answer.status_code, answer.json()["dependencies"]["writes"]["state"]) == (200, "slow")


async def test_a_model_that_nobody_serves_is_degraded(
    tmp_path: Path, redis_url: str, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    model = {"llm_base_url": f"http://127.0.0.1:{free_port()}/v1", "llm_model": "m"}
    async with serving(tmp_path, redis_url, **model) as api:
        answer = await api.client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["dependencies"]["model"]["state"] == "down"


async def test_metrics_are_guarded_where_a_token_is_set(
    tmp_path: Path, redis_url: str, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    async with serving(tmp_path, redis_url, metrics_token="chosen") as api:
        asked = [{"Authorization": ""}, await api.as_("student", "s1"), {"Authorization": "Bearer chosen"}, None]
        answers = [await api.client.get("/metrics", headers=headers) for headers in asked]
    assert [answer.status_code for answer in answers] == [401, 403, 200, 200]


async def samples(api: Api) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = await api.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(answer.text)
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


async def test_a_turn_is_counted_once(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    body = answer_to(view, rt_ms=12000, behavior_tags=["OBS_OVERRELIANCE_COUNTING"])
    for _ in range(2):
        await api.client.post(events(view), json=body)
    found = await samples(api)

    def value(name: str, **labels: str) -> float | None:
        return found.get((f"maththera_{name}", frozenset(labels.items())))

    assert value("sessions_total") == 1
    assert value("turns_total", pattern="correct_slow", route="fluency_drill") == 1
    assert value("cause_domains_total", domain="STRATEGY", source="rule") == 1
    assert value("idempotent_replays_total") == 1
    assert value("turn_seconds_count") == 1
    route = "/api/v1/sessions/{session_id}/events"
    assert value("http_requests_total", method="POST", route=route, status="200") == 2
    assert value("http_request_seconds_count", route=route) == 2


async def test_what_an_adult_should_look_at_is_counted(api: Api) -> None:
    view = await api.begin(first_problem="98+90", c_position=8)
    turn = (await api.client.post(events(view), json=answer_to(view, answer=178))).json()
    assert turn["phase"] == "diagnostic_question"
    assert (await samples(api))["maththera_review_alerts_total", frozenset({("reason", "unknown_answer")})] == 1


async def test_model_calls_are_counted_with_their_cost(api: Api) -> None:
    api.app.state.services.metrics.llm(Call("diagnosis", "m", "ok", Usage(1000, 100), 12, 0.5))
    api.app.state.services.metrics.llm(Call("diagnosis", "m", "timeout", Usage(10, 0), 12, None))
    found = await samples(api)
    assert found["maththera_llm_calls_total", frozenset({("prompt", "diagnosis"), ("outcome", "timeout")})] == 1
    assert found["maththera_llm_tokens_total", frozenset({("prompt", "diagnosis"), ("direction", "input")})] == 1010
    assert found["maththera_llm_cost_usd_total", frozenset({("prompt", "diagnosis")})] == 0.5


async def test_a_model_without_a_price_is_told_as_of_unknown_cost(api: Api) -> None:
    metrics = api.app.state.services.metrics
    metrics.llm_prices({"fake-big": False, "gpt-4o": True})
    metrics.llm(Call("answer", "fake-big", "ok", Usage(1000, 100), 12, None))
    found = await samples(api)
    of_model = {("model", "fake-big"), ("prompt", "answer")}
    assert found["maththera_llm_price_known", frozenset({("model", "fake-big")})] == 0
    assert found["maththera_llm_price_known", frozenset({("model", "gpt-4o")})] == 1
    assert found["maththera_llm_unpriced_calls_total", frozenset(of_model)] == 1
    assert found["maththera_llm_unpriced_tokens_total", frozenset({*of_model, ("direction", "input")})] == 1000
    assert ("maththera_llm_cost_usd_total", frozenset({("prompt", "answer")})) not in found


async def test_unknown_addresses_share_one_label(api: Api) -> None:
    for path in ("/a", "/b", "/api/v1/c"):
        await api.client.get(path)
    labels = frozenset({("method", "GET"), ("route", "(none)"), ("status", "404")})
    assert (await samples(api))["maththera_http_requests_total", labels] == 3


@pytest.mark.parametrize("given", ["abc-1.2_3", "x" * 64])
async def test_a_request_id_is_echoed(api: Api, given: str) -> None:
    answer = await api.client.get("/healthz", headers={"X-Request-Id": given})
    assert answer.headers.get_list("x-request-id") == [given]


@pytest.mark.parametrize("given", [None, "", "x" * 65, "a b", "a\tb", "a;b", "é"])
async def test_otherwise_one_is_made(api: Api, given: str | None) -> None:
    headers: dict[bytes, bytes] = {} if given is None else {b"X-Request-Id": given.encode("latin-1")}
    made = [(await api.client.get("/nothing", headers=headers)).headers["x-request-id"] for _ in range(2)]
    assert made[0] != made[1]
    assert all(len(name) == 32 for name in made)


async def test_a_failure_of_ours_is_logged_and_shows_nothing(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(api.app.state.services.tutoring), "create", broken)
    with caplog.at_level(logging.ERROR):
        answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret detail" not in answer.text
    assert answer.headers["x-request-id"]
    assert "secret detail" in caplog.text


async def test_a_client_that_leaves_within_its_body_is_no_failure_of_ours(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    token = api.client.headers["authorization"].encode()
    headers = [(b"authorization", token), (b"content-type", b"application/json"), (b"content-length", b"50")]
    path = "/api/v1/sessions"
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    sent: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    received = iter(sent)

    async def receive() -> dict[str, Any]:
        return next(received)

    async def send(message: Any) -> None:
        pytest.fail(f"nobody is there to get {message}")

    with caplog.at_level(logging.ERROR):
        await api.app(scope, receive, send)
    assert not [one for one in caplog.records if one.name.startswith(("maththera", "uvicorn"))]
    labels = frozenset({("method", "POST"), ("route", path), ("status", "499")})
    assert (await samples(api))["maththera_http_requests_total", labels] == 1


async def test_a_store_that_is_down_says_when_to_come_back(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unavailable(*_: object) -> None:
        raise StoreUnavailable(OSError("postgresql://u:secret@db"), retry_after=3)

    monkeypatch.setattr(type(api.app.state.services.tutoring), "create", unavailable)
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1"})
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
    assert answer.headers["retry-after"] == "3"
    assert "secret" not in answer.text


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_a_look_at_the_head_alone_is_answered(api: Api, path: str) -> None:
    assert (await api.client.head(path)).status_code == 200


async def test_the_documentation_is_a_page_whose_every_file_is_ours(api: Api) -> None:
    answer = await api.client.get("/docs")
    assert answer.status_code == 200
    assert not re.findall(r"https?://|//[a-z]", answer.text)
    files = re.findall(r'(?:href|src)="([^"]+)"', answer.text)
    assert len(files) == 3
    for address in [*files, *re.findall(r"url: '([^']+)'", answer.text)]:
        assert (await api.client.get(answer.url.join(address))).status_code == 200, address


async def test_the_documentation_says_how_a_first_problem_is_written(api: Api) -> None:
    schema = (await document(api))["components"]["schemas"]["NewSessionBody"]["properties"]["first_problem"]
    pattern = next(one["pattern"] for one in schema["anyOf"] if "pattern" in one)
    assert re.search(pattern, "98 + 90")
    assert not re.search(pattern, "98+90=")


async def document(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = (await api.client.get("/openapi.json")).json()
    return found


async def test_every_operation_is_documented_with_examples_that_fit(api: Api) -> None:
    found = await document(api)
    assert found["openapi"].startswith("3.1")
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert all(parameter["description"] for parameter in operation.get("parameters", ())), where
            for media in media_types(operation):
                if "itemSchema" in media:  # a stream: each event has a model
                    continue
                shown = list(examples(found, media))
                assert shown, where
                for example in shown:
                    Draft202012Validator({**media["schema"], "components": found["components"]}).validate(example)
    assert "requestBody" in found["paths"]["/api/v1/sessions"]["post"]


def media_types(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Those of each answer, and those of the body."""
    for part in (*operation["responses"].values(), operation.get("requestBody", {})):
        yield from part.get("content", {}).values()


def examples(document: dict[str, Any], media: dict[str, Any]) -> Iterator[Any]:
    """Of the media type itself, or else of the models that its schema names."""
    if "example" in media:
        yield media["example"]
    for named in media.get("examples", {}).values():
        yield named["value"]
    for one in (media["schema"], *media["schema"].get("anyOf", ())):
        model = one.get("$ref", "").removeprefix("#/components/schemas/")
        yield from document["components"]["schemas"].get(model, {}).get("examples", ())


async def test_operation_ids_are_short_and_unique(api: Api) -> None:
    """A generated client names its functions after them."""
    paths = (await document(api))["paths"]
    found = [operation["operationId"] for operations in paths.values() for operation in operations.values()]
    assert [name for name in found if not re.fullmatch(r"[a-z_]{3,30}", name)] == []
    assert len(found) == len(set(found))


async def test_examples_say_null_where_an_answer_does(api: Api) -> None:
    (shown,) = (await document(api))["components"]["schemas"]["Students"]["examples"]
    assert shown["next"] is None


async def test_no_answer_is_cached_or_guessed_at(api: Api) -> None:
    """Those without a token hold nothing of anybody."""
    view = await api.begin()
    known = {"session_id": view["session_id"], "student_id": "s1", "model": "maththera-coach"}
    for path, operations in (await document(api))["paths"].items():
        if "get" in operations:
            answer = await api.client.get(re.sub(r"{(\w+)}", lambda name: known.get(name[1], "0" * 32), path))
            assert answer.headers["x-content-type-options"] == "nosniff", path
            assert operations["get"].get("security") == [] or "no-store" in answer.headers["cache-control"], path


async def test_every_reference_of_the_documentation_leads_somewhere(api: Api) -> None:
    found = await document(api)
    schemas = found["components"]["schemas"]

    def check(node: Any) -> None:
        if isinstance(node, dict):
            for name, value in node.items():
                if name == "$ref":
                    assert value.removeprefix("#/components/schemas/") in schemas
                check(value)
        elif isinstance(node, list):
            for value in node:
                check(value)

    check(found)
    assert "HTTPValidationError" not in schemas


async def test_the_documented_errors_are_those_of_the_catalogue(api: Api) -> None:
    events_post = (await document(api))["paths"]["/api/v1/sessions/{session_id}/events"]["post"]["responses"]
    statuses = {"200"} | {str(CATALOGUE[code][0]) for code in CATALOGUE} - {"405"}
    assert set(events_post) == statuses
    for status, answer in events_post.items():
        if status != "200":
            example = answer["content"]["application/problem+json"]["example"]
            assert example["status"] == int(status)
            assert CATALOGUE[example["code"]][0] == int(status)


async def test_the_examples_are_accepted(api: Api) -> None:
    found = await document(api)

    def shown(path: str) -> list[Any]:
        return list(examples(found, found["paths"][path]["post"]["requestBody"]["content"]["application/json"]))

    for example in shown("/api/v1/sessions"):
        assert (await api.client.post("/api/v1/sessions", json=example)).status_code == 201
    view = await api.begin()
    for example in shown("/api/v1/sessions/{session_id}/events"):
        answer = await api.client.post(events(view), json=example)
        assert answer.status_code in {200, 409}, answer.text

"""Access tokens over HTTP: made, listed, given another secret and ended, by admins alone."""

from typing import Any

import httpx
import pytest

from tests.api.conftest import Api

TOKENS = "/api/v1/tokens"
ME = "/api/v1/me"


async def _made(api: Api, **body: Any) -> str:
    answer = await api.client.post(TOKENS, json={"role": "teacher", "subject": ["s1"], "label": "김 선생님", **body})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


async def _listed(api: Api, label: str = "김 선생님") -> dict[str, Any]:
    """The only token with this label."""
    (found,) = [one for one in (await api.client.get(TOKENS)).json()["tokens"] if one["label"] == label]
    view: dict[str, Any] = found
    return view


async def _status(api: Api, token: str) -> int:
    return (await api.client.get(ME, headers={"Authorization": f"Bearer {token}"})).status_code


async def test_a_token_works_is_listed_and_ends(api: Api) -> None:
    token = await _made(api, days=30)
    assert await _status(api, token) == 200
    found = await _listed(api)
    assert (found["role"], found["subject"], found["revoked_at"]) == ("teacher", ["s1"], None)
    assert found["expires_at"]
    assert token not in (await api.client.get(TOKENS)).text
    assert (await api.client.delete(f"{TOKENS}/{found['token_id']}")).status_code == 204
    assert await _status(api, token) == 401
    assert (await _listed(api))["revoked_at"]
    assert (await api.client.delete(f"{TOKENS}/{found['token_id']}")).status_code == 404


async def test_another_secret_keeps_what_belongs_to_the_token(api: Api) -> None:
    token = await _made(api)
    headers = {"Authorization": f"Bearer {token}"}
    made = (await api.client.post("/api/v1/classes", json={"name": "2학년 3반"}, headers=headers)).json()
    token_id = (await _listed(api))["token_id"]
    fresh = (await api.client.post(f"{TOKENS}/{token_id}/rotate")).json()["token"]
    assert (await _status(api, token), await _status(api, fresh)) == (401, 200)
    own = await api.client.get(f"/api/v1/classes/{made['class_id']}", headers={"Authorization": f"Bearer {fresh}"})
    assert own.status_code == 200


async def test_it_says_when_a_token_was_used_last_also_by_a_cookie(api: Api) -> None:
    token = await _made(api)
    assert (await _listed(api))["last_used_at"] is None
    assert await _status(api, token) == 200
    first = (await _listed(api))["last_used_at"]
    assert first
    page = {"Origin": "http://test", "X-Maththera": "1"}
    client = httpx.AsyncClient(transport=httpx.ASGITransport(api.app), base_url="http://test")
    async with client:
        assert (await client.post("/api/v1/auth/sessions", json={"token": token}, headers=page)).status_code == 204
        assert (await client.get(ME)).status_code == 200
    assert (await _listed(api))["last_used_at"] > first


async def test_only_admins(api: Api) -> None:
    for role in ("student", "guardian", "teacher", "author"):
        students = ["s1"] if role in ("student", "guardian", "teacher") else []
        headers = await api.as_(role, *students)
        assert (await api.client.get(TOKENS, headers=headers)).status_code == 403
        assert (await api.client.post(TOKENS, json={"role": "admin"}, headers=headers)).status_code == 403


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"role": "student", "subject": ["s1", "s2"]}, "body.subject"),
        ({"role": "admin", "subject": ["s1"]}, "body.subject"),
        ({"role": "head"}, "body.role"),
        ({"role": "teacher", "days": 0}, "body.days"),
        ({"role": "teacher", "label": "가\x00"}, "body.label"),
    ],
)
async def test_a_bad_body_names_its_field(api: Api, body: dict[str, Any], field: str) -> None:
    answer = await api.client.post(TOKENS, json=body)
    assert answer.status_code == 422
    assert field in answer.json()["detail"]


async def test_an_unknown_token_is_not_found(api: Api) -> None:
    assert (await api.client.post(f"{TOKENS}/{'0' * 12}/rotate")).status_code == 404


async def test_nobody_locks_themselves_out(api: Api) -> None:
    own = f"{TOKENS}/{(await _listed(api, 'an admin'))['token_id']}"
    for answer in (await api.client.delete(own), await api.client.post(f"{own}/rotate")):
        assert (answer.status_code, answer.json()["code"]) == (409, "own_token")
    assert (await api.client.get(TOKENS)).status_code == 200

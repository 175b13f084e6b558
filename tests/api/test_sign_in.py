"""Pages sign in with cookies: adults with a token, tablets with a code, children with pictures or a card."""

import asyncio
import logging
from datetime import timedelta
from itertools import combinations
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from maththera.store.access.sign_ins import sign_ins
from maththera.store.classes import classes
from maththera.store.schema import utc_now
from maththera.store.students import LOCKED_FOR, students
from tests.api.conftest import Api

OWN_PAGE = {"Origin": "http://test", "X-Maththera": "1"}
SESSION, DEVICE = "maththera_session", "maththera_device"
AUTH = "/api/v1/auth"


class Page:
    """A browser on a page of the service: it has cookies, no token. Cookies are sent by hand, as a browser on another
    host's page would not send them."""

    def __init__(self, api: Api, **cookies: str) -> None:
        self._api, self.cookies = api, cookies

    async def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        transport = httpx.ASGITransport(self._api.app, raise_app_exceptions=False)
        sent = {**OWN_PAGE, **({"Cookie": jar} if jar else {}), **headers}
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            answer = await client.request(method, path, json=body, headers={k: v for k, v in sent.items() if v})
        for name in (SESSION, DEVICE):
            if name in answer.cookies:
                self.cookies[name] = answer.cookies[name]
        return answer


async def ok(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def new_class(api: Api, *members: dict[str, Any], headers: dict[str, str] | None = None) -> dict[str, Any]:
    made = await ok(await api.client.post("/api/v1/classes", json={"name": "2학년 3반"}, headers=headers), 201)
    for one in members:
        path = f"/api/v1/classes/{made['class_id']}/members"
        await ok(await api.client.post(path, json=one, headers=headers), 201)
    found: dict[str, Any] = await ok(await api.client.get(f"/api/v1/classes/{made['class_id']}", headers=headers))
    return found


async def enrolled(api: Api, class_id: str) -> Page:
    code = await ok(await api.client.post(f"/api/v1/classes/{class_id}/device-codes"), 201)
    page = Page(api)
    await ok(await page("POST", f"{AUTH}/devices", {"enrol_code": code["enrol_code"].lower()}), 204)
    return page


async def tile_of(page: Page, nickname: str) -> str:
    tiles = (await ok(await page("GET", f"{AUTH}/tiles")))["tiles"]
    return str(next(one["tile_id"] for one in tiles if one["nickname"] == nickname))


HANEUL = {"nickname": "하늘", "animal": "turtle", "grade": 2, "pictures": [2, 7]}


async def test_a_child_signs_in_with_its_tile_and_pictures_and_plays(api: Api) -> None:
    found = await new_class(api, HANEUL, {"nickname": "서아", "pictures": None})
    page = await enrolled(api, found["class_id"])
    tiles = (await ok(await page("GET", f"{AUTH}/tiles")))["tiles"]
    assert [(one["nickname"], one["picture_lock"]) for one in tiles] == [("하늘", True), ("서아", False)]
    assert not {one["student_id"] for one in found["members"]} & {value for one in tiles for value in one.values()}
    answer = await page("POST", f"{AUTH}/child", {"tile_id": tiles[0]["tile_id"], "pictures": [7, 2]})
    await ok(answer, 204)
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "max-age=43200", "path=/"))
    assert "secure" not in cookie, "this service is reached over plain HTTP"
    me = await ok(await page("GET", "/api/v1/me"))
    own = found["members"][0]
    assert (me["role"], me["students"]) == (
        "student",
        [{"student_id": own["student_id"], "nickname": "하늘", "called": "하늘", "animal": "turtle"}],
    )
    view = await ok(await page("POST", "/api/v1/sessions", {"student_id": own["student_id"]}), 201)
    assert (await page("GET", f"/api/v1/sessions/{view['session_id']}/trace")).status_code == 403
    other = found["members"][1]["student_id"]
    assert (await page("POST", "/api/v1/sessions", {"student_id": other})).status_code == 404
    await ok(await page("DELETE", f"{AUTH}/sessions"), 204)
    assert (await page("GET", "/api/v1/me")).status_code == 401
    await ok(await page("GET", f"{AUTH}/tiles"))
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tiles[1]["tile_id"]}), 204)


async def test_over_https_the_cookie_is_secure(api: Api) -> None:
    transport = httpx.ASGITransport(api.app)
    token = api.client.headers["Authorization"].removeprefix("Bearer ")
    async with httpx.AsyncClient(transport=transport, base_url="https://test") as client:
        answer = await client.post(
            f"{AUTH}/sessions", json={"token": token}, headers={"Origin": "https://test", "X-Maththera": "1"}
        )
    assert "secure" in answer.headers["set-cookie"].lower()


async def test_an_adult_s_cookie_has_the_rights_of_the_token_and_ends_with_it(api: Api) -> None:
    await api.begin("s1")
    token = await api.tokens.create("teacher", ["s1"])
    page = Page(api)
    assert (await page("POST", f"{AUTH}/sessions", {"token": "nobody"})).status_code == 401
    await ok(await page("POST", f"{AUTH}/sessions", {"token": token}), 204)
    me = await ok(await page("GET", "/api/v1/me"))
    assert (me["role"], [one["student_id"] for one in me["students"]]) == ("teacher", ["s1"])
    assert (await page("GET", "/api/v1/me")).headers["x-access-logged"] == "true"
    assert (await page("GET", "/api/v1/students/s1/export")).status_code == 200
    assert (await page("GET", "/api/v1/students/s2")).status_code == 404
    bearer = {"Authorization": f"Bearer {page.cookies[SESSION]}"}
    assert (await api.client.get("/api/v1/me", headers=bearer)).status_code == 401, "a cookie is no token"
    own = (await api.tokens.list())[-1]
    assert await api.tokens.revoke(own.token_id)
    api.app.state.services.sign_ins.forget()  # as five seconds do
    assert (await page("GET", "/api/v1/me")).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://test.evil.example"},
        {"Origin": "http://test@evil.example"},
        {"X-Maththera": ""},
        {"X-Maththera": "0"},
    ],
)
async def test_no_other_page_writes_with_a_cookie(api: Api, headers: dict[str, str]) -> None:
    found = await new_class(api, HANEUL)
    page = await enrolled(api, found["class_id"])
    body = {"tile_id": await tile_of(page, "하늘"), "pictures": [2, 7]}
    refused = await page("POST", f"{AUTH}/child", body, **headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_site")
    assert SESSION not in page.cookies
    await ok(await page("POST", f"{AUTH}/child", body), 204)
    child = found["members"][0]["student_id"]
    for method, path, sent in (
        ("POST", "/api/v1/sessions", {"student_id": child}),
        ("PUT", "/api/v1/me/prefs", {}),
        ("DELETE", f"{AUTH}/sessions", None),
        ("POST", f"{AUTH}/sessions", {"token": "t"}),
        ("POST", f"{AUTH}/devices", {"enrol_code": "c"}),
        ("POST", f"{AUTH}/card", {"secret": "s"}),
    ):
        answer = await page(method, path, sent, **headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site"), path
    assert (await page("GET", "/api/v1/me", **headers)).status_code == 200, "reading changes nothing"


async def test_six_wrong_pairs_lock_the_child_and_nobody_else(api: Api) -> None:
    found = await new_class(api, HANEUL, {"nickname": "서아", "pictures": [1, 2]})
    page = await enrolled(api, found["class_id"])
    tile, other = await tile_of(page, "하늘"), await tile_of(page, "서아")
    for _ in range(5):
        wrong = await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [1, 9]})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_pictures")
        assert wrong.json()["detail"] == "그림을 다시 골라 볼래?"
    for pair in ([1, 9], [2, 7]):
        locked = await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": pair})
        assert (locked.status_code, locked.json()["detail"]) == (429, "선생님을 불러 줘.")
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": other, "pictures": [1, 2]}), 204)
    child = found["members"][0]["student_id"]
    log = await ok(await api.client.get("/api/v1/access-log", params={"student_id": child}))
    assert [one["access"] for one in log["entries"]].count("locked") == 2
    await set_back(api, LOCKED_FOR)
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [2, 7]}), 204)


async def set_back(api: Api, by: timedelta) -> None:
    """As if the last tries had been that much earlier."""
    database = api.app.state.services.sign_ins._database
    rows = await database.rows(students.select().where(students.c.tried_at.is_not(None)))
    for row in rows:
        own = update(students).where(students.c.student_id == row.student_id)
        await database.execute(own.values(tried_at=row.tried_at - by))


async def test_a_teacher_lets_a_locked_child_in_with_new_pictures(api: Api) -> None:
    found = await new_class(api, HANEUL)
    page = await enrolled(api, found["class_id"])
    tile, child = await tile_of(page, "하늘"), found["members"][0]["student_id"]
    for _ in range(6):
        await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [1, 9]})
    await ok(await api.client.patch(f"/api/v1/students/{child}", json={"pictures": [4, 5]}))
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [5, 4]}), 204)


async def test_tries_at_the_same_time_are_not_more_tries(api: Api) -> None:
    found = await new_class(api, HANEUL)
    page = await enrolled(api, found["class_id"])
    tile = await tile_of(page, "하늘")
    pairs = [list(pair) for pair in combinations(range(1, 10), 2) if pair != (2, 7)][:20]
    answers = await asyncio.gather(
        *(page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": pair}) for pair in pairs)
    )
    assert sorted(one.status_code for one in answers) == [403] * 5 + [429] * 15


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(gaps=st.lists(st.integers(0, 12), min_size=8, max_size=14))
async def test_in_no_ten_minutes_are_there_more_than_five_wrong_tries(api: Api, gaps: list[int]) -> None:
    found = await new_class(api, HANEUL)
    page = await enrolled(api, found["class_id"])
    tile, now, tried = await tile_of(page, "하늘"), 0, list[int]()
    for gap in gaps:
        await set_back(api, timedelta(minutes=gap))
        now += gap
        answer = await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [1, 9]})
        if answer.status_code == 403:
            tried.append(now)
        else:
            assert answer.status_code == 429
    assert all(len([one for one in tried if start <= one < start + 10]) <= 5 for start in tried)


async def test_a_stolen_tablet_s_cookie_lists_tiles_and_no_more(api: Api) -> None:
    found = await new_class(api, HANEUL)
    thief = Page(api, **(await enrolled(api, found["class_id"])).cookies)
    await ok(await thief("GET", f"{AUTH}/tiles"))
    child = found["members"][0]["student_id"]
    device = thief.cookies[DEVICE]
    for method, path, body in (
        ("GET", "/api/v1/me", None),
        ("GET", "/api/v1/students", None),
        ("GET", f"/api/v1/students/{child}", None),
        ("GET", f"/api/v1/classes/{found['class_id']}", None),
        ("POST", "/api/v1/sessions", {"student_id": child}),
        ("POST", "/api/v1/chat", {"message": "안녕"}),
    ):
        for page in (thief, Page(api, **{SESSION: device})):
            assert (await page(method, path, body)).status_code == 401, path
        bearer = {"Authorization": f"Bearer {device}"}
        assert (await api.client.request(method, path, json=body, headers=bearer)).status_code == 401, path


async def test_a_sign_in_takes_no_secret_that_somebody_brought_and_ends_the_one_before(api: Api) -> None:
    found = await new_class(api, HANEUL)
    page = await enrolled(api, found["class_id"])
    page.cookies[SESSION] = "chosen-by-an-attacker"
    tile = await tile_of(page, "하늘")
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [2, 7]}), 204)
    first = page.cookies[SESSION]
    assert first != "chosen-by-an-attacker"
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [2, 7]}), 204)
    assert (await Page(api, **{SESSION: first})("GET", "/api/v1/me")).status_code == 401
    assert (await Page(api, **{SESSION: "chosen-by-an-attacker"})("GET", "/api/v1/me")).status_code == 401
    await ok(await page("GET", "/api/v1/me"))


async def test_what_has_expired_is_of_no_use(api: Api) -> None:
    found = await new_class(api, HANEUL)
    code = await ok(await api.client.post(f"/api/v1/classes/{found['class_id']}/device-codes"), 201)
    page = await enrolled(api, found["class_id"])
    assert (await Page(api)("POST", f"{AUTH}/devices", {"enrol_code": code["enrol_code"]})).status_code == 401
    tile = await tile_of(page, "하늘")
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": tile, "pictures": [2, 7]}), 204)
    sign_in = api.app.state.services.sign_ins
    await sign_in._database.execute(update(sign_ins).values(expires_at=utc_now()))
    sign_in.forget()
    assert (await page("GET", "/api/v1/me")).status_code == 401
    assert (await page("GET", f"{AUTH}/tiles")).status_code == 401
    live = await ok(await api.client.post(f"/api/v1/classes/{found['class_id']}/device-codes"), 201)
    await sign_in._database.execute(update(classes).values(code_expires_at=utc_now()))
    assert (await Page(api)("POST", f"{AUTH}/devices", {"enrol_code": live["enrol_code"]})).status_code == 401


async def test_no_secret_is_in_a_log_line_or_in_the_database(
    api: Api, caplog: pytest.LogCaptureFixture, sqlite_url: str
) -> None:
    caplog.set_level(logging.DEBUG)
    found = await new_class(api, HANEUL)
    child = found["members"][0]["student_id"]
    code = await ok(await api.client.post(f"/api/v1/classes/{found['class_id']}/device-codes"), 201)
    card = await ok(await api.client.post(f"/api/v1/students/{child}/cards"), 201)
    token = await api.tokens.create("teacher", [child])
    page = Page(api)
    await ok(await page("POST", f"{AUTH}/devices", {"enrol_code": code["enrol_code"]}), 204)
    await ok(await page("POST", f"{AUTH}/card", {"secret": card["secret"]}), 204)
    kept = [page.cookies[DEVICE], page.cookies[SESSION]]
    await ok(await page("POST", f"{AUTH}/sessions", {"token": token}), 204)
    typed = code["enrol_code"]
    secrets = [*kept, page.cookies[SESSION], card["secret"], token, typed, typed.replace("-", "")]
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert f"POST {AUTH}/card 204" in lines
    database = api.app.state.services.sign_ins._database
    rows = [row for table in (students, sign_ins, classes) for row in await database.rows(table.select())]
    stored = "\n".join(map(str, rows))
    assert "2학년 3반" in stored
    for secret in secrets:
        assert secret not in lines
        assert secret not in stored


async def test_a_new_card_takes_the_place_of_the_one_before(api: Api) -> None:
    found = await new_class(api, HANEUL)
    child = found["members"][0]["student_id"]
    first, second = [
        (await ok(await api.client.post(f"/api/v1/students/{child}/cards"), 201))["secret"] for _ in range(2)
    ]
    assert (await Page(api)("POST", f"{AUTH}/card", {"secret": first})).status_code == 401
    page = Page(api)
    await ok(await page("POST", f"{AUTH}/card", {"secret": second}), 204)
    assert (await ok(await page("GET", "/api/v1/me")))["students"][0]["student_id"] == child
    pdf = await api.client.post(f"/api/v1/classes/{found['class_id']}/cards")
    assert (pdf.status_code, pdf.headers["content-type"], pdf.content[:4]) == (200, "application/pdf", b"%PDF")
    assert (await Page(api)("POST", f"{AUTH}/card", {"secret": second})).status_code == 401


async def test_wrong_secrets_are_slowed_and_right_ones_pass(api: Api) -> None:
    page = Page(api)
    codes = [(await page("POST", f"{AUTH}/card", {"secret": f"guess-{number}"})).status_code for number in range(40)]
    assert codes.count(429) >= 5
    token = await api.tokens.create("teacher", ["s1"])
    await ok(await page("POST", f"{AUTH}/sessions", {"token": token}), 204)


async def test_preferences_are_kept_and_voice_needs_its_consent(api: Api) -> None:
    found = await new_class(api, HANEUL)
    child = found["members"][0]["student_id"]
    page = await enrolled(api, found["class_id"])
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": await tile_of(page, "하늘"), "pictures": [2, 7]}), 204)
    me = await ok(await page("PUT", "/api/v1/me/prefs", {"hand": "left", "font_scale": 1.25}))
    assert (me["prefs"]["hand"], me["prefs"]["font_scale"], me["prefs"]["voice"]) == ("left", 1.25, False)
    refused = await page("PUT", "/api/v1/me/prefs", {"voice": True})
    assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    agreed = {"purpose": "voice", "granted": True, "given_by": "보호자"}
    await ok(await api.client.post(f"/api/v1/students/{child}/consents", json=agreed), 201)
    assert (await ok(await page("PUT", "/api/v1/me/prefs", {"voice": True})))["prefs"]["voice"] is True
    await ok(await api.client.post(f"/api/v1/students/{child}/consents", json={**agreed, "granted": False}), 201)
    assert (await ok(await page("GET", "/api/v1/me")))["prefs"]["voice"] is False
    bad = await page("PUT", "/api/v1/me/prefs", {"hand": "both"})
    assert (bad.status_code, bad.json()["errors"][0]["loc"]) == (422, "body.hand")
    teacher = {"Authorization": f"Bearer {await api.tokens.create('teacher', [child])}"}
    mine = await ok(await api.client.put("/api/v1/me/prefs", json={"theme": "dark"}, headers=teacher))
    assert (mine["role"], mine["prefs"]["theme"]) == ("teacher", "dark")
    assert (await ok(await page("GET", "/api/v1/me")))["prefs"]["theme"] == "system"


@pytest.mark.parametrize(
    ("path", "body", "loc"),
    [
        ("child", {"tile_id": "t", "pictures": [1, 1]}, "body.pictures"),
        ("child", {"tile_id": "t", "pictures": [0, 1]}, "body.pictures.0"),
        ("child", {"tile_id": "t", "pictures": [1, 2, 3]}, "body.pictures"),
        ("sessions", {}, "body.token"),
        ("devices", {"enrol_code": ""}, "body.enrol_code"),
        ("card", {"secret": "s", "more": 1}, "body.more"),
    ],
)
async def test_a_bad_field_is_named(api: Api, path: str, body: Any, loc: str) -> None:
    answer = await Page(api)("POST", f"{AUTH}/{path}", body)
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, loc)


async def test_an_erased_child_is_signed_out_everywhere(api: Api) -> None:
    found = await new_class(api, HANEUL)
    child = found["members"][0]["student_id"]
    page = await enrolled(api, found["class_id"])
    card = (await ok(await api.client.post(f"/api/v1/students/{child}/cards"), 201))["secret"]
    await ok(await page("POST", f"{AUTH}/child", {"tile_id": await tile_of(page, "하늘"), "pictures": [2, 7]}), 204)
    exported = await ok(await api.client.get(f"/api/v1/students/{child}/export"))
    own = exported["tables"]
    assert (own["students"][0]["nickname"], own["class_members"][0]["class_id"]) == ("하늘", found["class_id"])
    assert own["sign_ins"]
    assert not {"hash", "card", "pictures"} & {name for rows in own.values() for row in rows for name in row}
    await ok(await api.client.delete(f"/api/v1/students/{child}"))
    assert (await page("GET", "/api/v1/me")).status_code == 401
    assert (await ok(await page("GET", f"{AUTH}/tiles")))["tiles"] == []
    assert (await page("POST", f"{AUTH}/card", {"secret": card})).status_code == 401

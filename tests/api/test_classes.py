"""Classes: whose they are, and who is in them."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from maththera.store.access.authorization import Role
from maththera.store.students import ANIMALS
from tests.api.conftest import Api
from tests.api.test_sign_in import AUTH, HANEUL, enrolled, new_class, ok, tile_of


async def test_a_teacher_makes_a_class_of_children_that_are_new(api: Api) -> None:
    teacher = await api.as_("teacher")
    found = await new_class(api, HANEUL, {"nickname": "서아"}, headers=teacher)
    assert [one["nickname"] for one in found["members"]] == ["하늘", "서아"]
    seoa = found["members"][1]
    assert seoa["animal"] in set(ANIMALS) - {"turtle"}
    assert seoa["picture_lock"] is True
    known = await ok(await api.client.get("/api/v1/students", headers=teacher))
    assert {one["nickname"] for one in known["students"]} == {"하늘", "서아"}
    begun = await api.client.post("/api/v1/sessions", json={"student_id": seoa["student_id"]}, headers=teacher)
    assert begun.status_code == 201
    renamed = await api.client.patch(
        f"/api/v1/classes/{found['class_id']}", json={"name": "3학년 1반"}, headers=teacher
    )
    assert (await ok(renamed))["name"] == "3학년 1반"
    listed = await ok(await api.client.get("/api/v1/classes", headers=teacher))
    assert [(one["name"], len(one["members"])) for one in listed["classes"]] == [("3학년 1반", 2)]


async def test_another_teacher_finds_nothing(api: Api) -> None:
    found = await new_class(api, HANEUL, headers=await api.as_("teacher"))
    other = await api.as_("teacher", "s9")
    path = f"/api/v1/classes/{found['class_id']}"
    child = found["members"][0]["student_id"]
    await enrolled(api, found["class_id"])
    (device,) = [one["device_id"] for one in (await ok(await api.client.get(f"{path}/devices")))["devices"]]
    for method, where, body in (
        ("GET", path, None),
        ("PATCH", path, {"name": "내 반"}),
        ("POST", f"{path}/members", {"nickname": "민"}),
        ("DELETE", f"{path}/members/{child}", None),
        ("POST", f"{path}/device-codes", None),
        ("GET", f"{path}/devices", None),
        ("DELETE", f"{path}/devices/{device}", None),
        ("GET", f"{path}/overview/playing", None),
        ("POST", f"{path}/cards", None),
        ("POST", f"/api/v1/students/{child}/cards", None),
        ("PATCH", f"/api/v1/students/{child}", {"nickname": "민"}),
        ("GET", "/api/v1/classes/nonsense", None),
    ):
        answer = await api.client.request(method, where, json=body, headers=other)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), where
    assert (await ok(await api.client.get("/api/v1/classes", headers=other)))["classes"] == []


async def test_a_teacher_takes_no_child_of_another_into_its_class(api: Api) -> None:
    await api.begin("s1")
    teacher = await api.as_("teacher")
    path = f"/api/v1/classes/{(await new_class(api, headers=teacher))['class_id']}/members"
    for student_id in ("s1", "unknown"):
        body = {"student_id": student_id, "nickname": "하늘"}
        assert (await api.client.post(path, json=body, headers=teacher)).status_code == 404
    await ok(await api.client.post(path, json={"student_id": "s1", "nickname": "하늘"}), 201)
    assert (await api.client.get("/api/v1/students/s1", headers=teacher)).status_code == 200, "an admin added it"


async def test_who_stands_for_all_of_a_class_sees_it(api: Api) -> None:
    found = await new_class(api, HANEUL, {"nickname": "서아"})
    ids = [one["student_id"] for one in found["members"]]
    path = f"/api/v1/classes/{found['class_id']}"
    for of_class, status in ((ids, 200), ([*ids, "s9"], 200), (ids[:1], 404)):
        assert (await api.client.get(path, headers=await api.as_("teacher", *of_class))).status_code == status


async def test_a_lost_tablet_is_ended_with_the_children_on_it(api: Api) -> None:
    teacher = await api.as_("teacher")
    found = await new_class(api, {"nickname": "하늘", "pictures": None}, headers=teacher)
    path = f"/api/v1/classes/{found['class_id']}/devices"
    kept, lost = [await enrolled(api, found["class_id"]) for _ in range(2)]
    listed = (await ok(await api.client.get(path, headers=teacher)))["devices"]
    assert [one["last_used_at"] for one in listed] == [None, None]
    for tablet in (kept, lost):
        await ok(await tablet("POST", f"{AUTH}/child", {"tile_id": await tile_of(tablet, "하늘")}), 204)
    listed = (await ok(await api.client.get(path, headers=teacher)))["devices"]
    assert all(one["last_used_at"] >= one["enrolled_at"] for one in listed)
    last = f"{path}/{listed[1]['device_id']}"
    elsewhere = (await new_class(api, headers=teacher))["class_id"]
    other = await api.client.delete(f"/api/v1/classes/{elsewhere}/devices/{listed[1]['device_id']}", headers=teacher)
    assert other.status_code == 404
    assert (await api.client.delete(last, headers=teacher)).status_code == 204
    assert (await api.client.delete(last, headers=teacher)).status_code == 404
    for tablet, status in ((kept, 200), (lost, 401)):
        assert (await tablet("GET", f"{AUTH}/tiles")).status_code == status
        assert (await tablet("GET", "/api/v1/me")).status_code == status
    assert [one["device_id"] for one in (await ok(await api.client.get(path, headers=teacher)))["devices"]] == [
        listed[0]["device_id"]
    ]


@pytest.mark.parametrize(("role", "subject"), [("student", ["s1"]), ("guardian", ["s1"]), ("author", [])])
async def test_classes_are_for_teachers_and_admins(api: Api, role: Role, subject: list[str]) -> None:
    await api.begin("s1")
    who = await api.as_(role, *subject)
    assert (await api.client.get("/api/v1/classes", headers=who)).status_code == 403
    assert (await api.client.post("/api/v1/classes", json={"name": "반"}, headers=who)).status_code == 403
    made = (await new_class(api))["class_id"]
    for path in ("devices", "overview/playing"):
        assert (await api.client.get(f"/api/v1/classes/{made}/{path}", headers=who)).status_code == 403
    assert (await api.client.delete(f"/api/v1/classes/{made}/devices/0", headers=who)).status_code == 403
    card = await api.client.post("/api/v1/students/s1/cards", headers=who)
    named = await api.client.patch("/api/v1/students/s1", json={"nickname": "하늘"}, headers=who)
    assert {card.status_code, named.status_code} == ({404} if role == "author" else {403})
    born = await api.client.patch("/api/v1/students/s1", json={"birth_year": 2016}, headers=who)
    assert born.status_code == {"guardian": 200, "student": 403, "author": 404}[role]


async def test_a_child_leaves_a_class_and_keeps_its_records(api: Api) -> None:
    teacher = await api.as_("teacher")
    found = await new_class(api, HANEUL, headers=teacher)
    child = found["members"][0]["student_id"]
    path = f"/api/v1/classes/{found['class_id']}/members/{child}"
    assert (await api.client.delete(path, headers=teacher)).status_code == 204
    assert (await api.client.delete(path, headers=teacher)).status_code == 404
    kept = await ok(await api.client.get(f"/api/v1/students/{child}", headers=teacher))
    assert (kept["nickname"], kept["animal"], kept["grade"], kept["picture_lock"]) == ("하늘", "turtle", 2, True)


async def test_what_is_left_out_of_a_change_stays(api: Api) -> None:
    await api.begin("s1")
    for change in ({"nickname": "하늘"}, {"birth_year": 2016}, {"animal": "fox"}, {"pictures": [1, 2]}, {"grade": 3}):
        view = await ok(await api.client.patch("/api/v1/students/s1", json=change))
    shown = {name: view[name] for name in ("nickname", "birth_year", "animal", "grade", "picture_lock")}
    assert shown == {"nickname": "하늘", "birth_year": 2016, "animal": "fox", "grade": 3, "picture_lock": True}
    assert (await ok(await api.client.patch("/api/v1/students/s1", json={"pictures": None})))["picture_lock"] is False


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, "body.nickname"),
        ({"nickname": ""}, "body.nickname"),
        ({"nickname": "<b>"}, "body.nickname"),
        ({"nickname": "하늘" * 13}, "body.nickname"),
        ({"nickname": "하늘", "birth_year": 1916}, "body.birth_year"),
        ({"nickname": "하늘", "birth_year": datetime.now(UTC).year + 1}, "body.birth_year"),
        ({"nickname": "하늘", "animal": "dragon"}, "body.animal"),
        ({"nickname": "하늘", "grade": 0}, "body.grade"),
        ({"nickname": "하늘", "pictures": [3, 3]}, "body.pictures"),
        ({"nickname": "하늘", "student_id": "a/b"}, "body.student_id"),
    ],
)
async def test_a_bad_member_is_refused(api: Api, body: dict[str, Any], loc: str) -> None:
    found = await new_class(api)
    answer = await api.client.post(f"/api/v1/classes/{found['class_id']}/members", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, loc)


async def test_a_refusal_says_what_is_allowed(api: Api) -> None:
    found = await new_class(api)
    path, year = f"/api/v1/classes/{found['class_id']}", datetime.now(UTC).year
    for method, where, body, korean in (
        ("POST", f"{path}/members", {"nickname": "🐰"}, "한글, 영어, 숫자와 빈칸만 쓸 수 있어요"),
        ("PATCH", path, {"name": "토끼반 🐰"}, "인쇄할 수 있는 한글, 영어, 숫자와 문장 부호만 쓸 수 있어요"),
        ("POST", f"{path}/members", {"nickname": "하늘", "birth_year": 1900}, f"{year - 30} 이상이어야 해요"),
    ):
        refused = await api.client.request(method, where, json=body)
        assert (refused.status_code, refused.json()["errors"][0]["korean"]) == (422, korean)
    named = await api.client.patch(path, json={"name": "2학년 3반 (늘봄·오후) – ‘해오름’ A~B!"})
    assert named.is_success, "marks that can be printed"


async def test_the_cards_name_every_child(api: Api) -> None:
    names = [f"아이{number}" for number in range(11)]
    found = await new_class(api, *({"nickname": name} for name in names))
    pdf = await api.client.post(f"/api/v1/classes/{found['class_id']}/cards")
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(pdf.content)).pages)
    assert all(name in text for name in names)
    empty = await api.client.post(f"/api/v1/classes/{(await new_class(api))['class_id']}/cards")
    assert empty.content.startswith(b"%PDF")


async def test_a_new_child_may_come_with_its_year_of_birth(api: Api) -> None:
    """From then on it needs a consent; put into another class without one, what is recorded stays."""
    found = await new_class(api, HANEUL | {"birth_year": 2018})
    child = found["members"][0]["student_id"]
    standing = await ok(await api.client.get(f"/api/v1/students/{child}"))
    assert (standing["birth_year"], standing["under_age"], standing["learning"]) == (2018, True, False)
    other = await new_class(api, HANEUL | {"student_id": child})
    assert [one["student_id"] for one in other["members"]] == [child]
    assert (await ok(await api.client.get(f"/api/v1/students/{child}")))["birth_year"] == 2018

"""Children of one nickname: not in one class, and told apart wherever an adult sees or names them."""

from collections.abc import Mapping
from typing import Any

import pytest

from maththera.executions.command_resolution import CommandContext
from maththera.store.access.authorization import Principal
from tests.api.conftest import Api
from tests.api.test_attention import told
from tests.api.test_chat import events
from tests.api.test_sign_in import new_class, ok

FOX = {"nickname": "민아", "animal": "fox"}
BEAR = {"nickname": "민아", "animal": "bear"}


async def members(api: Api, class_id: str, body: Mapping[str, Any]) -> Any:
    return await api.client.post(f"/api/v1/classes/{class_id}/members", json=body)


async def test_within_a_class_a_nickname_is_given_once(api: Api) -> None:
    found = await new_class(api, FOX, {"nickname": "서아"})
    class_id, (mina, seoa) = found["class_id"], [one["student_id"] for one in found["members"]]
    for refused in (
        await members(api, class_id, BEAR),
        await api.client.patch(f"/api/v1/students/{seoa}", json={"nickname": "민아"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "nickname_taken")
        (error,) = refused.json()["errors"]
        assert error["loc"] == "body.nickname"
        assert error["korean"] == "이 반에 이미 민아가 있어요. 성이나 숫자를 붙여 구별해 주세요 (예: 김민아)."
    assert (await api.client.patch(f"/api/v1/students/{mina}", json={"nickname": "민아", "grade": 2})).is_success
    assert (await members(api, class_id, {"nickname": "김민아"})).status_code == 201
    again = await members(api, class_id, FOX | {"student_id": mina})
    assert again.status_code == 201, "the same child, put in once more"
    kept = await ok(await api.client.get(f"/api/v1/classes/{class_id}"))
    assert [one["nickname"] for one in kept["members"]] == ["민아", "서아", "김민아"]


async def test_namesakes_of_two_classes_are_told_apart(api: Api) -> None:
    teacher = await api.as_("teacher")
    one, other = [await new_class(api, body, headers=teacher) for body in (FOX, BEAR)]
    fox, bear = one["members"][0]["student_id"], other["members"][0]["student_id"]
    called = {fox: "여우 민아", bear: "곰 민아"}
    listed = await ok(await api.client.get("/api/v1/students", headers=teacher))
    assert {each["student_id"]: each["called"] for each in listed["students"]} == called
    first = await ok(await api.client.get("/api/v1/students", params={"limit": 1}, headers=teacher))
    assert first["students"][0]["called"] == called[first["students"][0]["student_id"]], "on a page of its own as well"
    me = await ok(await api.client.get("/api/v1/me", headers=teacher))
    assert {each["student_id"]: each["called"] for each in me["students"]} == called
    path = f"/api/v1/classes/{one['class_id']}/overview"
    assert [each["called"] for each in (await ok(await api.client.get(path, headers=teacher)))["students"]] == [
        "여우 민아"
    ]
    alone = await ok(await api.client.get("/api/v1/students", headers=await api.as_("teacher", fox)))
    assert [each["called"] for each in alone["students"]] == ["민아"], "who knows of one only"


async def test_namesakes_with_one_animal_are_told_apart_by_their_classes(api: Api) -> None:
    made = {}
    for name in ("1반", "2반"):
        class_id = (await ok(await api.client.post("/api/v1/classes", json={"name": name}), 201))["class_id"]
        made[(await members(api, class_id, FOX)).json()["student_id"]] = f"{name} 민아"
    listed = await ok(await api.client.get("/api/v1/students"))
    assert {each["student_id"]: each["called"] for each in listed["students"]} == made


async def test_an_alert_says_animal_and_class(api: Api) -> None:
    found = await new_class(api, FOX)
    (child,) = [one["student_id"] for one in found["members"]]
    await told(api, child)
    shown = await ok(await api.client.get("/api/v1/attention"))
    assert shown["children"] == {
        child: {"called": "민아", "animal": "fox", "animal_name": "여우", "classes": [found["name"]]}
    }


@pytest.mark.parametrize("profile", ["assistant", "coach"])
async def test_a_question_that_names_one_of_two_is_asked_back(api: Api, profile: str) -> None:
    teacher = await api.as_("teacher")
    found = [await new_class(api, body, headers=teacher) for body in (FOX, BEAR, {"nickname": "하늘"})]
    fox, bear, sky = [one["members"][0]["student_id"] for one in found]
    about = {"student_id": sky} if profile == "coach" else {}

    async def said(message: str, **more: str) -> str:
        body = {"message": message, "profile": profile, **about, **more}
        answer = await api.client.post("/api/v1/chat", json=body, headers=teacher)
        return "".join(one["token"] for one in events(answer) if one["type"] == "token")

    asked = await said("민아 약점이 뭐예요?")
    assert "누구인지" in asked
    assert "여우 민아" in asked
    assert "곰 민아" in asked
    assert "누구인지" not in await said("여우 민아 약점이 뭐예요?")
    assert "누구인지" not in await said("여우민아 어때요?")
    assert "누구인지" not in await said("민아 약점이 뭐예요?", student_id=bear), "of whom is spoken"
    assert fox != bear


async def test_a_command_that_names_one_of_two_is_asked_back(api: Api) -> None:
    teacher = await api.as_("teacher")
    fox, bear = [(await new_class(api, body, headers=teacher))["members"][0]["student_id"] for body in (FOX, BEAR)]
    sent = {"command": "민아 학생 진단 리포트 만들어 줘"}
    asked = await ok(await api.client.post("/api/v1/execute", json=sent, headers=teacher))
    assert (asked["status"], asked["missing"]) == ("unclear", ["student_id"])
    assert "여우 민아" in asked["question"]
    commands = api.app.state.services.commands
    who = Principal("t", "teacher", frozenset({fox, bear}))
    for command, about, meant in (
        ("곰 민아 학생 진단 리포트 만들어 줘", None, bear),
        ("민아 학생 진단 리포트 만들어 줘", fox, fox),
    ):
        found = await commands.understand(who, command, about, CommandContext())
        assert found.inputs["student_id"] == meant

"""One's own conversations: listed, searched, named, deleted, and the last answer given anew."""

from typing import Any

from tests.api.conftest import Api

DANGER = "나는 죽고 싶어"


async def say(api: Api, message: str, thread_id: str, headers: dict[str, str], **more: Any) -> None:
    body = {"message": message, "thread_id": thread_id, "profile": "assistant", **more}
    assert (await api.client.post("/api/v1/chat", json=body, headers=headers)).is_success


async def listed(api: Api, headers: dict[str, str], **query: str) -> list[tuple[str, str]]:
    answer = await api.client.get("/api/v1/chat", params=query, headers=headers)
    assert answer.status_code == 200
    return [(one["thread_id"], one["title"]) for one in answer.json()["threads"]]


async def test_own_conversations_are_listed_searched_named_and_deleted(api: Api) -> None:
    mine, other = await api.as_("teacher", "s1"), await api.as_("teacher", "s1")
    await say(api, "자릿값이 뭐야?", "a", mine)
    await say(api, "받아올림이 뭐야?", "b", mine)
    assert await listed(api, mine) == [("b", "받아올림이 뭐야?"), ("a", "자릿값이 뭐야?")]
    assert await listed(api, mine, search="자릿값") == [("a", "자릿값이 뭐야?")]
    assert await listed(api, mine, search="%") == []
    named = await api.client.patch("/api/v1/chat/a", json={"title": "자리 이야기"}, headers=mine)
    assert named.status_code == 204
    assert await listed(api, mine, search="이야기") == [("a", "자리 이야기")]
    assert await listed(api, other) == []
    for method, body in (("PATCH", {"title": "남의 것"}), ("DELETE", None)):
        assert (await api.client.request(method, "/api/v1/chat/a", json=body, headers=other)).status_code == 404
    assert (await api.client.delete("/api/v1/chat/a", headers=mine)).status_code == 204
    assert [name for name, _ in await listed(api, mine)] == ["b"]
    assert (await api.client.get("/api/v1/chat/a", headers=mine)).status_code == 404
    assert (await api.client.delete("/api/v1/chat/a", headers=mine)).status_code == 404


async def test_an_answer_is_given_anew_in_place_of_the_last(api: Api) -> None:
    mine = await api.as_("teacher", "s1")
    await say(api, "자릿값이 뭐야?", "a", mine)
    await say(api, "받아올림이 뭐야?", "a", mine)
    before = (await api.client.get("/api/v1/chat/a", headers=mine)).json()
    assert (await api.client.post("/api/v1/chat/a/regenerate", headers=mine)).status_code == 200
    after = (await api.client.get("/api/v1/chat/a", headers=mine)).json()
    assert after["turns"] == before["turns"] == 2
    assert [one["text"] for one in after["messages"]] == [one["text"] for one in before["messages"]]
    assert after["messages"][-1]["run_id"] != before["messages"][-1]["run_id"]


async def test_what_a_child_told_stays(api: Api) -> None:
    child, teacher = await api.as_("student", "s1"), await api.as_("teacher", "s1")
    await say(api, DANGER, "c", child, profile="coach")
    assert [name for name, _ in await listed(api, child)] == ["c"]
    assert await listed(api, teacher) == []
    assert (await api.client.delete("/api/v1/chat/c", headers=child)).status_code == 403
    assert (await api.client.delete("/api/v1/chat/c", headers=teacher)).status_code == 404
    assert (await api.client.post("/api/v1/chat/c/regenerate", headers=child)).status_code == 403
    assert (await api.client.get("/api/v1/chat/c", headers=teacher)).status_code == 200

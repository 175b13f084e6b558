"""Documents, saved files and ratings over HTTP."""

from typing import Any

import orjson
import pytest

from tests.api.conftest import Api

PAPER = "---\ntitle: 뺄셈의 오류\nyear: 2020\n---\n# 뺄셈의 오류\n\n받아내림에서 자주 보이는 오류를 모았다.\n".encode()


async def add(api: Api, name: str = "bugs.md", content: bytes = PAPER, **more: Any) -> Any:
    return await api.client.post("/api/v1/papers", params={"name": name}, content=content, **more)


async def test_a_document_is_added_listed_and_removed(api: Api) -> None:
    (added,) = (await add(api)).json()["papers"]
    assert added["new"]
    assert not (await add(api)).json()["papers"][0]["new"]
    listed = (await api.client.get("/api/v1/papers")).json()["papers"]
    assert listed[0]["title"] == "뺄셈의 오류"
    assert listed[-1]["starter"]
    path = f"/api/v1/papers/{added['paper_id']}"
    assert (await api.client.delete(path)).status_code == 204
    assert (await api.client.delete(path)).status_code == 404


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        (b"year: 2026-02-30", "day is out of range for month"),
        (b"year: " + b"9" * 5000, "Exceeds the limit"),
        (b"title: " + b"- " * 500_000, "block sequence entries are not allowed"),
        (b"title:\n  " + b"- " * 500_000, "nested deeper than 60"),
        (b"[" * 1_000_000, "nested deeper than 60"),
        (b"a: &x [*x]\ntitle: *x", "stands within itself"),
        (b"!!python/object/apply:os.system [id]", "could not determine a constructor"),
    ],
    ids=lambda value: value[:16] if isinstance(value, bytes) else "",
)
async def test_a_head_that_is_no_data_is_refused_with_a_reason(api: Api, front: bytes, reason: str) -> None:
    answer = await add(api, "x.md", b"---\n" + front + b"\n---\n# a\n\nb")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert reason in answer.json()["detail"]
    assert "pydantic" not in answer.json()["detail"]


@pytest.mark.parametrize(
    ("name", "content"), [("x.exe", b"x"), ("x.pdf", b"no pdf"), ("x.md", b"\xff"), ("x.bib", b"@"), ("", b"x")]
)
async def test_what_cannot_be_read_is_refused_with_a_reason(api: Api, name: str, content: bytes) -> None:
    answer = await add(api, name, content)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_input"


async def test_a_document_that_is_too_large_is_refused(api: Api) -> None:
    assert (await add(api, content=b"x" * (30 * 2**20 + 1))).status_code == 413


@pytest.mark.parametrize(
    ("role", "sees", "adds", "removes"),
    [
        ("student", 403, 403, 403),
        ("guardian", 200, 403, 403),
        ("teacher", 200, 201, 403),
        ("author", 200, 201, 204),
    ],
)
async def test_who_may_do_what(api: Api, role: Any, sees: int, adds: int, removes: int) -> None:
    paper_id = (await add(api)).json()["papers"][0]["paper_id"]
    who = await api.as_(role, *(["s1"] if role in ("student", "guardian", "teacher") else []))
    assert (await api.client.get("/api/v1/papers", headers=who)).status_code == sees
    assert (await add(api, "x.md", b"# x\n\ny", headers=who)).status_code == adds
    assert (await api.client.delete(f"/api/v1/papers/{paper_id}", headers=who)).status_code == removes
    assert (await api.client.get("/api/v1/ratings", headers=who)).status_code == (200 if role == "author" else 403)


async def test_without_a_token_there_is_nothing(api: Api) -> None:
    nobody = {"Authorization": ""}
    for path in ("/api/v1/papers", "/api/v1/ratings", f"/api/v1/files/{'0' * 32}"):
        assert (await api.client.get(path, headers=nobody)).status_code == 401


async def test_an_answer_is_saved_downloaded_and_rated_by_whoever_asked(api: Api) -> None:
    who = await api.as_("teacher", "s1")
    run_id, file = await chat(api, who, "받아올림이 뭔지 설명하고 저장해줘")
    answer = await api.client.get(file["url"], headers=who)
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "attachment" in answer.headers["content-disposition"]
    assert "10" in answer.text
    stranger = await api.as_("teacher", "s1")
    assert (await api.client.get(file["url"], headers=stranger)).status_code == 404
    assert (await api.client.get(file["url"])).status_code == 404

    path = f"/api/v1/chat/runs/{run_id}/rating"
    sent = {"score": 5, "level": "elementary", "comment": "비유가 좋아요"}
    assert (await api.client.post(path, json=sent, headers=stranger)).status_code == 404
    for score in (2, 5):
        assert (await api.client.post(path, json={**sent, "score": score}, headers=who)).status_code == 200
    (kept,) = (await api.client.get("/api/v1/ratings")).json()["ratings"]
    assert kept["score"] == 5
    assert kept["question"] == "받아올림이 뭔지 설명하고 저장해줘"
    assert "옆집" in kept["answer"]
    assert kept["prompts"]["elementary"]["prompt"] == "level_elementary"


async def test_who_mends_prompts_reads_nothing_about_a_learner(api: Api) -> None:
    teacher, author = await api.as_("teacher", "s1", "s2"), await api.as_("author")
    for about in ({"student_id": "s1"}, {}):
        sent = {"message": "받아올림이 뭐야?", "profile": "assistant", **about}
        said = await api.client.post("/api/v1/chat", json=sent, headers=teacher)
        path = f"/api/v1/chat/runs/{said.headers['x-run-id']}/rating"
        assert (await api.client.post(path, json={"score": 3 + len(about)}, headers=teacher)).status_code == 200
    seen = {
        role: sorted(each["score"] for each in (await api.client.get("/api/v1/ratings", headers=who)).json()["ratings"])
        for role, who in {"author": author, "admin": None}.items()
    }
    assert seen == {"author": [3], "admin": [3, 4]}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"score": 0},
        {"score": 6},
        {"score": "5"},
        {"score": 3, "level": "expert"},
        {"score": 3, "comment": "x" * 1001},
    ],
)
async def test_a_rating_that_is_none_is_refused(api: Api, body: Any) -> None:
    assert (await api.client.post("/api/v1/chat/runs/x/rating", json=body)).status_code == 422


async def test_what_was_not_answered_cannot_be_rated(api: Api) -> None:
    who = await api.as_("teacher", "s1")
    run_id, _ = await chat(api, who, "받아올림이 뭔지 설명하고 저장해줘")
    assert (await api.client.post("/api/v1/chat/runs/nosuch/rating", json={"score": 3}, headers=who)).status_code == 404
    answer = await api.client.post(
        f"/api/v1/chat/runs/{run_id}/rating", json={"score": 3, "level": "advanced"}, headers=who
    )
    assert answer.status_code == 404


async def chat(api: Api, who: dict[str, str], message: str) -> tuple[str, dict[str, Any]]:
    """The run, and the file that it saved."""
    body = {"message": message, "profile": "assistant"}
    answer = await api.client.post("/api/v1/chat", json=body, headers=who)
    assert answer.status_code == 200, answer.text
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    events = [orjson.loads(line) for line in lines]
    (saved,) = [event for event in events if event["type"] == "step_result" and event["tool"] == "save_file"]
    return answer.headers["x-run-id"], saved["result"]["file"]

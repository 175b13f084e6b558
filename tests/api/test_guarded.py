"""A guardian's views hold nothing of what a child told of danger, whichever way they ask."""

import json
import re
from typing import Any, Final

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.store.access.authorization import SAFETY_MARK, Role, has_safety_mark, redact_for_role
from maththera.store.lessons import LessonRecords
from tests.api.conftest import Api
from tests.unit.store.test_lessons import completed

DANGER: Final = "나는 죽고 싶어"
HARMLESS: Final = "내 약점 보여줘"
THREAD: Final = "t1"
BODIES: Final[dict[str, Any]] = {
    "/api/v1/chat": {"message": HARMLESS, "thread_id": THREAD},
    "/api/core/ai-coach/chat/": {"message": HARMLESS, "thread_id": THREAD},
    "/api/v1/ag-ui": {
        "threadId": THREAD,
        "runId": "r",
        "state": {},
        "messages": [{"id": "1", "role": "user", "content": HARMLESS}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    },
}
"""Of routes that go on with a conversation; the others are sent {}."""


CONVERSATION: Final = "GET /api/v1/chat/{thread_id}"
WAYS: Final = frozenset({
    CONVERSATION, "GET /api/v1/chat/runs/{run_id}/events", "GET /api/v1/lessons/{lesson_id}",
    "GET /api/v1/lessons/{lesson_id}/sessions",
})  # fmt: skip
"""Where what a child said is looked up."""
OPENED: Final = "POST /api/v1/reviews/{review_id}/open"
EXPORT: Final = "GET /api/v1/students/{student_id}/export"


class World:
    """A child with a conversation, a lesson, a session and an alert; in each danger was told once."""

    def __init__(self, api: Api, known: dict[str, str], document: dict[str, Any], words: tuple[str, ...]) -> None:
        """`words`: what the child told, and how it was answered."""
        self.api, self.known, self.document, self.words = api, known, document, words

    def telling(self, answers: dict[str, httpx.Response]) -> set[str]:
        return {name for name, answer in answers.items() if any(words in answer.text for words in self.words)}

    async def walk(self, role: Role) -> dict[str, httpx.Response]:
        """The answers of all operations that this role may be asked for; "METHOD path" → answer. An id in a path, or a
        value that must be given, which is not known here, is an error: say what it is."""
        headers = await self.api.as_(role, *(["s1"] if role != "admin" else []))
        answers = {}
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                if method == "delete" and role == "admin":
                    continue
                given_at = operation.get("parameters", [])
                ids = {one["name"]: self.known[one["name"]] for one in given_at if one["in"] == "path"}
                query = {one["name"]: self.known[one["name"]] for one in given_at
                         if one["in"] == "query" and one["required"]}  # fmt: skip
                body = BODIES.get(path, {}) if method in ("post", "put") else None
                answers[f"{method.upper()} {path}"] = await self.api.client.request(
                    method, path.format(**ids), params=query, json=body, headers=headers
                )
        return answers


async def told(api: Api, path: str, *messages: dict[str, Any]) -> list[httpx.Response]:
    """The answers to what the child says there, one after the other."""
    child = await api.as_("student", "s1")
    answers = [await api.client.post(path, json=message, headers=child) for message in messages]
    assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
    return answers


def events(stream: httpx.Response) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in stream.text.splitlines() if line.startswith("data: {")]


def answered(stream: httpx.Response) -> str:
    """The first line of the answer to danger."""
    (danger,) = [event for event in events(stream) if event["type"] == "safety"]
    line: str = danger["text"][0]
    return line


@pytest.fixture
async def world(api: Api) -> World:
    session = await api.begin("s1")
    answer = {"type": "answer_submitted", "request_id": "r1", "task_id": session["task"]["task_id"], "answer": DANGER}
    await told(api, f"/api/v1/sessions/{session['session_id']}/events", {**answer, "rt_ms": 3_000})
    said = [{"message": message, "thread_id": THREAD} for message in (HARMLESS, DANGER, HARMLESS)]
    _, run, _ = await told(api, "/api/v1/chat", *said)
    begun = (await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"})).json()
    path = f"/api/v1/lessons/{begun['lesson_id']}"
    _, heard = await told(api, f"{path}/messages", *({"message": message} for message in (HARMLESS, DANGER)))
    items = (await api.client.get(path)).json()["state"]["current_session_conversations"]
    before = completed(begun["lesson_id"], student_id="s1", conversations=items)
    await LessonRecords(api.app.state.services.learners.alerts._database).complete(before, "arithmetic")
    found = (await api.client.get("/api/v1/reviews", params={"kind": "safety"})).json()["reviews"]
    assert {one["room"] for one in found} == {"tutoring", "coach", "lesson"}
    known = {
        "digest": "0" * 64,
        "flow": "none",
        "session_id": session["session_id"],
        "thread_id": THREAD,
        "run_id": run.headers["x-run-id"],
        "student_id": "s1",
        "user_id": "s1",
        "lesson_id": begun["lesson_id"],
        "review_id": str(found[0]["review_id"]),
        "execution_id": "0" * 32,
        "file_id": "0" * 32,
        "paper_id": "0" * 32,
        "report_id": "0" * 24,
        "link_id": "0" * 16,
        "goal_id": "0" * 32,
        "request_id": "0" * 32,
        "skill_id": "C8.tens",
        "procedure_id": "0",
        "version": "0",
        "class_id": "0" * 32,
        "device_id": "0" * 12,
        "token_id": "0" * 12,
        "name": "none",
        "model": "none",
    }
    document = (await api.client.get("/openapi.json")).json()
    return World(api, known, document, (DANGER, answered(run), answered(heard)))


async def test_no_way_of_a_guardian_leads_to_danger(world: World) -> None:
    answers = await world.walk("guardian")
    assert world.telling(answers) == set()
    named = {name for name, answer in answers.items() if "self_harm" in answer.text}
    assert named <= {"GET /metrics"}, "whose it was is told there of nobody"
    assert not [name for name, answer in answers.items() if f'"{SAFETY_MARK}"' in answer.text]
    for name in WAYS - {"GET /api/v1/chat/runs/{run_id}/events", CONVERSATION} | {EXPORT}:
        assert HARMLESS in answers[name].text, "what is harmless is still there"


async def test_the_child_itself_and_the_school_are_shown_what_was_said(world: World) -> None:
    """The walk does find what there is to be found."""
    assert world.telling(await world.walk("student")) == WAYS
    assert world.telling(await world.walk("teacher")) == WAYS | {OPENED, EXPORT}
    assert world.telling(await world.walk("admin")) == WAYS | {OPENED, EXPORT}


async def test_a_guardian_sees_nothing_of_a_conversation_in_which_danger_was_told(world: World) -> None:
    """What was said around it would tell as much, and so would a gap."""
    who = await world.api.as_("guardian", "s1")
    assert (await world.api.client.get(f"/api/v1/chat/{THREAD}", headers=who)).status_code == 404
    tables = (await world.api.client.get("/api/v1/students/s1/export", headers=who)).json()["tables"]
    assert THREAD not in {row["thread_id"] for row in (*tables["threads"], *tables["messages"])}
    other = {"message": HARMLESS, "thread_id": "another"}
    await told(world.api, "/api/v1/chat", other)
    view = (await world.api.client.get("/api/v1/chat/another", headers=who)).json()
    assert [one["number"] for one in view["messages"]] == [1, 2]
    tables = (await world.api.client.get("/api/v1/students/s1/export", headers=who)).json()["tables"]
    assert {row["thread_id"] for row in tables["messages"]} == {"another"}


@pytest.mark.parametrize("seen", [0, 1, 2])
async def test_a_stream_of_danger_has_only_its_end_wherever_a_guardian_comes_back_to_it(
    world: World, seen: int
) -> None:
    url = f"/api/v1/chat/runs/{world.known['run_id']}/events"
    all_of_it = (await world.api.client.get(url)).text
    numbers = ["0-0", *re.findall(r"^id: (.+)$", all_of_it.replace("\r", ""), flags=re.M)]
    who = {**await world.api.as_("guardian", "s1"), "Last-Event-ID": numbers[seen]}
    assert events(await world.api.client.get(url, headers=who)) == [{"type": "final"}]


async def test_a_stream_of_anything_else_is_told_whole_from_where_a_guardian_was(world: World) -> None:
    view = (await world.api.client.get(f"/api/v1/chat/{THREAD}")).json()
    url = f"/api/v1/chat/runs/{view['messages'][0]['run_id']}/events"
    whole = await world.api.client.get(url)
    numbers = re.findall(r"^id: (.+)$", whole.text.replace("\r", ""), flags=re.M)
    guardian = await world.api.as_("guardian", "s1")
    for seen, number in enumerate(["0-0", *numbers]):
        again = await world.api.client.get(url, headers={**guardian, "Last-Event-ID": number})
        assert events(again) == events(whole)[seen:]


async def test_an_export_for_a_guardian_has_no_row_of_an_alert(world: World) -> None:
    await world.api.client.post(f"/api/v1/reviews/{world.known['review_id']}/open")
    path = "/api/v1/students/s1/export"
    tables = {role: (await world.api.client.get(path, headers=await world.api.as_(role, "s1"))).json()["tables"]
              for role in ("guardian", "teacher")}  # fmt: skip
    assert not [row for row in tables["guardian"]["reviews"] if row["kind"] == "safety"]
    assert tables["guardian"]["alert_openings"] == []
    assert [len(tables["teacher"][name]) for name in ("reviews", "alert_openings")] == [3, 1]
    assert "words" not in tables["teacher"]["reviews"][0], "the words are shown on opening alone"
    (kept,) = tables["guardian"]["lesson_sessions"]
    said = [one["message"] for one in kept["conversations"] if one["message_type"] == "user"]
    assert said == [HARMLESS]


async def test_an_answer_to_danger_is_not_rated(world: World) -> None:
    """A rating copies the words to where others read."""
    who = await world.api.as_("student", "s1")
    rating = {"score": 5}
    assert (
        await world.api.client.post(f"/api/v1/chat/runs/{world.known['run_id']}/rating", json=rating, headers=who)
    ).is_error


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
TREES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("a", "b", "type", SAFETY_MARK)), inner, max_size=3)
    ),
    max_leaves=20,
)


@given(st.lists(TREES, max_size=4))
def test_whatever_a_record_looks_like_nothing_marked_is_left(records: list[Any]) -> None:
    def marked(value: Any) -> bool:
        inside = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        return has_safety_mark(value) or any(map(marked, inside))

    assert not marked(redact_for_role("guardian", records))
    for role in ("student", "teacher", "admin"):
        assert redact_for_role(role, records) is records

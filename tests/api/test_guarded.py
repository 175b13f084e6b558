"""A guardian's views hold nothing of what a child told of danger, whichever way they ask."""

from typing import Any, Final

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.learners.access import Role
from maththera.learners.alerts import NewAlert
from maththera.learners.conversations import Conversations, Said, Thread
from maththera.learners.database import Database
from maththera.learners.guarded import MARK, shown, tells_of_danger
from maththera.learners.lessons import LessonRecords
from tests.api.conftest import Api
from tests.unit.learners.test_lessons import completed

DANGER: Final = "집에 가기 싫어. 또 맞을까 봐 무서워"
ANSWER: Final = "말해 줘서 고마워. 네 잘못이 아니야"
HARMLESS: Final = "내 약점 보여줘"
SAFETY: Final = {MARK: {"asks": False}}
RUN: Final = "d" * 32
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


WAYS: Final = frozenset(
    {"GET /api/v1/chat/{thread_id}", "GET /api/v1/chat/runs/{run_id}/events", "GET /api/v1/lessons/{lesson_id}"}
)
"""Where what a child said is looked up."""
OPENED: Final = "POST /api/v1/reviews/{review_id}/open"
EXPORT: Final = "GET /api/v1/students/{student_id}/export"


class World:
    """A child with a conversation, a lesson, a session and an alert; in each danger was told once."""

    def __init__(self, api: Api, known: dict[str, str], document: dict[str, Any]) -> None:
        self.api, self.known, self.document = api, known, document

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


async def conversation(api: Api) -> None:
    records = Conversations(database(api))
    thread = Thread(THREAD, "coach", "s1", None)
    said = [
        Said("a" * 32, HARMLESS, "뺄셈이야", {}),
        Said(RUN, DANGER, ANSWER, SAFETY),
        Said("b" * 32, "고마워", "응", {}),
    ]
    for turn, one in enumerate(said, start=1):
        await records.append(thread, turn, one)
    runs = api.app.state.resources.chat._runs
    await runs.claim(THREAD, RUN, {"profile": "coach", "student_id": "s1", "owner_token": None})
    told = [{"type": "thinking", "message": "…"}, {"type": "safety", "text": [ANSWER]},
            {"type": "token", "token": ANSWER}, {"type": "final"}]  # fmt: skip
    await runs._log.write([(RUN, f"1-{number}", event) for number, event in enumerate(told, start=1)])


def database(api: Api) -> Database:
    found: Database = api.app.state.resources.learners.alerts._database
    return found


async def lesson(api: Api) -> str:
    """A lesson in whose session, and in the one before, danger was told."""
    begun = (await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"})).json()
    lesson_id: str = begun["lesson_id"]
    common = {"agent_name": "learning_supervisor", "timestamp": "2026-11-22T00:00:00+00:00",
              "session_stage": "session_start"}  # fmt: skip
    items = [
        {**common, "message": HARMLESS, "message_type": "user"},
        {**common, "message": DANGER, "message_type": "user", **SAFETY},
        {**common, "message": ANSWER, "message_type": "system", **SAFETY},
    ]
    graph = api.app.state.resources.lessons._graph
    config = {"configurable": {"thread_id": lesson_id}}
    await graph.aupdate_state(config, {"current_session_conversations": items}, as_node="conversation_record")
    session = completed(lesson_id, student_id="s1", conversations=items)
    await LessonRecords(database(api)).complete(session, "arithmetic")
    return lesson_id


@pytest.fixture
async def world(api: Api) -> World:
    session = await api.begin("s1")
    await conversation(api)
    alerts = api.app.state.resources.learners.alerts
    await alerts.add(NewAlert("coach", THREAD, "m1", "s1", "student", "violence_home", 1, DANGER))
    (review,) = (await api.client.get("/api/v1/reviews")).json()["reviews"]
    known = {
        "session_id": session["session_id"],
        "thread_id": THREAD,
        "run_id": RUN,
        "student_id": "s1",
        "user_id": "s1",
        "lesson_id": await lesson(api),
        "review_id": str(review["review_id"]),
        "execution_id": "0" * 32,
        "file_id": "0" * 32,
        "paper_id": "0" * 32,
        "report_id": "0" * 24,
        "name": "none",
        "model": "none",
    }
    return World(api, known, (await api.client.get("/openapi.json")).json())


def telling(answers: dict[str, httpx.Response]) -> set[str]:
    return {name for name, answer in answers.items() if DANGER in answer.text or ANSWER in answer.text}


async def test_no_way_of_a_guardian_leads_to_danger(world: World) -> None:
    answers = await world.walk("guardian")
    assert telling(answers) == set()
    named = {name for name, answer in answers.items() if "violence_home" in answer.text}
    assert named <= {"GET /metrics"}, "whose it was is told there of nobody"
    assert not [name for name, answer in answers.items() if f'"{MARK}"' in answer.text]
    for name in WAYS - {"GET /api/v1/chat/runs/{run_id}/events"} | {EXPORT}:
        assert HARMLESS in answers[name].text, "what is harmless is still there"


async def test_the_child_itself_and_the_school_are_shown_what_was_said(world: World) -> None:
    """The walk does find what there is to be found."""
    assert telling(await world.walk("student")) == WAYS
    assert telling(await world.walk("teacher")) == WAYS | {OPENED, EXPORT}
    assert telling(await world.walk("admin")) == WAYS | {OPENED, EXPORT}


async def test_a_guardian_sees_no_gap_either(world: World) -> None:
    who = await world.api.as_("guardian", "s1")
    view = (await world.api.client.get(f"/api/v1/chat/{THREAD}", headers=who)).json()
    assert [one["number"] for one in view["messages"]] == [1, 2, 3, 4]
    assert view["turns"] == 2


@pytest.mark.parametrize("last_id", ["0-0", "1-1", "1-2", "1-3"])
async def test_a_stream_of_danger_has_only_its_end_wherever_a_guardian_comes_back_to_it(
    world: World, last_id: str
) -> None:
    who = {**await world.api.as_("guardian", "s1"), "Last-Event-ID": last_id}
    answer = await world.api.client.get(f"/api/v1/chat/runs/{RUN}/events", headers=who)
    assert ANSWER not in answer.text
    assert '"final"' in answer.text


async def test_an_export_for_a_guardian_has_no_row_of_an_alert(world: World) -> None:
    await world.api.client.post(f"/api/v1/reviews/{world.known['review_id']}/open")
    path = "/api/v1/students/s1/export"
    tables = {role: (await world.api.client.get(path, headers=await world.api.as_(role, "s1"))).json()["tables"]
              for role in ("guardian", "teacher")}  # fmt: skip
    assert not [row for row in tables["guardian"]["reviews"] if row["kind"] == "safety"]
    assert tables["guardian"]["alert_openings"] == []
    assert [len(tables["teacher"][name]) for name in ("reviews", "alert_openings")] == [1, 1]
    assert "words" not in tables["teacher"]["reviews"][0], "the words are shown on opening alone"
    (kept,) = tables["guardian"]["lesson_sessions"]
    assert [one["message"] for one in kept["conversations"]] == [HARMLESS]


async def test_an_answer_to_danger_is_not_rated(world: World) -> None:
    """A rating copies the words to where others read."""
    who = await world.api.as_("student", "s1")
    rating = {"score": 5, "level": None}
    assert (await world.api.client.post(f"/api/v1/chat/runs/{RUN}/rating", json=rating, headers=who)).is_error


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
TREES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("a", "b", "type", MARK)), inner, max_size=3)
    ),
    max_leaves=20,
)


@given(st.lists(TREES, max_size=4))
def test_whatever_a_record_looks_like_nothing_marked_is_left(records: list[Any]) -> None:
    def marked(value: Any) -> bool:
        inside = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        return tells_of_danger(value) or any(map(marked, inside))

    assert not marked(shown("guardian", records))
    for role in ("student", "teacher", "admin"):
        assert shown(role, records) is records  # type: ignore[arg-type]

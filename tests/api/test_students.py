"""What is known of the children: who sees what of it, what goes out, what is erased."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import func, select

from maththera.app.data_erasure import DataErasure
from maththera.reports.signed_links import report_file
from maththera.store.access.authorization import Role
from maththera.store.conversations import Conversations, ConversationTurn, Thread
from maththera.store.database import Database, dumps
from maththera.store.heatmaps import Heatmaps
from maththera.store.reports import ReportRecords
from maththera.store.tables import metadata
from maththera.tutoring.number_sense.items import item
from maththera.tutoring.number_sense.screening_profile import SCREENING_ITEMS, screening_items
from tests.api.conftest import Api
from tests.api.test_access import members
from tests.api.test_sessions import answer_to, events
from tests.support.servers import RedisServer

CONSENT = {"purpose": "records", "granted": True, "given_by": "보호자"}
REPORT = "0123456789abcdef01234567"


@pytest.fixture
async def database(api: Api, sqlite_url: str) -> AsyncIterator[Database]:
    found = Database(sqlite_url)
    yield found
    await found.close()


async def played(api: Api, student: str = "s1", *, turns: int = 3) -> dict[str, Any]:
    """A session with a wrong answer in it that no rule explains."""
    view = await api.begin(student, first_problem="28+15", c_position=8)
    seen = view
    for number in range(turns):
        body = answer_to(seen, request_id=f"r-{number}", answer=77, rt_ms=3_000)
        seen = (await api.client.post(events(view), json=body)).json()
    return view


async def get(api: Api, path: str, headers: dict[str, str] | None = None) -> Any:
    answer = await api.client.get(f"/api/v1/students{path}", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_each_role_lists_the_students_it_may_see(api: Api) -> None:
    for student in ("s2", "s1", "s3"):
        await played(api, student, turns=1)

    async def listed(role: Role, *students: str) -> list[str]:
        return [one["student_id"] for one in (await get(api, "", await api.as_(role, *students)))["students"]]

    assert await listed("admin") == ["s1", "s2", "s3"]
    assert await listed("teacher", "s2", "new") == ["new", "s2"]
    assert await listed("guardian", "s1") == ["s1"]
    assert await listed("student", "s3") == ["s3"]
    assert await listed("author") == []


async def test_a_list_has_pages(api: Api) -> None:
    for student in ("a", "b", "c"):
        await played(api, student, turns=1)
    first = await get(api, "?limit=2")
    assert ([one["sessions"] for one in first["students"]], first["next"]) == ([1, 1], "b")
    second = await get(api, f"?limit=2&after={first['next']}")
    assert ([one["student_id"] for one in second["students"]], second["next"]) == (["c"], None)
    wrong = await api.client.get("/api/v1/students?limit=0")
    assert (wrong.status_code, wrong.json()["errors"][0]["loc"]) == (422, "query.limit")


async def test_a_student_at_a_glance(api: Api) -> None:
    await played(api)
    summary = await get(api, "/s1/summary")
    assert (summary["sessions"], summary["answered"], summary["right"], summary["accuracy"]) == (1, 3, 0, 0.0)
    assert summary["position"]["c"] <= 8
    heatmap = await get(api, "/s1/heatmap")
    assert set(heatmap["heatmap"]) == set(heatmap["names"]) == set(heatmap["answers"])
    assert all(0 < value < 1 for value in heatmap["heatmap"].values())
    (session,) = (await get(api, "/s1/sessions"))["sessions"]
    assert (session["answered"], session["median_rt_ms"], session["ended_at"]) == (3, 3_000, None)


async def test_what_a_student_knows_is_told_by_skill(api: Api) -> None:
    await played(api)
    known = await get(api, "/s1/knowledge")
    asked = [one for one in known["skills"] if one["tries"]]
    assert asked
    assert known["next"]
    for one in known["skills"]:
        assert one["low"] <= one["chance"] <= one["high"]
        assert (one["last_day"] is None) == (one["tries"] == 0)
        assert one["says"].endswith("요.")
    heatmap = await get(api, "/s1/heatmap")
    units = [number for concept, number in heatmap["answers"].items() if concept.startswith("Cur")]
    assert sum(units) == sum(one["tries"] for one in asked)


async def test_a_child_reads_words_and_no_numbers_of_what_it_knows(api: Api) -> None:
    await played(api)
    known = await get(api, "/s1/knowledge", await api.as_("student", "s1"))
    for one in known["skills"]:
        assert set(one) == {
            "skill_id",
            "name",
            "c_level",
            "strand",
            "needed",
            "word",
            "says",
            "last_day",
            "passed",
            "due",
        }
        assert not any(letter.isdigit() for letter in one["says"])


async def test_sessions_have_pages(api: Api) -> None:
    ids = [(await played(api, turns=1))["session_id"] for _ in range(3)]
    first = await get(api, "/s1/sessions?limit=2")
    second = await get(api, f"/s1/sessions?limit=2&before={first['next']}")
    seen = [one["session_id"] for page in (first, second) for one in page["sessions"]]
    assert sorted(seen) == sorted(ids)
    assert second["next"] is None
    assert (await get(api, "/s1/sessions?before=nobody"))["sessions"] == []


async def test_a_child_sees_nothing_of_what_was_thought_about_it(api: Api) -> None:
    await played(api)
    headers = await api.as_("student", "s1")
    for path in ("/s1/summary", "/s1/heatmap", "/s1/sessions"):
        assert not members(await get(api, path, headers)) & {"causes", "patterns", "cause_tag"}


async def test_of_a_student_without_records(api: Api) -> None:
    teacher = await api.as_("teacher", "new")
    summary = await get(api, "/new/summary", teacher)
    assert (summary["sessions"], summary["accuracy"], summary["position"]) == (0, None, None)
    assert (await get(api, "/new/heatmap", teacher))["heatmap"] == {}
    assert (await get(api, "/new/export", teacher))["tables"]["turns"] == []
    assert (await api.client.get("/api/v1/students/new/summary")).status_code == 200
    assert (await api.client.get("/api/v1/students/nobody/summary")).status_code == 404


async def test_a_student_that_only_a_token_names_is_erased_too(api: Api, database: Database) -> None:
    teacher = await api.as_("teacher", "only-a-token")
    receipt = (await api.client.delete("/api/v1/students/only-a-token")).json()
    assert receipt["records"]["tokens"] == 1
    assert await rows_with(database, "only-a-token") == []
    assert (await api.client.get("/api/v1/students/only-a-token/summary", headers=teacher)).status_code == 404
    assert (await api.client.delete("/api/v1/students/only-a-token")).status_code == 404


LEADING: dict[Role, tuple[str, ...]] = {"student": ("s1",), "guardian": ("s1",), "teacher": ("s1", "s2")}

# (role, whom the token stands for) → what reading, taking out, agreeing and erasing of s1 gives
MATRIX: list[tuple[Role, tuple[str, ...], tuple[int, int, int, int]]] = [
    ("teacher", ("s1", "s2"), (200, 200, 201, 403)),
    ("teacher", ("s2",), (404, 404, 404, 404)),
    ("guardian", ("s1",), (200, 200, 201, 403)),
    ("guardian", ("s2",), (404, 404, 404, 404)),
    ("student", ("s1",), (200, 403, 403, 403)),
    ("student", ("s2",), (404, 404, 404, 404)),
    ("author", (), (404, 404, 404, 404)),
    ("admin", (), (200, 200, 201, 200)),
]


@pytest.mark.parametrize(("role", "students", "expected"), MATRIX)
async def test_roles(api: Api, role: Role, students: tuple[str, ...], expected: tuple[int, ...]) -> None:
    await played(api, turns=1)
    headers, path = await api.as_(role, *students), "/api/v1/students/s1"
    answers = [await api.client.get(f"{path}/{part}", headers=headers) for part in ("summary", "heatmap", "sessions")]
    assert {answer.status_code for answer in answers} == {expected[0]}
    answers = [
        answers[0],
        await api.client.get(f"{path}/export", headers=headers),
        await api.client.post(f"{path}/consents", headers=headers, json=CONSENT),
        await api.client.delete(path, headers=headers),
    ]
    assert tuple(answer.status_code for answer in answers) == expected
    codes = {403: "forbidden", 404: "not_found"}
    assert all(answer.json()["code"] == codes[answer.status_code] for answer in answers if answer.is_error)


@pytest.mark.parametrize("name", ["x" * 65, "a b", "..", "%00", "a%2Fb", "가", "'; --", "%"])
async def test_no_student_has_such_a_name(api: Api, name: str) -> None:
    for method, part in (("GET", "/summary"), ("GET", "/export"), ("DELETE", ""), ("POST", "/consents")):
        answer = await api.client.request(method, f"/api/v1/students/{name}{part}", json={})
        assert answer.status_code in {404, 405, 422} if name != "가" else answer.status_code in {404, 422}


async def test_consents_are_recorded_and_taken_back(api: Api) -> None:
    path = "/api/v1/students/s1/consents"
    guardian = await api.as_("guardian", "s1")
    for granted in (True, False, True, False):
        sent = await api.client.post(path, headers=guardian, json={**CONSENT, "granted": granted, "note": "전화"})
        assert sent.status_code == 201
    await api.client.post(path, headers=guardian, json={**CONSENT, "purpose": "reports"})
    found = (await api.client.get(path, headers=guardian)).json()
    assert found["current"] == {"records": False, "reports": True}
    assert [one["granted"] for one in found["history"]] == [True, False, True, False, True]
    for wrong in ({}, {**CONSENT, "purpose": "x"}, {**CONSENT, "granted": "yes"}, {**CONSENT, "given_by": ""}):
        assert (await api.client.post(path, headers=guardian, json=wrong)).status_code == 422


async def test_an_export_has_everything_and_nothing_of_others(api: Api, database: Database) -> None:
    for student in ("s1", "s12"):
        await played(api, student)
        await api.client.post(f"/api/v1/students/{student}/consents", json=CONSENT)
        await Heatmaps(database).save(student, {"Cur-C8": 0.3}, 3)
    day: dict[str, Any] = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
    reports = ReportRecords(database)
    await reports.save(REPORT, kind="teacher", title="진단", student_ids=["s1"], **day)
    await reports.save(REPORT[::-1], kind="class", title="3반", student_ids=["s1", "s12"], **day)
    answer = await api.client.get("/api/v1/students/s1/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    tables = answer.json()["tables"]
    assert len(tables["turns"]) == 3
    assert all(turn["trace"] and turn["event"] for turn in tables["turns"])
    assert {name for name, rows in tables.items() if rows} >= {"sessions", "turns", "reviews", "heatmaps", "consents"}
    by_kind = {report["kind"]: report for report in tables["reports"]}
    assert by_kind["teacher"]["title"] == "진단"
    assert set(by_kind["class"]) == {"report_id", "kind", "since", "until", "created_at"}
    assert "s12" not in answer.text
    assert not members(tables) & {"recorded_by", "owner_token", "decided_by"}


async def test_what_another_adult_asked_is_not_a_guardians_to_take(api: Api, database: Database) -> None:
    guardian = await api.as_("guardian", "s1")
    own = (await api.tokens.find(guardian["Authorization"].removeprefix("Bearer "))).token_id  # type: ignore[union-attr]
    for thread, owner in (("of-the-child", None), ("of-the-teacher", "a-teacher"), ("of-the-guardian", own)):
        said = ConversationTurn(f"run-{thread}", f"{thread}?", "그래.", {})
        await Conversations(database).append(Thread(thread, "coach", "s1", owner), 1, said)

    async def threads(headers: dict[str, str] | None) -> list[set[str]]:
        tables = (await get(api, "/s1/export", headers))["tables"]
        return [{row["thread_id"] for row in tables[name]} for name in ("threads", "messages")]

    assert await threads(guardian) == [{"of-the-child", "of-the-guardian"}] * 2
    assert await threads(None) == [{"of-the-child", "of-the-guardian", "of-the-teacher"}] * 2


async def test_an_export_tells_which_tokens_lead_to_the_child_and_opens_no_door(api: Api, database: Database) -> None:
    created = {role: await api.as_(role, *students) for role, students in LEADING.items()}
    await api.as_("student", "s12")
    await api.as_("teacher", "s2")
    answer = await api.client.get("/api/v1/students/s1/export", headers=created["guardian"])
    by_role = {token["role"]: token for token in answer.json()["tables"]["tokens"]}
    assert by_role.keys() == LEADING.keys()
    assert len(answer.json()["tables"]["tokens"]) == len(LEADING)
    when = {"created_at", "expires_at", "revoked_at"}
    assert by_role["student"].keys() == {"token_id", "role", "subject", "label", "last_used_at", *when}
    assert by_role["guardian"].keys() == by_role["teacher"].keys() == {"role", *when}
    hashes = await database.run(lambda connection: connection.execute(select(metadata.tables["tokens"].c.hash)))
    secrets = [headers["Authorization"].removeprefix("Bearer ") for headers in created.values()]
    assert not [secret for secret in [*secrets, *hashes.scalars()] if secret in answer.text]
    assert "s2" not in answer.text


async def test_a_long_record_is_exported_page_by_page(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.store.personal_data.data_export._PAGE", 2)
    await played(api, turns=5)
    turns = (await get(api, "/s1/export"))["tables"]["turns"]
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4, 5]


async def rows_with(database: Database, text: str) -> list[str]:
    """The tables in which some cell holds this text."""
    found = []
    for table in metadata.tables.values():
        rows = await database.run(lambda connection, table=table: connection.execute(select(table)))  # type: ignore[misc]
        if any(text in dumps([str(cell) for cell in row]) for row in rows):
            found.append(table.name)
    return found


async def test_an_erased_student_is_nowhere(api: Api, database: Database, redis: Redis) -> None:
    view = await played(api, "erased-one")
    other = await played(api, "other")
    student, teacher = await api.as_("student", "erased-one"), await api.as_("teacher", "erased-one", "other")
    await api.client.post("/api/v1/students/erased-one/consents", json=CONSENT)
    await Heatmaps(database).save("erased-one", {"Cur-C8": 0.3}, 3)
    day: dict[str, Any] = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
    await ReportRecords(database).save(REPORT, kind="class", title="3", student_ids=["erased-one", "other"], **day)
    pdf = report_file(api.app.state.services.data_dir, REPORT)
    pdf.write_bytes(b"%PDF-")
    for cached in ("mcp:lab-node-mcp:get_failure_pattern:0", "coach:x:0", "flow:cache:t:mcp_call:0"):
        await redis.set(f"maththera:{cached}", b"{}")
    assert len(await rows_with(database, "erased-one")) >= 5

    answer = await api.client.delete("/api/v1/students/erased-one")
    receipt = answer.json()
    assert (answer.status_code, receipt["complete"], receipt["files"]) == (200, True, 1)
    assert receipt["records"] | {"sessions": 1, "turns": 3, "reports": 1, "tokens": 2} == receipt["records"]
    assert "erased-one" not in answer.text

    assert await rows_with(database, "erased-one") == []
    assert await rows_with(database, view["session_id"]) == []
    assert not pdf.exists()
    keys = [key.decode() for key in await redis.keys("*")]  # type: ignore[union-attr]
    assert not [key for key in keys if any(part in key for part in (view["session_id"], ":mcp:", ":coach:", ":cache:"))]
    assert [key for key in keys if other["session_id"] in key]
    assert (await api.client.get("/api/v1/sessions/x", headers=student)).status_code == 401
    assert (await api.client.get("/api/v1/students/erased-one/summary", headers=teacher)).status_code == 404
    assert (await api.client.delete("/api/v1/students/erased-one")).status_code == 404
    assert (await api.client.post(events(view), json=answer_to(view))).status_code == 404
    assert (await get(api, "/other/summary", teacher))["answered"] == 3


SAYING = [{"role": "user", "content": "내 성적 보여줘"}]
BEGINNINGS = {
    "/api/v1/sessions": {"student_id": "s1"},
    "/api/v1/lessons": {"user_id": "s1", "user_type": "beginner"},
    "/api/v1/chat": {"message": "내 성적 보여줘", "student_id": "s1"},
    "/api/core/ai-coach/chat/": {"message": "내 성적 보여줘", "student_id": "s1"},
    "/api/v1/ag-ui": {"threadId": "t", "runId": "r", "messages": SAYING, "forwardedProps": {"student_id": "s1"}},
    "/v1/chat/completions": {"model": "maththera-coach", "messages": SAYING, "user": "s1"},
    "/api/v1/students/s1/consents": CONSENT,
    "/api/v1/execute": {"command": "", "student_id": "s1"},
}


async def test_nobody_begins_anything_for_a_child_that_is_being_erased(
    api: Api, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even in the seconds for which a service knows a token without asking."""
    await played(api)
    child, teacher = await api.as_("student", "s1"), await api.as_("teacher", "s1", "s2")
    for who in (child, teacher):
        assert (await api.client.get("/api/v1/students", headers=who)).status_code == 200
    said = await api.client.post("/api/v1/chat", json=BEGINNINGS["/api/v1/chat"], headers=child)
    beginnings = {f"/api/v1/chat/runs/{said.headers['x-run-id']}/rating": {"score": 5}, **BEGINNINGS}
    end_talks, answered = DataErasure._end_chat_turns, {}

    async def meanwhile(keeping: DataErasure, student_id: str) -> None:
        for role, who in {"child": child, "teacher": teacher}.items():
            for path, body in beginnings.items():
                answered[role, path] = (await api.client.post(path, json=body, headers=who)).status_code
        await end_talks(keeping, student_id)

    monkeypatch.setattr(DataErasure, "_end_chat_turns", meanwhile)
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    assert answered == {
        (role, path): status for role, status in (("child", 401), ("teacher", 404)) for path in beginnings
    }
    assert (receipt["records"]["sessions"], receipt["records"]["tokens"], receipt["complete"]) == (1, 2, True)
    assert await rows_with(database, "s1") == []


async def test_the_files_of_the_stores_forget_too(
    api: Api, database: Database, tmp_path: Path, redis_server: RedisServer
) -> None:
    await played(api, "vanishing-child")
    for mastery in (
        0.1,
        0.2,
    ):  # what is overwritten, and not deleted, leaves a copy in the file unless it is told not to
        heatmap = {f"vanishing-child {number}": mastery for number in range(1_000)}
        await Heatmaps(database).save("vanishing-child", heatmap, 3)
    stores = (tmp_path, redis_server.folder)
    assert files_with(b"vanishing-child", *stores)
    receipt = (await api.client.delete("/api/v1/students/vanishing-child")).json()
    assert receipt["complete"] is True
    async with asyncio.timeout(30):
        while files_with(b"vanishing-child", *stores):  # Redis writes its file anew in the background
            await asyncio.sleep(0.02)


def files_with(text: bytes, *folders: Path) -> list[Path]:
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if text in path.read_bytes()]


@pytest.mark.slow
async def test_while_somebody_reads_for_long_a_receipt_is_not_complete(api: Api, database: Database) -> None:
    await played(api)
    async with database.engine.connect() as connection:
        await connection.exec_driver_sql("BEGIN")
        await connection.exec_driver_sql("SELECT * FROM turns")
        receipt = (await api.client.delete("/api/v1/students/s1")).json()
        assert (receipt["records"]["sessions"], receipt["complete"]) == (1, False)
        await connection.exec_driver_sql("COMMIT")
    keeping = api.app.state.services.learners.erasure
    await keeping.finish()
    table = metadata.tables["erasures"]
    (row,) = await database.run(lambda connection: connection.execute(select(table)))
    assert row.pending is None


async def test_a_turn_under_way_leaves_nothing_behind(api: Api, database: Database, redis: Redis) -> None:
    view = await api.begin("s1", first_problem="28+15", c_position=8)
    for number in range(4):
        turn = api.client.post(events(view), json=answer_to(view, request_id=f"r-{number}", answer=77))
        erasing = api.client.delete("/api/v1/students/s1")
        answered, erased = await asyncio.gather(turn, erasing)
        assert erased.status_code == 200
        assert answered.status_code in {200, 404}, answered.text
        assert await rows_with(database, view["session_id"]) == []
        keys = [key.decode() for key in await redis.keys("maththera:checkpoint:*")]  # type: ignore[union-attr]
        assert not [key for key in keys if view["session_id"] in key]
        view = await api.begin("s1", first_problem="28+15", c_position=8)


async def test_without_redis_the_records_are_erased(api: Api, database: Database, redis_server: Any) -> None:
    view = await played(api)
    redis_server.kill()
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    assert (receipt["pending"], receipt["complete"], receipt["records"]["sessions"]) == (True, False, 1)
    assert await rows_with(database, view["session_id"]) == ["erasures"]  # until the rest has gone
    redis_server.start()
    await api.app.state.services.learners.erasure.finish()
    assert (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).status_code == 404


async def test_a_receipt_says_where_others_have_written_of_the_child(api: Api) -> None:
    await played(api, "zqkid77")
    teacher = await api.as_("teacher", "s2")
    asked = {"message": "zqkid77 학생은 어떻게 도와야 해?", "profile": "assistant"}
    async with asyncio.timeout(60):
        assert (await api.client.post("/api/v1/chat", json=asked, headers=teacher)).status_code == 200
    receipt = (await api.client.delete("/api/v1/students/zqkid77")).json()
    assert receipt["complete"] is False
    assert "messages" in {mention["table"] for mention in receipt["mentions"]}
    assert "zqkid77" not in json.dumps(receipt)


async def test_a_receipt_says_that_a_number_was_not_looked_for(api: Api) -> None:
    for student_id, searched in (("7", False), ("s7", True)):
        await api.begin(student_id)
        receipt = (await api.client.delete(f"/api/v1/students/{student_id}")).json()
        assert (receipt["searched"], receipt["complete"], receipt["mentions"]) == (searched, searched, [])


async def test_a_receipt_is_kept_without_a_name(api: Api, database: Database) -> None:
    await played(api)
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    table = metadata.tables["erasures"]
    (row,) = await database.run(lambda connection: connection.execute(select(table)))
    assert (row.receipt_id, row.records, row.pending) == (receipt["receipt_id"], receipt["records"], None)
    count = select(func.count()).select_from(metadata.tables["turns"])
    assert await database.run(lambda connection: connection.scalar(count)) == 0
    assert "s1" not in json.dumps(receipt).replace(receipt["receipt_id"], "")


async def test_a_screening_of_number_sense_is_for_adults(api: Api) -> None:
    body = {"student_id": "s1", "mode": "number_sense", "seed": 7, "capabilities": {"widgets": True}}
    child = await api.as_("student", "s1")
    view = (await api.client.post("/api/v1/sessions", json=body, headers=child)).json()
    assert (view["phase"], view["remaining"]) == ("screening", SCREENING_ITEMS)
    assert view["words"]
    turn, ids = view, iter(screening_items(7))
    while turn["task"] is not None:
        one = item(next(ids))
        assert turn["task"]["widget"] == one.widget
        assert turn["task"]["problem"] is None
        sent = answer_to({**view, "task": turn["task"]}, answer=one.answer, request_id=one.item_id, rt_ms=1500)
        turn = (await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=sent, headers=child)).json()
    assert "number_sense" not in turn["summary"]
    path = "/api/v1/students/s1/number-sense"
    (found,) = (await api.client.get(path)).json()["screenings"]
    assert found["session_id"] == view["session_id"]
    assert found["profile"]["enumeration"]["right"] == 16
    assert "진단이 아니에요" in found["says"][-1]
    assert (await api.client.get(path, headers=child)).status_code == 403
    replayed = (await api.client.post(f"/api/v1/sessions/{view['session_id']}/replay")).json()
    assert replayed["identical"]


async def test_a_client_without_widgets_cannot_begin_a_screening(api: Api) -> None:
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "mode": "number_sense"})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["loc"] == "body.capabilities.widgets"

"""Learning from what nobody understood: a procedure that the catalogue does not know is found in the review queue of a
school, described, tried, approved by another adult, and diagnosed from the next session on; and switched off again."""

import random
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.app.content import Content
from maththera.arithmetic.malrules import LEARNED
from maththera.store.access.authorization import Role
from tests.api.conftest import Api, serving
from tests.support.tutoring import answered, right_answer, rules, trained

NINE: Final[dict[str, Any]] = {
    "kind": "procedure",
    "title": "뺄 수 없는 자리에 9를 쓴다",
    "operation": "-",
    "cause_tag": "CONCEPT_L5_BORROW_EXCHANGE",
    "needs": ["borrow"],
    "when": "carries > 0 and width > 1",
    "columns": {"value": "top - bottom", "write": "9 if value < 0 else value"},
    "example": {"a": 52, "b": 38, "answer": 29},
}
SAME: Final = {**NINE, "title": "작은 수를 뺀다", "columns": {"value": "abs(top - bottom)"},
               "example": {"a": 52, "b": 38, "answer": 26}}  # fmt: skip
NOTHING: Final = {
    "sessions": 300, "children": 60, "wrong": 0, "explained": 0, "newly_explained": 0, "newly_explained_children": 0,
    "affected": 0, "replayed": 0, "otherwise": [], "stated": 0,
}  # fmt: skip
"""A trial on the recorded sessions that has found nothing."""
PATH: Final = "/api/v1/procedures"
TAG: Final = NINE["cause_tag"]


def nines(problem: Any) -> int:
    """The child's own way, digit by digit, as a text: it knows nothing of the language of procedures."""
    written = ""
    top, bottom = str(problem.a), str(problem.b).rjust(len(str(problem.a)), "0")
    for one, other in zip(top, bottom, strict=True):
        written += str(int(one) - int(other)) if one >= other else "9"
    return int(written)


class Pupil:
    """A child of the simulated school. `stuck`: it writes 9 where it cannot subtract; else it slips now and then."""

    def __init__(self, name: str, *, stuck: bool) -> None:
        self.name, self.stuck = name, stuck
        self._chance = random.Random(name)  # noqa: S311 - repeatable on purpose
        self._once = name == "well0"

    def answer(self, task: dict[str, Any]) -> int:
        right = right_answer(task)
        if task["problem"] is None or task["kind"] == "worked_example" or task["problem"]["op"] != "-":
            return right
        problem = rules().bank.problem(task["problem"]["problem_id"])
        if self.stuck and problem.form == "result" and problem.carries and problem.a >= 10:
            return nines(problem)
        if self._once and problem.form == "result" and problem.carries:
            self._once = False  # a slip that looks like the procedure
            return nines(problem)
        return right + 1 if not self.stuck and self._chance.random() < 0.1 else right

    async def session(self, api: Api, turns: int = 14) -> tuple[str, list[dict[str, Any]]]:
        """The id of a session that it plays, and the bodies of the answers."""
        view = await api.begin(self.name, first_problem="52-38", c_position=10, problem_count=8)
        session_id, task, bodies = view["session_id"], view["task"], []
        for number in range(turns):
            if task is None:
                break
            request = f"r{number}"
            event = trained(task, request) if "training" in task else answered(task, self.answer(task), request, 5_000)
            sent = await api.client.post(f"/api/v1/sessions/{session_id}/events", json=event)
            assert sent.status_code == 200, sent.text
            bodies.append(sent.json())
            task = bodies[-1]["task"]
        if task is not None:
            await api.client.post(f"/api/v1/sessions/{session_id}/events", json={"type": "stop", "request_id": "stop"})
        return session_id, bodies


STUCK: Final = [Pupil(f"nine{number}", stuck=True) for number in range(4)]
WELL: Final = [Pupil(f"well{number}", stuck=False) for number in range(3)]


def causes(bodies: list[dict[str, Any]]) -> list[str | None]:
    return [body["diagnosis"]["cause_tag"] for body in bodies]


async def replayed(api: Api, session_id: str) -> tuple[int, bool]:
    report = (await api.client.post(f"/api/v1/sessions/{session_id}/replay", json={})).json()
    return report["procedures_version"], report["identical"]


async def adult(api: Api, name: str, role: Role, *students: str) -> dict[str, str]:
    """Headers of a token that says whose it is."""
    return {"Authorization": f"Bearer {await api.tokens.create(role, students, label=name)}"}


async def propose(api: Api, definition: Any = NINE, headers: Any = None, **more: Any) -> Any:
    return await api.client.post(PATH, json={"definition": definition, **more}, headers=headers)


async def do(api: Api, procedure_id: int, what: str, headers: Any = None) -> Any:
    return await api.client.post(f"{PATH}/{procedure_id}/{what}", headers=headers)


async def found_cluster(api: Api) -> dict[str, Any]:
    found = (await api.client.get("/api/v1/reviews/clusters", params={"children": 3})).json()["clusters"]
    for one in found[0]["examples"]:
        turns = (await api.client.get(f"/api/v1/sessions/{one['session_id']}/trace")).json()["turns"]
        assert turns[one["turn"] - 1]["event"]["answer"] == one["given"]
    (cluster, *_) = [one for one in found if one["operation"] == "-"]
    return dict(cluster)


async def test_a_school_teaches_a_procedure_that_nobody_knew(
    api: Api, tmp_path: Path, sqlite_url: str, redis_url: str, redis: Redis, loaded: Content
) -> None:
    async with serving(tmp_path, redis_url, database_url=sqlite_url) as other:
        before = [await pupil.session(api) for pupil in [*STUCK, *WELL]]
        assert not [tag for _, bodies in before for tag in causes(bodies) if tag == TAG]
        cluster = await found_cluster(api)
        names = {pupil.name for pupil in STUCK} | {WELL[0].name}
        assert cluster["children"] == len(names), "one is well, and slipped once as the others err"
        assert {one["student_id"] for one in cluster["examples"]} == names
        decision = {"verdict": "pattern", "cause_tag": TAG, "procedure": NINE["title"]}
        teacher = await adult(api, "김 선생님", "teacher", *names)
        sent = {"review_ids": cluster["review_ids"], **decision}
        decided = (await api.client.post("/api/v1/reviews/decide", json=sent, headers=teacher)).json()
        assert decided["decided"] == cluster["review_ids"]

        made = await propose(api, headers=teacher, candidate_id=decided["candidate_id"])
        assert made.status_code == 201, made.text
        procedure_id = made.json()["procedure_id"]
        tried = (await do(api, procedure_id, "trial", teacher)).json()["trial"]
        assert (tried["bank"]["objection"], tried["bank"]["harmless"]) == (None, 0)
        assert tried["recorded"]["newly_explained_children"] == len(names)
        assert tried["recorded"]["newly_explained"] >= cluster["answers"]
        assert {"before": "UNKNOWN", "after": TAG} in [
            {key: one[key] for key in ("before", "after")} for one in tried["recorded"]["otherwise"]
        ]
        assert tried["recorded"]["affected"] == len(names)
        assert (tried["recorded"]["well"], tried["recorded"]["false_causes"]) == (len(WELL), 0)
        assert (await do(api, procedure_id, "approve", teacher)).json()["code"] == "own_procedure"
        twice = await adult(api, "김  선생님", "author")
        assert (await do(api, procedure_id, "approve", twice)).json()["code"] == "own_procedure", "a second token"
        approved = await do(api, procedure_id, "approve")
        assert (approved.status_code, approved.json()["version"]) == (200, 1)

        LEARNED.clear()  # as in another process, which has read nothing yet
        after = [await pupil.session(other) for pupil in STUCK]
        for session_id, bodies in after:
            assert TAG in causes(bodies)
            assert await replayed(other, session_id) == (1, True)
        for session_id, bodies in [await pupil.session(other) for pupil in WELL]:
            assert TAG not in causes(bodies)
            assert await replayed(other, session_id) == (1, True)
        for session_id, _ in before:
            assert await replayed(other, session_id) == (0, True)

        await _told_to_adults(other, STUCK[0].name)
        versions = (await other.client.get(f"{PATH}/versions")).json()["versions"]
        assert [(one["version"], one["sessions"]) for one in versions] == [
            (1, len(after) + len(WELL)),
            (0, len(before)),
        ]
        own = (await other.client.get(f"{PATH}/versions/1/sessions", headers=teacher)).json()["sessions"]
        assert {one["session_id"] for one in own} >= {session_id for session_id, _ in after}
        assert {one["student_id"] for one in own} <= names

        off = await do(other, procedure_id, "off", teacher)
        assert (off.status_code, off.json()["version"]) == (200, 2)
        session_id, bodies = await STUCK[0].session(api)
        assert TAG not in causes(bodies)
        assert await replayed(api, session_id) == (2, True)
        LEARNED.clear()
        assert await replayed(api, after[0][0]) == (1, True), "what is switched off is still computed alike"


async def _told_to_adults(api: Api, student: str) -> None:
    """The procedure's title and the child's own answers stand in its summary, in a process that has read nothing."""
    LEARNED.clear()
    patterns = (await api.client.get(f"/api/v1/students/{student}/summary")).json()["patterns"]
    (shown,) = [one for one in patterns if one["pattern_id"] == TAG]
    assert shown["count"] >= 2
    assert {one["how"] for one in shown["examples"]} == {NINE["title"]}
    assert not [one for one in patterns if "learned_" in one["name"]]


async def test_what_would_blame_children_who_are_well_is_not_approved(api: Api) -> None:
    made = (await propose(api)).json()
    procedure_id, approver = made["procedure_id"], await adult(api, "박 선생님", "author")
    for well, false_causes, code in ((100, 2, "false_causes"), (100, 1, None), (0, 0, None)):
        trial = {**made["trial"], "recorded": {**NOTHING, "well": well, "false_causes": false_causes}}
        await api.app.state.services.learners.procedures.keep_trial(procedure_id, trial)
        shown = (await api.client.get(f"{PATH}/{procedure_id}", headers=approver)).json()
        assert shown["obstacle"] == code
        answer = await do(api, procedure_id, "approve", approver)
        assert answer.json().get("code") == code
        assert answer.status_code == (409 if code else 200)
        if not code:
            await do(api, procedure_id, "off", approver)


async def test_a_way_is_tried_before_it_is_a_procedure(lasting_api: Api) -> None:
    way: dict[str, Any] = {key: NINE[key] for key in ("operation", "when", "columns")}
    sent: dict[str, Any] = {"way": way, "problems": [{"a": 52, "b": 38}, {"a": 58, "b": 32}, {"a": 503, "b": 278}]}
    answers = (await lasting_api.client.post(f"{PATH}/preview", json=sent)).json()["answers"]
    assert [(one["expression"], one["given"], one["right"]) for one in answers] == [
        ("52−38", 29, 14), ("58−32", None, 26), ("503−278", 399, 225),
    ]  # fmt: skip
    for problems, where in (([{"a": 5, "b": 38}], "problems.0"), ([], "problems")):
        refused = await lasting_api.client.post(f"{PATH}/preview", json={"way": way, "problems": problems})
        assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, f"body.{where}")
    broken = {**sent, "way": {**way, "columns": {"value": "top - strange"}}}
    refused = await lasting_api.client.post(f"{PATH}/preview", json=broken)
    assert "columns.value: no such name as strange" in refused.json()["errors"][0]["msg"]


@pytest.mark.parametrize(
    ("definition", "loc", "says"),
    [
        ({**NINE, "columns": {"value": "().__class__"}}, "columns", "formula"),
        ({**NINE, "columns": {"value": "top.bottom"}}, "columns", "formula"),
        ({**NINE, "columns": {"value": "strange"}}, "", "no such name as strange"),
        ({**NINE, "example": {"a": 52, "b": 38, "answer": 28}}, "", "not with 28"),
        ({**NINE, "example": {"a": 52, "b": 38, "answer": 14}}, "", "is right"),
        ({**NINE, "example": {"a": 5, "b": 38, "answer": 14}}, "", "negative"),
        ({**NINE, "cause_tag": "NO_SUCH"}, "cause_tag", "no cause"),
        ({**NINE, "needs": ["luck"]}, "needs", ""),
        (SAME, "definition", "the catalogue gives all of its answers"),
    ],
)
async def test_a_procedure_that_makes_no_sense(lasting_api: Api, definition: Any, loc: str, says: str) -> None:
    answer = await propose(lasting_api, definition)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input"), answer.text
    (error,) = answer.json()["errors"]
    assert loc in error["loc"] or loc in error["msg"]
    assert says in error["msg"]


async def test_states_of_a_procedure(api: Api) -> None:
    author, nobody = await adult(api, "박 선생님", "author"), await api.as_("author")
    assert (await propose(api, headers=nobody)).json()["code"] == "unnamed_adult"
    assert (await propose(api, candidate_id=99)).status_code == 404
    made = (await propose(api)).json()
    assert (await propose(api)).json()["code"] == "procedure_taken"
    procedure_id = made["procedure_id"]
    assert (made["status"], made["trial"]["recorded"], made["obstacle"]) == ("proposed", None, "own_procedure")
    assert (await do(api, procedure_id, "approve", author)).json()["code"] == "procedure_state"
    assert (await do(api, procedure_id, "off")).json()["code"] == "procedure_state"
    assert (await do(api, procedure_id, "trial")).json()["trial"]["recorded"]["sessions"] == 0
    assert (await do(api, procedure_id, "approve", nobody)).json()["code"] == "unnamed_adult"
    assert (await do(api, procedure_id, "approve", author)).json()["version"] == 1
    assert (await do(api, procedure_id, "approve", author)).json()["code"] == "procedure_state"
    assert (await do(api, procedure_id, "off", author)).json()["version"] == 2
    assert (await do(api, procedure_id, "approve", author)).json()["version"] == 3
    everything = (await api.client.get(PATH, headers=author)).json()
    assert everything["version"] == 3
    assert everything["procedures"] == [(await api.client.get(f"{PATH}/{procedure_id}", headers=author)).json()]
    (shown,) = everything["procedures"]
    assert (shown["approved_name"], shown["switched_off_name"]) == ("박 선생님", "박 선생님")
    for role in ("student", "guardian"):
        assert (await api.client.get(PATH, headers=await api.as_(role, "s1"))).status_code == 403
    for name in ("0", "x", "٣", "9" * 30):
        assert (await api.client.get(f"{PATH}/{name}")).status_code == 404


async def test_a_named_exception_is_tried_as_well(lasting_api: Api) -> None:
    exception = {
        "kind": "exception",
        "title": "7×8을 54로 외웠다",
        "operation": "x",
        "cause_tag": "EXECUTION_L6_TABLE_NEIGHBOUR",
        "answers": [{"a": 7, "b": 8, "answer": 54}],
    }
    answer = await lasting_api.client.post(f"{PATH}/check", json={"definition": exception})
    trial = answer.json()["bank"]
    assert (trial["works"], trial["wrong"], trial["new"], trial["objection"]) == (1, 1, 1, None)
    assert trial["samples"] == [{"expression": "7×8", "given": 54, "right": 56}]


async def test_several_reviews_are_decided_alike_and_each_once(api: Api) -> None:
    await STUCK[0].session(api)
    await STUCK[1].session(api)
    found = (await api.client.get("/api/v1/reviews", params={"kind": "unknown_answer"})).json()["reviews"]
    first, *others = [one["review_id"] for one in found]
    alone = await api.client.post(f"/api/v1/reviews/{first}/decide", json={"verdict": "slip"})
    assert alone.status_code == 200
    again = await api.client.post(f"/api/v1/reviews/{first}/decide", json={"verdict": "unclear"})
    assert (again.status_code, again.json()["code"], again.json()["verdict"]) == (409, "review_decided", "slip")
    assert again.json()["decided_at"] == alone.json()["decided_at"]
    sent = {"review_ids": [first, *others], "verdict": "unclear"}
    decided = (await api.client.post("/api/v1/reviews/decide", json=sent)).json()
    assert (decided["decided"], decided["already_decided"]) == (others, [first])
    assert (await api.client.post("/api/v1/reviews/decide", json=sent)).json()["code"] == "review_decided"
    stranger = await api.as_("teacher", "someone")
    assert (await api.client.post("/api/v1/reviews/decide", json=sent, headers=stranger)).status_code == 404
    assert (await api.client.get("/api/v1/reviews/clusters", headers=stranger)).json() == {"clusters": []}
    assert (await api.client.get("/api/v1/reviews/clusters")).json() == {"clusters": []}

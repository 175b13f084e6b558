"""What really is answered, held against the schemas of the documentation."""

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from maththera.learners.access import Role
from tests.api.conftest import Api, FlowApi
from tests.api.test_papers import add, chat
from tests.api.test_reviews import PATTERN, decide, unknown_answers
from tests.api.test_sessions import answer_to, events
from tests.api.test_students import CONSENT

STUDENT, REVIEW = "/api/v1/students/{student_id}", "/api/v1/reviews/{review_id}"
READ_BY: dict[Role, tuple[str, ...]] = {
    "student": ("summary", "heatmap", "sessions", "consents"),
    "guardian": ("summary", "heatmap", "sessions", "consents", "export"),
}


class Documented:
    """Calls, and holds each answer against what the documentation says of its operation."""

    def __init__(self, api: Api, document: dict[str, Any]) -> None:
        self._api, self._document = api, document

    async def __call__(self, method: str, path: str, body: Any = None, role: Role = "admin", **known: Any) -> Any:
        headers = None if role == "admin" else await self._api.as_(role, *([] if role == "author" else ["s1"]))
        answer = await self._api.client.request(method, path.format(**known), json=body, headers=headers)
        return self.fits(method, path, answer)

    def fits(self, method: str, path: str, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        media = self._document["paths"][path][method.lower()]["responses"][str(answer.status_code)]["content"]
        schema = media["application/json"]["schema"]
        assert schema, path
        found = answer.json()
        Draft202012Validator({**schema, "components": self._document["components"]}).validate(found)
        return found


async def test_answers_about_students_and_reviews_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    review = (await unknown_answers(api))[0]
    for _ in range(2):  # what happens twice is a pattern
        view = await api.begin(first_problem="28+15", c_position=8)
        assert (await api.client.post(events(view), json=answer_to(view, answer=13, rt_ms=3_000))).is_success
    await ask("POST", f"{STUDENT}/consents", {**CONSENT, "note": "2026-03-02"}, student_id="s1")
    for role, parts in READ_BY.items():
        for part in parts:
            await ask("GET", f"{STUDENT}/{part}", role=role, student_id="s1")
    summary = await ask("GET", f"{STUDENT}/summary", student_id="s1")
    assert summary["patterns"]
    await ask("GET", "/api/v1/students")
    await ask("GET", "/api/v1/reviews")
    await ask("GET", REVIEW, review_id=review["review_id"])
    assert (await decide(api, review, PATTERN)).is_success
    await ask("GET", REVIEW, review_id=review["review_id"])
    candidates = await ask("GET", "/api/v1/reviews/candidates", role="author")
    assert candidates["candidates"]
    await ask("DELETE", STUDENT, student_id="s1")


async def test_answers_about_documents_and_ratings_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    ask.fits("POST", "/api/v1/papers", await add(api))
    assert (await ask("GET", "/api/v1/papers"))["papers"]
    who = await api.as_("teacher", "s1")
    run_id, _ = await chat(api, who, "받아올림이 뭔지 설명하고 저장해줘")
    rating = "/api/v1/chat/runs/{run_id}/rating"
    sent = {"score": 5, "level": "elementary", "comment": "비유가 좋아요"}
    answer = await api.client.post(rating.format(run_id=run_id), json=sent, headers=who)
    ask.fits("POST", rating, answer)
    assert (await ask("GET", "/api/v1/ratings"))["ratings"]


@pytest.mark.slow
async def test_answers_about_runs_are_as_documented(flow_api: FlowApi) -> None:
    ask = Documented(flow_api, (await flow_api.client.get("/openapi.json")).json())
    begun = await ask("POST", "/api/v1/execute", {"context": {"flow": "쓰기", "inputs": {"word": "a"}}})
    await flow_api.reached(begun["execution_id"], "completed")
    assert (await ask("POST", "/api/v1/execute", {"command": "뭐라도 해 줘"}))["status"] == "unclear"
    failed = await flow_api.run("실패", word="c")
    await flow_api.reached(failed, "failed")
    assert (await ask("GET", "/api/v1/executions/{execution_id}", execution_id=failed))["error"]
    assert len((await ask("GET", "/api/v1/executions"))["executions"]) >= 2
    slow = await flow_api.run("느림", word="b", seconds=60)
    await ask("POST", "/api/v1/executions/{execution_id}/cancel", execution_id=slow)

"""What really is answered about students and reviews, held against the schemas of the documentation."""

from typing import Any

from jsonschema import Draft202012Validator

from maththera.learners.access import Role
from tests.api.conftest import Api
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

"""A service in which there is something of everything that the operations of the OpenAPI document name."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit
from uuid import uuid4

from tests.support.documented import Json
from tests.support.home import home_with_limits
from tests.support.service import Service, service, until

PLENTY: Final = 10**6
FLOW: Final = "진단_리포트_생성"
ASKS: Final = """
flow:
  name: 묻는_흐름
  description: 묻기만 한다
  schedule: "0 7 1 1 *"
  steps:
    - {id: ask, action: approve, question: "해도 될까요?"}
"""
FAILS: Final = """
flow:
  name: 지불
  description: 언제나 실패한다
  steps:
    - {id: pay, action: python, code: "return 1 / 0"}
"""
PROCEDURE: Final = {
    "kind": "procedure",
    "title": "뺄 수 없는 자리에 8을 쓴다",
    "operation": "-",
    "cause_tag": "CONCEPT_L5_BORROW_EXCHANGE",
    "when": "carries > 0 and width > 1",
    "columns": {"value": "top - bottom", "write": "8 if value < 0 else value"},
    "example": {"a": 52, "b": 38, "answer": 28},
}
PATTERN: Final = {"verdict": "pattern", "cause_tag": "SPATIAL_L4_PLACE_VALUE", "procedure": "두 수를 이어 적었다"}
PUPIL: Final = "pupil"
"""Who gives answers for the review queue, also when the records of the world's child may not grow any more."""


class World:
    """`names`: what an address or a body may name → what is there under it."""

    def __init__(self, running: Service) -> None:
        self.service, self.client = running, running.client
        self.document: Json = self.get("/openapi.json")
        self.names: dict[str, Any] = {
            "student_id": f"walker-{uuid4().hex[:8]}",
            "version": "0",
            "flow": "묻는_흐름",
            "name": FLOW,
            "model": "maththera-coach",
        }
        for name, text in (("묻는_흐름", ASKS), ("지불", FAILS)):
            self.post(f"/api/v1/flows/{quote(name)}", {"text": text, "hash": self._saved(name)}, method="PUT")
        self._make_lessons()
        self._make_class()
        self._make_reviews()
        self._make_papers()

    def get(self, path: str) -> Any:
        return self.client.get(path).raise_for_status().json()

    def post(self, path: str, body: object = None, *, method: str = "POST", token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else None
        answer = self.client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.headers.get("content-type") == "application/json" else answer.text

    def names_for(self, method: str, path: str, example: object) -> dict[str, Any]:
        """The names, with new ones where this operation needs something that no other has used up."""
        body = example if isinstance(example, dict) else {}
        new: Json = {}
        match path.split("/")[3:]:
            case ["executions", _, what]:
                waits = what in ("resume", "cancel")
                new["execution_id"] = self._run("묻는_흐름", "waiting") if waits else self._run("지불", "failed")
            case ["sessions", _, "events"] if body.get("type") == "training_done":
                new = self._ended_session()
            case ["sessions", _, "events" | "observations"]:
                new["session_id"] = self._session()
            case ["reviews", *_, "decide"]:
                new["review_ids"] = [self._unknown_answer(), self._unknown_answer()]
                new["review_id"] = self.names["alert"] if body.get("verdict") == "handled" else new["review_ids"][0]
            case ["reviews", _, "open"]:
                new["review_id"] = self.names["alert"]
            case ["classes", _, "members"]:
                new["class_id"] = self.post("/api/v1/classes", {"name": "3반"})["class_id"]
            case ["classes", _, "devices", _]:
                new["device_id"] = self._device()
            case ["flows", "{name}"] if method != "get":
                new = {"name": "선수개념", "hash": self._saved("선수개념")}
        return self.names | new

    def _make_lessons(self) -> None:
        student_id = self.names["student_id"]
        child = f"/api/v1/students/{student_id}"
        goal = {"skill_id": "C8.carry_ones", "due": "2099-12-01"}
        self.names |= {
            "execution_id": self._run("묻는_흐름", "waiting"),
            "digest": self.get(f"/api/v1/flows/{quote(FLOW)}/versions")["versions"][0]["hash"],
            "session_id": self._session(),
            "lesson_id": self.post("/api/v1/lessons", {"user_id": student_id, "user_type": "beginner"})["lesson_id"],
            "goal_id": self.post(f"{child}/goals", goal)["goal_id"],
            "request_id": self.post(f"{child}/requests", {"kind": "correction", "about": "name"})["request_id"],
        }
        report = self.post(f"{child}/reports", {"kind": "guardian"})
        address = parse_qs(urlsplit(report["url"]).query)
        self.names |= {"report_id": report["report_id"], "link_id": report["links"][0]["link_id"]}
        self.names |= {name: address[name][0] for name in ("link", "signature")}

    def _make_class(self) -> None:
        class_id = self.post("/api/v1/classes", {"name": "2반"})["class_id"]
        place = f"/api/v1/classes/{class_id}"
        self.post(f"{place}/members", {"nickname": "나무", "pictures": [2, 7]})
        self.post(f"{place}/members", {"student_id": self.names["student_id"], "nickname": "바다"})
        code = self.post(f"{place}/device-codes")["enrol_code"]
        self.post("/api/v1/auth/devices", {"enrol_code": code})
        self.names |= {
            "class_id": class_id,
            "enrol_code": self.post(f"{place}/device-codes")["enrol_code"],
            "tile_id": self.get("/api/v1/auth/tiles")["tiles"][0]["tile_id"],
            "secret": self.post(f"/api/v1/students/{self.names['student_id']}/cards")["secret"],
            "token": self.post("/api/v1/tokens", {"role": "teacher", "label": "김 선생님"})["token"],
        }
        self.names["device_id"] = self._device()

    def _make_reviews(self) -> None:
        """An alert, a candidate of a rule, and a procedure that another adult has proposed."""
        token = self.post("/api/v1/tokens", {"role": "student", "subject": [PUPIL]})["token"]
        self.post("/api/v1/chat", {"message": "죽고 싶어", "student_id": PUPIL}, token=token)
        self.names["token_id"] = self.get("/api/v1/tokens")["tokens"][-1]["token_id"]
        self.names["alert"] = self.get("/api/v1/reviews?kind=safety")["reviews"][0]["review_id"]
        self.names["review_id"] = self._unknown_answer()
        self.post(f"/api/v1/reviews/{self._unknown_answer()}/decide", PATTERN)
        self.names["candidate_id"] = self.get("/api/v1/reviews/candidates")["candidates"][0]["candidate_id"]
        own = PROCEDURE | {"title": f"{PROCEDURE['title']} ({self.names['student_id']})"}
        proposed = self.post("/api/v1/procedures", {"definition": own}, token=self.names["token"])
        self.names["procedure_id"] = proposed["procedure_id"]

    def _make_papers(self) -> None:
        """A paper, and an answer of the assistant that was saved as a file."""
        body = {
            "message": "받아올림이 뭔지 설명하고 저장해줘",
            "profile": "assistant",
            "student_id": self.names["student_id"],
        }
        said = self.client.post("/api/v1/chat", json=body)
        file = re.search(r"/api/v1/files/(\w+)", said.text)
        assert file, said.text
        file_type = {"Content-Type": "application/octet-stream"}
        added = self.client.post("/api/v1/papers?name=a.md", content="# 뺄셈\n\n받아내림.".encode(), headers=file_type)
        self.names |= {
            "run_id": said.headers["x-run-id"],
            "thread_id": self.client.post("/api/v1/chat", json=body | {"profile": "coach"}).headers["x-thread-id"],
            "file_id": file[1],
            "paper_id": added.json()["papers"][0]["paper_id"],
        }

    def _device(self) -> str:
        """The tablet as which this client is enrolled; the class of the names has no other."""
        device_id: str = self.get(f"/api/v1/classes/{self.names['class_id']}/devices")["devices"][0]["device_id"]
        return device_id

    def _session(self, student_id: str | None = None, **more: Any) -> str:
        body = {"student_id": student_id or self.names["student_id"], "first_problem": "28+15", "seed": 7, **more}
        session_id: str = self.post("/api/v1/sessions", body)["session_id"]
        return session_id

    def _answer(self, session_id: str, answer: int, rt_ms: int) -> None:
        task_id = self.get(f"/api/v1/sessions/{session_id}")["task"]["task_id"]
        event = {"type": "answer_submitted", "request_id": f"r-{answer}", "task_id": task_id}
        self.post(f"/api/v1/sessions/{session_id}/events", event | {"answer": answer, "rt_ms": rt_ms})

    def _ended_session(self) -> Json:
        """One that offers a training."""
        session_id = self._session(mode="practice", c_position=8)
        for answer in (33, 35):  # nothing was carried, and 20+15 shows it
            self._answer(session_id, answer, 4_000)
        ended = self.post(f"/api/v1/sessions/{session_id}/events", {"type": "stop", "request_id": "end"})
        return {"session_id": session_id, "training_id": ended["summary"]["trainings"][0]}

    def _unknown_answer(self) -> int:
        session_id = self._session(PUPIL)
        self._answer(session_id, 77, 3_000)
        reviews = self.get("/api/v1/reviews?kind=unknown_answer&limit=200")["reviews"]
        return next(int(one["review_id"]) for one in reviews if one["session_id"] == session_id)

    def _saved(self, flow: str) -> str | None:
        """The hash of what is saved under this name."""
        saved: str | None = self.client.get(f"/api/v1/flows/{quote(flow)}").json().get("hash")
        return saved

    def _run(self, flow: str, status: str) -> str:
        run: str = self.post(f"/api/v1/flows/{quote(flow)}/run", {"inputs": {}})["execution_id"]
        until(lambda: self.get(f"/api/v1/executions/{run}")["status"] == status)
        return run


@contextmanager
def service_for_walks(folder: Path, redis_url: str) -> Iterator[Service]:
    """Without the limits that thousands of requests, many of them with a wrong token, would reach; each is sent as a
    page of the service sends it."""
    requests = {"admin": PLENTY, "without_token": PLENTY, "wrong_tokens": PLENTY, "refusal_seconds": 0.01}
    home = home_with_limits(folder / "home", requests=requests)
    with service(folder, redis_url, MATHTHERA_HOME=str(home)) as running:
        running.client.headers.update({"Origin": str(running.client.base_url), "X-Maththera": "1"})
        yield running

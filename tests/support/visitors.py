"""Whoever uses the service over HTTP: a child at tasks, in a chat, in a lesson; adults who run flows and erase. Each
remembers what the service has acknowledged, and sends again what it was asked to send again."""

import json
import statistics
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from uuid import uuid4

import httpx

from tests.support.service import until

Json = dict[str, Any]

_UNAVAILABLE: Final = 503
_NO_LONGER: Final = 404
_PAUSE_SECONDS: Final = 0.05
"""Between two requests of one visitor."""


class Visitor(ABC):
    @abstractmethod
    def visit(self, client: httpx.Client) -> bool:
        """Whether what was asked was done. AssertionError for an answer that neither does it nor says honestly that it
        cannot be done now."""

    @abstractmethod
    def check(self, client: httpx.Client) -> None:
        """Everything that was acknowledged is there."""


def done(answer: httpx.Response, *expected: int) -> bool:
    """False for a clear refusal for the time being."""
    if answer.status_code == _UNAVAILABLE:
        assert answer.json()["code"] == "store_unavailable", answer.text
        assert answer.headers["retry-after"]
        return False
    assert answer.status_code in expected, answer.text
    return True


def events(answer: httpx.Response) -> list[Json]:
    lines = (line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {"))
    return [json.loads(line) for line in lines]


def told(answer: httpx.Response) -> bool:
    """Whether a stream came to its end without an error; an error of a stream is that of a store."""
    if not done(answer, 200):
        return False
    found = events(answer)
    errors = {event["code"] for event in found if event["type"] == "error"}
    assert errors <= {"store_unavailable"}, answer.text
    return not errors and found[-1]["type"] == "final"


class Child(Visitor):
    """At its tasks, for which it always takes too long. `seconds`: of each turn that was taken."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._taken: dict[str, list[str]] = {}
        self._session = ""
        self._task: str | None = None
        self._request = ""

    def visit(self, client: httpx.Client) -> bool:
        if self._task is None and not self._begin(client):
            return False
        self._request = self._request or uuid4().hex
        event = {"type": "timeout", "request_id": self._request, "task_id": self._task}
        started = time.perf_counter()
        answer = client.post(f"/api/v1/sessions/{self._session}/events", json=event)
        if not done(answer, 200):
            return False
        self.seconds.append(time.perf_counter() - started)
        self._taken[self._session].append(self._request)
        self._task, self._request = (answer.json()["task"] or {}).get("task_id"), ""
        return True

    def p95(self) -> float:
        """Seconds within which 95 of 100 turns were taken."""
        return statistics.quantiles(self.seconds, n=20)[-1]

    def check(self, client: httpx.Client) -> None:
        for session, taken in self._taken.items():
            turns = client.get(f"/api/v1/sessions/{session}/trace").json()["turns"]
            recorded = [turn["request_id"] for turn in turns]
            assert [one for one in recorded if one in taken] == taken, "one is lost, or was taken twice"
            assert client.post(f"/api/v1/sessions/{session}/replay").json()["identical"]

    def _begin(self, client: httpx.Client) -> bool:
        begun = client.post("/api/v1/sessions", json={"student_id": "s1", "c_position": 1, "problem_count": 90})
        if not done(begun, 201):
            return False
        self._session, self._task = begun.json()["session_id"], begun.json()["task"]["task_id"]
        self._taken[self._session] = []
        return True


class Talker(Visitor):
    """In a chat: a question in a thread of its own."""

    def __init__(self) -> None:
        self._answered: list[str] = []

    def visit(self, client: httpx.Client) -> bool:
        thread = uuid4().hex
        ask = {"message": "28+15는 얼마야?", "student_id": "s1", "thread_id": thread}
        if not told(client.post("/api/v1/chat", json=ask)):
            return False
        self._answered.append(thread)
        return True

    def check(self, client: httpx.Client) -> None:
        for thread in self._answered:
            messages = client.get(f"/api/v1/chat/{thread}").json()["messages"]
            assert [message["role"] for message in messages] == ["user", "assistant"]


class Learner(Visitor):
    """In a lesson: the first word of a new one."""

    def __init__(self) -> None:
        self._states: dict[str, Any] = {}

    def visit(self, client: httpx.Client) -> bool:
        begun = client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"})
        if not done(begun, 201):
            return False
        lesson = begun.json()["lesson_id"]
        said = client.post(f"/api/v1/lessons/{lesson}/messages", json={"message": "시작", "request_id": uuid4().hex})
        if not told(said):
            return False
        self._states[lesson] = events(said)[-1]["state"]
        return True

    def check(self, client: httpx.Client) -> None:
        for lesson, state in self._states.items():
            assert client.get(f"/api/v1/lessons/{lesson}").json()["state"] == state


class Author(Visitor):
    """Runs a flow (`tests.support.flow_home`) that writes its word once."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}

    def visit(self, client: httpx.Client) -> bool:
        word = uuid4().hex
        body = {"context": {"flow": "쓰기", "inputs": {"word": word}}}
        begun = client.post("/api/v1/execute", json=body)
        if not done(begun, 202):
            return False
        self.words[word] = begun.headers["location"]
        return True

    def check(self, client: httpx.Client) -> None:
        """A run ends in good order, or says that it is not known whether its step has happened; and whoever watches
        it is told its end."""
        for path in self.words.values():
            assert events(client.get(f"{path}/events"))[-1]["type"] == "final"
            view = until(partial(_ended, client, path))
            error = view["error"] or {}
            assert (view["status"], error.get("code")) in (("completed", None), ("failed", "unknown"))


class Eraser(Visitor):
    """Erases a child that has begun a session."""

    def __init__(self) -> None:
        self._erased: list[str] = []

    def visit(self, client: httpx.Client) -> bool:
        student = uuid4().hex
        if not done(client.post("/api/v1/sessions", json={"student_id": student}), 201):
            return False
        answer = client.delete(f"/api/v1/students/{student}")
        if not done(answer, 200):
            return False
        receipt: Json = answer.json()
        assert receipt["records"]["sessions"] == 1
        self._erased.append(student)
        return not receipt["pending"]

    def check(self, client: httpx.Client) -> None:
        for student in self._erased:
            assert client.get(f"/api/v1/students/{student}").status_code == _NO_LONGER


def everybody() -> list[Visitor]:
    return [Child(), Talker(), Learner(), Author(), Eraser()]


class Visits:
    """How often each visitor was served."""

    def __init__(self, visitors: Sequence[Visitor]) -> None:
        self.served = dict.fromkeys(visitors, 0)
        self.complaints: list[BaseException] = []

    def all_served(self, *kinds: type[Visitor]) -> None:
        """Returns when each of these kinds, or of all, has been served once more, beginning now: what was asked before
        does not count."""
        wanted = {each: self.served[each] + 2 for each in self.served if not kinds or isinstance(each, kinds)}
        until(lambda: self.complaints or all(self.served[each] >= times for each, times in wanted.items()))


@contextmanager
def visiting(client: httpx.Client, visitors: Sequence[Visitor]) -> Iterator[Visits]:
    """All of them come again and again during the block. Their complaints are raised at the end."""
    stop, visits = threading.Event(), Visits(visitors)

    def come(visitor: Visitor) -> None:
        headers, base_url = client.headers, client.base_url
        with httpx.Client(base_url=base_url, headers=headers, timeout=client.timeout) as own:
            while not stop.wait(_PAUSE_SECONDS):
                try:
                    visits.served[visitor] += visitor.visit(own)
                except BaseException as error:
                    visits.complaints.append(error)
                    return

    threads = [threading.Thread(target=come, args=(each,)) for each in visitors]
    for thread in threads:
        thread.start()
    try:
        yield visits
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if visits.complaints:
        raise visits.complaints[0]


def _ended(client: httpx.Client, path: str) -> Json | None:
    view: Json = client.get(path).json()
    return None if view["status"] == "running" else view

"""Steps of lessons over HTTP, without a model: from the request to the event `final`."""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx
import orjson

from benchmarks.report import Cell, Section, Target, at_most, percentile, table
from benchmarks.servers import TOKEN, Kind, Running, service, stores
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import Subjective
from maththera.settings import home
from tests.support.lessons import right as right_answer
from tests.support.lessons import wrong as wrong_answer

LIMIT_P95_MS: Final = 60.0
SECONDS: Final = 15.0
KINDS: Final[tuple[Kind, ...]] = ("postgres", "embedded")

_UNSURE: Final = "아직 잘 설명하지는 못하겠지만 그림을 그려 보면 알 것 같아."

Step = tuple[str, dict[str, Any]]


def measure() -> Section:
    """One learner after the other, on each kind of stores."""
    found = {kind: _played(kind) for kind in KINDS}
    return Section("Lessons over HTTP", _TEXT, _targets(found), [_table(found)])


def _played(kind: Kind) -> dict[str, list[float]]:
    """What was sent → seconds."""
    content = LessonContent.load(home())
    times: dict[str, list[float]] = {}
    with stores(kind) as environment, service(environment) as server, _client(server) as client:
        _lesson(client, content, {}, learner=0)  # loads the analyser
        until, learner = time.perf_counter() + SECONDS, 1
        while time.perf_counter() < until:
            _lesson(client, content, times, learner=learner)
            learner += 1
    return times


def _client(server: Running) -> httpx.Client:
    return httpx.Client(
        base_url=f"http://127.0.0.1:{server.port}", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30
    )


def _lesson(client: httpx.Client, content: LessonContent, times: dict[str, list[float]], *, learner: int) -> None:
    """Three sessions of a new lesson; odd learners answer wrongly, and every third is an advanced one."""
    user_type = "advanced" if learner % 3 == 0 else "beginner"
    begun = client.post("/api/v1/lessons", json={"user_id": learner, "user_type": user_type}).raise_for_status().json()
    state: dict[str, Any] = dict(begun["state"])
    for _ in range(3):
        for what, body in _steps(content, state, right=learner % 2 == 0):
            started = time.perf_counter()
            answer = client.post(f"/api/v1/lessons/{begun['lesson_id']}/messages", json=body)
            times.setdefault(what, []).append(time.perf_counter() - started)
            state.update(_final(answer.raise_for_status().content))


def _steps(content: LessonContent, state: Mapping[str, Any], *, right: bool) -> Iterator[Step]:
    """`state` is always the newest."""
    yield "a question", {"message": "이건 왜 그래? 다시 설명해 줘"}
    yield "explanation", {"message": "시작"}
    yield "a check, not understood", {"message": "먼소린지 모르겠어"}
    yield "a calculation", {"message": "14-6은 어떻게 해?"}
    while state["session_progress_stage"] == "session_start":
        yield "explanation", {"message": "다음"}
    yield "quiz", {"message": "다음"}
    yield "hint", {"hint": True}
    chapter = content.courses[content.config.default_course].chapters[state["current_chapter"]]
    question = chapter.question(state["current_question_number"])
    for _ in range(1 if right else 2):
        yield f"answer, {question.type}", {"answer": right_answer(question) if right else wrong_answer(question)}
    if isinstance(question, Subjective):
        yield "explanation in sentences", {"answer": question.model_answer if right else _UNSURE}
    yield "completion", {"message": "다음"}


def _final(stream: bytes) -> dict[str, Any]:
    last = stream.strip().split(b"\r\n\r\n")[-1]
    data = next(line for line in last.split(b"\r\n") if line.startswith(b"data: "))
    event: dict[str, Any] = orjson.loads(data.removeprefix(b"data: "))
    state: dict[str, Any] = event["state"]
    return state


def _targets(found: dict[Kind, dict[str, list[float]]]) -> list[Target]:
    return [
        at_most(f"{kind}: p95 of a step without a model", percentile(_all(times), 95) * 1e3, LIMIT_P95_MS, " ms")
        for kind, times in found.items()
    ]


def _all(times: dict[str, list[float]]) -> list[float]:
    return [seconds for each in times.values() for seconds in each]


def _table(found: dict[Kind, dict[str, list[float]]]) -> str:
    rows: list[list[Cell]] = []
    for kind, times in found.items():
        for what, each in {**times, "all": _all(times)}.items():
            rows.append([kind, what, len(each), *(percentile(each, part) * 1e3 for part in (50, 95, 99))])
    return table(("stores", "step", "steps", "p50 ms", "p95 ms", "p99 ms"), rows)


_TEXT: Final = """\
One learner after the other takes three sessions of the arithmetic course: questions, each turn of the explanation, the
quiz, a hint, an answer (right, or wrong twice; a choice or a sentence), and the completion with its records. A step is
measured from the request to the end of its stream. The first lesson, which loads the analyser, is not counted."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import ValidationError

from maththera.chat.coach.coach_tools import coach_tools
from maththera.chat.messages.chat_tools import Asker, ToolFailed
from maththera.learner_model.unit_scores import METRICS
from maththera.store.access.authorization import Principal
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database
from maththera.store.learner_state import LearnerUpdate
from maththera.store.tutoring_sessions import SessionRecords, TurnRow
from tests.support.coach import NOBODY, Json, call, knowledge, pupil
from tests.support.utterances import intents
from tests.unit.chat.conftest import play

READERS: list[tuple[str, Json]] = [
    ("get_user_scores", {}),
    ("get_weak_points", {}),
    ("get_recent_activity", {}),
    ("recommend_next_problem", {}),
    ("get_problem_explanation", {}),
]
"""The tools that read records."""


async def run(database: Database, tool: str, asker: Asker, **arguments: Any) -> Json:
    return await call(coach_tools(database, knowledge())[tool], asker, arguments)


@pytest.fixture
async def everywhere(database_url: str) -> AsyncIterator[Database]:
    """The played records on SQLite and on PostgreSQL."""
    await play(database_url)
    database = Database(database_url)
    yield database
    await database.close()


async def test_every_tool_answers_on_every_database(everywhere: Database) -> None:
    tools = coach_tools(everywhere, knowledge())
    arguments = {"get_unit_curriculum": {"unit_id": "Cur-C7"}, "get_problem_explanation": {"expression": "8+6"}}
    for name, tool in tools.items():
        assert tool.name == name
        found = await call(tool, pupil("s1"), arguments.get(name, {}))
        assert found
        assert "message" not in found
    allowed = {name for entry in intents().intents.values() for name in entry.tools}
    assert allowed == tools.keys()


async def test_scores_are_those_of_the_records(played: Database) -> None:
    found = await run(played, "get_user_scores", pupil("s1"))
    answers = [one for one in await AnswerHistory(played).answers("s1") if one.correct is not None]
    assert sum(unit["answered"] for unit in found["units"].values()) == len(answers) == found["total"]["answered"]
    assert sum(unit["right"] for unit in found["units"].values()) == sum(bool(one.correct) for one in answers)
    for name, unit in found["units"].items():
        own = [one for one in answers if one.c_level == int(name.removeprefix("Cur-C"))]
        assert unit["answered"] == len(own)
        assert unit["mean"] == pytest.approx(100 * sum(bool(one.correct) for one in own) / len(own), abs=1)
        assert unit["best"] is None or unit["best"] >= unit["mean"]
    assert len(found["trend"]) == 3
    assert found["trend"] == sorted(found["trend"], key=lambda one: one["at"])
    assert len(found["problems"]) == len({one["expression"] for one in found["problems"]}) == 10


async def test_weak_points_are_below_seventy_and_the_weakest_first(played: Database) -> None:
    found = await run(played, "get_weak_points", pupil("s1"))
    names = knowledge().coach.config.metrics
    assert set(names) == set(METRICS)
    lowest = [min([one["score"] for one in unit["weak_metrics"]], default=100) for unit in found.values()]
    assert lowest == sorted(lowest)
    assert lowest[0] < 70
    for unit in found.values():
        scores = {one["metric"]: one["score"] for one in unit["weak_metrics"]}
        below = {name: score for name, score in unit["metrics"].items() if score < 70}
        assert scores == (below if unit["enough"] else {})
        assert all(one["metric"] == names[one["id"]] for one in unit["weak_metrics"])


async def test_one_unit_is_looked_into(played: Database) -> None:
    accuracy = knowledge().coach.config.metrics["accuracy"]
    units = (await run(played, "get_weak_points", pupil("s1"))).items()
    erred = next(unit_id for unit_id, unit in units if unit["metrics"][accuracy] < 100)
    found = await run(played, "get_weak_points", pupil("s1"), unit_id=erred)
    assert [*found] == [erred]
    assert found[erred]["examples"]
    for example in found[erred]["examples"]:
        assert example["given"] != example["right"]
    assert found[erred]["trainings"][0].keys() == {"training_id", "title"}


async def test_a_unit_without_answers_is_no_weak_one(played: Database) -> None:
    found = await run(played, "get_weak_points", pupil("s1"), unit_id="Cur-C14")
    assert found["Cur-C14"]["answered"] == 0
    assert found["Cur-C14"]["weak_metrics"] == []
    assert "message" not in found


async def test_a_child_who_errs_at_nothing_has_no_weak_points(played: Database) -> None:
    found = await run(played, "get_weak_points", pupil("s2"))
    assert found
    assert all(unit["weak_metrics"] == [] for unit in found.values())


async def test_activity_is_newest_first_and_limited(played: Database) -> None:
    found = (await run(played, "get_recent_activity", pupil("s1"), limit=2))["activities"]
    assert len(found) == 2
    assert found[0]["at"] > found[1]["at"]
    assert all(one["answered"] >= one["right"] and one["ended"] and one["units"] for one in found)


async def test_the_recommended_problem_is_near_the_child_and_new(played: Database) -> None:
    learner = await SessionRecords(played).learner("s1")
    assert learner is not None
    found = await run(played, "recommend_next_problem", pupil("s1"))
    problem = knowledge().bank.problem(found["problem_id"])
    recent = [one.problem_id for one in await AnswerHistory(played).answers("s1") if one.problem_id][-20:]
    assert found["reason"] in ("cause", "position")
    assert problem.c_level == learner.c
    assert abs(problem.w_total - learner.w) <= 0.5
    assert problem.key not in {knowledge().bank.problem(one).key for one in recent}
    assert "answer" not in found
    assert found == await run(played, "recommend_next_problem", pupil("s1"))


async def test_a_unit_can_be_asked_for(played: Database) -> None:
    found = await run(played, "recommend_next_problem", pupil("s1"), unit_id="Cur-C13")
    assert (found["unit_id"], found["reason"]) == ("Cur-C13", "asked")


@pytest.mark.parametrize("c", range(1, 16))
async def test_every_unit_has_a_curriculum(empty: Database, c: int) -> None:
    found = await run(empty, "get_unit_curriculum", NOBODY, unit_id=f"Cur-C{c}")
    assert found["goals"]
    assert found["tips"]
    assert all(one["explanation"] for one in found["concepts"])
    assert all("Cur" not in name for name in found["before"])


@pytest.mark.parametrize(
    ("expression", "given", "procedure"),
    [
        ("28+15", 13, "partial_sum_of_ones"),
        ("28+15", 313, "carry_in_full"),
        ("52−38", 26, "smaller_from_larger"),
        ("7×8", 63, "one_group_more"),
        ("56÷8", 6, "quotient_one_less"),
    ],
)
async def test_where_an_answer_comes_from(empty: Database, expression: str, given: int, procedure: str) -> None:
    found = await run(empty, "get_problem_explanation", NOBODY, expression=expression, answer=given)
    assert found["given"]["correct"] is False
    assert found["given"]["procedures"][0]["name"] == procedure
    assert found["steps"]


async def test_a_right_answer_and_one_that_nothing_explains(empty: Database) -> None:
    right = await run(empty, "get_problem_explanation", NOBODY, expression="28+15", answer=43)
    strange = await run(empty, "get_problem_explanation", NOBODY, expression="28+15", answer=77)
    assert right["given"] == {"answer": 43, "correct": True, "procedures": []}
    assert strange["given"] == {"answer": 77, "correct": False, "procedures": []}


async def test_without_a_problem_the_last_missed_one_is_explained(played: Database) -> None:
    missed = [one for one in await AnswerHistory(played).answers("s1") if one.correct is False][-1]
    found = await run(played, "get_problem_explanation", pupil("s1"))
    assert found["problem_id"] == missed.problem_id
    assert found["given"]["answer"] == missed.given
    assert found["last_missed"] is True
    assert (await run(played, "get_problem_explanation", pupil("s2")))["steps"] == []


@pytest.mark.parametrize(("expression", "said"), [("17÷5", "2가 남아"), ("3-5", "뺄 수 없어"), ("5÷0", "나눌 수 없어")])
async def test_what_has_no_whole_answer_is_told_as_well(empty: Database, expression: str, said: str) -> None:
    found = await run(empty, "get_problem_explanation", NOBODY, expression=expression)
    assert found["answer"] is None
    assert said in found["steps"][-1]


@pytest.mark.parametrize("expression", ["8+", "여덟", "8+6, 7+5", ""])
async def test_what_is_no_expression_fails_in_words(empty: Database, expression: str) -> None:
    with pytest.raises(ToolFailed, match="식은"):
        await run(empty, "get_problem_explanation", NOBODY, expression=expression)


@pytest.mark.parametrize("problem_id", ["P-99999", "X:3-5:h", "", "../x"])
async def test_a_problem_that_is_not_there_is_told(empty: Database, problem_id: str) -> None:
    found = await run(empty, "get_problem_explanation", NOBODY, problem_id=problem_id)
    assert found["steps"] == []
    assert found["message"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_weak_points", {"unit_id": "unit01"}),
        ("get_unit_curriculum", {"unit_id": "Cur-C16"}),
        ("get_unit_curriculum", {}),
        ("get_recent_activity", {"limit": 0}),
        ("get_recent_activity", {"limit": 31}),
        ("get_user_scores", {"student_id": "s2"}),
        ("get_problem_explanation", {"expression": "8+6", "problem_id": "P-00001"}),
        ("get_problem_explanation", {"expression": "8" * 301}),
        ("get_problem_explanation", {"answer": 10**12}),
    ],
)
async def test_arguments_that_make_no_sense_are_refused(empty: Database, tool: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        await run(empty, tool, NOBODY, **arguments)


# --- the task on the screen -------------------------------------------------------------------------------------------


async def test_the_answer_of_the_open_task_is_not_told_to_the_student(empty: Database) -> None:
    await SessionRecords(empty).create_session("a", "s1", {}, ["X:28+15:v"])
    for expression, given in (("28+15", 43), ("15+28", None), ("27+16", 43), ("86/2", None)):
        found = await run(empty, "get_problem_explanation", pupil("s1"), expression=expression, answer=given)
        assert found["open_task"] is True
        assert (found["answer"], found["given"]) == (None, None)
        assert found["steps"]
        assert all("43" not in step for step in found["steps"])
    other = await run(empty, "get_problem_explanation", pupil("s1"), expression="28+16")
    assert (other["answer"], other["open_task"]) == (44, False)
    teacher = Asker(Principal("t", "teacher", frozenset({"s1"})), "s1")
    assert (await run(empty, "get_problem_explanation", teacher, expression="28+15"))["answer"] == 43


@pytest.mark.parametrize("expression", ["28+15+0", "(28+15)x2", "20+8+10+5", "50-7+0", "28+10+5"])
async def test_nor_by_a_longer_expression_that_comes_to_it(empty: Database, expression: str) -> None:
    await SessionRecords(empty).create_session("a", "s1", {}, ["X:28+15:v"])
    found = await run(empty, "get_problem_explanation", pupil("s1"), expression=expression, answer=43)
    assert (found["open_task"], found["answer"], found["given"]) == (True, None, None)
    assert all("43" not in step for step in found["steps"])
    other = await run(empty, "get_problem_explanation", pupil("s1"), expression="28+16+1", answer=45)
    assert (other["open_task"], other["given"]["correct"]) == (False, True)


async def test_the_open_task_is_no_example_either(empty: Database) -> None:
    await SessionRecords(empty).create_session("a", "s1", {})
    for number in range(1, 4):
        facts = {"problem_id": "X:47+26:h", "c_level": 8, "correct": False, "pattern": "logical_error"}
        await SessionRecords(empty).append_turn(
            TurnRow("a", number, f"r{number}", {"answer": 63}, [], {}, [], facts, ["X:47+26:h"])  # type: ignore[arg-type]
        )
    guardian = Asker(Principal("t", "guardian", frozenset({"s1"})), "s1")
    for asker, examples in ((pupil("s1"), 0), (guardian, 1)):
        found = await run(empty, "get_weak_points", asker, unit_id="Cur-C8")
        assert found["Cur-C8"]["weak_metrics"][0]["score"] == 0
        assert len(found["Cur-C8"]["examples"]) == examples


async def test_problems_that_left_the_bank_do_no_harm(empty: Database) -> None:
    await SessionRecords(empty).create_session("a", "s1", {})
    facts = {"problem_id": "OLD-1", "c_level": 8, "correct": False, "pattern": "logical_error"}
    await SessionRecords(empty).append_turn(
        TurnRow("a", 1, "r", {"answer": 63}, [], {}, [], facts, ["OLD-2"]),  # type: ignore[arg-type]
        learner=LearnerUpdate(8, 6.0, [{"problem_id": "OLD-3", "day": 0}]),
    )
    for tool, arguments in (*READERS, ("get_weak_points", {"unit_id": "Cur-C8"})):
        assert await run(empty, tool, pupil("s1"), **arguments)


# --- who may see what -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tool", "arguments"), READERS)
async def test_another_child_is_not_read(played: Database, tool: str, arguments: Json) -> None:
    stranger = Asker(Principal("t", "student", frozenset({"s2"})), "s1")
    with pytest.raises(ToolFailed):
        await run(played, tool, stranger, **arguments)


@pytest.mark.parametrize(("tool", "arguments"), READERS[:-1])
@pytest.mark.parametrize("asker", [NOBODY, pupil("new")], ids=["nobody", "new"])
async def test_no_records_are_explained(empty: Database, tool: str, arguments: Json, asker: Asker) -> None:
    found = await run(empty, tool, asker, **arguments)
    assert found["message"]


async def test_a_child_without_records_begins_at_the_first_unit(empty: Database) -> None:
    found = await run(empty, "recommend_next_problem", pupil("new"))
    assert (found["unit_id"], found["reason"]) == ("Cur-C1", "start")


async def test_a_lost_database_is_a_call_that_failed() -> None:
    gone = Database("postgresql+asyncpg://nobody@/none?host=/nowhere")
    with pytest.raises(ToolFailed, match="읽을 수 없어"):
        await run(gone, "get_user_scores", pupil("s1"))
    await gone.close()

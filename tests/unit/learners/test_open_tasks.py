from maththera.learners.database import Database
from maththera.learners.open_tasks import open_problem
from maththera.learners.records import Records, TurnRow


def turn(number: int, problem_id: str | None) -> TurnRow:
    task = {"task": {"problem": {"problem_id": problem_id}}} if problem_id else {"task": None}
    return TurnRow("a", number, f"r{number}", {}, [], task, [], {})


async def test_the_last_turn_of_the_last_session_shows_the_task(records: Records, database: Database) -> None:
    assert await open_problem(database, "s1") is None
    await records.create_session("a", "s1", {})
    assert await open_problem(database, "s1") is None
    await records.append_turn(turn(1, "P-00001"))
    await records.append_turn(turn(2, "P-00002"))
    assert await open_problem(database, "s1") == "P-00002"
    assert await open_problem(database, "s2") is None


async def test_nothing_is_open_after_the_end_or_in_a_training(records: Records, database: Database) -> None:
    await records.create_session("a", "s1", {})
    await records.append_turn(turn(1, None))
    assert await open_problem(database, "s1") is None
    await records.append_turn(turn(2, "P-00002"), ended=True)
    assert await open_problem(database, "s1") is None

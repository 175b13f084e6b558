from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from maththera.store.database import Database
from maththera.store.goals import GoalRecords, GoalTaken
from tests.unit.learner_model.test_goals import GOAL


async def test_a_goal_that_was_recorded_is_not_taken_by_itself(database: Database) -> None:
    """A write may be carried out twice."""
    records = GoalRecords(database)
    await records.add(GOAL)
    await records.add(GOAL)
    (found,) = await records.of_student("s1")
    assert timedelta() <= datetime.now(UTC) - found.created_at < timedelta(minutes=5), "the database's clock"
    with pytest.raises(GoalTaken):
        await records.add(replace(GOAL, goal_id="other"))

"""The coach without its graph: the tools on a database, the planner's rounds, the answer and the chart."""

from functools import cache
from typing import Any, Final, NamedTuple

from maththera.chat.coach.charts import Charts
from maththera.chat.coach.coach_knowledge import Knowledge, load_knowledge
from maththera.chat.coach.coach_tools import coach_tools
from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.rule_based_answers import RuleBasedAnswers
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.chat.state import ToolResult
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from tests.support.tutoring import rules
from tests.support.utterances import intents

Json = dict[str, Any]

NOBODY: Final = Asker(Principal("t", "admin"), None)


class CoachTurn(NamedTuple):
    rounds: list[list[ToolResult]]
    chart: Json | None
    answer: str

    @property
    def called(self) -> list[list[tuple[str, Json]]]:
        return [[(one["tool"], one["arguments"]) for one in round_] for round_ in self.rounds]


@cache
def knowledge() -> Knowledge:
    """Loaded once: nothing changes it."""
    return load_knowledge(home(), rules().bank)


@cache
def planner() -> ToolPlanner:
    """As in a worker, made once: the names of all units are taken apart when it reads its first message."""
    return ToolPlanner(knowledge())


def pupil(student_id: str) -> Asker:
    """A student who asks about itself."""
    return Asker(Principal("t", "student", frozenset({student_id})), student_id)


async def call(tool: ChatTool, asker: Asker, arguments: Json) -> Json:
    return await tool.call(asker, tool.arguments.model_validate(arguments))


async def coach_turn(database: Database, asker: Asker, handling: Handling, message: str) -> CoachTurn:
    """What the graph does without a model."""
    known = knowledge()
    tools, rounds = coach_tools(database, known), list[list[ToolResult]]()
    while calls := planner().next_round(handling, message, rounds):
        assert len(rounds) < 5
        rounds.append(
            [
                ToolResult(
                    tool=one["tool"],
                    arguments=one["arguments"],
                    result=await call(tools[one["tool"]], asker, one["arguments"]),
                    error=None,
                    cached=False,
                )
                for one in calls
            ]
        )
    results = [result for round_ in rounds for result in round_]
    chart = Charts(known.coach.config).chart(message, results, usual=intents().registry.handled_as(handling).chart)
    return CoachTurn(rounds, chart, RuleBasedAnswers(known).answer(handling, message, results))

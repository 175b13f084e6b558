"""The coach without its graph: the tools on a database, the planner's rounds, the answer and the chart."""

from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

from maththera.chat.coach.asks import AskReader
from maththera.chat.coach.charts import Charts
from maththera.chat.coach.coach_knowledge import Knowledge, load_knowledge
from maththera.chat.coach.coach_nodes import DRAWN
from maththera.chat.coach.coach_tools import coach_tools
from maththera.chat.coach.drafts import CoachTurn, ReplyTexts
from maththera.chat.coach.replies import Replies
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.chat.state import ToolResult
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from tests.support.tutoring import rules

Json = dict[str, Any]

NOBODY: Final = Asker(Principal("t", "admin"), None)


class CoachedTurn(NamedTuple):
    rounds: list[list[ToolResult]]
    chart: Json | None
    answer: str

    @property
    def called(self) -> list[list[tuple[str, Json]]]:
        return [[(one["tool"], one["arguments"]) for one in round_] for round_ in self.rounds]


@cache
def knowledge() -> Knowledge:
    """Loaded once: nothing changes it."""
    return load_knowledge(home(), rules().bank, rules().knowledge)


@cache
def planner() -> ToolPlanner:
    """As in a worker, made once: the names of all units are taken apart when it reads its first message."""
    return ToolPlanner(knowledge(), AskReader.load(home()).asks)


@cache
def texts() -> ReplyTexts:
    return ReplyTexts.load(home())


def pupil(student_id: str) -> Asker:
    """A student who asks about itself."""
    return Asker(Principal("t", "student", frozenset({student_id})), student_id)


async def call(tool: ChatTool, asker: Asker, arguments: Json) -> Json:
    return await tool.call(asker, tool.arguments.model_validate(arguments))


async def coach_turn(database: Database, asker: Asker, ask: str, message: str) -> CoachedTurn:
    """What the graph does without a model, at the beginning of a conversation."""
    known = knowledge()
    tools, rounds = coach_tools(database, known), list[list[ToolResult]]()
    turn = CoachTurn(message, ask, asker.principal.role not in ("student", "admin"), {})
    while calls := planner().next_round(turn, rounds):
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
    facts = next((one["result"]["facts"] for one in results if one["tool"] == "get_user_scores"), None)
    chart = Charts(known.coach.config).chart(message, results, usual=ask in DRAWN)
    answer, _ = Replies(texts()).reply(replace(turn, facts=facts, results=results), "A")
    return CoachedTurn(rounds, chart, answer)

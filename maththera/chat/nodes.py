"""The nodes that both profiles share: what went before, the guard, and what is kept of the turn."""

from collections.abc import Callable
from typing import Any, Literal

from langgraph.runtime import Runtime

from maththera.chat import history
from maththera.chat.config import ChatConfig
from maththera.chat.state import ChatState, Said, fresh
from maththera.chat.turn import FAILURES, TurnContext, of
from maththera.llm.budget import Budget
from maththera.llm.models import Models
from maththera.words.guard import Guard, Verdict
from maththera.words.lexicon import Profile

Update = dict[str, Any]


class Nodes:
    def __init__(
        self, config: ChatConfig, guard: Guard, distress: Callable[[str], bool], models: Models | None
    ) -> None:
        """`distress`: whether words tell of a child in danger."""
        self._config, self._guard, self._distress, self._models = config, guard, distress, models

    async def recall(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The conversation so far; read back from the records where the checkpoint has another."""
        context = of(runtime)
        kept, summary = state.get("history", []), state.get("summary", "")
        if state.get("turns", 0) != context.turns:
            dropped, kept = history.split(await context.recall(), self._config.history)
            summary = history.sum_up("", dropped, self._config.history)
        return {**fresh(state), "turns": context.turns, "summary": summary, "history": kept}

    async def guard(self, state: ChatState) -> Update:
        """Before any model sees the words. What has an answer of its own gets it here."""
        message, profile = state["message"], state["profile"]
        verdict, distress = self._guard.check(message), self._distress(message)
        told = {"verdict": {"kind": verdict.kind, "found": verdict.found}, "distress": distress and profile == "coach"}
        return {**told, "answer": self._own_answer(message, profile, verdict, distress=distress) or ""}

    def _own_answer(self, message: str, profile: Profile, verdict: Verdict, *, distress: bool) -> str | None:
        """To adults who tell of a child in danger, to what is private, and to courtesies. A child that is in danger
        itself gets its answer from the coach."""
        config = self._config
        if distress and profile == "coach":
            return None
        if distress and not config.danger.unless.search(message):
            return config.danger.assistant
        if verdict.kind in ("abuse", "injection"):
            return None
        if profile == "coach" and config.private.words.search(message):
            return config.private.coach
        return config.courtesies.answer(message, profile)

    async def after_guard(self, state: ChatState) -> Literal["decline", "intent", "route"]:
        if state["distress"]:
            return "intent"
        verdict = Verdict(**(state["verdict"] or {}))
        goes_on = state["history"] and self._config.follow_ups.kind(state["message"])
        means_something = goes_on and verdict.kind == "meaningless"  # 맞아? says nothing, but of what was said before
        if state["answer"] or (self._guard.blocks(verdict, state["profile"]) and not means_something):
            return "decline"
        return "intent" if state["profile"] == "coach" else "route"

    async def remember(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The turn becomes part of the conversation, first in the records."""
        context = of(runtime)
        await context.save(state)
        said = [Said(role="user", text=state["message"]), Said(role="assistant", text=state["answer"])]
        dropped, kept = history.split([*state["history"], *said], self._config.history)
        summary = await self._summary(state, dropped, context) if dropped else state["summary"]
        return {"turns": state["turns"] + 1, "history": kept, "summary": summary}

    async def _summary(self, state: ChatState, dropped: list[Said], context: TurnContext) -> str:
        limits = self._config.history
        if self._models is not None and not state["by_rules"]:
            variables = {"summary": state["summary"], "messages": history.lines(dropped)}
            budget = Budget(self._config.seconds.summary)
            try:
                reply = await context.asked(self._models.ask(history.PROMPT, variables, history.Summary, budget))
                return reply.value.summary[: limits.summary_characters]
            except FAILURES:
                pass  # nobody is told: the beginnings of what was said will do
        return history.sum_up(state["summary"], dropped, limits)

"""The nodes that both profiles share: what went before, the guard, and what is kept of the turn."""

from typing import Any, Final, Literal

from langgraph.runtime import Runtime

from maththera.chat import history
from maththera.chat.config import ChatConfig
from maththera.chat.state import ChatState, Said, asks, fresh
from maththera.chat.turn import FAILURES, TurnContext, of
from maththera.llm.budget import Budget
from maththera.llm.models import Models
from maththera.words.front_door import Reading
from maththera.words.guard import Verdict
from maththera.words.lexicon import Profile
from maththera.words.safety import Place, Safety, Sender

Update = dict[str, Any]

_STOPPED: Final = frozenset({"abuse", "injection"})
"""What gets no answer of its own, whatever else it says."""


class Nodes:
    def __init__(self, config: ChatConfig, safety: Safety, models: Models | None) -> None:
        self._config, self._safety, self._models = config, safety, models

    async def recall(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The conversation so far; read back from the records where the checkpoint has another."""
        context = of(runtime)
        kept, summary = state.get("history", []), state.get("summary", "")
        asked = asks(state.get("safety"))
        if state.get("turns", 0) != context.turns:
            recalled = await context.recall()
            dropped, kept = history.split(recalled.history, self._config.history)
            summary, asked = history.sum_up("", dropped, self._config.history), recalled.asked
        return {**fresh(state), "turns": context.turns, "summary": summary, "history": kept, "asked": asked}

    async def guard(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """Before any model sees the words. What has an answer of its own gets it here."""
        context, message, profile = of(runtime), state["message"], state["profile"]
        sender = Sender(context.asker.principal.role, context.asker.student_id)
        heard = await self._safety.hear(
            message, sender, Place(profile, context.thread_id), context.message_id, asked=state["asked"]
        )
        verdict = heard.reading.verdict
        told: Update = {"verdict": {"kind": verdict.kind, "found": verdict.found}}
        if heard.told is not None:
            context.safety = heard.mark
            return {**told, "answer": heard.answer, "safety": {**heard.mark, "shown": heard.shown(sender.role)}}
        private = heard.reading.private and profile == "coach" and verdict.kind not in _STOPPED
        return {**told, "private": private, "answer": self._own_answer(heard.reading, profile, private=private) or ""}

    def _own_answer(self, reading: Reading, profile: Profile, *, private: bool) -> str | None:
        """To what is private, and to courtesies."""
        if reading.verdict.kind in _STOPPED:
            return None
        if private:
            return self._config.private.coach
        return self._safety.door.courtesies.answer(reading.courtesy, profile) if reading.courtesy else None

    async def after_guard(self, state: ChatState) -> Literal["decline", "intent", "route"]:
        verdict = Verdict(**(state["verdict"] or {}))
        goes_on = state["history"] and self._config.follow_ups.kind(state["message"])
        means_something = goes_on and verdict.kind == "meaningless"  # 맞아? says nothing, but of what was said before
        stopped = self._safety.door.guard.blocks(verdict, state["profile"]) and not means_something
        if state["answer"] or stopped:
            return "decline"
        return "intent" if state["profile"] == "coach" else "route"

    async def remember(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The turn becomes part of the conversation, first in the records."""
        context = of(runtime)
        await context.save(state)
        if state["safety"] or state["private"]:  # no model is to see it later
            return {"turns": state["turns"] + 1}
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

"""The nodes that both profiles share: the conversation so far, the guard, and the record of the turn."""

from collections.abc import Sequence
from typing import Final, Literal, cast

from langgraph.runtime import Runtime

from maththera.chat.config import ChatConfig
from maththera.chat.messages import conversation_history
from maththera.chat.messages.turn_context import MODEL_FAILURES, TurnContext, context_of
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.state import (
    ChatState,
    SafetyMark,
    Utterance,
    Verdict,
    WindowMessage,
    asked_if_all_right,
    new_turn_state,
)
from maththera.llm.model_client import Models
from maththera.llm.time_budget import Budget
from maththera.store.database import StoreUnavailable
from maththera.words.danger.message_analysis import MessageAnalysis
from maththera.words.danger.message_safety import MessageSafety, Place, Sender
from maththera.words.input_filter.filter_words import Profile
from maththera.words.input_filter.message_filter import FilterVerdict

_BLOCKED_KINDS: Final = frozenset({"abuse", "injection"})
"""Messages of these kinds are declined."""


class SharedNodes:
    def __init__(
        self, config: ChatConfig, safety: MessageSafety, records: RecordQuestions, models: Models | None
    ) -> None:
        self._config, self._safety, self._records, self._models = config, safety, records, models

    async def recall(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """The conversation so far; read back from the records where the checkpoint has another."""
        context = context_of(runtime)
        kept, summary = state.get("history", []), state.get("summary", "")
        asked, board = asked_if_all_right(state.get("safety")), state.get("board", {})
        turns = state.get("turns", 0) if context.turns is None else context.turns
        if state.get("turns", 0) != turns:
            recalled = await context.recall()
            dropped, kept = conversation_history.split_by_budget(recalled.history, self._config.history)
            summary, asked = conversation_history.summary_by_rules("", dropped, self._config.history), recalled.asked
            board = recalled.board
        kept_of_turns = {"turns": turns, "summary": summary, "history": kept, "asked": asked, "board": board}
        return cast("ChatState", {**new_turn_state(state), **kept_of_turns})

    async def guard(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Check the message before any model sees it; danger, private things and courtesies get their fixed answers. An
        adult who names one of several children with that name is asked which one."""
        context, message, profile = context_of(runtime), state["message"], state["profile"]
        sender = Sender(context.asker.principal.role, context.asker.student_id)
        heard = await self._safety.check_message(
            message, sender, Place(profile, context.thread_id), context.message_id, asked=state["asked"]
        )
        verdict = heard.reading.verdict
        told: ChatState = {"verdict": {"kind": verdict.kind, "found": verdict.found}}
        if heard.told is not None:
            context.safety = heard.mark
            mark = SafetyMark(asks=heard.tier == 3, shown=heard.shown(sender.role))
            return {**told, "answer": heard.told.text, "safety": mark}
        private = heard.reading.private and profile == "coach" and verdict.kind not in _BLOCKED_KINDS
        said = [one["text"] for one in state["history"]]
        fixed = self._fixed_answer(heard.reading, profile, said, private=private)
        if not private and profile == "coach" and (sender.role != "student" or _is_reply(heard.reading, state)):
            fixed = None
        if fixed is None and sender.role != "student" and verdict.kind not in _BLOCKED_KINDS:
            fixed = await self._which_child(message, context)
        return {**told, "private": private, "answer": fixed or ""}

    async def _which_child(self, message: str, context: TurnContext) -> str | None:
        try:
            return (await self._records.names(context.asker)).which(message)
        except StoreUnavailable:
            return None

    def _fixed_answer(
        self, reading: MessageAnalysis, profile: Profile, said: Sequence[str], *, private: bool
    ) -> str | None:
        """The answer to something private, or to a courtesy. `said`: all that was said before."""
        if reading.verdict.kind in _BLOCKED_KINDS:
            return None
        if private:
            return self._config.private.coach
        return self._safety.door.courtesies.answer(reading.courtesy, profile, said) if reading.courtesy else None

    async def after_guard(self, state: ChatState) -> Literal["decline", "intent", "route"]:
        verdict = FilterVerdict(**cast("Verdict", state["verdict"]))
        if state["profile"] == "coach":  # what means nothing by itself may mean something after what was said
            return "decline" if state["answer"] or verdict.kind in _BLOCKED_KINDS else "intent"
        stopped = self._safety.door.guard.blocks(verdict, state["profile"])
        return "decline" if state["answer"] or stopped else "route"

    async def remember(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Add the turn to the records, then to the conversation."""
        context = context_of(runtime)
        await context.save(state)
        update: ChatState = {"turns": state["turns"] + 1}
        if state["messages"] and state["messages"][-1]["role"] == "user":
            update["messages"] = [WindowMessage(role="assistant", content=state["answer"])]
        if state["safety"] or state["private"]:  # no model is to see it later
            return update
        said = [Utterance(role="user", text=state["message"]), Utterance(role="assistant", text=state["answer"])]
        dropped, kept = conversation_history.split_by_budget([*state["history"], *said], self._config.history)
        summary = await self._summary(state, dropped, context) if dropped else state["summary"]
        return {**update, "history": kept, "summary": summary}

    async def _summary(self, state: ChatState, dropped: list[Utterance], context: TurnContext) -> str:
        limits = self._config.history
        if self._models is not None and not state["by_rules"]:
            variables = {"summary": state["summary"], "messages": conversation_history.as_lines(dropped)}
            budget = Budget(self._config.seconds.summary)
            try:
                reply = await context.await_model(
                    self._models.ask(conversation_history.PROMPT, variables, conversation_history.Summary, budget)
                )
                return reply.value.summary[: limits.summary_characters]
            except MODEL_FAILURES:
                pass  # no error is shown: the beginnings of the messages are summary enough
        return conversation_history.summary_by_rules(state["summary"], dropped, limits)


def _is_reply(reading: MessageAnalysis, state: ChatState) -> bool:
    """Whether a yes or no answers what the coach said."""
    return reading.courtesy in ("assent", "refusal") and bool(state["board"].get("ask"))

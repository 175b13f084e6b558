"""Runs one turn: the graph on the thread's checkpoint, its record, and a word about whatever goes wrong.

Order of a turn: record, checkpoint, `final`. What fails in between leaves a checkpoint with another number of turns
than the records have, and the next turn starts from the records.
"""

import asyncio
import hashlib
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, cast

from langchain_core.runnables import RunnableConfig
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.chat.config import ChatConfig, ErrorCode
from maththera.chat.graph import Graph
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.messages.run_registry import FINAL_EVENT, THREAD_PREFIX
from maththera.chat.messages.turn_context import RecordedHistory, TurnContext
from maththera.chat.messages.turn_run import TurnRun
from maththera.chat.state import ChatState, Utterance, asked_if_all_right, detail
from maththera.json_types import JsonObject
from maththera.llm.model_client import Call, calls_counted
from maththera.llm.time_budget import Budget
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.turns import failures_told
from maththera.store import conversations
from maththera.store.conversations import Conversations, Message, Thread, ThreadErased
from maththera.store.database import StoreUnavailable
from maththera.store.review_queue import Reviews
from maththera.words.output_gate.sentence_checks import GateFault

logger = logging.getLogger(__name__)

_LAST_WORDS_SECONDS: Final = 2.0
_CODES: Final[Mapping[type[Exception], ErrorCode]] = {
    ThreadErased: "erased",
    RedisError: "store_unavailable",
    StoreUnavailable: "store_unavailable",
    Exception: "internal",
}


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """`number`: of the message among those of its conversation, where a client counts them."""

    message: str
    difficulty: str | None
    asker: Asker
    earlier: tuple[Utterance, ...] = ()
    number: int | None = None


class TurnRunner:
    def __init__(
        self, config: ChatConfig, graph: Graph, records: Conversations, reviews: Reviews, redis: Redis
    ) -> None:
        self._config, self._records, self._reviews = config, records, reviews
        self._graph = graph.compile(checkpointer=RedisSaver(redis), name="chat")
        self._without_checkpoint = graph.compile(name="chat")

    async def run(self, run: TurnRun, thread: Thread, question: TurnRequest) -> None:
        """Runs the turn up to the event `final`. Failures become events; only a cancellation is raised."""
        context = TurnContext(question.asker, run, budget=Budget(self._config.seconds.turn))
        tell = partial(self._tell, run, thread)
        try:
            with failures_told(f"chat run {run.run_id}", _CODES, tell):
                # Again, now that no other turn of the thread can end: an earlier one may have, meanwhile.
                thread = await self._records.thread(thread.thread_id) or thread
                with calls_counted() as context.calls:
                    await self._invoke(run, thread, question, context)
                if not await run.settled():
                    tell("store_unavailable")
        except asyncio.CancelledError:
            why = cast("ErrorCode", run.why or "cancelled")
            tell(why)
            await self._last_words(run, thread, question, context, why)
            raise
        finally:
            run.emit(FINAL_EVENT)

    async def _invoke(self, run: TurnRun, thread: Thread, question: TurnRequest, context: TurnContext) -> None:
        async def recall() -> RecordedHistory:
            return history_from_records(await self._records.messages(thread.thread_id, self._config.history.messages))

        async def save(state: ChatState) -> None:
            told = {**detail(state), **_spent(context.calls)}
            said = conversations.ConversationTurn(run.run_id, question.message, state["answer"], told)
            await self._records.append(thread, thread.turns + 1, said)
            context.saved = True

        async def reject(held: GateFault) -> None:
            logger.warning("chat run %s: held back: %s", run.run_id, held.code)
            try:
                await self._reviews.add(
                    "rejected_text", asdict(held), room=thread.profile, place_id=thread.thread_id,
                    student_id=thread.student_id,
                )  # fmt: skip
            except StoreUnavailable:
                logger.exception("chat run %s: the review queue has no entry of it", run.run_id)

        context.message_id = _message_id(question, thread.turns)
        context.turns, context.recall, context.save, context.reject = thread.turns, recall, save, reject
        state = ChatState(
            profile=thread.profile,
            message=question.message,
            student_id=thread.student_id,
            difficulty=question.difficulty,
        )
        if not thread.turns and question.earlier:
            state["history"] = list(question.earlier)
        config: RunnableConfig = {"configurable": {"thread_id": THREAD_PREFIX + thread.thread_id}}
        try:
            await self._graph.ainvoke(state, config, context=context, durability="exit", output_keys=["turns"])
        except RedisError:
            if run.begun:
                raise
            # The conversation's working state cannot be read: the turn is played on what the records have of it.
            await self._without_checkpoint.ainvoke(state, context=context, output_keys=["turns"])

    async def _last_words(
        self, run: TurnRun, thread: Thread, question: TurnRequest, context: TurnContext, why: ErrorCode
    ) -> None:
        """Records a turn that was ended, as far as it went, unless it was ended while its record was being written."""
        if context.saved or why == "erased":
            return
        detail = {"errors": [why], **({"safety": context.safety} if context.safety else {}), **_spent(context.calls)}
        said = conversations.ConversationTurn(run.run_id, question.message, context.latest, detail)
        with suppress(StoreUnavailable, ThreadErased, TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_SECONDS):
                # It may have been ended before it knew how many turns there are.
                thread = await self._records.thread(thread.thread_id) or thread
                newest = await self._records.messages(thread.thread_id, 1)
                if run.run_id not in {message.run_id for message in newest}:
                    await self._records.append(thread, thread.turns + 1, said)

    def _tell(self, run: TurnRun, thread: Thread, code: ErrorCode) -> None:
        run.emit(self._config.error(code, thread.profile))


def history_from_records(messages: Sequence[Message]) -> RecordedHistory:
    """A recorded conversation as the graph goes on with it."""
    pairs = [*zip(messages[::2], messages[1::2], strict=False)]
    kept = [pair for pair in pairs if not {"safety", "private"} & (pair[1].detail or {}).keys()]
    newest = pairs[-1][1].detail or {} if pairs else {}
    return RecordedHistory(
        [Utterance(role=one.role, text=one.text) for pair in kept for one in pair],
        asked_if_all_right(newest.get("safety")),
        newest.get("board") or {},
    )


def _spent(calls: Sequence[Call]) -> JsonObject:
    """The calls of models in a turn, as the cost report reads them."""
    told = [
        {
            "kind": call.prompt,
            "model": call.model,
            "input_tokens": call.usage.input_tokens,
            "output_tokens": call.usage.output_tokens,
        }
        for call in calls
    ]
    return {"llm": told} if told else {}


def _message_id(question: TurnRequest, turns: int) -> str:
    """A client that repeats its conversation may send a message again: it is the same one."""
    number = turns if question.number is None else question.number
    return hashlib.sha256(f"{number} {question.message}".encode("utf-8", "replace")).hexdigest()[:32]

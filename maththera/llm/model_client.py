"""Asking a language model: one checked value, within a budget, or an error that says which way it failed."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeAlias

from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp

from maththera.json_types import JsonObject
from maththera.llm.circuit_breaker import CircuitBreaker
from maththera.llm.config import LlmConfig
from maththera.llm.prompts import Prompt, PromptError, PromptTooLongError, Rendered, Value, load_prompts
from maththera.llm.structured_output import MalformedError, Schema, parse
from maththera.llm.time_budget import Budget
from maththera.llm.token_estimate import estimate_tokens
from maththera.settings import Settings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Permit:
    """Shared by the tasks of one run or request."""

    allowed: bool


_permit: ContextVar[_Permit | None] = ContextVar("models allowed", default=None)

_counted: ContextVar[list["Call"] | None] = ContextVar("calls counted", default=None)

Outcome: TypeAlias = Literal["ok", "timeout", "failed", "rejected", "not_asked"]
"""`not_asked`: the model rests, because it did not answer before."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; `estimated` when the server did not count them."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """What one call was: for the trace, the metrics and the bill. `cost_usd` is None for a model without a price."""

    prompt: str
    model: str
    outcome: Outcome
    usage: Usage
    ms: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Reply(Generic[Schema]):
    """A reply of the shape asked for."""

    value: Schema
    call: Call


class LlmError(Exception):
    """No usable reply. `call`: what was spent."""

    def __init__(self, message: str, call: Call) -> None:
        super().__init__(message)
        self.call = call


class LlmTimeout(LlmError):
    """The budget ran out."""


class LlmFailed(LlmError):
    """The server refused, broke off or did not speak the protocol, or there was nothing sensible to send."""


class LlmRejected(LlmError):
    """A reply came, and is not what was asked for."""


def allow_models(allowed: bool) -> None:
    """Whether any model may be asked from here on: in this task, and in those that it begins."""
    _permit.set(_Permit(allowed))


def bar_models() -> None:
    """No model is asked any more, wherever the last `allow_models` holds: in tasks beside this one too."""
    if (permit := _permit.get()) is None:
        allow_models(False)
    else:
        permit.allowed = False


@contextmanager
def without_models() -> Iterator[None]:
    """Within it no model is asked."""
    token = _permit.set(_Permit(False))
    try:
        yield
    finally:
        _permit.reset(token)


@contextmanager
def calls_counted() -> Iterator[list[Call]]:
    """Within it, also in tasks that begin within it, every call of a model is added to this list."""
    calls: list[Call] = []
    token = _counted.set(calls)
    try:
        yield calls
    finally:
        _counted.reset(token)


def models_allowed() -> bool:
    """Whether a model may be asked in this task."""
    return (permit := _permit.get()) is None or permit.allowed


class _Failure(Exception):
    """Why there is no value, and what was spent; becomes the LlmError of its outcome."""

    def __init__(self, outcome: Outcome, reason: str, usage: Usage) -> None:
        super().__init__(reason)
        self.outcome: Outcome = outcome
        self.usage = usage


ERRORS: Final[Mapping[Outcome, type[LlmError]]] = {
    "timeout": LlmTimeout,
    "failed": LlmFailed,
    "rejected": LlmRejected,
}


class Models:
    """The configured models (none, if no server is configured) and the prompts they are asked with. `refused`: the last
    call was, as with a wrong key, or it broke off; the next one that is answered clears it. One `breaker` for every
    prompt and room: while the model rests, calls fail at once."""

    def __init__(
        self,
        prompts: Mapping[str, Prompt],
        config: LlmConfig,
        chats: Mapping[str, "ChatOpenAI"],
        on_call: Callable[[Call], None],
    ) -> None:
        self._prompts = prompts
        self._config = config
        self._chats = chats
        self._on_call = on_call
        self.refused = False
        self.breaker = CircuitBreaker()

    @classmethod
    def from_settings(cls, settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> "Models":
        """The configured models; see `load`."""
        key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else None
        address, model, small_model = settings.llm_base_url, settings.llm_model, settings.llm_small_model
        return cls.load(settings.home, address, key, model, small_model, on_call=on_call)

    @classmethod
    def load(  # noqa: PLR0913 - where the files are, the four settings, and who counts
        cls,
        home: Path,
        base_url: str | None = None,
        api_key: str | None = None,
        model: str | None = None,
        small_model: str | None = None,
        *,
        on_call: Callable[[Call], None] = lambda _: None,
    ) -> "Models":
        """Models behind any OpenAI-compatible `base_url`; without one none are available and nothing is imported.

        `small_model` defaults to `model`. `on_call` is called after every call, whatever its outcome. `home` holds
        `configs/llm/llm.yaml` and `prompts/`, which are checked either way; raises ConfigError, and ValueError for an
        address without a model.
        """
        config = LlmConfig.from_file(home / "configs" / "llm" / "llm.yaml")
        chats: dict[str, ChatOpenAI] = {}
        if base_url:
            if not model:
                raise ValueError("a base URL needs a model name")
            names = {"main": model, "small": small_model or model}
            chats = {role: _chat(base_url, api_key, name, config) for role, name in names.items()}
        return cls(load_prompts(home / "prompts"), config, chats, on_call)

    @property
    def available(self) -> bool:
        """Whether there is anyone to ask."""
        return bool(self._chats) and models_allowed()

    @property
    def prices_known(self) -> dict[str, bool]:
        """The name of each configured model → whether it has a price."""
        return {chat.model_name: chat.model_name in self._config.prices for chat in self._chats.values()}

    def require(self, prompt_name: str, variables: Set[str]) -> None:
        """Raises PromptError unless `ask` will find this prompt with just these variables."""
        if prompt_name not in self._prompts:
            raise PromptError(f"{prompt_name}.md: there is no such file")
        self._prompts[prompt_name].require_variables(variables)

    def budget(self) -> Budget:
        """The budget of a turn that begins now."""
        return Budget(self._config.turn_seconds)

    async def ask(
        self,
        prompt_name: str,
        variables: Mapping[str, Value],
        schema: type[Schema],
        budget: Budget,
        context: JsonObject | None = None,
    ) -> Reply[Schema]:
        """Ask with a prompt file; `context` reaches the validators of `schema`.

        Raises LlmTimeout when the budget is over, LlmFailed (at once while the model rests), LlmRejected, and
        PromptError for variables that the file does not declare. Cancellation and LangGraph's own signals pass through.
        """
        _require_allowed(prompt_name, self._chats[self._prompts[prompt_name].header.model].model_name)
        if not self.breaker.resting:
            return await self._ask(prompt_name, variables, schema, budget, context)
        if self.breaker.wants_trial:

            async def trial() -> None:
                with suppress(LlmError):
                    await self._ask(prompt_name, variables, schema, budget, context)

            self.breaker.spawn_trial(trial())
        raise self.not_asked(prompt_name)

    async def _ask(
        self,
        prompt_name: str,
        variables: Mapping[str, Value],
        schema: type[Schema],
        budget: Budget,
        context: JsonObject | None,
    ) -> Reply[Schema]:
        prompt = self._prompts[prompt_name]
        chat = self._chats[prompt.header.model]
        started = time.monotonic()

        def call(outcome: Outcome, usage: Usage) -> Call:
            ms = round(1000 * (time.monotonic() - started))
            return self._counted_call(prompt_name, chat.model_name, outcome, usage, ms)

        try:
            rendered = _rendered(prompt, variables)
            text, usage = await self._exchange(chat, prompt, rendered, budget)
            value = _parsed(text, schema, context, usage)
        except _Failure as failure:
            logger.warning("%s: %s: %s", prompt_name, failure.outcome, failure)
            raise ERRORS[failure.outcome](str(failure), call(failure.outcome, failure.usage)) from failure
        return Reply(value, call("ok", usage))

    def not_asked(self, prompt: str, role: str | None = None) -> LlmFailed:
        """The error of a call that is not made while the model rests; it is no part of what a turn has cost."""
        model = self._chats[role or self._prompts[prompt].header.model].model_name
        call = Call(prompt, model, "not_asked", Usage(), 0, None)
        self._on_call(call)
        return LlmFailed("the model rests: it did not answer", call)

    def _counted_call(  # noqa: PLR0913 - what was called, and how it ended
        self, prompt: str, model: str, outcome: Outcome, usage: Usage, ms: int, *, given_up: bool = False
    ) -> Call:
        """`given_up`: whoever waited no longer wanted it, which says nothing of the model."""
        if outcome in ("ok", "rejected"):
            self.breaker.answered()
        elif not given_up:
            self.breaker.waited_in_vain(ms)
        price = self._config.prices.get(model)
        cost = price.cost_of(usage.input_tokens, usage.output_tokens) if price else None
        made = Call(prompt, model, outcome, usage, ms, cost)
        self._on_call(made)
        if (calls := _counted.get()) is not None:
            calls.append(made)
        return made

    async def _exchange(
        self, chat: "ChatOpenAI", prompt: Prompt, rendered: Rendered, budget: Budget
    ) -> tuple[str, Usage]:
        seconds = budget.remaining()
        if not seconds:
            raise _Failure("timeout", "nothing left of the turn's budget", Usage())
        try:
            async with asyncio.timeout(seconds):
                message = await chat.ainvoke(
                    [("system", rendered.system), ("human", rendered.input)], max_tokens=prompt.header.limits.output
                )
        except GraphBubbleUp:
            raise
        except TimeoutError as error:
            # The server may have read, and billed, what it did not answer.
            raise _Failure("timeout", "no reply in time", Usage(rendered.tokens, 0, estimated=True)) from error
        except Exception as error:  # a server can break in more ways than its client has errors for
            self.refused = True
            raise _Failure("failed", reason(error), Usage()) from error
        self.refused = False
        return str(message.text), _usage(message, rendered)

    def streaming_call(
        self, prompt_name: str, variables: Mapping[str, Value], role: str | None = None
    ) -> "tuple[ChatOpenAI, Rendered, int, Callable[[Outcome, Usage, int, bool], Call]]":
        """What `llm.streaming` needs: a model that streams plain text, the rendered prompt, the most tokens of a reply,
        and how the call is counted, with whether it was refused. Raises LlmFailed for a prompt that is too long."""
        prompt = self._prompts[prompt_name]
        chat = self._chats[role or prompt.header.model]
        _require_allowed(prompt_name, chat.model_name)

        def bill(outcome: Outcome, usage: Usage, ms: int, refused: bool) -> Call:
            self.refused = refused or (self.refused and outcome not in ("ok", "rejected"))
            given_up = outcome == "failed" and not refused
            return self._counted_call(prompt_name, chat.model_name, outcome, usage, ms, given_up=given_up)

        try:
            rendered = prompt.render(variables)
        except PromptTooLongError as error:
            raise LlmFailed(str(error), bill("failed", Usage(), 0, False)) from error
        streaming = chat.model_copy(update={"disable_streaming": False, "extra_body": None})
        return streaming, rendered, prompt.header.limits.output, bill

    async def aclose(self) -> None:
        """Close the connections."""
        self.breaker.close()
        for chat in self._chats.values():
            await chat.root_async_client.close()


def _require_allowed(prompt: str, model: str) -> None:
    """Refuses where models are not allowed for this context, even to callers that hold them already."""
    if not models_allowed():
        raise LlmFailed("models may not be asked here", Call(prompt, model, "failed", Usage(), 0, None))


def _chat(base_url: str, api_key: str | None, model: str, config: LlmConfig) -> "ChatOpenAI":
    # Imported here: it takes seconds, and a service without a model needs none of it.
    from httpx2 import Limits
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient
    from pydantic import SecretStr

    return ChatOpenAI(
        base_url=base_url,
        api_key=SecretStr(api_key or "none"),  # local servers want no key, the client insists on one
        model=model,
        temperature=config.temperature,
        max_retries=0,  # a second try would not fit into the budget
        stream_chunk_timeout=None,  # callers have limits of their own; this one loses cancellations up to Python 3.11
        disable_streaming=True,  # inside a graph that streams messages it would stream unchecked text
        use_responses_api=False,
        # As an extra: given by name, the client parses the reply itself and drops the usage of one that is cut short.
        extra_body={"response_format": {"type": "json_object"}} if config.json_mode else None,
        # The default one is shared across event loops, and lets a thousand talk at a time.
        http_async_client=DefaultAsyncHttpxClient(timeout=None, limits=Limits(max_connections=None)),
    )


def _rendered(prompt: Prompt, variables: Mapping[str, Value]) -> Rendered:
    try:
        return prompt.render(variables)
    except PromptTooLongError as error:
        raise _Failure("failed", str(error), Usage()) from error


def _parsed(text: str, schema: type[Schema], context: JsonObject | None, usage: Usage) -> Schema:
    try:
        return parse(text, schema, context)
    except MalformedError as error:
        raise _Failure("rejected", str(error), usage) from error


def _usage(message: AIMessage, rendered: Rendered) -> Usage:
    if counted := message.usage_metadata:
        return Usage(counted["input_tokens"], counted["output_tokens"])
    return Usage(rendered.tokens, estimate_tokens(str(message.text)), estimated=True)


def reason(error: Exception) -> str:
    """A failure for the log. Not its message: it may quote the request, a child's data, or part of the key."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__} {status}" if status else type(error).__name__

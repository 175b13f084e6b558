"""What the service answers to clients of OpenAI's chat completions, for the documentation and for tests."""

from typing import Literal

from maththera.api.answers import Answer


class CompletionMessage(Answer):
    role: Literal["assistant"]
    content: str
    refusal: None


class CompletionChoice(Answer):
    index: Literal[0]
    message: CompletionMessage
    logprobs: None
    finish_reason: Literal["stop"]


class CompletionUsage(Answer):
    """Estimates."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(Answer):
    """`created`: seconds since 1970."""

    object: Literal["chat.completion"]
    id: str
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: CompletionUsage


class ChatModel(Answer):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ChatModels(Answer):
    object: Literal["list"]
    data: list[ChatModel]


class ClientError(Answer):
    """`param`: the first field that is at fault."""

    message: str
    type: Literal["invalid_request_error", "server_error"]
    param: str | None
    code: str


class ClientErrors(Answer):
    error: ClientError

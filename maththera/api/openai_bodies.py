"""What a client of OpenAI's chat completions sends, as far as it changes the answer here."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.api.client_turns import ClientMessage


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class StreamOptions(_Lenient):
    include_usage: bool = False


class Metadata(_Lenient):
    """Our fields of `metadata`."""

    student_id: str | None = Field(None, description="Whom it is about, before `user`.")
    thread_id: Annotated[str, Field(min_length=1, max_length=256)] | None = Field(
        None, description="The conversation, which is then kept as one. Also as the header X-Thread-Id."
    )
    difficulty: Annotated[str, Field(max_length=32)] | None = Field(None, description="As in `POST /api/v1/chat`.")


class ChatCompletionBody(_Lenient):
    """`POST /v1/chat/completions`. Sampling, tools and formats are let be: what is said is not one model's to say."""

    model: str = Field(description="maththera-coach or maththera-assistant")
    messages: list[ClientMessage] = Field(min_length=1, description="The last one is what the user says.")
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None
    user: str | None = Field(None, description="A student's id. Default: whom the token stands for.")
    metadata: Metadata | None = None


ALL: Final = (ChatCompletionBody,)

chat_completion: Final = TypeAdapter[ChatCompletionBody](ChatCompletionBody)

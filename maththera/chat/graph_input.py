"""What the graph of the chat takes from people (Studio, flows): a message, or the messages of a chat window."""

from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from maththera.chat.state import ChatState, Utterance, WindowMessage
from maththera.runtime.graph_input import GraphInput
from maththera.store.conversations import Profile

Text = Annotated[str, Field(min_length=1, max_length=4_000)]


_ROLES: Final[dict[str, Literal["user", "assistant"]]] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant",
}  # fmt: skip


class TextPart(BaseModel):
    """A piece of a message; pictures and files are refused."""

    type: Literal["text"]
    text: str


class Message(BaseModel):
    """As LangChain (`type`) and the chat completions protocol (`role`) write it, with whatever they put beside it."""

    model_config = ConfigDict(extra="allow")

    role: Literal["user", "human", "assistant", "ai"] | None = None
    type: Literal["user", "human", "assistant", "ai"] | None = None
    content: str | list[TextPart]

    @model_validator(mode="after")
    def _has_sender(self) -> Self:
        if self.role is None and self.type is None:
            raise ValueError("needs a role: user or assistant")
        return self

    @property
    def as_utterance(self) -> Utterance:
        text = self.content if isinstance(self.content, str) else "\n".join(part.text for part in self.content)
        return Utterance(role=_ROLES[self.role or self.type or ""], text=text)


class ChatInput(GraphInput):
    """The next message of the conversation on this thread, about no learner: `message`, or `messages` that end with
    one of the user's. Messages before it replace what the thread has of the conversation."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "받아올림이 뭐야?"}]})
    one_of = ("message", "messages")

    message: Text | None = None
    messages: list[Message] | None = None
    profile: Profile = Field("coach", description="coach: for learners. assistant: for adults.")
    difficulty: Annotated[str, Field(max_length=32)] | None = Field(
        None, description="Of the assistant: easy, hard, or anything else for what lies between."
    )

    @model_validator(mode="after")
    def _one_message(self) -> Self:
        if (self.message is None) == (self.messages is None):
            raise ValueError("needs either message (a text) or messages (a list)")
        if self.messages is not None:
            last = self.messages[-1].as_utterance if self.messages else None
            if last is None or last["role"] != "user" or not last["text"].strip():
                raise ValueError('messages: the last one must be the user\'s: {"role": "user", "content": "…"}')
        return self


def initial_state(wanted: ChatInput) -> ChatState:
    """The state at the start of the turn; the conversation of the thread stays."""
    state: ChatState = {"profile": wanted.profile, "difficulty": wanted.difficulty, "student_id": None}
    if wanted.message is not None:
        return {**state, "message": wanted.message}
    *earlier, last = (message.as_utterance for message in wanted.messages or ())
    if earlier:
        state["history"] = earlier
    return {**state, "message": last["text"], "messages": [WindowMessage(role="user", content=last["text"])]}

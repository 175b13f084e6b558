"""What clients send to the chat."""

import unicodedata
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from maththera.api.schemas import StudentId
from maththera.learners.conversations import Profile
from maththera.tutoring.events import Strict

LONGEST_MESSAGE: Final = 4_000  # characters


def _words(text: str) -> str:
    """The message as it is kept: composed, without what no screen or database can take."""
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        raise ValueError("must not be empty")
    if any(not sign.isprintable() and sign not in "\n\r\t" and unicodedata.category(sign) in _UNFIT for sign in text):
        raise ValueError("must be text, without control characters")
    return text


_UNFIT: Final = frozenset({"Cc", "Cs", "Cn"})  # control characters, lone surrogates, what is no character at all

Message = Annotated[str, Field(min_length=1, max_length=LONGEST_MESSAGE), AfterValidator(_words)]
ThreadId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class ChatBody(Strict):
    """`POST /api/v1/chat`."""

    message: Message = Field(description=f"1 to {LONGEST_MESSAGE} characters.")
    profile: Profile = Field("coach", description="coach: about one's own learning. assistant: for adults.")
    thread_id: ThreadId | None = Field(None, description="Goes on with a conversation, or begins one of this id.")
    student_id: StudentId | None = Field(None, description="Whom it is about. Default: whom the token stands for.")
    difficulty: Annotated[str, Field(max_length=32)] | None = Field(
        None, description="Of the assistant: easy, hard, or anything else for what lies between. Default: easy."
    )
    on_conflict: Literal["refuse", "interrupt"] = Field(
        "refuse", description="What becomes of a turn that this conversation has under way."
    )
    resumable: bool = Field(
        default=False,
        description="The turn asks its models to the end even when nobody is connected. Otherwise the last reader who "
        "leaves ends that, and the turn finishes from the rules. Coming back to a run's events counts as asking, too.",
    )


class CoachBody(Strict):
    """`POST /api/core/ai-coach/chat/`."""

    message: Message
    thread_id: ThreadId | None = None
    student_id: StudentId | None = None


ALL: Final = (ChatBody, CoachBody)

chat: Final = TypeAdapter[ChatBody](ChatBody)
coach: Final = TypeAdapter[CoachBody](CoachBody)

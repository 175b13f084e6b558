"""What an AG-UI client sends: `RunAgentInput` of the protocol, of which the rest is the client's own."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from maththera.api.client_turns import ClientMessage
from maththera.learners.conversations import Profile

Name = Annotated[str, Field(min_length=1, max_length=256)]


class ForwardedProps(BaseModel):
    """Our fields of `forwardedProps`; as in `POST /api/v1/chat`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    profile: Profile = "coach"
    student_id: str | None = None
    difficulty: Annotated[str, Field(max_length=32)] | None = None


class RunAgentInput(BaseModel):
    """`state`, `tools`, `context` and whatever else comes along are let be."""

    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_camel)

    thread_id: Name = Field(description="The conversation. Known here, what was said in it is known, too.")
    run_id: Name
    messages: list[ClientMessage] = Field(min_length=1, description="The last one is what the user says.")
    forwarded_props: ForwardedProps | None = None


ALL: Final = (RunAgentInput,)

run_agent_input: Final = TypeAdapter[RunAgentInput](RunAgentInput)

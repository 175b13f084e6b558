"""A text on numbers that the coach says by its key."""

from dataclasses import dataclass, field

from maththera.chat.coach.drafts import NumberTopic


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A text of the coach by its key, with its values. `topic`: what a short question after it is about."""

    key: str
    slots: dict[str, object] = field(default_factory=dict)
    topic: NumberTopic | None = None

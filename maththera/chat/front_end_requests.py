"""What chat front ends send beside a person's words: the whole conversation each time, and requests of their own.

A front end that keeps conversations itself repeats all of one with every question. What it repeats passes the guard
again: a turn that was blocked must not come back as context. And it asks for titles, tags and the like, which are
answered here, by rules, and leave no trace.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator

from maththera.chat.config import ChatConfig
from maththera.chat.messages import conversation_history
from maththera.chat.messages.answer_levels import Levels
from maththera.chat.state import Utterance
from maththera.config_files import ConfigFile
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Profile
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.input_filter.filter_words import Housekeeping

Role: TypeAlias = Literal["user", "assistant", "system"]
Text: TypeAlias = Annotated[str, StringConstraints(min_length=1)]

_QUOTED: Final = ("<chat_history>", "</chat_history>")
_SPOKEN: Final = re.compile(r"^\W{0,4}(?:user|human|사용자) ?: ?(.+)$", re.IGNORECASE | re.MULTILINE)
_WANTS_JSON: Final = re.compile(r"json|\{ ?[\"']", re.IGNORECASE)
_LISTS: Final[frozenset[Housekeeping]] = frozenset({"tags", "follow_ups", "queries", "tools"})
# Characters that are looked at, so that no message costs more than a few milliseconds: of a request with the
# conversation that it quotes, of what was said earlier (more is beyond the budget of a conversation), of a title's
# question; and how many questions a title is looked for in.
_LONGEST_REQUEST: Final = 24_000
_LONGEST_EARLIER: Final = 8_000
_LONGEST_LINE: Final = 200
_MOST_LINES: Final = 5


class FrontEndConfig(BaseModel):
    """`configs/chat/front_ends.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    untitled: Text
    title_characters: int = Field(gt=0)
    most_tags: int = Field(gt=0)
    untagged: list[Text]
    tags: dict[Text, re.Pattern[str]]
    follow_ups: dict[Profile, list[Text]]
    keys: dict[Housekeeping, Text]

    @field_validator("follow_ups")
    @classmethod
    def _for_both(cls, found: dict[Profile, list[Text]]) -> dict[Profile, list[Text]]:
        if len(found) < 2:
            raise ValueError("coach and assistant are both needed")
        return found


@dataclass(frozen=True, slots=True)
class FrontEndMessage:
    """One message of a front end's conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class FrontEnds:
    config: FrontEndConfig
    chat: ChatConfig
    door: MessageAnalyser
    levels: Levels

    @classmethod
    def load(cls, home: Path, chat: ChatConfig, door: MessageAnalyser, levels: Levels) -> "FrontEnds":
        """ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "front_ends.yaml")
        return cls(document.parse(TypeAdapter(FrontEndConfig)), chat, door, levels)

    def profiles(self, who: Principal) -> list[Profile]:
        """The profiles that this caller may use."""
        return [profile for profile, roles in self.chat.profiles.items() if who.role in roles]

    def earlier_messages(self, said: Sequence[FrontEndMessage], profile: Profile) -> tuple[Utterance, ...]:
        """What was said before the last question: answered questions within the budget of the conversation, without
        the turns that the guard stops, that tell of danger or are private."""
        pairs = list(_answered_pairs(said[:-1]))
        kept = conversation_history.split_by_budget([one for pair in pairs for one in pair], self.chat.history)[1]
        turns = zip(kept[::2], kept[1::2], strict=True)
        return tuple(one for turn in turns if not self._is_blocked(turn, profile) for one in turn)

    def answer(self, said: Sequence[FrontEndMessage], profile: Profile) -> str | None:
        """The answer to a front end's own request; None for the words of a person."""
        request = self._request(said)
        if request is None:
            return None
        kind, prompt = request
        value = self._value(kind, _person_lines(said, prompt), profile)
        key = self.config.keys.get(kind)
        if key and _WANTS_JSON.search(prompt):
            return orjson.dumps({key: value}).decode()
        return value if isinstance(value, str) else "\n".join(value)

    def _request(self, said: Sequence[FrontEndMessage]) -> tuple[Housekeeping, str] | None:
        """The kind of request, and its words: the last message's, or those of instructions for a single message."""
        alone = [one.role for one in said if one.role != "system"] == ["user"]
        for one in (said[-1], *(each for each in said if alone and each.role == "system")):
            words = one.text[:_LONGEST_REQUEST]
            if kind := self.door.guard.housekeeping(words):
                return kind, words
        return None

    def _value(self, kind: Housekeeping, spoken: list[str], profile: Profile) -> str | list[str]:
        if kind == "title":
            return self._title(spoken, profile)
        if kind == "tags":
            return self._tags(spoken)
        if kind == "follow_ups":
            return list(self.config.follow_ups[profile])
        return [] if kind in _LISTS else ""

    def _title(self, spoken: Sequence[str], profile: Profile) -> str:
        for text in spoken[:_MOST_LINES]:
            line = " ".join(text[:_LONGEST_LINE].split())
            if line and self._may_be_kept(line, profile):
                most = self.config.title_characters
                return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + "…"
        return self.config.untitled

    def _tags(self, spoken: Iterable[str]) -> list[str]:
        text = "\n".join(spoken)[:_LONGEST_REQUEST]
        found = [tag for tag, pattern in self.config.tags.items() if pattern.search(text)]
        return found[: self.config.most_tags] or self.config.untagged

    def _is_blocked(self, turn: Sequence[Utterance], profile: Profile) -> bool:
        question, answer = (one["text"] for one in turn)
        return not self._may_be_kept(question, profile) or self.door.guard.looks_like_instructions(answer)

    def _may_be_kept(self, text: str, profile: Profile) -> bool:
        """Neither stopped by the guard, nor of danger, nor, of a child, private."""
        reading = self.door.read(text)
        if reading.danger or (reading.private and profile == "coach"):
            return False
        return not self.door.guard.blocks(reading.verdict, profile)


def _answered_pairs(said: Iterable[FrontEndMessage]) -> Iterator[tuple[Utterance, Utterance]]:
    """Questions with their answers, of which a front end may show several; unanswered questions are left out."""
    question, answer = "", ""
    for one in (*said, FrontEndMessage("user", "")):
        if one.role == "assistant":
            answer = f"{answer}\n\n{one.text}" if answer else one.text
            answer = answer[:_LONGEST_EARLIER]
        elif one.role == "user":
            if question and answer:
                yield Utterance(role="user", text=question), Utterance(role="assistant", text=answer)
            question, answer = one.text[:_LONGEST_EARLIER], ""


def _person_lines(said: Sequence[FrontEndMessage], prompt: str) -> list[str]:
    """What the person said, as far as a request shows it: in its own words, or as the messages before it."""
    before = [one.text[:_LONGEST_REQUEST] for one in said if one.role == "user" and not one.text.startswith(prompt)]
    quoted = prompt.partition(_QUOTED[0])[2].partition(_QUOTED[1])[0]
    for text in (quoted or prompt, *before[:_MOST_LINES]):
        if found := _SPOKEN.findall(text):
            return [line.strip("\"' ") for line in found]
    return before

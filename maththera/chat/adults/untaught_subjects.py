"""What adults ask for that no problem of the service has (`configs/chat/adults/outside.yaml`): declined by name."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.coach.text_templates import fill_template
from maththera.config_files import ConfigFile

_FURTHER: Final = 30
"""Letters of a message that goes on with what was declined."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Subject(_Strict):
    words: re.Pattern[str]
    name: str


class UntaughtTexts(_Strict):
    not_here: str
    not_made: str
    no_record: str
    not_taught: str
    offered: str
    instead: str
    offer: str
    why: str
    to_child: str
    partly: str


class UntaughtSubjects(_Strict):
    """The file, checked. See its head."""

    subjects: Mapping[str, Subject]
    partly: Mapping[str, Subject]
    inside: re.Pattern[str]
    rest: re.Pattern[str]
    not_inside: re.Pattern[str]
    elsewhere: re.Pattern[str]
    made: re.Pattern[str]
    offered: re.Pattern[str]
    recorded: re.Pattern[str]
    taught: re.Pattern[str]
    written: frozenset[str]
    why: re.Pattern[str]
    to_child: re.Pattern[str]
    named_only: re.Pattern[str]
    texts: UntaughtTexts

    @classmethod
    def load(cls, home: Path) -> "UntaughtSubjects":
        """ConfigError names every fault."""
        return ConfigFile.read(home / "configs" / "chat" / "adults" / "outside.yaml").parse(TypeAdapter(cls))

    def declined(self, message: str, *, makes: bool) -> tuple[str, str] | None:
        """The subject that a message wants something of which is not there, and what is said; None for another.
        `makes`: it wants problems."""
        if self.elsewhere.search(message):
            return None
        if (found := self._named(message)) is None:
            return self._partly(message, makes=makes)
        subject, name = found
        made, taught = makes or self.made.search(message), self.taught.search(message)
        recorded, offered = self.recorded.search(message), self.offered.search(message)
        if taught and not makes and subject in self.written:
            return None
        if not (made or taught or recorded or offered):
            return None
        texts = self.texts
        then = (
            texts.no_record
            if recorded and not makes
            else texts.not_made
            if made
            else texts.not_taught
            if taught
            else ""
        )
        offer = texts.offer if made else ""
        return subject, fill_template(" ".join(filter(None, [texts.not_here, then, texts.instead, offer])), name=name)

    def offered_here(self, message: str) -> str:
        """What is said to a message that asks whether there is something that there is; "" for another."""
        asked = self.inside.search(message) and not self.not_inside.search(message)
        return fill_template(self.texts.offered, instead=self.texts.instead) if asked else ""

    def another(self, message: str) -> tuple[str, str] | None:
        """The subject that a message names in few words after another was spoken of ("시계 보기는요?"), and what is
        said; None for another message."""
        found = self._named(message) if self.named_only.search(message) else None
        if found is None:
            return None
        return found[0], fill_template(f"{self.texts.not_here} {self.texts.instead}", name=found[1])

    def further(self, message: str, subject: str) -> str:
        """What is said to more that is asked of a subject that was declined; "" for another message."""
        if len(message) > _FURTHER or subject not in self.subjects:
            return ""
        if self.rest.search(message):
            return self.texts.instead
        text = self.texts.to_child if self.to_child.search(message) else self.texts.why
        known = self.to_child.search(message) or self.why.search(message)
        return fill_template(text, name=self.subjects[subject].name) if known else ""

    def _named(self, message: str) -> tuple[str, str] | None:
        named = ((key, one.name) for key, one in self.subjects.items() if one.words.search(message))
        return next(named, None)

    def _partly(self, message: str, *, makes: bool) -> tuple[str, str] | None:
        asked = self.offered.search(message) or self.recorded.search(message)
        if makes or not asked or self.taught.search(message):
            return None
        name = next(((key, one.name) for key, one in self.partly.items() if one.words.search(message)), None)
        return (name[0], fill_template(self.texts.partly, name=name[1])) if name else None

"""What a message means that goes on with an answer and names no subject of its own: `subjects.yaml`."""

import re
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.chat.records.record_question import Wish
from maththera.config_files import ConfigError, ConfigFile

EVIDENCE, DO, BETTER, OWN, SERIOUS, COMMON = "evidence", "do", "better", "own", "serious", "common"
"""Kinds: what an answer rests on, what to do, whether that helps, whether a child has it, how serious it is, how
common."""
SHORTER, ONE, AS_TABLE = "shorter", "one", "as_table"
"""Kinds: the answer before in short, one thing of it, or it as a table."""
HOME, WHY, FIRST = "home", "why", "first"
"""Kinds: what to do at home, why something is so, and who or what comes first."""
SHOWN: Final = ("example", "things", "to_child", "play")
"""Kinds that show the same in another way; where one was just told, the next is."""
NO_RECORDS: Final = "no_records"
FEW_MISTAKES: Final = "few_mistakes"
RIGHT: Final = "right"
MISTAKES: Final = "mistakes"
TIME: Final = "time"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Text(_Strict):
    """An answer: what is said, and what it rests on. `advice`: it says so where it rests on no study."""

    text: str
    sources: tuple[str, ...] = ()
    advice: bool = True


class Kind(_Strict):
    """See the head of the file."""

    words: re.Pattern[str]
    alone: bool = False
    counted: re.Pattern[str] | None = None
    records: Wish | None = None
    instead: Wish | None = None


class Subject(_Strict):
    """See the head of the file."""

    called: str
    words: re.Pattern[str] | None = None
    answers: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    then: dict[str, str] = Field(min_length=1)


class Subjects(_Strict):
    """The file, checked. `default`: `any`."""

    kinds: dict[str, Kind]
    beside: frozenset[str]
    default: dict[str, str] = Field(alias="any")
    subjects: dict[str, Subject]
    texts: dict[str, Text]
    near: str
    near_records: str
    told: str
    asks: str

    @classmethod
    def load(cls, home: Path, answers: frozenset[str]) -> "Subjects":
        """`answers`: the names of those that are written. ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "assistant" / "subjects.yaml")
        file = document.parse(TypeAdapter(cls))
        answers |= file.texts.keys()
        missing = {
            EVIDENCE,
            DO,
            BETTER,
            OWN,
            SERIOUS,
            COMMON,
            SHORTER,
            ONE,
            AS_TABLE,
            HOME,
            WHY,
            FIRST,
            *SHOWN,
        } - file.kinds.keys() | {
            NO_RECORDS,
            FEW_MISTAKES,
            RIGHT,
            MISTAKES,
            TIME,
        } - file.subjects.keys()
        faults = [document.fault((), f"{each} is missing") for each in sorted(missing)]
        for name, subject in file.subjects.items():
            unknown = [*({*subject.answers, *subject.then.values()} - answers), *(subject.then.keys() - file.kinds)]
            faults += [document.fault(("subjects", name), f"{each} is no answer or kind") for each in sorted(unknown)]
        unknown = [*(set(file.default.values()) - answers), *(file.default.keys() - file.kinds)]
        faults += [document.fault(("any",), f"{each} is no answer or kind") for each in sorted(unknown)]
        if faults:
            raise ConfigError("\n".join(faults))
        return file

    def kind(self, text: str) -> tuple[str, bool]:
        """What a message, without spaces and signs, asks, "" for nothing known; and whether it may ask for figures."""
        name = next((name for name, kind in self.kinds.items() if kind.words.search(text)), "")
        counted = self.kinds[name].counted if name else None
        return name, counted is not None and counted.search(text) is not None

    def of_answer(self, answer: str) -> str:
        """The subject of an answer; "" for none, as of a part that several have."""
        told = [name for name, one in self.subjects.items() if answer in one.answers]
        of_things = {name: one for name, one in self.subjects.items() if name not in (NO_RECORDS, RIGHT, TIME)}
        told = told or [name for name, one in of_things.items() if answer in one.then.values()]
        return told[0] if len(told) == 1 else ""

    def named(self, message: str) -> str:
        """The subject that a message names; "" for none."""
        words = ((name, one.words) for name, one in self.subjects.items())
        return next((name for name, pattern in words if pattern is not None and pattern.search(message)), "")

    def of_records(self, answered: int, wrong: int, tag: str) -> str:
        """The subject of so many answers, with the commonest cause of the wrong ones ("" for none)."""
        if not answered or not wrong:
            return RIGHT if answered else NO_RECORDS
        parts = ((name, part) for name, one in self.subjects.items() for part in one.causes)
        return next((name for name, part in parts if part in tag), MISTAKES)

    def records(self, answer: str) -> Wish | None:
        """Which figures of the child's records stand before this answer; None for none."""
        told = [self.default, *(one.then for one in self.subjects.values())]
        kinds = (self.kinds[kind] for then in told for kind, name in then.items() if name == answer)
        return next((kind.records for kind in kinds if kind.records), None)

    def answer(self, subject: str, kind: str) -> str:
        """The answer to what is asked of a subject; "" where none is written."""
        spoken = subject or self.kinds[kind].alone
        return self.own_answer(subject, kind) or (self.default.get(kind, "") if spoken else "")

    def is_of_errors(self, subject: str) -> bool:
        """Whether records speak of a subject by the causes of mistakes: a child makes them or does not."""
        return bool(subject) and bool(self.subjects[subject].causes)

    def own_answer(self, subject: str, kind: str) -> str:
        """The answer that a subject has itself; "" for none."""
        return self.subjects[subject].then.get(kind, "") if subject else ""

    def shown_otherwise(self, subject: str, told: str) -> str:
        """The answer that shows a subject in another way than the one that was told; "" for none."""
        others = (self.own_answer(subject, kind) for kind in SHOWN)
        return next((name for name in others if name and name != told), "")

    def only_behind(self, subject: str, kind: str) -> str:
        """The answer to what is asked that nothing else leads to; "" for none. Of a kind that stands alone, any."""
        answer = self.answer(subject, kind)
        return answer if answer in self.texts or self.kinds[kind].alone else ""

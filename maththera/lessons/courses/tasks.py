"""The tasks of a question that asks for an explanation: forms that are judged exactly. Each has gaps, and for every gap
options of which one is right; a number has one gap and no options, and a text to write is judged by what it has.

An answer is a place (from 0) for every gap, the number itself, or 1 and 0 for what a text has and has not.
"""

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from maththera.config_files import ConfigModel, Text
from maththera.json_types import JsonObject

FormName = Literal["number", "reason", "cloze", "order", "match", "writing"]
Answer = tuple[int, ...]

CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
LETTERS: Final = "가나다라마바사"


class Option(ConfigModel):
    """`why`: said to a learner who took it; the right one needs none."""

    text: Text
    key: bool = False
    why: str = ""


Options = Annotated[tuple[Option, ...], Field(min_length=2, max_length=5)]


class Number(ConfigModel):
    """A number to write. `wrong`: what a number that learners often write shows; `otherwise`: said to any other one."""

    form: Literal["number"]
    key: Annotated[int, Field(ge=0)]
    wrong: dict[int, Text]
    otherwise: Text

    letters: ClassVar[bool] = False

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return ()

    @property
    def right(self) -> Answer:
        return (self.key,)

    def option_reasons(self, answer: Answer) -> list[str]:
        return [self.wrong.get(answer[0], self.otherwise)]

    def shown(self) -> str:
        return ""

    def offered(self) -> JsonObject:
        return {}


class Reason(ConfigModel):
    """One option to pick out of several."""

    form: Literal["reason"]
    choices: Options

    letters: ClassVar[bool] = False

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return (_texts(self.choices),)

    @property
    def right(self) -> Answer:
        return (_key(self.choices),)

    def option_reasons(self, answer: Answer) -> list[str]:
        return [self.choices[answer[0]].why]

    def shown(self) -> str:
        return _listed(CIRCLED, self.options[0])

    def offered(self) -> JsonObject:
        return {"choices": list(self.options[0])}


class Cloze(ConfigModel):
    """A text with gaps (1), (2) … and what may stand in each."""

    form: Literal["cloze"]
    text: Text
    gaps: Annotated[tuple[Options, ...], Field(min_length=1, max_length=4)]

    letters: ClassVar[bool] = True

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return tuple(map(_texts, self.gaps))

    @property
    def right(self) -> Answer:
        return tuple(map(_key, self.gaps))

    def option_reasons(self, answer: Answer) -> list[str]:
        return [gap[place].why for gap, place in zip(self.gaps, answer, strict=True) if not gap[place].key]

    def shown(self) -> str:
        gaps = (f"({number}) {_row(texts)}" for number, texts in enumerate(self.options, start=1))
        return "\n".join([self.text, *gaps])

    def offered(self) -> JsonObject:
        return {"text": self.text, "gaps": [list(each) for each in self.options]}


class Order(ConfigModel):
    """Steps to put in order: `steps` as they are shown, `order` their numbers in the right order. `why`: said to every
    other order."""

    form: Literal["order"]
    steps: Annotated[tuple[Text, ...], Field(min_length=3, max_length=5)]
    order: tuple[int, ...]
    why: Text

    letters: ClassVar[bool] = False

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return (self.steps,) * len(self.steps)

    @property
    def right(self) -> Answer:
        return tuple(number - 1 for number in self.order)

    def option_reasons(self, answer: Answer) -> list[str]:
        return [] if answer == self.right else [self.why]

    def shown(self) -> str:
        return _listed(CIRCLED, self.steps)

    def offered(self) -> JsonObject:
        return {"steps": list(self.steps)}


class Pair(ConfigModel):
    """`fits`: the number of what belongs to `left`; `why`: said where something else is put to it."""

    left: Text
    fits: Annotated[int, Field(ge=1)]
    why: Text


class Match(ConfigModel):
    """Each on the left belongs to one on the right; some on the right may belong to none."""

    form: Literal["match"]
    pairs: Annotated[tuple[Pair, ...], Field(min_length=2, max_length=4)]
    right_side: Annotated[tuple[Text, ...], Field(min_length=2, max_length=5)]

    letters: ClassVar[bool] = True

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return (self.right_side,) * len(self.pairs)

    @property
    def right(self) -> Answer:
        return tuple(pair.fits - 1 for pair in self.pairs)

    def option_reasons(self, answer: Answer) -> list[str]:
        return [pair.why for pair, place in zip(self.pairs, answer, strict=True) if place != pair.fits - 1]

    def shown(self) -> str:
        left = "\n".join(f"{number}. {pair.left}" for number, pair in enumerate(self.pairs, start=1))
        return f"{left}\n{_listed([f'{letter}.' for letter in LETTERS], self.right_side)}"

    def offered(self) -> JsonObject:
        return {"left": [pair.left for pair in self.pairs], "right": list(self.right_side)}


class Demand(ConfigModel):
    """One thing that a written text has to have. `words`: regular expressions of which one stands in it; `why`: said
    where none does."""

    name: Text
    words: Annotated[tuple[Text, ...], Field(min_length=1)]
    why: Text


class Writing(ConfigModel):
    """A text to write, such as a prompt, that is judged by what it has. `model`: one that has all of it."""

    form: Literal["writing"]
    demands: Annotated[tuple[Demand, ...], Field(min_length=2, max_length=5)]
    model: Text

    letters: ClassVar[bool] = False

    @property
    def options(self) -> tuple[tuple[str, ...], ...]:
        return ()

    @property
    def right(self) -> Answer:
        return (1,) * len(self.demands)

    def option_reasons(self, answer: Answer) -> list[str]:
        return [demand.why for demand, met in zip(self.demands, answer, strict=True) if not met]

    def shown(self) -> str:
        return ""

    def offered(self) -> JsonObject:
        return {}

    def judged(self, text: str) -> Answer:
        """1 for each demand that the text meets, 0 for each other one."""
        return tuple(int(any(re.search(word, text) for word in demand.words)) for demand in self.demands)


Task = Annotated[Number | Reason | Cloze | Order | Match | Writing, Field(discriminator="form")]


def score_of_task(task: Task, answer: Answer) -> int:
    """0..100: the share of the gaps that are filled rightly."""
    hits = sum(given == wanted for given, wanted in zip(answer, task.right, strict=True))
    return round(100 * hits / len(task.right))


def key_texts(task: Task) -> tuple[str, ...]:
    """What is right, gap by gap, as texts."""
    if isinstance(task, Writing):
        return (task.model,)
    if not task.options:
        return tuple(map(str, task.right))
    return tuple(texts[place] for texts, place in zip(task.options, task.right, strict=True))


def solution(task: Task) -> str:
    """What is right as one text."""
    match task:
        case Order():
            return " → ".join(key_texts(task))
        case Match():
            return ", ".join(f"{pair.left} – {text}" for pair, text in zip(task.pairs, key_texts(task), strict=True))
        case Cloze():
            filled = task.text
            for number, text in enumerate(key_texts(task), start=1):
                filled = filled.replace(f"({number})", text)
            return filled
    return key_texts(task)[0]


def gaps_of(text: str) -> list[int]:
    """The numbers of the gaps that a cloze text has, in their order."""
    return [int(number) for number in re.findall(r"\((\d)\)", text)]


def _texts(options: Sequence[Option]) -> tuple[str, ...]:
    return tuple(option.text for option in options)


def _key(options: Sequence[Option]) -> int:
    """The place of the right option, which the course checker guarantees; -1 without one."""
    return next((place for place, option in enumerate(options) if option.key), -1)


def _listed(signs: Sequence[str], texts: Sequence[str]) -> str:
    return "\n".join(f"{sign} {text}" for sign, text in zip(signs, texts, strict=False))


def _row(texts: Sequence[str]) -> str:
    return "  ".join(f"{letter}. {text}" for letter, text in zip(LETTERS, texts, strict=False))

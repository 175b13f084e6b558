"""What is told, felt or asked of the coach itself: found by the words of a message and by what the message does."""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from maththera.chat.coach.intent_registry import refuse_unknown_intents
from maththera.config_files import ConfigFile
from maththera.korean.morphemes import morphemes

Act: TypeAlias = Literal["why", "how", "what", "amount", "whether", "wish", "plan", "part", "tell"]
"""What a message does: it asks for a reason, a way, a thing, a number, a yes or no; wishes for something; says what its
writer is about to do; is a part of a sentence; or tells."""
_ACTS: Final[tuple[tuple[Act, re.Pattern[str]], ...]] = (
    ("why", re.compile(r"왜(?!냐)|어째서|무슨이유|뭐하러|뭐땜")),
    ("amount", re.compile(r"몇(?!번째)|얼마(?!안)")),
    (
        "how",
        re.compile(
            r"어떻[게할]|어케|어떡|어떤식|(?:방법|푸는법).{0,3}(?:알려|가르쳐|말해|몰라|모르|뭐)|(?:뭐|어디)부터"
        ),
    ),
    ("what", re.compile(r"뭐|뭘|뭔|무엇|무슨|누가|누구|언제|어디|어느|어떤|어떰|어때|(?<![가-힣])머[야하해]")),
    (
        "wish",
        re.compile(
            r"줘|주세요|줄래|[풀갈먹]래|줄수|주라|달라|주실|보자|하자|할래|싶어|싶다|싶은데|내봐|해봐|ㄱㄱ|제발|부탁"
        ),
    ),
    ("plan", re.compile(r"(?:[볼할올갈풀쓸릴날출]게|[할볼갈올풀놀]거[야다]?|해야지|하려고)(?:요)?[!.~ㅋㅎㅠ]*$")),
    (
        "whether",
        re.compile(r"\?|(?:나요|가요|까요?|니|냐|느냐|을까|지요|죠|인가|은가|는가|돼|되나)[.!~ㅋㅎㅠ]*$"),
    ),
    (
        "part",
        re.compile(
            r"(?:만|좀|더|거|것|말고|[은는도]요|[은는도]|로|또|라도|개|번째?|빼고|부터|정답률|비교|정리|현황)"
            r"[.!~ㅋㅎㅠ]*$"
        ),
    ),
)
_PRONOUNS: Final = frozenset("너넌널나난")
"""Letters that are a word of their own, not the beginning of another: 너무, 나왔어."""
_DENIALS: Final = frozenset("안못")
_ENDS: Final = "?!.,~^ㅋㅎㅠㅜㄷ…"
_LETTER: Final = 0.2
_CLASS_ALONE: Final = 0.6


class TalkEntry(BaseModel):
    """See the comments of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intent: str
    words: Annotated[str, Field(min_length=1)]
    acts: tuple[Act, ...] = ()
    opens: bool = False
    records: bool = False
    clear: bool = False
    child: tuple[str, ...] = ()
    adult: tuple[str, ...] = ()


class FoundTalk(NamedTuple):
    """`weight`: as that of a cue; `noun`: the word of a class that was found."""

    name: str
    weight: float
    noun: str


class TalkBook(BaseModel):
    """`configs/chat/coach/talk.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    classes: Mapping[str, tuple[str, ...]] = {}
    generic: frozenset[str] = frozenset()
    talk: Mapping[str, TalkEntry] = {}

    @model_validator(mode="after")
    def _names_only_its_classes(self) -> "TalkBook":
        named = {word[1:] for ways in self._ways.values() for way, _ in ways for word in way if word[0] == "@"}
        if strange := named - {*self.classes}:
            raise ValueError(f"no such class of words: {', '.join(sorted(strange))}")
        return self

    @classmethod
    def load(cls, home: Path) -> "TalkBook":
        """ConfigError names every field that does not fit."""
        document = ConfigFile.read(home / "configs" / "chat" / "coach" / "talk.yaml")
        book = document.parse(TypeAdapter(cls))
        refuse_unknown_intents(home, document, "talk", {name: entry.intent for name, entry in book.talk.items()})
        return book

    def found(self, message: str, *, adult: bool = False, clear: bool = False) -> FoundTalk | None:
        """The entry whose words say most of a message, if any; of equal ones the first. `adult`: not those that say
        something to a child alone; `clear`: only those whose words are nearly always meant alike."""
        act = act_of(message)
        squeezed = _squeezed(message)
        words = "".join(f"\n{one.strip(_ENDS)}\n" for one in message[:300].casefold().split())
        best: FoundTalk | None = None
        for name, ways in self._ways.items():
            one = self.talk[name]
            acts = one.acts
            if (adult and one.child and not one.adult) or (clear and not one.clear):
                continue
            if acts and ("tell" if act == "part" else act) not in acts:
                continue
            for way, needed in ways:
                hit = self._hit(way, squeezed, words) if needed in squeezed else None
                if hit is not None and (best is None or hit[0] > best.weight):
                    best = FoundTalk(name, *hit)
        return best

    def noun(self, message: str) -> str:
        """What a message is about, to be taken up: a word of one of the classes, else its last noun that means
        something."""
        found = self.found(message)
        if found is not None and found.noun:
            return found.noun
        nouns = [one.form for one in morphemes(message[:200]) if one.tag in ("NNG", "NNP")]
        told = [one for one in nouns if one not in self.generic and len(one) > 1]
        return told[-1] if told else ""

    def _hit(self, way: tuple[str, ...], squeezed: str, words: str) -> tuple[float, str] | None:
        letters, noun, plain = 0.0, "", False
        phrase = "".join(one.lstrip("^") for one in way)
        whole = len(way) > 1 and phrase in squeezed
        if not whole and any(one in _DENIALS and one + other not in squeezed for one, other in pairwise(way)):
            return None  # what is denied stands right after
        for word in way:
            if word[0] == "!":
                if word[1:] in squeezed:
                    return None
            elif word[0] == "@":
                held = next((one for one in self.classes[word[1:]] if _stands(one, squeezed, words)), None)
                if held is None:
                    return None
                letters, noun = letters + len(held) / 2, noun or ("" if word == "@you" else held)
            elif whole or _stands(word, squeezed, words, alone=len(way) == 1):
                letters, plain = letters + len(word), True
            else:
                return None
        return (1 if plain else _CLASS_ALONE) + _LETTER * letters, noun

    @cached_property
    def _ways(self) -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
        """By entry, the ways to be found, each with letters that every message holds in which it is found."""
        split = {name: one.words.casefold().split(",") for name, one in self.talk.items()}
        ways = {name: [tuple(way.split()) for way in found] for name, found in split.items()}
        return {name: [(way, _needed(way)) for way in found] for name, found in ways.items()}


def _needed(way: tuple[str, ...]) -> str:
    """The longest word of a way that must stand as it is; "" for none."""
    return max((word.removeprefix("^") for word in way if word[0] not in "!@="), key=len, default="")


def act_of(message: str) -> Act:
    """What a message does."""
    squeezed = _squeezed(message)
    return next((act for act, pattern in _ACTS if pattern.search(squeezed)), "tell")


def _stands(word: str, squeezed: str, words: str, *, alone: bool = False) -> bool:
    """`words`: each between line ends."""
    if word[0] == "=":
        return word[1] in squeezed and {*squeezed} <= {*word[1:]}
    if word[0] == "^":
        return f"\n{word[1:]}" in words
    if len(word) > 1:
        return word in words or (word.endswith(("?", "!")) and word in squeezed)
    if word in _PRONOUNS:
        return re.search(rf"\n{word}(?:는|도|를|한테|랑|만|의)?\n", words) is not None
    return (f"\n{word}\n" if alone else f"\n{word}") in words


def _squeezed(message: str) -> str:
    return re.sub(r"\s+", "", message[:300].casefold())

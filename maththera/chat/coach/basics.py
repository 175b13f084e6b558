"""The basics of arithmetic in written entries: which of them a message names, and what of them it asks for."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter

from maththera.config_files import ConfigFile
from maththera.korean.numbers import numbers_in

Aspect = Literal["what", "why", "use", "without", "example"]
Text = Annotated[str, Field(min_length=1)]
_ASPECTS: Final[tuple[tuple[Aspect, re.Pattern[str]], ...]] = (
    ("without", re.compile(r"(?:안|못)\s*(?:하|쓰|배우|올리|빌리|외우|내리)[가-힣]{0,2}면|없(?:으면|다면)|빼먹으면")),
    ("use", re.compile(r"왜\s*(?:배|공부)|어디(?:에|다|에다)?\s*(?:써|쓰|쓸)|(?:왜|언제)\s*(?:써|쓰|쓸)|쓸모|필요")),
    ("why", re.compile(r"왜|이유|아니고|어째서|까닭|뭐\s*(?:하러|땜에)")),
    ("example", re.compile(r"예를|예시|보기|더\s*쉽게|다시|자세히|다르게|하나\s*더|모르겠|이해")),
)  # fmt: skip
_BESIDE: Final = re.compile(r"반대|사이|같은|똑같|차이|다른|달라|거꾸로|짝이|짝꿍")
"""Words that set two things side by side."""
_ORDER: Final[tuple[Aspect, ...]] = ("what", "example", "why", "use", "without")
_ASKING: Final = re.compile(
    r"뭐|뭔|머[야예지]|모[야에예]|무엇|무슨|뜻|설명|알려|가르쳐|차이|달라|다른|왜|이유|어디|필요|어떻게|까닭|하면|으면"
    r"|[은는이가]\s*\?|[은는][\s.~ㅋㅎ]*$|갚|(?:짝수|홀수)\s*(?:야|예요|지|인가|맞)"
)


class Basic(BaseModel):
    """See the comments of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    named: tuple[Text, ...]
    what: Text
    why: Text
    use: str = ""
    without: str = ""
    example: str = ""
    picture: str = ""
    beside: Mapping[str, str] = {}

    def text(self, aspect: Aspect) -> str:
        """What is said of an aspect; of one that has no words of its own, the nearest that has."""
        found: str = getattr(self, aspect)
        return found or (self.what if aspect == "example" else self.why)


class Basics(RootModel[Mapping[str, Basic]]):
    """`configs/chat/coach/basics.yaml`: all entries by name."""

    model_config = ConfigDict(frozen=True)

    @classmethod
    def load(cls, home: Path) -> "Basics":
        """ConfigError names every field that does not fit."""
        return ConfigFile.read(home / "configs" / "chat" / "coach" / "basics.yaml").parse(TypeAdapter(cls))

    def __getitem__(self, name: str) -> Basic:
        return self.root[name]

    def __contains__(self, name: object) -> bool:
        return name in self.root

    def named_in(self, message: str) -> list[str]:
        """The entries that a message names, in its order; a name within a longer one is not found."""
        said = re.sub(r"\s+", "", message.casefold()).replace("−", "-")
        found: list[tuple[int, int, str]] = []
        for name, word in self._words:
            if word not in said:
                continue
            edge = r"(?<![\d.,])" if word[0].isdecimal() else ""
            behind = r"(?![\d.,+\-x×*/÷=])" if word[-1].isdecimal() else ""
            for match in re.finditer(edge + re.escape(word) + behind, said):
                if not any(match.start() < end and start < match.end() for start, end, _ in found):
                    found.append((match.start(), match.end(), name))
        return list(dict.fromkeys(name for _, _, name in sorted(found)))

    @cached_property
    def _words(self) -> list[tuple[str, str]]:
        """The names of each entry, the longest first."""
        words = [(name, word) for name, one in self.root.items() for word in (name.replace(" ", ""), *one.named)]
        return sorted(words, key=lambda one: -len(one[1]))

    def beside(self, names: Sequence[str], before: Sequence[str], message: str) -> tuple[str, ...]:
        """Two entries that a message sets side by side, and what is said of them; empty for none. `before`: the entries
        that were explained before."""
        if not _BESIDE.search(message):
            return ()
        both = list(dict.fromkeys([*names, *reversed(before)]))[:2]
        for one, other in permutations(both, 2):
            if text := self.root[one].beside.get(other):
                return one, other, text
        return ()

    def more(self, name: str, told: list[str]) -> Aspect:
        """What was not yet told of an entry; what it is, where everything was."""
        own = self.root[name]
        return next((one for one in _ORDER if one not in told and getattr(own, one)), "what")


def aspect_of(message: str) -> Aspect:
    """What of a basic is asked for."""
    return next((aspect for aspect, pattern in _ASPECTS if pattern.search(message)), "what")


def asks_for_words(message: str) -> bool:
    """Whether a message asks to be told something, rather than to do or to count it."""
    return _ASKING.search(message) is not None


def applied(name: str, message: str) -> tuple[str, int] | None:
    """What an entry says of the one number of a message: the key of a text, and the number."""
    values = [one.value for one in numbers_in(message) if one.value is not None and not one.doubtful]
    if name not in ("짝수", "홀수") or len(values) != 1:
        return None
    return ("is_odd" if values[0] % 2 else "is_even"), values[0]

"""The glossary: terms of primary arithmetic and of dyscalculia, each explained at four levels."""

import asyncio
import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.config_files import ConfigError, ConfigFile
from maththera.json_types import JsonObject
from maththera.korean.morphemes import Morpheme, morphemes
from maththera.korean.word_lists import usual_spelling

_NOUNS: Final = frozenset({"NNG", "NNP", "NR", "SL", "SH", "XPN", "XR", "SN"})
_ALONE: Final = frozenset({"NNG", "NNP", "NR"})
"""What a term of one syllable must be, if it does not open the question: the 수 of "할 수 있다" is none."""

_LONGEST: Final = 8
"""Morphemes of the longest name."""

_MOST_TERMS: Final = 2
"""Terms explained at once: the difference between two is often asked."""

_WORDS: Final = 20
_WORD: Final = 20
"""Words of a question, and letters of a word, that are compared with every name."""

_TO_CHILD: Final = re.compile(
    r"(?:아이|애|학생|초등학생|어린이|[1-6]\s*학년)(?:들)?\s*(?:한테|에게|께|눈높이|수준|용|말로).{0,14}(?:설명|말하|말해|알려|가르쳐|이야기|얘기|뭐라|풀어)"
    r"|(?:아이|애|학생)(?:들)?(?:이|가)\s*(?:이해|알아듣)|아이\s*눈높이|쉽게\s*설명하(?:려면|는)"
)
_WORDING: Final = re.compile(r"설명(?:하는|할|해\s*줄)\s*말|뭐라고\s*설명|쉽게\s*설명")
_GOING_ON: Final = 30
"""Letters of a message that goes on with a term."""

_TYPO_LIKENESS: Final = 0.6
"""Likeness of letters from which a word may be a slip of the pen."""


class LookupArguments(BaseModel):
    """What a tool needs that looks something up."""

    question: str


class Term(BaseModel):
    """`advanced` continues `intermediate`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    term: str
    aliases: tuple[str, ...] = ()
    english: str
    related: tuple[str, ...] = ()
    elementary: str
    beginner: str
    intermediate: str
    advanced: str

    def text(self, level: LevelName) -> str:
        """The explanation at a level, with the English name where it helps to read on."""
        match level:
            case "elementary":
                return self.elementary
            case "beginner":
                return self.beginner
            case "intermediate":
                return f"{self.term}({self.english}): {self.intermediate}"
            case "advanced":
                related = f" 관련 용어: {', '.join(self.related)}." if self.related else ""
                return f"{self.term}({self.english}): {self.intermediate} {self.advanced}{related}"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    context: frozenset[str]
    terms: tuple[Term, ...]


class Glossary:
    """`configs/chat/papers/glossary.yaml`, checked."""

    def __init__(self, terms: Sequence[Term], context: frozenset[str]) -> None:
        self.terms = tuple(terms)
        self._context = context
        self._names = {
            _without_spaces(name): term for term in terms for name in (term.term, *term.aliases, term.english)
        }

    @classmethod
    def load(cls, home: Path) -> "Glossary":
        """ConfigError names every fault: a name that two terms share, a related term that is not there."""
        document = ConfigFile.read(home / "configs" / "chat" / "papers" / "glossary.yaml")
        file = document.parse(TypeAdapter(_File))
        if faults := [document.fault(("terms", place), reason) for place, reason in _faults(file.terms)]:
            raise ConfigError("\n".join(faults))
        return cls(file.terms, file.context)

    def find(self, question: str) -> tuple[Term, ...]:
        """The terms that a question names, at most two. A name within a longer unknown one does not count: the
        glossary does not know what "양자 덧셈" is."""
        question = usual_spelling(unicodedata.normalize("NFC", question))
        words = morphemes(question)
        spans = [*self._spans(question, words)]
        inside = {place for start, end, _ in spans for place in range(start, end)}
        found = [
            term
            for start, end, term in spans
            if not self._compound(words, start - 1, inside) and not self._compound(words, end, inside)
        ]
        return tuple(dict.fromkeys(found))[:_MOST_TERMS]

    def nearest(self, question: str, limit: int) -> tuple[Term, ...]:
        """Terms that share a word with the question, or look like one of its words; the nearest first."""
        words = [_without_spaces(word.form) for word in morphemes(question) if word.tag in _NOUNS - {"SN"}]
        words = [word for word in dict.fromkeys(words) if 1 < len(word) <= _WORD and word not in self._context][:_WORDS]
        scored: dict[str, float] = {}
        for name, term in self._names.items():
            score = max((_likeness(word, name) for word in words), default=0.0)
            scored[term.term] = max(score, scored.get(term.term, 0.0))
        ranked = sorted(self.terms, key=lambda term: -scored[term.term])
        return tuple(term for term in ranked[:limit] if scored[term.term] >= _TYPO_LIKENESS)

    def for_child(self, message: str, earlier: Sequence[str]) -> str:
        """How the term that a message names, or the one of the question before (in `earlier`, if it asked for one), is
        explained to a child; "" for a message that does not ask for that."""
        if not _TO_CHILD.search(message):
            return ""
        own = self.find(message) if _WORDING.search(message) else ()
        terms = own or (
            self.find(earlier[0]) if earlier and len(message) <= _GOING_ON and not self.find(message) else ()
        )
        if not terms:
            return ""
        said = "\n".join(f'"{term.elementary}"' for term in terms)
        return f"아이에게는 이렇게 말해 보세요.\n{said}\n바둑돌이나 그림으로 함께 해 보이면 더 쉽게 알아들어요."

    def tool(self) -> ChatTool:
        return ChatTool("glossary", "초등 연산과 난산증의 용어를 풀이한다.", LookupArguments, self._call)

    async def _call(self, _: Asker, asked: LookupArguments) -> JsonObject:
        terms = await asyncio.to_thread(self.find, asked.question)  # the first to need the analyser loads it
        if not terms:
            return {"answers": {}, "reason": "용어집에 없는 말입니다."}
        return {
            "terms": [{"term": term.term, "english": term.english} for term in terms],
            "answers": {level: _together(terms, level) for level in LEVEL_NAMES},
            "material": "\n".join(term.text("advanced") for term in terms),
            "sources": [{"title": f"용어집: {term.term}"} for term in terms],
        }

    def _spans(self, text: str, words: Sequence[Morpheme]) -> Iterator[tuple[int, int, Term]]:
        """From left to right the longest names, as places of their first morpheme and of the one after the last."""
        place = 0
        while place < len(words):
            for end in range(min(len(words), place + _LONGEST), place, -1):
                name = _without_spaces(text[words[place].start : words[end - 1].end])
                term = self._names.get(name)
                if term is not None and (len(name) > 1 or place == 0 or words[place].tag in _ALONE):
                    yield place, end, term
                    place = end - 1
                    break
            place += 1

    def _compound(self, words: Sequence[Morpheme], place: int, inside: set[int]) -> bool:
        """Whether the word at a place makes a longer, unknown name with its neighbour."""
        if not 0 <= place < len(words) or place in inside:
            return False
        return words[place].tag in _NOUNS and _without_spaces(words[place].form) not in self._context


def _together(terms: Sequence[Term], level: LevelName) -> str:
    """One explanation as it is; several under their names."""
    if len(terms) == 1:
        return terms[0].text(level)
    texts = (text if (text := term.text(level)).startswith(term.term) else f"{term.term}: {text}" for term in terms)
    return "\n\n".join(texts)


def _faults(terms: Sequence[Term]) -> Iterator[tuple[int, str]]:
    owners: dict[str, str] = {}
    known = {term.term for term in terms}
    for place, term in enumerate(terms):
        for name in (term.term, *term.aliases, term.english):
            owner = owners.setdefault(_without_spaces(name), term.term)
            if owner != term.term:
                yield place, f"{name} is a name of {owner} too"
        for related in term.related:
            if related not in known:
                yield place, f"related {related} is no term"


def _likeness(word: str, name: str) -> float:
    if word in name:
        return _TYPO_LIKENESS + (1 - _TYPO_LIKENESS) * len(word) / len(name)
    letters, others = unicodedata.normalize("NFD", word), unicodedata.normalize("NFD", name)
    return difflib.SequenceMatcher(None, letters, others, autojunk=False).ratio() - (1 - _TYPO_LIKENESS) / 2


def _without_spaces(text: str) -> str:
    return re.sub(r"[\s·'\"‘’“”()-]+", "", unicodedata.normalize("NFKC", text).casefold())

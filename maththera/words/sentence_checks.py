"""What a sentence that nobody here wrote must keep to before a child, or an adult, may read it."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from maththera.korean.jamo import composed
from maththera.words import markup
from maththera.words.disguises import Reading
from maththera.words.gate_words import Knowledge, Lexicon, Listed
from maththera.words.lexicon import any_of
from maththera.words.line_model import plain
from maththera.words.speech import Speech, strange_endings
from maththera.words.untrue import untrue

Reader: TypeAlias = Literal["child", "adult"]
Code: TypeAlias = (
    Listed | markup.Markup
    | Literal["unkind", "language", "answer", "key", "equation", "length", "speech", "orders", "feedback_wrong"]
)  # fmt: skip

_LATIN: Final = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_FOREIGN: Final = frozenset({"HIRAGANA", "KATAKANA", "CYRILLIC", "ARABIC", "THAI", "HEBREW", "DEVANAGARI"})
_HAN: Final = re.compile("[一-鿿]{4,}")
_HANGUL: Final = re.compile("[가-힣]")
_ENGLISH_WORDS: Final = 4
_BETWEEN: Final = re.compile(r"(?<=\w)[^\w\s?:=+×÷−-]+(?=\w)")
_APART: Final = re.compile(r"(?<!\S)[가-힣](?: [가-힣](?!\S))+")


@dataclass(frozen=True, slots=True)
class About:
    """What a text must keep to. `longest`: characters. To a child: `speech`, None for any; `tells`: whether a text
    gives an open answer away; `key`: whether it gives the key of an open quiz away; `verdict`: what a feedback must
    say. To adults: `korean`: whether the question was."""

    longest: int
    speech: Speech | None = "casual"
    tells: Callable[[str], bool] | None = None
    key: Callable[[str], bool] | None = None
    verdict: Literal["right", "wrong"] | None = None
    korean: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """Why a text is not shown, and the sentence of it that decided."""

    code: Code
    sentence: str


class HeldBack(Exception):
    """The text goes no further than what was given already."""

    def __init__(self, held: Held) -> None:
        super().__init__(held.code)
        self.held = held


class SentenceChecks:
    """Every check of a sentence. Safe to share: it keeps nothing of a text."""

    def __init__(self, known: Knowledge) -> None:
        words = self._words = known.words
        self._guard, self._private, self._model = known.guard, known.private, known.unkind
        self._addresses = markup.Addresses(words.domains, words.spoken_domains)
        self._terms = frozenset(term.casefold() for term in words.terms)
        self._thoughts, self._orders = any_of(words.thoughts), any_of(words.orders)
        self._english = frozenset(words.english)
        ours = "|".join(re.escape(number) for number in sorted(known.helplines, key=len, reverse=True))
        self._ours = re.compile(rf"(?<![\d-])(?:{ours})(?![\d-])")
        number = r"(?<!\d)\d{3,4}(?:-\d{4})?(?!\d)"
        self._calls = re.compile(
            rf"{number}\s?(?:번|으?로|에|에다|한테)*\s?(?:{words.calling})|(?:{words.calling})\S{{0,4}}\s?{number}"
        )

    def fault(self, sentence: str, before: str, to: Reader, about: About, *, ended: bool) -> Code | None:
        """What is wrong with a sentence behind what was shown `before`. `ended`: it was not cut."""
        if to == "adult":
            return self._to_adult(sentence, before, about)
        text = before + sentence
        checks: tuple[Callable[[], Code | None], ...] = (
            lambda: self._shape(sentence, text),
            lambda: None if self._is_korean(sentence) else "language",
            lambda: self.unkind(sentence, text),
            lambda: self._to_models(sentence, text),
            lambda: "answer" if about.tells is not None and about.tells(text) else None,
            lambda: "key" if about.key is not None and about.key(text) else None,
            lambda: "equation" if any(untrue(sentence)) else None,
            lambda: "speech" if _other_speech(sentence, about.speech, ended=ended) else None,
        )
        return next((code for check in checks if (code := check())), None)

    def _shape(self, sentence: str, text: str) -> Code | None:
        return markup.markup(sentence, self._addresses) or ("link" if self._addresses.found_in(text) else None)

    def _is_korean(self, sentence: str) -> bool:
        """Hangul, digits and signs; of Latin letters those of a known term, and one alone."""
        if any(
            _is_control(each) or (each.isalpha() and not each.isascii() and not _is_hangul(each)) for each in sentence
        ):
            return False
        return all(len(word) == 1 or word.casefold() in self._terms for word in _LATIN.findall(sentence))

    def unkind(self, sentence: str, text: str) -> Code | None:
        """Swear words and codes decide. Other listed words stand in good sentences as well ("너는 바보가 아니야"): they
        only make a sentence likelier to be held."""
        seen = self._guard.read(self._words.child.let_be.sub(" ", text))
        if code := self._certain(seen):
            return code
        listed = _listed(self._words.child, seen, sentence)
        if listed == "profanity":
            return listed
        score = self._model.score(plain(text)) + (self._words.unkind.lift if listed else 0)
        return (listed or "unkind") if score >= self._words.unkind.limit else None

    def _unkind_to_adult(self, sentence: str, text: str) -> Code | None:
        seen = self._guard.read(self._words.adult.let_be.sub(" ", text))
        return self._certain(seen) or _listed(self._words.adult, seen, sentence)

    def _certain(self, seen: Reading) -> Listed | None:
        if self._guard.insult(seen):
            return "profanity"
        shown = unicodedata.normalize("NFKC", seen.cased)
        forms = (shown, re.sub(r"(?<=\d) (?=\d)", "", shown))
        return "private" if any(map(self._names_a_code, forms)) else None

    def _names_a_code(self, plain: str) -> bool:
        others = self._ours.sub("", plain)
        return self._private.said_in(others) or self._calls.search(others) is not None

    def _to_adult(self, sentence: str, before: str, about: About) -> Code | None:
        text = before + sentence
        if any(unicodedata.category(each) == "Cc" and each not in "\n\t\r" for each in sentence):
            return "language"
        if shape := markup.active(text):
            return shape
        if about.korean and self._is_foreign(sentence, text):
            return "language"
        if code := self._unkind_to_adult(sentence, text):
            return code
        return self._to_models(sentence, text) or ("equation" if any(untrue(sentence)) else None)

    def _to_models(self, sentence: str, text: str) -> Code | None:
        """What a model says of its task, and what speaks to one."""
        if self._thoughts.search(sentence):
            return "think"
        orders = self._orders.search(sentence) or self._guard.looks_like_instructions(text)
        return "orders" if orders else None

    def _is_foreign(self, sentence: str, text: str) -> bool:
        """A sentence in another language to who asked in Korean; the title of a paper is none."""
        if any(not each.isascii() and unicodedata.name(each, "").split(" ")[0] in _FOREIGN for each in sentence):
            return True
        if _HAN.search(sentence) and not _HANGUL.search(sentence):
            return True
        words = [word.casefold() for word in _LATIN.findall(sentence)]
        if _HANGUL.search(sentence) or len(words) < _ENGLISH_WORDS:
            return False
        return not _HANGUL.search(text) or not self._english.isdisjoint(words)


def _listed(lexicon: Lexicon, seen: Reading, sentence: str) -> Listed | None:
    """What is found must reach into the sentence: what stands before it has passed."""
    for form in dict.fromkeys(_forms(seen)):
        for code, wanted in lexicon.wanted.items():
            if any(found.end() > len(form) - len(sentence) for found in wanted.finditer(form)):
                return code
    return None


def _forms(seen: Reading) -> Iterator[str]:
    """A text as its words are looked for: signs inside of words gone, syllables that stand apart joined."""
    for text in (_BETWEEN.sub("", composed(seen.plain)), seen.korean, seen.keyed):
        if text is not None:
            plain = text.replace("·", "").replace("#", "")
            yield _APART.sub(lambda found: found[0].replace(" ", ""), plain)


def _other_speech(sentence: str, speech: Speech | None, *, ended: bool) -> bool:
    text = sentence.strip()
    if speech is None or not ended or not text:
        return False
    if speech == "casual" and text[-1].isalpha():
        text += "."  # a line without a stop is no title when it ends politely
    return any(strange_endings(text, speech))


def _is_control(each: str) -> bool:
    """Characters that show nothing or turn the text around; those of emoji are none."""
    return unicodedata.category(each) in ("Cc", "Cf", "Co", "Cn", "Cs") and each not in "\n\t\r\u200d"


def _is_hangul(each: str) -> bool:
    return "가" <= each <= "힣" or "ㄱ" <= each <= "ㆎ" or "ᄀ" <= each <= "ᇿ"

"""The checks of a generated or foreign sentence before a child or an adult may read it."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from maththera.korean.jamo import composed
from maththera.words.input_filter.disguises import TextForms
from maththera.words.input_filter.filter_words import any_of
from maththera.words.ngram_model import plain
from maththera.words.output_gate import markup
from maththera.words.output_gate.false_statements import find_false_statements
from maththera.words.output_gate.gate_words import ForbiddenWords, GateKnowledge, Listed
from maththera.words.output_gate.speech_levels import Speech, blunt_sentences, wrong_level_sentences

Reader: TypeAlias = Literal["child", "adult"]
Code: TypeAlias = (
    Listed | markup.Markup
    | Literal["unkind", "language", "answer", "key", "equation", "length", "speech", "orders", "feedback_wrong"]
)  # fmt: skip

_LATIN: Final = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_FOREIGN: Final = frozenset({"HIRAGANA", "KATAKANA", "CYRILLIC", "ARABIC", "THAI", "HEBREW", "DEVANAGARI"})
_HAN: Final = re.compile("[一-鿿]{4,}")
_HANGUL: Final = re.compile("[가-힣]")
_DECIDING: Final = frozenset[Listed]({"profanity", "outside"})
"""Lists of which one word is enough to hold a sentence back; words of the others only add to the score."""
_ENGLISH_WORDS: Final = 4
_REMEMBERED: Final = 1024
"""How many sentences have their result cached: a few hundred kilobytes."""
_BETWEEN: Final = re.compile(r"(?<=\w)[^\w\s?:=+×÷−-]+(?=\w)")
_APART: Final = re.compile(r"(?<!\S)[가-힣](?: [가-힣](?!\S))+")


@dataclass(frozen=True, slots=True)
class TextRequirements:
    """The requirements of a text. `longest`: characters; `tells`: whether a text says what it must not, as an open
    answer or a figure that nobody has counted. For a child: `speech`, None for any; `key`: whether it gives the key of
    an open quiz away; `verdict`: what a feedback must say. For adults: `speech`, of which only the polite one is
    demanded; `korean`: whether the question was Korean."""

    longest: int
    speech: Speech | None = "casual"
    tells: Callable[[str], bool] | None = None
    key: Callable[[str], bool] | None = None
    verdict: Literal["right", "wrong"] | None = None
    korean: bool = True


@dataclass(frozen=True, slots=True)
class GateFault:
    """Why a text is not shown, and the sentence that decided."""

    code: Code
    sentence: str


class TextHeldBack(Exception):
    """The rest of the text is held back."""

    def __init__(self, held: GateFault) -> None:
        super().__init__(held.code)
        self.held = held


class SentenceChecks:
    """All checks of a sentence. Safe to share. It caches the results of the latest sentences, because the names of
    units and tools come again with every result."""

    def __init__(self, known: GateKnowledge) -> None:
        words = self._words = known.words
        self._guard, self._private, self._model = known.guard, known.private, known.unkind
        self._cached_child_fault = lru_cache(_REMEMBERED)(self._child_fault)
        self._addresses = markup.Addresses(words.domains, words.spoken_domains)
        self._terms = frozenset(term.casefold() for term in words.terms)
        self._thoughts, self._orders = any_of(words.thoughts), any_of(words.orders)
        self._english = frozenset(words.english)
        ours = "|".join(re.escape(number) for number in sorted(known.helplines, key=len, reverse=True))
        self._helpline_numbers = re.compile(rf"(?<![\d-])(?:{ours})(?![\d-])")
        number = r"(?<!\d)\d{3,4}(?:-\d{4})?(?!\d)"
        self._numbers_to_call = re.compile(
            rf"{number}\s?(?:번|으?로|에|에다|한테)*\s?(?:{words.calling})|(?:{words.calling})\S{{0,4}}\s?{number}"
        )

    def fault(self, sentence: str, before: str, to: Reader, about: TextRequirements, *, ended: bool) -> Code | None:
        """The fault of a sentence that follows the text `before`. `ended`: it was not cut."""
        near = self._recheck_tail(before)
        text = near + sentence
        code = self._adult_fault(sentence, text, about) if to == "adult" else self._cached_child_fault(sentence, near)
        if code is not None:
            return code
        if about.tells is not None and about.tells(before + sentence):
            return "answer"
        if to == "adult":
            impolite = ended and about.speech == "polite" and any(blunt_sentences(sentence))
            return "speech" if impolite else None
        if about.key is not None and about.key(text):
            return "key"
        return "speech" if _has_wrong_speech_level(sentence, about.speech, ended=ended) else None

    def _child_fault(self, sentence: str, before: str) -> Code | None:
        """The faults of a sentence that do not depend on the child or the question."""
        text = before + sentence
        checks: tuple[Callable[[], Code | None], ...] = (
            lambda: self._markup_fault(sentence, text),
            lambda: None if self._is_korean(sentence) else "language",
            lambda: self.unkind(sentence, text),
            lambda: self._model_talk(sentence, text),
            lambda: "equation" if any(find_false_statements(sentence)) else None,
        )
        return next((code for check in checks if (code := check())), None)

    def _recheck_tail(self, before: str) -> str:
        """The end of the text that is checked again with the next sentence, from the beginning of a word."""
        overlap = self._words.overlap
        tail = before[-overlap:]
        return tail[tail.find(" ") + 1 :] if len(tail) == overlap else tail

    def _markup_fault(self, sentence: str, text: str) -> Code | None:
        return markup.markup(sentence, self._addresses) or ("link" if self._addresses.found_in(text) else None)

    def _is_korean(self, sentence: str) -> bool:
        """Whether a sentence has only Hangul, digits, signs, known Latin terms and single Latin letters."""
        if any(
            _is_control(each) or (each.isalpha() and not each.isascii() and not _is_hangul(each)) for each in sentence
        ):
            return False
        return all(len(word) == 1 or word.casefold() in self._terms for word in _LATIN.findall(sentence))

    def unkind(self, sentence: str, text: str) -> Code | None:
        """Swear words and codes decide. Other forbidden words occur in good sentences too ("너는 바보가 아니야"), so
        they add to the score only."""
        seen = self._guard.read(self._words.child.harmless_pattern.sub(" ", text))
        if code := self._certain_fault(seen):
            return code
        missing = self._words.unkind.limit - self._model.score(plain(text))
        if missing > self._words.unkind.lift:
            return _forbidden_word(self._words.child, seen, sentence, _DECIDING)
        listed = _forbidden_word(self._words.child, seen, sentence)
        if listed in _DECIDING:
            return listed
        return (listed or "unkind") if missing <= (self._words.unkind.lift if listed else 0) else None

    def _unkind_to_adult(self, sentence: str, text: str) -> Code | None:
        seen = self._guard.read(self._words.adult.harmless_pattern.sub(" ", text))
        return self._certain_fault(seen) or _forbidden_word(self._words.adult, seen, sentence)

    def _certain_fault(self, seen: TextForms) -> Listed | None:
        if self._guard.insult(seen):
            return "profanity"
        shown = unicodedata.normalize("NFKC", seen.cased)
        forms = (shown, re.sub(r"(?<=\d) (?=\d)", "", shown))
        return "private" if any(map(self._names_a_code, forms)) else None

    def _names_a_code(self, plain: str) -> bool:
        others = self._helpline_numbers.sub("", plain)
        return self._private.said_in(others) or self._numbers_to_call.search(others) is not None

    def _adult_fault(self, sentence: str, text: str, about: TextRequirements) -> Code | None:
        if any(unicodedata.category(each) == "Cc" and each not in "\n\t\r" for each in sentence):
            return "language"
        if shape := markup.active(text):
            return shape
        if about.korean and self._is_foreign(sentence, text):
            return "language"
        if code := self._unkind_to_adult(sentence, text):
            return code
        return self._model_talk(sentence, text) or ("equation" if any(find_false_statements(sentence)) else None)

    def _model_talk(self, sentence: str, text: str) -> Code | None:
        """Thoughts of a model about its task, and instructions to a model."""
        if self._thoughts.search(sentence):
            return "think"
        orders = self._orders.search(sentence) or self._guard.looks_like_instructions(text)
        return "orders" if orders else None

    def _is_foreign(self, sentence: str, text: str) -> bool:
        """Whether a sentence is in another language than Korean. The title of a paper is not."""
        if any(not each.isascii() and unicodedata.name(each, "").split(" ")[0] in _FOREIGN for each in sentence):
            return True
        if _HAN.search(sentence) and not _HANGUL.search(sentence):
            return True
        words = [word.casefold() for word in _LATIN.findall(sentence)]
        if _HANGUL.search(sentence) or len(words) < _ENGLISH_WORDS:
            return False
        return not _HANGUL.search(text) or not self._english.isdisjoint(words)


def _forbidden_word(
    forbidden: ForbiddenWords, seen: TextForms, sentence: str, codes: Collection[Listed] | None = None
) -> Listed | None:
    """The first list of `codes` (None: all) with a word in the sentence. A word must reach into the sentence, because
    the text before it has passed."""
    lists = [(code, words) for code, words in forbidden.by_reason.items() if codes is None or code in codes]
    for form in dict.fromkeys(_searched_forms(seen)):
        for code, words in lists:
            if any(found.end() > len(form) - len(sentence) for found in words.finditer(form)):
                return code
    return None


def _searched_forms(seen: TextForms) -> Iterator[str]:
    """The forms of a text that are searched: without signs inside words, and with separated syllables joined."""
    for text in (_BETWEEN.sub("", composed(seen.plain)), seen.korean, seen.keyed):
        if text is not None:
            plain = text.replace("·", "").replace("#", "")
            yield _APART.sub(lambda found: found[0].replace(" ", ""), plain)


def _has_wrong_speech_level(sentence: str, speech: Speech | None, *, ended: bool) -> bool:
    text = sentence.strip()
    if speech is None or not ended or not text:
        return False
    if speech == "casual" and text[-1].isalpha():
        text += "."  # a line without a stop counts as a sentence if it ends politely
    return any(wrong_level_sentences(text, speech))


def _is_control(each: str) -> bool:
    """Whether a character is invisible or reverses the text. Those within emoji do not count."""
    return unicodedata.category(each) in ("Cc", "Cf", "Co", "Cn", "Cs") and each not in "\n\t\r\u200d"


def _is_hangul(each: str) -> bool:
    return "가" <= each <= "힣" or "ㄱ" <= each <= "ㆎ" or "ᄀ" <= each <= "ᇿ"

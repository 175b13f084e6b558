"""The learner's own words in an explanation, without the repeated question and without orders to the grader."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from maththera.korean.morphemes import morphemes

_QUOTES: Final = re.compile(r"[\"'“‘「『][^\"'“”‘’「」『』]*[\"'”’」』]")
_SENTENCES: Final = re.compile(r"(?<=[.!?,\n])\s+")
_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_CALCULATION: Final = re.compile(r"\d\s*[-+×÷xX*/−=]\s*\d")
_MATTER: Final = frozenset({"NNG", "NNP", "NR", "VV", "VA", "XR", "SL", "SN", "MAG"})
_LIST: Final = 5
_LOOSE: Final = 0.55
"""The number of words of a list, and the share of them without ending or particle."""

EmptyReason = Literal["", "empty", "copied", "foreign", "orders"]


class OwnText(NamedTuple):
    """The learner's own words. `nothing`: why nothing is left of an answer, or nothing in Korean; "" if something
    is."""

    text: str
    nothing: EmptyReason


def own_text(question: str, answer: str, orders: Sequence[str]) -> OwnText:
    """The learner's own words in an answer. `orders`: regular expressions for sentences that tell the grader how to
    grade. If an order is only quoted, just the quote is removed."""
    told = _without_question(answer.lower(), question.lower())
    unquoted = _QUOTES.sub(lambda quote: "" if _is_order(quote[0][1:-1], orders) else quote[0], told)
    sentences = _SENTENCES.split(unquoted)
    kept = [each for each in sentences if not _is_order(each, orders)]
    text = " ".join(kept).strip()
    if not re.search(r"\w", text):
        ordered = unquoted != told or len(kept) < len(sentences)
        return OwnText("", "orders" if ordered else "copied" if re.search(r"\w", answer) else "empty")
    return OwnText(text, "foreign" if _LETTERS.search(text) and not _HANGUL.search(text) else "")


@lru_cache(maxsize=4096)
def content_words(text: str, everyday: frozenset[str]) -> frozenset[str]:
    """The words of a text with a meaning of their own, by the analyser, without those of `everyday` use."""
    return frozenset(each.form for each in morphemes(text.lower()) if each.tag in _MATTER) - everyday


def is_word_list(text: str) -> bool:
    """Whether a text is a list of words and no sentence: verbs in their dictionary form, or nouns in a row without
    particles."""
    if _CALCULATION.search(text):
        return False
    parts = [part for part in morphemes(text) if not part.tag.startswith("S") or part.tag in ("SL", "SN")]
    words = [at for at, part in enumerate(parts) if part.tag in _MATTER]
    loose = sum(parts[at + 1].tag in _MATTER if at + 1 < len(parts) else True for at in words)
    says = any(part.tag.startswith("J") or (part.tag in ("EF", "EC") and part.form != "다") for part in parts)
    return not says or (len(words) >= _LIST and loose > _LOOSE * len(words))


def _is_order(text: str, orders: Sequence[str]) -> bool:
    return any(re.search(each, text) for each in orders)


def _without_question(answer: str, question: str) -> str:
    for sentence in (question, *_SENTENCES.split(question)):
        answer = re.sub(r"\s*".join(map(re.escape, "".join(sentence.split()).rstrip(".?!"))), " ", answer)
    return answer

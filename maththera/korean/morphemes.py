"""Korean text as morphemes. One analyser serves the whole process: it takes most of a second and 210 MB to load, nearly
all of it the one language model that the library ships, so it is loaded when the first text needs it, or ahead by
`prewarm`.
"""

from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from warnings import catch_warnings, simplefilter

from maththera.korean.word_lists import korean_lists

if TYPE_CHECKING:
    from kiwipiepy import Kiwi  # type: ignore[import-untyped]

_LOADING: Final = Lock()


class Morpheme(NamedTuple):
    """`tag` is one of the Sejong tag set, without the mark for irregular verbs; `start` and `end` count characters."""

    form: str
    tag: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def morphemes(text: str) -> tuple[Morpheme, ...]:
    """The morphemes in order: verbs and adjectives as stems, endings and particles separate."""
    return tuple(_morpheme(token) for token in _analyser().tokenize(text))


def _morpheme(token: Any) -> Morpheme:
    form = token.form.rstrip(".,") if token.tag == "SN" else token.form  # "답은 62." ends a sentence, not a number
    return Morpheme(form, token.tag.partition("-")[0], token.start, token.start + len(form))


def prewarm() -> None:
    """Loads the analyser ahead of the first request. No other thread runs meanwhile, for half a second."""
    morphemes("하나")


def _analyser() -> "Kiwi":
    with _LOADING:  # two threads at once would load two
        return _loaded()


@cache
def _loaded() -> "Kiwi":
    from kiwipiepy import Kiwi

    with catch_warnings():
        simplefilter("ignore", DeprecationWarning)  # no workers once meant as many as cores
        # Workers are for many texts at once, and take 17 MB. The lists of titles and of misspellings treble time and
        # memory, and take school words for names of things.
        kiwi = Kiwi(num_workers=0, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)
    for term in korean_lists().terms:
        kiwi.add_user_word(term, "NNG")
    return kiwi


_MEANING: Final = frozenset(["NNG", "NNP", "NNB", "NR", "SN", "SL", "XR", "VV", "VA", "MM", "XSN"])


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """The content words in order, verbs and adjectives as stems. Words common to every school text are left out."""
    lists = korean_lists()
    found = (each.form for each in morphemes(text) if each.tag in _MEANING)
    return tuple(lists.same.get(form, form) for form in found if form not in lists.empty)

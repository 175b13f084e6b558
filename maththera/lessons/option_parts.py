"""Where the options of a task stand in a text: by the parts that only one of them has, as they sound."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from maththera.korean.jamo import parts
from maththera.korean.numbers import Number, numbers_in, plain
from maththera.korean.numerals import PARTICLES, any_of
from maththera.korean.sounds import Sounds, sounds

_LEAST: Final = 3
"""Sounds of a stem; shorter ones are in too many words."""
_LEAST_MISSPELT: Final = 5
_ENDINGS: Final = re.compile(
    r"(?:워서|워져|워지|입니다|습니다|합니다|됩니다|어져|려고|하기|해서|하면|하는|거든|라서|이라서|아서|어서|여서|지기|기|라는|다는|는|은|을|를|던|지|게|고|면|서|다|요|야|해|돼|써|려|어|아)$"
)
_PARTICLES: Final = re.compile(rf"(?:{any_of((*PARTICLES, '에게', '한테', '들'))})$")
_DENIED: Final = re.compile(
    r"지\s*(?:는|도|를)?\s*(?:않|안|못|말(?!지)|아나|아느)|지가?\s*아[나느니]|아니(?!면)|아닌|아냐|아닙|아님|말고|(?<![가-힣])[안못]\s*(?=[가-힣])|수(?:가|도|는)?\s*없"
)
_DENIED_BEFORE: Final = re.compile(r"(?:^|[\s,.])[안못]\s*$")
_BOUND: Final = re.compile(r"[,.…;/!?\n]|(?<=[가-힣])(?:고|지만|니까|는데|면)(?=[\s,]|$)")
_EXPRESSION: Final = re.compile(r"\d+(?:[-+×÷=]\d+)+")
_EMPTY: Final = "않하되수것거"
"""First syllables of words that say nothing by themselves."""


class Part(NamedTuple):
    """Of an option: what it sounds like (with "…" for a particle), or its number; `denied` where the option denies it;
    `first`: how a stem of a single syllable begins."""

    key: str
    number: int | None
    denied: bool
    whole: bool = False
    first: str = ""


class Found(NamedTuple):
    """A part of an option in a text, by its characters."""

    start: int
    end: int
    gap: int
    place: int
    part: Part

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end

    def covers(self, other: "Found") -> bool:
        """Whether the other is a piece of it, or the same place that is less of an option."""
        wider = self.start <= other.start and other.end <= self.end
        return wider and (self.span != other.span or (self.part.whole and not other.part.whole))


def find_options(texts: Sequence[str], text: str, gap: int) -> list[Found]:
    heard = sounds(text)
    return [
        Found(start, end, gap, place, part)
        for place, distinct in enumerate(_parts(tuple(texts)))
        for part in distinct
        for start, end in _places(part, heard, text)
    ]


def is_denied(text: str, start: int, end: int, stop: int) -> bool:
    """Whether what stands from start to end is denied right before it, or behind it before anything else begins."""
    bound = _BOUND.search(text, end, stop)
    window = text[end : bound.end() if bound else stop]
    if not bound and stop < len(text):
        window = re.sub(r"[안못]\s*$", "", window)
    before = bool(_DENIED_BEFORE.search(text[:start]))
    return before != bool(_DENIED.search(window))


@lru_cache(maxsize=512)
def _parts(texts: tuple[str, ...]) -> tuple[tuple[Part, ...], ...]:
    """Of each option the parts by which it can be told from the others."""
    every = [_all_parts(text) for text in texts]
    distinct = []
    for place, told in enumerate(every):
        others = [text for at, text in enumerate(texts) if at != place]
        distinct.append(tuple(part for part in told if not any(_also(part, other) for other in others)))
    return tuple(distinct)


def _also(part: Part, text: str) -> bool:
    if part.number is not None:
        return any(part.number in other.values for other in numbers_in(plain(text)))
    if part.whole:
        return part.key in sounds(text).key
    near = [is_denied(text, start, end, len(text)) for start, end in _places(part, sounds(text), text)]
    return part.denied in near


def _all_parts(text: str) -> list[Part]:
    text = plain(text)
    told = [Part(sounds(text).key, None, denied=False, whole=True)]
    expressions = list(_EXPRESSION.finditer(text))
    told += [Part(sounds(match[0]).key, None, denied=False) for match in expressions]
    numbers = [one for one in _numbers(text) if one.value is not None and not one.doubtful]
    told += [part for one in numbers for part in _numeric(text, one)]
    for word in re.finditer(r"[가-힣A-Za-z]+", text):
        if any(one.start < word.end() and word.start() < one.stop for one in numbers):
            continue
        key = _stem(word[0])
        first = word[0][0] if len(key) < _LEAST and len(word[0]) > 1 and not _is_empty(word) else ""
        if len(key) >= _LEAST or first:
            denied = is_denied(text, word.start(), word.end() - _tail(word[0]), len(text))
            told.append(Part(key, None, denied, first=first))
    return told


def _numbers(text: str) -> list[Number]:
    """Without 하나도, which is "at all"."""
    return [one for one in numbers_in(text) if text[one.start : one.stop] != "하나도"]


def _numeric(text: str, one: Number) -> Iterator[Part]:
    """A number, and the same with the word behind it."""
    yield Part("", one.value, is_denied(text, one.start, one.stop, len(text)))
    word = re.compile(r"\s*([가-힣]+)").match(text, one.stop)
    if word:
        yield Part(f"{one.value}…{_stem(word[1])}", None, is_denied(text, one.start, word.end(), len(text)))


def _is_empty(word: re.Match[str]) -> bool:
    """Whether it helps the word before it, and says nothing itself."""
    if word[0][0] == "있":
        return re.search(r"[어아여고수]\s*$", word.string[: word.start()]) is not None
    return word[0][0] in _EMPTY


def _tail(word: str) -> int:
    """How many syllables of an ending a denial may begin in: the 지 of 달라지지 않아."""
    return int(word.endswith("지"))


def _stem(word: str) -> str:
    """What stays the same where the word is inflected, as sounds."""
    shorter = _ENDINGS.sub("", _PARTICLES.sub("", word) or word) or word
    key = sounds(shorter).key
    return key[: max(_LEAST, -(-2 * len(key) // 3))]


def _places(part: Part, heard: Sounds, text: str) -> list[tuple[int, int]]:
    """Where it stands in the text, from and to which character."""
    if part.number is not None:
        return [(one.start, one.end) for one in _numbers(text) if part.number in one.values and one.counter[:1] != "번"]
    if "…" in part.key:
        pattern = re.compile(re.escape(part.key).replace("…", ".{0,2}"))
        return [(heard.at[one.start()], heard.at[one.end() - 1] + 1) for one in pattern.finditer(heard.key)]
    if part.first:
        return _short(part.first, text)
    exact = [
        at for at in heard.starts if heard.key.startswith(part.key, at) and _free(heard, at, at + len(part.key), text)
    ]
    if exact:
        return [(heard.at[at], heard.at[at + len(part.key) - 1] + 1) for at in exact]
    if len(part.key) < _LEAST_MISSPELT or any(sign.isdigit() for sign in part.key):
        return []
    return [
        (heard.at[at], heard.at[min(at + len(part.key), len(heard.at)) - 1] + 1)
        for at in heard.starts
        if at + len(part.key) - 1 <= len(heard.key) and _one_apart(part.key, heard.key[at:])
    ]


def _short(first: str, text: str) -> list[tuple[int, int]]:
    """Where a word begins as this syllable does, whatever closes it."""
    begin, found = parts(first), []
    for match in re.finditer(r"(?<![가-힣])[안못다]?([가-힣])", text):
        for place in {match.start(), match.start(1)}:
            said = parts(text[place])
            if begin and said and said[:2] == begin[:2]:
                found.append((place, place + 1))
    return found


def _free(heard: Sounds, start: int, end: int, text: str) -> bool:
    """Whether its digits make the same numbers in the text: none stands beside it, and none of them stand apart."""
    first, last = heard.at[start], heard.at[end - 1]
    if text[first].isdigit() and text[max(first - 1, 0) : first].isdigit():
        return False
    if text[last].isdigit() and text[last + 1 : last + 2].isdigit():
        return False
    pairs = zip(range(start, end - 1), range(start + 1, end), strict=True)
    return all(
        heard.at[after] == heard.at[at] + 1
        for at, after in pairs
        if heard.key[at].isdigit() and heard.key[after].isdigit()
    )


def _one_apart(key: str, text: str) -> bool:
    """Whether the text begins with the key but for one sound that is missing, too much or another one."""
    same = next((at for at, (one, other) in enumerate(zip(key, text, strict=False)) if one != other), len(key))
    rests = (text[same + 1 :], text[same:], text[same + 1 :])
    wanted = (key[same + 1 :], key[same + 1 :], key[same:])
    return same > 0 and any(rest.startswith(want) for rest, want in zip(rests, wanted, strict=True))

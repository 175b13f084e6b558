"""Finds the options of a task in a text by their distinctive parts, as they sound."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from maththera.korean.jamo import parts
from maththera.korean.number_words import PARTICLES, any_of
from maththera.korean.numbers import Number, numbers_in, plain
from maththera.korean.pronunciation import Sounds, sounds
from maththera.korean.word_lists import korean_lists

_LEAST: Final = 3
"""The fewest sounds of a stem; shorter ones occur in too many words."""
_LEAST_MISSPELT: Final = 5
_ENDINGS: Final = re.compile(
    r"(?:었어요?|았어요?|었다|았다|워서|워져|워지|입니다|습니다|합니다|됩니다|어져|려고|하기|해서|하면|하는|거든|라서|이라서|아서|어서|여서|지기|기|라는|다는|는|은|을|를|던|지|게|고|면|서|다|요|야|해|돼|써|려|어|아)$"
)
_PARTICLES: Final = re.compile(rf"(?:{any_of((*PARTICLES, '에게', '한테', '들'))})$")
_DENIED: Final = re.compile(
    r"지\s*(?:는|도|를)?\s*(?:않|안|못|말(?![지하해한])|아나|아느)|지가?\s*아[나느니]|아니(?!면|까)|아닌|아냐|아닙|아님|말고|(?<![가-힣])[안못]\s*(?=[가-힣])|수(?:가|도|는)?\s*없"
)
_DENIED_BEFORE: Final = re.compile(r"(?:^|[\s,.])[안못덜]\s*(?:더\s*)?$")
_LESSENED: Final = re.compile(r"[가-힣]{0,2}는?\s*(?:일|것|게)이?\s*줄")
_BOUND: Final = re.compile(r"[,.…;/!?\n]|(?<=[가-힣])(?:(?<!라)고|지만|니까|는데|면)(?=[\s,]|$)")
_NOT_BUT: Final = re.compile(r"(?:이|가|게|건|거|것)\s*(?:아니(?:라|고|야|지|에요)|아닌|아냐)|(?<!지)(?<!지\s)말고")
_TOPIC: Final = re.compile(r"[은는]\s(?!\s*(?:게|건|거|것))")
"""Matches a topic particle: a denial after it says nothing about the words before it."""
_INSIDE: Final = re.compile(r"(?<![가-힣])[안못]\s*(?=[가-힣])")
_EXPRESSION: Final = re.compile(r"\d+(?:[-+×÷=]\d+)+")
_EMPTY: Final = "않하되수것거맨"
"""First syllables of words that say nothing by themselves."""


class Part(NamedTuple):
    """A part of an option: how it sounds ("…" for a particle), or its number. `denied`: the option denies it; `first`:
    the beginning of a stem with a single syllable; `begins`: it counts only at the beginning of a word."""

    key: str
    number: int | None
    denied: bool
    whole: bool = False
    first: str = ""
    begins: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the part is a number and nothing else."""
        return self.number is not None or self.key.isdigit()


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

    @property
    def weight(self) -> int:
        """The strength of a part as evidence: highest for a whole option, lowest for the beginning of a word."""
        if self.part.whole:
            return 40
        return 3 if self.part.number is not None else 1 if self.part.first else len(self.part.key)

    def covers(self, other: "Found") -> bool:
        """Whether the other part lies within this one, or at the same place with weaker evidence."""
        wider = self.start <= other.start and other.end <= self.end
        return wider and (self.span != other.span or (self.part.whole and not other.part.whole))


def find_options(texts: Sequence[str], text: str, gap: int, *, each: bool = False, frame: str = "") -> list[Found]:
    """The parts of options in a text. If no option is there in its own words, other words for them count: those for all
    options, or for `each`. `frame`: the text around the options, with "…" in their place."""
    heard = sounds(text)
    found = [
        Found(start, end, gap, place, part)
        for place, distinct in enumerate(_parts(tuple(texts), spelt(frame)))
        for part in distinct
        for start, end in _places(part, heard, text)
    ]
    own = [one for one in found if not one.part.begins]
    said = {one.place for one in own if is_denied(text, one.start, one.end, len(text)) == one.part.denied}
    return own + [one for one in found if one.part.begins and (one.place not in said if each else not said)]


def spelt(text: str) -> str:
    """The text with numbers and signs as they are read aloud; 만 in "1만 있으면" is no number."""
    return re.sub(r"(?<=\d)만(?=\s*(?:있|더|주|빼|되))", "", plain(text))


def is_denied(text: str, start: int, end: int, stop: int) -> bool:
    """Whether the words from start to end are denied, right before them or after them within the same clause."""
    if _is_attribute(word := _word(text, start)) and end <= start + len(word):
        stop = min(stop, start + len(word) + 1)
    bound = _BOUND.search(text, end, stop)
    window = text[end - _tail(text[start:end]) : bound.end() if bound else stop]
    if not bound and stop < len(text):
        window = re.sub(r"[안못]\s*$", "", window)
    before = bool(_DENIED_BEFORE.search(text[:start]) or _INSIDE.search(text, start, end))
    return before != bool(_DENIED.search(window) or _LESSENED.match(window))


def is_excluded(text: str, end: int) -> bool:
    """Whether "… 아니라" or "… 말고" follows, with any words in between: "1을 두 번 올린 게 아니라"."""
    bound = _BOUND.search(text, end)
    excluded = _NOT_BUT.search(text, end - 1, bound.start() + 1 if bound else len(text))
    between = text[end : excluded.start()] if excluded else ""
    return excluded is not None and " " in between and not _TOPIC.search(text, end, excluded.start())


@lru_cache(maxsize=512)
def _parts(texts: tuple[str, ...], frame: str) -> tuple[tuple[Part, ...], ...]:
    """The distinctive parts of each option, which differ from the frame in more than a syllable."""
    behind = re.split(r"[.,(]", frame.partition("…")[2])[0]
    every = [_all_parts(text, behind) for text in texts]
    distinct = []
    for place, told in enumerate(every):
        others = [text for at, text in enumerate(texts) if at != place]
        distinct.append(
            tuple(
                part
                for part in told
                if not _stands_in(part, frame) and not any(_occurs_in(part, other, behind) for other in others)
            )
        )
    return tuple(distinct)


def _stands_in(part: Part, frame: str) -> bool:
    """Whether a short word of an option is also a word of the frame."""
    if part.first:
        return part.first not in "있없" and re.search(rf"(?<![가-힣]){part.first}", frame) is not None
    return 0 < len(part.key) <= _LEAST and bool(_places(part, sounds(frame), frame))


def _occurs_in(part: Part, text: str, behind: str) -> bool:
    if part.number is not None:
        return any(part.number in other.values for other in numbers_in(plain(text)))
    if part.whole:
        return part.key in sounds(text).key
    filled = text + behind
    near = [is_denied(filled, start, end, len(filled)) for start, end in _places(part, sounds(text), text)]
    return part.denied in near


def _all_parts(text: str, behind: str) -> list[Part]:
    text = spelt(text)
    filled = text + behind
    told = [Part(sounds(text).key, None, denied=is_denied(filled, 0, len(text) - _tail(text), len(filled)), whole=True)]
    expressions = list(_EXPRESSION.finditer(text))
    told += [Part(sounds(match[0]).key, None, denied=False) for match in expressions]
    numbers = [one for one in _numbers(text) if one.value is not None and (not one.doubtful or one.counter)]
    told += [part for one in numbers for part in _numeric(text, filled, one)]
    for word in re.finditer(r"[가-힣A-Za-z]+", text):
        if word[0] in _EMPTY or any(one.start < word.end() and word.start() < one.stop for one in numbers):
            continue
        key = _stem(word[0])
        first = word[0][0] if len(key) < _LEAST and len(word[0]) > 1 and not _is_empty(word) else ""
        if len(key) >= _LEAST or first:
            denied = is_denied(filled, word.start(), word.end() - _tail(word[0]), len(filled))
            told.append(Part(key, None, denied, first=first))
    return [*told, *_alike(text, filled)]


def _alike(text: str, filled: str) -> Iterator[Part]:
    """Parts for other words of an option, and for opposite words, which count for it if they are denied."""
    for group in korean_lists().alike:
        for own, other in ((group.words, group.contrary), (group.contrary, group.words)):
            found = re.search(rf"(?<![가-힣])[안못]?\s*(?:{any_of(own)})[가-힣]*", text) if own else None
            if found is None:
                continue
            denied = is_denied(filled, found.start(), found.end() - _tail(found[0]), len(filled))
            for word in (*own, *other):
                other_way = (word in other) != bool(_INSIDE.search(word))
                yield Part(sounds(word).key, None, denied != other_way, begins=True)


def _numbers(text: str) -> list[Number]:
    """The numbers of a text; 하나도 means "at all"."""
    return [one for one in numbers_in(text) if text[one.start : one.stop] != "하나도"]


def _numeric(text: str, filled: str, one: Number) -> Iterator[Part]:
    """Parts for a number alone and for the number with the word after it."""
    yield Part("", one.value, is_denied(filled, one.start, one.stop, len(filled)))
    word = re.compile(r"\s*([가-힣]+)").match(text, one.stop)
    if word:
        denied = is_denied(filled, one.start, word.end() - _tail(word[1]), len(filled))
        yield Part(f"{one.value}…{_stem(word[1])}", None, denied)


def _is_empty(word: re.Match[str]) -> bool:
    """Whether a word only helps the one before it, without a meaning of its own."""
    if word[0][0] == "있":
        return re.search(r"[이가]\s*$", word.string[: word.start()]) is None
    return word[0][0] in _EMPTY


def _word(text: str, start: int) -> str:
    """The text from a place to the end of its word."""
    found = re.compile(r"[가-힣]+").match(text, start)
    return found[0] if found else ""


def _is_attribute(word: str) -> bool:
    """Whether a verb belongs to the noun after it, as in "올린 1"; a denial after the noun does not deny it."""
    last = parts(word[-1]) if word else None
    return last is not None and last[2] == "ㄴ" and word[-1] not in "은는"


def _tail(word: str) -> int:
    """How many syllables of an ending may precede a denial: the 지 of 달라지지 않아."""
    return int(word.endswith("지"))


def _stem(word: str) -> str:
    """The sounds that stay the same when a word is inflected."""
    shorter = _ENDINGS.sub("", _PARTICLES.sub("", word) or word) or word
    key = sounds(shorter).key
    return key[: max(_LEAST, -(-2 * len(key) // 3))]


def _places(part: Part, heard: Sounds, text: str) -> list[tuple[int, int]]:
    """Where a part occurs in a text, as start and end."""
    if part.number is not None:
        return [
            (one.start, one.end)
            for one in _numbers(text)
            if part.number in one.values and not re.match(r"\s*번|째", text[one.stop :])
        ]
    if "…" in part.key:
        pattern = re.compile(re.escape(part.key).replace("…", "[^0-9]{0,4}"))
        return [(heard.at[one.start()], heard.at[one.end() - 1] + 1) for one in pattern.finditer(heard.key)]
    if part.first:
        return _short(part.first, text)
    exact = [
        at
        for at in heard.starts
        if heard.key.startswith(part.key, at)
        and _stands_alone(heard, at, at + len(part.key), text)
        and not text.startswith("말고", heard.at[at])
        and not (part.begins and re.search(r"(?<![가-힣])[가-힣]*[가-힣]$", text[: heard.at[at]].removesuffix("안")))
    ]
    if exact:
        return [(heard.at[at], heard.at[at + len(part.key) - 1] + 1) for at in exact]
    if part.begins or len(part.key) < _LEAST_MISSPELT or any(sign.isdigit() for sign in part.key):
        return []
    return [
        (heard.at[at], heard.at[min(at + len(part.key), len(heard.at)) - 1] + 1)
        for at in heard.starts
        if at + len(part.key) - 1 <= len(heard.key) and _one_apart(part.key, heard.key[at:])
    ]


def _short(first: str, text: str) -> list[tuple[int, int]]:
    """A pattern for a word that begins with this syllable, with any final consonant."""
    begin, found = parts(first), []
    for match in re.finditer(r"(?<![가-힣])(?!아니|아냐|말고)[안못다]?([가-힣])", text):
        for place in {match.start(), match.start(1)}:
            said = parts(text[place])
            if begin and said and said[:2] == begin[:2]:
                found.append((place, place + 1))
    return found


def _stands_alone(heard: Sounds, start: int, end: int, text: str) -> bool:
    """Whether the digits form the same numbers in the text, with no further digit beside them or gap between them."""
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
    """Whether the text begins with the key except for one missing, extra or changed sound."""
    same = next((at for at, (one, other) in enumerate(zip(key, text, strict=False)) if one != other), len(key))
    rests = (text[same + 1 :], text[same:], text[same + 1 :])
    wanted = (key[same + 1 :], key[same + 1 :], key[same:])
    return same > 0 and any(rest.startswith(want) for rest, want in zip(rests, wanted, strict=True))

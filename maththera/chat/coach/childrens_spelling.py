"""What a child types as it sounds or politely, as it is usually spelt and said: 마자써 is 맞았어, 뭐에요 is 뭐야."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from maththera.config_files import ConfigModel
from maththera.korean.jamo import parts
from maththera.korean.word_lists import Spelling
from maththera.settings import home

_PAST: Final = re.compile(r"([해아어려와겨쳐져셔여워줘켜펴돼]|(?<=[르알하])게)(?<!\b어)([써따찌])(?![가나라])")
"""The past as it sounds: 풀어써, 알아따."""
_PAST_ENDS: Final = {"써": "어", "따": "다", "찌": "지"}
_DOUBLE_S: Final = 20
"""The place of the final ㅆ among the finals of a syllable."""
_SINGLE_S: Final = re.compile(r"[햇앗엇렷왓겟됫됏갓졋쳣켯폇줫엿](?=[어다는지네던음니])")
"""The past with ㅅ for ㅆ, the final next to it."""
_WILL: Final = re.compile(r"([가-힣])께(?=$|[^가-힣]|요)")


class ChildrensSpelling(ConfigModel):
    """`configs/chat/coach/spelling.yaml`: patterns of what is typed, in the order of use."""

    spellings: tuple[Spelling, ...]
    plain_speech: tuple[Spelling, ...]
    """After them: what is said politely, as it is said to a friend."""


@lru_cache(maxsize=4)
def _spelling(folder: Path) -> ChildrensSpelling:
    return ChildrensSpelling.from_file(folder / "configs" / "chat" / "coach" / "spelling.yaml")


@lru_cache(maxsize=1024)
def as_usually_spelt(message: str) -> str:
    """The message in the usual spelling and in plain speech."""
    text = message
    for spelling in _spelling(home()).spellings:
        text = spelling.typed.sub(spelling.usual, text)
    text = _PAST.sub(lambda found: chr(ord(found[1]) + _DOUBLE_S) + _PAST_ENDS[found[2]], text)
    text = _SINGLE_S.sub(lambda found: chr(ord(found[0]) + 1), text)
    text = _WILL.sub(lambda found: f"{found[1]}게" if _ends_in_l(found[1]) else found[0], text)
    return _in_plain_speech(text)


def _in_plain_speech(message: str) -> str:
    """The message in plain speech and without the name of whom it speaks to; as it is where nothing would be left."""
    text = message
    for one in _spelling(home()).plain_speech:
        text = one.typed.sub(one.usual, text)
    return text if text.strip() else message


def _ends_in_l(syllable: str) -> bool:
    found = parts(syllable)
    return found is not None and found[2] == "ㄹ"

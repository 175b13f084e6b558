"""What a child types as it sounds, in the usual spelling: 마자써 is 맞았어, 머가 대 is 뭐가 돼, 하나 조 is 하나 줘."""

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
    """`configs/chat/coach_spelling.yaml`: patterns of what is typed, in the order of use."""

    spellings: tuple[Spelling, ...]


@lru_cache(maxsize=4)
def _spellings(folder: Path) -> tuple[Spelling, ...]:
    return ChildrensSpelling.from_file(folder / "configs" / "chat" / "coach_spelling.yaml").spellings


@lru_cache(maxsize=1024)
def as_usually_spelt(message: str) -> str:
    """The message with words that are typed as they sound in their usual spelling."""
    text = message
    for spelling in _spellings(home()):
        text = spelling.typed.sub(spelling.usual, text)
    text = _PAST.sub(lambda found: chr(ord(found[1]) + _DOUBLE_S) + _PAST_ENDS[found[2]], text)
    text = _SINGLE_S.sub(lambda found: chr(ord(found[0]) + 1), text)
    return _WILL.sub(lambda found: f"{found[1]}게" if _ends_in_l(found[1]) else found[0], text)


def _ends_in_l(syllable: str) -> bool:
    found = parts(syllable)
    return found is not None and found[2] == "ㄹ"

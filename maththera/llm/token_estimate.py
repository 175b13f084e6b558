"""Token counts without a tokenizer: an estimate that is meant to err upwards.

Real vocabularies have to be downloaded and differ from model to model, so texts are counted by what byte-pair
encodings are known to do with them. Published counts of Korean sentences run from 0.6 tokens a syllable (o200k) to 1.1
(cl100k, the older and costlier one); 1.5, rounded up word by word, leaves a margin of more than a third. English runs
at about four letters a token, rarer upper-case identifiers at three. A digit or an ASCII sign is at most one token,
anything else at most one per UTF-8 byte, because such encodings fall back to bytes.
"""

import re
from functools import lru_cache
from math import ceil

_PIECE = re.compile(
    r"(?P<hangul>[가-힣]+)|(?P<upper>[A-Z]+(?![a-z]))|(?P<word>[A-Za-z]+)|(?P<break>\s*\n\s*|[ \t]{2,})|(?P<space>\s)"
    r"|(?P<sign>[!-~])|(?P<other>.)",
    re.DOTALL,
)
_TOKENS_PER_CHARACTER = {"hangul": 1.5, "upper": 1 / 3, "word": 1 / 4, "sign": 1.0}
_TOKENS_PER_PIECE = {"break": 1, "space": 0}  # a single space belongs to the token that follows it


@lru_cache(maxsize=256)
def estimate_tokens(text: str) -> int:
    """At least as many tokens as cl100k or o200k would make of `text`, for Korean, English and JSON."""
    return sum(_piece_tokens(piece.lastgroup or "other", piece[0]) for piece in _PIECE.finditer(text))


def _piece_tokens(kind: str, piece: str) -> int:
    if kind in _TOKENS_PER_PIECE:
        return _TOKENS_PER_PIECE[kind]
    if kind == "other":
        return len(piece.encode(errors="replace"))
    return ceil(len(piece) * _TOKENS_PER_CHARACTER[kind])

"""The speech act of a Korean sentence: it wants something done, or it reports, doubts, forbids, asks. Only what is
wanted is done, and a question is answered only by looking something up."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from maththera.korean.morphemes import Morpheme, morphemes

SpeechAct: TypeAlias = Literal["forbids", "reports", "wonders", "states", "asks"]
"""forbids: 만들지 마, 안 만들어도 돼 · reports: 만들었어 · wonders: 만들까?, 만들어도 돼? · states: 느려요, 있어? ·
asks: 얼마야?"""

_PREDICATES: Final = frozenset(["VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA"])
_STATES: Final = frozenset(["VA", "VCP", "VCN", "XSA"])
WISHES: Final = frozenset(["싶", "바라", "부탁", "필요", "감사", "원하", "급하", "급", "궁금", "궁금하", "좋"])
"""A sentence with one of these endings asks for something, whatever its form: 만들어 주시면 좋겠어요."""
_REASONS: Final = ("서", "니까", "데", "지만", "므로", "니", "지")
"""Endings of a clause that only gives a reason: 못 풀어서, 안 되는데."""
_INTERROGATIVES: Final = frozenset(
    ["어디", "뭐", "무엇", "무슨", "어떤", "얼마", "얼마나", "어떻", "어떠하", "몇", "언제", "누구", "누"]
)


def speech_act(sentence: str) -> SpeechAct | None:
    """The speech act; None where something is wanted or only a name is said."""
    words = _words(sentence)
    if any(_is_negated(words, place) for place in range(len(words))):
        return "forbids"
    last = _last_predicate(words)
    if last is None or any(each.form in WISHES for each in words[max(0, last - 3) :]):
        return None
    forms = [each.form for each in words]
    if any(each.tag == "EP" and each.form in ("었", "았", "였") for each in words[last:]):
        return "reports"
    for_me = any(each.form in ("주", "드리") for each in words[last - 2 : last + 1] if each.tag in ("VX", "VV"))
    able = words[last].form in ("있", "없") and forms[last - 1] == "수"
    if _is_permission(words, last) or (any("까" in form for form in forms[last:]) and not (for_me or able)):
        return "wonders"
    if words[last].form in ("있", "없") and not able:
        return "states"
    if words[last].tag not in _STATES or able:
        return None
    return "asks" if _INTERROGATIVES.intersection(forms) else "states"


def _words(sentence: str) -> list[Morpheme]:
    return [each for each in morphemes(sentence.lower().strip()) if not each.tag.startswith("S")]


def _last_predicate(words: Sequence[Morpheme]) -> int | None:
    """The last verb; None where the sentence ends with a noun: 풀 학습지, 준비됐는지 점검."""
    last = next((each for each in range(len(words) - 1, -1, -1) if words[each].tag in _PREDICATES), None)
    if last is None:
        return None
    tags = [each.tag for each in words[last:]]
    clause = "EC" in tags and any(tag.startswith("NN") for tag in tags)
    return None if clause or "ETM" in tags else last


def _is_negated(words: Sequence[Morpheme], place: int) -> bool:
    """Whether the verb is negated. Clauses that describe a noun or give a reason do not count: 이해하지 못한 개념,
    못 풀어서."""
    word = words[place]
    after = (word.tag, word.form) in (("VX", "않"), ("VX", "말"))
    before = word.tag == "MAG" and word.form in ("안", "못")
    if not (after or before):
        return False
    ending = next((each for each in words[place + 1 :] if each.tag in ("EF", "EC", "ETM", "ETN")), None)
    return ending is not None and ending.tag != "ETM" and not (ending.tag == "EC" and ending.form.endswith(_REASONS))


def _is_permission(words: Sequence[Morpheme], last: int) -> bool:
    """Whether it is a permission: 만들어도 돼, 만들어도 괜찮아."""
    return last > 0 and words[last].form in ("되", "괜찮") and words[last - 1].form.endswith("도")

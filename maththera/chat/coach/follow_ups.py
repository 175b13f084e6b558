"""What a few words go on with, by what the coach itself said last: a kind of problem that it named, records that there
were none of, a problem that was too hard, another child whose records it does not tell."""

import re
from typing import Final

from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.asks import Asks
from maththera.chat.coach.basics import Basics
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.learner_facts import kinds_in, operations_in
from maththera.chat.coach.record_replies import WELL
from maththera.chat.coach.small_talk import act_of

_SHORT: Final = 12
_OTHER_SIZES: Final = frozenset({"harder", "easier_problem"})
_TOO_EASY: Final = re.compile(r"더\s*(?:어려|어렵|힘든|센)|너무\s*쉬|쉬[워웠]|쉽[다네잖]|시시|껌|(?:안|하나도)\s*어려")
_TOO_HARD: Final = re.compile(r"쉬운|쉽게|어려|어렵|힘들|못\s*(?:하|해|풀)")
"""What is said of a problem that was just given."""
_STILL_MORE: Final = re.compile(r"더\s*$|더\s*(?:요|줘|해줘)|(?:보다|훨씬)\s*더|더\s*더|한\s*번\s*더")
"""Harder still, or easier still."""
_OF_SELF: Final = re.compile(r"(?:그럼|그러면|근데|응|아)?\s*(?:나|난|나는|저는|내\s*거|내\s*기록)(?:은|는|요|도)?\W*")
"""And I? after another child."""
_REALLY: Final = re.compile(r"(?:진짜|정말|레알|참말)(?:로|야|이야|요)?\W*")
_HOW_KIND_GOES: Final = re.compile(r"(?:그럼|나|난|내)?\s*[가-힣 ]{1,12}\s*(?:어때|어떤데|어떤지)(?:\s*보여\s*줘)?\W*")
"""How does a kind go? 받아내림은 어때?"""
_WHY_DO_IT: Final = re.compile(r"왜\s*(?:해야|하는|배워|배우|공부)")
_HARD_TO_BEAR: Final = frozenset(
    {"test_result", "scolded", "many_wrong", "sad", "cannot", "nervous", "home_sad", "fail_fear", "quarrel", "teased"}
)
_RESULT_SAID: Final = frozenset({"solve", "why_wrong", "judge", "why_given", "column"})
_WHAT_THEN: Final = re.compile(
    r"\W*(?:그럼|그러면|그래서|아니)\s*(?:답[은이]?|진짜\s*답은?)?\s*(?:뭔데|뭐야|뭐지|몇이야|얼마야|몇인데)(?:요)?\W*"
)
"""What does it come to then?"""
_OF_THAT_TIME: Final = re.compile(r"\W*(?:그때|그날|그\s*날)\S{0,2}\s.*(?:틀|맞)")
_HOW_FOUND: Final = re.compile(r"어떻게\s*(?:푼|한\s*거|한거|구한|구했|나온|나왔|계산한|계산했|풀었)")
"""How was that worked out?"""
_WHAT_NOW: Final = re.compile(
    r"(?:나|난|그럼|이제|아|진짜|\s)*(?:어떡해|어떡하지|어떡함|어떻게\s*해|어쩌지|어째|우짜|어카지)\S{0,3}\W*"
)
"""What am I to do? after something that is hard to bear."""
_ON_TURNED: Final = frozenset({"number_talk", "turned_records", "study_how"})
_HOW_OFTEN: Final = re.compile(r"자주|몇\s*번|얼마나|기록|많이")
_HOW_MENDED: Final = re.compile(r"고치|고쳐|방법|도와|어떻게|연습|읽|소리|말하|쓰게")
_WHAT_IS_THAT: Final = re.compile(
    r"(?:근데|그럼|엥|어)?\s*(?:그게|그건|이게|그거|그거는)?\s*(?:뭔데|뭐야|뭐지|뭐예요|뭐에요|뭔\s*소리야|무슨\s*[말뜻]이?야|뭔가)(?:요)?\W*"
)
_ONE_MORE_TOLD: Final = re.compile(
    r"\W*(?:또|하나|한\s*개|다른|더|그럼|응|이야기|얘기|거|것|해|말해|들려|줘|\s)+(?:요)?\W*"
)
"""One more of what was told."""
_WHY_NONE: Final = re.compile(r"(?:근데|그럼|엥)?\s*왜\s*(?:없|아무것도\s*없|안\s*나)\S*\W*")
_WHERE_LOST: Final = re.compile(r"어디서?\s*(?:까였|깎였|깎인|까먹었|틀렸|틀린|놓쳤|나갔)|뭐\s*(?:틀렸|틀린\s*거)")
_NAMES_KIND: Final = frozenset(
    {"missed_many", "weak", "count", "how_am_i", "recommend", "give_problem", "study_how", "forgetting"}
)
"""Asks whose answer names a kind of problem."""
_COUNTS: Final = frozenset({"count", "days", "day_summary"})


def follow_up(message: str, board: Board, asks: Asks, basics: Basics, *, adult: bool) -> str | None:
    """What a few words are about, by what the coach itself said last: the kind of problem that it named, the
    records that there were none of, the mistakes that it counted."""
    before, said = board.get("ask", ""), message.strip()
    told_none = board.get("times", {}).get("no_records", 0) and asks.of_records(before)
    if told_none and _WHY_NONE.fullmatch(said):
        return "why_no_records"
    turned = board.get("topic", {}).get("about") == "turned" and before in _ON_TURNED
    if adult and turned and len(said) < 2 * _SHORT:
        return "turned_records" if _HOW_OFTEN.search(said) else "study_how" if _HOW_MENDED.search(said) else None
    named = board.get("kind") and before in _NAMES_KIND and not board.get("concept")
    if not adult and named and not basics.named_in(said) and _WHAT_IS_THAT.fullmatch(said):
        return "easier"
    if not adult and kinds_in(said) and _HOW_KIND_GOES.fullmatch(said):
        return "how_am_i"
    if before in ("strong", "weak", "how_am_i") and _REALLY.fullmatch(said):
        return "evidence"
    if before == "tell_story" and _ONE_MORE_TOLD.fullmatch(said):
        return before
    if _WHERE_LOST.search(said) and not read_expressions(message):
        return "missed"
    return None if adult or read_expressions(message) else _of_child(said, board)


def _of_child(said: str, board: Board) -> str | None:
    """What a child asks by what was said last: whether it is good at a kind, a problem that is harder still, how
    something was worked out, what it is to do."""
    before = board.get("ask", "")
    if WELL.search(said) and len({*operations_in(said)}) == 1:
        return "how_am_i"
    if before in _OTHER_SIZES and len(said) < _SHORT and (size := _size_wished(said, before)):
        return size
    if before in ("others", "others_why"):
        of_self = _OF_SELF.fullmatch(said)
        return "how_am_i" if of_self else "others_why" if act_of(said) == "why" else None
    if before in ("do_not_want", "hate_math") and _WHY_DO_IT.search(said):
        return "why_math"
    asks_result = before in _RESULT_SAID and _WHAT_THEN.fullmatch(said)
    if board.get("expression") and (asks_result or _HOW_FOUND.search(said)):
        return "easier"
    if before in _COUNTS and _OF_THAT_TIME.match(said):
        return "count"
    return "what_now" if before in _HARD_TO_BEAR and _WHAT_NOW.fullmatch(said) else None


def _size_wished(said: str, before: str) -> str:
    """A harder or an easier problem than the one that was just given; "" for something else."""
    if _TOO_EASY.search(said):
        return "harder"
    if _TOO_HARD.search(said):
        return "easier_problem"
    return before if _STILL_MORE.search(said) else ""

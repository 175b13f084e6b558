"""What a message to the assistant asks: of the records, of what is written, or more of what was spoken of last."""

import re
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.adults.message_kinds import MessageKind
from maththera.chat.assistant.advice_answers import AnswerBook, Asked, ToldOf
from maththera.chat.assistant.subjects import (
    EVIDENCE,
    FEW_MISTAKES,
    FIRST,
    HOME,
    NO_RECORDS,
    ONE,
    OWN,
    SERIOUS,
    SHOWN,
    TIME,
    WHY,
    Kind,
)
from maththera.chat.config import FollowUps
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.messages.wishes import wishes_in
from maththera.chat.records.record_question import Told
from maththera.chat.records.record_reader import is_as_much, is_of_the_others
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject

RECORDS: Final = "records"
"""The part of the board that has the question about records of the turn before."""
ADVICE: Final = "advice"
"""The part that has the advice of the turn before."""
PAPERS: Final = "papers"
"""The part that has the answer that named papers; "" where that is the answer of the turn before."""
SUBJECT: Final = "subject"
"""The part that names what was spoken of (configs/chat/assistant/subjects.yaml)."""
_OPERATIONS: Final = {"+": "add", "-": "subtract", "x": "times", "/": "divide"}
_CARRYING: Final = {"+": "carry", "-": "borrow"}
_CAUSES: Final = {"BORROW": "borrow", "SUBTRACTION_COMMUTES": "borrow", "CARRY": "carry", "FINGER": "fingers"}
"""Parts of the tags of causes → what helps against them."""
_OWN_CHILD: Final = re.compile(
    r"우리|저희|(?:아이|애|딸|아들|손주|손녀|손자)[가는도]|얘|걔|이 ?(?:정도|학생|아이|애|친구)(?![가-힣]*들)"
)
_CHILD: Final = re.compile("(?:우리|저희) ?(?:아이|애|딸|아들|손주|손녀|손자)[가는]")
_ASKED_BACK: Final = "asked_back"
"""The part that says that the turn before offered what can be asked."""
_BESIDE: Final = "beside"
"""Of the advice on the board: whether it was told after the records."""
_EASIER: Final = "easier"
_TRAININGS: Final = "trainings"
_TIMES: Final = ("seconds", "median", "minutes")
LETTER: Final = "letter"
"""The wish of the records for a letter to a guardian."""
_DIAGNOSIS, _SAME = "diagnosis", "same"
_CLASS: Final = re.compile("(?:우리|저희) ?(?:반|학급)")
_LESSON: Final = re.compile("반(?:은|에서|이|을|에|엔)?(?=[ ?]|$)|학급|수업|차시")
"""Words of what is meant of a class."""
_AMONG: Final = re.compile("그 ?중|이 ?중")
"""Words by which a message asks of the rows that were told."""
_OF_EACH: Final = re.compile(
    "한눈|한꺼번|한번에|각자|각각|별로|마다|모두|전체|정리|요약|(?:누가|누구에게|누구한테) (?:뭘|무엇|무슨|어떤)"
)
"""Words of what is wanted of every child, not only of whom to look at first."""
_OF_OTHERS: Final = re.compile(r"[은는](?:요)?\s*[?？]?\s*$")
"""What a message ends in that asks the same of other answers: "받아내림 있는 뺄셈은요?"."""
_TO_DO: Final = re.compile(
    r"(?:집|가정|댁)에서|어떻게\s*(?:도와|가르|지도|해\s*주)|(?:뭘|무엇을?|뭐를?)\s*(?:해|봐|시키|시켜|도와)|할\s*(?:것|거|일)|지도\s*방법|가르치는\s*(?:법|방법)"
)
"""Words of a wish for what to do with a child."""
_OF_ANSWERS: Final = ("problems", "given")
_TELL_WHAT_TO_DO: Final = ("trainings", "first", "letter")
"""Wishes of the records that tell what to do."""
_DECLINED: Final = ("others", "erasing", "diagnosis", "unknown_child")
"""Faults of questions about records that are told whatever else a message may want."""
_FEW_WORDS: Final = 10
_FEW: Final = 0.05
"""The share of wrong answers up to which a mistake is no reason to worry."""
_OTHER_ANSWERS: Final = 18
"""Letters of such a message."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A message as a `question` about records and as one with a written answer; `named`: it names a learner; `unread`:
    it is none of them, and nothing else that is known."""

    question: JsonObject | None
    asked: Asked | None
    named: bool = False
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Sought:
    """What is asked more of a `subject`; `known`: an answer of its own is written."""

    kind: str
    rule: Kind
    subject: str
    known: bool


@dataclass(frozen=True, slots=True)
class MessageReader:
    records: RecordQuestions
    advice: AnswerBook
    follow_ups: FollowUps

    async def read(self, message: str, board: JsonObject, asker: Asker, kind: MessageKind | None = None) -> Meaning:
        """What a message asks after the turn before. One that asks of records and of what is written is answered from
        the records where it counts something, and from both where it names a learner. `kind`: what it surely wants."""
        if (both := await self._figures_and_help(message, board, asker)) is not None:
            return both
        meaning = await self._read(message, board, asker)
        meaning = await self._of_kind(message, meaning, board, asker, kind) if kind else meaning
        asked, last = meaning.asked, board.get(ADVICE)
        if asked and last and meaning.question is None and asked.name == last["name"] and not last[_BESIDE]:
            subject = await self.subject(board, asker)
            other = self.advice.going_on(message)[0] in (*SHOWN, _EASIER) and self.advice.shown_otherwise(
                asked, subject
            )
            return replace(meaning, asked=other or self.advice.told_again(asked, subject))
        return meaning

    async def _figures_and_help(self, message: str, board: JsonObject, asker: Asker) -> Meaning | None:
        """Two wishes in one message, for figures of a child and for what to do: "몇 개 틀렸고 집에서 뭘 해 줘요?" None
        for another message."""
        *figures, help_ = wishes_in(message)
        if not figures or not _TO_DO.search(help_) or _TO_DO.search(" ".join(figures)):
            return None
        before = board.get(RECORDS) if _of_records(board) else None
        question, named = await self.records.read(asker, " ".join(figures), before)
        if question is None or question["fault"] or question["wish"] == LETTER or len(question["children"]) > 1:
            return None
        asked = self.advice.behind(HOME, await self._of_mistakes(question, asker), None)
        return Meaning(question, asked, named) if asked and not asked.near else None

    async def _of_kind(
        self, message: str, meaning: Meaning, board: JsonObject, asker: Asker, kind: MessageKind
    ) -> Meaning:
        """What a message asks without that which single words of it point to and its kind rules out."""
        question, asked = meaning.question, meaning.asked
        if kind == "records":
            if question is not None or (asked is not None and (asked.goes_on or (asked.certain and not asked.served))):
                return meaning
            read, named = await self.records.read(asker, message, board.get(RECORDS))
            known = read is not None and not read["fault"]
            return Meaning(read, None, named) if known else meaning
        if question is None or meaning.named or question["fault"] in _DECLINED:
            return meaning
        if kind == "advice" and question["wish"] in _TELL_WHAT_TO_DO:
            return meaning
        if kind in ("advice", "service"):
            served = kind == "service"
            if asked is not None:
                return replace(meaning, question=None) if served and asked.served else meaning
            written = self.advice.likeliest(message, served=served)
            return replace(meaning, question=None, asked=written) if written else meaning
        return meaning if kind == "make" else replace(meaning, question=None)

    async def _read(self, message: str, board: JsonObject, asker: Asker) -> Meaning:  # noqa: C901 - in order
        answered, before = board.get(ADVICE), board.get(RECORDS)
        if before and (is_of_the_others(message) or is_as_much(message)):
            question, named = await self.records.read(asker, message, before)
            if question and not question["fault"]:
                return Meaning(question, None, named)
        asked = self.advice.find(message, answered or _record_topics(before))
        question, named = await self.records.read(asker, message, before if _of_records(board) else None)
        if asker.principal.role == "guardian" and await self.records.names_another(asker, message):
            return Meaning(self.records.of_others(), None, named)
        if question and question["fault"] == "unknown_child":
            return Meaning(question, None, named)
        told_of = self.advice.told_of(message)
        if told_of and not (question and _is_narrow(question, before or {}, told_of.records)):
            if told := await self._told_of(message, told_of, board, asker, named=named):
                return told
            asked = None if asked and board and asked.name == told_of.name else asked
        if asked and asked.everyday and asked.clear and await self._is_everyday(message, asked, question, board, asker):
            of_child = self.advice.is_of_child(asked.name)
            overview = await self.records.again(asker, message, None, "overview") if of_child else None
            return Meaning(overview, asked, named)
        if question and question["wish"] == LETTER and not question["fault"] and self._is_of_letter(message):
            return Meaning(question, None, named)
        meaning = Meaning(question, asked, named)
        if gone_on := await self._gone_on(message, meaning, board, asker):
            return gone_on
        meant = named or _CHILD.search(message) is not None
        if answered and question and asked is None and not (meant or _of_records(board)) and _is_bare(question):
            return Meaning(None, None, named)  # what goes on with an answer is about no records
        if question is None and asked is None and answered:
            meaning = Meaning((await self.records.read(asker, message, before))[0], None, named)
        meaning = await self._one_of_both(message, meaning, board, asker)
        if meaning.question and not meaning.asked and _is_of_cause(meaning.question):
            subject = await self._of_mistakes(meaning.question, asker)
            return replace(meaning, asked=self.advice.behind(WHY, subject, None))
        known = meaning.question or meaning.asked
        return meaning if known else replace(meaning, asked=self.advice.of_named(message))

    async def _told_of(
        self, message: str, told_of: ToldOf, board: JsonObject, asker: Asker, *, named: bool
    ) -> Meaning | None:
        """What the records tell in the place of a written answer, as of what a child could do next, and what to do at
        home where that was just told; None where it is meant of no child."""
        before = board.get(RECORDS)
        if before and before["by"] not in (None, "child") and _AMONG.search(message):
            return None
        of_advice = before is None and bool({ADVICE, PAPERS, SUBJECT}.intersection(board))
        if of_advice and not (named or _LESSON.search(message) or _OWN_CHILD.search(message)):
            return None
        lesson = _LESSON.search(message) is not None and not named
        told = await self.records.told_of(
            asker, message, None if lesson else before, told_of.records, if_none=lesson or told_of.of_class
        )
        if told and told["wish"] == FIRST:
            told = {**told, "summed": _OF_EACH.search(message) is not None}
        if told is None or told != before:
            return Meaning(told, None, named) if told else None
        more = self.advice.behind(HOME, await self._of_mistakes(told, asker), None)
        return Meaning(None, more, named) if told_of.records == _TRAININGS else None

    async def _is_everyday(
        self, message: str, asked: Asked, question: JsonObject | None, board: JsonObject, asker: Asker
    ) -> bool:
        """Whether a message that an everyday answer is found for wants neither answers of the records nor, in a few
        words, more of what was spoken of."""
        kind = self.advice.going_on(message)[0]
        own = bool(kind) and bool(self.advice.subjects.own_answer(await self.subject(board, asker), kind))
        if asked.certain or (own and kind in SHOWN):
            return not (own and kind in SHOWN)
        if question and (question["wish"] in _OF_ANSWERS or (asked.counted and question["measure"])):
            return False
        return not (own and len(message) <= _FEW_WORDS)

    def _is_of_letter(self, message: str) -> bool:
        """Whether a message wants a letter, or the one before otherwise."""
        kind = self.advice.going_on(message)[0]
        return not kind or (self.records.asks_for_letter(message) and not self.advice.subjects.kinds[kind].alone)

    async def _gone_on(self, message: str, meaning: Meaning, board: JsonObject, asker: Asker) -> Meaning | None:
        """A message that asks more of what was spoken of: what the records tell of it, and the written answer; None for
        another, and where neither is known."""
        kind = self._kind(message, meaning, board)
        if not kind:
            return None
        rule = self.advice.subjects.kinds[kind]
        subject = await self._spoken_of(message, meaning, board, asker, rule)
        if kind == SERIOUS and await self._are_few(meaning.question or board.get(RECORDS), asker):
            subject = FEW_MISTAKES
        own = self.advice.subjects.own_answer(subject, kind)
        if not own and (rule.alone or _of_records(board)):
            own = self.advice.subjects.only_behind(subject, kind)
        told = await self._told(message, meaning, board, asker, Sought(kind, rule, subject, bool(own)))
        if told and kind == FIRST and board.get(RECORDS, {}).get("wish") == FIRST:
            told = {**told, "short": True}  # of those that were told
        if told and (rule.instead or (kind == OWN and self.advice.subjects.is_of_errors(subject))):
            deeper = kind == WHY and own and _tells_causes(board.get(RECORDS) or {})
            return Meaning(told, self.advice.behind(kind, subject, None) if deeper else None, meaning.named)
        by_itself = meaning.asked is not None and meaning.asked.clear and kind not in (EVIDENCE, ONE)
        if told is None and ((meaning.named and not rule.alone) or (by_itself and not own)):
            return None
        asked = self.advice.behind(kind, subject, board.get(ADVICE))
        if asked and asked.near and (told or meaning.question):
            asked = None
        return Meaning(told, asked, meaning.named) if told or asked else None

    async def _spoken_of(self, message: str, meaning: Meaning, board: JsonObject, asker: Asker, rule: Kind) -> str:
        """The subject that a message asks more of. One of a kind that stands alone may name it, or a learner."""
        if rule.alone and (named := self.advice.subjects.named(message)):
            return named
        subject = await self.subject(board, asker)
        if rule.alone and (meaning.named or not subject):
            of_child = await self.records.again(asker, message, None, "why")
            return await self._of_mistakes(of_child, asker) if of_child else ""
        return subject

    def _kind(self, message: str, meaning: Meaning, board: JsonObject) -> str:
        """What a message asks more of what was spoken of; "" where nothing was, and for what asks for other records."""
        kind, counted = self.advice.going_on(message)
        alone = bool(kind) and self.advice.subjects.kinds[kind].alone
        if not alone and (PAPERS in board or not {RECORDS, ADVICE, SUBJECT}.intersection(board)):
            return ""
        if not alone and not {RECORDS, ADVICE}.intersection(board) and self.follow_ups.kind(message):
            return ""  # "왜?" asks the same again of a term
        of_other_rows = _AMONG.search(message) and board.get(RECORDS, {}).get("by") not in (None, "child")
        if (kind == ONE and ADVICE not in board) or (kind == FIRST and of_other_rows):
            return ""
        question = meaning.question if _of_records(board) else None
        if question and question["fault"] == "others":
            return kind if _is_of_errors(board[RECORDS]) else ""
        return "" if question and counted and not question["fault"] else kind

    async def _told(
        self, message: str, meaning: Meaning, board: JsonObject, asker: Asker, sought: Sought
    ) -> JsonObject | None:
        """The question about records that goes before an answer, or in its place; None for none."""
        before, answered, question, rule = board.get(RECORDS), board.get(ADVICE), meaning.question, sought.rule
        if sought.subject == TIME and sought.known:
            return None
        of_records = _of_records(board)
        if before and answered and rule.instead and not sought.known:
            of_records = of_records or answered["name"] not in self.advice.help.answers
        counts = of_records and sought.subject not in (TIME, NO_RECORDS)
        if question and counts and not question["notes"] and question["fault"] != _SAME:
            if question["wish"] == rule.instead:
                return question
            if question["wish"] == _TRAININGS:
                return question if sought.subject == await self._of_mistakes(question, asker) else None
        if sought.kind == OWN and not meaning.named and _CLASS.search(message):
            return await self.records.again(asker, message, None, "first")
        if rule.alone and rule.instead and not before:
            return await self.records.again(asker, message, None, rule.instead)
        wish = rule.records or (rule.instead if counts else None)
        if wish and (of_records or meaning.named or _OWN_CHILD.search(message)):
            return await self.records.again(asker, message, before, wish)
        return None

    async def _one_of_both(self, message: str, meaning: Meaning, board: JsonObject, asker: Asker) -> Meaning:
        """A message that may be about records or answered from what is written, as one of them or both."""
        asked = meaning.asked
        if asked and asked.clear and not meaning.named and self.advice.tells_how_common(asked, message):
            return Meaning(None, asked, meaning.named)
        told = await self._of_a_child(message, meaning, board.get(RECORDS), asker)
        return told or _either(message, meaning, board)

    async def _of_a_child(
        self, message: str, meaning: Meaning, before: JsonObject | None, asker: Asker
    ) -> Meaning | None:
        """A message whose answer is about a child that it means: what the child's records tell goes before; None for
        another."""
        asked, question = meaning.asked, meaning.question
        clear, own = asked is not None and asked.clear, meaning.named or _OWN_CHILD.search(message) is not None
        in_general = asked is not None and (clear or (asked.sure and not asked.served))
        if question and question["fault"] == _DIAGNOSIS and question["children"] and (own or not in_general):
            subject = await self._of_mistakes(question, asker)
            kind = SERIOUS if self.advice.going_on(message)[0] == SERIOUS else OWN
            if kind == SERIOUS and await self._are_few(question, asker):
                subject = FEW_MISTAKES
            told = await self.records.again(asker, message, question, "why")
            return Meaning(told, self.advice.behind(kind, subject, None), meaning.named)
        if asked is None or not (clear and own):
            return None
        if (wish := self.advice.subjects.records(asked.name)) is None:
            return None
        of_all = question and {**question, "only": {**question["only"], "causes": [], "cause_said": ""}}
        return Meaning(await self.records.again(asker, message, of_all or before, wish), asked, meaning.named)

    async def subject(self, board: JsonObject, asker: Asker) -> str:
        """What was spoken of last: of records the commonest cause of mistakes."""
        if SUBJECT in board or not _of_records(board):
            return str(board.get(SUBJECT, ""))
        if board[RECORDS]["measure"] in _TIMES:
            return TIME
        return await self._of_mistakes(board[RECORDS], asker)

    async def _of_mistakes(self, question: JsonObject, asker: Asker) -> str:
        """The subject of the answers that a question is about."""
        if (bound := question["bound"]) and bound["measure"] == "answered" and not (bound["above"] or bound["value"]):
            return NO_RECORDS
        return self.advice.subjects.of_records(*await self.records.mistakes(asker, question))

    async def _are_few(self, question: JsonObject | None, asker: Asker) -> bool:
        """Whether of the answers of the one child that a question is about hardly any are wrong."""
        if question is None or len(question["children"]) != 1 or question["fault"] not in (None, "", _DIAGNOSIS):
            return False
        answered, wrong, _ = await self.records.mistakes(asker, question)
        return 0 < wrong <= _FEW * answered

    async def near(self, message: str, board: JsonObject, asker: Asker) -> Asked | None:
        """What can be asked of what was spoken of last, for a message of which nothing is known; not twice in a row."""
        if board.get(_ASKED_BACK):
            return None
        subject = await self.subject(board, asker)
        return self.advice.near(message, subject, of_records=_of_records(board) and subject != NO_RECORDS)

    async def board(self, message: str, meaning: Meaning, before: JsonObject, asker: Asker) -> JsonObject:
        """What the next turn may go on with. Advice stands beside the records that were asked for before it. `before`:
        the board of the turn before."""
        question, asked = meaning.question, meaning.asked
        if meaning.unread or (asked and asked.near):
            kept = {name: part for name, part in before.items() if name not in (PAPERS, SUBJECT)}
            subject = self.advice.subjects.named(message) or str(before.get(SUBJECT, ""))
            return {**kept, **({SUBJECT: subject} if subject else {}), _ASKED_BACK: asked is not None}
        subject = "" if question and not asked else await self.subject(before, asker)
        if asked and not asked.goes_on:
            subject = self.advice.subject(asked, message, subject)
        elif not (asked or question):
            subject = self.advice.subjects.named(message) or subject
        board: JsonObject = {SUBJECT: subject} if subject else {}
        if question or (asked and RECORDS in before):
            board[RECORDS] = question or before[RECORDS]
        if asked:
            board[ADVICE] = {**asked.board(), _BESIDE: question is not None}
        return board


def _of_records(board: JsonObject) -> bool:
    """Whether the answer before was of records."""
    return RECORDS in board and (ADVICE not in board or board[ADVICE][_BESIDE])


def _either(message: str, meaning: Meaning, board: JsonObject) -> Meaning:
    """What a message asks that may be about records or answered from what is written."""
    question, asked, named = meaning.question, meaning.asked, meaning.named
    if question is None or asked is None:
        return meaning
    if question["fault"] == _SAME or (asked.served and asked.certain):
        return Meaning(None, asked, named)
    same = _of_records(board) and {**question, "notes": []} == {**board[RECORDS], "notes": []}
    if same and asked.sure and not named:
        return Meaning(None, asked, named)
    of_others = _OF_OTHERS.search(message) is not None and len(message) <= _OTHER_ANSWERS
    own = named or _OWN_CHILD.search(message) is not None
    if (question["example"] and _of_records(board)) or (own and asked.served and _is_of_errors(question)):
        return Meaning(question, None, named)  # the child's own errors, not those that there are
    grouped = question["by"] if _of_records(board) and board[RECORDS]["by"] is None else None
    if grouped or (of_others and _of_records(board) and question["only"] != board[RECORDS]["only"]):
        return Meaning(question, None, named)
    answered, before = board.get(ADVICE), board.get(RECORDS)
    of_records = (before and not answered) or (asked.counted and (question["measure"] or question["fault"]))
    if not own and (asked.certain or (asked.clear and not of_records)):
        return Meaning(None, asked, named)
    if before and asked.served and question["measure"]:
        return Meaning(question, None, named)  # of the answers that were told of, not of the service
    if question["fault"] == _DIAGNOSIS and asked.sure and not own:
        return Meaning(None, asked, named)  # what is known of it, not whether a child has it
    counted = asked.counted or question["fault"] or question["wish"] == _TRAININGS
    if counted or not (asked.sure or answered):
        return Meaning(question, None, named)
    return Meaning(question if named and not asked.served else None, asked, named)


def _is_of_errors(question: JsonObject) -> bool:
    """Whether a question about records is about what was wrong, and why."""
    return question["wish"] in ("why", "problems", "certain", _TRAININGS) or question["by"] == "cause"


def _tells_causes(question: JsonObject) -> bool:
    """Whether the answer to a question about records told the causes of mistakes: more is asked of why."""
    return question.get("by") == "cause" or question.get("wish") == "why"


def _is_narrow(question: JsonObject, before: JsonObject, told: Told) -> bool:
    """Whether a message asks of a time, a group or a kind of answers that the question before was not about, or of
    others. The time of what is to be done next is none of the records."""
    if question["fault"] in ("others", "unknown_child", "absent", "erasing"):
        return True
    parts = ("bound", "rank") if told == _TRAININGS else ("spans", "bound", "rank")
    own = any(question[part] and question[part] != before.get(part) for part in parts)
    return own or (question["only"] != before.get("only") and any(question["only"].values()))


def _is_of_cause(question: JsonObject) -> bool:
    """Whether a question about records asks why one kind of mistake is made that it names."""
    return question["wish"] == "why" and bool(question["only"]["causes"]) and not question["fault"]


def _is_bare(question: JsonObject) -> bool:
    """Whether a question about records names no time, group or kind of answers."""
    said = any(question[each] for each in ("fault", "spans", "by", "bound")) or any(question["only"].values())
    return question["wish"] in ("figures", "problems", "why") and not said


def _record_topics(question: JsonObject | None) -> JsonObject | None:
    """What a question about records was about, as the topics of answers are called."""
    if question is None:
        return None
    only = question["only"]
    topics = [_CARRYING.get(op, "") if only["carries"] else _OPERATIONS[op] for op in only["operations"]]
    topics += [topic for word, topic in _CAUSES.items() if any(word in tag for tag in only["causes"])]
    return {"name": "", "topics": [each for each in topics if each]}

"""What a message asks, seen beside what was said before and the child's open task: one name for the planner."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import Expression, claim_in, read_expressions
from maththera.chat.coach.asks import FAINT, GENERAL, SURE, AskReader
from maththera.chat.coach.basics import Basics, asks_for_words, aspect_of
from maththera.chat.coach.brief_replies import short_follow_up
from maththera.chat.coach.charts import CHART
from maththera.chat.coach.childrens_spelling import as_usually_spelt
from maththera.chat.coach.column_replies import ColumnWord, column_words, states_step
from maththera.chat.coach.counting_talk import counting_word
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.follow_ups import follow_up
from maththera.chat.coach.intent_registry import (
    CONCEPT,
    DATA_LOOKUP,
    DECISION,
    MOTIVATION,
    OUT_OF_SCOPE,
    PROBLEM_SOLVING,
)
from maththera.chat.coach.learner_facts import kinds_in
from maththera.chat.coach.message_shapes import (
    EQUATION,
    asks_of_digits,
    comes_to,
    counted_others,
    exercise_of,
    guessed_number,
    named_people,
    names_days,
    problems_in_hand,
    product_named,
    sheet_place,
    table_named,
    wrong_result,
)
from maththera.chat.coach.number_talk import PUT_RIGHT, number_word
from maththera.chat.coach.record_replies import claimed_of_records
from maththera.chat.coach.set_phrases import another_try, counts_from, on_shown, set_phrase
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import found_step
from maththera.chat.coach.story_talk import asks_why_operation, story_goes_on, story_of, tells_other_story
from maththera.chat.coach.task_questions import (
    ABOUT_TASK,
    CONCLUDED,
    LINE,
    NOT_TAUGHT,
    PICTURE,
    START,
    TOGETHER,
    TOO_BIG,
    TOO_MUCH,
    goes_onward,
    guess_at,
    is_wrong_guess,
    question_on_task,
    same_value,
    written_turned,
)
from maththera.chat.coach.way_parts import linked_step, own_step
from maththera.chat.state import Utterance
from maththera.korean.numbers import numbers_in

HELP: Final = frozenset({
    "hint", "give_answer", "solve", "dont_know", "easier", "why", "picture", "again", "easier_way", "what_said",
    "other", "same_way", "more", "ordinal", "check_how", "concept", "evidence", "recommend", "insult", "can_do",
    "place",
} | GENERAL - {"feeling"})  # fmt: skip
"""What may be about the open task or the exercise."""
_HELP_WITH_EXERCISE: Final = frozenset(
    {"hint", "give_answer", "dont_know", "easier", "why", "solve", "more", "what_said"}
)
ACCEPTING: Final = frozenset({"agree", "same_way"})
"""Asks that take up what the coach offered, if it offered anything."""
_OF_RECORDS: Final = frozenset({"last_answer", "why_wrong", "count", "compare_ops", "missed", "slowest"})
_SIGNS: Final = re.compile(r"\d\s*[-+−–xX×*÷/]\s*[\d□(]|더하기|빼기|곱하기|나누기|□")
_WHICH_ONES: Final = re.compile(
    r"(?:그게|그건|그럼)?\s*(?:어떤|무슨|어느)\s*(?:거|것|게|문제|걸)\s*(?:야|요|인데|였어|틀렸어)*[?.! ]*"
)
"""Which were they? after a count."""
_HOW_MUCH: Final = re.compile(r"(?:근데|그럼|그래서)?\s*얼마나\s*(?:요|더|는데|많이)?\W*")
_ANOTHER: Final = re.compile(r"(?:그럼|그러면|그리고|근데|또)?\s*[가-힣 ]{1,12}[은는](?:요)?\s*[?!]*")
"""The same of something else: 그럼 곱셈은?"""
_OF_KINDS: Final = frozenset({"concept", "count", "how_am_i", "weak", "study_how", "give_problem", "compare_ops"})
_JOINED: Final = re.compile(r"(?<=[가-힣])(?:고|구)\s+|(?<=[거것걸])(?:랑|이랑|하고)\s*|,\s*|\s그리고\s")
_WISHES: Final = frozenset({
    "count", "days", "day_summary", "weak", "strong", "how_am_i", "change", "speed", "slowest", "recommend",
    "give_problem", "harder", "easier_problem", "study_how", "minutes", "home_help", "last_answer",
})  # fmt: skip
_PLACE: Final = re.compile(r"[일십백천]의?\s*자리")
_ONE_NUMBER: Final = re.compile(
    r"\W*(?:그럼|그러면|근데)?\s*\d+\s*(?:은|는|이|도|은요|는요|도요)?\s*(?:뭐\S*|뭔\S*|어때\S*)?\W*"
)
_BESIDE_PLACE: Final = re.compile(r"없|다음|옆|왼쪽")
_TOLD: Final = frozenset(
    {"concept", "why", "easier", "again", "more", "what_said", "telling", "place", "order_rule", "why_weak"}
    | {"solve", "evidence", "refuse", "react", "why_unknown", "agree", "allowed", "fail_fear"}
    | GENERAL
)
"""Asks of a message that names a basic and asks to be told of it."""
_GOES_ON: Final = frozenset({"concept", "why", "again", "more", "easier", "place", "what_said"})
"""Asks after which a short question is about the same word."""
_ON_TASK: Final = frozenset({
    "hint", "give_answer", "solve", "dont_know", "easier", "why", "picture", "again", "what_said", "more",
    "easier_way", "recommend", "my_task",
})  # fmt: skip
"""Asks of a message about the open task that a hint answers."""
_EXPLAINED: Final = frozenset({"picture", "again", "easier", "why", "what_said"})
"""Asks that want the problem in hand explained, rather than the next hint."""
_OF_SHOWN: Final = frozenset({"again", "what_said", "easier", "more", "why", "picture"})
"""Asks that are about what was explained last, rather than about the open task."""
_STEPS_SHOWN: Final = ABOUT_TASK | {"solve", "judge", "why_given", "exercise_help", "exercise_answer", "again", "more"}
"""Asks after which "what comes next" is about the columns."""
_MORE: Final = frozenset({"harder", "other", "more", "recommend", "give_problem", "react"})
"""Asks that 더 and 또 look like."""
_COUNTS: Final = frozenset({"count", "days", "day_summary"})
_ABOUT_CHILD: Final = re.compile(
    r"지도|도와|가르치|어려워|틀[리려렸린]|헷갈|못하지|못해|못할|어렵|괜찮|할\s*수\s*있|해도\s*[되돼될]"
)
"""Words of a question about teaching or mistakes, though it names a word of arithmetic."""
_NOT_WORDS: Final = re.compile(_ABOUT_CHILD.pattern + r"|번\s*째|문제")
_NOT_OF_PLACES: Final = re.compile(r"부터|올[린려라]")
"""Words of a message that names a place and asks for no meaning of it."""
_PREDICTS: Final = re.compile(r"(?:뭐|뭘|몇|머|어떻게)(?:이?라고|으로|로)?\s*(?:쓸|적을|답할|할까|낼|틀릴|풀까)")
"""What would this child write?"""
_WITH_EXAMPLES: Final = frozenset({"left_first", "split_minus"})
"""Kinds of talk that are told with a sum, another one each time."""
_EXAMPLE: Final = re.compile(r"보여|예시|예를|아무\s*(?:숫자|수|거)")
_OTHER_THINGS: Final = re.compile(r"(?:으로|로)\s*(?:바꿔|바꾸|해\s*줘|만들|하자)")
_SAME_OF: Final = re.compile(r"(?:[은는]|이?면)(?:요)?\W*$")
_WANTS_OTHER: Final = re.compile(r"줘|주세|주라|내|낼|바꿔|바꾸|다른|쉬운|쉽|말고")
"""Words of a wish for another problem."""
_OTHER_PROBLEMS: Final = frozenset({"harder", "give_problem", "easier_problem"})
_OF_PLANS: Final = frozenset({"minutes", "rest", "one_more_only", "cramming", "kept", "less", "allowed"})
"""Asks of how much is to be done, which a step with numbers looks like."""
_WORDS_TOLD: Final = frozenset({"concept", "place", "order_rule"})
_OF_PROBLEMS: Final = re.compile(r"문제|어려운|어렵게|하나\s*더|또\s*할|더\s*(?:할|풀)|연습")
_OF_COUNTS: Final = re.compile(
    r"기록|맞[았췄혔춘힌은]|틀|몇|얼마|문제|며칠|오늘|어제|그제|약[한점해]|잘|점수|연습|나아|늘었|빨[라리]|느[려리]|시간|통계|헷갈|나\s*어때|못하"
)
"""Words of a question about what the child did."""
_ALL_RIGHT: Final = re.compile(r"(?:다|전부|모두)\s*맞|하나도\s*안\s*틀")
"""All is right."""
_ASKS_HELP: Final = re.compile(r"힌트|모르|몰라|답|어떻게|어케|도와|어려")
_STUCK: Final = re.compile(r"헷갈|어렵|어려|막히|막혔|막혀|복잡")
"""The child does not get on."""
_LETTERS: Final = re.compile(r"\w")
_DONT_KNOW: Final = re.compile(
    r"(?:나|난|음+|아|글쎄|진짜|잘|도저히|하나도|그냥|\W)*(?:몰라|모름|모르겠\S{0,3}|ㅁㄹ|ㅁㄹㄹ)\W*[ㅠㅜㅋㅎ]*\W*"
)
"""Nothing is said but that one does not know."""
_PLAYERS: Final = re.compile(r"명|둘이|셋이|혼자|여럿|여러")
"""How many can play?"""
_PLAYED: Final = re.compile(r"놀이|게임|재미|재밌")
_RAISED: Final = re.compile(r"(?:얘기|이야기|말)\S*\s*(?:꺼내|해도|해야|하면|드려)")
"""May one speak of it?"""
_SHORT: Final = 12
_LIKELY: Final = 0.12
"""A share from which the records of a child are meant."""
_HELP_TOGETHER: Final = 0.4
"""The shares of all kinds of help, from which one is meant though none is sure; the task waits."""
_ONLY_SURE: Final = frozenset({"allowed", "same_way", "person", "as_story"})
"""Asks that a wrong reading would do harm to: a permission, an understanding, a way to somebody else, a story of what
is no thing."""
_OF_NUMBERS: Final = frozenset({
    "step", "column", "open_guess", "open_why", "open_found", "open_count", "exercise_answer", "story", "story_why",
    "judge", "why_given", "number_talk", "solve", "place", "which_operation", "others", "count_from",
})  # fmt: skip
"""Asks that the numbers of a message have been read for."""
_INTENT_OF: Final = {
    **dict.fromkeys((
        "open_guess", "open_help", "open_why", "open_found", "open_count", "open_easy", "exercise_answer",
        "exercise_help", "column", "in_columns", "story", "story_why", "judge", "why_given", "which_operation",
        "other_operation", "direction", "predict", "number_talk", "retry", "step", "so_far", "explain", "take_more",
        "not_seen", "count_from", "too_few", "shown_hint",
    ), PROBLEM_SOLVING),
    **dict.fromkeys(("which", "shorter", "hard_kind", "columns_how"), CONCEPT),
    **dict.fromkeys(("own_scolding", "annoyed", "what_now"), MOTIVATION),
    "only_kind": DECISION, "record_claim": DATA_LOOKUP, "others_why": DATA_LOOKUP, "unclear": OUT_OF_SCOPE,
}  # fmt: skip
"""What is read by rules and is no ask of asks.yaml → its intent."""


@dataclass(frozen=True, slots=True)
class TurnReading:
    """`ask`: a name of asks.yaml, or one of: open_guess, open_help, exercise_answer, exercise_help, column, story,
    judge, why_given, number_talk, which, unclear. `names`: names of other people in the message; `also`: a second ask
    in it; `sure`: it was not guessed from little."""

    ask: str
    names: tuple[str, ...] = ()
    also: str = ""
    sure: bool = True


class TurnReader:
    def __init__(self, asks: AskReader, basics: Basics) -> None:
        self._asks, self._basics = asks, basics

    def intent(self, ask: str, board: Board, known: Collection[str]) -> str:
        """The intent that an ask shows; that of the turn before for a follow-up."""
        if ask in _INTENT_OF:
            return _INTENT_OF[ask]
        one, before = self._asks.asks.asks.get(ask), board.get("intent")
        goes_on = one is not None and one.follow and before in known and before != OUT_OF_SCOPE
        return before if goes_on and before is not None else self._asks.asks.intent(ask)

    def recalled(self, history: Sequence[Utterance]) -> Board:
        """What can be told of the last question and answer where nothing else is kept, as of a client that sends the
        conversation itself."""
        if len(history) < 2:
            return {}
        asked, told = history[-2]["text"], history[-1]["text"]
        ask = self.read(asked, {}, [], wants_open=False).ask
        board: Board = {"ask": ask, "intent": self.intent(ask, {}, ())}
        shown = read_expressions(asked) or read_expressions(told)[:1]
        if ask == "concept":
            board["concept"] = asked
        elif shown:
            board["problem" if ask == "give_problem" else "expression"] = shown[0].text
        elif kinds := kinds_in(asked):
            board["kind"] = kinds[-1]
        return board

    def read(  # noqa: PLR0913 - what is said, and where
        self,
        message: str,
        board: Board,
        opened: Sequence[Problem],
        *,
        wants_open: bool,
        own: Collection[str] = (),
        learning: bool = True,
        adult: bool = False,
    ) -> TurnReading:
        """`wants_open`: the message is about an open task; `own`: the learner's names; `learning`: it has a word of
        learning; `adult`: an adult asks. Numbers that are a child's working with its task are never taken for talk."""
        message = message if adult else as_usually_spelt(message)
        reading = self._reading(message, board, opened, wants_open=wants_open, own=own, learning=learning, adult=adult)
        if adult or reading.ask in _OF_NUMBERS:
            return reading
        in_hand = problems_in_hand(board, opened)
        return TurnReading("step") if any(linked_step(one, message, board) for one in in_hand) else reading

    def _reading(  # noqa: PLR0913 - what is said, and where
        self,
        message: str,
        board: Board,
        opened: Sequence[Problem],
        *,
        wants_open: bool,
        own: Collection[str],
        learning: bool,
        adult: bool,
    ) -> TurnReading:
        follows = bool(board.get("ask"))
        ask, reading_is_sure = self._asked(
            message,
            board,
            follows=follows or bool(opened),
            learning=learning,
            waits=bool(opened or board.get("problem")),
            adult=adult,
        )
        expressions = read_expressions(message)
        predicts = "predict" if adult and expressions and self._predicts(message, board) else None
        talk = number_word(message, board, opened)
        put_right = "number_talk" if talk is not None and talk.key in PUT_RIGHT else None
        claims = "record_claim" if adult and not expressions and claimed_of_records(message) is not None else None
        follow_up = "" if adult else short_follow_up(message, board, opened, feelings=self._felt(board))
        own_words = None if adult else another_try(message, board, opened) or self._own_way(message, board, opened)
        fixed = predicts or claims or follow_up or own_words
        fixed = fixed or self._story(message, board, expressions) or goes_onward(message, board, opened)
        if (fixed := fixed or put_right or question_on_task(message, board, opened)) is not None:
            return TurnReading(fixed)
        spoken = "number_talk" if talk is not None else self._spoken(message, board, opened, own, adult=adult)
        if spoken:
            return TurnReading(spoken)
        if (on_step := self._on_step(message, ask, board, opened, sure=reading_is_sure)) is not None:
            return TurnReading(on_step)
        names = named_people(message, own) or (
            () if adult or expressions or kinds_in(message) else counted_others(message, own)
        )
        about = ask == "others" or self._asks.asks.of_records(ask) or len(message) < _SHORT
        if ask == "others" or (names and not expressions and about):
            return TurnReading("others", names)
        ask = "how_am_i" if CHART.search(message) and not self._asks.asks.of_records(ask) else ask
        sure = reading_is_sure and ask not in HELP
        unknown = ask == "which" or (ask == "ordinal" and not reading_is_sure)
        of_words = "telling" if unknown and not adult else ask
        if (said := self._on_words(message, of_words, board, expressions, sure=sure)) is not None:
            return TurnReading(said)
        found = self._on_exercise(message, ask, board, opened, expressions, sure=sure) or self._on_columns(
            message, board, opened, sure=sure, wants_open=wants_open
        )
        found = found or self._why_given(message, board, opened, expressions, adult=adult)
        found = found or self._on_open(message, ask, board, opened, wants_open and not sure)
        if found is not None:
            return TurnReading(found)
        same = self._of_adults(message, ask, board) if adult else None
        if (same := same or self._same_of_another(message, ask, board)) is not None:
            return TurnReading(same)
        if expressions and ask != "compare_ops":
            about_records = ask in _OF_RECORDS and sure and (_SIGNS.search(message) or "내가" in message)
            return TurnReading(ask if about_records else "solve")
        waits = board.get("expression") or board.get("story")
        told = guessed_number(message) if waits else None
        told = comes_to(message, board.get("expression")) if waits and told is None else told
        if told is not None and ask not in ("count", "days", "weak"):
            return TurnReading("why" if "왜" in message else "judge")
        beside = self._beside_task(ask, message) if opened and not adult else ask
        beside = "which" if beside == "as_story" and act_of(message) in ("amount", "what", "part") else beside
        ask = self._or_stuck(beside, message, board, opened)
        return self._two_wishes(message) or TurnReading(ask, sure=reading_is_sure)

    def _spoken(
        self, message: str, board: Board, opened: Sequence[Problem], own: Collection[str], *, adult: bool
    ) -> str:
        """What is asked in words that are nearly always meant alike, beside what was said last; "" for other words."""
        shown = board.get("expression") or board.get("concept")
        if not adult and not shown and problems_in_hand(board, opened) and _DONT_KNOW.fullmatch(message):
            return "exercise_help" if board.get("problem") else "open_help"
        found = follow_up(message, board, self._asks.asks, self._basics, adult=adult)
        found = found or on_shown(message, board, opened)
        found = found or set_phrase(message, board, opened, own, adult=adult)
        return found or ("" if read_expressions(message) else self._clear_talk(message, adult=adult))

    def _felt(self, board: Board) -> bool:
        """Whether the turn before was talk of how the child feels."""
        before = board.get("ask", "")
        return self._asks.asks.is_talk(before) and self._asks.asks.intent(before) == MOTIVATION

    def is_clear(self, ask: str) -> bool:
        """Whether an ask is a kind of talk whose words are nearly always meant alike."""
        one = self._asks.asks.book.talk.get(ask)
        return one is not None and one.clear

    def _clear_talk(self, message: str, *, adult: bool) -> str:
        """The kind of talk whose words are nearly always meant alike; "" for other words."""
        found = self._asks.asks.book.found(message, adult=adult, clear=True)
        return "" if found is None else found.name

    @staticmethod
    def _own_way(message: str, board: Board, opened: Sequence[Problem]) -> str | None:
        """Whether a child tells of its own way with the problem in hand, or asks for help with one of several."""
        if tells_other_story(message, problems_in_hand(board, opened)):
            return None
        if sheet_place(message, board) is not None and _ASKS_HELP.search(message):
            return "exercise_help"
        if counts_from(message, opened):
            return "count_from"
        values = {one.value for one in numbers_in(message)} | {one.value for one in read_expressions(message)}
        if any(one.answer in values for one in opened[1:]):
            return None  # of another open task
        if any(is_wrong_guess(one, message, board) or written_turned(message, one) for one in opened[:1]):
            return None
        return "step" if own_step(problems_in_hand(board, opened), message, board) is not None else None

    def _on_step(self, message: str, ask: str, board: Board, opened: Sequence[Problem], *, sure: bool) -> str | None:
        """Whether a step of the problem in hand is told or asked about, or the problem is to be explained."""
        in_hand = problems_in_hand(board, opened)
        if not in_hand or (wanted := self._help_at_once(message, board, in_hand[0])):
            return wanted if in_hand else None
        if any(counting_word(one, message) is not None for one in in_hand):
            return "step"
        of_records = (self._asks.asks.of_records(ask) and sure and _OF_COUNTS.search(message)) or ask == "others"
        guessed = any(is_wrong_guess(one, message, board) for one in opened[:1])
        if (
            (not of_records or read_expressions(message))
            and not guessed
            and any(found_step(one, message) is not None for one in in_hand)
        ):
            return "step"
        found = board.get("found", {})
        if TOGETHER.search(message) and any(len(found.get(one.expression, ())) > 1 for one in in_hand):
            return "step"
        act, named = act_of(message), self._basics.named_in(message)
        on_line = LINE.search(message) is not None and act != "what"
        of_words = not on_line and any(not name.startswith("0") and not name.endswith("자리") for name in named)
        about_step = act in ("why", "how") or "0" in message or ask in _EXPLAINED
        if about_step and not of_words and any(column_words(one, message) for one in in_hand):
            return "column"
        untaught = NOT_TAUGHT.search(message) is not None and ask in ("cannot", "hint", "dont_know", "solve")
        of_table = any(
            one.op in "x/" and (table_named(message) in (one.a, one.b) or product_named(message, one))
            for one in in_hand
        )
        if ask in ("times_tables", "forgetting") and of_table:
            return "exercise_help" if board.get("problem") else "open_help"
        if opened and (untaught or TOO_BIG.search(message)) and not read_expressions(message):
            return "open_help"
        guess = guessed_number(message) is not None and act != "why"
        if guess or of_words or read_expressions(message) or self._is_of_shown(ask, board):
            return None
        why = act == "why" and ask in ("why", "concept", "place", "solve", "which", "order_rule", "evidence")
        shown = ask in _ON_TASK and (PICTURE.search(message) or START.search(message))
        quicker = ask == "easier_way" and in_hand[0].op in "x/"
        return "explain" if why or shown or quicker or ask in _EXPLAINED else None

    @staticmethod
    def _help_at_once(message: str, board: Board, problem: Problem) -> str:
        """Help with a problem that is wanted whatever else was said: its picture, a smaller one, a hint where nothing
        is said; "" for other messages."""
        drawn = "picture" in board.get("explained", {}).get(problem.expression, ())
        if _wants_drawn(problem, message) or (drawn and TOO_MUCH.search(message)):
            return "explain"
        if _LETTERS.search(message) is None:
            return "exercise_help" if board.get("problem") else "open_help"
        return ""

    def _beside_task(self, ask: str, message: str) -> str:
        """What a child asks beside its task; another problem, an explanation of a word or its records are not what is
        wanted where no word of the message wants them."""
        if ask in _OTHER_PROBLEMS and not _WANTS_OTHER.search(message) and not _OF_PROBLEMS.search(message):
            return "open_easy" if ask == "harder" else "which"
        tells = act_of(message) in ("tell", "part", "plan")
        values = numbers_in(message)
        plain = ask in ("telling", "feeling") and not self._asks.asks.book.noun(message)
        if tells and values and (plain or (ask in _OF_PLANS and any(one.in_digits for one in values))):
            return "which"
        if ask in _WORDS_TOLD and tells and not self._basics.named_in(message):
            return "which"
        if (
            self._asks.asks.of_records(ask)
            and self._asks.asks.intent(ask) == DATA_LOOKUP
            and not _OF_COUNTS.search(message)
        ):
            return "which"
        return ask

    @staticmethod
    def _or_stuck(ask: str, message: str, board: Board, opened: Sequence[Problem]) -> str:
        """What is asked; of a message that is not understood beside a problem in hand, how the child gets on: where it
        is and what comes next say more than that."""
        if ask != "which" or not problems_in_hand(board, opened):
            return ask
        if board.get("ask") in ABOUT_TASK and re.search(r"\d", message):
            return "so_far"
        if not _STUCK.search(message):
            return ask
        return "exercise_help" if board.get("problem") else "open_help"

    def _is_of_shown(self, ask: str, board: Board) -> bool:
        """Whether what is asked is about what was explained last, rather than about the problem in hand."""
        if board.get("ask") in ABOUT_TASK:
            return False
        concept = board.get("concept", "")
        told = board.get("aspects", [])
        exhausted = concept in self._basics and self._basics.more(concept, told) in told
        return bool(board.get("expression") or (concept and ask != "picture" and not exhausted))

    @staticmethod
    def _predicts(message: str, board: Board) -> bool:
        """Whether it is asked what the child would write, or the same of another problem."""
        again = board.get("ask") == "predict" and _SAME_OF.search(message)
        return bool(again or _PREDICTS.search(message))

    def _asked(  # noqa: PLR0913 - what is said, and where
        self, message: str, board: Board, *, follows: bool, learning: bool, waits: bool, adult: bool
    ) -> tuple[str, bool]:
        """The likeliest ask or kind of talk, and whether that is sure. Of a child no records that are unlikely to be
        meant, but after another answer from them; no permission that is not clearly asked for; where the model knows
        nothing, what the message does tells how it is met. Where a task waits, several kinds of help that are likely
        together are one. An adult who asks why, where nothing was explained, asks of
        the mistakes."""
        ranked = self._asks.ranked(message, follows=follows, adult=adult)
        found, share = next(
            (name, share)
            for name, share in ranked
            if adult
            or share > _LIKELY
            or self._asks.asks.intent(name) != DATA_LOOKUP
            or self._counts(board.get("ask", ""))
        )
        helps = [(name, part) for name, part in ranked if name in _ON_TASK]
        if waits and share < SURE and sum(part for _, part in helps) >= _HELP_TOGETHER:
            return helps[0][0], False
        of_records = waits and not adult and self._asks.asks.of_records(found) and not _OF_COUNTS.search(message)
        unlikely = share < (SURE if found in _ONLY_SURE or of_records else FAINT)
        if found in GENERAL or unlikely:
            met = self._unsure(message, found, learning=learning, waits=waits)
            return "which" if adult and met == "feeling" else met, False
        nothing_told = not any(board.get(each) for each in ("expression", "concept", "kind"))
        sure = share >= SURE and not (
            adult and found in self._asks.asks.book.talk and found not in self._asks.model.names
        )
        return "why_wrong" if adult and found == "why" and nothing_told else found, sure

    def _unsure(self, message: str, found: str, *, learning: bool, waits: bool) -> str:
        """How something is met that is told, felt or asked in words which nothing is known of."""
        act, talks = act_of(message), self._asks.asks.is_talk(found)
        if act == "how" and waits:
            return "hint"
        if act not in ("tell", "plan"):
            return "off_topic" if talks and not learning else "which"
        return "feeling" if found == "feeling" else "which" if learning and not talks else "telling"

    def _counts(self, ask: str) -> bool:
        return self._asks.asks.of_records(ask) and self._asks.asks.intent(ask) == DATA_LOOKUP

    def _on_words(
        self, message: str, ask: str, board: Board, expressions: Sequence[Expression], *, sure: bool
    ) -> str | None:
        """Whether a word of arithmetic is asked for, the place of a digit, or more of the word that was explained."""
        names = self._named(message, ask)
        why_learnt = "구구단" in names and act_of(message) == "why" and not expressions
        if why_learnt or (board.get("concept") in ("짝수", "홀수") and _ONE_NUMBER.fullmatch(message)):
            return "concept"
        if asks_of_digits(message) and not expressions:
            return "place"
        if _ANOTHER.fullmatch(message.strip()) and board.get("ask") in _OF_KINDS - {"concept"}:
            return None
        if (_PLACE.search(message) and not expressions and not _NOT_OF_PLACES.search(message)) and (
            _BESIDE_PLACE.search(message) or (ask in ("place", "concept", "solve", "why") and re.search(r"\d", message))
        ):
            return "place"
        if EQUATION.search(message) and not expressions:
            return "concept"
        of_nothing = bool(names) and names[0].startswith("0을") and aspect_of(message) == "why"
        explain = names and "설명" in message and ask != "easier" and not self._asks.asks.of_records(ask)
        if explain and not expressions:
            return "concept"
        if (expressions and not of_nothing) or (sure and ask not in _TOLD) or _ABOUT_CHILD.search(message):
            return None
        goes_on = board.get("ask") in _GOES_ON and bool(board.get("concept")) and len(message) < _SHORT
        if names and (goes_on or (asks_for_words(message) and (ask in _TOLD or of_nothing))):
            return "concept"
        if len(self._basics.beside(names, board.get("words", ()), message)) > 1:
            return "concept"
        return None if names else self._more_of_words(message, ask, board)

    def _named(self, message: str, ask: str) -> list[str]:
        """The words of arithmetic that a message names; not the whole subject, where what was said is told again."""
        names = self._basics.named_in(message)
        return [] if ask in _OF_SHOWN and names == ["수학"] else names

    def _more_of_words(self, message: str, ask: str, board: Board) -> str | None:
        """Whether a short question goes on with the word that was explained last."""
        told = board.get("concept") in self._basics and board.get("ask") in _GOES_ON
        if not told or len(message) > 2 * _SHORT or _NOT_WORDS.search(message):
            return None
        asked = aspect_of(message) in ("why", "use", "without") or ask in ("again", "easier", "more", "what_said")
        return "why" if asked else None

    @staticmethod
    def _why_given(
        message: str, board: Board, opened: Sequence[Problem], expressions: Sequence[Expression], *, adult: bool
    ) -> str | None:
        """Whether it is asked why a wrong number comes out, of the expression that is named or was explained, or of the
        open task."""
        asks_why = r"왜|이유|까닭|어째서|오류|실수|잘못" if adult else r"왜|이유|까닭|어째서"
        if not re.search(asks_why, message):
            return None
        named = next(filter(None, map(problem_of, expressions)), None)
        shown = exercise_of(board.get("expression"))
        if named is not None and (shown or not adult):
            if shown is not None and _is_column_of(named, shown):
                return "why"
            if any(_is_column_of(named, one) for one in problems_in_hand(board, opened)):
                return "explain"
        problem = named or shown
        for one, ask in ((problem, "why_given"), (opened[0] if opened and named is None else None, "open_guess")):
            if one is not None and wrong_result(one, message) is not None:
                return "open_guess" if one in opened else ask
        return None

    def _two_wishes(self, message: str) -> TurnReading | None:
        """Two asks of a message that joins them, each with words of its own."""
        parts = [one for one in _JOINED.split(message, maxsplit=1) if one.strip()]
        if len(parts) != 2:
            return None
        (first, sure), (second, also_sure) = (self._asks.ranked(one, follows=True)[0] for one in parts)
        clear, both = min(sure, also_sure) >= SURE, {first, second}
        return TurnReading(first, also=second) if clear and len(both) == 2 and both <= _WISHES else None

    @staticmethod
    def _of_adults(message: str, ask: str, board: Board) -> str | None:
        """What an adult asks about games, and about how to speak of a disorder."""
        goes_on = board.get("ask") == "play_ideas" and _PLAYERS.search(message) and len(message) < 2 * _SHORT
        if goes_on or (ask in ("home_help", "play") and _PLAYED.search(message)):
            return "play_ideas"
        return "meeting_words" if ask == "diagnosis" and _RAISED.search(message) else None

    @staticmethod
    def _same_of_another(message: str, ask: str, board: Board) -> str | None:
        """The ask of the turn before, asked again of something else: 그럼 곱셈은?"""
        before = board.get("ask")
        if ask == "refuse" and kinds_in(message):
            return "weak"
        if (before in _WITH_EXAMPLES and _EXAMPLE.search(message)) or (
            before == "as_story" and _OTHER_THINGS.search(message)
        ):
            return before
        if ask == "react" and _ALL_RIGHT.search(message):
            return "joy"
        if _HOW_MUCH.fullmatch(message) and before in ("change", "speed"):
            return before
        if before in ("count", "day_summary") and "그중" in message and re.search(r"보여|알려|하나", message):
            return "last_answer"
        if before in ("count", "weak", "how_am_i", "joy") and _WHICH_ONES.fullmatch(message):
            return "last_answer"
        again = ask not in _COUNTS or _ANOTHER.fullmatch(message.strip())
        wishes = act_of(message) in ("wish", "plan")
        if before in _COUNTS and len(message) < _SHORT and again and not wishes and names_days(message):
            return before
        if not _ANOTHER.fullmatch(message.strip()) or not kinds_in(message):
            return None
        if before in _OF_KINDS:
            return before
        return "how_am_i" if message.rstrip("?!. ").endswith("요") else "concept"

    @staticmethod
    def _on_exercise(  # noqa: PLR0913 - what is said, and where
        message: str,
        ask: str,
        board: Board,
        opened: Sequence[Problem],
        expressions: Sequence[Expression],
        *,
        sure: bool,
    ) -> str | None:
        """Whether an answer to the exercise is given, or help with it is asked for."""
        exercise = exercise_of(board.get("problem"))
        told_only = guessed_number(message) is not None  # a number alone answers it, whatever the model takes it for
        if (
            exercise is None
            or (sure and not told_only)
            or (opened and board.get("ask") in ABOUT_TASK - {"column", "step"})
        ):
            return None
        if opened and exercise.answer != opened[0].answer == guessed_number(message):
            return None  # it is the open task's
        if any(problem_of(one) == exercise for one in expressions) or claim_in(message) is not None:
            return "exercise_answer"
        if not expressions and column_words(exercise, message):
            return "column"
        return "exercise_help" if ask in _HELP_WITH_EXERCISE and not expressions else None

    @staticmethod
    def _columns(message: str, board: Board, opened: Sequence[Problem]) -> list[ColumnWord]:
        """What can be said of the columns of the problem in hand."""
        shown = (exercise_of(board.get("problem")), exercise_of(board.get("expression")), *opened[:1])
        return next((words for one in shown if one and (words := column_words(one, message))), [])

    @staticmethod
    def _on_columns(
        message: str, board: Board, opened: Sequence[Problem], *, sure: bool, wants_open: bool
    ) -> str | None:
        shown = [exercise_of(board.get("problem")), exercise_of(board.get("expression"))]
        focus = [*shown, *(opened[:1] if shown[1] is None or wants_open else ())]
        named = [problem_of(one) for one in read_expressions(message)]
        words = [word for one in focus if one and one not in named for word in column_words(one, message)]
        followed = board.get("ask") in _STEPS_SHOWN
        told = any(followed or not word.key.startswith("column_next") for word in words)
        goes_on = board.get("ask") == "column" and len(message) < _SHORT
        return "column" if told and (not sure or goes_on or shown[1] is not None or states_step(message)) else None

    @staticmethod
    def _on_open(message: str, ask: str, board: Board, opened: Sequence[Problem], wants_open: bool) -> str | None:
        """Whether a guess at the open task is made, or help with it is asked for."""
        expressions = read_expressions(message)
        before_open = board.get("ask") in ABOUT_TASK
        stated = any(same_value(one, opened) for one in expressions)
        if not stated and ask in _OF_SHOWN and board.get("expression") and not before_open:
            return None
        if stated or wants_open:
            if guess_at(message, expressions, opened) is not None:
                return "open_guess"
            of_task = ask in _ON_TASK or (ask == "other" and _ASKS_HELP.search(message))
            return "open_help" if stated or (of_task and not expressions) else None
        guess = guessed_number(message) if opened and act_of(message) != "why" else None
        if opened and is_wrong_guess(opened[0], message, board):
            return "open_guess"
        if guess is not None and (guess == opened[0].answer or (before_open and len(str(guess)) > 1)):
            return "open_guess"
        if opened and len(expressions) <= 1 and (end := CONCLUDED.search(message)) and before_open:
            return "open_guess" if len(end[1]) == len(str(opened[0].answer)) else None
        if expressions:
            return None
        if opened and ask == "easier_problem" and not _WANTS_OTHER.search(message):
            return "open_help"  # the task is felt to be too hard
        before = before_open and ask in _HELP_WITH_EXERCISE | {"other", "again", "refuse"}
        before = before or (board.get("ask") in ABOUT_TASK and len(message.strip()) <= 2 and ask in _MORE)
        begins = ask == "order_rule" and act_of(message) == "how"  # a task has one operation
        vague = ask in ("hint", "give_answer", "dont_know", "solve", "easier_way") or begins or before
        return "open_help" if opened and vague and not board.get("expression") else None

    @staticmethod
    def _story(message: str, board: Board, expressions: Sequence[Expression]) -> str | None:
        story = board.get("story")
        if story is not None and not expressions and asks_why_operation(message):
            return "story_why"
        if _SIGNS.search(message):
            return None
        if story is not None and not expressions:
            asks_expression = board.get("ask") == "story" and re.search(r"식(?:으로|은|을|이)", message)
            if asks_expression or story_goes_on(message, story) is not None:
                return "story"
        return "story" if story_of(message) is not None else None


def _is_column_of(part: Problem, whole: Problem) -> bool:
    """Whether a calculation is that of two digits of a sum or difference that stand in one column."""
    places = range(1, len(str(max(whole.a, whole.b))))
    columns = [{whole.a // 10**place % 10, whole.b // 10**place % 10} for place in places]
    return part.op == whole.op and whole.op in "+-" and {part.a, part.b} in columns


def _wants_drawn(problem: Problem, message: str) -> bool:
    """Whether a problem is named and its picture wanted."""
    named = any(problem_of(one) == problem for one in read_expressions(message))
    return named and PICTURE.search(message) is not None and act_of(message) != "why"

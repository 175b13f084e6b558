"""What the coach answers without a model: for each ask one function or one text, planned from the facts."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.concept_replies import CONCEPT_REPLIES
from maththera.chat.coach.drafts import Board, CoachTurn, Draft, ReplyTexts
from maththera.chat.coach.intent_registry import OUT_OF_SCOPE, PROBLEM_SOLVING
from maththera.chat.coach.learner_facts import Facts, KindCounts, kind_of, kinds_in, strong_kinds, weak_kinds
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.number_talk import NUMBER_REPLIES
from maththera.chat.coach.open_task_replies import OPEN_REPLIES, told_of_task
from maththera.chat.coach.problem_replies import PROBLEM_REPLIES, another_way, say_which
from maththera.chat.coach.record_replies import RECORD_REPLIES
from maththera.chat.coach.set_phrases import CHANGES_TASK
from maththera.chat.coach.single_answers import kind_slots
from maththera.chat.coach.study_replies import TALK_REPLIES, say_fitting
from maththera.chat.coach.turn_reading import ACCEPTING
from maththera.korean.numbers import numbers_in

_MOST_LISTED: Final = 10
_THIS_ONE: Final = re.compile(r"(?<![가-힣])이\s*(?=문제)")
"""This problem, which is no number of problems."""
_MOST_SHOWN: Final = 5
_BEYOND: Final = re.compile(r"다음|다른|더|연습|약한|새|또|끝나|앞으로|부족")
"""What asks for more than the task that is open."""
_BEGINS: Final = re.compile(r"(?:뭐|뭘|모|머|무엇|어디|어느\s*것)\S{0,2}\s*(?:부터|먼저)")
"""Where is one to begin?"""
_WANTS_TO_DO: Final = re.compile(r"하자|할래|하고\s*싶|해요?\W*$")
_EXERCISING: Final = frozenset({"give_problem", "exercise_help", "exercise_answer", "harder", "easier_problem"})
PLAIN_REPLIES: Final = {**PROBLEM_REPLIES, **OPEN_REPLIES, **CONCEPT_REPLIES, **TALK_REPLIES, **NUMBER_REPLIES}
"""Ask → what answers it without the records."""
_TOLD_OF: Final = frozenset(
    {"concept", "why", "place", "column", "telling", "react", "story", "which", "hint", "judge"}
)
"""Asks after which "not that" means that the answer was not what was wanted."""
_ADVISED: Final = frozenset({"hate_math", "cannot", "nervous", "sad", "home_sad", "fail_fear", "rest"})
FEELINGS: Final = _ADVISED | {"always_wrong", "missed_many", "many_wrong", "feeling", "shame", "paused", "may_pause"}
"""Asks of a child that wants comfort, no numbers."""


class Replies:
    """`texts`: configs/chat/coach/replies.yaml."""

    def __init__(self, texts: ReplyTexts) -> None:
        self._texts = texts

    def reply(self, turn: CoachTurn, intent: str) -> tuple[str, Board]:
        """The answer, and what the conversation remembers of it."""
        board: Board = {
            **turn.board,
            "times": {**turn.board.get("times", {})},
            "hints": {**turn.board.get("hints", {})},
        }
        draft = Draft(self._texts, turn.adult, board)
        board.pop("records", None)
        board.pop("advice", None)
        offer = board.pop("offer", None)
        ask = offer if turn.ask in ACCEPTING and offer else turn.ask
        if turn.also:
            self._write(replace(turn, ask=turn.also), draft)
            lines, draft.lines = draft.lines, []
            self._write(replace(turn, ask=ask), draft)
            draft.add(*lines)
        else:
            self._write(replace(turn, ask=ask), draft)
        if not draft.text.strip():  # no reply speaks
            say_which(turn, draft)
        if draft.text == turn.told and not turn.adult and draft.lines:
            draft.lines = []
            self._write(replace(turn, ask="which" if turn.opened else "said_before"), draft)
        if turn.charted and turn.facts is not None and turn.facts["answered"]:
            draft.say("chart_drawn")
        if offer and intent == OUT_OF_SCOPE:
            board.setdefault("offer", offer)
        board["ask"], board["intent"] = ask, intent
        if (before := turn.board.get("expression")) and before != board.get("expression"):
            board["shown"] = [*board.get("shown", []), before][-_MOST_SHOWN:]
        return draft.text, board

    def repeats(self, ask: str, board: Board) -> bool:
        """Whether all that is said to an adult of an ask was said before."""
        saying = self._texts.says.get(ask)
        return saying is not None and board.get("times", {}).get(ask, 0) >= max(1, len(saying.adult))

    def of_open_task(self, message: str, board: Board, problem: Problem) -> tuple[str, Board]:
        """The reply to an adult about the child's open task, and the board after it."""
        draft = Draft(self._texts, True, {**board, "times": {**board.get("times", {})}})
        told_of_task(draft, problem, message)
        draft.board["ask"], draft.board["intent"] = "my_task", PROBLEM_SOLVING
        return draft.text, draft.board

    def hidden_line(self, *, adult: bool) -> str:
        """What is said in place of words that would give away the answer of an open task."""
        return Draft(self._texts, adult, {}).worded("open_hidden")

    def _write(self, turn: CoachTurn, draft: Draft) -> None:
        ask, facts = turn.ask, turn.facts
        if turn.adult and ask in ("give_answer", "hint") and draft.board.get("sheet"):
            _sheet(draft)
            return
        unread = facts is None and not turn.results and ask in (*RECORD_REPLIES, *EXERCISES) and ask != "one_more_only"
        if unread or (turn.results and all(one["error"] for one in turn.results)):
            draft.say("unreadable")
        elif ask in EXERCISES:
            EXERCISES[ask](turn, draft)
        elif ask in RECORD_REPLIES:
            if facts is None:
                draft.say("nobody")
            elif not facts["answered"]:
                draft.say("no_records" if ask != "why_unknown" else ask)
                draft.board["offer"] = "give_problem"
            else:
                RECORD_REPLIES[ask](turn, draft, facts)
        elif ask in PLAIN_REPLIES:
            PLAIN_REPLIES[ask](turn, draft)
        else:
            say_fitting(turn, draft, ask)
        if ask in _ADVISED and re.search(r"뭐\s*(?:보|하|공부|부터)", turn.message) and ask != "nervous":
            EXERCISES["recommend"](turn, draft)


def _ranked(facts: Facts) -> list[KindCounts]:
    """The kinds to practise: the weak ones, then those with any miss."""
    weak = weak_kinds(facts)
    missed = [one for one in facts["kinds"] if one["right"] < one["answered"] and one not in weak]
    return [*weak, *missed]


def _recommend(turn: CoachTurn, draft: Draft) -> None:
    """What to practise: the task that is open, unless something else is asked for; else the weakest kind."""
    facts = turn.facts
    problem = next(iter(turn.found("recommend_next_problem")), None)
    if turn.opened and not turn.adult and not _BEYOND.search(turn.message):
        PLAIN_REPLIES["open_help" if _BEGINS.search(turn.message) else "my_task"](turn, draft)
        return
    draft.board["offer"] = "give_problem"
    if facts is None:
        draft.say("nobody")
        return
    if not facts["answered"]:
        draft.say("recommend_new", expression=problem["expression"] if problem else "2+1")
        draft.board["problem"] = problem["expression"] if problem else "2+1"
        return
    named = [one for one in facts["kinds"] if one["kind"] in kinds_in(turn.message)]
    ranked = _ranked(facts)
    if named and len({one["kind"] for one in named}) > 1:
        first = min(named, key=lambda one: one["right"] / one["answered"])
        draft.say("recommend_choice", **kind_slots(draft, first))
        draft.board["kind"] = first["kind"]
    elif not ranked:
        draft.say("recommend_fine", expression=problem["expression"] if problem else "")
        if problem:
            draft.board["problem"] = problem["expression"]
    else:
        after = draft.board.get("ask") in ("forgetting", "rest")
        draft.say("recommend_after_pause" if after else "recommend", **kind_slots(draft, ranked[0]))
        draft.board["kind"] = ranked[0]["kind"]
        draft.board["items"] = [{"what": "kind", "id": one["kind"]} for one in ranked]


def _other(turn: CoachTurn, draft: Draft) -> None:
    """Another exercise, another strength, another proposal or another way, by what was said before."""
    before, facts = turn.board.get("ask", ""), turn.facts
    if before in _EXERCISING or (before == "other" and draft.board.get("problem")):
        _give(turn, draft, "exercise")
    elif (free := _WANTS_TO_DO.search(turn.message)) and (facts is None or not facts["answered"]):
        draft.say("other_choice")
    elif (before in _TOLD_OF and not free) or facts is None or not facts["answered"]:
        draft.say("not_that")
    elif (
        before in ("strong", "evidence")
        and draft.board.get("items", [{"what": ""}])[:1]
        and draft.board["items"][0]["what"] == "strength"
    ):
        RECORD_REPLIES["strong"](turn, draft, facts)
    elif draft.board.get("expression") and before in ("solve", "judge", "picture", "again", "easier", "column"):
        another_way(draft)
    else:
        refused = [*draft.board.get("refused", []), draft.board.get("kind", ""), *map(kind_of, turn.opened)]
        draft.board["refused"] = refused
        left = [one for one in (*_ranked(facts), *strong_kinds(facts)) if one["kind"] not in refused]
        if not left:
            draft.say("recommend_no_more")
            return
        draft.say("recommend_other", **kind_slots(draft, left[0]))
        draft.board["kind"], draft.board["offer"] = left[0]["kind"], "give_problem"


def _give(turn: CoachTurn, draft: Draft, key: str) -> None:
    problem = next(iter(turn.found("recommend_next_problem")), None)
    if problem is None:
        draft.say("unreadable")
        return
    asked = (
        next(
            (
                one.value
                for one in numbers_in(_THIS_ONE.sub("", turn.message))
                if one.value and one.counter in ("개", "문제")
            ),
            1,
        )
        or 1
    )
    like = exercise_of(problem["expression"])
    if asked > 1 and like is not None:
        sheet = [like, *similar_problems(like, min(asked, _MOST_LISTED) - 1)]
        draft.say("exercise_list", list=",  ".join(f"{place}) {one.expression}" for place, one in enumerate(sheet, 1)))
        draft.board["sheet"] = [one.expression for one in sheet]
        return
    if turn.adult and key == "exercise":
        draft.say(key, expression=problem["expression"])
        return
    kind = problem.get("kind") or ""
    named = key == "exercise_kind" and kind in draft.texts.kinds
    name = draft.kind(kind, "name") if named else ""
    draft.say(key if named or key != "exercise_kind" else "exercise", expression=problem["expression"], name=name)
    draft.board["problem"], draft.board["kind"] = problem["expression"], kind
    draft.board.pop("expression", None)
    draft.board.pop("topic", None)
    if turn.opened and not turn.adult and CHANGES_TASK.search(turn.message):
        draft.say("task_kept", expression=turn.opened[0].expression)


def similar_problems(like: Problem, count: int) -> list[Problem]:
    """Others of the same kind and size, always the same ones."""
    found: list[Problem] = []
    for step in range(1, 400):
        a, b = _of_size(like.a, 7 * step), _of_size(like.b, 11 * step)
        if like.op == "/":
            a = b * max(2, a // b)
        if (like.op == "-" and b > a) or (one := make_problem(a, like.op, b)) in (like, *found):
            continue
        if kind_of(one) == kind_of(like) and one.carries == like.carries and len(str(a)) == len(str(like.a)):
            found.append(one)
        if len(found) == count:
            break
    return found


def _of_size(like: int, step: int) -> int:
    """A number with as many digits as another."""
    least: int = 10 ** (len(str(like)) - 1)
    return least + (like - least + step) % (9 * least)


def _sheet(draft: Draft) -> None:
    """The answers of the problems that an adult was given."""
    solved = [f"{one.expression}={one.answer}" for one in map(exercise_of, draft.board["sheet"]) if one is not None]
    draft.say("exercise_answers", list=",  ".join(solved))


def _only_kind(turn: CoachTurn, draft: Draft) -> None:
    """Problems of one operation alone: yes, after the task that is open, or the first one at once."""
    if turn.opened:
        draft.say("only_kind_later", expression=turn.opened[0].expression)
    else:
        draft.say("only_kind")
        _give(turn, draft, "exercise_kind")


def _only_one(turn: CoachTurn, draft: Draft) -> None:
    """One problem and no more: that which waits, or an easy one."""
    if draft.board.get("problem") or turn.opened:
        say_fitting(turn, draft, "one_more_only")
    else:
        _give(turn, draft, "only_one")


EXERCISES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "recommend": _recommend,
    "other": _other,
    "give_problem": lambda turn, draft: _give(turn, draft, "exercise_kind"),
    "one_more_only": _only_one,
    "only_kind": _only_kind,
    "harder": lambda turn, draft: _give(turn, draft, "exercise_harder"),
    "easier_problem": lambda turn, draft: _give(turn, draft, "exercise_easier"),
}
"""Ask → the next problem, or what to practise."""

"""Problems as stories, riddles and questions of a times table."""

import re
from typing import Final

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.message_shapes import exercise_of, problems_in_hand, table_named

_NO_THINGS: Final = frozenset({"문제", "이야기", "덧셈", "뺄셈", "곱셈", "나눗셈", "숙제", "만들어오기"})
"""Nouns of a wish for a story that are not what it is to be of."""
_TABLE_ORDER: Final = (3, 6, 4, 8, 2, 7, 5, 9)
_RIDDLES: Final = ("9+4", "12-5", "5x3", "7+8", "15-6", "2x8")


def as_story(turn: CoachTurn, draft: Draft) -> None:
    """A story of things that are named: of a new problem, where one is asked for and given, else of the sum in hand."""
    given = next(iter(turn.found("recommend_next_problem")), None)
    problem = (
        exercise_of(given["expression"]) if given else next(iter(problems_in_hand(draft.board, turn.opened)), None)
    )
    problem = problem or exercise_of(draft.board.get("expression"))
    if problem is None:
        draft.say("hint_nothing")
        return
    named = re.search(r"([가-힣]+?)(?:으로|로)\s*[가-힣]", turn.message)
    noun = named[1] if named and len(named[1]) > 1 else draft.texts.book.noun(turn.message)
    noun = noun if noun and noun not in _NO_THINGS else "사탕"
    operation = {"+": "add", "-": "take", "x": "times", "/": "share"}[problem.op]
    if given:
        draft.say(f"story_problem_{operation}", noun=noun, a=problem.a, b=problem.b)
        draft.board["problem"] = problem.expression
        draft.board.pop("expression", None)
        return
    key = {"add": "story_of_sum", "take": "story_of_difference"}.get(operation, f"story_of_{operation}")
    draft.say(key, noun=noun, a=problem.a, b=problem.b)


def quiz_table(turn: CoachTurn, draft: Draft) -> None:
    """The next question of a times table, in mixed order."""
    topic = draft.board.get("topic")
    n = table_named(turn.message) or (topic["number"] if topic and topic["about"] == "table" else 2)
    place = draft.board.setdefault("times", {}).get("quiz_table", 0)
    problem = make_problem(n, "x", _TABLE_ORDER[place % len(_TABLE_ORDER)])
    draft.say("quiz_table", n=n, expression=problem.expression)
    if not turn.adult:
        draft.board["problem"], draft.board["kind"] = problem.expression, "times"
        draft.board["topic"] = {"about": "table", "number": n}
        draft.board.pop("expression", None)


def riddle(turn: CoachTurn, draft: Draft) -> None:
    """A number that is to be found, told as a riddle: the next of a few."""
    place = draft.board.setdefault("times", {}).get("riddle", 0)
    draft.board["times"]["riddle"] = place + 1
    open_answers = {one.answer for one in turn.opened}
    fitting = [one for one in map(exercise_of, _RIDDLES) if one is not None and one.answer not in open_answers]
    problem = fitting[place % len(fitting)]
    draft.say({"+": "riddle_more", "-": "riddle_less"}.get(problem.op, "riddle_times"), a=problem.a, b=problem.b)
    if not turn.adult:
        draft.board["problem"] = problem.expression
        draft.board.pop("expression", None)

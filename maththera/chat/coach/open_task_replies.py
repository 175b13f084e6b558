"""Answers about the open task, whose answer is never said, and about exercises of the chat: hints, guesses, answers."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import claim_in, read_expressions
from maththera.chat.coach.column_replies import column_step, general_reason
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import kind_of, operations_in
from maththera.chat.coach.message_shapes import exercise_of, guessed_number, wrong_result
from maththera.chat.coach.number_pictures import drawn
from maththera.chat.coach.problem_replies import another_way, say_which, solve_problem
from maththera.chat.coach.single_answers import explained_answer
from maththera.chat.coach.task_questions import holds_out_answer
from maththera.chat.coach.text_templates import fill_template
from maththera.knowledge.explanations import explained

_TEN: Final = 10
_NOTICED: Final = re.compile(r"(?:네|구나|군|는\s*거[네지])(?:요)?[!.~ㅎㅋ ]*$")
"""The end of a sentence in which something is found out."""

_UNDECIDED: Final = re.compile(r"인가.*(?:인가|아니면)|헷갈|둘\s*중|아니면")
"""Words of a guess that takes no side: "46인가 48인가 헷갈려"."""
_ASKS_WAY: Final = re.compile(r"해도\s*[돼되]|이렇게\s*(?:하면|풀면|풀어도)|먼저\s*하고")
"""Words that tell how the guess was found, or ask whether one may."""
_IS_MEANT: Final = re.compile(r"(?:거|뜻|말)\s*(?:이?야|이?지|이?죠|예요|이에요|네|임)?[?!. ㅋㅎ]*$")
"""Is it that what is meant?"""
_VERB: Final = re.compile(r"(더하|빼|곱하|나누)면")
_HINT: Final = re.compile(r"힌트|도와|모르")

# --- hints ------------------------------------------------------------------------------------------------------------


def hints(draft: Draft, problem: Problem) -> list[str]:
    """The hints of a problem from the first to the last; none says the answer."""
    kind, a, b = kind_of(problem), problem.a, problem.b
    slots: dict[str, object] = {
        "one": a % _TEN, "other": b % _TEN, "tens": a // _TEN % _TEN, "other_tens": b // _TEN % _TEN, "a": a, "b": b,
        "opened": a % _TEN + _TEN, "left": a // _TEN % _TEN - 1,
        "big": max(a, b), "small": min(a, b),
    }  # fmt: skip
    if problem.form == "result" and max(a, b) >= _TEN**2 and 0 in problem.carries and problem.op in "+-":
        reason = general_reason(problem)[0]
        first = draft.texts.says[f"hint_{kind}"].child[0]
        told = [fill_template(first, **slots), draft.worded(reason.key, **reason.slots), draft.worded("hint_places")]
        return told if all(told) else told[:1]
    if problem.form != "result" or (kind in ("carry", "borrow") and 0 not in problem.carries) or max(a, b) >= _TEN**2:
        return [step.say for step in explained(problem)[:-1]] or [explained(problem)[0].say]
    small = "_small" if kind not in ("times", "share") and (b < _TEN and (a < 2 * _TEN)) else ""
    ways = draft.texts.says[f"hint_{kind}{small}"].child
    return [draft.worded(f"hint_{kind}{small}", **slots) for _ in ways]


def next_hint(draft: Draft, problem: Problem) -> str | None:
    """The next hint of a problem; None when all were given."""
    draft.board.get("times", {}).pop(f"hint_{kind_of(problem)}", None)
    told = hints(draft, problem)
    given = draft.board.setdefault("hints", {})
    place = given.get(problem.expression, 0)
    given[problem.expression] = place + 1
    return told[place] if place < len(told) else None


# --- the open task ----------------------------------------------------------------------------------------------------


def _open_help(turn: CoachTurn, draft: Draft) -> None:
    """The next hint of the open task, or what is said in place of its answer."""
    if not turn.opened:
        draft.say("open_quiz")
        return
    problem = turn.opened[0]
    stated = next((one.text for one in read_expressions(turn.message) if one.value == problem.answer), None)
    if stated not in (None, problem.expression) and _NOTICED.search(turn.message):
        draft.say("open_same_step")
    elif _was_right(turn, problem):
        if "왜" not in turn.message or not _reasoned(draft, problem):
            draft.say("open_next")
    elif not _column_reason(turn, draft, problem):
        _hint_at(turn, draft, problem, stated)


def _was_right(turn: CoachTurn, problem: Problem) -> bool:
    """Whether the child has just been told that its guess is right, and asks for no help."""
    told = turn.board.get("ask") == "open_guess" and turn.board.get("given") == problem.answer
    return told and not _HINT.search(turn.message)


def _column_reason(turn: CoachTurn, draft: Draft, problem: Problem) -> bool:
    """Says why a ten is carried or opened, where that is asked after a hint."""
    before = turn.board.get("ask")
    words = general_reason(problem)
    if before not in ("open_help", "open_guess", "column") or "왜" not in turn.message or not words:
        return False
    if before == "column":
        draft.add(draft.texts.basics["받아올림" if problem.op == "+" else "받아내림"].why)
    else:
        draft.say(words[0].key, **words[0].slots)
    return True


def _hint_at(turn: CoachTurn, draft: Draft, problem: Problem, stated: str | None) -> None:
    """`stated`: an expression of the message that comes to the answer."""
    if stated == problem.expression and _IS_MEANT.search(turn.message):
        draft.say("open_meaning_yes")
    hint = next_hint(draft, problem)
    draft.board.pop("expression", None)
    if hint is None:
        draft.say("open_last")
    elif turn.ask == "give_answer" or "답" in turn.message:
        draft.say("open_refuse", hint=hint)
    elif stated not in (None, problem.expression):
        draft.say("open_same")
    else:
        draft.say("open_hint", expression=problem.expression, hint=hint)
    if re.search(r"그림|그려", turn.message):
        draft.add(*drawn(problem, hide=True))


def _open_guess(turn: CoachTurn, draft: Draft) -> None:
    """Whether a guess at the open task is right: yes, without the number, or a hint at what went wrong."""
    problem = turn.opened[0] if turn.opened else None
    given = _given(turn.message, problem)
    draft.board["given"] = None
    if problem is None or given is None or _UNDECIDED.search(turn.message):
        _checked(draft, problem)
    elif given == problem.answer:
        _guessed_right(turn, draft, problem)
    elif (step := column_step(problem, given)) is not None:
        draft.say(step.key, **step.slots)
    elif not malrules_giving(problem, given) and len(str(given)) < len(str(problem.answer)):
        draft.say("open_guess_part")
    else:
        draft.say("open_guess_wrong", explained=_what_went_wrong(draft, problem, given))


def _guessed_right(turn: CoachTurn, draft: Draft, problem: Problem) -> None:
    draft.board["given"] = problem.answer
    if (turned := _turned(turn.message, problem)) is not None:
        draft.say("open_guess_turned", turned=turned, expression=problem.expression)
        return
    draft.say("open_guess_right", noticed=_noticed(draft, problem))
    if _ASKS_WAY.search(turn.message):
        draft.say("open_way_fine")
    elif "왜" in turn.message:
        _reasoned(draft, problem)


def _reasoned(draft: Draft, problem: Problem) -> bool:
    """Says why the open task comes out as it does, where there is something to be said."""
    if words := general_reason(problem):
        draft.say(words[0].key, **words[0].slots)
    elif problem.op in "x/":
        draft.say("open_why_times" if problem.op == "x" else "open_why_share")
    else:
        return False
    return True


def _turned(message: str, problem: Problem) -> str | None:
    """The product or sum of a message that is the open task turned round."""
    if problem.op not in "+x" or problem.a == problem.b:
        return None
    read = ((one.text, problem_of(one)) for one in read_expressions(message))
    own = (problem.b, problem.op, problem.a)
    return next((text for text, other in read if other is not None and (other.a, other.op, other.b) == own), None)


def _what_went_wrong(draft: Draft, problem: Problem, given: int) -> str:
    """The words for the wrong procedure behind a guess; where there are none that help, the next hint."""
    known = bool(malrules_giving(problem, given))
    words = str(explained_answer(draft, problem.expression, given)["explained"]) if known else ""
    if words and "나와" not in words:
        return words
    return next_hint(draft, problem) or words or draft.worded("open_last")


def _given(message: str, problem: Problem | None) -> int | None:
    """The number that is held out as the answer."""
    if problem is not None and holds_out_answer(message, problem):
        return problem.answer
    claimed = next((int(one.claimed) for one in read_expressions(message) if one.claimed is not None), None)
    given = claimed if claimed is not None else guessed_number(message)
    return given if given is not None or problem is None else wrong_result(problem, message)


def _noticed(draft: Draft, problem: Problem) -> str:
    """What a right answer shows that its child has done."""
    if problem.form != "result" or not problem.carries or problem.op not in "+-":
        return ""
    return draft.worded("noticed_carry" if problem.op == "+" else "noticed_borrow")


def _checked(draft: Draft, problem: Problem | None) -> None:
    """A guess between two numbers, or without one: how the child can see by itself what fits."""
    if problem is None or problem.form != "result":
        draft.say("open_guess", check="")
        return
    key = {"+": "open_check_sum", "-": "open_check_difference", "x": "open_check_times", "/": "open_check_share"}
    draft.say("open_guess", check=draft.worded(key[problem.op], a=problem.a, b=problem.b))


def _open_why(turn: CoachTurn, draft: Draft) -> None:
    """Why the open task comes out as it does, or where a guess went wrong: the step that matters."""
    problem = turn.opened[0]
    words = general_reason(problem) if max(problem.a, problem.b) >= _TEN else []
    if words and turn.board.get("ask") != "open_why":
        draft.say(words[0].key, **words[0].slots)
    else:
        draft.say(
            "open_hint", expression=problem.expression, hint=next_hint(draft, problem) or draft.worded("open_last")
        )


def _open_found(turn: CoachTurn, draft: Draft) -> None:
    """The child has found its own slip."""
    draft.say("open_found", expression=turn.opened[0].expression)


def _which_operation(turn: CoachTurn, draft: Draft) -> None:
    """Whether the sum in hand is one of the kind that is named."""
    problem = exercise_of(draft.board.get("expression")) or exercise_of(draft.board.get("problem"))
    problem = problem or (turn.opened[0] if turn.opened else None)
    if problem is None:
        say_which(turn, draft)
        return
    named = operations_in(_VERB.sub(r"\1기", turn.message))
    key = "operation_yes" if problem.op in named else "operation_no"
    reason = draft.worded({"+": "reason_add", "-": "reason_take", "x": "reason_times", "/": "reason_share"}[problem.op])
    draft.say(key, name={"+": "더하기", "-": "빼기", "x": "곱하기", "/": "나누기"}[problem.op], reason=reason)


def _as_story(turn: CoachTurn, draft: Draft) -> None:
    """The sum in hand as a story of things that are named."""
    problem = exercise_of(draft.board.get("problem")) or exercise_of(draft.board.get("expression"))
    problem = problem or (turn.opened[0] if turn.opened else None)
    if problem is None:
        draft.say("hint_nothing")
        return
    named = re.search(r"([가-힣]+?)(?:으로|로)\s*[가-힣]", turn.message)
    noun = named[1] if named and len(named[1]) > 1 else "사탕"
    key = {"+": "story_of_sum", "-": "story_of_difference", "x": "story_of_times", "/": "story_of_share"}[problem.op]
    draft.say(key, noun=noun, a=problem.a, b=problem.b)


def _hint(turn: CoachTurn, draft: Draft) -> None:
    """Help where no task and no exercise is open: with what was explained, or with what is named."""
    if not another_way(draft, picture=turn.ask == "dont_know"):
        draft.say("hint_nothing")


def _my_task(turn: CoachTurn, draft: Draft) -> None:
    if turn.opened:
        draft.say("open_task", expression=turn.opened[0].expression)
    elif problem := draft.board.get("problem"):
        draft.say("exercise", expression=problem)
    else:
        draft.say("open_none")


def _goes_on(turn: CoachTurn, draft: Draft) -> bool:
    """Says to go on with the exercise or the open task that waits, where that is what was spoken of."""
    if problem := draft.board.get("problem"):
        draft.say("go_on", expression=problem)
    elif turn.opened and turn.board.get("ask") in ("open_help", "open_guess", "my_task", "column", "agree"):
        draft.say("go_on", expression=turn.opened[0].expression)
    else:
        return False
    return True


def _agree(turn: CoachTurn, draft: Draft) -> None:
    if not _goes_on(turn, draft):
        draft.say("agreed_nothing")


def _same_way(turn: CoachTurn, draft: Draft) -> None:
    same = re.search(r"똑같|같은\s*방법", turn.message)
    if not same and _goes_on(turn, draft):
        return
    if turn.opened and (same or draft.board.get("expression")):
        draft.say("open_same_way", expression=turn.opened[0].expression)
    else:
        draft.say("glad_understood")


# --- exercises --------------------------------------------------------------------------------------------------------


def _exercise_help(turn: CoachTurn, draft: Draft) -> None:
    problem = exercise_of(draft.board.get("problem"))
    if problem is None:
        say_which(turn, draft)
        return
    hint = next_hint(draft, problem)
    if hint is None:
        draft.board.pop("problem", None)
        solve_problem(draft, problem)
    else:
        draft.say("exercise_hint", expression=problem.expression, hint=hint)


def _exercise_answer(turn: CoachTurn, draft: Draft) -> None:
    problem = exercise_of(draft.board.get("problem"))
    claimed = next((int(one.claimed) for one in read_expressions(turn.message) if one.claimed is not None), None)
    given = claimed if claimed is not None else claim_in(turn.message)
    if problem is None or given is None:
        _exercise_help(turn, draft)
    elif given == problem.answer:
        draft.say("exercise_right", given=given)
        draft.board["expression"], draft.board["offer"] = draft.board.pop("problem"), "give_problem"
    else:
        words = explained_answer(draft, problem.expression, given)
        hint = next_hint(draft, problem)
        draft.say(
            "exercise_wrong", explained=hint if hint and "나와" in str(words["explained"]) else words["explained"]
        )


OPEN_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "open_help": _open_help, "open_guess": _open_guess, "my_task": _my_task, "hint": _hint, "give_answer": _hint,
    "dont_know": _hint, "same_way": _same_way, "agree": _agree, "exercise_help": _exercise_help,
    "exercise_answer": _exercise_answer, "open_why": _open_why, "open_found": _open_found,
    "which_operation": _which_operation, "as_story": _as_story,
}  # fmt: skip
"""Ask → what answers it."""

"""Answers about the open task, whose answer is never said, and about exercises of the chat: hints, guesses, answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import claim_in, read_expressions
from maththera.chat.coach.column_replies import column_words, general_reason
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import kind_of, operations_in
from maththera.chat.coach.message_shapes import (
    exercise_of,
    guessed_number,
    problems_in_hand,
    sheet_place,
    wrong_result,
)
from maththera.chat.coach.number_pictures import blocks, drawn, on_line
from maththera.chat.coach.problem_replies import another_way, say_which, solve_problem
from maththera.chat.coach.problem_stories import as_story, quiz_table, riddle
from maththera.chat.coach.set_phrases import BACK, WHY_NOT_TOLD, takes_more, written_answer
from maththera.chat.coach.several_ways import several_ways
from maththera.chat.coach.single_answers import explained_answer
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import found_step, next_say, partial_steps
from maththera.chat.coach.task_questions import (
    ABOUT_TASK,
    LINE,
    NOT_TAUGHT,
    PICTURE,
    START,
    TOGETHER,
    TOO_BIG,
    TOO_MUCH,
    UNDECIDED,
    concludes_wrongly,
    groups_told,
    holds_out_answer,
    was_right,
    written_turned,
)
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.coach.way_parts import both_parts, due_step, linked_step, own_step, parts_missed, told_right
from maththera.chat.coach.worked_examples import worked_example
from maththera.knowledge.explanations import explained

_TEN: Final = 10
_ASKS_WHERE: Final = ("why", "what")
"""Acts of a message that asks where a guess went wrong."""
_NOTICED: Final = re.compile(r"(?:네|구나|군|는\s*거[네지])(?:요)?[!.~ㅎㅋ ]*$")
"""The end of a sentence in which something is found out."""

_ASKS_WAY: Final = re.compile(r"해도\s*[돼되]|이렇게\s*(?:하면|풀면|풀어도)|먼저\s*하고")
"""Words that tell how the guess was found, or ask whether one may."""
_IS_MEANT: Final = re.compile(r"(?:거|뜻|말)\s*(?:이?야|이?지|이?죠|예요|이에요|네|임)?[?!. ㅋㅎ]*$")
"""Is it that what is meant?"""
_VERB: Final = re.compile(r"(더하|빼|곱하|나누)면")
_DISTRESS: Final = re.compile(r"울|우[네는니]|힘들|속상|짜증|화[를]?\s*내")
_UNWILLING: Final = re.compile(r"하기\s*싫|안\s*할래|안\s*하고|때려\s*[쳐치]|그만\s*할래|포기")
_TIRED: Final = re.compile(r"졸[려리립]|피곤|지[쳤친]|자고\s*싶|끝내[자고]|끝낼래")
_HINT: Final = re.compile(r"힌트|도와|모르")
_ANSWER: Final = re.compile(r"답")
_LOST: Final = re.compile(r"모르|몰[라르겠랐]|몰겟|모르겟|어려[워웠]|어렵|못\s*하겠")
_GOES_TO_NEXT: Final = re.compile(
    r"다음\s*(?:꺼|거|것|문제|걸)|담\s*(?:꺼|거|문제)|(?:딴|새|다른)\s*(?:거|문제)|또\s*(?:줘|내)"
)
"""The child wants the next problem, too."""

# --- hints ------------------------------------------------------------------------------------------------------------


def hints(draft: Draft, problem: Problem) -> list[str]:
    """The hints of a problem from the first to the last; none says the answer."""
    kind, a, b = kind_of(problem), problem.a, problem.b
    slots: dict[str, object] = {
        "one": a % _TEN, "other": b % _TEN, "tens": a // _TEN % _TEN, "other_tens": b // _TEN % _TEN, "a": a, "b": b,
        "opened": a % _TEN + _TEN, "left": a // _TEN % _TEN - 1,
        "big": max(a, b), "small": min(a, b), "round": (max(a, b) // _TEN + 1) * _TEN,
    }  # fmt: skip
    if (
        problem.form == "result"
        and problem.op in "+-"
        and a % _TEN == b % _TEN == 0
        and min(a, b) >= _TEN
        and max(a, b) < _TEN**2
    ):
        return [
            draft.worded("hint_tens", one=a // _TEN, other=b // _TEN, do="모아 봐" if problem.op == "+" else "덜어 봐")
        ]
    if problem.form == "result" and max(a, b) >= _TEN**2 and 0 in problem.carries and problem.op in "+-":
        reason = general_reason(problem)[0]
        first = draft.texts.says[f"hint_{kind}"].child[0]
        told = [fill_template(first, **slots), draft.worded(reason.key, **reason.slots), draft.worded("hint_places")]
        return told if all(told) else told[:1]
    if problem.form != "result" or (kind in ("carry", "borrow") and 0 not in problem.carries) or max(a, b) >= _TEN**2:
        return [step.say for step in explained(problem)[:-1]] or [explained(problem)[0].say]
    if problem.op in "+-" and b == 0:
        return [
            draft.worded("hint_with_nothing", a=a, do="안 놓으면" if problem.op == "+" else "안 먹으면")
            for _ in range(2)
        ]
    if kind == "times" and min(a, b) <= 1:
        key = "hint_empty" if not a else "hint_no_times" if not b else "hint_once"
        return [draft.worded(key, times=b, each=a if b == 1 or not b else b) for _ in draft.texts.says[key].child]
    big = max(a, b)
    if kind == "times" and _TEN < big < _TEN**2 and min(a, b) < _TEN and big % _TEN:
        slots |= {"tens": big - big % _TEN, "ones": big % _TEN}
        return [draft.worded("hint_times_parts", **slots) for _ in range(2)]
    if kind == "times" and (big >= _TEN or b <= 2):
        return [step.say for step in explained(problem)[:-1]] or [draft.worded("things_times", a=a, b=b)]
    if kind == "share" and a > _TEN * b:
        return [draft.worded("hint_share_tens", **slots), draft.worded("hint_share_rest", **slots)]
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


def _in_hand(turn: CoachTurn, draft: Draft) -> Problem | None:
    """The exercise that waits, else the open task."""
    return next(iter(problems_in_hand(draft.board, turn.opened)), None)


def _step(turn: CoachTurn, draft: Draft) -> None:
    """Confirms a step that the child has found, and leads on."""
    if _says_step(draft, problems_in_hand(draft.board, turn.opened), turn.message):
        return
    if TOGETHER.search(turn.message) and _given(turn.message, next(iter(turn.opened), None)) is not None:
        _open_guess(turn, draft)
    elif TOGETHER.search(turn.message):
        draft.say("steps_together")
    else:
        say_which(turn, draft)


def _says_step(draft: Draft, problems: Sequence[Problem], message: str) -> bool:
    before = draft.board.get("found", {})
    heard = own_step(problems, message, draft.board)
    if heard is None:
        steps = ((one, found_step(one, message, before.get(one.expression, ()))) for one in problems)
        linked = ((one, linked_step(one, message, draft.board)) for one in problems)
        heard = next(((one, step) for one, step in chain(steps, linked) if step is not None), None)
    if heard is None:
        return False
    problem, step = heard
    _begun(draft, problem)
    draft.say(step.word.key, **step.word.slots)
    if step.topic is not None:
        draft.board["topic"] = step.topic
    told = told_right(problem, message, draft.board) if step.found else []
    if step.found:
        own = [*before.get(problem.expression, ()), *(one for one in told if one != step.found), step.found]
        draft.board["found"] = {**before, problem.expression: [*dict.fromkeys(own)]}
    return True


def _begun(draft: Draft, problem: Problem) -> None:
    """The first hint of a problem asks for what has just been said."""
    given = draft.board.setdefault("hints", {})
    given[problem.expression] = max(1, given.get(problem.expression, 0))


def _column(turn: CoachTurn, draft: Draft) -> None:
    """What is said of the columns of the problem that is meant; what was just said is explained in another way."""
    shown = [exercise_of(draft.board.get("problem")), exercise_of(draft.board.get("expression")), *turn.opened[:1]]
    words = (word for one in shown if one is not None for word in column_words(one, turn.message)[:1])
    if (word := next(words, None)) is None:
        _take_more(turn, draft)
        return
    for one in turn.opened[:1]:
        _begun(draft, one)
    line = draft.worded(word.key, **word.slots)
    if line in turn.told and _in_hand(turn, draft) is not None:
        _explain(turn, draft)
    else:
        draft.add(line)


def _not_heard(turn: CoachTurn, draft: Draft) -> None:
    """To what is not understood beside a problem in hand: where the child is and what comes next, or a question about
    it, never what was said just before."""
    problem = _in_hand(turn, draft)
    if problem is None or turn.adult:
        say_which(turn, draft)
        return
    found = draft.board.get("found", {}).get(problem.expression, ())
    step = due_step(problem, draft.board) or hints(Draft(draft.texts, False, {}), problem)[0]
    keys = ["lost_found", "lost_found_ask"] if found else ["lost_step", "lost_ask", "lost_things"]
    things = " ".join(_with_things(draft, problem)) or step
    slots = {"expression": problem.expression, "next": step, "found": ", ".join(found[-2:]), "things": things}
    lines = [draft.worded(key, **slots) for key in keys]
    place = draft.board["times"].get("not_heard", 0)
    draft.board["times"]["not_heard"] = place + 1
    ordered = [*lines[place % len(lines) :], *lines[: place % len(lines)]]
    draft.add(next((line for line in ordered if line not in turn.told), ordered[0]))


def _so_far(turn: CoachTurn, draft: Draft) -> None:
    """The steps that the child has found, and the next one; from the beginning where it has found none."""
    problem = _in_hand(turn, draft)
    if problem is None:
        say_which(turn, draft)
    elif found := draft.board.get("found", {}).get(problem.expression):
        following = next_say(problem, found)
        key = "steps_so_far" if following else "steps_so_far_last"
        draft.say(key, expression=problem.expression, steps=", ".join(found), next=following)
    else:
        draft.add(*_from_the_start(draft, problem))


# --- explained --------------------------------------------------------------------------------------------------------


def _explain(turn: CoachTurn, draft: Draft) -> None:
    """The problem in hand in the way that is asked for, else in the next one that was not told: why its step is done,
    with things, in a picture, from the start."""
    problem = _in_hand(turn, draft)
    if problem is None:
        say_which(turn, draft)
        return
    told = draft.board.get("explained", {}).get(problem.expression, [])
    message = turn.message
    if TOO_MUCH.search(message) and (small := _in_small_picture(draft, problem)):
        draft.add(*small)
        return
    numbers = [int(one) for one in re.findall(r"\d+", message)] if "왜" in message else []
    steps = {one.found: one for one in reversed([*partial_steps(problem)])}
    step = next((steps[number] for number in numbers if number in steps), None)
    if step is not None:
        draft.say("from_step", number=step.found, step=step.line)
        return
    wanted = (("line", LINE), ("picture", PICTURE), ("start", START))
    asked = next((way for way, words in wanted if words.search(message)), "")
    if asked in told and (asked == "start" or _LOST.search(message)):
        asked = ""  # it did not help
    left = [way for way in _WAYS if way not in told and (way != "reason" or "왜" in message)]
    for way in [*filter(None, [asked]), *left, "start", "things"]:
        lines = _EXPLAINED[way](draft, problem)
        if lines and not all(line in turn.told for line in lines):
            draft.add(*lines)
            own = [way] if {*told, way} >= {*_WAYS} else [*told, way]
            draft.board["explained"] = {**draft.board.get("explained", {}), problem.expression: own}
            return
        if way == "picture" == asked:
            draft.say("open_picture_too_large" if turn.opened else "picture_too_large")
    draft.say("open_hint", expression=problem.expression, hint=hints(draft, problem)[0])


def _reason(draft: Draft, problem: Problem) -> list[str]:
    """Why the problem is worked out as it is."""
    if max(problem.a, problem.b) >= _TEN and (words := general_reason(problem)):
        return [draft.worded(words[0].key, **words[0].slots)]
    kind = kind_of(problem)
    small = "_small" if kind in ("add", "take") and max(problem.a, problem.b) < _TEN else ""
    return [draft.worded(f"why_{kind}{small}", a=problem.a, b=problem.b, big=max(problem.a, problem.b))]


def _with_things(draft: Draft, problem: Problem) -> list[str]:
    """The problem told of things in bags of ten, or in groups; nothing for large numbers."""
    a, b = problem.a, problem.b
    if problem.form != "result" or max(a, b) >= _TEN**2 or b == 0:
        return []
    kind = kind_of(problem)
    small = "_small" if kind in ("add", "carry", "take", "borrow") and (b < _TEN and a < 2 * _TEN) else ""
    begin = next((one for one in (10, 5, 2, 1) if one < problem.answer), 0)
    if kind == "share" and not begin:
        return []
    big, little = max(a, b), min(a, b)
    slots: dict[str, object] = {"one": a % _TEN, "other": b % _TEN, "tens": a // _TEN, "other_tens": b // _TEN}
    gap = _TEN - big % _TEN
    slots |= {"a": a, "b": b, "big": big, "small": little, "begin": begin, "gap": gap, "round": big + gap}
    high = "_high" if kind == "carry" and 0 not in problem.carries else ""  # tens are bundled, not ones
    return [draft.worded(f"things_{kind}{small or high}", **slots)]


def _in_picture(draft: Draft, problem: Problem) -> list[str]:
    picture = drawn(problem, hide=True)
    if not picture or problem.b == 0:
        return []
    kind = {"x": "_times", "/": "_share"}.get(problem.op, "")
    slots: dict[str, object] = {"expression": problem.expression, "a": problem.a, "b": problem.b}
    now = f"open_picture{kind}_now" if problem.op != "-" else "open_picture_take_now"
    now = "open_picture_take_small" if problem.op == "-" and problem.a < _TEN else now
    return [draft.worded(f"open_picture{kind}", **slots), *picture, draft.worded(now, **slots)]


def _in_small_picture(draft: Draft, problem: Problem) -> list[str]:
    """The ones alone, where the whole picture was too much."""
    if problem.op not in "+-" or max(problem.a, problem.b) < _TEN:
        return []
    ones = [f"{one}: {blocks(one)}" for one in (problem.a % _TEN, problem.b % _TEN)]
    return [draft.worded("open_picture_ones"), *ones, hints(Draft(draft.texts, False, {}), problem)[0]]


def _from_the_start(draft: Draft, problem: Problem) -> list[str]:
    """All that is to be done, from the first step on, without a result."""
    draft.board.setdefault("hints", {})[problem.expression] = 1
    steps = [f"{number}. {hint}" for number, hint in enumerate(hints(draft, problem), start=1)]
    return [draft.worded("from_the_start", expression=problem.expression), *steps]


def _along_line(draft: Draft, problem: Problem) -> list[str]:
    line = on_line(problem, hide=True)
    key = {"x": "open_line_times", "/": "open_line_share"}.get(problem.op, "open_line")
    way = draft.worded("line_on" if problem.op in "+x" else "line_back")
    return [draft.worded(key, expression=problem.expression, way=way), line] if line else []


def _direction(turn: CoachTurn, draft: Draft) -> None:
    """Whether one goes on or back with the problem in hand or the one that was explained last."""
    problem = _in_hand(turn, draft) or exercise_of(draft.board.get("expression"))
    if problem is None:
        say_which(turn, draft)
        return
    back = BACK.search(turn.message) is not None
    fits = back == (problem.op in "-/")
    key = {"+": "direction_add", "-": "direction_take", "x": "direction_times", "/": "direction_share"}[problem.op]
    draft.say(key, yes=draft.worded("yes_so" if fits else "no_other_way"), a=problem.a, b=problem.b)


_EXPLAINED: Final[Mapping[str, Callable[[Draft, Problem], list[str]]]] = {
    "reason": _reason, "things": _with_things, "picture": _in_picture, "start": _from_the_start, "line": _along_line,
}  # fmt: skip
"""Way → the lines that explain a problem so; none where it cannot."""
_WAYS: Final = tuple(_EXPLAINED)


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
    elif _was_right(turn, problem) and _turned(turn.message, problem) is not None:
        draft.say("turned_times" if problem.op == "x" else "turned_sum", a=problem.a, b=problem.b)
    elif _was_right(turn, problem):
        if "왜" not in turn.message or not _reasoned(draft, problem):
            draft.say("open_next")
    else:
        _hint_at(turn, draft, problem, stated)


def _was_right(turn: CoachTurn, problem: Problem) -> bool:
    """Whether the child has just been told that its guess is right, and asks for no help."""
    return was_right(turn.board, problem) and not _HINT.search(turn.message)


def _hint_at(turn: CoachTurn, draft: Draft, problem: Problem, stated: str | None) -> None:
    """`stated`: an expression of the message that comes to the answer."""
    if stated == problem.expression and _IS_MEANT.search(turn.message):
        draft.say("open_meaning_yes")
    if NOT_TAUGHT.search(turn.message) and problem.op in "x/" and (lines := _with_things(draft, problem)):
        draft.add(*lines)
        return
    hint = next_hint(draft, problem)
    draft.board.pop("expression", None)
    if TOO_BIG.search(turn.message):
        draft.say("big_numbers")
    if (key := _without_zest(turn.message)) is not None:
        draft.say(key, hint=hint or draft.worded("open_last"))
    elif hint is None:
        _no_hint_left(turn, draft, problem)
    elif turn.ask == "give_answer" or "답" in turn.message or WHY_NOT_TOLD.search(turn.message):
        draft.say("open_refuse", hint=hint)
    elif stated not in (None, problem.expression):
        draft.say("open_same")
    else:
        if _LOST.search(turn.message) and not draft.board.setdefault("times", {}).get("hint_comfort"):
            draft.say("hint_comfort")
        draft.say("open_hint", expression=problem.expression, hint=hint)


def _no_hint_left(turn: CoachTurn, draft: Draft, problem: Problem) -> None:
    """Where all hints were given: that the last step is the child's, else the problem told otherwise."""
    if draft.board.get("found", {}).get(problem.expression):
        draft.say("open_last")
        return
    if turn.ask == "give_answer" or _ANSWER.search(turn.message):
        draft.say("open_refuse_only")
    _again_otherwise(turn, draft, problem)


def _without_zest(message: str) -> str | None:
    """The text for a child that asks for help and is tired or unwilling; None for others."""
    if _TIRED.search(message):
        return "open_tired"
    return "open_unwilling" if _UNWILLING.search(message) else None


def _again_otherwise(turn: CoachTurn, draft: Draft, problem: Problem) -> None:
    """Where all hints were given and no step was found: the problem in a way that was not told yet, else the first hint
    again."""
    told = draft.board.get("explained", {}).get(problem.expression, [])
    for way in ("things", "picture", "reason"):
        lines = _EXPLAINED[way](draft, problem) if way not in told else []
        if lines and not any(line in turn.told for line in lines):
            draft.add(*lines)
            draft.board["explained"] = {**draft.board.get("explained", {}), problem.expression: [*told, way]}
            return
    draft.board["hints"] = {**draft.board.get("hints", {}), problem.expression: 0}
    draft.say("open_hint", expression=problem.expression, hint=next_hint(draft, problem))


def _other_operation(turn: CoachTurn, draft: Draft) -> None:
    """Whether the problem in hand or the one that was explained last can be worked out by another operation."""
    problem = _in_hand(turn, draft) or exercise_of(draft.board.get("expression"))
    wanted = next(iter(operations_in(turn.message)), "x" if "구구단" in turn.message else "")
    if problem is None or not wanted:
        say_which(turn, draft)
        return
    key = _BY_OTHER.get(
        (problem.op, wanted), "operation_same" if problem.op == wanted else f"operation_of_{_NAMES[problem.op]}"
    )
    draft.say(key, expression=problem.expression, a=problem.a, b=problem.b)


_NAMES: Final = {"+": "sum", "-": "difference", "x": "product", "/": "quotient"}
_BY_OTHER: Final = {
    ("/", "x"): "share_by_times", ("x", "+"): "times_by_adding", ("/", "-"): "share_by_taking",
    ("-", "+"): "take_by_adding", ("/", "+"): "share_by_adding",
}  # fmt: skip
"""(operation of a problem, another one) → what is said where it does, too."""


def _take_more(turn: CoachTurn, draft: Draft) -> None:
    """How a digit is taken from a smaller one, where no problem is spoken of."""
    if (digits := takes_more(turn.message)) is None:
        say_which(turn, draft)
    else:
        draft.say("cannot_take", one=digits[0], other=digits[1], opened=digits[0] + _TEN)


def _open_guess(turn: CoachTurn, draft: Draft) -> None:
    """Whether a guess at the open task is right: yes, without the number, or a hint at what went wrong."""
    problem = turn.opened[0] if turn.opened else None
    given = _given(turn.message, problem)
    if given is None and turn.board.get("ask") == "open_guess":
        given = turn.board.get("given")  # of the guess before: 맞지?
    draft.board["given"] = given
    if problem is None or given is None or UNDECIDED.search(turn.message):
        _checked(draft, problem)
    elif given == problem.answer:
        _guessed_right(turn, draft, problem)
    elif not malrules_giving(problem, given) and len(str(given)) < len(str(problem.answer)):
        draft.say("open_guess_part")
    else:
        draft.say("open_guess_wrong", explained=_what_went_wrong(draft, problem, given))


def _guessed_right(turn: CoachTurn, draft: Draft, problem: Problem) -> None:
    if (turned := _turned(turn.message, problem)) is not None:
        draft.say("open_guess_turned", turned=turned, expression=problem.expression)
        return
    if written_turned(turn.message, problem):
        draft.say("open_guess_reversed")
        return
    draft.say("open_guess_right", noticed=_noticed(draft, problem))
    if _GOES_TO_NEXT.search(turn.message):
        draft.say("open_then_next")
    if _ASKS_WAY.search(turn.message):
        draft.say("open_way_fine")
    elif "왜" in turn.message:
        _reasoned(draft, problem)


def _reasoned(draft: Draft, problem: Problem) -> bool:
    """Says why the open task comes out as it does, where there is something to be said."""
    if not general_reason(problem) and problem.op in "+-":
        return False
    draft.add(*_reason(draft, problem))
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
    topic = draft.board.get("topic")
    if topic is not None and topic["about"] == "up" and problem.op == "-" and given == problem.answer + 1:
        return draft.worded("counted_up_first", b=problem.b)
    if words := _procedure_words(draft, problem, given):
        return words
    if (missed := parts_missed(problem, given, draft.board)) is not None:
        return draft.worded(missed.key, **missed.slots)
    if found := draft.board.get("found", {}).get(problem.expression):
        following = column_words(problem, "그다음은?")
        if following:
            return draft.worded(following[0].key, **following[0].slots)
        return draft.worded("go_on_from_all" if len(found) > 1 else "go_on_from", found=", ".join(found))
    return next_hint(draft, problem) or draft.worded("open_last")


def _procedure_words(draft: Draft, problem: Problem, given: int) -> str:
    """The mistake behind a wrong answer and where to look for it; "" if it is unknown or has no helpful words."""
    if not malrules_giving(problem, given):
        return ""
    words = str(explained_answer(draft, problem.expression, given)["explained"])
    return "" if "나와" in words else words


def _given(message: str, problem: Problem | None) -> int | None:
    """The number that is held out as the answer."""
    if problem is not None and holds_out_answer(message, problem):
        return problem.answer
    if problem is not None and (concluded := concludes_wrongly(message, problem)) is not None:
        return concluded
    claimed = next((int(one.claimed) for one in read_expressions(message) if one.claimed is not None), None)
    given = claimed if claimed is not None else guessed_number(message)
    if given is not None or problem is None:
        return given
    return groups_told(message, problem) or wrong_result(problem, message)


def told_of_task(draft: Draft, problem: Problem, message: str) -> None:
    """What is said to an adult who asks for the answer of a child's open task, or tells what the child has written."""
    given, expression = written_answer(message), problem.expression
    if given is None:
        comfort = draft.worded("task_comfort") + " " if _DISTRESS.search(message) else ""
        hint = hints(Draft(draft.texts, False, {}), problem)[0]
        draft.say("task_of_child", comfort=comfort, expression=expression, hint=hint)
    elif given == problem.answer:
        draft.say("task_written_right", expression=expression)
    elif shown := _procedure_words(Draft(draft.texts, False, {}), problem, given):
        draft.say("task_written", expression=expression, given=given, explained=shown)
    else:
        hint = hints(Draft(draft.texts, False, {}), problem)[0]
        draft.say("task_written_unknown", expression=expression, given=given, hint=hint)


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
    """Why the open task or the exercise comes out as it does, or where a guess went wrong: the step that matters."""
    before, given = turn.board.get("ask"), turn.board.get("given")
    exercise = exercise_of(draft.board.get("problem")) if before == "exercise_answer" or not turn.opened else None
    problem = exercise or turn.opened[0]
    asked = before in ("open_guess", "exercise_answer") and act_of(turn.message) in _ASKS_WHERE
    shown = _procedure_words(draft, problem, given) if asked and given is not None else ""
    if shown and shown not in turn.told:
        draft.add(shown)
        return
    if given is not None and (missed := parts_missed(problem, given, draft.board)) is not None:
        draft.say(missed.key, **missed.slots)
        return
    if (both := both_parts(problem, draft.board)) is not None:
        draft.say("parts_whole", one=both[0], other=both[1])
        return
    if given == problem.answer and before in ("open_guess", "open_why") and "왜" in turn.message:
        nothing = problem.op == "-" and problem.a == problem.b
        draft.add(*([draft.worded("open_reason_nothing", a=problem.a)] if nothing else _reason(draft, problem)))
        return
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


def _open_easy(turn: CoachTurn, draft: Draft) -> None:
    """The child finds its task easy."""
    draft.say("open_easy", expression=turn.opened[0].expression)


def _too_few(turn: CoachTurn, draft: Draft) -> None:
    """That the ones of the open task are too few, and what is done then; or that they are not."""
    one, other = turn.opened[0].a % _TEN, turn.opened[0].b % _TEN
    draft.say("cannot_take" if one < other else "can_take", one=one, other=other, opened=one + _TEN)


def _count_from(turn: CoachTurn, draft: Draft) -> None:
    """From which number of the open task one counts on."""
    big, small = max(turn.opened[0].a, turn.opened[0].b), min(turn.opened[0].a, turn.opened[0].b)
    draft.say("count_from", big=big, small=small, next=big + 1)


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


def _hint(turn: CoachTurn, draft: Draft) -> None:
    """Help where no task and no exercise is open: with what was explained, or with what is named."""
    if not another_way(draft, picture=turn.ask == "dont_know"):
        draft.say("hint_nothing")


def _my_task(turn: CoachTurn, draft: Draft) -> None:
    if turn.opened:
        draft.say("open_task", expression=turn.opened[0].expression)
        draft.board.pop("problem", None)
    elif problem := draft.board.get("problem"):
        draft.say("exercise", expression=problem)
    else:
        draft.say("open_none")


def _goes_on(turn: CoachTurn, draft: Draft) -> bool:
    """Says to go on with the exercise or the open task that waits, where that is what was spoken of."""
    if problem := draft.board.get("problem"):
        draft.say("go_on", expression=problem)
    elif turn.opened and turn.board.get("ask") in (*ABOUT_TASK, "my_task", "agree"):
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
    named = sheet_place(turn.message, draft.board)
    if named is not None:
        draft.board["problem"] = draft.board["sheet"][named]
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


def _retry(turn: CoachTurn, draft: Draft) -> None:
    """What was spoken of as an exercise, to be tried again."""
    problem = exercise_of(draft.board.get("expression"))
    if problem is None:
        say_which(turn, draft)
        return
    draft.say("retry", expression=problem.expression)
    draft.board["problem"] = problem.expression
    draft.board.pop("expression", None)


def _exercise_answer(turn: CoachTurn, draft: Draft) -> None:
    problem = exercise_of(draft.board.get("problem"))
    claimed = next((int(one.claimed) for one in read_expressions(turn.message) if one.claimed is not None), None)
    given = claimed if claimed is not None else claim_in(turn.message)
    if problem is None or given is None:
        _exercise_help(turn, draft)
        return
    draft.board["given"] = given
    if given == problem.answer:
        draft.say("exercise_right", given=given)
        topic = draft.board.get("topic")
        quiz = topic is not None and topic["about"] == "table" and problem.op == "x" and problem.a == topic["number"]
        draft.board["expression"] = draft.board.pop("problem")
        draft.board["offer"] = "quiz_table" if quiz else "give_problem"
    elif not _says_step(draft, [problem], turn.message):
        draft.say("exercise_wrong", explained=_what_went_wrong(draft, problem, given))


OPEN_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "open_help": _open_help, "open_guess": _open_guess, "my_task": _my_task, "hint": _hint, "give_answer": _hint,
    "dont_know": _hint, "same_way": _same_way, "agree": _agree, "exercise_help": _exercise_help,
    "exercise_answer": _exercise_answer, "open_why": _open_why, "open_found": _open_found,
    "which_operation": _which_operation, "as_story": as_story, "quiz_table": quiz_table, "column": _column,
    "riddle": riddle, "worked_example": worked_example, "several_ways": several_ways, "direction": _direction,
    "count_from": _count_from, "too_few": _too_few, "retry": _retry,
    "which": _not_heard, "unclear": _not_heard, "open_easy": _open_easy,
    "step": _step, "so_far": _so_far, "explain": _explain, "other_operation": _other_operation, "take_more": _take_more,
}  # fmt: skip
"""Ask → what answers it."""

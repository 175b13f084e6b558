"""Answers about problems: worked out in steps, judged, drawn, told as a story."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import Expression, read_expressions
from maththera.chat.coach.column_replies import carry_word, general_reason
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.message_shapes import comes_to, exercise_of, guessed_number, problems_in_hand, wrong_result
from maththera.chat.coach.number_pictures import ONE, TEN, drawn, in_columns, on_line
from maththera.chat.coach.single_answers import explained_answer
from maththera.chat.coach.story_talk import story_goes_on, story_of
from maththera.chat.coach.task_questions import LINE, PICTURE
from maththera.json_types import JsonObject
from maththera.knowledge.explanations import explained

_SAID_RIGHT: Final = -1
"""In place of the ways in which an expression was explained: the child said it with its right result, so that another
number after it is of something else."""
_MOST_LINES: Final = 3
_MOST_STEPS: Final = 6
_VALUE_FIRST: Final = re.compile(r"\d\s*=\s*\d+\s*[-+−×x*÷/]")
_ABOUT: Final = re.compile(r"어림|대강|대충|쯤")
_CARRIES_SAID: Final = frozenset({"carries_too", "carries_too_high", "carries_not"})
_CARRY_ASKED: Final = re.compile(r"1이|올[리라려린]|받아|안\s*나[와오]|나[와오]")
_TEN: Final = 10
_SO_OFTEN: Final = re.compile(r"\d\s*(?:이|을|를)?\s*([두세네2-4])\s*(?:번|배)(?!째)")
"""So many times a number: 35×4는 70 두 번."""
_TIMES: Final = {"두": 2, "세": 3, "네": 4, "2": 2, "3": 3, "4": 4}


def numbered(steps: Sequence[str]) -> list[str]:
    """Steps with their numbers, two in a line where there are many."""
    told = [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    each = 1 if len(told) <= _MOST_LINES else 2 if len(told) <= 2 * _MOST_LINES else 3
    return ["   ".join(told[start : start + each]) for start in range(0, len(told), each)]


# --- worked out -------------------------------------------------------------------------------------------------------


def solve_problem(draft: Draft, problem: Problem, *, way: int = 0) -> None:
    """The steps of a problem. `way`: 0 the main strategy, 1 another representation, 2 a picture."""
    draft.board["expression"], draft.board["ways"] = problem.expression, way
    draft.board.pop("concept", None)
    if problem.op == "/" and problem.a == 0:
        draft.say("zero_shared", b=problem.b)
        return
    if way % 3 == 2 and (picture := drawn(problem)):
        draft.say("solve_picture", expression=problem.expression, ten=TEN, one=ONE)
        draft.add(*picture, f"{problem.expression}={problem.answer}")
        draft.board["items"] = [{"what": "step", "id": line} for line in picture]
        return
    steps = [step.line for step in explained(problem, other=way % 3 == 1)]
    if len(steps) > _MOST_STEPS:  # three digits: in columns
        steps = min(steps, [step.line for step in explained(problem, other=way % 3 == 0)], key=len)
    draft.say("solve_way" if way else "solve_open", expression=problem.expression)
    draft.add(*numbered(steps))
    draft.board["items"] = [{"what": "step", "id": step} for step in steps]


def _solve(turn: CoachTurn, draft: Draft) -> None:
    """Every expression of the message, as the explanation tool gave it."""
    found = turn.found("get_problem_explanation")
    expressions = read_expressions(turn.message)
    if not found and not expressions:
        say_which(turn, draft)
        return
    draft.board.pop("problem", None)
    before = draft.board.get("expression")
    _remember_story(draft, expressions)
    if len(expressions) == 1 and (_estimate(turn, draft, expressions[0]) or _turned(turn, draft, before, expressions)):
        return
    named = problem_of(expressions[0]) if len(expressions) == 1 and expressions[0].claimed is None else None
    if named is not None and named not in turn.opened and along_line(turn, draft, named):
        return
    for place, one in enumerate(found[:3]):
        expression = expressions[place] if place < len(expressions) else None
        _solve_one(turn, draft, one, expression)


def _estimate(turn: CoachTurn, draft: Draft, expression: Expression) -> bool:
    """Says about how much a sum or difference is, where that is asked."""
    problem = problem_of(expression)
    if problem is None or problem.op not in "+-" or not _ABOUT.search(turn.message):
        return False
    a, b = ((one + _TEN // 2) // _TEN * _TEN for one in (problem.a, problem.b))
    draft.say("estimate", a=problem.a, b=problem.b, about_a=a, about_b=b, sign="+" if problem.op == "+" else "−",
              about=a + b if problem.op == "+" else a - b)  # fmt: skip
    draft.board["concept"], draft.board["aspects"] = "어림", ["what"]
    draft.board.pop("expression", None)
    return True


def _turned(turn: CoachTurn, draft: Draft, before: str | None, expressions: Sequence[Expression]) -> bool:
    """Says that the expression before has the same result, where the two numbers only changed places."""
    one, other = problem_of(expressions[0]), exercise_of(before)
    if one is None or other is None or one.op not in "+x" or one in turn.opened:
        return False
    if one.a == one.b or (one.op, one.a, one.b) != (other.op, other.b, other.a):
        return False
    draft.say("same_turned", one=other.expression, other=one.expression, value=one.answer)
    draft.board["concept"], draft.board["aspects"] = "순서 바꾸기", ["what"]
    return True


def _remember_story(draft: Draft, expressions: Sequence[Expression]) -> None:
    """A story may go on from its result."""
    draft.board.pop("story", None)
    if len(expressions) == 1 and expressions[0].value is not None and re.search(r"[가-힣]", expressions[0].written):
        value = int(expressions[0].value)
        draft.board["story"] = {"first": value, "before": value, "value": value, "counter": ""}


def _solve_one(turn: CoachTurn, draft: Draft, one: JsonObject, expression: Expression | None) -> None:
    if one.get("beyond") or "expression" not in one:
        draft.say(f"outside_{one['beyond']}" if one.get("beyond") else "beyond")
        draft.add(*one.get("steps", []))
        _remember_steps(draft, expression, one.get("steps", []))
        return
    problem = problem_of(expression) if expression else exercise_of(one["expression"])
    if one.get("open_task"):
        draft.say("open_hidden")
        draft.add(*numbered(one["steps"][:1]))
        return
    given = one.get("given")
    if given and given["correct"]:
        both = _VALUE_FIRST.search(turn.message)
        draft.say("equal" if both else "right", given=given["answer"], left=given["answer"])
        draft.board["expression"], draft.board["ways"] = one["expression"], _SAID_RIGHT
        if problem is not None and "왜" in turn.message:
            solve_problem(draft, problem)
        return
    if given and _says_so_often(turn, draft, one):
        return
    _says_wrong(draft, given, one["answer"])
    if problem is not None and _carry_line(turn, draft, problem):
        draft.board["expression"], draft.board["ways"] = problem.expression, 0
        draft.add(f"{problem.expression}={problem.answer}")
    elif problem is not None and problem.form == "result":
        solve_problem(draft, problem, way=2 if PICTURE.search(turn.message) and drawn(problem) else 0)
    else:
        if not given:
            draft.say("solve_open", expression=one["expression"])
        draft.add(*numbered(one["steps"]))
        _remember_steps(draft, expression, one["steps"])


def _says_so_often(turn: CoachTurn, draft: Draft, one: JsonObject) -> bool:
    """A result told as so many times a number: 35×4는 70 두 번."""
    often, given = _SO_OFTEN.search(turn.message), one["given"]["answer"]
    if often is None or given * _TIMES[often[1]] != one["answer"]:
        return False
    draft.say("right_so_often", given=given, times=_TIMES[often[1]], answer=one["answer"])
    draft.board["expression"], draft.board["ways"] = one["expression"], _SAID_RIGHT
    return True


def _says_wrong(draft: Draft, given: JsonObject | None, answer: int) -> None:
    """That a claimed result is wrong, and by which procedure it comes; nothing where none was claimed."""
    draft.board["given"] = given["answer"] if given else None
    if given and given["procedures"]:
        procedure = given["procedures"][0]["title"].partition(" (")[0]
        draft.say("wrong_explained", given=given["answer"], answer=answer, procedure=procedure)
    elif given:
        draft.say("wrong_unknown", given=given["answer"], answer=answer)


def _remember_steps(draft: Draft, expression: Expression | None, steps: Sequence[str]) -> None:
    """What was explained last, of an expression that is no problem."""
    draft.board.pop("concept", None)
    if expression is not None:
        draft.board["expression"], draft.board["ways"] = expression.text, 0
        draft.board["items"] = [{"what": "step", "id": step} for step in steps]


def along_line(turn: CoachTurn, draft: Draft, problem: Problem) -> bool:
    """Shows a problem on the number line, where that is asked for and the way is not too long."""
    line = on_line(problem) if LINE.search(turn.message) else ""
    if line:
        draft.say("solve_line", expression=problem.expression)
        draft.add(line)
        draft.board["expression"], draft.board["ways"] = problem.expression, 0
    return bool(line)


def _carry_line(turn: CoachTurn, draft: Draft, problem: Problem) -> bool:
    """Says whether a sum carries, where the talk is about that."""
    talks = turn.board.get("ask") in ("column", "why", "solve") and (
        _CARRY_ASKED.search(turn.message)
        or (turn.board.get("times", {}).keys() & {"carries_too", "carries_too_high", "carries_not"})
    )
    if not talks or problem.op != "+":
        return False
    one, other = problem.a % _TEN, problem.b % _TEN
    if (carried := carry_word(problem, "carries_too")) is not None:
        draft.say(carried.key, **carried.slots, sum=one + other)
    else:
        draft.say("carries_not", one=one, other=other, sum=one + other)
    return True


def _why_given(turn: CoachTurn, draft: Draft) -> None:
    """Why a wrong number comes out."""
    named = next(iter(read_expressions(turn.message)), None)
    problem = (problem_of(named) if named else None) or exercise_of(draft.board.get("expression"))
    given = wrong_result(problem, turn.message) if problem else None
    if problem is None or given is None:
        say_which(turn, draft)
        return
    draft.say("why_wrong_child", **explained_answer(draft, problem.expression, given))
    draft.board["expression"], draft.board["given"] = problem.expression, given


def _judge(turn: CoachTurn, draft: Draft) -> None:
    """A result that is claimed for what was explained last, or for something before it."""
    problem, given = exercise_of(draft.board.get("expression")), guessed_number(turn.message)
    given = comes_to(turn.message, draft.board.get("expression")) if given is None else given
    found = read_expressions(draft.board.get("expression") or "")
    shown = [one.value for text in draft.board.get("shown", []) for one in read_expressions(text)]
    story = draft.board.get("story")
    if given is not None and (given in shown or (story is not None and given in (story["before"], story["value"]))):
        draft.say("right", given=given)
    elif given is None or not found or found[0].value is None:
        say_which(turn, draft)
    elif draft.board.get("ways") == _SAID_RIGHT and given != found[0].value:
        draft.say("judge_of_what", given=given)
    elif problem is None:
        value = int(found[0].value)
        draft.say("right" if given == value else "wrong_unknown", given=given, answer=value)
    else:
        judge_answer(draft, problem, given)


def judge_answer(draft: Draft, problem: Problem, given: int) -> None:
    """Whether an answer is right, and the step that it missed."""
    if given == problem.answer:
        draft.say("right", given=given)
        return
    rules = malrules_giving(problem, given)
    if rules:
        procedure = rules[0].title.partition(" (")[0]
        draft.say("wrong_explained", given=given, answer=problem.answer, procedure=procedure)
    else:
        draft.say("wrong_unknown", given=given, answer=problem.answer)
    steps = [step.line for step in explained(problem)]
    draft.add(*numbered(steps)[:_MOST_LINES])
    draft.board["items"] = [{"what": "step", "id": step} for step in steps]


# --- on what was explained --------------------------------------------------------------------------------------------


def _story(turn: CoachTurn, draft: Draft) -> None:
    story = draft.board.get("story")
    step = story_goes_on(turn.message, story) if story is not None else None
    step = step or story_of(turn.message)
    if step is None:
        if shown := draft.board.get("expression"):
            draft.say("story_open", expression=shown)
        else:
            say_which(turn, draft)
        return
    now = step.story
    draft.board["story"] = now
    counter = now["counter"]
    if step.asks_than_first:
        difference = now["value"] - now["first"]
        key = "story_less" if difference < 0 else "story_more" if difference else "story_equal"
        draft.say(key, first=now["first"], difference=abs(difference), counter=counter)
        return
    left = now.get("left", 0)
    if step.asks_left:
        draft.say("story_left" if left else "story_none_left", left=f"{left}{now.get('rest', counter)}")
        return
    if step.asks_now:
        draft.say("story_value", amount=f"{now['value']}{counter}")
        return
    expression = read_expressions(step.expression)[0]
    if any(expression.value == one.answer for one in turn.opened):
        draft.say("open_hidden")
        return
    draft.say("story_open", expression=expression.text)
    if (problem := problem_of(expression)) is not None:
        draft.add(*numbered([one.line for one in explained(problem)])[:2])
        draft.board["expression"], draft.board["ways"] = problem.expression, 0
    if left and (rest := now.get("rest")):
        draft.say("story_parts_left", parts=f"{now['value']}{counter}", left=f"{left}{rest}")
        draft.board.pop("expression", None)
    elif left:
        draft.say("story_shared_left", each=f"{now['value']}{counter}", left=f"{left}{counter}")
        draft.board.pop("expression", None)
    else:
        draft.say("story_value", amount=f"{now['value']}{counter}")


def _story_why(turn: CoachTurn, draft: Draft) -> None:
    """Why the operation of a story is the one that it is."""
    problem = exercise_of(draft.board.get("expression"))
    if problem is None:
        say_which(turn, draft)
    else:
        draft.say(
            {"+": "story_why_sum", "-": "story_why_rest", "x": "story_why_groups", "/": "story_why_share"}[problem.op]
        )


def _in_columns(turn: CoachTurn, draft: Draft) -> None:
    """The problem that is named, waits or was explained last, written in columns; its result only where it is none
    that the child is to find."""
    named = next(filter(None, map(problem_of, read_expressions(turn.message))), None)
    waits = problems_in_hand(draft.board, turn.opened)
    problem = named or exercise_of(draft.board.get("expression")) or next(iter(waits), None)
    hide = problem in waits and not turn.adult
    lines = in_columns(problem) if problem is not None else []
    if problem is None or not lines:
        draft.say("no_columns")
        if not hide and problem is not None:
            solve_problem(draft, problem)
        return
    draft.say("columns_open" if hide else "columns", expression=problem.expression, answer=problem.answer)
    draft.add(*lines)
    if not hide:
        steps = [[step.line for step in explained(problem, other=other)] for other in (True, False)]
        by_place = next((one for one in steps if "일의 자리" in one[0]), steps[-1])
        draft.add(*numbered(by_place)[:2])
        draft.board["expression"], draft.board["ways"] = problem.expression, 0
        draft.board["items"] = [{"what": "step", "id": step} for step in by_place]


def _missed(turn: CoachTurn, draft: Draft) -> None:
    for one in turn.found("get_problem_explanation")[:1]:
        problem = exercise_of(one.get("expression"))
        if problem is None or one.get("open_task"):
            break
        if given := one.get("given"):
            draft.say("missed_last", given=given["answer"], expression=problem.expression)
            words = explained_answer(draft, problem.expression, given["answer"])
            draft.add(str(words["explained"]))
            draft.board["given"] = given["answer"]
        draft.add(*numbered([step.line for step in explained(problem)])[:2])
        draft.board["expression"], draft.board["ways"] = problem.expression, 0
        return
    draft.say("wrong_none" if turn.facts and turn.facts["answered"] else "no_records")


def another_way(draft: Draft, *, picture: bool = False) -> bool:
    """What was explained last, in its next representation. False where nothing was."""
    expression = draft.board.get("expression")
    problem = exercise_of(expression)
    if problem is None:
        found = read_expressions(expression) if expression else ()
        if found and draft.board.get("items"):
            draft.say("solve_way", expression=found[0].text)
            draft.add(*numbered([one["id"] for one in draft.board["items"] if one["what"] == "step"]))
            return True
        return False
    if picture:
        lines = drawn(problem)
        if lines:
            solve_problem(draft, problem, way=2)
        else:
            draft.say("no_picture")
            solve_problem(draft, problem, way=1)
        return True
    solve_problem(draft, problem, way=draft.board.get("ways", 0) + 1)
    return True


def number_explained(turn: CoachTurn, draft: Draft) -> bool:
    """The step that a number comes from: "왜 13이야?". False where none has it."""
    problem = exercise_of(draft.board.get("expression"))
    numbers = re.findall(r"\d+", turn.message)
    if problem is None:
        return False
    steps = [step for way in (False, True) for step in explained(problem, other=way)]
    step = next((one for one in steps if numbers and str(one.found) == numbers[0]), None)
    if step is not None:
        draft.say("from_step", number=numbers[0], step=step.line)
        return True
    words = general_reason(problem)
    if words:
        draft.say(words[0].key, **words[0].slots)
    return bool(words)


def step_explained(draft: Draft, place: int) -> None:
    """One step of what was explained last, again and with its reason."""
    steps = [one["id"] for one in draft.board.get("items", []) if one["what"] == "step"]
    if not 0 <= place < len(steps):
        draft.say("steps_missing", count=len(steps))
        return
    draft.board["item"] = place
    problem = exercise_of(draft.board.get("expression"))
    picture: list[str] = []
    if (parts := read_expressions(steps[place])) and problem is not None and (part := problem_of(parts[0])) is not None:
        picture = drawn(part)
    draft.say("step_again", number=place + 1, step=steps[place])
    draft.add(*picture)


def say_which(turn: CoachTurn, draft: Draft) -> None:
    """Kindly ask what was meant."""
    if turn.opened and not turn.adult:
        draft.say("which_open", expression=turn.opened[0].expression)
    else:
        draft.say("which")


PROBLEM_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "solve": _solve,
    "judge": _judge,
    "why_given": _why_given,
    "story": _story,
    "missed": _missed,
    "story_why": _story_why,
    "in_columns": _in_columns,
    "which": say_which,
    "unclear": say_which,
}
"""Ask → what answers it."""

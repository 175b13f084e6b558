"""The agents' drafts, put together from the texts of a course."""

from collections.abc import Sequence
from typing import Final

from maththera.lessons.config import Words
from maththera.lessons.courses.course import Chapter, Check, Choice, MultipleChoice, Question, Subjective, UserType
from maththera.lessons.courses.tasks import CIRCLED, Answer, Task, score_of_task, solution
from maththera.lessons.explanation_turns import Said, Turn
from maththera.lessons.quiz.task_answers import read_answer
from maththera.lessons.state import Evaluation

FULL: Final = 100
LINES: Final = 4
"""The most of a turn; a word on the reply before shares the first of them."""
_NEAR: Final = 3
OPEN: Final = "□"
"""What a calculation asks for."""


def turn_draft(  # noqa: PLR0913 - what is said, why, after what
    text: str, said: Said, asked: Turn | None, turn: Turn | None, words: Words, place: int
) -> str:
    """A turn with its check, after a word on the reply to the one before, which `asked`. `text`: its own words, or the
    other ones; `place`: its index, by which the words of praise take turns."""
    before = []
    if said == "right":
        before.append(words.check_right[place % len(words.check_right)])
    elif said == "help":
        before.append(words.check_help)
    elif said == "told" and asked is not None and asked.check is not None:
        before.append(words.check_told.format(key=asked.check.key))
    if asked is not None and asked.result and said in ("right", "told"):
        before.append(words.result.format(result=asked.result))
    ask = [check_text(turn.check, words)] if turn is not None and turn.check is not None else []
    parts = [part for part in [" ".join(before), text, *ask] if part]
    if before and text and sum(len(part.splitlines()) for part in parts) > LINES:
        parts[:2] = [f"{parts[0]} {parts[1]}"]
    return "\n\n".join(parts)


def second_help(turn: Turn, words: Words) -> str:
    """Another way than the other words of a turn: what its key lies between, or one choice less; its own words where
    there are no more than two choices."""
    check = turn.check
    if check is None:
        return turn.text
    if isinstance(check.key, int):
        low, high = max(0, check.key - _NEAR), check.key + _NEAR
        return (
            words.help_between.format(low=low, high=high) if check.key > _NEAR else words.help_below.format(high=high)
        )
    wrong = [one for one in check.choices if one != check.key]
    return words.help_not.format(choice=wrong[-1]) if len(wrong) > 1 else turn.text


def check_text(check: Check, words: Words) -> str:
    """What a check asks, with its choices."""
    if OPEN in check.ask:
        return words.fill.format(question=check.ask)
    choices = "  ".join(f"{sign} {text}" for sign, text in zip(CIRCLED, check.choices, strict=False))
    return f"{check.ask}\n{choices}" if choices else check.ask


def whole_explanation(chapter: Chapter, user_type: UserType) -> str:
    """All that the chapter tells."""
    return "\n\n".join(each.text.strip() for each in chapter.explanation.of(user_type))


def try_feedback(question: Question, evaluation: Evaluation, answer: str, words: Words, *, again: bool) -> str:
    """What is said to a first try that is not right (`again`: another one follows), and to the answer of a task before
    the explanation is asked for. It does not tell what is right."""
    if isinstance(question, MultipleChoice):
        place = evaluation["choice"]
        lines = [words.wrong, question.choices[place].why if place is not None else ""]
    else:
        given = read_answer(question.task, answer)
        lines = task_feedback(question.task, given, words).splitlines() if given is not None else [words.wrong]
    return "\n".join([*filter(None, lines), *([words.once_more] if again else [])])


def task_feedback(task: Task, given: Answer, words: Words) -> str:
    """What an answer to a task shows. It does not tell what is right: a learner who did not find it may still explain
    it."""
    score = score_of_task(task, given)
    if score == FULL:
        return words.right
    return "\n".join([words.partly if score else words.wrong, *dict.fromkeys(task.option_reasons(given))])


def answer_feedback(
    question: Question, evaluation: Evaluation, user_type: UserType, words: Words, *, second: bool = False
) -> str:
    """The feedback on the last try: the verdict, what the answer shows, and the explanation."""
    if isinstance(question, MultipleChoice):
        lines = _on_choice(question, evaluation, words, second=second)
    else:
        lines = [evaluation["remark"], f"{words.model_answer}: “{question.model_answer}”", _solved(question, words)]
    return "\n".join([*lines, *_explained(question, user_type)])


def explanation_feedback(
    question: Subjective, evaluation: Evaluation, claim: str, user_type: UserType, words: Words
) -> str:
    """What is said to an explanation: which points a model heard; without one, that it was read, the `claim` in it
    that is not so, what the task was worth, and what it may be compared with. Nothing unjudged is called right."""
    task_score = evaluation["rule_score"]
    if evaluation["graded_by"] == "model":
        lines = _on_points(question, evaluation, words)
    else:
        lines = _unjudged(question, evaluation, claim, words)
        if task_score:
            lines.insert(1, words.earned_all if task_score == FULL else words.earned_some)
    if task_score < FULL:
        lines.append(_solved(question, words))
    return "\n".join([*lines, *_explained(question, user_type)])


def _explained(question: Question, user_type: UserType) -> list[str]:
    return (
        [question.explanation, question.deeper]
        if user_type == "advanced" and question.deeper
        else [question.explanation]
    )


def _solved(question: Subjective, words: Words) -> str:
    return f"{words.solution}: {solution(question.task)}"


def _on_choice(question: MultipleChoice, evaluation: Evaluation, words: Words, *, second: bool) -> list[str]:
    place = evaluation["choice"]
    if place is None:
        return [evaluation["remark"], words.right_choice.format(answer=question.key.text)]
    choice: Choice = question.choices[place]
    if choice.key:
        return [words.right_now if second else words.right, choice.why]
    return [words.wrong, choice.why, words.right_choice.format(answer=question.key.text)]


def _on_points(question: Subjective, evaluation: Evaluation, words: Words) -> list[str]:
    said = [point.says for point in question.points if point.id in evaluation["met"]]
    if said and not evaluation["missed"]:
        return [words.full_points]
    heard = [words.some_points, _listed(words.said, said)] if said else [words.noted]
    return [*heard, f"{words.model_answer}: “{question.model_answer}”"]


def _unjudged(question: Subjective, evaluation: Evaluation, claim: str, words: Words) -> list[str]:
    if evaluation["remark"]:
        return [evaluation["remark"], f"{words.model_answer}: “{question.model_answer}”"]
    wrong = [words.untrue.format(claim=claim)] if claim else []
    return [words.noted, *wrong, f"{words.compare}: “{question.model_answer}”"]


def _listed(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {item}" for item in items)])

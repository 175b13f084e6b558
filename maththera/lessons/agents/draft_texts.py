"""The agents' drafts, put together from the texts of a course."""

from collections.abc import Collection, Sequence
from typing import Final

from maththera.lessons.config import Words
from maththera.lessons.courses.course import Chapter, Choice, MultipleChoice, Paragraph, Question, Subjective, UserType
from maththera.lessons.courses.tasks import Answer, Task, score_of_task, solution
from maththera.lessons.state import Evaluation

FULL: Final = 100


def theory_draft(chapter: Chapter, user_type: UserType, again: Collection[str], words: Words) -> str:
    """The whole explanation; the paragraphs to look at `again` come first."""
    paragraphs = chapter.explanation.of(user_type)
    first = [each for each in paragraphs if each.id in again]
    if not first:
        return _joined(paragraphs)
    rest = [each for each in paragraphs if each.id not in again]
    return f"{words.look_again}\n\n{_joined([*first, *rest])}"


def task_feedback(task: Task, given: Answer, words: Words) -> str:
    """What is said to the answer of a task, before the explanation is asked for. It does not tell what is right: a
    learner who did not find it may still explain it."""
    score = score_of_task(task, given)
    if score == FULL:
        return words.right
    return "\n".join([words.partly if score else words.wrong, *dict.fromkeys(task.option_reasons(given))])


def answer_feedback(question: Question, evaluation: Evaluation, user_type: UserType, words: Words) -> str:
    """The feedback on an answer: the verdict, what the answer shows, and the explanation."""
    if isinstance(question, MultipleChoice):
        lines = _on_choice(question, evaluation, words)
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


def _on_choice(question: MultipleChoice, evaluation: Evaluation, words: Words) -> list[str]:
    place = evaluation["choice"]
    if place is None:
        return [evaluation["remark"], words.right_choice.format(answer=question.key.text)]
    choice: Choice = question.choices[place]
    if choice.key:
        return [words.right, choice.why]
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


def _joined(paragraphs: Sequence[Paragraph]) -> str:
    return "\n\n".join(each.text.strip() for each in paragraphs)

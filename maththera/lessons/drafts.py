"""The agents' drafts, put together from the texts of a course."""

from collections.abc import Collection, Sequence
from typing import Final

from maththera.lessons.config import Words
from maththera.lessons.courses import Chapter, Choice, MultipleChoice, Paragraph, Question, Subjective, UserType
from maththera.lessons.state import Evaluation
from maththera.lessons.tasks import Answer, Task, score_of_task, solution

FULL: Final = 100


def theory(chapter: Chapter, user_type: UserType, again: Collection[str], words: Words) -> str:
    """The whole explanation; the paragraphs to look at `again` come first."""
    paragraphs = chapter.explanation.of(user_type)
    first = [each for each in paragraphs if each.id in again]
    if not first:
        return _joined(paragraphs)
    rest = [each for each in paragraphs if each.id not in again]
    return f"{words.look_again}\n\n{_joined([*first, *rest])}"


def on_task(task: Task, given: Answer, words: Words) -> str:
    """What is said to the answer of a task, before the explanation is asked for. It does not tell what is right: a
    learner who did not find it may still explain it."""
    score = score_of_task(task, given)
    if score == FULL:
        return words.right
    return "\n".join([words.partly if score else words.wrong, *dict.fromkeys(task.whys(given))])


def feedback(question: Question, evaluation: Evaluation, user_type: UserType, words: Words, task_score: int = 0) -> str:
    """What is said to an answer: how it was, what it shows, and how it is. `task_score`: what the task before an
    explanation was worth."""
    if isinstance(question, MultipleChoice):
        lines = _on_choice(question, evaluation, words)
    else:
        lines = _on_points(question, evaluation, words)
        if task_score < FULL:
            lines.append(f"{words.solution}: {solution(question.task)}")
    lines.append(question.explanation)
    if user_type == "advanced" and question.deeper:
        lines.append(question.deeper)
    return "\n".join(lines)


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
    missed = [point.says for point in question.points if point.id in evaluation["missed"]]
    if said and not missed:
        return [words.full_points]
    lines = [evaluation["remark"] or (words.some_points if said else words.not_sure)]
    if said:
        lines.append(_listed(words.said, said))
    return [*lines, f"{words.model_answer}: “{question.model_answer}”"]


def _listed(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {item}" for item in items)])


def _joined(paragraphs: Sequence[Paragraph]) -> str:
    return "\n\n".join(each.text.strip() for each in paragraphs)

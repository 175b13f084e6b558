"""The agents' drafts, put together from the texts of a course."""

from collections.abc import Collection, Sequence

from maththera.lessons.config import Words
from maththera.lessons.courses import Chapter, Choice, MultipleChoice, Paragraph, Question, Subjective, UserType
from maththera.lessons.state import Evaluation


def theory(chapter: Chapter, user_type: UserType, again: Collection[str], words: Words) -> str:
    """The whole explanation; the paragraphs to look at `again` come first."""
    paragraphs = chapter.explanation.of(user_type)
    first = [each for each in paragraphs if each.id in again]
    if not first:
        return _joined(paragraphs)
    rest = [each for each in paragraphs if each.id not in again]
    return f"{words.look_again}\n\n{_joined([*first, *rest])}"


def feedback(question: Question, evaluation: Evaluation, user_type: UserType, words: Words) -> str:
    """What is said to an answer: how it was, what it shows, and how it is."""
    if isinstance(question, MultipleChoice):
        lines = _on_choice(question, evaluation, words)
    else:
        lines = _on_points(question, evaluation, words)
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
    lines = [evaluation["remark"] or (words.some_points if missed and said else words.no_points)]
    if not missed:
        lines = [words.full_points]
    if said and missed:
        lines.append(_listed(words.said, said))
    if missed:
        lines += [_listed(words.missed, missed), f"{words.model_answer}: “{question.model_answer}”"]
    return lines


def _listed(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {item}" for item in items)])


def _joined(paragraphs: Sequence[Paragraph]) -> str:
    return "\n\n".join(each.text.strip() for each in paragraphs)

"""Learners' questions, answered from a chapter: its frequent questions, then its explanation. No model is needed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.arithmetic.result_claims import read_expressions
from maththera.arithmetic.strategies import Picture
from maththera.arithmetic.strategies.steps import Found
from maththera.knowledge.explanations import explained, pictured
from maththera.korean.numbers import numbers_in, plain
from maththera.korean.particles import with_particle
from maththera.korean.word_lists import usual_spelling
from maththera.lessons.config import Qna, Words
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import Chapter, MultipleChoice, Question, Subjective, UserType
from maththera.lessons.courses.tasks import Number, Order, Writing, key_texts, solution
from maththera.lessons.explanation_turns import Turn
from maththera.lessons.quiz.own_text import content_words
from maththera.words.answer_protection.open_answers import OpenAnswer

_CHAIN: Final = re.compile(r"\d{1,4}(?:\s*[+−-]\s*\d{1,4}){2,3}(?!\s*[\d×÷*/])")
_SIGNS: Final = re.compile(r"\d+|[+−×÷*/=xX-]|더하기|빼기|곱하기|나누기")
_LEFT_OVER: Final = re.compile(
    r"[\s.,?!~]|어떻게|어케|어떡해|뭐야|뭐예요|얼마[야예에]?요?|몇이[야에]요?|계산|풀[어이]|구해|하는|해요?|하지|하면|돼요?|거[야지]?"
    r"|알려|설명|줘|주세요|이?가|[은는을를]|요|야|답|좀"
)
_OTHER_LESSONS: Final = re.compile(
    r"\d\s*/\s*\d|\d\.\d|분수|소수(?:점|는|가|란)|넓이|둘레|각도|삼각형|사각형|퍼센트|백분율|방정식"
)
"""Matter of other lessons."""


@dataclass(frozen=True, slots=True)
class ChapterAnswer:
    """`source`: where it comes from; `picture`: what is drawn to it."""

    source: Literal["qna", "paragraph", "turn", "strategies", "model", "nothing"]
    text: str
    picture: Picture | None = None


def answer_from_chapter(message: str, chapter: Chapter, user_type: UserType, rules: Qna) -> ChapterAnswer | None:
    """The answer of a chapter to a question; None when it has none."""
    asked = content_words(usual_spelling(message), rules.asking)
    if not asked:
        return None
    share, text = max(
        (max(_alike(asked, content_words(ask, rules.asking)) for ask in one.ask), one.answer) for one in chapter.qna
    )
    if share >= rules.alike:
        return ChapterAnswer("qna", text)
    paragraphs = chapter.explanation.of(user_type)
    told, place = max(
        (len(asked & content_words(each.text, rules.asking)) / len(asked), -place)
        for place, each in enumerate(paragraphs)
    )
    near = paragraphs[-place]
    return ChapterAnswer("paragraph", near.text.strip(), near.picture) if told >= rules.told else None


def solution_of(message: str) -> ChapterAnswer | None:
    """The steps of the one calculation that a message asks about; None for any other message."""
    read = read_expressions(message)
    problem = problem_of(read[0]) if len(read) == 1 else None
    return None if problem is None else worked_out(problem)


def worked_out(problem: Problem) -> ChapterAnswer:
    """A calculation, step by step, with its picture."""
    steps = "\n".join(f"{number}. {step.line}" for number, step in enumerate(explained(problem), start=1))
    return ChapterAnswer("strategies", steps, pictured(problem))


def names_step(message: str, turn: Turn) -> bool:
    """Whether a question is about the numbers of a turn and no others: "왜 2를 더해?" where 8+□=10 is asked."""
    asked = _numbers(message)
    own = _numbers(turn.text) | (_numbers(turn.check.ask) if turn.check is not None else frozenset())
    if turn.check is not None and isinstance(turn.check.key, int):
        own |= {turn.check.key}
    if turn.step is None or turn.work is None:
        return bool(asked) and asked <= own
    own |= {turn.work.a, turn.work.b, turn.step.left, turn.step.right, turn.step.result}
    equations = {turn.work.expression, turn.step.expression.partition("=")[0]}
    return bool(asked) and asked <= own and all(one.text in equations for one in read_expressions(message))


def calculated(message: str, words: Words) -> ChapterAnswer | None:
    """How the one calculation is done that a message asks about and nothing else ("14-6은 어떻게 해?"); None for a
    message that asks more of it, as how to check it."""
    chain = _CHAIN.search(plain(message))
    if chain and not _LEFT_OVER.sub("", plain(message).replace(chain[0], "")):
        return _in_turn(chain[0], words)
    read = read_expressions(message)
    if len(read) != 1 or _LEFT_OVER.sub("", _SIGNS.sub("", plain(message))):
        return None
    return solution_of(message)


def _in_turn(chain: str, words: Words) -> ChapterAnswer | None:
    """A row of sums and differences, from left to right; None for one that goes below 0."""
    numbers = [int(one) for one in re.findall(r"\d+", chain)]
    signs = re.findall(r"[+−-]", chain)
    lines, so_far = [words.left_to_right], numbers[0]
    for sign, number in zip(signs, numbers[1:], strict=True):
        result = so_far + number if sign == "+" else so_far - number
        if result < 0:
            return None
        lines.append(f"{so_far}{'+' if sign == '+' else '-'}{number}={result}")
        so_far = result
    return ChapterAnswer("strategies", "\n".join(lines))


def of_arithmetic(message: str, frequent: ChapterAnswer | None, words: Words) -> ChapterAnswer | None:
    """What is known without a chapter's text: a calculation that is asked about and nothing else, before a `frequent`
    question that is like it; else one that more is asked of."""
    return calculated(message, words) or frequent or solution_of(message)


def is_of_other_lessons(message: str) -> bool:
    """Whether a question is about what no chapter of arithmetic with whole numbers tells."""
    return not read_expressions(message) and _OTHER_LESSONS.search(message) is not None


def about_step(turn: Turn, picture: Picture | None, words: Words, *, heard: bool = False) -> ChapterAnswer:
    """What a turn is for, and how its check is done; not what is found there. `heard`: its other words were told."""
    step, work = turn.step, turn.work
    if step is None or work is None:
        return (
            ChapterAnswer("turn", turn.text, turn.picture) if heard else ChapterAnswer("turn", turn.again, turn.other)
        )
    lines = [words.step.format(work=with_particle(work.expression, "을를"), say=step.say)]
    if step.fills and not step.result % 10 and not turn.result:
        lines.append(words.round_first.format(whole=with_particle(step.result, "을를")))
    earlier = next((one for one in (step.right, step.left) if isinstance(one, Found)), None)
    if earlier is not None:
        lines.append(words.found_before.format(found=with_particle(int(earlier), "은는")))
    return ChapterAnswer("turn", "\n".join(lines if heard else [*lines, turn.again]), picture)


def another_example(chapter: Chapter, asked: Sequence[int], words: Words) -> ChapterAnswer | None:
    """A calculation of the chapter that was not asked yet, worked out."""
    found = [one for one in chapter.multiple_choice if one.problem is not None and one.number not in asked]
    if not found:
        return None
    a, op, b = parse_expression(str(found[-1].problem))
    problem = make_problem(a, op, b, form=found[-1].form)
    told = worked_out(problem)
    return ChapterAnswer(told.source, f"{words.example.format(example=problem.prompt)}\n{told.text}", told.picture)


def names_topic(message: str, rules: Qna, *, answered: bool) -> bool:
    """Whether a question says what it is about. `answered`: a question of the lesson was, just before."""
    return bool(content_words(message, rules.asking) - (rules.about_answer if answered else frozenset()))


def tells_key(text: str, question: Question, rules: Qna) -> bool:
    """Whether a text gives away what the question asks: its key, or most of the words of a point of its explanation
    that the question itself does not give."""
    if leaks_answer(text, question):
        return True
    if not isinstance(question, Subjective):
        return False
    given = content_words(f"{question.question} {question.explain}", rules.asking)
    points = [own for point in question.points if (own := content_words(point.says, rules.asking) - given)]
    said = content_words(text, rules.asking)
    return any(len(own & said) >= rules.tells * len(own) for own in points)


def open_answers(question: Question) -> list[OpenAnswer]:
    """What a question asks for: the number of its key, with those of its problem; else the words of its answer, and
    the numbers by which that differs from the other options."""
    if not isinstance(question, MultipleChoice):
        task = question.task
        if isinstance(task, Number):
            return [OpenAnswer(task.key, text=str(task.key), question=question.question)]
        gaps = [] if isinstance(task, Order | Writing) else [*zip(key_texts(task), task.options, strict=True)]
        return _open_text_answers(solution(task), gaps, question.question)
    if question.problem is not None:
        a, _, b = parse_expression(question.problem)
        return [OpenAnswer(question.key.number, (a, b))]
    if (number := question.key.number) is not None:
        return [OpenAnswer(number, text=question.key.text, question=question.question)]
    texts = tuple(choice.text for choice in question.choices)
    return _open_text_answers(question.key.text, [(question.key.text, texts)], question.question)


def _open_text_answers(text: str, gaps: Iterable[tuple[str, tuple[str, ...]]], question: str) -> list[OpenAnswer]:
    """`gaps`: what is right and what is offered. Where each option has a number, that of the right one is told by a
    sum as well: 10-6 tells 6과 4."""
    found = [OpenAnswer(None, text=text, question=question)]
    for key, options in gaps:
        others = [_numbers(option) for option in options if option != key]
        if all(others):
            found += [OpenAnswer(value, question=question) for value in _numbers(key).difference(*others)]
    return found


def _numbers(text: str) -> frozenset[int]:
    return frozenset(number.values[0] for number in numbers_in(text) if number.values)


def example_questions(chapter: Chapter, rules: Qna) -> list[str]:
    """Questions that can be answered."""
    return [one.ask[0] for one in chapter.qna[: rules.examples]]


def _alike(asked: frozenset[str], known: frozenset[str]) -> float:
    return 2 * len(asked & known) / (len(asked) + len(known)) if known else 0.0

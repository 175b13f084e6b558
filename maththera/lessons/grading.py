"""Answers in sentences, graded by the points of a rubric over Korean morphemes."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

from maththera.lessons.amounts import is_answered, other_offered
from maththera.lessons.answer_words import OPERATIONS, Word, answer_words, grading_lists
from maththera.lessons.courses import Point, Subjective

_GAP: Final = 3
"""Words that may stand between two words of an expression."""
_COMPOUND: Final = 4
"""Letters from which nouns are taken for one noun made of several."""
_QUOTES: Final = re.compile(r"[\"'“‘「『][^\"'“”‘’「」『』]*[\"'”’」』]")
_SENTENCES: Final = re.compile(r"(?<=[.!?,\n])\s+")
_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")

Nothing = Literal["", "copied", "foreign", "orders"]


@dataclass(frozen=True, slots=True)
class Grade:
    """`score` 0..100; `met` and `missed` are ids of points, in the order of the rubric. `nothing`: why an answer
    without any point is none: the question said again, another language, orders to the one who grades."""

    score: int
    met: tuple[str, ...]
    missed: tuple[str, ...]
    nothing: Nothing = ""


def grade_subjective(question: Subjective, answer: str) -> Grade:
    """A point is met when each of its groups of ideas is found and nothing is said against it.

    What repeats the question, and sentences that order how to grade, count for nothing.
    """
    own, ordered = _own(question.question, answer)
    met = points_said(question, own)
    missed = tuple(point.id for point in question.points if point.id not in met)
    return Grade(score_of(question, met), met, missed, "" if met else _nothing(answer, own, ordered))


def points_said(question: Subjective, text: str) -> tuple[str, ...]:
    """Ids of the points that the text says, whosever it is."""
    words = answer_words(text)
    return tuple(point.id for point in question.points if _met(point, words))


def score_of(question: Subjective, met: Collection[str]) -> int:
    """0..100, by the weights of the points that are `met`."""
    return sum(point.weight for point in question.points if point.id in met)


def counted(question: Subjective, answer: str) -> str:
    """What of an answer counts: not the question said again, nor orders to the one who grades."""
    return _own(question.question, answer)[0]


def bears_out(question: Subjective, point: Point, quote: str, answer: str, everyday: Collection[str]) -> bool:
    """Whether a part of the answer may be taken for saying the point, whoever says so.

    It shares a word with the point that the question does not give and that is not of `everyday` use, and says nothing
    against it. Numbers that are asked for are the ones that the whole answer gives.
    """
    words, whole = answer_words(quote), answer_words(answer)
    if _met(point, words) and _met(point, whole):
        return True
    if any(_said(expression, words) for expression in point.against):
        return False
    if not all(any(_said(each, whole) for each in group) for group in point.ideas if _is_number(group)):
        return False
    told = {word.form for text in (point.says, *chain(*point.ideas)) for word in answer_words(text)}
    given = {word.form for word in answer_words(question.question)} | {*everyday}
    return not {word.form for word in words}.isdisjoint(told - given or told)


def _is_number(group: Sequence[str]) -> bool:
    return all(len(words := answer_words(each)) == 1 and words[0].is_number for each in group)


def _own(question: str, answer: str) -> tuple[str, bool]:
    """The answer without the question and without orders; whether there were any of these. Who speaks of an order, in
    quotes, goes without the quote alone."""
    orders = [re.compile(each) for each in grading_lists().orders]

    def order(text: str) -> bool:
        return any(each.search(text) for each in orders)

    said = _without(answer.lower(), question.lower())
    unquoted = _QUOTES.sub(lambda quote: "" if order(quote[0][1:-1]) else quote[0], said)
    sentences = _SENTENCES.split(unquoted)
    kept = [each for each in sentences if not order(each)]
    return " ".join(kept).strip(), unquoted != said or len(kept) < len(sentences)


def _without(answer: str, question: str) -> str:
    for sentence in (question, *_SENTENCES.split(question)):
        answer = re.sub(r"\s*".join(map(re.escape, "".join(sentence.split()).rstrip(".?!"))), " ", answer)
    return answer


def _nothing(answer: str, own: str, ordered: bool) -> Nothing:
    if ordered:
        return "orders"
    if not re.search(r"\w", own):
        return "copied" if re.search(r"\w", answer) else ""
    return "foreign" if _LETTERS.search(own) and not _HANGUL.search(own) else ""


def _met(point: Point, words: Sequence[Word]) -> bool:
    if any(_said(expression, words) for expression in point.against):
        return False
    return all(any(_said(expression, words) for expression in group) for group in point.ideas)


def _said(expression: str, words: Sequence[Word]) -> bool:
    """Whether the words of the expression stand in the answer, in their order and near each other, not denied."""
    wanted = answer_words(expression)
    if len(wanted) == 1 and wanted[0].is_number:
        return is_answered(wanted[0], words)
    denying = _denies(wanted)
    return any(
        denying or not _denied(words, start, end)
        for order in _orders(wanted)
        for start, end in chain(_places(order, words), _written_together(order, words))
    )


def _orders(wanted: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """ "6+4" is "6에 4를 더하다" too, and "세지 않다" is "안 세다"."""
    if wanted:
        yield wanted
    yield from _negated_otherwise(wanted)
    for place in range(len(wanted) - 2):
        first, second, third = wanted[place : place + 3]
        if first.is_number and (second if third.is_number else third).form in OPERATIONS:
            yield (*wanted[:place], Word(first.form), third, second, *wanted[place + 3 :])


def _negated_otherwise(wanted: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """ "보태지 않다" as "안 보태다", "확인을 안 하다" as "확인하지 않다", and the other way round."""
    if len(wanted) < 2:
        return
    *rest, verb, last = wanted
    for before, after in grading_lists().negations.alike.items():
        if last.form == after:
            yield (*rest, Word(before), verb)
            yield (*rest, verb, Word(before), Word("하"))
        elif verb.form == before and (rest or last.form != "하"):
            yield (*rest, *(() if last.form == "하" else (last,)), Word(after))


def _places(wanted: Sequence[Word], words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Where the expression begins and ends (the place of its last word)."""
    for start, word in enumerate(words):
        end: int | None = start if _same(word, wanted[0]) else None
        for before, following in pairwise(wanted):
            if end is None:
                break
            end = _next(before, following, words, end)
        if end is not None:
            yield start, end


def _next(before: Word, following: Word, words: Sequence[Word], end: int) -> int | None:
    """Where `following` stands near behind the place `end` of `before`, and not nearer to the same verb. In "3과 5,
    4와 7" 7 does not belong to 3; of "8이나 9" neither is said."""
    if following.is_number and other_offered(words, end) is not None:
        return None
    pair = before.is_number and before.has("JC") and following.is_number
    for at in range(end + 1, min(end + 2 + _gap(before, following), len(words))):
        if _same(words[at], following):
            return at
        if (before.has_ending and words[at].form == before.form) or (pair and words[at].is_number):
            return None
    return None


def _written_together(wanted: Sequence[Word], words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """The same with other spaces: the analyser does not part "개인정보" everywhere alike."""
    whole = "".join(each.form for each in wanted)
    if len(whole) < _COMPOUND or any(each.is_number for each in wanted):
        return
    for start in range(len(words)):
        for end in range(start, min(start + len(wanted) + 1, len(words))):
            if "".join(each.form for each in words[start : end + 1]) == whole:
                yield start, end


def _gap(word: Word, following: Word) -> int:
    """Nothing stands between the parts of a calculation, between "4의" and what it has, or behind "안"; a verb that
    helps, between another and its "않다"."""
    negations = grading_lists().negations
    if word.has("JKG") or word.form in negations.before or (word.form in OPERATIONS and following.is_number):
        return 0
    return 1 if following.form in negations.after else _GAP


def _same(word: Word, wanted: Word) -> bool:
    """ "9를", "9에" and "9에서" are not the same number of a calculation."""
    if word.is_number and "" != _case(word) != _case(wanted) != "":
        return False
    return word.form in (wanted.form, f"{wanted.form}만")


def _case(word: Word) -> str:
    cases = (form if form == "에서" else tag for form, tag in word.after if tag in ("JKS", "JKO", "JKB", "JKG"))
    return next(cases, "")


def _denies(words: Sequence[Word]) -> bool:
    lists = grading_lists()
    return any(
        word.form in lists.negations.before | lists.negations.after or word.form == lists.unsaid for word in words
    )


def _denied(words: Sequence[Word], start: int, end: int) -> bool:
    """ "올리지 않아", "안 올려", "받아올림을 안 해", "올릴 필요가 없어", "10이 아니라". What may not be left out is
    said: "확인하지 않으면 안 돼"."""
    lists = grading_lists()
    before = words[max(start - 1, 0) : end]
    if any(word.form in lists.negations.before for word in before):
        return True
    for place in range(end + 1, min(end + 3, len(words))):
        following = words[place]
        if following.form == lists.unsaid:
            return words[end].has("JKC") and not following.followed_by(lists.doubting)
        if following.form in lists.negations.after:
            return words[place - 1].followed_by({"지", "ᆯ", "을"}) and not following.followed_by({"으면"})
        if following.form in lists.negations.before and words[end].has("JKO"):
            doing = words[place + 1] if place + 1 < len(words) else None
            return doing is not None and doing.form == "하" and not doing.followed_by({"면"})
        if following.form != "하":
            break
    return False

"""Whether a reply to a check is right: "열두 개", "12요, 근데 십 모형은 5개죠?", "ㄴㄴ", "못 빼요"."""

import re
from typing import Final

from maththera.korean.numbers import numbers_in, plain
from maththera.lessons.courses.course import Check
from maththera.lessons.courses.tasks import Number, Option, Reason
from maththera.lessons.explanation_turns import Reply, Turn
from maththera.lessons.quiz.message_intents import MessageReader
from maththera.lessons.quiz.task_answers import read_answer

_YES: Final = frozenset({"응", "네"})
_NO: Final = frozenset({"아니", "아니요"})
_SAYS_NO: Final = re.compile(r"^\s*(?:아니|아뇨|아냐|노|no|ㄴ|x$)|(?:^|\s)[못안]\s*[가-힣]|없|않|모자라", re.IGNORECASE)
_SAYS_YES: Final = re.compile(r"^\s*(?:응|웅|어|네|넵|예|그래|맞|ㅇ|yes|o$)|있|맞아|필요|[돼되]", re.IGNORECASE)
_UNSURE: Final = re.compile(r"아니면|인가\s*\S+인가|네니오|글쎄")


_GOES_ON: Final = re.compile(
    r"다음|담|넘|계속|스킵|skip|next|시작|진행|가자|가요|고고|문제|알겠|알았|이해|됐|ok|ㅇㅋ", re.I
)
"""Matches wishes to go on, without a bare "응", which may answer the check."""
_ASKS: Final = re.compile(r"왜|어디|뭔|무슨|어떻게|어케|뭐(?!라)|[은는]\s|커진|갚|꼭")
_BEGINS_WITH_ANSWER: Final = re.compile(
    r"\s*[\d①-⑨가-힣]{1,6}?\s*(?:개|번|명)?\s*(?:요|이요|이야|야|예요|이에요)?[\s,.!]+(?=근데|그런데|그럼|맞)"
)


def reply_to(turn: Turn, message: str, reader: MessageReader) -> Reply | None:
    """The reply that a message gives to a check; None if it neither answers it nor asks about the explanation."""
    sense = reader.intent_of(message)
    if sense == "restart":
        return "restart"
    if sense == "go_on" and (turn.check is None or _GOES_ON.search(message)):
        return "go_on"
    if turn.check is not None and not _is_question(message, sense, reader):
        right = is_right(turn.check, message)
        if right is not None:
            return "right" if right else "wrong"
    if reader.does_not_know(message) or sense in ("simpler", "hint"):
        return "help"
    return None


def _is_question(message: str, sense: str, reader: MessageReader) -> bool:
    """Whether a reply is a question; "12요, 근데 십 모형은 그럼 5개죠?" answers first."""
    if _BEGINS_WITH_ANSWER.match(message):
        return False
    asks = _ASKS.search(message) is not None and sense not in ("unclear", "go_on")
    return (
        asks
        or reader.is_question(message)
        or reader.does_not_know(message)
        or sense not in ("unclear", "question", "go_on")
    )


def is_right(check: Check, reply: str) -> bool | None:
    """Whether the reply is right; None if it is no answer or cannot be judged."""
    text = plain(reply).strip()
    if not text or _UNSURE.search(text):
        return None
    if isinstance(check.key, int):
        return _number_is_right(check.key, check.also, text)
    if _asks_yes_or_no(check) and (said := _yes_or_no(text)) is not None:
        return said == (check.key in _YES)
    options = tuple(Option(text=each, key=each == check.key, why="-") for each in check.choices)
    answer = read_answer(Reason(form="reason", choices=options), text)
    return None if answer is None else check.choices[answer[0]] == check.key


def _number_is_right(key: int, also: tuple[int, ...], text: str) -> bool | None:
    read = read_answer(Number(form="number", key=key, wrong={}, otherwise="-"), text)
    if read is not None:
        return read[0] in (key, *also)
    first = next((one for one in numbers_in(text) if one.values), None)  # "12요, 근데 십 모형은 5개죠?"
    answers = first is not None and first.start == 0 and re.match(r"[\s,.!]|$|[요이야개]", text[first.end :])
    return first.values[0] in (key, *also) if first is not None and answers else None


def _asks_yes_or_no(check: Check) -> bool:
    return not _YES.isdisjoint(check.choices) and not _NO.isdisjoint(check.choices)


def _yes_or_no(text: str) -> bool | None:
    """Yes or no, if a reply says so, even with a number as in "응 3"; else None."""
    if _SAYS_NO.search(text):
        return False
    return True if _SAYS_YES.search(text) else None

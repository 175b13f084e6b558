"""Figures of records in Korean: a row as a sentence, rows as a list, an order, a difference, a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from maththera.chat.records.record_figures import (
    OPERATIONS,
    UNIT_NAMES,
    WEEKDAYS,
    RecordedAnswer,
    Row,
    procedures,
    spoken_day,
)
from maththera.chat.records.record_question import Bound, Measure, RecordQuestion, Restriction
from maththera.chat.records.record_words import RecordWords
from maththera.korean.particles import with_particle
from maththera.learner_model.cause_texts import CauseTexts

_FEW: Final = 5
"""With fewer answers than this, a rate says little."""
_UNITS: Final[Mapping[Measure, str]] = {
    "answered": "문제", "right": "문제", "wrong": "문제", "percent": "%", "wrong_percent": "%", "seconds": "초",
    "minutes": "분", "median": "초", "streak": "문제",
}  # fmt: skip
_NAMES: Final[Mapping[Measure, str]] = {
    "answered": "푼 문제", "right": "맞은 문제", "wrong": "틀린 문제", "percent": "정답률", "wrong_percent": "오답률",
    "seconds": "평균 풀이 시간", "minutes": "푸는 데 걸린 시간",
    "median": "풀이 시간의 중앙값", "streak": "연속으로 맞힌 문제",
}  # fmt: skip
_DIGITS: Final = ("한", "두", "세", "네")
_HEAD: Final = ("푼 문제", "맞음", "틀림", "정답률", "평균 시간")


_ADJECTIVES: Final[Mapping[Measure, tuple[str, str]]] = {
    "answered": ("많아요", "적어요"), "right": ("많아요", "적어요"), "wrong": ("많아요", "적어요"),
    "percent": ("높아요", "낮아요"), "wrong_percent": ("높아요", "낮아요"), "seconds": ("길어요", "짧아요"),
    "minutes": ("길어요", "짧아요"), "median": ("길어요", "짧아요"), "streak": ("많아요", "적어요"),
}  # fmt: skip
_GROUPS: Final[Mapping[str, str]] = {
    "child": "학생", "period": "기간", "day": "날짜", "weekday": "요일", "month": "달", "half_day": "때",
    "unit": "단원", "operation": "연산", "carry": "받아올림·내림", "cause": "원인", "problem": "문제",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FigureTexts:
    """Texts of figures. `names`: id → name of each of the caller's learners."""

    words: RecordWords
    names: Mapping[str, str]
    causes: CauseTexts

    def scope(self, question: RecordQuestion, *, topic: bool = True) -> str:
        """Whose answers count, from when, and which: 하늘 · 지난주 (11월 16일~11월 22일) · 덧셈"""
        who = ", ".join(self.names.get(child, child) for child in self.children(question)[:6])
        parts = [who if question.children or question.without or len(self.names) == 1 else self.words.texts.all]
        for each in question.spans if topic else ():
            days = [each.period.start, *([each.period.end] if each.period.end != each.period.start else [])]
            parts.append(f"{each.said} ({'~'.join(map(spoken_day, days))})")
        if not topic:
            return " ".join(
                [*(f"{child}의" for child in parts[:1] if question.children), *(each.said for each in question.spans)]
            )
        return " · ".join(filter(None, [*parts, self.only_text(question)]))

    def only_text(self, question: RecordQuestion) -> str:
        """All conditions on answers, as they were understood."""
        bound = [self._bound_text(question.bound)] if question.bound else []
        return ", ".join([*_task_texts(question.only), *self._answer_texts(question.only), *bound])

    def _answer_texts(self, only: Restriction) -> Iterator[str]:
        """The conditions on what was answered, and when."""
        if only.given is not None:
            yield f"{with_particle(only.given, '라고')} 한 답"
        if only.causes:
            names = (known.name for tag in sorted(only.causes) if (known := self.causes.causes.get(tag)))
            yield only.cause_said or ", ".join(names)
        if only.wrong_place is not None:
            yield f"{'일십백'[only.wrong_place]}의 자리가 틀린 답"
        if only.correct is not None:
            yield "맞은 것" if only.correct else "틀린 것"
        if only.seconds:
            yield f"{only.seconds[0]:g}초 넘게" if only.seconds[1] is None else f"{only.seconds[1]:g}초 안"
        yield from (f"{WEEKDAYS[day]}요일" for day in sorted(only.weekdays))
        yield from (f"{each.said} ({each.first}~{each.end}시)" for each in only.hours)
        if only.fastest:
            yield f"가장 빨리 푼 {only.fastest}문제"

    def _bound_text(self, bound: Bound) -> str:
        if bound.value == 0 and bound.equal:
            return f"{_NAMES[bound.measure]} 없음"
        limit = {(True, True): "이상", (True, False): "초과", (False, True): "이하", (False, False): "미만"}
        return f"{_NAMES[bound.measure]} {bound.value:g}{_UNITS[bound.measure]} {limit[bound.above, bound.equal]}"

    def row_text(self, row: Row, measure: Measure, question: RecordQuestion) -> str:
        if not row.answered:
            return "그런 기록이 없어요."
        if question.only.causes or question.only.given is not None:
            return f"{row.wrong or row.answered}번 있었어요."
        if measure == "seconds":
            told = (
                "걸린 시간이 기록되지 않았어요" if row.seconds is None else f"한 문제에 평균 {row.seconds:g}초 걸렸어요"
            )
            return f"{told} ({row.answered}문제)."
        if measure == "minutes":
            return (
                "걸린 시간이 기록되지 않았어요."
                if row.minutes is None
                else f"{row.answered}문제를 푸는 데 모두 {row.minutes:g}분 걸렸어요."
            )
        if measure == "median":
            return (
                "걸린 시간이 기록되지 않았어요."
                if row.median is None
                else f"풀이 시간의 중앙값은 {row.median:g}초예요."
            )
        if measure == "streak":
            return f"연속으로 가장 많이 맞힌 것은 {row.streak}문제예요."
        if measure == "wrong":
            return (
                f"{row.answered}문제 가운데 {row.wrong}문제를 틀렸어요."
                if row.wrong
                else f"{row.answered}문제를 풀어 틀린 것이 없어요."
            )
        if measure == "right":
            return f"{row.answered}문제 가운데 {row.right}문제를 맞혔어요."
        if measure in ("percent", "wrong_percent"):
            counts = f"맞음 {row.right}, 틀림 {row.wrong}"
            return f"{row.answered}문제를 풀어 {_NAMES[measure]}은 {row.value(measure):g}%예요 ({counts})."
        return f"{row.answered}문제를 풀었어요. 맞음 {row.right}, 틀림 {row.wrong}, 정답률 {row.percent:g}%예요."

    def short(self, row: Row, measure: Measure) -> str:
        if not row.answered:
            return self.words.texts.no_answers
        if measure == "seconds":
            return f"평균 {row.seconds:g}초 ({row.answered}문제)" if row.seconds is not None else "시간 기록 없음"
        if measure == "minutes":
            return "시간 기록 없음" if row.minutes is None else f"{row.minutes:g}분 ({row.answered}문제)"
        if measure == "median":
            return f"중앙값 {row.median:g}초 ({row.answered}문제)" if row.median is not None else "시간 기록 없음"
        if measure == "streak":
            return f"연속으로 {row.streak}문제 맞음"
        if measure in ("percent", "wrong_percent"):
            counted = f"{row.wrong}문제 틀림" if measure == "wrong_percent" else f"{row.right}문제 맞음"
            return f"{_NAMES[measure]} {row.value(measure):g}% ({row.answered}문제 가운데 {counted})"
        if measure == "wrong":
            return f"{row.wrong}번 틀림" + (f" ({row.answered}문제 가운데)" if row.right else "")
        if measure == "right":
            return f"{row.right}문제 맞음 ({row.answered}문제 가운데)"
        return f"{row.answered}문제를 풀어 {row.right}문제 맞음 (정답률 {row.percent:g}%)"

    def extremes(self, rows: Sequence[Row], question: RecordQuestion, measure: Measure) -> list[str]:
        """The highest or the lowest row; all of them if several are equal."""
        told = [row for row in rows if (row.answered or measure == "answered") and row.value(measure) is not None]
        if not told:
            return ["비교할 기록이 없어요."]
        lines = []
        for order in ("most", "least") if question.order == "both" else (question.order,):
            values = [row.value(measure) or 0 for row in told]
            best = max(values) if order == "most" else min(values)
            if not best and measure == "wrong" and order == "most":
                return ["틀린 문제가 없어요."]
            keys = ", ".join(row.key for row in told if (row.value(measure) or 0) == best)
            if not best and measure == "answered":
                lines.append(f"푼 문제가 없어요: {keys}")
                continue
            adjective = _ADJECTIVES[measure][order != "most"]
            unit = "번" if question.by == "cause" else _UNITS[measure]
            lines.append(f"{with_particle(_NAMES[measure], '이가')} 가장 {adjective}: {keys} ({best:g}{unit})")
        return lines

    def difference(self, rows: Sequence[Row], measure: Measure, question: RecordQuestion) -> list[str]:
        """The difference between two rows that are compared."""
        if len(rows) != 2 or question.bound or question.order or question.by in ("unit", "cause", "problem"):
            return []
        if question.by == "day" and not question.trend:
            return []
        first, second = rows[0].value(measure), rows[1].value(measure)
        if first is None or second is None or not (rows[0].answered and rows[1].answered):
            empty = [row.key for row in rows if not row.answered]
            what = "그런 기록이" if question.only != Restriction() else "기록이"
            of = "의" if question.by == "child" else "에"
            return [f"{', '.join(empty)}{of} {what} 없어서 비교할 수 없어요."] if empty else []
        unit = "%p" if "percent" in measure else _UNITS[measure]
        change = round(second - first, 1)
        adjective = _ADJECTIVES[measure][change < 0]
        told = f"{rows[1].key} 쪽이 {abs(change):g}{unit} {adjective}" if change else "차이가 없어요"
        few = [self.words.texts.few] if min(row.answered for row in rows) < _FEW else []
        return [f"{_NAMES[measure]}: {told}.", *few]

    def table(self, rows: Sequence[Row], question: RecordQuestion) -> list[str]:
        head = [_GROUPS.get(question.by or "", "구분"), *_HEAD]
        if question.by == "cause":
            return markdown([head[0], "횟수"], [[row.key, str(row.answered)] for row in rows])
        cells = [
            [row.key, str(row.answered), str(row.right), str(row.wrong), f"{row.percent:g}%" if row.answered else "–",
             f"{row.seconds:g}초" if row.seconds is not None else "–"]
            for row in rows
        ]  # fmt: skip
        return markdown(head, cells)

    def children(self, question: RecordQuestion) -> Sequence[str]:
        return tuple(child for child in question.children or self.names if child not in question.without)

    def measure(self, question: RecordQuestion) -> Measure:
        if question.by == "cause":
            return "wrong"
        return question.measure or ("percent" if question.verdict or question.by not in (None, "child") else "answered")

    def named(self, row: Row, question: RecordQuestion) -> Row:
        """With the name of a learner or of a cause as its key."""
        if question.by == "child":
            name = self.names.get(row.key, row.key)
        elif question.by == "cause":
            known = self.causes.causes.get(row.key)
            name = known.name if known else self.words.texts.untold_cause
        elif question.by == "day":
            name = spoken_day(date.fromisoformat(row.key))
        else:
            name = row.key or self.words.texts.no_answers
        return replace(row, key=name)

    def cause_name(self, answer: RecordedAnswer) -> str:
        known = self.causes.causes.get(answer.cause or "")
        return known.name if known and not answer.correct else ""

    def cause_of(self, answer: RecordedAnswer) -> str:
        """The cause of a wrong answer, or that it is unknown."""
        return self.cause_name(answer) or self.words.texts.untold_cause

    def procedure(self, answer: RecordedAnswer) -> str:
        rules = procedures(answer.problem, answer.given, answer.learned)
        return f"{rules[0].title}" if rules else self.cause_name(answer) or self.words.texts.untold_cause


def _task_texts(only: Restriction) -> Iterator[str]:
    """The conditions on tasks."""
    yield from (OPERATIONS[op] for op in only.operations)
    yield from (f"{table}단" for table in only.tables)
    if only.digits is not None:
        yield f"큰 수가 {_DIGITS[only.digits - 1]} 자리"
    if only.carries is not None:
        yield f"받아{'내' if only.operations == ('-',) else '올'}림 {'있음' if only.carries else '없음'}"
    yield from (UNIT_NAMES[unit] for unit in only.units)
    if only.expression:
        yield "{}{}{}".format(*only.expression)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines]

"""Answers with figures of groups of records, in lines or as a table: one figure, several rows, one row, or learners
side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.messages.answer_levels import LevelName
from maththera.chat.records.figure_texts import FigureTexts
from maththera.chat.records.record_figures import (
    RecordedAnswer,
    Row,
    grouped,
    ordered,
    restricted,
    row_of,
    wrong_answer,
)
from maththera.chat.records.record_question import Measure, RecordQuestion, Restriction

_TABLE_FROM: Final = 4
"""Number of rows from which a table is easier to read."""
_TOLD_EMPTY: Final = frozenset({"child", "period", "weekday", "half_day"})
"""Groups whose rows are listed even if nothing was answered in them."""
_NONE: Final = "그런 기록이 없어요."


@dataclass(frozen=True, slots=True)
class FigureAnswers:
    texts: FigureTexts

    def lines(self, question: RecordQuestion, found: Sequence[RecordedAnswer], level: LevelName) -> list[str]:
        """The answer to a question about figures, from the answers of its days."""
        measure = self.texts.measure(question)
        counted = restricted(found, question.only, correct=False)
        rows = self._rows(question, counted, measure)
        if question.bound and not rows:
            return ["조건에 맞는 경우가 없어요.", *self._beyond(question, counted), *self._left_out(question, found)]
        if question.by is None:
            return self._alone(question, found, counted, measure)
        if not any(row.answered for row in rows) and question.by not in _TOLD_EMPTY:
            all_right = question.by == "cause" and found and all(each.correct for each in found)
            return [f"틀린 답이 없어요. {len(found)}문제를 모두 맞혔어요." if all_right else _NONE]
        if len(question.children) > 1 and question.by not in ("child", "period"):
            return self._per_child(question, counted, measure)
        if question.rank is not None:
            return self._ranked(question, rows, measure)
        if question.trend == "ends" and len(rows) > 1:
            rows = [rows[0], rows[-1]]
        told = self._listed(question, rows, counted, as_table=len(rows) >= _TABLE_FROM and level != "elementary")
        if question.by == "cause" and sum(row.wrong for row in rows) == 1:
            told.append(self.texts.words.texts.once)
        ends = [rows[0], rows[-1]] if question.trend and len(rows) > 1 else rows
        return [*told, *self.texts.difference(ends, measure, question), *self._left_out(question, found)]

    def _rows(self, question: RecordQuestion, counted: Sequence[RecordedAnswer], measure: Measure) -> list[Row]:
        """The named rows in the order asked for; if learners are compared with all, the row of all comes last."""
        rows = ordered(grouped(counted, question, self.texts.children(question), ""), question, measure)
        if not question.whole:
            return [self.texts.named(row, question) for row in rows]
        own = [self.texts.named(row, question) for row in rows if row.key in question.children]
        return [*own, row_of(self.texts.words.texts.whole, counted)]

    def _alone(
        self,
        question: RecordQuestion,
        found: Sequence[RecordedAnswer],
        counted: Sequence[RecordedAnswer],
        measure: Measure,
    ) -> list[str]:
        """The figures of all answers together."""
        if share := self._share(question, found, counted, measure):
            return [share]
        row = row_of(self.texts.scope(question).partition(" · ")[0], counted)
        if question.form != "text":
            return ["\n", *self.texts.table([row], question)]
        told = [self.texts.row_text(row, each, question) for each in (measure, *question.also)]
        if measure != "wrong" or _is_of_one(question.only) or len(self.texts.children(question)) != 1:
            return told
        of_causes = replace(question, by="cause")
        rows = self._rows(of_causes, counted, measure) if row.wrong else []
        return [*told, *self._row_lines(of_causes, rows, counted)]

    def _listed(
        self, question: RecordQuestion, rows: Sequence[Row], counted: Sequence[RecordedAnswer], *, as_table: bool
    ) -> list[str]:
        """The first or last row, the total, and the rows."""
        measure = self.texts.measure(question)
        lines = self.texts.extremes(rows, question, measure) if question.order else []
        compared = question.order or question.bound or question.children
        if question.by == "child" and counted and not compared:
            lines.append(f"모두: {self._told(row_of('', counted), question, measure)}")
        rows = rows[: question.limit or None]
        if as_table or question.form != "text":
            return [*lines, "\n", *self.texts.table(rows, question)]
        return [*lines, *self._row_lines(question, rows, counted)]

    def _row_lines(self, question: RecordQuestion, rows: Sequence[Row], counted: Sequence[RecordedAnswer]) -> list[str]:
        """A line for each row; a cause also shows the newest wrong answer that it explains."""
        measure = self.texts.measure(question)
        shown = {self.texts.cause_of(each): f" (예: {wrong_answer(each)})" for each in counted if not each.correct}
        of_cause = question.by == "cause" and not _is_of_one(question.only)
        return [
            f"- {row.key}: {self._told(row, question, measure)}{shown.get(row.key, '') if of_cause else ''}"
            for row in rows
        ]

    def _told(self, row: Row, question: RecordQuestion, measure: Measure) -> str:
        """A row in one line; if all its answers are mistakes, only their number."""
        if row.answered and (question.only.causes or question.only.given is not None):
            return f"{row.answered}번"
        if not row.answered and question.only != Restriction():
            return self.texts.words.texts.no_such_answers
        measures = (measure, *question.also) if row.answered else (measure,)
        return ", ".join(self.texts.short(row, each) for each in measures)

    def _share(
        self,
        question: RecordQuestion,
        found: Sequence[RecordedAnswer],
        counted: Sequence[RecordedAnswer],
        measure: Measure,
    ) -> str:
        """The share of one kind of answer among otherwise equal ones; "" if no rate is asked for."""
        only = question.only
        if measure != "percent" or not (only.causes or only.given is not None or only.wrong_place is not None):
            return ""
        kept = replace(only, causes=frozenset(), cause_said="", given=None, correct=None, wrong_place=None)
        whole = restricted(found, kept, correct=False)
        wrong = sum(not each.correct for each in whole)
        if not whole or not wrong:
            return _NONE
        number = len(counted)
        return (
            f"푼 {len(whole)}문제 가운데 {number}번({100 * number / len(whole):.1f}%), "
            f"틀린 {wrong}문제 가운데서는 {100 * number / wrong:.1f}%예요."
        )

    def _per_child(self, question: RecordQuestion, counted: Sequence[RecordedAnswer], measure: Measure) -> list[str]:
        """The groups of compared learners side by side."""
        alone = replace(question, order=None)
        rows = [
            replace(named, key=f"{named.key} · {self.texts.names.get(child, child)}")
            for child in question.children
            for row in grouped([each for each in counted if each.child == child], alone, question.children, "")
            if (named := self.texts.named(row, question))
        ]
        rows.sort(key=lambda row: (-row.wrong if question.by == "cause" else 0, row.key))
        if question.form != "text" or len(rows) > _TABLE_FROM:
            return ["\n", *self.texts.table(rows, question)]
        return [f"- {row.key}: {self._told(row, question, measure)}" for row in rows] or [_NONE]

    def _ranked(self, question: RecordQuestion, rows: Sequence[Row], measure: Measure) -> list[str]:
        """The row at the place asked for."""
        there, place = [row for row in rows if row.answered], question.rank or 1
        if place > len(there):
            return [f"{place}번째는 없어요. 모두 {len(there)}가지예요."]
        row = there[place - 1]
        return [f"{place}번째: {row.key}, {self._told(row, question, measure)}"]

    def _beyond(self, question: RecordQuestion, counted: Sequence[RecordedAnswer]) -> list[str]:
        """The figure of all answers together, if the question has a bound but no groups."""
        if question.by is not None or question.bound is None or not counted:
            return []
        return [self.texts.row_text(row_of("", counted), question.bound.measure, replace(question, only=Restriction()))]

    def _left_out(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """The learners without records, who can neither meet nor miss a bound."""
        if question.bound is None or question.by != "child" or question.bound.measure == "answered":
            return []
        there = {each.child for each in found}
        away = [self.texts.names.get(child, child) for child in self.texts.children(question) if child not in there]
        return [f"{self.texts.words.texts.no_answers}: {', '.join(away)}"] if away else []


def _is_of_one(only: Restriction) -> bool:
    """Whether the counted answers all have one cause or one problem."""
    return bool(only.causes or only.expression or only.given is not None)

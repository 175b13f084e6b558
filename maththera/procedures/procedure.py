"""A learned procedure as data: how a child works, in formulas over the numbers, digits, columns and carries of a
problem; or a named exception, answers that were seen and follow no procedure.

`malrule_of` makes a malrule of either. It works on every problem in bounded time: each column of a calculation once,
and that once for each digit of a multiplier at most.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Final, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from maththera.arithmetic.columns import digits
from maththera.arithmetic.malrules import Malrule
from maththera.arithmetic.malrules.malrule import LEARNED, VARIABLES, MalruleCause, Sheet, Work
from maththera.arithmetic.problem import Form, Problem, ProblemError, make_problem
from maththera.procedures.formulas import LONGEST, Formula, FormulaError, NothingToWork

Operation = Literal["+", "-", "x", "/"]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Number = Annotated[int, Field(ge=0, le=999_999)]
Variable = Literal["carry", "borrow", "zero", "length", "digits", "size", "layout", "operation"]

OF_PROBLEM: Final = frozenset(
    {"a", "b", "answer", "larger", "smaller", "longer", "shorter", "length_a", "length_b", "width", "carries"}
)
"""Names in every formula. `longer` has the more digits; `carries` is how many columns carry or borrow."""
OF_COLUMN: Final = OF_PROBLEM | {
    "top", "bottom", "above", "carry", "keep", "column", "last", "top_there", "bottom_there", "carried", "factor",
    "place",
}  # fmt: skip
"""Names in the formulas of a column. `above`: the top digit of the next column; `carry`, `keep`: what the column before
handed on, and what is kept through all of them; `last`: 1 in the leftmost column; `top_there`: 1 where the digit is
written, 0 where the column is blank; `carried`: 1 where the right way carries or borrows here; `factor`, `place`: with
`per`, the digit and its column."""
OF_ANSWER: Final = OF_PROBLEM | {"written", "carry", "keep"}
LARGEST_SIZE: Final = 160
"""Parts of all formulas of a procedure together."""
_MOST_COLUMNS: Final = 10


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ShownAnswer(_Entry):
    """An answer that shows it: the numbers of a problem, and what was answered."""

    a: Number
    b: Number
    answer: Number


class Columns(_Entry):
    """A written calculation, ones first. In each column `value` is worked out, `write` is written, `carry` handed on
    and `keep` kept. `places` puts each digit in its column; `side_by_side` writes one beside the other. `rest`: whether
    a last carry is written in front. `per`: the calculation is done for each digit of this number, and what is written
    is shifted and added, as in long multiplication."""

    top: Text = "a"
    bottom: Text = "b"
    align: Literal["right", "left"] = "right"
    per: Text | None = None
    value: Text
    write: Text = "value"
    carry: Text = "0"
    keep: Text = "keep"
    join: Literal["places", "side_by_side"] = "places"
    rest: Literal["dropped", "written"] = "dropped"


class _Asked(_Entry):
    operation: Operation
    form: Form = "result"


class _Described(_Asked):
    title: Annotated[str, Field(min_length=2, max_length=80, description="Korean, for a teacher: what the child does.")]
    cause_tag: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{1,79}$")]
    needs: Annotated[tuple[Variable, ...], Field(max_length=4, strict=False)] = ()

    @property
    def name(self) -> str:
        """The name of its malrule: a digest of all that it says, so that a name never changes its meaning."""
        return f"learned_{hashlib.sha256(self.as_json()).hexdigest()[:16]}"

    def as_json(self) -> bytes:
        return orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)


class WayOfWorking(_Asked):
    """How a child works. `when`: 0 where it has nothing to work on."""

    when: Text = "1"
    columns: Columns | None = None
    answer: Text = "written"

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        formulas = list(self._formulas())
        if sum(formula.size for _, formula, _ in formulas) > LARGEST_SIZE:
            raise ValueError(f"the formulas have more than {LARGEST_SIZE} parts together")
        for field, formula, names in formulas:
            if strange := formula.names - names:
                raise ValueError(f"{field}: no such name as {', '.join(sorted(strange))}")
        if self.columns is None and "written" in Formula(self.answer).names:
            raise ValueError("answer: nothing is `written` without columns")
        return self

    def _formulas(self) -> Iterator[tuple[str, Formula, frozenset[str]]]:
        yield "when", _read("when", self.when), OF_PROBLEM
        yield "answer", _read("answer", self.answer), OF_ANSWER
        if (columns := self.columns) is not None:
            for field in ("top", "bottom", "per"):
                if (text := getattr(columns, field)) is not None:
                    yield f"columns.{field}", _read(f"columns.{field}", text), OF_PROBLEM
            yield "columns.value", _read("columns.value", columns.value), OF_COLUMN
            for field in ("write", "carry", "keep"):
                yield f"columns.{field}", _read(f"columns.{field}", getattr(columns, field)), OF_COLUMN | {"value"}

    def work(self, a: int, b: int) -> tuple[Problem, int | None]:
        """The problem of these numbers, and what this way answers it with; None where it has nothing to work on.
        ProblemError where there is no such problem."""
        problem = make_problem(a, self.operation, b, form=self.form)
        return problem, _procedure_work(self)(Sheet(problem))


class Procedure(_Described, WayOfWorking):
    """A way to work that children share. `needs`: without which variables it cannot show."""

    kind: Literal["procedure"] = "procedure"
    example: ShownAnswer

    @model_validator(mode="after")
    def _gives_its_example(self) -> Self:
        require_shown(self, self.example)
        return self


class NamedException(_Described):
    """Answers that were seen and follow no procedure, by the name that adults gave them."""

    kind: Literal["exception"]
    answers: Annotated[tuple[ShownAnswer, ...], Field(min_length=1, max_length=50, strict=False)]

    @model_validator(mode="after")
    def _is_wrong(self) -> Self:
        for one in self.answers:
            require_shown(self, one)
        return self


Definition = Annotated[Procedure | NamedException, Field(discriminator="kind")]
DEFINITION: Final[TypeAdapter[Procedure | NamedException]] = TypeAdapter(Definition)


def require_shown(definition: Procedure | NamedException, shown: ShownAnswer) -> None:
    """ValueError unless the definition gives this answer, and it is wrong."""
    try:
        problem = make_problem(shown.a, definition.operation, shown.b, form=definition.form)
    except ProblemError as error:
        raise ValueError(str(error)) from error
    text = problem.expression
    if shown.answer == problem.answer:
        raise ValueError(f"{text}={shown.answer} is right")
    found = malrule_of(definition).apply(problem)
    if found != shown.answer:
        raise ValueError(f"it answers {text} with {'nothing' if found is None else found}, not with {shown.answer}")


def malrule_of(definition: Procedure | NamedException) -> Malrule:
    """The malrule that works by it."""
    first = definition.example if isinstance(definition, Procedure) else definition.answers[0]
    return Malrule(
        name=definition.name,
        title=definition.title,
        ops=(definition.operation,),
        form=definition.form,
        causes=(MalruleCause(definition.cause_tag, VARIABLES.intersection(definition.needs)),),
        breaks_quantity=False,
        source="learned from the review queue",
        example=(first.a, definition.operation, first.b, first.answer),
        work=_procedure_work(definition) if isinstance(definition, Procedure) else _exception_work(definition),
    )


def learn(definition: Procedure | NamedException) -> str:
    """Makes the malrule known to this process by its name, which it returns. No session uses it unasked."""
    if definition.name not in LEARNED:
        LEARNED[definition.name] = malrule_of(definition)
    return definition.name


def _read(field: str, text: str) -> Formula:
    try:
        return _formula(text)
    except FormulaError as error:
        raise ValueError(f"{field}: {error}") from error


@lru_cache(maxsize=1024)
def _formula(text: str) -> Formula:
    return Formula(text)


def _exception_work(definition: NamedException) -> Work:
    answers = {(one.a, one.b): one.answer for one in definition.answers}
    return lambda sheet: answers.get((sheet.a, sheet.b))


def _procedure_work(definition: WayOfWorking) -> Work:
    when, answer = _formula(definition.when), _formula(definition.answer)
    written = _Written(definition.columns) if definition.columns else None

    def work(sheet: Sheet) -> int | None:
        names = _names(sheet)
        try:
            if not when.value(names):
                return None
            return answer.value({**names, **(written.work(names, sheet) if written else _BLANK)})
        except NothingToWork:
            return None

    return work


_BLANK: Final = {"written": 0, "carry": 0, "keep": 0}


def _names(sheet: Sheet) -> dict[str, int]:
    first = sheet.lengths[0] >= sheet.lengths[1]
    return {
        "a": sheet.a,
        "b": sheet.b,
        "answer": sheet.answer,
        "larger": max(sheet.a, sheet.b),
        "smaller": min(sheet.a, sheet.b),
        "longer": sheet.a if first else sheet.b,
        "shorter": sheet.b if first else sheet.a,
        "length_a": sheet.lengths[0],
        "length_b": sheet.lengths[1],
        "width": sheet.width,
        "carries": len(sheet.carries),
    }


class _Written:
    """The written calculation of a procedure."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._top, self._bottom = _formula(columns.top), _formula(columns.bottom)
        self._value, self._write = _formula(columns.value), _formula(columns.write)
        self._carry, self._keep = _formula(columns.carry), _formula(columns.keep)
        self._per = _formula(columns.per) if columns.per is not None else None

    def work(self, names: Mapping[str, int], sheet: Sheet) -> dict[str, int]:
        """What is `written`, and the last `carry` and `keep`. NothingToWork."""
        rows = [self._digits(self._top, names), self._digits(self._bottom, names)]
        if self._per is None:
            return self._row(rows, {**names, "factor": 0, "place": 0}, sheet)
        found = {**_BLANK}
        for place, factor in enumerate(self._digits(self._per, names)):
            row = self._row(rows, {**names, "factor": factor, "place": place}, sheet)
            found = {**row, "written": found["written"] + row["written"] * 10**place}
        return found

    @staticmethod
    def _digits(formula: Formula, names: Mapping[str, int]) -> tuple[int, ...]:
        number = formula.value(names)
        if number < 0:
            raise NothingToWork
        return digits(number)

    def _row(self, rows: list[tuple[int, ...]], names: dict[str, int], sheet: Sheet) -> dict[str, int]:
        width = max(len(row) for row in rows)
        if width > _MOST_COLUMNS:
            raise NothingToWork
        top, bottom = (self._aligned(row, width) for row in rows)
        state = {"carry": 0, "keep": 0}
        places: list[int] = []
        for column in range(width):
            at = {
                **names,
                **state,
                "top": max(top[column], 0),
                "bottom": max(bottom[column], 0),
                "above": max(top[column + 1], 0) if column + 1 < width else 0,
                "top_there": int(top[column] >= 0),
                "bottom_there": int(bottom[column] >= 0),
                "column": column,
                "last": int(column == width - 1),
                "carried": int(column in sheet.carries),
            }
            at["value"] = self._value.value(at)
            places.append(self._write.value(at))
            state = {"carry": self._carry.value(at), "keep": self._keep.value(at)}
        if self._columns.rest == "written" and state["carry"]:
            places.append(state["carry"])
        return {**state, "written": _joined(places, self._columns.join)}

    def _aligned(self, row: tuple[int, ...], width: int) -> tuple[int, ...]:
        blank = (-1,) * (width - len(row))
        return row + blank if self._columns.align == "right" else blank + row


def _joined(places: list[int], join: Literal["places", "side_by_side"]) -> int:
    """The number that is written. In columns only the leftmost holds more than one digit."""
    if min(places) < 0 or (join == "places" and any(one > 9 for one in places[:-1])):
        raise NothingToWork
    if join == "side_by_side":
        text = "".join(str(one) for one in reversed(places))
        if len(text) > _MOST_COLUMNS:
            raise NothingToWork
        return int(text)
    return sum(one * 10**column for column, one in enumerate(places))

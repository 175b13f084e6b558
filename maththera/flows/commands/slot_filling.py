"""The parameters of a flow or tool, filled from the entities of a command by the tool's or flow's schema."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final

from maththera.arithmetic.problem import ProblemError, make_problem, parse_expression
from maththera.flows.commands.command_entities import CommandEntities
from maththera.flows.commands.command_rules import CommandRules, Role
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import value_mistakes
from maththera.json_types import JsonObject
from maththera.korean.dates import Period
from maththera.korean.particles import with_particle


@dataclass(frozen=True, slots=True)
class ReadCommand:
    """A command, and all that parameters are filled from beside a schema. `given`: values that the caller knows, such
    as the pupil on the screen."""

    found: CommandEntities
    rules: CommandRules
    today: date
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FilledSlots:
    """`missing`: required parameters without a value, or with one that the schema does not allow → the question to ask.
    `unused`: entities that the target cannot take → the same command without them."""

    values: JsonObject
    missing: dict[str, str]
    unused: tuple[str, ...] = ()


def fill_slots(schema: Mapping[str, Any], command: ReadCommand) -> FilledSlots:
    """Fills the parameters of a flow or tool."""
    typed, rules = SchemaType.of(schema), command.rules
    taken = roles(typed, rules)
    filled = _fill(typed, command)
    if {"cause", "student"} <= taken.keys() and not {"cause", "student_id"} & filled.values.keys():
        filled.missing["cause"] = rules.asks["cause"]  # either is enough, one is needed
    return replace(filled, unused=(*_unread(command.found), *_unused(taken, command)))


def of_grade(found: CommandEntities, rules: CommandRules) -> CommandEntities:
    """With the units that a concept has in the grade and term that are told, in place of both."""
    if "grade" not in found.one or not found.concepts:
        return found
    term = _TERM.search(found.command)
    concept = "".join(found.concepts[-1].split())
    units = rules.units_in(found.one["grade"], int(term[1]) if term else None, concept)
    if not units:
        return found
    left_out = {"grade", "concept", *(["period", "length"] if term else [])}
    said = {kind: text for kind, text in found.said.items() if kind not in left_out}
    period = None if term else found.period
    return replace(found, concepts=tuple(units), said=said, period=period, length=None if term else found.length)


_TERM: Final = re.compile(r"([12])\s*학기")


Roles = Set[Role | None]
"""Of the parameters of one schema, beside each other."""


def roles(typed: SchemaType, rules: CommandRules) -> dict[Role, bool]:
    """Role → whether it is required, nested fields included."""
    taken: dict[Role, bool] = {}
    for name, each in typed.properties().items():
        needed = name in typed.schema.get("required", ())
        if role := rules.role(name):
            taken[role] = taken.get(role, False) or needed
        else:
            taken |= {inner: wanted and needed for inner, wanted in roles(each, rules).items()}
    return taken


_ROLES_BY_KIND: Final[Mapping[str, frozenset[Role]]] = {
    "student": frozenset(["student", "students"]),
    "concept": frozenset(["concept", "concepts"]),
    "period": frozenset(["period_days", "start", "end", "question"]),
    "length": frozenset(["days", "period_days", "start"]),
    "count": frozenset(["count", "per_day"]),
    "per_day": frozenset(["per_day"]),
    "difficulty": frozenset(["difficulty"]),
    "year": frozenset(["year"]),
    "ratio": frozenset(["ratio"]),
    "expression": frozenset(["expression", "concept", "concepts", "problem_id"]),
    "grade": frozenset(["grade"]),
    "carries": frozenset(["carries"]),
    "tables": frozenset(["tables"]),
    "problem_id": frozenset(["problem_id"]),
    "report_id": frozenset(["report_id"]),
}
"""Kind of entity → the roles of parameters one of which must take it; otherwise it would be ignored silently."""

_PAST: Final = frozenset[Role](["end"])
"""The roles that can take a period that ended before today; a number of days would include the days since."""

_PLANNED: Final = frozenset[Role](["days"])
"""The roles that can take a number of days beside a period."""

_WEEK: Final = 7
"""Numbers of days that need no parameter: 일주일 동안 풀 학습지."""

_NOW: Final = ("이번", "이달", "이 달", "이 주", "금주", "금월", "올해")
"""Beginnings of a time that need no parameter where the target takes none: 이번 주 연습 세트."""


def _unused(taken: Collection[Role], command: ReadCommand) -> Iterator[str]:
    if "question" in taken:
        return  # which is the whole command
    found, rules = command.found, command.rules
    said = {kind: text for kind, text in found.said.items() if kind != "period" or not text.startswith(_NOW)}
    for word in (word for key in ("easier", "harder") for word in rules.values[key] if word in found.command):
        if not {"adjustment", "difficulty"}.intersection(taken):
            said.setdefault("difficulty", word)
    if (beyond := [each for each in found.concepts if rules.beyond.search(each)]) and "school" not in taken:
        yield f"‘{', '.join(beyond)}’에 대한 것은 여기에 없습니다. 자연수의 덧셈·뺄셈·곱셈·나눗셈만 다룹니다."
        return
    room = {"concepts": len(found.concepts), "second_concept": 2, "concept": 1}
    if more := found.concepts[max((room[role] for role in taken if role in room), default=len(found.concepts)) :]:
        said["concept"] = ", ".join(more)
        taken = set(taken) - room.keys()
    takers = dict(_ROLES_BY_KIND)
    if found.period is not None:
        takers["length"] = _PLANNED
        takers["period"] = _PAST if found.period.end < command.today else _ROLES_BY_KIND["period"]
    for kind in _without_effect(taken, found):
        said.pop(kind, None)
    for kind, text in said.items():
        if not takers.get(kind, frozenset(taken)).intersection(taken):
            yield f"이 일은 ‘{text}’에 맞추어 할 수 없습니다. 빼고 다시 말씀해 주시겠어요?"


def _without_effect(taken: Collection[Role], found: CommandEntities) -> Iterator[str]:
    """The entities that need no parameter."""
    if found.length == _WEEK:
        yield "length"
    if _operation(found) and "operation" in taken:
        yield "concept"
    if found.cause and "cause" in taken:
        yield "concept"
    if "concept" in taken and not {"student", "students"}.intersection(taken):
        yield "period"  # what a unit is about is the same in every term
    if "answer" in found.one and "answer" in taken:
        yield "student"  # who answered changes nothing in whether the answer is right


def _unread(found: CommandEntities) -> Iterator[str]:
    for text in found.unread:
        yield f"‘{with_particle(text + '’', '을를')} 알아듣지 못했습니다. 다르게 말씀해 주시겠어요?"


def _fill(typed: SchemaType, command: ReadCommand, *, inner: bool = False) -> FilledSlots:
    """`inner`: these are the fields of a parameter, for which nothing is given."""
    found, rules = command.found, command.rules
    values: JsonObject = {}
    missing: dict[str, str] = {}
    own = {rules.role(name) for name in typed.properties()}
    for name, each in typed.properties().items():
        needed = name in typed.schema.get("required", ())
        role = rules.role(name)
        if inner and role == "question":
            continue  # the text of a word problem, not what the person asks
        branch = _object_in(each)
        if role is None and branch is not None:
            parts = _fill(branch, command, inner=True)
            missing |= parts.missing if needed else {}
            value: Any = parts.values or None
        else:
            value = _value(role, each, command, own)
            value = command.given.get(name) if value is None and not inner else value
        if value is None:
            if needed:
                missing.setdefault(name, _ask(name, role, each, rules))
        elif any(value_mistakes(value, each)) or (value == 0 and role in _AT_LEAST_ONE):
            missing[name] = _ask_which_of_several(found) if role == "student" else _ask(name, role, each, rules)
        else:
            values[name] = value
    if "student" in own and len(found.students) > 1:
        missing["student_id"] = _ask_which_of_several(found)
    return FilledSlots(values, missing)


_AT_LEAST_ONE: Final = frozenset[Role | None](["count", "per_day", "days"])


def _ask_which_of_several(found: CommandEntities) -> str:
    return f"한 번에 한 학생씩 할 수 있습니다. 누구부터 할까요? ({', '.join(found.students[:5])})"


def _ask(name: str, role: Role | None, typed: SchemaType, rules: CommandRules) -> str:
    if role in rules.asks:
        return rules.asks[role]
    if asked := next((rules.asks[inner] for inner in roles(typed, rules) if inner in rules.asks), None):
        return asked
    what = typed.schema.get("description") or name
    return f"'{what}' 값을 알려 주세요."


def _object_in(typed: SchemaType) -> SchemaType | None:
    return next((each for each in typed.branches() if each.properties()), None)


def _value(role: Role | None, typed: SchemaType, command: ReadCommand, roles: Roles) -> Any:
    if role is None:
        return _one_of(typed, command)
    reader = _READERS.get(role)
    return command.found.one.get(role) if reader is None else reader(command, roles)


def _one_of(typed: SchemaType, command: ReadCommand) -> Any:
    """The value of an enumeration that a word of the command means."""
    allowed = [value for branch in typed.branches() for value in branch.schema.get("enum", ())]
    for value in allowed:
        words = command.rules.values.get(str(value), [str(value)])
        if isinstance(value, str) and any(word in command.found.command for word in words):
            return value
    return None


def _period_days(command: ReadCommand, roles: Roles) -> int | None:
    found, today = command.found, command.today
    if found.period is not None:
        return max(1, (today - found.period.start).days) if _is_counted(found.period, today, roles) else None
    return found.length if "days" not in roles else None


def _operation(found: CommandEntities) -> str | None:
    """The operation that is the only thing that is named: 뺄셈."""
    return _OPERATIONS.get(found.concepts[0]) if len(found.concepts) == 1 else None


_OPERATIONS: Final = {"덧셈": "+", "뺄셈": "-", "곱셈": "x", "나눗셈": "/"}


def _problem_id(command: ReadCommand, roles: Roles) -> str | None:
    """The id that is told, else that of the expression."""
    found = command.found
    if "problem_id" in found.one or "expression" in roles or "expression" not in found.one:
        return found.one.get("problem_id")
    try:
        return make_problem(*parse_expression(found.one["expression"])).problem_id
    except ProblemError:
        return None


def _concept(found: CommandEntities) -> str | None:
    """The concept that is named, else the unit of the expression."""
    if found.concepts:
        return found.concepts[0]
    try:
        return f"Cur-C{make_problem(*parse_expression(found.one['expression'])).c_level}"
    except (KeyError, ProblemError):
        return None


def _like(found: CommandEntities) -> str | None:
    """The expression that problems are to be like: one that is a problem of the operation that is named, if any."""
    operations = {sign for name, sign in _OPERATIONS.items() if any(each.endswith(name) for each in found.concepts)}
    try:
        a, sign, b = parse_expression(found.one["expression"])
        make_problem(a, sign, b)
    except (KeyError, ProblemError):
        return None
    return f"{a}{sign}{b}" if not operations or sign in operations else None


def _concept_list(found: CommandEntities) -> list[str] | None:
    named = [each for each in found.concepts if not ("carries" in found.one and each.startswith("받아"))]
    return named or [*found.concepts] or ([one] if (one := _concept(found)) else None)


def _dated(command: ReadCommand, roles: Roles) -> Period | None:
    """The period by its first and last day; for a period of a given length, its last days."""
    found, today = command.found, command.today
    if found.period is not None:
        return None if _is_counted(found.period, today, roles) else found.period
    if found.length is None or roles & {"days", "period_days"}:
        return None
    return Period(today - timedelta(days=found.length), today)


def _is_counted(period: Period, today: date, roles: Roles) -> bool:
    """Whether the period is a number of days until today; any other period needs its dates."""
    dated = "end" in roles and (period.end < today or period.start >= today)
    return "period_days" in roles and not dated


def _year(command: ReadCommand) -> int:
    """The current school year, unless the command names one."""
    return int(command.found.one.get("year", command.today.year - (command.today.month < 3)))


def _by_words(command: ReadCommand, easier: float, harder: float) -> float | None:
    for key, value in (("easier", easier), ("harder", harder)):
        if _says(command, key):
            return value
    return None


def _says(command: ReadCommand, key: str) -> bool:
    """Whether a word of this key of the rules' `values` stands in the command."""
    return any(word in command.found.command for word in command.rules.values[key])


def _first(period: Period | None) -> str | None:
    return period.start.isoformat() if period else None


def _last(period: Period | None) -> str | None:
    return period.end.isoformat() if period else None


_READERS: Final[Mapping[Role, Callable[[ReadCommand, Roles], Any]]] = {
    "students": lambda command, _: [*command.found.students] or None,
    "student": lambda command, _: command.found.students[0] if command.found.students else None,
    "start": lambda command, roles: _first(_dated(command, roles)),
    "end": lambda command, roles: _last(_dated(command, roles)),
    "period_days": _period_days,
    "days": lambda command, _: command.found.length,
    "concept": lambda command, _: _concept(command.found),
    "second_concept": lambda command, _: command.found.concepts[1] if len(command.found.concepts) > 1 else None,
    "concepts": lambda command, _: _concept_list(command.found),
    "cause": lambda command, _: command.found.cause,
    "other_start": lambda command, _: _first(command.found.other_period),
    "other_end": lambda command, _: _last(command.found.other_period),
    "school": lambda command, _: command.found.schools[0] if len(command.found.schools) == 1 else None,
    "year": lambda command, _: _year(command),
    "adjustment": lambda command, _: _by_words(command, -0.3, 0.3),
    "difficulty": lambda command, _: command.found.one.get("difficulty", _by_words(command, 2, 4)),
    "problem_id": _problem_id,
    "operation": lambda command, _: _operation(command.found),
    "like": lambda command, _: _like(command.found),
    "question": lambda command, _: command.found.command.strip(),
    "word_problems": lambda command, _: _says(command, "서술형") or None,
    "school_name": lambda command, _: command.found.school_name,
    "region": lambda command, _: command.found.region,
}
"""`difficulty`: the number from 1 to 5 that the command names; else 2 for easy tasks and 4 for hard ones."""

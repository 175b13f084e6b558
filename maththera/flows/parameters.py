"""Typed parameters out of a Korean command: everything it names (`read`), then what a schema asks for (`fill`)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from maththera.flows.commands import CommandRules, Names, Role
from maththera.flows.dates import Period, cut, read_days
from maththera.flows.numerals import NUMBER, number
from maththera.flows.schemas import Typed, mistakes

_ID: Final = r"(?:[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*|\d{1,10})"  # one way to read it: time stays linear
_AND: Final = r"\s*(?:,|、|·|/|&|및|와|과|랑|이랑|하고|그리고|\s)\s*"
_NOT_ID: Final = (
    r"(?!\s*(?:명|학년|반(?![가-힣])|개|문제|문항|일|월|년|주|분|단|건|점|자리|등급|차|초|중|고))(?![A-Za-z0-9+×÷*/=])"
)
_LIST: Final = rf"{_ID}{_NOT_ID}(?:{_AND}(?:학생\s*)?{_ID}{_NOT_ID})*"
_NO_STUDENTS: Final = frozenset(
    ["pdf", "dna", "id", "ok", "ai", "llm", "mcp", "cur", "cog", "csv", "xlsx", "excel", "ppt"]
)
_BEFORE: Final = r"(?<![A-Za-z0-9_-])"
_RANGE: Final = re.compile(
    rf"{_BEFORE}([A-Za-z]+[-_]?)(\d{{1,6}})\s*(?:부터|에서|~|〜|-)\s*(?:\1)?(\d{{1,6}})(?:\s*번)?(?:\s*까지)?"
)
_NAMED: Final = re.compile(rf"(?:학생|아이|학습자)(?:들)?\s*(?:ID|id|아이디|번호)?\s*[:=]?\s*({_LIST})")
_BEHIND: Final = re.compile(rf"{_BEFORE}({_LIST})\s*번?\s*(?:학생|아이|학습자)")
_BARE: Final = re.compile(
    rf"{_BEFORE}([A-Za-z]{{1,12}}[-_]?\d{{1,8}}|(?:student|stu|learner)[-_][A-Za-z0-9]+)(?![A-Za-z0-9])"
)
_MOST_STUDENTS: Final = 200

_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "problem_id": re.compile(r"\b(P-\d{3,6}|[XW]:[0-9A-Za-z+\-x/:]+)"),
    "concept_id": re.compile(r"\b((?:Cur|Cog)-C\d{1,2})(?!\d)", re.IGNORECASE),
    "report_id": re.compile(
        r"(?:(?:리포트|보고서)\s*(?:ID|아이디|번호)?\s*:?\s*)?\b(r(?:ep(?:ort)?)?[-_][0-9A-Za-z-]{2,}|[0-9a-f]{16,})\b"
    ),
    "school_code": re.compile(r"(?:학교\s*코드\s*[:=]?\s*([A-Za-z0-9_-]+)|\b([A-Z]\d{9})\b)"),
    "grade": re.compile(rf"({NUMBER})\s*학년(?!도)"),
    "year": re.compile(r"(20\d\d)\s*(?:학년도|년도|년)(?!\s*\d+\s*월)"),
    "expression": re.compile(r"(?<!\d)(\d{1,4}\s*[+\-−×x*÷/]\s*\d{1,4})(?:\s*=\s*(\d{1,6}))?(?!\s*[월일])"),
    "difficulty": re.compile(r"난이도\s*(?:는|가|를|:)?\s*([1-5](?:\.\d)?)|([1-5])\s*단계\s*난이도"),
    "depth": re.compile(rf"({NUMBER})\s*단계"),
    "ratio": re.compile(r"(?<![\d.])(0?\.\d+)|(\d{1,3})\s*(?:%|퍼센트|프로)"),
}
_PER_DAY: Final = re.compile(rf"(?:하루|매일|날마다|일일)(?:에)?\s*({NUMBER})\s*(?:문제|문항|개)\s*(?:씩)?")
_COUNT: Final = re.compile(
    rf"(?<![가-힣\d])({NUMBER})\s*(?:문제|문항|개(?!월|념|인|별)|건|가지)|(?:문제|문항)(?:를|만|는)?\s*({NUMBER})\s*(?:개|건|문항)?(?![\w-])"
)


@dataclass(slots=True)
class Found:
    """What a command names. `left`: the command without it."""

    command: str
    left: str
    students: tuple[str, ...] = ()
    period: Period | None = None
    length: int | None = None
    concepts: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    school_name: str | None = None
    region: str | None = None
    one: dict[str, Any] = field(default_factory=dict)

    @property
    def kinds(self) -> Iterator[str]:
        """Of what is named, what only some flows and tools can use."""
        yield from (kind for kind in ("problem_id", "report_id", "expression", "ratio") if kind in self.one)
        if self.concepts:
            yield "concept"
        if self.schools or self.school_name:
            yield "school"


def read(command: str, rules: CommandRules, names: Names, today: date) -> Found:
    """Everything a command names."""
    found = Found(command, f" {' '.join(command.split())} ")
    for kind in ("problem_id", "concept_id", "school_code", "report_id"):
        _take(found, kind, _PATTERNS[kind])
    _schools(found, rules, names)
    days = read_days(found.left, today)
    _take(found, "year", _PATTERNS["year"], int)
    if "작년" in command and "year" not in found.one:
        found.one["year"] = today.year - 1
    found.period, found.length = days.period, days.length
    found.left = read_days(found.left, today).left
    _students(found, names)
    _take(found, "expression", _PATTERNS["expression"])
    _take(found, "grade", _PATTERNS["grade"], number)
    _take(found, "difficulty", _PATTERNS["difficulty"], _plain)
    _take(found, "depth", _PATTERNS["depth"], number)
    _take(found, "ratio", _PATTERNS["ratio"], lambda text: float(text) if "." in text else int(text) / 100)
    _take(found, "per_day", _PER_DAY, number)
    _take(found, "count", _COUNT, number)
    _concepts(found, names)
    return found


def _plain(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value


def _take(found: Found, kind: str, pattern: re.Pattern[str], read_as: Callable[[str], Any] = str) -> None:
    match = pattern.search(found.left)
    if match is None:
        return
    groups = [group for group in match.groups() if group]
    if kind == "expression" and len(groups) > 1:
        found.one["answer"] = int(groups[1])
    if (value := read_as(groups[0])) is not None:
        found.one[kind] = value
        _cut(found, match.start(), match.end())


def _cut(found: Found, start: int, end: int) -> None:
    found.left = cut(found.left, start, end)


def _schools(found: Found, rules: CommandRules, names: Names) -> None:
    codes = [code] if (code := found.one.pop("school_code", None)) else []
    for name, code in sorted(
        {**names.schools, **{code: code for code in names.schools.values()}}.items(), key=lambda one: -len(one[0])
    ):
        place = found.left.find(name)
        if place >= 0:
            codes.append(code)
            _cut(found, place, place + len(name))
    found.schools = tuple(dict.fromkeys(codes))
    if match := re.search(r"(?<![가-힣])([가-힣]{1,10}(?:초등학교|중학교|고등학교|초교))", found.left):
        found.school_name = match[1]
        _cut(found, *match.span())
    found.region = next((region for region in rules.regions if re.search(rf"(?<![가-힣]){region}", found.left)), None)


def _students(found: Found, names: Names) -> None:
    ids: list[str] = []
    while match := _RANGE.search(found.left):
        first, last = int(match[2]), int(match[3])
        if not first <= last < first + _MOST_STUDENTS:
            break
        ids += [f"{match[1]}{str(each).zfill(len(match[2]))}" for each in range(first, last + 1)]
        _cut(found, *match.span())
    for pattern in (_NAMED, _BEHIND, _BARE):
        start = 0
        while match := pattern.search(found.left, start):
            listed = [each for each in re.findall(_ID, match[1]) if each.lower() not in _NO_STUDENTS]
            start = match.end()
            if listed and "학생" not in listed:
                ids += listed
                _cut(found, match.start(), match.end())
                start = match.start()
    for name in sorted(names.students, key=len, reverse=True):
        if (place := found.left.find(name)) >= 0:
            ids.append(names.students[name])
            _cut(found, place, place + len(name))
    found.students = tuple(dict.fromkeys(ids))


def _concepts(found: Found, names: Names) -> None:
    concepts = [found.one["concept_id"]] if "concept_id" in found.one else []
    while match := names.concept_pattern.search(found.left):
        concepts.append(" ".join(match[1].split()))
        _cut(found, *match.span())
    found.concepts = tuple(dict.fromkeys(concepts))


# --- what a schema asks for -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filled:
    """`missing`: required parameters without a value, and ones whose value the schema does not allow, with what to
    ask."""

    values: dict[str, Any]
    missing: dict[str, str]


def fill(schema: Mapping[str, Any], found: Found, rules: CommandRules, today: date, given: Mapping[str, Any]) -> Filled:
    """The parameters of a flow or tool; `given` are those the caller knows already, such as the pupil on the screen."""
    return _fill(Typed.of(schema), found, rules, today, given)


def _fill(  # noqa: PLR0913 - as `fill`, and whether this is a field of a field
    typed: Typed, found: Found, rules: CommandRules, today: date, given: Mapping[str, Any], *, inner: bool = False
) -> Filled:
    values: dict[str, Any] = {}
    missing: dict[str, str] = {}
    roles = {rules.role(name) for name in typed.properties()}
    for name, each in typed.properties().items():
        needed = name in typed.schema.get("required", ())
        role = rules.role(name)
        if inner and role == "question":
            continue  # the text of a word problem, not what the person asks
        branch = _object_in(each)
        if role is None and branch is not None:
            parts = _fill(branch, found, rules, today, {}, inner=True)
            missing |= parts.missing if needed else {}
            value: Any = parts.values or None
        else:
            value = _value(role, each, found, rules, today, roles)
            value = given.get(name) if value is None else value
        if value is None:
            if needed:
                missing.setdefault(name, _ask(name, role, each, rules))
        elif any(mistakes(value, each)):
            missing[name] = _several(found) if role == "student" else _ask(name, role, each, rules)
        else:
            values[name] = value
    if "student" in roles and len(found.students) > 1:
        missing["student_id"] = _several(found)
    return Filled(values, missing)


def _several(found: Found) -> str:
    return f"한 번에 한 학생씩 할 수 있습니다. 누구부터 할까요? ({', '.join(found.students[:5])})"


def _ask(name: str, role: Role | None, typed: Typed, rules: CommandRules) -> str:
    if role in rules.asks:
        return rules.asks[role]
    what = typed.schema.get("description") or name
    return f"'{what}' 값을 알려 주세요."


def _object_in(typed: Typed) -> Typed | None:
    return next((each for each in typed.branches() if each.properties()), None)


def _value(  # noqa: PLR0913 - what a value may depend on
    role: Role | None, typed: Typed, found: Found, rules: CommandRules, today: date, roles: set[Role | None]
) -> Any:
    if role is None:
        return _one_of(typed, found, rules)
    reader = _READERS.get(role)
    if reader is not None:
        return reader(found, rules, today, roles)
    return found.one.get(role)


def _one_of(typed: Typed, found: Found, rules: CommandRules) -> Any:
    """A value of an enumeration that a word of the command means."""
    allowed = [value for branch in typed.branches() for value in branch.schema.get("enum", ())]
    for value in allowed:
        words = rules.values.get(str(value), [str(value)])
        if isinstance(value, str) and any(word in found.command for word in words):
            return value
    return None


Reader = Callable[[Found, CommandRules, date, set[Role | None]], Any]


def _period_days(found: Found, _: CommandRules, today: date, roles: set[Role | None]) -> int | None:
    if found.period is not None:
        return max(1, (today - found.period.start).days)
    return found.length if "days" not in roles else None


def _start(found: Found, _: CommandRules, __: date, ___: set[Role | None]) -> str | None:
    return found.period.start.isoformat() if found.period else None


def _end(found: Found, _: CommandRules, __: date, ___: set[Role | None]) -> str | None:
    return found.period.end.isoformat() if found.period else None


def _year(found: Found, _: CommandRules, today: date, __: set[Role | None]) -> int:
    """The school year that runs, unless the command names one."""
    return int(found.one.get("year", today.year - (today.month < 3)))


def _adjustment(found: Found, rules: CommandRules, _: date, __: set[Role | None]) -> float | None:
    for key, value in (("easier", -0.3), ("harder", 0.3)):
        if any(word in found.command for word in rules.values[key]):
            return value
    return None


def _word_problems(found: Found, rules: CommandRules, _: date, __: set[Role | None]) -> bool | None:
    return True if any(word in found.command for word in rules.values["서술형"]) else None


def _nth_concept(place: int) -> Reader:
    return lambda found, *_: found.concepts[place] if len(found.concepts) > place else None


_READERS: Final[Mapping[Role, Reader]] = {
    "students": lambda found, *_: [*found.students] or None,
    "student": lambda found, *_: found.students[0] if found.students else None,
    "start": _start,
    "end": _end,
    "period_days": _period_days,
    "days": lambda found, *_: found.length,
    "concept": _nth_concept(0),
    "second_concept": _nth_concept(1),
    "concepts": lambda found, *_: [*found.concepts] or None,
    "school": lambda found, *_: found.schools[0] if len(found.schools) == 1 else None,
    "year": _year,
    "adjustment": _adjustment,
    "question": lambda found, *_: found.command.strip(),
    "word_problems": _word_problems,
    "school_name": lambda found, *_: found.school_name,
    "region": lambda found, *_: found.region,
}

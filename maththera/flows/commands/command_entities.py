"""Typed parameters out of a Korean command: everything it names (`read`), then what a schema asks for (`fill`)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from maththera.flows.commands.command_rules import CommandRules, KnownNames
from maththera.json_types import JsonObject
from maththera.korean.dates import Period, read_days, replace_by_pronoun
from maththera.korean.numbers import NUMBER, parse_number

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
_NOT_NAMED: Final = re.compile(r"외(?:에)?\s*(?:\d+|[한두세네])\s*명|[A-Za-z0-9]\s*네\s*(?:반|학급)")
_COPIES: Final = re.compile(
    rf"(?<![\w./-]){NUMBER}\s*(?:부|장|쪽|페이지)(?=\s|$|[만씩로을를]|으로)|(?<![\w./-])(?:\d+|[두세네])\s*번\s*(?:만들|뽑|보내|해)"
)
"""Counted students and copies, without names: `학생 3명`."""

_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "problem_id": re.compile(r"\b(P-\d{3,6}|[XW]:[0-9A-Za-z+\-x/:]+)"),
    "concept_id": re.compile(r"\b((?:Cur|Cog)-C\d{1,2})(?!\d)", re.IGNORECASE),
    "report_id": re.compile(
        r"(?:(?:리포트|보고서)\s*(?:ID|아이디|번호)?\s*:?\s*)?\b(r(?:ep(?:ort)?)?[-_][0-9A-Za-z-]{2,}|[0-9a-f]{16,})\b"
    ),
    "school_code": re.compile(r"(?:학교\s*코드\s*[:=]?\s*([A-Za-z0-9_-]+)|\b([A-Z]\d{9})\b)"),
    "grade": re.compile(rf"({NUMBER})\s*학년(?!도)"),
    "year": re.compile(r"(20\d\d)\s*(?:학년도|년도|년)(?!\s*\d+\s*월)"),
    "expression": re.compile(
        r"(?<![\d.])(\d{1,9}(?:\.\d{1,9})?(?:\s*[+\-−×x*÷/]\s*\d{1,9}(?:\.\d{1,9})?)+)(?:\s*=\s*(\d{1,6}))?(?!\s*[월일])"
    ),
    "difficulty": re.compile(r"난이도\s*(?:는|가|를|:)?\s*(\d{1,3}(?:\.\d)?)|(\d{1,3})\s*단계\s*난이도"),
    "depth": re.compile(rf"({NUMBER})\s*단계"),
    "ratio": re.compile(r"(?<![\d.])(0?\.\d+)|(\d{1,3})\s*(?:%|퍼센트|프로)"),
}
_PER_DAY: Final = re.compile(rf"(?:하루|매일|날마다|일일)(?:에)?\s*({NUMBER})\s*(?:문제|문항|개)\s*(?:씩)?")
_COUNT: Final = re.compile(
    rf"(?<![가-힣\d])({NUMBER})\s*(?:문제|문항|개(?!월|념|인|별)|건|가지)|(?:문제|문항)(?:를|만|는)?\s*({NUMBER})\s*(?:개|건|문항)?(?![\w-])"
)


_COUNTED: Final = ("문제", "문항")
"""Counts whose noun stays in the sentence: 문제 10개 is still about 문제."""


@dataclass(slots=True)
class CommandEntities:
    """The students, dates, counts and other entities in a command. `left`: the command without them. `said`: the words
    they stand in, by kind. `unread`: words that look like a name or a time and could not be read."""

    command: str
    left: str
    said: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    students: tuple[str, ...] = ()
    period: Period | None = None
    length: int | None = None
    concepts: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    school_name: str | None = None
    region: str | None = None
    one: JsonObject = field(default_factory=dict)

    @property
    def kinds(self) -> Iterator[str]:
        """The kinds of entities that only some flows and tools can use."""
        yield from (kind for kind in ("problem_id", "report_id", "expression", "ratio") if kind in self.one)
        if self.concepts:
            yield "concept"
        if self.schools or self.school_name:
            yield "school"


def read_entities(command: str, rules: CommandRules, names: KnownNames, today: date) -> CommandEntities:
    """All entities of a command."""
    found = CommandEntities(command, f" {' '.join(command.split())} ")
    for kind in ("problem_id", "concept_id", "school_code", "report_id"):
        _extract(found, kind, _PATTERNS[kind])
    _schools(found, rules, names)
    days = read_days(found.left, today)
    _extract(found, "year", _PATTERNS["year"], int)
    if re.search("(?<!재)작년", command) and "year" not in found.one:
        found.one["year"] = today.year - 1
    found.period, found.length = days.period, days.length
    found.left = days.left
    if days.period is not None:
        found.said["period"] = days.said
    if days.length is not None:
        found.said["length"] = days.long
    if days.unread is not None:
        found.unread.append(days.unread)
    _students(found, names)
    _extract(found, "expression", _PATTERNS["expression"])
    _extract(found, "grade", _PATTERNS["grade"], parse_number)
    _extract(found, "difficulty", _PATTERNS["difficulty"], _plain)
    _extract(found, "depth", _PATTERNS["depth"], parse_number)
    _extract(found, "ratio", _PATTERNS["ratio"], lambda text: float(text) if "." in text else int(text) / 100)
    _extract(found, "per_day", _PER_DAY, parse_number)
    _extract(found, "count", _COUNT, parse_number)
    _concepts(found, names)
    return found


def _plain(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value


def _extract(found: CommandEntities, kind: str, pattern: re.Pattern[str], read_as: Callable[[str], Any] = str) -> None:
    match = pattern.search(found.left)
    if match is None:
        return
    groups = [group for group in match.groups() if group]
    if kind == "expression" and len(groups) > 1:
        found.one["answer"] = int(groups[1])
    if (value := read_as(groups[0])) is not None:
        found.one[kind] = value
        found.said[kind] = match[0].strip()
        counted = next((noun for noun in _COUNTED if noun in match[0]), "이것")
        found.left = replace_by_pronoun(found.left, match.start(), match.end(), counted)


def _cut(found: CommandEntities, start: int, end: int) -> None:
    found.left = replace_by_pronoun(found.left, start, end)


def _schools(found: CommandEntities, rules: CommandRules, names: KnownNames) -> None:
    codes = [code] if (code := found.one.pop("school_code", None)) else []
    for name, code in sorted(
        {**names.schools, **{code: code for code in names.schools.values()}}.items(), key=lambda one: -len(one[0])
    ):
        place = found.left.find(name)
        if place >= 0:
            codes.append(code)
            found.school_name = found.school_name or name
            _cut(found, place, place + len(name))
    found.schools = tuple(dict.fromkeys(codes))
    if match := re.search(r"(?<![가-힣])([가-힣]{1,10}(?:초등학교|중학교|고등학교|초교))", found.left):
        found.school_name = match[1]
        _cut(found, *match.span())
    found.region = next((region for region in rules.regions if re.search(rf"(?<![가-힣]){region}", found.left)), None)


def _students(found: CommandEntities, names: KnownNames) -> None:
    ids: list[str] = []
    while match := _RANGE.search(found.left):
        first, last = int(match[2]), int(match[3])
        if first <= last < first + _MOST_STUDENTS:
            ids += [f"{match[1]}{str(each).zfill(len(match[2]))}" for each in range(first, last + 1)]
        else:
            found.unread.append(match[0].strip())
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
    for pattern in (_NOT_NAMED, _COPIES):
        found.unread += [match[0].strip() for match in pattern.finditer(found.command)]
    if ids:
        found.said["student"] = ", ".join(found.students)


def _concepts(found: CommandEntities, names: KnownNames) -> None:
    concepts = [found.one["concept_id"]] if "concept_id" in found.one else []
    while match := names.concept_pattern.search(found.left):
        concepts.append(" ".join(match[1].split()))
        _cut(found, *match.span())
    found.concepts = tuple(dict.fromkeys(concepts))
    if concepts:
        found.said["concept"] = ", ".join(found.concepts)

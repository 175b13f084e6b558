"""What a Korean command names: students, days, counts, concepts and so on. `slot_filling` makes parameters of it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from maththera.arithmetic.expressions import Operation, has_gap, text_of
from maththera.arithmetic.result_claims import read_expressions
from maththera.flows.commands.command_rules import CommandRules, KnownNames
from maththera.json_types import JsonObject
from maththera.korean.dates import Period, read_days, replace_by_pronoun
from maththera.korean.numbers import NUMBER, parse_number
from maththera.korean.times_tables import tables_in

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

_WRITTEN: Final = re.compile(r"(?<![\d.])\d{1,9}(?:\s*[+\-−×x*÷/]\s*\d{1,9})+(?:\s*=\s*\d{1,6})?(?!\s*[월일])")
_WITHOUT: Final = re.compile(r"(?:받아)?[올내]림\s*(?:이|은)?\s*(?:없\S*|안 \S+)")
_CARRYING: Final = re.compile("받아[올내]림")
_NO_CONDITION: Final = re.compile(
    rf"{NUMBER}\s*번\s*(?:있는|이상|하는)|나머지\s*\d+|자리\s*(?:수)?\s*(?:더하기|빼기|곱하기)\s*[한두세]\s*자리|\d+에서\s*빼는"
)
"""Conditions that no task can be restricted to: two borrowings, a remainder, operands of so many digits."""
_DIGITS: Final = re.compile(r"([두세])\s*자리\s*(?:수\s*|끼리의?\s*)?(덧셈|뺄셈)")
_ARROW: Final = re.compile(r"(?<=\d)\s*(?:→|->|⇒)\s*(?=\d)")
"""Between an expression and the answer that was given: 91-45 → 54."""
_EXCEPT: Final = re.compile(r"\s*(?:말고|빼고|제외하고)")
_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "problem_id": re.compile(r"\b(P-\d{3,6}|[XW]:[0-9A-Za-z+\-x/:]+)"),
    "concept_id": re.compile(r"\b((?:Cur|Cog)-C\d{1,2})(?!\d)", re.IGNORECASE),
    "report_id": re.compile(
        r"(?:(?:리포트|보고서)\s*(?:ID|아이디|번호)?\s*:?\s*)?\b(r(?:ep(?:ort)?)?[-_][0-9A-Za-z-]{2,}|[0-9a-f]{16,})\b"
    ),
    "school_code": re.compile(r"(?:학교\s*코드\s*[:=]?\s*([A-Za-z0-9_-]+)|\b([A-Z]\d{9})\b)"),
    "grade": re.compile(rf"({NUMBER})\s*학년(?!도)"),
    "year": re.compile(r"(20\d\d)\s*(?:학년도|년도|년)(?!\s*\d+\s*월)"),
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
    they stand in, by kind. `unread`: words that look like a name or a time and could not be read. `sums`: each
    expression, with the answer that is told for it."""

    command: str
    left: str
    said: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    students: tuple[str, ...] = ()
    period: Period | None = None
    other_period: Period | None = None
    cause: str | None = None
    length: int | None = None
    concepts: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    school_name: str | None = None
    region: str | None = None
    one: JsonObject = field(default_factory=dict)
    sums: list[JsonObject] = field(default_factory=list)

    @property
    def kinds(self) -> Iterator[str]:
        """The kinds of entities in the command."""
        yield from (kind for kind in ("problem_id", "report_id", "expression", "ratio") if kind in self.one)
        if self.concepts:
            yield "concept"
        if self.schools or self.school_name:
            yield "school"
        if self.students:
            yield "student" if len(self.students) == 1 else "students"
        if self.period or self.length:
            yield "period"
        if self.other_period:
            yield "periods"
        if self.cause:
            yield "cause"
        yield from (kind for kind in ("count", "answer") if kind in self.one)


def read_entities(command: str, rules: CommandRules, names: KnownNames, today: date) -> CommandEntities:
    """All entities of a command."""
    found = CommandEntities(command, f" {' '.join(_ARROW.sub('=', command).split())} ")
    for kind in ("problem_id", "concept_id", "school_code", "report_id"):
        _extract(found, kind, _PATTERNS[kind])
    _schools(found, rules, names)
    _expressions(found)
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
    unread = _second_period(found, days.said, days.unread, today) if days.period is not None else days.unread
    if unread is not None:
        found.unread.append(unread)
    _students(found, names)
    if (cause := rules.causes.find(command)) is not None and "expression" not in found.one:
        found.cause = cause.said
    _extract(found, "grade", _PATTERNS["grade"], parse_number)
    _extract(found, "difficulty", _PATTERNS["difficulty"], _plain)
    _extract(found, "depth", _PATTERNS["depth"], parse_number)
    _extract(found, "ratio", _PATTERNS["ratio"], lambda text: float(text) if "." in text else int(text) / 100)
    _extract(found, "per_day", _PER_DAY, parse_number)
    _conditions(found)
    _counts(found)
    _concepts(found, names)
    return found


def _conditions(found: CommandEntities) -> None:
    """With or without a carry, and of which multiplication tables. Without one the concept would mean the opposite."""
    if without := _WITHOUT.search(found.left):
        found.one["carries"], found.said["carries"] = False, without[0].strip()
        _cut(found, *without.span())
    elif _CARRYING.search(found.left):
        found.one["carries"] = True
    if tables := tables_in(found.left):
        found.one["tables"] = [*tables]
        found.said["tables"] = ", ".join(f"{each}단" for each in tables)


def _counts(found: CommandEntities) -> None:
    """How many; of several that are told, all together: 덧셈 5문제 뺄셈 5문제."""
    _extract(found, "count", _COUNT, parse_number)
    while (more := _COUNT.search(found.left)) and "count" in found.one:
        found.one["count"] += parse_number(more[1] or more[2]) or 0
        found.left = replace_by_pronoun(found.left, *more.span(), _COUNTED[0])


def _expressions(found: CommandEntities) -> None:
    """Every expression, also in words, with the answer that is told for it."""
    for each in read_expressions(found.left):
        if not isinstance(each.tree, Operation) or has_gap(each.tree):
            continue
        told: JsonObject = {"expression": text_of(each.tree).replace("−", "-")}
        if each.claimed is not None and each.claimed.denominator == 1:
            told["answer"] = int(each.claimed)
        found.sums.append(told)
    if found.sums:
        found.one |= found.sums[0]
        found.said["expression"] = ", ".join(each["expression"] for each in found.sums)
    while written := _WRITTEN.search(found.left):
        _cut(found, *written.span())


def _second_period(found: CommandEntities, said: str, unread: str | None, today: date) -> str | None:
    """Reads the period that the first is compared with; what is left unread."""
    month = re.match(r"\d{1,2}\s*월", said)
    text = found.left
    if month:  # 3월 첫째 주랑 둘째 주
        text = re.sub(r"(?<![가-힣])(둘|셋|넷|다섯)(?=\s*째\s*주)", rf"{month[0]} \1", text)
    other = read_days(text, today)
    if other.period is None:
        return unread
    found.other_period, found.left = other.period, other.left
    return None


def _plain(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value


def _extract(found: CommandEntities, kind: str, pattern: re.Pattern[str], read_as: Callable[[str], Any] = str) -> None:
    match = pattern.search(found.left)
    if match is None:
        return
    groups = [group for group in match.groups() if group]
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
    ids += _named_students(found, names)
    found.students = tuple(dict.fromkeys(ids))
    for pattern in (_NOT_NAMED, _COPIES, _NO_CONDITION):
        found.unread += [match[0].strip() for match in pattern.finditer(found.command)]
    if ids:
        found.said["student"] = ", ".join(found.students)


def _named_students(found: CommandEntities, names: KnownNames) -> Iterator[str]:
    """The students that a command calls by their names, without those that it leaves out."""
    for name in sorted(names.students, key=len, reverse=True):
        called = re.compile(rf"(?:(?<![가-힣])|(?<=이것)){re.escape(name)}(?:이(?=[가는의랑한말네용]|\s|$))?")
        while match := called.search(found.left):
            left_out = _EXCEPT.match(found.left, match.end())
            _cut(found, match.start(), (left_out or match).end())
            if not left_out:
                yield names.students[name]


def _concepts(found: CommandEntities, names: KnownNames) -> None:
    concepts = [found.one["concept_id"]] if "concept_id" in found.one else []
    found.left = _DIGITS.sub(r"\1 자리 수의 \2", found.left)
    while match := names.concept_pattern.search(found.left):
        concepts.append(" ".join(match[1].split()))
        _cut(found, *match.span())
    found.concepts = tuple(dict.fromkeys(concepts))
    if concepts:
        found.said["concept"] = ", ".join(found.concepts)

"""The syntax of expressions and Python steps: the parts of Python's syntax that they may use, the tree of an
expression, and the references inside of a text.

`$` marks a reference and `??` a default. Before Python's parser reads an expression, both are replaced by substitutes
of the same length (a rune, and the power operator, which expressions do not have), so that columns stay the same. `??`
therefore binds tighter than arithmetic: `$x.score ?? 0 > 3` compares the score, or 0, with 3.
"""

import ast
import keyword
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from maththera.flows.language import messages
from maththera.flows.language.expression_evaluation import CALLS
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import ANYTHING, NoSuchField, SchemaType, element, member

MARK: Final = "ᚠ"
"""The substitute for `$`: a letter for Python that no author's alphabet has."""

FUNCTIONS: Final = tuple(CALLS)
"""Functions that both expressions and Python steps have."""

LENGTHS: Final = ("length", "count", "size")
MEANT: Final = dict.fromkeys(LENGTHS, "len") | {"total": "sum", "maximum": "max", "minimum": "min"}
"""What authors call a function that has another name here."""

SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half of a character pair: an escape can write one, and no text that is stored or sent may hold it."""

_LONGEST: Final = 2_000  # characters


_IN_CODE_ONLY: Final[dict[type[ast.AST], Message]] = {
    **dict.fromkeys(
        (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
        messages.NO_COMPREHENSIONS(),
    ),
    ast.Lambda: messages.NO_FUNCTIONS(),
    ast.NamedExpr: messages.NO_ASSIGNMENT(),
    ast.JoinedStr: messages.NO_F_TEXTS(),
    ast.Starred: messages.NO_STAR(),
}


def refusal(node: ast.AST, *, code: bool) -> Message | None:
    """Why a part of Python's syntax is refused, in the `code` of a Python step or in an expression."""
    match node:
        case ast.Attribute(attr=name) if name.startswith("__"):
            return messages.UNREADABLE_NAME(name=name)
        case ast.Import() | ast.ImportFrom():
            return messages.NO_IMPORT()
        case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.AsyncFor() | ast.AsyncWith() | ast.AsyncFunctionDef():
            return messages.NO_ASYNC()
    return None if code else _IN_CODE_ONLY.get(type(node))


class VisibleNames(Protocol):
    """The names that may follow a `$` at one place of a flow."""

    def root(self, name: str) -> SchemaType:
        """Raises NoSuchField with the reason."""
        ...

    def uncertain(self, name: str) -> Message | None:
        """Why the value may be null although its type does not say so."""
        ...

    def known(self) -> Collection[str]: ...


def is_input(name: str, names: VisibleNames) -> bool:
    """Whether `$inputs.name` is meant, where only the name is written."""
    return "inputs" in names.known() and name in names.root("inputs").properties()


# --- from text to tree ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Findings:
    """Faults and warnings of one expression, each with its offset into the source."""

    faults: list[tuple[int, Message]] = field(default_factory=list)
    warnings: list[tuple[int, Message]] = field(default_factory=list)


def is_expression(source: str) -> bool:
    """Whether a text that begins with $ is an expression. A list without brackets is a text with commas."""
    tree = tree_of(source, Findings())
    return tree is not None and not isinstance(tree, ast.Tuple)


def outside_quotes(source: str) -> Iterator[tuple[int, str]]:
    """The characters outside of quoted texts, with their offsets."""
    quote, skip = "", False
    for offset, sign in enumerate(source):
        if skip:
            skip = False
        elif quote:
            skip = sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            yield offset, sign


_FOREIGN: Final = {
    "&&": messages.WRITE_INSTEAD(meant="and", written="&&"),
    "||": messages.WRITE_INSTEAD(meant="or", written="||"),
    "**": messages.NO_POWERS(),
    "{{": messages.WITHOUT_BRACES(),
    "${": messages.WITHOUT_BRACES(),
    "===": messages.WRITE_INSTEAD(meant="==", written="==="),
    "=>": messages.NO_FUNCTIONS(),
}


def tree_of(source: str, findings: Findings) -> ast.expr | None:
    """The syntax tree of an expression; None when `findings` got a fault."""
    if len(source) > _LONGEST:
        findings.faults.append((0, messages.LONG_EXPRESSION(most=f"{_LONGEST:,}")))
        return None
    if MARK in source or "\0" in source:
        findings.faults.append((0, messages.STRANGE_CHARACTER()))
        return None
    if not source.strip():
        findings.faults.append((0, messages.EMPTY()))
        return None
    plain = dict(outside_quotes(source))
    for foreign, advice in _FOREIGN.items():
        if (offset := _find(source, foreign, plain)) is not None:
            findings.faults.append((offset, advice))
            return None
    glued = next((at for at, sign in plain.items() if sign == "$" and _ends_a_value(source[at - 1 : at])), None)
    if glued is not None:
        findings.faults.append((glued, messages.MISSING_BEFORE()))
        return None
    text = prepared(source, plain)
    lead = len(text) - len(text.lstrip())
    try:
        return ast.parse(text.lstrip(), mode="eval").body
    except SyntaxError as error:
        offset = min(lead + max((error.offset or 1) - 1, 0), len(source))
        findings.faults.append((offset, _reason(error, source, plain)))
    except (ValueError, MemoryError, RecursionError):
        findings.faults.append((0, messages.NESTED_TOO_DEEPLY()))
    return None


def _ends_a_value(sign: str) -> bool:
    return sign.isalnum() or (sign != "" and sign in "_$)]}")


def _find(source: str, wanted: str, plain: Mapping[int, str]) -> int | None:
    offset = source.find(wanted)
    while offset >= 0:
        if offset in plain:
            return offset
        offset = source.find(wanted, offset + 1)
    return None


def prepared(source: str, plain: Mapping[int, str]) -> str:
    """The source with the substitutes for Python's parser; `plain` are the characters outside of quotes."""
    signs = list(source)
    for offset, sign in plain.items():
        if sign == "$":
            signs[offset] = MARK
        elif sign == "?" and plain.get(offset + 1) == "?":
            signs[offset : offset + 2] = "**"
        elif sign in "\r\n\t":
            signs[offset] = " "
    return "".join(signs)


def _reason(error: SyntaxError, source: str, plain: Mapping[int, str]) -> Message:
    if any(sign == "=" and _alone(source, offset) for offset, sign in plain.items()):
        return messages.COMPARE_WITH()
    if any(sign == "!" and source[offset + 1 : offset + 2] != "=" for offset, sign in plain.items()):
        return messages.WRITE_INSTEAD(meant="not", written="!")
    if any(sign == "?" for sign in plain.values()):
        return messages.DEFAULT_IS_WRITTEN()
    if word := _KEYWORD.search(source):
        return messages.KEYWORD_FIELD(name=word[1])
    if _UNFINISHED.search(source):
        return messages.UNFINISHED()
    said = error.msg.replace(MARK, "$").replace("**", "??")
    return messages.NO_EXPRESSION(problem=messages.problem(said))


_KEYWORD: Final = re.compile(rf"\.({'|'.join(keyword.kwlist)})\b")
_UNFINISHED: Final = re.compile(r"([-+*/%<>=,(\[]|\b(and|or|not|in|if|else))\s*$")


def _alone(source: str, offset: int) -> bool:
    return source[max(offset - 1, 0)] not in "=!<>" and source[offset + 1 : offset + 2] != "="


# --- references inside of a text --------------------------------------------------------------------------------------

_RUN: Final = re.compile(r"\w+")
_ASCII: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INDEX: Final = re.compile(r"\[-?\d+\]")
_METHOD: Final = re.compile(r"\.\w+\(")


@dataclass(frozen=True, slots=True)
class TextReference:
    """A reference inside a text, from `start` to `end`. `cut`: plain text follows its last name directly."""

    start: int
    end: int
    cut: bool


def references_in(raw: str, names: VisibleNames) -> list[TextReference]:
    """The references in a text, and how far each goes: in `$inputs.grade학년` the name is `grade`."""
    found, place = [], 0
    while (place := raw.find("$", place)) >= 0:
        if raw.startswith("$$", place):
            place += 2
            continue
        reference = _reference_at(raw, place, names)
        if reference is None:
            place += 1
            continue
        found.append(reference)
        place = reference.end
    return found


def _reference_at(raw: str, start: int, names: VisibleNames) -> TextReference | None:
    run = _RUN.match(raw, start + 1)
    if run is None or run[0][0].isdigit():
        return None
    if call := _call_end(raw, run):
        return TextReference(start, call, cut=False)
    root, cut = _name_at_start(run[0], names.known())
    end = start + 1 + len(root)
    try:
        typed = names.root(root)
    except NoSuchField:
        typed = ANYTHING
    while not cut:
        if index := _INDEX.match(raw, end):
            typed, end = _type_behind(typed, 0), index.end()
        elif raw.startswith(".", end) and (run := _RUN.match(raw, end + 1)) and not run[0][0].isdigit():
            name, cut = _name_at_start(run[0], typed.properties())
            typed, end = _type_behind(typed, name), end + 1 + len(name)
        else:
            break
    return TextReference(start, end, cut)


def _name_at_start(run: str, known: Collection[str]) -> tuple[str, bool]:
    """The name at the start of a run of letters: a known one, or else its part before the first letter that is not
    ASCII, as in `grade학년`."""
    if run in known:
        return run, False
    prefixes = [name for name in known if run.startswith(name) and not run[len(name)].isascii()]
    if prefixes:
        return max(prefixes, key=len), True
    ascii_part = _ASCII.match(run)
    if ascii_part and ascii_part.end() < len(run):
        return ascii_part[0], True
    return run, False


def _type_behind(typed: SchemaType, key: str | int) -> SchemaType:
    try:
        return member(typed, key) if isinstance(key, str) else element(typed)
    except NoSuchField:
        return ANYTHING


def _call_end(raw: str, run: re.Match[str]) -> int | None:
    """The end of a call such as `$len(…)` or `$date_utils.now()`; None where there is none."""
    if run[0] == "date_utils":
        method = _METHOD.match(raw, run.end())
        opening = method.end() - 1 if method else -1
    else:
        opening = run.end() if run[0] in FUNCTIONS or raw.startswith("(", run.end()) else -1
    if opening < 0 or not raw.startswith("(", opening):
        return None
    depth = 0
    for offset, sign in outside_quotes(raw[opening:]):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return opening + offset + 1
    return len(raw)

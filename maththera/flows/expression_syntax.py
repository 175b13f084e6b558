"""From the text of an expression to Python's syntax tree, or to what an author should write instead.

`$` marks a reference and `??` a default. Both have stand-ins of the same length that Python's own parser takes (a rune
and the power operator, which flows do not have), so that its columns are the author's. `??` therefore binds tighter
than arithmetic: `$x.score ?? 0 > 3` compares what is there, or 0, with 3.
"""

import ast
import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

MARK: Final = "ᚠ"
"""Stands for `$`: a letter to Python, and nobody's."""

_LONGEST: Final = 2_000  # characters


@dataclass(slots=True)
class Findings:
    """Offsets into the source, and what is wrong there."""

    faults: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def is_expression(source: str) -> bool:
    """Whether a text that begins with $ can be read as one. A list without brackets is a text with commas."""
    tree = tree_of(source, Findings())
    return tree is not None and not isinstance(tree, ast.Tuple)


def outside_quotes(source: str) -> Iterator[tuple[int, str]]:
    """The characters that are not part of a quoted text, with their offsets."""
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
    "&&": "write 'and' instead of '&&'",
    "||": "write 'or' instead of '||'",
    "**": "powers are not part of expressions",
    "{{": "references are written $name, without braces",
    "${": "references are written $name, without braces",
    "===": "write '==' instead of '==='",
    "=>": "functions cannot be written here; use a python step",
}


def tree_of(source: str, findings: Findings) -> ast.expr | None:
    """None when `findings` got a fault."""
    if len(source) > _LONGEST:
        findings.faults.append((0, f"is longer than {_LONGEST:,} characters; use a python step"))
        return None
    if MARK in source or "\0" in source:
        findings.faults.append((0, "holds a character that expressions cannot have"))
        return None
    if not source.strip():
        findings.faults.append((0, "is empty"))
        return None
    plain = dict(outside_quotes(source))
    for foreign, advice in _FOREIGN.items():
        if (offset := _find(source, foreign, plain)) is not None:
            findings.faults.append((offset, advice))
            return None
    glued = next((at for at, sign in plain.items() if sign == "$" and _ends_a_value(source[at - 1 : at])), None)
    if glued is not None:
        findings.faults.append((glued, "something is missing in front of the $"))
        return None
    text = prepared(source, plain)
    lead = len(text) - len(text.lstrip())
    try:
        return ast.parse(text.lstrip(), mode="eval").body
    except SyntaxError as error:
        offset = min(lead + max((error.offset or 1) - 1, 0), len(source))
        findings.faults.append((offset, _reason(error, source, plain)))
    except (ValueError, MemoryError, RecursionError):
        findings.faults.append((0, "is nested too deeply"))
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
    """With the stand-ins; `plain` are the characters outside of quotes."""
    signs = list(source)
    for offset, sign in plain.items():
        if sign == "$":
            signs[offset] = MARK
        elif sign == "?" and plain.get(offset + 1) == "?":
            signs[offset : offset + 2] = "**"
        elif sign in "\r\n\t":
            signs[offset] = " "
    return "".join(signs)


def _reason(error: SyntaxError, source: str, plain: Mapping[int, str]) -> str:
    if any(sign == "=" and _alone(source, offset) for offset, sign in plain.items()):
        return "compare with '==', not with '='"
    if any(sign == "!" and source[offset + 1 : offset + 2] != "=" for offset, sign in plain.items()):
        return "write 'not' instead of '!'"
    if any(sign == "?" for sign in plain.values()):
        return "is no expression; a default is written $x.y ?? 0"
    if word := _KEYWORD.search(source):
        return f"'{word[1]}' is a word of the language; write ['{word[1]}'] instead of .{word[1]}"
    if _UNFINISHED.search(source):
        return "ends where a value should follow"
    reason = error.msg.replace(MARK, "$").replace("**", "??")
    return f"is no expression: {reason}"


_KEYWORD: Final = re.compile(rf"\.({'|'.join(keyword.kwlist)})\b")
_UNFINISHED: Final = re.compile(r"([-+*/%<>=,(\[]|\b(and|or|not|in|if|else))\s*$")


def _alone(source: str, offset: int) -> bool:
    return source[max(offset - 1, 0)] not in "=!<>" and source[offset + 1 : offset + 2] != "="

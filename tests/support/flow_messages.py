"""Every message that checking a flow can give: what varies in it is …"""

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from maththera.flows.language import messages as said
from maththera.flows.language.messages import Text

_SANDBOX: Final = Path(__file__).parents[2] / "maththera" / "flows" / "runs" / "python_sandbox.py"
_HOLE: Final = "…"
OF_A_RUN: Final = frozenset({"INPUT_MISSING", "UNKNOWN_INPUT", "SEVERAL_ASK", "NO_SUCH_STUDENT"})
OF_TESTS: Final = frozenset({"NEITHER_TOOL_NOR_STEP", "NO_OUTPUT", "NO_SUCH_FLOW"})


def texts() -> dict[str, Text]:
    """By their names."""
    return {name: text for name, text in vars(said).items() if isinstance(text, Text)}


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def messages() -> set[str]:
    """The English texts that reach an author, without those that only a run or a test can give."""
    checked = {name: text for name, text in texts().items() if name not in OF_A_RUN | OF_TESTS}
    found = {text.english.format(**dict.fromkeys(slots(text.english), _HOLE)) for text in checked.values()}
    return {text for text in found | set(_of_the_sandbox()) if _is_told(text)}


def _of_the_sandbox() -> Iterator[str]:
    """What the sandbox says of code that does too much."""
    for node in ast.walk(ast.parse(_SANDBOX.read_text(encoding="utf-8"))):
        match node:
            case ast.Assign(targets=[ast.Name(id="reason")], value=ast.JoinedStr(values=parts)):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else _HOLE for part in parts)


def _is_told(text: str) -> bool:
    """A sentence for people: words, not one name, not the end of another message."""
    return len(text.replace(_HOLE, "").split()) >= 2 and not text.startswith(("; ", f"{_HOLE} and", f"{_HOLE} to"))

"""Every message that checking a flow can give, read from the sources: what varies in it is …"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "maththera" / "flows"
MODULES: Final = ("documents", "shape", "model", "checker", "values", "scopes", "schemas", "expressions", "python_steps",
                  "schedules", "catalog")  # fmt: skip
_PASSED_TO: Final = frozenset(
    ["fault", "warn", "_wrong", "_warn", "_wrong_at", "wrong", "NoSuchField", "Fault", "ValueError"]
)
_RUN_TIME: Final = frozenset(["EvaluationError", "PythonError", "UnknownFlow", "InputError"])
_HOLE: Final = "…"


def messages() -> set[str]:
    """The texts that reach an author, without those that only a run can give."""
    found: set[str] = set()
    for module in MODULES:
        tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            found |= {text for text in _of(node, tree) if _is_told(text)}
    return found


def _of(node: ast.AST, tree: ast.Module) -> Iterator[str]:
    if isinstance(node, ast.Call) and _name(node.func) in _PASSED_TO:
        for argument in node.args:
            yield from _texts(argument)
    elif isinstance(node, ast.Yield) and node.value is not None:
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for value in values:
            yield from _texts(value)
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.JoinedStr | ast.Constant | ast.Tuple):
        for value in node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]:
            yield from _texts(value)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(_name(target) in ("message", "reason", "_NEVER") for target in targets):
            yield from _texts(node.value)
    elif isinstance(node, ast.Call) and _name(node.func) == "append":
        for argument in node.args:
            if isinstance(argument, ast.Tuple):
                for each in argument.elts:
                    yield from _texts(each)


def _texts(node: ast.expr) -> Iterator[str]:
    """A text, both sides of a choice."""
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else _HOLE for part in node.values)


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_told(text: str) -> bool:
    """A sentence for people: words, not one name, not a mark."""
    return len(text.replace(_HOLE, "").split()) >= 2 and "\n" not in text

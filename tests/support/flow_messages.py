"""Every message that checking a flow can give, read from the sources: what varies in it is …"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "maththera" / "flows"
MODULES: Final = (
    *(f"language/{name}" for name in ("yaml_source", "flow_schema", "schema_types", "value_checks", "expressions",
                                      "expression_syntax", "python_steps", "value_templates")),
    *(f"checker/{name}" for name in ("field_checks", "flow_checker", "call_checks", "step_order", "name_scopes")),
    "runs/python_sandbox", "cron", "flow_catalog",
)  # fmt: skip
_PASSED_TO: Final = frozenset(
    ["fault", "warn", "_wrong", "_warn", "_wrong_at", "wrong", "NoSuchField", "Fault", "ValueError", "_fault_at"]
)
_HOLE: Final = "…"


def messages() -> set[str]:
    """The texts that reach an author, without those that only a run can give."""
    found: set[str] = set()
    for module in MODULES:
        tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            found |= {text for text in _of(node) if _is_told(text)}
    return found


def _of(node: ast.AST) -> Iterator[str]:
    """The texts that a node gives, passes on or keeps as a message."""
    found: list[ast.expr] = []
    match node:
        case ast.Call(func=called, args=arguments) if _name(called) in _PASSED_TO:
            found = arguments
        case ast.Call(func=ast.Attribute(attr="append"), args=[ast.Tuple(elts=parts)]):
            found = parts
        case ast.Yield(value=ast.Tuple(elts=parts)) | ast.Return(value=ast.Tuple(elts=parts)):
            found = parts
        case ast.Yield(value=ast.expr() as value):
            found = [value]
        case ast.Return(value=(ast.JoinedStr() | ast.Constant()) as value):
            found = [value]
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            found = [value] if _name(target) in ("message", "reason", "_NEVER") else []
    for each in found:
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

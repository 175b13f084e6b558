"""Docstrings name errors and classes as the code does."""

import ast
import builtins
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2] / "maththera"
NAME: Final = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
FOREIGN: Final = frozenset({"LangGraph", "LangChain", "DeltaChannel", "HttpAgent", "GitHub", "OpenTelemetry", "MacKay"})
"""Programs, libraries, their classes, and people."""


def test_the_classes_that_docstrings_name_are_there() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}
    code = {name for tree in trees.values() for node in ast.walk(tree) for name in names(node)} | {*dir(builtins)}
    unknown = [
        f"{path.relative_to(ROOT)}:{node.body[0].lineno}: {name}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for name in NAME.findall(ast.get_docstring(node) or "")
        if not {name, name.removesuffix("s")} & (code | FOREIGN)
    ]
    assert unknown == []


def names(node: ast.AST) -> list[str]:
    """What a node of code defines or uses."""
    match node:
        case ast.ClassDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
            return [name]
        case ast.ImportFrom(names=imported):
            return [each.name for each in imported]
    return []

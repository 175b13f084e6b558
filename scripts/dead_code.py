"""Code of the package that nothing in it uses, found by vulture; what only tests use is dead too.

Not counted: a function that its decorator hands on (a route, a command, a malrule), an annotated name in a class body
(the shape of data), unused imports and arguments (ruff knows them better), and what libraries call by its name.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture

CODE = ("maththera", "benchmarks")
CERTAIN = 100
"""Vulture's confidence, in percent, in an unused argument."""

KEEPING_DECORATORS = re.compile(r"(cached_)?property|(class|static|abstract)method|(lru_)?cache|(async)?contextmanager")
"""A function under one of these still needs somebody to call it."""

CALLED_BY_LIBRARIES = [
    *("main", "worker"),  # named by pyproject.toml and uvicorn's start
    *("aget_graph", "context_schema"),  # LangGraph's own server
    "caption",  # rich
    *("dh", "dw", "xspace", "yspace"),  # grandalf
    "_listen_for_exit_signal_with_grace",  # sse-starlette
    *("in_flight", "restarts"),  # of a server's health, shown as a whole
    *("connection_made", "data_received", "connection_lost", "_spawn"),  # asyncio, and the base of a test server
    "disconnected",  # read by uvicorn
    "model_config",  # pydantic
    "send_packed_command",  # redis-py
    "validate_tool_result",  # MCP's client
    *(
        "impl",
        "cache_ok",
        "inherit_cache",
        "process_bind_param",
        "process_result_value",
        "type_annotation_map",
    ),  # SQLAlchemy
    *("revision", "down_revision", "upgrade", "downgrade"),  # Alembic
    *("RedisSaver", "aget_tuple", "alist", "aput", "aput_writes", "aprune", "acopy_thread", "adelete_for_runs"),
    *("get_tuple", "put", "put_writes", "prune", "copy_thread", "delete_for_runs", "delete_thread"),  # LangGraph
]


def main() -> int:
    folders = [folder for folder in CODE if Path(folder).is_dir()]
    vulture = Vulture(ignore_names=CALLED_BY_LIBRARIES)
    vulture.scavenge(folders)
    used = {place for folder in folders for path in Path(folder).rglob("*.py") for place in _used_elsewhere(path)}
    unused = [
        item
        for item in vulture.get_unused_code()
        if item.typ != "import"
        and not (item.typ == "variable" and item.confidence == CERTAIN)
        and (Path(item.filename).resolve(), item.first_lineno) not in used
    ]
    for item in unused:
        print(item.get_report())
    return bool(unused)


def _used_elsewhere(path: Path) -> Iterator[tuple[Path, int]]:
    """The file and first line of every field of a class and of every function that a decorator hands on."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef):
            yield from ((path.resolve(), part.lineno) for part in node.body if isinstance(part, ast.AnnAssign))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [ast.unparse(decorator).partition("(")[0].split(".")[-1] for decorator in node.decorator_list]
            if not all(map(KEEPING_DECORATORS.fullmatch, names)):
                yield path.resolve(), node.decorator_list[0].lineno


if __name__ == "__main__":
    sys.exit(main())

"""The picture in docs/architecture.md, drawn from the imports: `architecture.py` writes it, `--check` compares it.

A room is a package or module directly in `maththera`. Floors are the layers of import-linter in pyproject.toml.
An arrow means "imports"; it is left out where a longer way leads to the same room, so that the picture stays readable.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

import grimp

PACKAGE: Final = "maththera"
PAGES: Final = (Path("docs/architecture.md"), Path("docs/architecture.ko.md"))
PICTURE: Final = re.compile(r"```mermaid\n.*?```", re.DOTALL)
Imports: TypeAlias = Mapping[str, set[str]]


def floors() -> list[list[str]]:
    """The rooms of each floor, top floor first; `__main__` only starts the command line and is not drawn."""
    contracts = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip() for room in layer.split("|")] for layer in layers if layer != "__main__"]


def imports(rooms: list[str]) -> Imports:
    """-> for each room, the rooms that its modules import"""
    graph = grimp.build_graph(PACKAGE)
    for room in rooms:
        graph.squash_module(f"{PACKAGE}.{room}")
    names = {f"{PACKAGE}.{room}": room for room in rooms}
    found = {room: graph.find_modules_directly_imported_by(name) for name, room in names.items()}
    return {room: {names[other] for other in others if other in names} - {room} for room, others in found.items()}


def arrows(imported: Imports) -> Iterator[tuple[str, str]]:
    """The imports that no longer way replaces. Takes for granted that rooms have no circles: import-linter's work."""
    for room, others in imported.items():
        beyond = set[str]().union(*(_reached(other, imported) for other in others))
        yield from ((room, other) for other in sorted(others - beyond))


def _reached(room: str, imported: Imports) -> set[str]:
    return imported[room].union(*(_reached(other, imported) for other in imported[room]))


def picture(levels: list[list[str]], imported: Imports) -> str:
    lines = ["```mermaid", "flowchart TB"]
    for number, level in enumerate(levels, 1):
        lines += [f'  subgraph floor{number} [" "]', "    direction LR", *(f"    {room}" for room in level), "  end"]
    lines += [f"  floor{upper} ~~~ floor{lower}" for upper, lower in pairwise(range(1, len(levels) + 1))]
    lines += [f"  {room} --> {other}" for room, other in arrows(imported)]
    return "\n".join([*lines, "```"])


def main(arguments: list[str]) -> int:
    levels = floors()
    drawn = picture(levels, imports([room for level in levels for room in level]))
    stale = False
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := PICTURE.sub(lambda _: drawn, text, count=1)) == text:
            continue
        if "--check" in arguments:
            print(f"{page}: the picture is not that of the imports. Run: .venv/bin/python scripts/architecture.py")
            stale = True
        else:
            page.write_text(new, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

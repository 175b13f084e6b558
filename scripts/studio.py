"""`langgraph dev` on this checkout, offline, with its own options. It starts anew when code, flows, data or prompts
change, and watches nothing else: what else is in the data directory, and LangGraph's own files, change all the time.
"""

import os
import sys
from typing import Any, Final

from langgraph_api import cli as server
from langgraph_cli.cli import cli

from maththera.flows.language.yaml_source import files_of, read_file
from maththera.settings import Settings

SETTINGS: Final = Settings.from_environment()
SAVED: Final = SETTINGS.data_dir / "flows"
WATCHED: Final = ("maththera", "flows", "configs", "prompts", "*.yaml", "*.md")  # folders, and files beside *.py

os.environ.setdefault("LANGSMITH_TRACING", "false")
os.environ.setdefault("LANGGRAPH_CLI_NO_ANALYTICS", "1")
os.environ.setdefault("LANGGRAPH_NO_VERSION_CHECK", "true")

_run_server = server.run_server


def flow_graphs() -> dict[str, str]:
    """Every flow, shipped or saved, as `langgraph.json` would list it. A file without a flow's name is left out, and a
    line says why."""
    graphs: dict[str, str] = {}
    for path in files_of([SAVED, SETTINGS.home / "flows"]):
        source = read_file(path)
        flow = source.data.get("flow") if isinstance(source.data, dict) else None
        name = flow.get("name") if isinstance(flow, dict) else None
        if source.faults or not isinstance(name, str):
            faults = [*map(str, source.faults)] or [f"{path}: names no flow"]
            print("\n".join(faults), f"{path}: left out", sep="\n", file=sys.stderr)
            continue
        graphs[name] = f"maththera.studio:{name}"
    return graphs


def run_server(host: str, port: int, reload: bool, graphs: dict[str, Any], **options: Any) -> None:
    """The function behind the command, with what the command has no option for: new flows, and what is watched."""
    watched = [*WATCHED, str(SAVED)] if SAVED.is_dir() else WATCHED
    _run_server(host, port, reload, {**flow_graphs(), **graphs}, reload_includes=watched, **options)


if __name__ == "__main__":
    server.run_server = run_server
    cli(["dev", "--no-browser", *sys.argv[1:]])

"""`langgraph dev` on this checkout, offline, with its own options. It starts anew when code, flows, data or prompts
change, and watches nothing else: what else is in the data directory, and LangGraph's own files, change all the time.
"""

import os
import sys
from typing import Any, Final

import yaml
from langgraph_api import cli as server
from langgraph_cli.cli import cli

from maththera.flows.language.yaml_source import files_of
from maththera.settings import Settings

SETTINGS: Final = Settings.from_environment()
SAVED: Final = SETTINGS.data_dir / "flows"
WATCHED: Final = ("maththera", "flows", "configs", "prompts", "*.yaml", "*.md")  # folders, and files beside *.py

os.environ.setdefault("LANGSMITH_TRACING", "false")
os.environ.setdefault("LANGGRAPH_CLI_NO_ANALYTICS", "1")
os.environ.setdefault("LANGGRAPH_NO_VERSION_CHECK", "true")

_run_server = server.run_server


def flow_graphs() -> dict[str, str]:
    """Every flow, shipped or saved, as `langgraph.json` would list it."""
    paths = files_of([SAVED, SETTINGS.home / "flows"])
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths]
    return {name: f"maththera.studio:{name}" for name in (file["flow"]["name"] for file in files)}


def run_server(host: str, port: int, reload: bool, graphs: dict[str, Any], **options: Any) -> None:
    """The function behind the command, with what the command has no option for: new flows, and what is watched."""
    watched = [*WATCHED, str(SAVED)] if SAVED.is_dir() else WATCHED
    _run_server(host, port, reload, {**flow_graphs(), **graphs}, reload_includes=watched, **options)


if __name__ == "__main__":
    server.run_server = run_server
    cli(["dev", "--no-browser", *sys.argv[1:]])

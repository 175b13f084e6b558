"""Studio's list of graphs, and that each can be drawn and run there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from maththera.builtin_graphs import GRAPHS
from tests.support.flow_world import shipped

ROOT = Path(__file__).parents[2]

SHOW = """
import json, sys
from maththera import studio
names = json.loads(sys.argv[1])
shown = {}
for name in names:
    graph = vars(studio)[name]
    graph.get_input_jsonschema(), graph.get_output_jsonschema(), graph.get_context_jsonschema()
    shown[name] = [graph.name, graph.checkpointer is None, len(graph.get_graph().nodes)]
print(json.dumps(shown))
"""


def listed() -> dict[str, str]:
    graphs: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
    return graphs


def test_every_built_in_graph_and_no_unknown_flow_is_listed() -> None:
    """`make studio` adds the flows that are not listed."""
    assert GRAPHS.keys() <= listed().keys() <= {*GRAPHS, *shipped().names()}
    assert all(target == f"maththera.studio:{name}" for name, target in listed().items())


@pytest.mark.slow
def test_each_can_be_shown_and_brings_no_checkpointer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: what Studio imports is made for one server."""
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path))
    command = [sys.executable, "-c", SHOW, json.dumps([*listed()])]
    shown = subprocess.run(command, capture_output=True, check=True, text=True, cwd=ROOT)
    for name, (title, bare, nodes) in json.loads(shown.stdout).items():
        assert (title, bare, nodes > 2) == (name, True, True)

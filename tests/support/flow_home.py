"""A home with the real configs and prompts, one MCP server that can be broken, and flows that call it."""

import sys
from pathlib import Path

import yaml

from maththera.settings import home
from tests.support.home import link_configs, replace_config

ROOT = Path(__file__).parents[2]

FLOWS = {
    "쓰기": """
flow:
  name: 쓰기
  description: 낱말을 한 번 적는다
  examples: ["낱말을 적어 줘"]
  inputs: [{name: word, type: string}, {name: student_id, type: string, required: false}]
  steps:
    - id: note
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
  outputs: {count: $note_result.count}
""",
    "느림": """
flow:
  name: 느림
  description: 적고, 오래 읽고, 다시 적는다
  inputs: [{name: word, type: string}, {name: seconds, type: number}]
  steps:
    - id: first
      mcp_call: {server: faulty, tool: write, params: {word: "first $inputs.word"}}
    - id: slow
      mcp_call: {server: faulty, tool: read, params: {word: $inputs.word, seconds: $inputs.seconds}}
      depends_on: [first]
    - id: last
      mcp_call: {server: faulty, tool: write, params: {word: "last $inputs.word"}}
      depends_on: [slow]
  outputs: {first: $first_result.count, last: $last_result.count}
""",
    "승인": """
flow:
  name: 승인
  description: 묻고 나서 적는다
  inputs: [{name: word, type: string}]
  steps:
    - id: ask
      action: approve
      question: "'$inputs.word' 적을까요?"
    - id: note
      condition: $ask_result.approved
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
  outputs: {count: $note_result.count}
""",
    "실패": """
flow:
  name: 실패
  description: 언제나 실패한다
  inputs: [{name: word, type: string}]
  steps:
    - id: note
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
    - id: broken
      retry: {attempts: 1}
      mcp_call: {server: faulty, tool: fail, params: {word: $inputs.word, times: 99}}
      depends_on: [note]
""",
}

SCHEDULED = """
flow:
  name: 매분
  description: 매분 적는다
  schedule: "* * * * *"
  steps:
    - id: note
      mcp_call: {server: faulty, tool: write, params: {word: due}}
"""


def make_home(folder: Path) -> Path:
    """-> a folder for MATHTHERA_HOME; what the server was asked stands in `diary`."""
    link_configs(folder)
    (folder / "prompts").symlink_to(home() / "prompts")
    server = {
        "command": [sys.executable, "-m", "tests.support.faulty_server"],
        "directory": str(ROOT),
        "environment": {"DIARY": str(folder / "diary")},
        "limits": {"backoff": 0.01, "max_delay": 0.05, "start_timeout": 120},
    }
    replace_config(folder, "servers/servers.yaml", yaml.safe_dump({"servers": {"faulty": server}}))
    (folder / "flows").mkdir()
    for name, text in FLOWS.items():
        (folder / "flows" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "diary").touch()
    return folder


def entries(folder: Path, entry: str) -> int:
    """How often the server was asked for this."""
    return (folder / "diary").read_text().splitlines().count(entry)

"""The names of the servers and their texts for failed calls, the same over stdio and over HTTP."""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Final

from maththera.runtime.tool_interface import Code, ToolError

VERSION: Final = version("maththera")

TITLES: Final[Mapping[str, str]] = {
    "logic-engine-mcp": "개념",
    "q-dna-mcp": "문제 DNA",
    "gen-node-mcp": "문제 만들기",
    "lab-node-mcp": "학습 기록",
    "report-node-mcp": "보고서",
    "school-info-mcp": "학교 정보",
}

NO_MODELS: Final = "maththera/no-models"
"""In the `_meta` of a call, true where its questions may not go to a language model: a guardian has not agreed."""

UNEXPECTED: Final = "도구에 예상하지 못한 문제가 생겼습니다. 같은 일이 되풀이되면 관리자에게 알려 주세요."
_REASONS: Final[Mapping[Code, str]] = {
    "timeout": "도구가 제시간에 답하지 않았습니다. 잠시 뒤에 다시 해 주세요.",
    "died": "서버가 지금 답하지 않습니다. 잠시 뒤에 다시 해 주세요.",
    "bad_output": "도구의 답을 읽을 수 없습니다.",
}


def unknown_tool(name: str, known: Iterable[str]) -> str:
    """The text for a call of an unknown tool."""
    return f"{name}: 이 서버에 없는 도구입니다. 있는 도구: {', '.join(known)}."


def failure(error: ToolError, known: Iterable[str]) -> str:
    """The text of a failed call; that of the server itself or of a check of the arguments is kept."""
    if error.code == "unknown_tool":
        return unknown_tool(error.tool, known)
    return f"{error.tool}: {_REASONS[error.code]}" if error.code in _REASONS else error.message

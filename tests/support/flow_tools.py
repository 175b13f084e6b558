"""Tools without servers: the schemas are those of our own servers, the answers are the test's."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from maththera.runtime.tool_interface import ToolError, ToolSpec

Answer = Callable[..., Any]

_STUDENT: Final = {"student_id": {"type": "string", "minLength": 1}}
_PERIOD: Final = {"start_date": {"type": ["string", "null"]}, "end_date": {"type": ["string", "null"]}}


def _takes(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _gives(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


_TEXT, _NUMBER, _WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
_GAP: Final = {
    "type": "object",
    "properties": {"concept_id": _TEXT, "name": _TEXT, "mastery": _NUMBER, "evidence": _WHOLE},
}
_REPORT: Final = {"type": "string", "enum": ["diagnostic", "guardian", "class"]}
_DNA: Final = {
    "type": "object",
    "properties": {
        "concepts": {"type": "array", "items": _TEXT, "minItems": 1},
        "difficulty": {"type": "integer", "minimum": 1, "maximum": 5},
        "problem_type": {"type": "string"},
        "like": {"type": "string"},
    },
    "required": ["concepts"],
    "additionalProperties": False,
}

SPECS: Final = [
    ToolSpec(
        "logic-engine-mcp",
        "find_concept_gap",
        "약한 개념",
        _takes(("student_id",), **_STUDENT, threshold={"type": "number", "minimum": 0, "maximum": 1}),
        {**_gives(gaps={"type": "array", "items": {"$ref": "#/$defs/Gap"}}), "$defs": {"Gap": _GAP}},
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "logic-engine-mcp",
        "get_prerequisites",
        "선수 개념",
        _takes(("concept_id",), concept_id=_TEXT, depth={"type": "integer", "minimum": 1, "maximum": 5}),
        {
            "type": "object",
            "properties": {"prerequisite_tree": _list(concept_id=_TEXT), "message": {"type": ["string", "null"]}},
            "required": ["prerequisite_tree"],
        },
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "q-dna-mcp",
        "find_similar_dna_problems",
        "비슷한 문제",
        _takes(("target_dna",), target_dna=_DNA, limit={"type": "integer", "minimum": 1, "maximum": 50}),
        _gives(results=_list(problem_id=_TEXT)),
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "gen-node-mcp",
        "generate_picket_problem",
        "맞춤 문제",
        _takes(
            ("student_id", "target_concept"),
            **_STUDENT,
            target_concept=_TEXT,
            bridge_to_concept={"anyOf": [_TEXT, {"type": "null"}]},
            difficulty_adjustment={"type": "number"},
            count=_WHOLE,
        ),
        _gives(problem={"type": "object", "properties": {"prompt": _TEXT}}, problems=_list(prompt=_TEXT)),
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "lab-node-mcp",
        "get_failure_pattern",
        "오답 패턴",
        _takes(("student_id",), **_STUDENT, **_PERIOD),
        _gives(failure_patterns=_list(pattern=_TEXT, count=_WHOLE)),
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "lab-node-mcp",
        "update_student_heatmap",
        "숙달도",
        _takes(("student_id",), **_STUDENT),
        _gives(heatmap_data={"type": "object", "additionalProperties": _NUMBER}),
        writes=True,
        idempotent=True,
    ),
    ToolSpec(
        "report-node-mcp",
        "generate_typst_report",
        "보고서",
        _takes(("student_id", "report_type"), **_STUDENT, report_type=_REPORT, **_PERIOD),
        _gives(pdf_url=_TEXT),
        writes=True,
        idempotent=False,
    ),
    ToolSpec(
        "school-info-mcp",
        "query_school_info",
        "학교 정보",
        _takes(("question", "school_code", "year"), question=_TEXT, school_code=_TEXT, year=_WHOLE),
        _gives(answer=_TEXT, sources=_list(title=_TEXT)),
        writes=False,
        idempotent=True,
    ),
    ToolSpec(
        "school-info-mcp",
        "get_school_metadata",
        "학교",
        _takes(("school_code",), school_code=_TEXT),
        _gives(name=_TEXT, region=_TEXT),
        writes=False,
        idempotent=True,
    ),
]

CATALOGUE: Final = {
    server: {spec.name: spec for spec in SPECS if spec.server == server}
    for server in dict.fromkeys(s.server for s in SPECS)
}


@dataclass
class FakeTools:
    """`answers`: tool → a value, an exception, or a function of the arguments (which may be a coroutine function).
    Tools without one answer as their schema asks, emptily."""

    answers: Mapping[str, Any] = field(default_factory=dict)
    specs: Mapping[str, Mapping[str, ToolSpec]] = field(default_factory=lambda: CATALOGUE)
    delay: float = 0
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    finished: Counter[str] = field(default_factory=Counter)

    def catalogue(self) -> Mapping[str, Mapping[str, ToolSpec]]:
        return self.specs

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109  # part of the interface
        attempts: int | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        if tool not in self.specs.get(server, {}):
            raise ToolError("unknown_tool", server, tool, "there is no such tool")
        self.calls.append((tool, dict(arguments)))
        try:
            async with asyncio.timeout(timeout):
                if self.delay:
                    await asyncio.sleep(self.delay)
                result = await self._answer(server, tool, arguments)
        except TimeoutError:
            raise ToolError("timeout", server, tool, f"no answer within {timeout} s") from None
        self.finished[tool] += 1
        return result

    async def _answer(self, server: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        answer: Any = self.answers.get(tool)
        if callable(answer):
            answer = answer(**arguments)
        if asyncio.iscoroutine(answer):
            answer = await answer
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            answer = empty(self.specs[server][tool].output_schema)
        return dict(answer)

    def called(self, tool: str) -> int:
        return sum(name == tool for name, _ in self.calls)


def empty(schema: Mapping[str, Any]) -> Any:
    """The least that fits a schema."""
    kind = schema.get("type")
    if kind == "object":
        return {name: empty(schema["properties"][name]) for name in schema.get("required", ())}
    return {"array": [], "string": "", "integer": 0, "number": 0.0, "boolean": False}.get(str(kind))

"""What a graph takes from people: LangGraph leaves the input unchecked and drops unknown keys without a word; here an
input that does not fit is refused, with what is expected, before any node runs."""

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from langchain_core.runnables import RunnableLambda
from langgraph.constants import START
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from maththera.config_files import fault_reason, nearest_name


class InputError(ValueError):
    """An input that a graph does not take; the message says what it takes."""


class GraphInput(BaseModel):
    """A model of an input, or of a part of it. Unknown fields are refused by name. An input's own model has an example
    in its JSON Schema. `one_of`: fields of which exactly one is given."""

    one_of: ClassVar[tuple[str, ...]] = ()

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            for name in value:
                if name not in cls.model_fields:
                    raise ValueError(f"there is no field '{name}'{_near_name(str(name), list(cls.model_fields))}")
        return value


T = TypeVar("T", bound=GraphInput)
Graph = CompiledStateGraph[Any, Any, Any, Any]


def validate_input(graph: Graph, model: type[T], read: Callable[[T], Mapping[str, Any]]) -> Graph:
    """The graph, which from now on takes what fits `model` and nothing else. `read` makes the first state of it; its
    ValueErrors refuse the input as well."""

    def checked(value: Any) -> Mapping[str, Any]:
        if isinstance(value, Command):
            raise InputError("there is nothing to resume on this thread")
        try:
            return read(model.model_validate(value))
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            faults = "; ".join(_fault_text(fault["loc"], fault_reason(fault)) for fault in found)
        except ValueError as error:
            faults = str(error)
        schema = model.model_json_schema()
        example = json.dumps(schema["examples"][0], ensure_ascii=False)
        raise InputError(f"{faults}; the input takes {', '.join(schema['properties'])}, for example {example}")

    async def checked_here(value: Any) -> Mapping[str, Any]:
        return checked(value)

    # START is a node that only passes its input on; this one reads it first.
    graph.nodes[START] = graph.nodes[START].copy({"bound": RunnableLambda(checked, checked_here)})
    graph.builder.input_schema = model  # what the graph says of its input
    return graph


def _fault_text(loc: tuple[int | str, ...], message: str) -> str:
    where = ".".join(map(str, loc))
    message = message.replace("a valid dictionary or instance of", "an object:")
    return f"{where}: {message}" if where else message


def _near_name(name: str, known: list[str]) -> str:
    near = nearest_name(name, known)
    return f", did you mean '{near}'" if near else f", only {', '.join(known)}"

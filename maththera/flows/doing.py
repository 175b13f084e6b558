"""What one attempt of a step does, by its kind. Each raises StepError when there is no result."""

import asyncio
import contextvars
import hashlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import orjson
from langgraph.types import Command

from maththera.flows.flow import Flow, FlowStep, InputError
from maththera.flows.model import ApproveStep, GraphStep, LlmStep, ToolStep
from maththera.flows.operations import Evaluation, EvaluationError
from maththera.flows.outcomes import Outcome, StepError
from maththera.flows.python_steps import PythonCode
from maththera.flows.sandbox import PythonError
from maththera.flows.schemas import Typed, may_be_null, mistakes
from maththera.flows.services import Services
from maththera.runtime.tools import ToolError, ToolSpec
from maththera.settings import home
from maththera.words.gate import load_gate, with_texts
from maththera.words.sentence_checks import About, HeldBack

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

_SAFE_TO_REPEAT: Final = frozenset(("failed",))
_WORTH_REPEATING: Final = frozenset(("failed", "timeout", "died", "bad_output"))


async def call_tool(step: FlowStep, evaluation: Evaluation, services: Services) -> Any:
    """The manager's own retries are off: the step's are the ones that its author sees."""
    call = cast("ToolStep", step.fields).mcp_call
    spec = services.tools.catalogue().get(call.server, {}).get(call.tool)
    arguments = _without_nulls(arguments_of(step, evaluation), spec)
    try:
        return await services.tools.call(call.server, call.tool, arguments, timeout=step.fields.timeout, attempts=1)
    except ToolError as error:
        again = error.code in (_WORTH_REPEATING if step.repeatable else _SAFE_TO_REPEAT)
        raise StepError(error.message, tool=f"{error.server}.{error.tool}", code=error.code, again=again) from error


def arguments_of(step: FlowStep, evaluation: Evaluation) -> Any:
    """What the step is called with; raises StepError."""
    try:
        return step.arguments.evaluate(evaluation) if step.arguments is not None else {}
    except EvaluationError as error:
        raise StepError(f"its parameters cannot be worked out: {error}", code="expression") from None


def _without_nulls(arguments: Mapping[str, Any], spec: ToolSpec | None) -> dict[str, Any]:
    """A parameter that is null because there was nothing to give is left out where the tool has a default for it."""
    if spec is None:
        return dict(arguments)
    typed = Typed.of(spec.input_schema)
    properties, required = typed.properties(), spec.input_schema.get("required", ())
    return {
        name: value
        for name, value in arguments.items()
        if value is not None or name in required or name not in properties or may_be_null(properties[name])
    }


async def run_python(step: FlowStep, evaluation: Evaluation, services: Services) -> Any:
    code = cast("PythonCode", step.code)
    try:
        return await services.sandbox.run(code, code.values(evaluation))
    except (PythonError, EvaluationError) as error:
        raise StepError(str(error), code="python") from None


async def ask_model(step: FlowStep, evaluation: Evaluation, services: Services) -> Any:
    """A model that is missing, late or wrong, or says what no adult should read: the step's `on_error` says what
    follows."""
    fields = cast("LlmStep", step.fields)
    if services.ask is None:
        raise StepError("no model is configured", code="no_model")
    schema = fields.output_schema
    try:
        answer = await services.ask(fields.prompt, arguments_of(step, evaluation), schema)
    except StepError:
        raise
    except Exception as error:
        raise StepError(f"the model gave no answer: {error}", code="model", again=True) from error
    for path, reason in mistakes(answer, Typed.of(schema)):
        where = ".".join(map(str, path))
        raise StepError(f"the model's answer does not fit its schema: {where}: {reason}", code="model", again=True)
    gate = load_gate(home())
    about = About(gate.longest("assistant"))
    try:
        return with_texts(answer, lambda text: gate.shown(text, "adult", about))
    except HeldBack as held_back:
        raise StepError(f"the model's answer may not be shown: {held_back}", code="model", again=True) from held_back


def ask_person(step: FlowStep, evaluation: Evaluation) -> Outcome:
    """What a person is asked. `expires_at` is in seconds since 1970, None for ever."""
    fields, now = cast("ApproveStep", step.fields), time.time()
    waiting = {
        "step": step.id,
        "question": arguments_of(step, evaluation),
        "form": fields.form,
        "expires_at": now + fields.timeout if fields.timeout else None,
    }
    return Outcome("waiting", waiting=waiting)


def answered(waiting: Mapping[str, Any], answer: Any) -> Outcome:
    """Done with the answer; waiting on, when it does not fit the form. Raises StepError when it is too late."""
    expires = waiting.get("expires_at")
    if expires is not None and time.time() >= expires:
        raise StepError("nobody answered in time", code="timeout")
    if answer is None:
        return Outcome("waiting", waiting=waiting)
    wrong = answer_mistakes(waiting.get("form"), answer)
    if wrong:
        return Outcome("waiting", waiting={**waiting, "errors": wrong})
    return Outcome("done", answer)


def answer_mistakes(form: Mapping[str, Any] | None, answer: Any) -> list[str]:
    """What is wrong with an answer, by its form."""
    found = mistakes(answer, Typed.of(form or {}))
    return [f"{'.'.join(map(str, path))}: {reason}" if path else reason for path, reason in found]


async def run_graph(step: FlowStep, evaluation: Evaluation, services: Services, thread_id: str, answer: Any) -> Outcome:
    """A graph runs on a thread of its own. When it asks a person something, the step waits for the answer."""
    name = cast("GraphStep", step.fields).graph
    params = arguments_of(step, evaluation)
    flow = services.flows.get(name)
    given = Command(resume=answer) if answer is not None else _start(flow, params, thread_id)
    graph = _compiled(name, flow, services)
    config: Any = {"configurable": {"thread_id": thread_id}}
    # in a context of its own, or LangGraph would take it for a part of the graph that is running now
    task = asyncio.create_task(graph.ainvoke(given, config), context=contextvars.Context())
    try:
        state = await task
    except Exception as error:
        raise StepError(f"'{name}' failed: {error}", code="graph") from error
    finally:
        task.cancel()
    if asked := state.pop("__interrupt__", None):
        if services.checkpointer is None:
            raise StepError(f"'{name}' asks a person, and without a checkpointer it cannot wait", code="graph")
        return Outcome("waiting", waiting=_asked(step, flow, asked[0].value))
    if flow is None:
        return Outcome("done", state)
    if state.get("error"):
        raise StepError(f"'{name}' failed at {state['error']['step']}: {state['error']['message']}", code="graph")
    return Outcome("done", state.get("result"))


def _start(flow: Flow | None, params: Mapping[str, Any], thread_id: str) -> Any:
    if flow is None:
        return params
    try:
        return {"inputs": flow.given(params), "execution_id": thread_id}
    except InputError as error:
        raise StepError(f"'{flow.name}' cannot start: {error}", code="bad_arguments") from None


def _compiled(name: str, flow: Flow | None, services: Services) -> "CompiledStateGraph[Any, Any, Any, Any]":
    if flow is not None:
        from maththera.flows.compiler import build

        return build(flow, services).compile(checkpointer=services.checkpointer)
    if name not in services.graphs:
        raise StepError(f"there is no graph '{name}'", code="graph")
    graph = services.graphs[name]()
    return graph.copy({"checkpointer": services.checkpointer}) if services.checkpointer is not None else graph


def _asked(step: FlowStep, flow: Flow | None, question: Any) -> dict[str, Any]:
    """What a graph asks. What a flow asks is passed on as it is, or by its steps where several ask at once; `inner`
    names them. The time for an answer is that of whichever ends first."""
    asked = {"step": step.id, "question": question, "form": {}, "expires_at": None}
    if flow is None:
        return asked
    first = min((each["expires_at"] for each in question.values() if each["expires_at"] is not None), default=None)
    only = next(iter(question.values())) if len(question) == 1 else {}
    return {**asked, **only, "step": step.id, "expires_at": first, "inner": [*question]}


def cache_key(step: FlowStep, evaluation: Evaluation) -> str:
    """The same step with the same values: `cache:kind:hash`."""
    if step.code is not None:
        what: Any = [step.code.program, step.code.values(evaluation)]
    else:
        fields = step.fields.model_dump(include={"mcp_call", "graph", "prompt"})
        what = [fields, arguments_of(step, evaluation)]
    return f"cache:{step.kind}:{hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()}"

"""One attempt of a step, by its kind. Each function raises StepError when there is no result."""

import asyncio
import contextvars
import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, cast

import orjson
from typing_extensions import TypedDict

from maththera.flows.flow import Flow, FlowStep, InputError
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.flow_schema import ApproveStep, GraphStep, LlmStep, ToolStep
from maththera.flows.language.messages import Message
from maththera.flows.language.python_steps import PythonCode
from maththera.flows.language.schema_types import SchemaType, may_be_null
from maththera.flows.language.value_checks import mistake_texts
from maththera.flows.runs.python_sandbox import PythonError
from maththera.flows.runs.run_context import RUN
from maththera.flows.runs.step_outcomes import StepError, StepTrace, error_log
from maththera.flows.runs.step_services import CalledGraph, StepServices
from maththera.json_types import JsonObject, JsonSchema
from maththera.runtime.tool_interface import ToolError, ToolSpec
from maththera.settings import home
from maththera.words.output_gate.sentence_checks import TextHeldBack, TextRequirements
from maththera.words.output_gate.text_gate import load_gate, map_texts

if TYPE_CHECKING:
    from maththera.flows.runs.step_runner import StepRun, StepRunner

CURRENT_STEP: Final[ContextVar[str]] = ContextVar("current_step", default="")
"""The path of the current step, for the services that it calls."""

_ANSWER: Final = "$answer"
NO_ANSWER_NEEDED: Final = {"$stopped": True}
"""Given instead of an answer: another step has failed, so the question needs none."""
_WORTH_REPEATING: Final = frozenset(("failed", "timeout", "died", "bad_output"))


class QuestionDropped(Exception):
    """The question of a step needs no answer any more."""


class Question(TypedDict):
    """What a step asks a person. `step`: its path. `form`: JSON Schema of the answer. `expires_at`: seconds since 1970,
    None without a limit. `errors`: why the last answer does not fit."""

    step: str
    question: Any
    form: JsonSchema
    expires_at: float | None
    errors: NotRequired[list[str]]


async def call_tool(step: FlowStep, evaluation: Evaluation, services: StepServices, trace: StepTrace) -> Any:
    """Calls a tool once: the server manager's own retries are off, as the step has its own."""
    call = cast("ToolStep", step.fields).mcp_call
    spec = services.tools.catalogue().get(call.server, {}).get(call.tool)
    arguments = trace.inputs = _without_nulls(arguments_of(step, evaluation), spec)
    try:
        return await services.tools.call(call.server, call.tool, arguments, timeout=step.fields.timeout, attempts=1)
    except ToolError as error:
        again = error.code in _WORTH_REPEATING and (step.repeatable or not error.sent)
        raise StepError(error.message, tool=f"{error.server}.{error.tool}", code=error.code, again=again) from error


def arguments_of(step: FlowStep, evaluation: Evaluation) -> Any:
    """The arguments of the step; raises StepError."""
    try:
        return step.arguments.evaluate(evaluation) if step.arguments is not None else {}
    except EvaluationError as error:
        raise StepError(f"its parameters cannot be worked out: {error}", code="expression") from None


def _without_nulls(arguments: Mapping[str, Any], spec: ToolSpec | None) -> JsonObject:
    """The arguments without null for parameters that have a default in the tool's schema."""
    if spec is None:
        return dict(arguments)
    typed = SchemaType.of(spec.input_schema)
    properties, required = typed.properties(), spec.input_schema.get("required", ())
    return {
        name: value
        for name, value in arguments.items()
        if value is not None or name in required or name not in properties or may_be_null(properties[name])
    }


async def run_python(step: FlowStep, evaluation: Evaluation, services: StepServices, trace: StepTrace) -> Any:
    code = cast("PythonCode", step.code)
    try:
        values = code.values(evaluation)
        trace.inputs = code.as_written(values)
        return await services.sandbox.run(code, values, trace.printed)
    except (PythonError, EvaluationError) as error:
        raise StepError(str(error), code="python") from None


async def ask_model(step: FlowStep, evaluation: Evaluation, services: StepServices, trace: StepTrace) -> Any:
    """The answer of a model. StepError when there is no model, or it is late, wrong, or unfit for adults; the step's
    `on_error` decides what follows."""
    fields = cast("LlmStep", step.fields)
    if services.ask is None:
        raise StepError("no model is configured", code="no_model")
    schema = fields.output_schema
    try:
        trace.inputs = arguments_of(step, evaluation)
        answer = await services.ask(fields.prompt, trace.inputs, schema)
    except StepError:
        raise
    except Exception as error:
        raise StepError(f"the model gave no answer: {error}", code="model", again=True) from error
    if wrong := mistake_texts(answer, SchemaType.of(schema)):
        raise StepError(f"the model's answer does not fit its schema: {wrong[0]}", code="model", again=True)
    gate = load_gate(home())
    about = TextRequirements(gate.longest("assistant"))
    try:
        return map_texts(answer, lambda text: gate.shown(text, "adult", about))
    except TextHeldBack as held_back:
        raise StepError(f"the model's answer may not be shown: {held_back}", code="model", again=True) from held_back


def question(step: FlowStep, evaluation: Evaluation, path: str, since: float) -> Question:
    """The question to a person by the step at `path`, reached at `since`."""
    fields = cast("ApproveStep", step.fields)
    return {
        "step": path,
        "question": arguments_of(step, evaluation),
        "form": fields.form,
        "expires_at": since + fields.timeout if fields.timeout else None,
    }


def timestamped_answer(answer: Any, at: float | None = None) -> JsonObject:
    """An answer with the time at which it was given, now by default: the run may read it much later."""
    return {_ANSWER: answer, "at": time.time() if at is None else at}


def is_timestamped(answer: Any) -> bool:
    """Whether it is an answer with its time."""
    return isinstance(answer, dict) and _ANSWER in answer


def answer_and_time(resumed: Any) -> tuple[Any, float]:
    """The answer, and when it was given; an answer from Studio has no time. Raises QuestionDropped."""
    if resumed == NO_ANSWER_NEEDED:
        raise QuestionDropped
    if is_timestamped(resumed):
        return resumed[_ANSWER], resumed["at"]
    return resumed, time.time()


def answer_mistakes(form: Mapping[str, Any] | None, answer: Any) -> list[Message]:
    """The faults of an answer, by its form."""
    return mistake_texts(answer, SchemaType.of(form or {}))


async def run_graph(runs: "StepRunner", step_run: "StepRun") -> Any:
    """The result of another flow or a built-in graph. `runs.called` is part of the running graph, which keeps its
    checkpoints. Without it, inside of a foreach or a parallel step, the graph cannot ask a person."""
    step, trace, services = step_run.step, step_run.trace, runs.services
    name = cast("GraphStep", step.fields).graph
    flow = services.flows.get(name)
    trace.inputs = arguments_of(step, runs.evaluation(step_run.names))
    given = _graph_input(flow, trace.inputs, step_run.path)
    if runs.called is not None:
        state = await runs.called.ainvoke(given)
    else:
        state = await _run_detached(services.called(name), given)
    if state.get("__interrupt__"):
        raise StepError(f"'{name}' asks a person, which only a step at the top of a flow can", code="graph")
    if flow is None:
        return state
    trace.steps = state.get("steps") or {}
    trace.log += [f"{step.id}/{line}" for line in error_log(trace.steps)]
    if error := state.get("error"):
        code = "unknown" if error["code"] == "unknown" else "graph"
        record = trace.steps.get(error["step"])
        maybe_done = record is not None and record.get("maybe_done", False)
        raise StepError(f"'{name}' failed at {error['step']}: {error['message']}", code=code, maybe_done=maybe_done)
    return state.get("result")


def _graph_input(flow: Flow | None, params: Mapping[str, Any], path: str) -> Any:
    if flow is None:
        return params
    try:
        return {"inputs": flow.complete_inputs(params), "path": f"{path}/"}
    except InputError as error:
        raise StepError(f"'{flow.name}' cannot start: {error}", code="bad_arguments") from None


async def _run_detached(graph: CalledGraph, given: Any) -> Any:
    """Runs a graph outside of the context of the running one, so that LangGraph does not connect the two."""
    context = contextvars.Context()
    context.run(RUN.set, RUN.get())
    task = asyncio.create_task(graph.ainvoke(given), context=context)
    try:
        return await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def cache_key(step: FlowStep, evaluation: Evaluation) -> str:
    """The key of a step with these values: `cache:kind:hash`."""
    if step.code is not None:
        what: Any = [step.code.program, step.code.values(evaluation)]
    else:
        fields = step.fields.model_dump(include={"mcp_call", "graph", "prompt"})
        what = [fields, arguments_of(step, evaluation)]
    return f"cache:{step.kind}:{hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()}"


Action: TypeAlias = Callable[[FlowStep, Evaluation, StepServices, StepTrace], Awaitable[Any]]
ACTIONS: Final[Mapping[str, Action]] = {"mcp_call": call_tool, "python": run_python, "llm": ask_model}
"""By kind of step."""

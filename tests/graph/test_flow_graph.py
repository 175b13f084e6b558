"""A flow's graph as people work with it in Studio: threads, breakpoints, edited states, forks, streams by node."""

import asyncio
import re

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from maththera.flows.checker.call_checks import Callee
from maththera.flows.checker.flow_checker import load
from maththera.flows.flow import InputError
from maththera.flows.flow_tests.mocks import MockedTools
from maththera.flows.runs.compiler import build, compile_flow
from maththera.flows.runs.flow_runner import run_flow
from maththera.flows.runs.parallel_branches import Branch, units
from maththera.flows.runs.run_store import MemoryRunStore
from maththera.flows.runs.step_actions import timestamped_answer
from maththera.flows.runs.step_outcomes import LARGEST, BadState
from maththera.flows.runs.step_services import StepServices
from maththera.runtime.tool_interface import ToolError
from tests.graph.test_flow_runs import ASKED, ASKING, SPECS, Heard, call, calling, crash, need, read, result_of, tools
from tests.support.flow_tools import FakeTools

CONFIG = {"configurable": {"thread_id": "t"}}
TIMES_TEN = "  inputs: [{name: n, type: int}]\n  steps:\n    - {id: a, action: python, code: return $inputs.n * 10}\n"
LINE = f"""  steps:
    - {{id: a, {call("one", "{n: 0}")}}}
    - {{id: b, {call("one", "{n: 1}")}, depends_on: [a]}}
    - {{id: c, {call("one", "{n: 2}")}, depends_on: [b]}}
"""


CROSSED = LINE.replace("depends_on: [b]", "depends_on: [a, b]")


def graph_of(flow, services):
    return build(flow, services).compile(checkpointer=InMemorySaver())


async def test_new_input_on_an_old_thread_is_a_new_run():
    async with StepServices(tools()).sandbox as sandbox:
        graph = graph_of(read(f"{TIMES_TEN}  outputs: {{x: $a_result}}"), StepServices(tools(), sandbox))

        results = [(await graph.ainvoke({"inputs": {"n": n}}, CONFIG))["result"] for n in (1, 2, 3)]

    assert results == [{"x": 10}, {"x": 20}, {"x": 30}]


async def test_new_input_while_a_question_is_open_is_a_new_run():
    fake: FakeTools = tools(one=lambda: {"title": f"편지 {fake.called('one')}"})
    graph = graph_of(read(ASKED), StepServices(fake))

    first = await graph.ainvoke({"inputs": {}}, CONFIG)
    second = await graph.ainvoke({"inputs": {}}, CONFIG)

    asked = [state["__interrupt__"][0].value["question"] for state in (first, second)]
    assert asked == ["편지 1, 보낼까요?", "편지 2, 보낼까요?"]


async def test_new_input_after_a_state_edited_as_a_step_waits_for_that_step():
    graph = graph_of(read(CROSSED), StepServices(tools()))
    await graph.ainvoke({"inputs": {}}, CONFIG)
    await graph.aupdate_state(CONFIG, {"steps": {"b": {"status": "done", "value": {}}}}, as_node="b")

    state = await graph.ainvoke({"inputs": {}}, CONFIG)

    assert (state["status"], state["completed_steps"]) == ("completed", ["a", "b", "c"])


async def test_an_edited_step_is_gone_on_from_although_what_follows_needs_more_than_it():
    fake = tools()
    graph = graph_of(read(CROSSED), StepServices(fake))
    await graph.ainvoke({"inputs": {}}, CONFIG)

    await graph.aupdate_state(CONFIG, {"steps": {"b": {"status": "done", "value": {}}}}, as_node="b")
    await graph.ainvoke(None, CONFIG)

    assert [arguments["n"] for _, arguments in fake.calls] == [0, 1, 2, 2]


async def test_a_wrong_input_says_what_is_expected():
    graph = graph_of(read(TIMES_TEN), StepServices(tools()))

    with pytest.raises(InputError, match="needs a whole number"):
        await graph.ainvoke({"inputs": {"n": "drei"}}, CONFIG)


async def test_a_breakpoint_stands_before_a_step():
    fake = tools()
    graph = graph_of(read(LINE), StepServices(fake))

    await graph.ainvoke({"inputs": {}}, CONFIG, interrupt_before=["b"])
    assert ((await graph.aget_state(CONFIG)).next, fake.called("one")) == (("b",), 1)
    state = await graph.ainvoke(None, CONFIG)

    assert (state["completed_steps"], fake.called("one")) == (["a", "b", "c"], 3)


async def test_a_state_is_edited_as_a_step():
    fake = tools()
    graph = graph_of(read(LINE), StepServices(fake))
    await graph.ainvoke({"inputs": {}}, CONFIG)

    await graph.aupdate_state(CONFIG, {"steps": {"b": {"status": "done", "value": {"n": 7}}}}, as_node="b")
    assert (await graph.aget_state(CONFIG)).next == ("c",)
    state = await graph.ainvoke(None, CONFIG)

    assert (state["outputs"]["b"], fake.called("one")) == ({"n": 7}, 4)


RECORD = 'is a record, {"status": done | skipped | not_chosen | failed, "value": what the step gave}, not'


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"steps": {"b": 7}}, f"steps.b {RECORD} 7"),
        ({"steps": {"b": {"n": 7}}}, f"steps.b {RECORD} {{'n': 7}}"),
        ({"steps": {"b": {"status": "fine"}}}, f"steps.b {RECORD} {{'status': 'fine'}}"),
        ({"steps": 7}, "steps is {step: record}, not 7"),
        ({"error": "no"}, 'error is {} or {"step", "tool", "code", "message"}, not \'no\''),
        ({"error": {"step": "b"}}, "error is {} or"),
    ],
)
async def test_a_wrong_edit_of_a_state_says_what_is_expected(wrong, said):
    graph = graph_of(read(LINE), StepServices(tools()))
    await graph.ainvoke({"inputs": {}}, CONFIG)

    with pytest.raises(BadState, match=re.escape(said)):
        await graph.aupdate_state(CONFIG, wrong, as_node="b")


LARGE = f"""  inputs: [{{name: n, type: int}}]
  steps:
    - {{id: a, {call("one", "{n: $inputs.n}")}}}
    - {{id: each, action: foreach, items: "[1, 2]", steps: [{{id: b, {call("two", "{v: $a_result.text}")}}}]}}
  outputs: {{lengths: $each_result, text: $a_result.text}}
"""


async def test_a_large_result_is_read_by_the_next_steps_also_of_a_fork():
    fake = tools(one=lambda n: {"text": f"{n}" * LARGEST}, two=lambda v: {"length": len(v), "of": v[0]})
    graph = graph_of(read(LARGE), StepServices(fake))
    first = await graph.ainvoke({"inputs": {"n": 1}}, CONFIG)
    past = await anext(state async for state in graph.aget_state_history(CONFIG) if state.next == ("each",))
    second = await graph.ainvoke({"inputs": {"n": 2}}, CONFIG)

    forked = await graph.ainvoke(None, past.config)

    results = [state["result"] for state in (first, second, forked)]
    lengths = [[(each["length"], each["of"]) for each in result["lengths"]] for result in results]
    assert lengths == [[(LARGEST, "1")] * 2, [(LARGEST, "2")] * 2, [(LARGEST, "1")] * 2]
    assert forked["result"]["text"] == "1" * LARGEST


async def test_a_run_is_forked_from_an_earlier_state():
    fake = tools(one=lambda n: {"n": n})
    graph = graph_of(read(LINE), StepServices(fake))
    await graph.ainvoke({"inputs": {}}, CONFIG)

    history = [each async for each in graph.aget_state_history(CONFIG)]
    before_c = next(each for each in history if each.next == ("c",))
    state = await graph.ainvoke(None, before_c.config)

    assert (state["status"], fake.called("one")) == ("completed", 4)


async def test_what_a_step_left_is_streamed_when_it_ends():
    streamed = [
        name
        async for part in compile_flow(read(LINE), StepServices(tools())).astream({"inputs": {}}, stream_mode="updates")
        for name in part
    ]

    assert streamed == ["flow.inputs", "a", "b", "c", "flow.outputs"]


def test_only_chains_beside_each_other_become_branches():
    def shape(text):
        return [part.name if isinstance(part, Branch) else part.id for part in units(read(text).steps)]

    def steps(*edges):
        return "  steps:\n" + "".join(
            f"    - {{id: {name}, {call('one')}, depends_on: [{', '.join(needs)}]}}\n" for name, *needs in edges
        )

    assert shape(LINE) == ["a", "b", "c"]
    assert shape(steps("a", "b", ("c", "a"), ("d", "b"), ("e", "c", "d"))) == ["a-c", "b-d", "e"]
    assert shape(steps("a", ("b", "a"), ("c", "a"), ("d", "b", "c"))) == ["a", "b", "c", "d"]
    assert shape(steps("a", "b", ("c", "a"), ("d", "a", "b"))) == ["a", "b", "c", "d"], "no nesting says this"
    assert shape(steps("a", ("b", "a"), "c", ("d", "a", "c"), ("e", "b", "c"))) == ["a-e"], "its joins are uneven"


LATER = f"""  inputs: [{{name: n, type: int}}]
  steps:
    - {{id: r, action: route, route: [{{when: $inputs.n > 0, to: a}}, {{to: b}}]}}
    - {{id: a, {call("one", "{n: 1}")}}}
    - {{id: b, {call("one", "{n: 2}")}, depends_on: [a]}}
"""


@pytest.mark.parametrize(("n", "chosen"), [(0, "b"), (1, "a")])
async def test_a_way_to_a_step_that_waits_for_another_is_in_the_graph_and_taken_once(n, chosen):
    flow, heard = read(LATER), Heard()
    edges = compile_flow(flow, StepServices(tools())).get_graph().edges
    assert ("r", "b", "그 밖에") in {(edge.source, edge.target, edge.data) for edge in edges}

    await run_flow(flow, {"n": n}, tools(), on_event=heard)

    ends = [(event["type"], event["step"]) for event in heard if event["type"] in ("step_finished", "step_skipped")]
    other = "a" if chosen == "b" else "b"
    assert sorted(ends) == [("step_finished", chosen), ("step_finished", "r"), ("step_skipped", other)]


async def test_a_question_in_a_branch_is_asked_while_the_other_works():
    flow = read(
        "  steps:\n    - {id: ask, action: approve, question: '?'}\n"
        f"    - {{id: then, {call('two')}, depends_on: [ask]}}\n"
        + "".join(f"    - {{id: slow{n}, {call('slow', f'{{n: {n}}}')}{need('slow', n)}}}\n" for n in range(2))
    )
    asked, release = asyncio.Event(), asyncio.Event()

    async def hear(event):
        if event["type"] == "waiting":
            asked.set()

    async def slow(n):
        await release.wait()
        return {}

    saver, called = InMemorySaver(), tools(slow=slow)
    services = StepServices(called)
    working = asyncio.create_task(run_flow(flow, {}, services, checkpointer=saver, execution_id="r", on_event=hear))
    async with asyncio.timeout(20):
        await asked.wait()
    release.set()
    assert (await working).waiting.keys() == {"ask"}
    outcome = await run_flow(flow, None, services, checkpointer=saver, execution_id="r", answer={"approved": True})

    assert (outcome.status, called.called("slow"), called.called("two")) == ("completed", 2, 1)


# --- called flows -----------------------------------------------------------------------------------------------------

PAYING = f"""flow:
  name: "안"
  steps:
    - {{id: pay, {call("send", "{n: 1}")}}}
    - {{id: wait, {call("slow")}, depends_on: [pay]}}
  outputs: {{n: $pay_result.n}}"""


async def test_a_step_that_must_happen_once_happens_once_in_a_called_flow_that_broke_off():
    outer, services = calling(load(PAYING, catalogue=SPECS))
    saver, store, moment, sent = InMemorySaver(), MemoryRunStore(), asyncio.Event(), []

    async def slow():
        moment.set()
        await asyncio.sleep(60)

    def send(n):
        sent.append(n)
        return {"n": n}

    services.tools.answers = {"send": send, "slow": slow}
    await crash(outer, services, saver, store, moment)
    services.tools.answers = {"send": send}
    outcome = await run_flow(outer, None, services, checkpointer=saver, store=store, execution_id="r")

    assert (outcome.status, outcome.result, sent) == ("completed", {"sent": {"n": 1}}, [1])


async def test_the_steps_of_a_called_flow_are_told_by_their_path_and_kept_with_their_inputs():
    outer, services = calling(load(PAYING, catalogue=SPECS))
    heard = Heard()

    outcome = await run_flow(outer, {}, services, on_event=heard)

    assert heard.of("step_finished") == ["sub/pay", "sub/wait", "sub"]
    pay = outcome.steps["sub"]["steps"]["pay"]
    assert (pay["inputs"], pay["attempts"], pay["status"]) == ({"n": 1}, 1, "done")


async def test_a_called_flows_question_is_told_at_once():
    outer, services = calling(load(ASKING % ("", ""), catalogue=SPECS))
    heard = Heard()

    await run_flow(outer, {}, services, checkpointer=InMemorySaver(), on_event=heard)

    assert heard.of("waiting") == ["sub/ask"]


async def test_another_attempt_at_a_called_flow_runs_no_finished_step_again():
    inner = load(PAYING, catalogue=SPECS)
    _, services = calling(inner)
    outer = read(
        '  steps:\n    - {id: sub, action: graph, graph: "안", retry: {attempts: 3, backoff: 0}}', {"안": Callee()}
    )
    failures = iter([ToolError("bad_arguments", "s", "slow", "x"), ToolError("bad_arguments", "s", "slow", "y")])
    services.tools.answers = {"slow": lambda: next(failures, {})}

    outcome = await run_flow(outer, {}, services, checkpointer=InMemorySaver())

    assert (outcome.status, outcome.steps["sub"]["attempts"]) == ("completed", 3)
    assert (services.tools.called("send"), services.tools.called("slow")) == (1, 3)


async def test_another_attempt_at_a_called_flow_is_not_made_when_a_tool_failed_that_must_not_run_twice():
    _, services = calling(load(PAYING, catalogue=SPECS))
    outer = read(
        '  steps:\n    - {id: sub, action: graph, graph: "안", retry: {attempts: 3, backoff: 0}}', {"안": Callee()}
    )
    services.tools.answers = {"send": ToolError("failed", "s", "send", "502 Bad Gateway")}

    outcome = await run_flow(outer, {}, services, checkpointer=InMemorySaver())

    assert (services.tools.called("send"), outcome.steps["sub"]["attempts"]) == (1, 1)
    assert outcome.error is not None
    assert outcome.error["message"] == "'안' failed at pay: 502 Bad Gateway"


# --- foreach, mocks, prints -------------------------------------------------------------------------------------------


async def test_another_attempt_at_a_foreach_runs_only_what_failed():
    flow = read(
        "  steps:\n    - id: loop\n      action: foreach\n      items: [0, 1, 2]\n      max_concurrency: 1\n"
        "      retry: {attempts: 2, backoff: 0}\n"
        f"      steps: [{{id: each, {call('one', '{n: $item}')}}}]\n  outputs: {{all: $loop_result}}"
    )
    failures = iter([ToolError("bad_arguments", "s", "one", "x")])
    fake = tools(one=lambda n: next(failures, {"n": n}) if n == 1 else {"n": n})

    outcome = await run_flow(flow, {}, fake)

    assert [each["n"] for each in result_of(outcome)["all"]] == [0, 1, 2]
    assert [arguments["n"] for _, arguments in fake.calls] == [0, 1, 1, 2]


async def test_a_mock_may_be_of_a_step():
    steps = f"    - {{id: a, {call('one')}}}\n    - {{id: b, {call('one')}}}\n"
    flow = read(f"  steps:\n{steps}  outputs: {{a: $a_result.v, b: $b_result.v}}")
    mocks = MockedTools(SPECS, flow, {"a": {"v": 1}, "one": {"v": 2}})

    assert list(mocks.mistakes()) == []
    assert (await run_flow(flow, {}, mocks)).result == {"a": 1, "b": 2}


async def test_what_python_prints_is_kept():
    flow = read("  steps:\n    - {id: a, action: python, code: \"print('하나', 2)\\nreturn 1\"}")

    outcome = await run_flow(flow, {}, tools())

    assert "".join(outcome.steps["a"]["prints"]) == "하나 2\n"


async def test_what_python_was_given_is_named_as_its_author_wrote_it():
    code = "return $inputs.n + $inputs['n'] + $inputs.n"
    flow = read(f'  inputs: [{{name: n, type: int}}]\n  steps:\n    - {{id: a, action: python, code: "{code}"}}')
    heard = Heard()

    outcome = await run_flow(flow, {"n": 2}, tools(), on_event=heard)

    given = {"$inputs.n": 2, "$inputs['n']": 2}
    told = [event["inputs"] for event in heard if event["type"] == "step_finished"]
    assert (outcome.steps["a"]["value"], outcome.steps["a"]["inputs"], told) == (6, given, [given])


async def test_an_answer_given_in_time_counts_however_late_the_run_takes_it():

    flow = read("  steps:\n    - {id: ask, action: approve, question: '?', timeout: 0.05}")
    saver, services = InMemorySaver(), StepServices(tools())
    asked = await run_flow(flow, {}, services, checkpointer=saver, execution_id="r")
    expires_at = asked.waiting["ask"]["expires_at"]
    assert expires_at is not None
    in_time = timestamped_answer({"approved": True}, expires_at - 0.01)
    await asyncio.sleep(0.06)

    outcome = await run_flow(flow, None, services, checkpointer=saver, execution_id="r", answer={"ask": in_time})

    assert outcome.status == "completed"


async def test_studio_answers_with_the_bare_value():
    graph = graph_of(read("  steps:\n    - {id: ask, action: approve, question: '?'}"), StepServices(tools()))
    await graph.ainvoke({"inputs": {}}, CONFIG)

    state = await graph.ainvoke(Command(resume={"approved": True}), CONFIG)

    assert state["outputs"] == {"ask": {"approved": True}}

"""The graphs in LangGraph's own server, driven through the API that the Studio page uses."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from maththera.builtin_graphs import GRAPHS
from maththera.flows.runs.compiler import compile_flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.step_services import StepServices
from tests.conftest import served
from tests.support.flow_tools import FakeTools
from tests.support.flow_world import shipped
from tests.support.studio import ROOT, Studio, StudioServer

pytestmark = pytest.mark.slow

SUM: Final = {"start": {"first_problem": "28+15"}}
WRONG_SUM: Final = {"type": "answer_submitted", "request_id": "r-1", "task_id": "t1", "answer": 13, "rt_ms": 6200}


SAVED: Final = "보내기_전_확인"
FLOW: Final = f"""
flow:
  name: {SAVED}
  description: "보내기 전에 묻습니다"
  version: "1.0"
  steps:
    - id: ask
      action: approve
      question: "보낼까요?"
      output: said
    - id: note
      action: python
      code: 'return {{"sent": $said.approved}}'
      output: noted
  outputs: {{sent: $noted.sent}}
"""


@dataclass(frozen=True)
class Case:
    """A graph and how it is used. `way`: the nodes that a run of `given` visits. `stop`: the node of them to stop
    before. `edit`: what is then written to the state instead of what the node `edited` wrote, and shows in `shown`.
    `again`: a second input on the same thread, and what the state holds then."""

    graph: str
    given: dict[str, Any]
    way: tuple[str, ...]
    stop: str
    edited: str
    edit: dict[str, Any]
    shown: dict[str, Any]
    again: dict[str, Any]
    then: dict[str, Any]
    wrong: dict[str, str] = field(default_factory=dict)
    """Inputs as JSON → what refuses them."""


CASES: Final = (
    Case(
        graph="tutoring",
        given=SUM,
        way=("begin", "select", "__interrupt__"),
        stop="select",
        edited="begin",
        edit={"c_position": 1, "w_position": 1.0},
        shown={"c_position": 1, "w_position": 1.0},
        again={"start": {"first_problem": "14-8"}},
        then={"turn": 0, "history": ["14-8"], "observation": None},
        wrong={
            '{"start": {"student": "x"}}': "did you mean 'student_id'",
            '{"start": {}, "event": {}}': "there is no field 'event', only start",
            '{"start": {"first_problem": "ten"}}': "start.first_problem: 'ten' is not two numbers",
            "{}": "start: Field required",
        },
    ),
    Case(
        graph="chat",
        given={"message": "받아올림이 뭐야?"},
        way=("recall", "guard", "intent", "act", "tools", "act", "chart", "answer", "remember"),
        stop="intent",
        edited="guard",
        edit={"message": "받아내림이 뭐야?"},
        shown={"message": "받아내림이 뭐야?"},
        again={"messages": [{"type": "human", "content": "안녕"}]},
        then={"turns": 2, "message": "안녕"},
        wrong={
            '{"message": "안녕", "student_id": "c1"}': "there is no field 'student_id'",
            '{"messages": [{"type": "ai", "content": "안녕"}]}': "the last one must be the user's",
            '{"question": "안녕"}': "for example",
            "{}": "needs either message (a text) or messages (a list)",
        },
    ),
    Case(
        graph="lesson",
        given={"current_chapter": 2},
        way=("session_manager", "learning_supervisor", "conversation_record", "__interrupt__"),
        stop="conversation_record",
        edited="learner",
        edit={"current_chapter": 3, "inbox": {"request_id": "r-1", "kind": "message", "text": "시작"}},
        shown={"current_chapter": 3},
        again={"current_chapter": 1, "user_type": "advanced"},
        then={"current_chapter": 1, "user_type": "advanced", "session_number": 1},
        wrong={
            '{"chapter": 2}': "did you mean 'current_chapter'",
            '{"course": "cooking"}': "there is no 'cooking', only",
            '{"current_chapter": 99}': "has no 99",
        },
    ),
    Case(
        graph="유창성_훈련_계획",
        given={"inputs": {"student_id": "s1"}},
        way=("flow.inputs", "get_patterns", "find_slow", "find_problems", "make_plan", "flow.outputs"),
        stop="find_slow",
        edited="get_patterns",
        edit={"inputs": {"student_id": "s1", "days": 1}},
        shown={"inputs": {"student_id": "s1", "days": 1}},
        again={"inputs": {"student_id": "s2"}},
        then={
            "status": "completed",
            "completed_steps": ["get_patterns", "find_slow", "find_problems_skipped", "make_plan"],
        },
        wrong={
            '{"input": {"student_id": "s1"}}': "did you mean 'inputs'",
            '{"inputs": {"student": "s1"}}': "student_id: is missing; student: unknown input",
            "{}": "student_id: is missing",
        },
    ),
)


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[StudioServer]:
    yield from served(request, lambda: StudioServer({SAVED: FLOW}))


@pytest.fixture(params=CASES, ids=lambda case: case.graph)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture
def studio(server: StudioServer, case: Case) -> Iterator[Studio]:
    opened = Studio(server.url, case.graph)
    yield opened
    opened.close()


def built(name: str) -> Any:
    """A graph, or a flow's, made here."""
    if name in GRAPHS:
        return GRAPHS[name]()
    flows = shipped().latest()
    return compile_flow(flows[name], StepServices(FakeTools({}), Sandbox(), graphs=GRAPHS, flows=flows))


def nodes(streamed: list[tuple[str, Any]]) -> tuple[str, ...]:
    return tuple(node for node, _ in streamed)


def held(values: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in names}


def test_every_graph_is_there(studio: Studio) -> None:
    """Saved flows, too."""
    assert studio.assistants() == {*json.loads((ROOT / "langgraph.json").read_text())["graphs"], SAVED}


def test_the_picture_is_langgraphs_own(studio: Studio, case: Case) -> None:
    own, seen = built(case.graph).get_graph(), studio.picture()
    assert {node["id"] for node in seen["nodes"]} == set(own.nodes)
    assert {(edge["source"], edge["target"]) for edge in seen["edges"]} == {
        (edge.source, edge.target) for edge in own.edges
    }


def test_the_input_is_described(studio: Studio, case: Case) -> None:
    described = studio.schemas()["input_schema"]
    assert set(case.given) <= set(described["properties"])
    assert described["additionalProperties"] is False


def test_a_run_is_streamed_by_node(studio: Studio, case: Case) -> None:
    assert nodes(studio.run(case.given)) == case.way


def test_a_breakpoint_stops_before_a_node_and_the_run_goes_on(studio: Studio, case: Case) -> None:
    place = case.way.index(case.stop)
    assert nodes(studio.run(case.given, interrupt_before=[case.stop]))[:place] == case.way[:place]
    assert studio.state()["next"] == [case.stop]
    assert nodes(studio.run()) == case.way[place:]


def test_a_state_is_edited_as_a_node(studio: Studio, case: Case) -> None:
    studio.run(case.given, interrupt_before=[case.stop])
    studio.edit(case.edit, case.edited)
    edited = studio.state()
    assert held(edited["values"], case.shown) == case.shown
    assert edited["next"]  # the run goes on behind the node that was written as
    assert "error" not in nodes(studio.run())
    assert held(studio.state()["values"], case.shown) == case.shown


def test_a_fork_begins_at_an_older_state(studio: Studio, case: Case) -> None:
    studio.run(case.given)
    past = next(state for state in studio.history() if state["next"] == [case.stop])
    studio.edit(case.edit, case.edited, past["checkpoint"])
    forked = studio.state()
    assert forked["parent_checkpoint"]["checkpoint_id"] == past["checkpoint"]["checkpoint_id"]
    assert held(forked["values"], case.shown) == case.shown
    assert "error" not in nodes(studio.run())
    assert held(studio.state()["values"], case.shown) == case.shown


def test_a_second_input_on_the_thread_begins_anew(studio: Studio, case: Case) -> None:
    studio.run(case.given)
    again = studio.run(case.again)
    assert "error" not in nodes(again)
    assert held(studio.state()["values"], case.then) == case.then


def test_a_wrong_input_says_what_is_expected(studio: Studio, case: Case) -> None:
    for written, reason in case.wrong.items():
        (event, told), = studio.run(json.loads(written))  # fmt: skip
        assert (event, told["error"]) == ("error", "InputError"), written
        assert reason in told["message"]
    assert "error" not in nodes(studio.run(case.given))  # the thread is as good as new


def test_the_demo_of_the_readme_shows_the_diagnosis(server: StudioServer) -> None:
    studio = Studio(server.url, "tutoring")
    studio.run(SUM)
    studio.resume(WRONG_SUM)
    diagnosis = studio.state()["values"]["last_turn"]["response"]["diagnosis"]
    assert diagnosis["cause_tag"] is not None
    studio.close()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert json.dumps(SUM) in readme
    assert json.dumps(WRONG_SUM) in readme


def test_a_lesson_says_what_it_waits_for(server: StudioServer) -> None:
    studio = Studio(server.url, "lesson")
    studio.run({})
    (node, asked), = studio.resume({"answer": 3})  # fmt: skip
    assert node == "__interrupt__"
    assert asked[0]["value"]["expected"]["kind"] == "message, answer or hint"
    assert "theory_educator" in nodes(studio.resume("시작"))
    studio.close()


def test_a_chat_shows_its_answer_among_the_messages(server: StudioServer) -> None:
    studio = Studio(server.url, "chat")
    for words in ("받아올림이 뭐야?", "받아내림이 뭐야?"):
        studio.run({"messages": [{"role": "user", "content": words}]})
    roles = [message["role"] for message in studio.state()["values"]["messages"]]
    assert roles == ["user", "assistant"] * 2
    studio.close()


def test_a_question_of_a_saved_flow_is_answered(server: StudioServer) -> None:
    studio = Studio(server.url, SAVED)
    (*_, (node, asked)) = studio.run({"inputs": {}})
    assert (node, asked[0]["value"]["question"]) == ("__interrupt__", "보낼까요?")
    (node, again), = studio.resume("보내요")  # fmt: skip
    assert node == "__interrupt__"
    assert again[0]["value"]["errors"]  # what does not fit the form is asked again
    assert "error" not in nodes(studio.resume({"approved": True}))
    values = studio.state()["values"]
    assert (values["status"], values["result"]) == ("completed", {"sent": True})
    studio.close()


def test_only_code_and_data_are_watched(server: StudioServer) -> None:
    kept, watched = ROOT / "var" / "studio-test.yaml", server.flows / ".studio-test"
    kept.parent.mkdir(exist_ok=True)
    try:
        kept.write_text("x")
        watched.write_text("x")  # told of, and no reason to start anew
        assert kept.name not in server.wait_for_change(watched.name)
    finally:
        kept.unlink()
        watched.unlink()

"""`maththera flow`, in a home of its own without servers."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maththera.cli import app

GOOD = """
flow:
  name: "셈"
  inputs: [{name: n, type: int}, {name: word, type: string, default: "개"}]
  steps:
    - {id: double, name: "두 배", action: python, code: "return {'n': $inputs.n * 2}"}
    - {id: big, action: python, condition: "$double_result.n > 10", code: return 1}
    - {id: way, action: route, route: [{when: "$inputs.n > 0", to: up}, {to: down}]}
    - {id: up, action: python, code: "return 'up'"}
    - {id: down, action: python, code: "return 'down'"}
  outputs: {text: "$double_result.n$inputs.word", up: $up_result ?? ''}
"""
TESTS = """
flow: "셈"
tests:
  - {name: "작은 수", inputs: {n: 2}, expect: {outputs: {text: "4개"}, skipped: [big, down]}}
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    root = Path(__file__).parents[4]
    shutil.copytree(root / "configs", tmp_path / "configs", ignore=shutil.ignore_patterns("*.csv"))
    shutil.copytree(root / "prompts", tmp_path / "prompts")
    (tmp_path / "configs" / "servers" / "servers.yaml").write_text('servers:\n  other: {command: ["false"]}\n')
    (tmp_path / "flows" / "tests").mkdir(parents=True)
    (tmp_path / "flows" / "good.yaml").write_text(GOOD)
    (tmp_path / "flows" / "tests" / "good.yaml").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATHTHERA_HOME", str(tmp_path))
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "var"))
    return tmp_path


def invoke(*arguments):
    return CliRunner().invoke(app, ["flow", *arguments])


def test_lint_prints_each_mistake_on_a_line_and_ends_with_1(home):
    assert invoke("lint").exit_code == 0
    (home / "flows" / "bad.yaml").write_text('flow:\n  name: "셈2"\n  steps:\n    - {id: a, action: pithon}\n')

    found = invoke("lint")

    assert found.exit_code == 1
    assert found.stdout.splitlines()[0] == (
        "flows/bad.yaml:4:23 steps[0].action: unknown action 'pithon'; did you mean 'python'?"
    )


def test_lint_of_a_file_from_elsewhere_knows_what_the_flows_of_the_folder_take(home):
    elsewhere = home / "부름.yaml"
    elsewhere.write_text('flow:\n  name: "부름"\n  steps:\n    - {id: a, action: graph, graph: "셈", params: {m: 1}}\n')

    found = invoke("lint", str(elsewhere))

    assert found.exit_code == 1
    assert "steps[0].params.m: unknown parameter 'm'" in found.stdout
    assert "the flow needs the parameter 'n'" in found.stdout


@pytest.mark.parametrize(("name", "warned"), [("셈.yaml", 0), ("셈_1.0.yaml", 0), ("다른 이름.yaml", 1)])
def test_lint_of_a_file_from_elsewhere_compares_its_name_too(home, name, warned):
    elsewhere = home / name
    elsewhere.write_text(GOOD)

    found = invoke("lint", str(elsewhere))

    assert found.exit_code == 0
    assert found.stdout.count(f"the file is called '{elsewhere.stem}'") == warned


def test_run_shows_each_step_and_the_result(home):
    found = invoke("run", "셈", "-i", "n=6", "-i", "word=7")

    assert found.exit_code == 0
    assert "✓ 두 배" in found.stdout
    assert '"text": "127"' in found.stdout


def test_run_gives_the_result_alone_as_json(home):
    found = invoke("run", "flows/good.yaml", "-i", "n=-1", "--json")

    assert json.loads(found.stdout) == {"text": "-2개", "up": ""}


def test_a_long_result_is_shown_in_one_line_that_can_be_copied(home):
    link = "/api/v1/reports/" + "a" * 200

    assert f'"text": "2{link}"' in invoke("run", "셈", "-i", "n=1", "-i", f"word={link}").stdout


@pytest.mark.parametrize(
    ("form", "given", "approved"),
    [
        ("", "y\n", "true"),
        ("", "n\n", "false"),
        (", form: {properties: {approved: {type: boolean}, note: {}}, required: [approved]}", "네\n", "true"),
        (", form: {properties: {approved: {type: boolean}, note: {}}}", '{"approved": false}\n', "false"),
        ("", "글쎄\ny\n", "true"),
    ],
    ids=["yes", "no", "a note may be left out", "json", "neither"],
)
def test_a_person_is_asked_here_and_reads_the_question_as_it_stands(home, form, given, approved):
    ask = f"{{id: ask, action: approve, question: '[/b] $inputs.word [1]'{form}}}"
    (home / "flows" / "good.yaml").write_text(
        GOOD.replace("steps:", f"steps:\n    - {ask}").replace("up: $up_result ?? ''", "yes: $ask_result.approved")
    )

    found = CliRunner().invoke(app, ["flow", "run", "셈", "-i", "n=1"], input=given)

    assert found.exit_code == 0, found.output
    assert f"[/b] 개 [1] {'(JSON)' if given.startswith('{') else '[y/n]'}" in found.stdout
    assert f'"yes": {approved}' in found.stdout


def test_inputs_that_do_not_fit_end_with_2(home):
    found = invoke("run", "셈", "-i", "n=drei")

    assert (found.exit_code, found.stderr) == (2, "n: needs a whole number, not a text\n")


def test_plan_says_what_would_run_and_when(home):
    found = invoke("plan", "셈", "-i", "n=3")

    assert "if $double_result.n > 10" in found.stdout
    assert "← double" in found.stdout


def test_plan_shows_what_an_input_goes_into_before_it_is_known(home):
    flow = GOOD.replace("{n: ", "{a: ").replace('"셈"', '"도구"')
    step = "{id: t, action: llm, prompt: closing, variables: {flow: $inputs.word, description: $inputs.n}, schema: {}}"
    (home / "flows" / "tool.yaml").write_text(flow.replace("steps:", f"steps:\n    - {step}"))

    found = invoke("plan", "도구")

    assert found.exit_code == 0, found.output
    assert 'description: "$inputs.n"' in found.stdout
    assert 'flow: "개"' in found.stdout
    assert invoke("plan", "도구", "-i", "nobody=1").stderr == "nobody: unknown input\n"


def test_tests_pass_and_fail_and_coverage_is_told(home):
    assert invoke("test").exit_code == 0
    assert "60 %" in invoke("test").stdout
    assert invoke("test", "--cover", "80").exit_code == 1


def test_an_author_may_work_in_a_folder_of_their_own(home, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("own")
    (folder / "flows" / "tests").mkdir(parents=True)
    (folder / "flows" / "mine.yaml").write_text(GOOD.replace('"셈"', '"내_셈"'))
    (folder / "flows" / "tests" / "mine.yaml").write_text(TESTS.replace('"셈"', '"내_셈"'))
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MATHTHERA_HOME")
    monkeypatch.setattr("maththera.cli.flows.workspace.home", lambda: home)

    linted, listed = invoke("lint"), invoke("list")

    assert linted.stdout.splitlines()[-1].startswith("files: 1, with mistakes: 0; ")
    assert "내_셈" in listed.stdout
    assert "│ 셈" in listed.stdout
    assert (invoke("test").exit_code, invoke("plan", "내_셈").exit_code, invoke("plan", "셈").exit_code) == (0, 0, 0)


def test_nothing_is_drafted_of_no_wish(home):
    assert invoke("new", "  ").exit_code == 2


@pytest.mark.parametrize("command", ["lint", "test"])
def test_a_folder_without_flows_ends_with_2_and_a_file_that_is_no_text_with_1(home, command):
    (home / "empty").mkdir()
    (home / "binary.yaml").write_bytes(bytes(range(128, 256)))

    assert invoke(command, "empty").exit_code == 2
    found = invoke(command, "binary.yaml")

    assert found.exit_code == 1
    assert found.stdout.startswith("binary.yaml:1:1: not UTF-8: ")


def test_graph_draws_every_way(home):
    mermaid, svg = invoke("graph", "셈").stdout, invoke("graph", "셈", "--format", "svg").stdout
    invoke("graph", "셈", "--format", "png", "-o", "x.png")

    assert '-.->|"$inputs.n #gt; 0"|' in mermaid
    assert svg.count("stroke-dasharray") == 3  # two ways, and the legend
    assert (home / "x.png").read_bytes().startswith(b"\x89PNG")


INSIDE = """
flow:
  name: "안"
  inputs: [{name: ns, type: list}]
  steps:
    - id: each
      action: foreach
      items: $inputs.ns
      condition: len($inputs.ns) > 2
      steps:
        - {id: inner_one, action: python, code: "return $item"}
        - {id: inner_two, action: python, code: "return $inner_one_result"}
"""


def test_graph_draws_steps_inside_of_the_step_they_are_in(home):
    (home / "flows" / "inside.yaml").write_text(INSIDE)

    mermaid, svg = invoke("graph", "안").stdout, invoke("graph", "안", "--format", "svg").stdout

    assert 'subgraph n0["each<br/>하나씩: $inputs.ns<br/>조건: len($inputs.ns) #gt; 2"]' in mermaid
    assert "n0_0 --> n0_1;" in mermaid
    assert all(f">{text}</text>" in svg for text in ("inner_one", "inner_two", "조건: len($inputs.ns) &gt; 2"))


@pytest.mark.parametrize(
    "command",
    [
        ("graph", "셈"),
        ("graph", "셈", "--format", "png"),
        ("new", "두 배로 만들어줘"),
        ("export-schema",),
    ],
)
@pytest.mark.parametrize("path", ["no/such/x", "."])
def test_a_file_that_cannot_be_written_ends_with_2(home, command, path):
    given = (path,) if command[0] == "export-schema" else ("-o", path)

    found = invoke(*command, *given)

    assert found.exit_code == 2, found.output


def test_list_shows_every_flow_with_its_inputs(home):
    found = invoke("list")

    assert "n, [word]" in found.stdout


def test_a_flow_that_is_not_there_ends_with_1_and_a_suggestion(home):
    found = invoke("plan", "솀")

    assert (found.exit_code, "did you mean '셈'?" in found.stderr) == (1, True)


def test_the_shipped_schema_is_the_one_of_the_models(home):
    invoke("export-schema", "schema.json")

    shipped = Path(__file__).parents[4] / "flows" / "flow.schema.json"
    assert (home / "schema.json").read_text() == shipped.read_text()

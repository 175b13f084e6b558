"""CONTRIBUTING.md is true: one thing of each kind is added to a copy of the checkout, each in its file, and the checks
of the copy take it as it is; what is missing, they name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = ("maththera", "configs", "prompts", "flows", "tests", "scripts", "docs")

MALRULE: Final = """

@malrule(
    title="십의 자리만 더하고 일의 자리는 큰 쪽을 쓴다",
    causes={"STRATEGY_L4_PLACEVALUE": "carry"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 38),
    working=lambda s: f"{max(s.top[0], s.bottom[0])}만 일의 자리에 썼어요",
)
def larger_ones_kept(sheet: Sheet) -> int | None:
    return None if sheet.width != 2 else (sheet.top[1] + sheet.bottom[1]) * 10 + max(sheet.top[0], sheet.bottom[0])
"""
CAUSE: Final = """
SPATIAL_L4_LARGER_ONES:
  domain: SPATIAL
  level: 4
  axis: C4
  name: 일의 자리에서 큰 수만 봄
  explanation: 일의 자리를 더하지 않고 큰 쪽만 옮겨 적어요.
  trainings: [T20]
  reached_by: [llm]
"""
OFFERED: Final = "이어 붙였어요.\n  trainings: [T01, T02"
TRAINING: Final = """
T99:
  id: T99
  title: 주사위 점 다시 보기
  goal: 주사위의 점을 한눈에 알아본다.
  concept: C1
  widget: dot_flash
  visual_mode: none
  prompts:
    intro: ['점이 반짝 나타나.', '몇 개인지 볼까?']
    right: [['눈이 밝네!'], ['맞았어!']]
    again: [['괜찮아.', '다시 보여 줄게.'], ['묶음을 찾아봐.']]
    done: ['점 세기 끝!', '잘 봤어!']
  done: {correct: 3, of: 4}
  max_items: 6
  patterns:
    - ask: how_many
      numbers: {dots: 1-6, pattern: dice, show_ms: 2000}
      steps:
        - {prompt: ['점은 몇 개일까?']}
"""
TEMPLATE: Final = "    correct_99: ['{확인}!', 차근차근 풀었네!]\n"
FLOW: Final = """flow:
  name: "최근_활동_세기"
  description: "학생이 최근에 공부한 횟수를 셉니다"
  version: "1.0"
  examples:
    - "최근에 몇 번 공부했는지 세어줘"
    - "공부한 횟수를 알려줘"
    - "요즘 학습 횟수 세어줘"
    - "몇 번이나 공부했는지 알려줘"
  inputs:
    - name: student_id
      type: string
  steps:
    - id: look
      mcp_call:
        server: lab-node-mcp
        tool: get_recent_activity
        params:
          student_id: $inputs.student_id
      output: seen
  outputs:
    count: $len($seen.activities)
"""
FLOW_TEST: Final = """flow: 최근_활동_세기
tests:
  - name: 하나도 없으면 0이다
    inputs: {"student_id": "s1"}
    mocks:
      get_recent_activity: {"activities": []}
    expect:
      outputs:
        count: 0
"""
CLOSING: Final = """  최근_활동_세기:
    - {say: "최근에 {count}번 공부했습니다."}
"""
TOOL: Final = """

    @tool(server, "학생이 지금까지 답한 문제의 수를 셉니다.")
    async def count_answers(student_id: StudentId) -> AnswerCount:
        return AnswerCount(answers=len(await world.history.answers(student_id)))

    return server
"""
TOOL_RESULT: Final = '''class AnswerCount(BaseModel):
    """`answers`: how many."""

    answers: int


class FailureExample('''

ADDED: Final = """
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import make_problem
from maththera.settings import home
from maththera.tutoring.content.cause_catalogue import load_catalogue
from maththera.tutoring.feedback.feedback_templates import load_feedback
from tests.support.flow_world import catalogue, shipped

causes = load_catalogue(home())
assert "larger_ones_kept" in {rule.name for rule in malrules_giving(make_problem(28, "+", 15), 38)}
assert causes.causes["SPATIAL_L4_LARGER_ONES"].trainings == ("T20",)
assert causes.causes["CONCEPT_L1_QUANTITY"].trainings == ("T01", "T02", "T99")
assert causes.trainings["T99"].title == "주사위 점 다시 보기"
assert "correct_99" in load_feedback(home() / "configs" / "tutoring" / "feedback.yaml").situations["correct"]
assert "최근_활동_세기" in shipped().names(), shipped().faults
assert "count_answers" in catalogue()["lab-node-mcp"]
"""
CHECKS: Final = (
    "tests/unit/arithmetic/test_malrules_catalogue.py",
    "tests/unit/tutoring/content",
    "tests/unit/tutoring/diagnosis",
    "tests/unit/tutoring/feedback",
    "tests/unit/flows",
    "tests/unit/test_studio.py::test_every_built_in_graph_and_no_unknown_flow_is_listed",
    "tests/unit/servers/test_stdio.py::test_a_server_by_itself[lab_node]",
)

WRITTEN: Final = ("maththera/arithmetic/malrules/addition.py", "maththera/servers/lab_node.py")
"""The modules to which code is added."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        passing = ("node_modules", ".lock", "*.pyc.*")  # the last is just being written
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*passing))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, folder)
    return folder


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As a program that keeps what it has compiled: the next one need not compile it again."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def substitute(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_one_thing_of_each_kind_is_added_in_its_file(checkout: Path) -> None:
    configs = checkout / "configs" / "tutoring"
    append(checkout / "maththera" / "arithmetic" / "malrules" / "addition.py", MALRULE)
    append(configs / "causes.yaml", CAUSE)
    append(configs / "trainings.yaml", TRAINING)
    substitute(configs / "causes.yaml", OFFERED, f"{OFFERED}, T99")
    substitute(configs / "feedback.yaml", "    correct_1: ", TEMPLATE + "    correct_1: ")
    (checkout / "flows" / "최근_활동_세기.yaml").write_text(FLOW, encoding="utf-8")
    (checkout / "flows" / "tests" / "최근_활동_세기.yaml").write_text(FLOW_TEST, encoding="utf-8")
    append(checkout / "configs" / "flows" / "closings.yaml", CLOSING)
    lab_node = checkout / "maththera" / "servers" / "lab_node.py"
    substitute(lab_node, "\n    return server\n", TOOL)
    substitute(lab_node, "class FailureExample(", TOOL_RESULT)

    added = run(checkout, "-c", ADDED)
    assert added.returncode == 0, added.stderr
    checked = run(checkout, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *CHECKS)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for command in (["check"], ["format", "--check"]):
        styled = run(checkout, "-m", "ruff", *command, "--no-cache", *WRITTEN)
        assert styled.returncode == 0, styled.stdout + styled.stderr


def test_an_import_of_a_new_room_makes_the_picture_stale(checkout: Path) -> None:
    append(
        checkout / "maththera" / "llm" / "cost_comparison.py",
        "\nfrom maththera.korean import numbers  # noqa: E402, F401\n",
    )

    stale = run(checkout, "scripts/architecture.py", "--check")

    assert stale.returncode == 1
    assert "docs/architecture.md: the picture is not that of the imports." in stale.stdout
    assert run(checkout, "scripts/architecture.py").returncode == 0
    assert "  llm --> korean\n" in (checkout / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert run(checkout, "scripts/architecture.py", "--check").returncode == 0

"""The flows in flows/: they compile, and their own tests pass."""

from maththera.flows.flow_tests.suites import run_tests
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.settings import home
from tests.support.flow_world import catalogue, flow_files, shipped


def test_every_flow_compiles_and_has_tests():
    assert shipped().faults == []
    assert {path.stem for path in flow_files()} == {path.stem for path in (home() / "flows" / "tests").glob("*.yaml")}


async def test_their_own_tests_pass_and_leave_out_no_step():
    async with Sandbox() as sandbox:
        report = await run_tests((home() / "flows" / "tests").glob("*.yaml"), shipped(), catalogue(), sandbox)

    assert report.faults == []
    assert {verdict.name: verdict.failures for verdict in report.verdicts if verdict.failures} == {}
    assert {flow: report.uncovered(flow) for flow in report.steps if report.uncovered(flow)} == {}


def test_of_two_versions_the_higher_one_runs():
    assert shipped().best("진단_리포트_생성").version == "1.1"
    assert shipped().best("진단_리포트_생성", "1.0").model.outputs == {"report_url": "$report.pdf_url"}


def test_flows_of_our_own_can_be_asked_for_and_warn_of_nothing():
    first = {"맞춤형_문제_생성", "학교_정보_기반_수업_준비"}
    own = [flow for flow in shipped() if flow.version != "1.0" or flow.name not in {*first, "진단_리포트_생성"}]

    assert all(len(flow.examples) >= 4 and flow.warnings == [] for flow in own)


def test_problems_for_weak_concepts_are_as_many_as_are_asked_for():
    assert shipped().best("맞춤형_문제_생성").warnings == []


def test_a_shipped_flow_compares_its_variants():
    flows = shipped()
    chosen = {flows.best("유창성_훈련_계획", student_id=f"s{number}").version for number in range(40)}
    assert chosen == {"1.0", "1.1"}

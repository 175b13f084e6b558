import pytest

from maththera.flows.runs.closing_sentence import closing_sentence, load_closings
from maththera.flows.runs.flow_runner import RunOutcome
from maththera.flows.runs.step_actions import Question
from maththera.settings import home
from tests.support.flow_world import shipped


def done(**result):
    return RunOutcome("completed", result, [], [])


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (
            {"concept_gaps_found": 3, "problem_count": 5, "concept_gaps": [1, 2, 3], "report_url": "/r.pdf"},
            "분석 완료! 개념 갭 3개 발견, 맞춤형 문제 5개를 생성했습니다. 리포트: /r.pdf",
        ),
        (
            {"concept_gaps_found": 0, "problem_count": 0, "concept_gaps": [], "report_url": "/r.pdf"},
            "분석 완료! 지금 드러난 개념 갭은 없습니다. 리포트: /r.pdf",
        ),
        ({"report_url": "/r.pdf"}, "리포트: /r.pdf"),
        ({}, "'진단 리포트 생성' 실행을 마쳤습니다."),
    ],
)
async def test_the_sentence_says_what_was_found(result, sentence):
    assert await closing_sentence(shipped().best("진단_리포트_생성"), done(**result), None) == sentence


async def test_a_failed_run_says_where():
    outcome = RunOutcome(
        "failed", None, [], [], error={"step": "create_report", "tool": None, "code": "failed", "message": "x"}
    )

    assert "'리포트 생성' 단계" in await closing_sentence(shipped().best("진단_리포트_생성"), outcome, None)


async def test_a_waiting_run_says_what_is_asked():
    asked = Question(step="ask_teacher", question="낼까요?\ns1: 3번", form={}, expires_at=None)
    outcome = RunOutcome("waiting", None, [], [], waiting={"ask_teacher": asked})

    assert (await closing_sentence(shipped().best("오답_검토_분류"), outcome, None)).endswith(
        "승인을 기다립니다: 낼까요?"
    )


def test_every_shipped_flow_has_sentences_of_its_own():
    assert set(load_closings(home()).flows) == set(shipped().names())


async def test_without_a_model_there_is_still_a_sentence():
    flow = shipped().best("맞춤형_문제_생성")

    assert (
        await closing_sentence(flow, done(count=2, problems=[1, 2]), None)
        == "약한 개념 2개의 맞춤형 문제를 만들었습니다."
    )

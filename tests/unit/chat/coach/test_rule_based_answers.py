"""What the coach says without a model: in the tone of the guide whatever is put in, and true to what was found."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.chat.coach.intent_registry import DECLINED, Handling
from maththera.chat.coach.rule_based_answers import RuleBasedAnswers
from maththera.chat.coach.text_templates import fill_template, slot_names
from maththera.chat.state import ToolResult
from maththera.store.database import Database
from maththera.tutoring.feedback import tone
from tests.support.coach import coach_turn, knowledge, planner, pupil
from tests.support.utterances import intents

ANSWERED: Final = [one for one in get_args(Handling) if one != DECLINED]
ANSWERS = RuleBasedAnswers(knowledge())
CONFIG = knowledge().coach.config
UNITS = [name for name in knowledge().graph.concepts if name.startswith("Cur")]
LENGTHS = {"sentences", "length", "hint"}
"""What the guide limits for a line in a session, not for an answer to a question."""
FIGURES: Final = re.compile(r"[0-9}]\s*점(?!자)|%|평균|점수|[가-힣]형 \(|get_|견주|까닭")
"""What no child reads: points, percentages, intents, tools; and words that are not everyday ones."""

ASKED: list[tuple[Handling, str]] = [
    ("records", "내 약점을 분석해줘"),
    ("records", "내 성적 보여줘"),
    ("records", "구구단 약점이 뭐야?"),
    ("study_plan", "약점을 극복하려면?"),
    ("study_plan", "구구단은 어떻게 공부해?"),
    ("encouragement", "정말 잘할 수 있을까?"),
    ("worked_solution", "8+6 내 답은 13이야"),
    ("worked_solution", "28+15는 43 맞아?"),
    ("worked_solution", "28+15는 77이라고 했어"),
    ("worked_solution", "17÷5, 3-5, 5÷0"),
    ("worked_solution", "이 문제 못 풀었어"),
    ("explanation", "받아올림이 뭐야?"),
    ("explanation", "C12가 궁금해"),
    ("explanation", "재귀가 뭐야?"),
    ("recommendation", "다음에 뭘 풀면 좋을까?"),
    ("recommendation", "덧셈이랑 뺄셈 중에 뭐부터 할까?"),
]


def broken(text: str) -> list[tone.Violation]:
    lines = [line for line in text.split("\n") if line]
    return [one for one in tone.check(lines, None, answer=None, revealed=True) if one.rule not in LENGTHS]


# --- every word that can be said --------------------------------------------------------------------------------------


def everything_said() -> Iterator[str]:
    """Every template with every text that can fill it, and with numbers of both kinds of endings."""
    texts = knowledge().texts
    fillings: dict[str, list[Any]] = {
        "unit": [knowledge().unit(name) for name in UNITS],
        "names": [knowledge().unit(name) for name in UNITS],
        "metric": [*CONFIG.metrics.values()],
        "training": [one.title for one in texts.trainings.values()],
        "practice": [*CONFIG.practice.values()],
        "procedure": [rule.title.partition(" (")[0] for rule in CATALOGUE.values()],
        "tip": [tip for unit in knowledge().coach.units.values() for tip in unit.tips] + [*CONFIG.practice.values()],
        "goal": [goal for unit in knowledge().coach.units.values() for goal in unit.goals],
        "says": [one.says for unit in knowledge().coach.units.values() for one in unit.concepts],
        "name": [one.name for unit in knowledge().coach.units.values() for one in unit.concepts],
        "step": ["8을 10으로 채워. 8+2=10"],
        "prompt": ["8+6=□", "98+□=100", "120은 10이 □개"],
        "expression": ["8+6", "52−38"],
        "day": ["11월 22일"],
    }
    for template in [*(one for variants in CONFIG.says.values() for one in variants), *CONFIG.lines.values()]:
        names = slot_names(template)
        wide = [name for name in names if name in fillings]
        for name in wide or [""]:
            for value in fillings.get(name, [""]):
                for number in (4, 13):
                    filled = {one: fillings.get(one, [number])[0] for one in names}
                    yield fill_template(template, **{**filled, **({name: value} if name else {})})
    yield from CONFIG.metrics.values()
    yield from CONFIG.charts.titles.values()


@pytest.mark.slow
def test_every_template_keeps_the_bans_of_the_tone_guide() -> None:
    found = {text: violations for text in everything_said() if (violations := broken(text))}
    assert found == {}
    assert [text for text in everything_said() if FIGURES.search(text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["s1", "s2", "new"])
@pytest.mark.parametrize(("handling", "message"), ASKED)
async def test_whole_answers_keep_it_too(played: Database, learner: str, handling: Handling, message: str) -> None:
    answer = (await coach_turn(played, pupil(learner), handling, message)).answer
    assert answer
    assert broken(answer) == []
    assert not re.search(r"[{}A-Za-z]", answer)
    assert not FIGURES.search(answer)


# --- true to what was found -------------------------------------------------------------------------------------------


async def test_scores_are_told_as_they_are(played: Database) -> None:
    turn = await coach_turn(played, pupil("s1"), "records", "내 성적")
    units = turn.rounds[0][0]["result"]["units"].values()
    told = [unit for unit in units if unit["name"] in turn.answer]
    left = len(units) - len(told)
    assert told
    assert (f"그 밖에 {left}개 단원" in turn.answer) == (left > 0)
    for unit in told:
        line = next(line for line in turn.answer.split("\n") if unit["name"] in line)
        assert str(unit["answered"]) in line
        assert (f"{unit['right']}문제가 맞았어" in line) == (unit["right"] > 0)


async def test_scores_and_weak_points_can_be_asked_for_at_once(played: Database) -> None:
    turn = await coach_turn(played, pupil("s1"), "records", "내 성적이랑 약점을 알려줘")
    assert turn.called[0] == [("get_user_scores", {}), ("get_weak_points", {})]
    assert any(line in turn.answer for line in CONFIG.says["scores_open"])
    assert any(line in turn.answer for line in CONFIG.says["weak_open"])


@pytest.mark.parametrize(
    ("handling", "message"),
    [one for one in ASKED if one[0] in ("records", "study_plan", "encouragement", "recommendation")],
)
@pytest.mark.parametrize("learner", ["s1", "s2"])
async def test_no_number_is_made_up(played: Database, learner: str, handling: Handling, message: str) -> None:
    """Each stands in a result, counts the lines, or belongs to the words themselves."""
    turn = await coach_turn(played, pupil(learner), handling, message)
    numbers = re.compile(r"\d+")
    known = set(
        numbers.findall(json.dumps([one["result"] for round_ in turn.rounds for one in round_], ensure_ascii=False))
    )
    known |= {str(number) for number in range(1, 7)}
    known |= {one for variants in CONFIG.says.values() for text in variants for one in numbers.findall(text)}
    known |= {one for text in CONFIG.practice.values() for one in numbers.findall(text)}
    known |= {str(int(month_or_day)) for month_or_day in known if len(month_or_day) == 2}
    assert set(numbers.findall(turn.answer)) <= known


async def test_weak_points_are_told_with_what_was_found(played: Database) -> None:
    turn = await coach_turn(played, pupil("s1"), "records", "내 약점을 분석해줘")
    for one in turn.rounds[1]:
        for unit in one["result"].values():
            assert unit["name"] in turn.answer
            assert all(weak["metric"] in turn.answer for weak in unit["weak_metrics"])
            assert all(example["expression"] in turn.answer for example in unit["examples"][:1])
            assert all(training["title"] in turn.answer for training in unit["trainings"][:1])
    assert any(unit["examples"] for one in turn.rounds[1] for unit in one["result"].values())


async def test_who_has_no_weak_points_is_not_told_of_any(played: Database) -> None:
    answer = (await coach_turn(played, pupil("s2"), "records", "내 약점을 분석해줘")).answer
    assert answer in CONFIG.says["weak_none"]


async def test_too_few_answers_are_no_weakness(played: Database) -> None:
    answer = (await coach_turn(played, pupil("s1"), "records", "나눗셈 약점 알려줘")).answer
    assert answer in CONFIG.says["weak_few"]


async def test_the_answer_that_was_given_comes_first(empty: Database) -> None:
    right = (await coach_turn(empty, pupil("new"), "worked_solution", "28+15는 43 맞아?")).answer
    assert right.startswith(("43, 맞아", "응, 43 맞아"))
    wrong = (await coach_turn(empty, pupil("new"), "worked_solution", "52-38은 26이라고 했어")).answer
    assert "큰 숫자에서 작은 숫자를 뺀다면 26이" in wrong.split("\n")[0]
    assert "14" in wrong


async def test_a_concept_is_told_by_its_own_words(empty: Database) -> None:
    answer = (await coach_turn(empty, pupil("new"), "explanation", "자릿값이 뭐야?")).answer
    assert answer.startswith("자릿값은 ")
    assert "세로셈" not in answer
    unit = (await coach_turn(empty, pupil("new"), "explanation", "두 자리 수의 덧셈이 뭐야?")).answer
    assert unit.startswith("'두 자리 수의 덧셈")


async def test_a_new_child_gets_something_to_do(empty: Database) -> None:
    for handling, message in ASKED:
        answer = (await coach_turn(empty, pupil("new"), handling, message)).answer
        assert len(answer) > 20


async def test_the_same_question_is_answered_alike_and_others_vary(empty: Database) -> None:
    questions = [f"다음에 뭘 풀까{'?' * n}" for n in range(12)]
    answers = [(await coach_turn(empty, pupil("new"), "recommendation", one)).answer for one in questions]
    again = [(await coach_turn(empty, pupil("new"), "recommendation", one)).answer for one in questions]
    assert answers == again
    assert len(set(answers)) > 1


# --- when something is missing ----------------------------------------------------------------------------------------


def result(tool: str, given: dict[str, Any] | None, **arguments: object) -> ToolResult:
    return ToolResult(tool=tool, arguments=arguments, result=given or {}, error=None if given else "gone", cached=False)


@pytest.mark.parametrize("handling", ANSWERED)
def test_calls_that_all_failed_are_told_kindly(handling: Handling) -> None:
    failed = [result(tool, None) for tool in intents().registry.handled_as(handling).tools]
    assert ANSWERS.answer(handling, "내 성적", failed) in CONFIG.says["unreadable"]


@pytest.mark.parametrize("handling", ANSWERED)
def test_an_answer_needs_no_results_at_all(handling: Handling) -> None:
    """A model that broke off may have called nothing."""
    assert ANSWERS.answer(handling, "내 성적", [])


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("뺄셈 점수 보여줘", ["Cur-C4", "Cur-C10"]),
        ("나눗셈은 몇 점이야?", ["Cur-C14"]),
        ("구구단 점수", ["Cur-C4", "Cur-C10", "Cur-C14"]),  # of which there is none
        ("곱셈 점수", ["Cur-C4", "Cur-C10", "Cur-C14"]),  # though C14 has it in its name
        ("내 점수", ["Cur-C4", "Cur-C10", "Cur-C14"]),
    ],
)
def test_scores_of_what_is_asked_for(message: str, told: list[str]) -> None:
    one = {"mean": 80, "best": 90, "answered": 5, "right": 4}
    units = {name: {"name": knowledge().unit(name), **one} for name in ("Cur-C4", "Cur-C10", "Cur-C14")}
    last = {"at": "2026-11-22T08:00:00+00:00", "mean": 80, "answered": 5, "right": 4}
    scores = result(
        "get_user_scores", {"units": units, "total": {"mean": 80, "answered": 15, "right": 12}, "trend": [last]}
    )
    lines = ANSWERS.answer("records", message, [scores]).split("\n")
    assert [
        name for name, unit in units.items() if any(line.startswith(f"· {unit['name']}:") for line in lines)
    ] == told
    assert (lines[0] == CONFIG.says["score_none"][0]) == message.startswith(("구구단", "곱셈"))
    assert ("모두 15문제를 풀었고, 그 가운데 12문제가 맞았어." in lines) == (len(told) == 3)
    assert "11월 22일" in ANSWERS.answer("records", f"오늘 {message}", [scores]).split("\n")[0]


@pytest.mark.parametrize(
    ("message", "unit_id", "key"),
    [
        ("쉬운 문제 하나 줘", "Cur-C3", "next_easy"),
        ("쉬운 거 말고 어려운 문제 줘", None, "next_position"),
        ("이건 너무 쉬운데 어려운 걸로", None, "next_position"),
    ],
)
async def test_something_easy_is_of_what_goes_well(message: str, unit_id: str | None, key: str) -> None:
    """The courtesies offer it to who is sad."""
    units = {
        name: {"name": knowledge().unit(name), "mean": mean, "best": mean, "answered": 5, "right": 4}
        for name, mean in (("Cur-C3", 90), ("Cur-C9", 20))
    }
    scores = result("get_user_scores", {"units": units, "total": {}, "trend": []})
    first = planner().next_round("recommendation", message, [])
    if unit_id is None:
        assert [call["arguments"] for call in first] == [{}, {}]
    else:
        assert [call["tool"] for call in first] == ["get_user_scores"]
        (call,) = planner().next_round("recommendation", message, [[scores]])
        assert call["arguments"] == {"unit_id": unit_id}
    problem = {"prompt": "2+1=□", "unit": knowledge().unit(unit_id or "Cur-C9"), "training": None}
    reason = "asked" if unit_id else "position"
    told = ANSWERS.answer(
        "recommendation", message, [scores, result("recommend_next_problem", problem | {"reason": reason})]
    )
    assert CONFIG.says[key][0] in told


@pytest.mark.parametrize(
    ("handling", "message", "key"),
    [
        ("explanation", "분수가 뭐야?", "beyond"),
        ("study_plan", "분수 공부하는 법", "beyond"),
        ("recommendation", "도형 문제 줘", "beyond"),
        ("worked_solution", "분수 계산 풀어 줘", "beyond"),
        ("worked_solution", "길이가 5cm인 막대 3개는 모두 몇 cm?", "story"),
        ("worked_solution", "사과 3개 있는데 5개 더 사고 2개 먹으면 몇 개야?", "story"),
    ],
)
async def test_what_cannot_be_taught_is_said(played: Database, handling: Handling, message: str, key: str) -> None:
    turn = await coach_turn(played, pupil("s1"), handling, message)
    assert turn.answer in CONFIG.says[key]
    assert (turn.rounds, turn.chart) == ([], None)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("3.5+2.7", "decimal"),
        ("1/2 + 1/3 모르겠어", "fraction"),
        ("3/4 더하기 1/4", "fraction"),
        ("1000000 곱하기 7777", "too_long"),
        ("0.5+0.5는 1이야?", "decimal"),
        ("3−5", "negative"),
        ("7÷2는?", "remainder"),
        ("8 나누기 0", "by_zero"),
        ("10의 50%는 얼마야", "percent"),
        ("□+□=5", "unknown"),
        ("3²은 뭐야", "power"),
    ],
)
async def test_what_is_beyond_is_declined_by_name(played: Database, message: str, why: str) -> None:
    turn = await coach_turn(played, pupil("s1"), "worked_solution", message)
    assert turn.answer.splitlines()[0] in CONFIG.says[f"outside_{why}"]


@pytest.mark.parametrize(
    "message",
    ["12-5+3=10 맞지?", "3 + 4 x 2 는 11이야?", "8+5=8+2+3=13 맞아?", "3+□=5, □는 2야?", "28에서 15를 빼면 13이지?"],
)
async def test_a_right_claim_is_called_right(played: Database, message: str) -> None:
    turn = await coach_turn(played, pupil("s1"), "worked_solution", message)
    given = turn.rounds[0][0]["result"]["given"]
    assert given["correct"]
    opening = turn.answer.splitlines()[0]
    assert opening in {fill_template(said, given=given["answer"]) for said in CONFIG.says["given_right"]}


@pytest.mark.parametrize(
    ("message", "value"),
    [("2+3+4=10 맞아?", 9), ("(2+3)x4는 14야?", 20), ("47+36=73 맞지?", 83), ("5x5+5는 왜 50이야", 30)],
)
async def test_a_wrong_claim_hears_what_it_really_is(played: Database, message: str, value: int) -> None:
    turn = await coach_turn(played, pupil("s1"), "worked_solution", message)
    assert turn.rounds[0][0]["result"]["answer"] == value
    assert str(value) in turn.answer.splitlines()[0]


async def test_a_procedure_is_named_for_two_numbers_only(played: Database) -> None:
    """52−38=26 is the smaller digit taken from the larger; in a longer expression nobody knows where 26 came from."""
    two = await coach_turn(played, pupil("s1"), "worked_solution", "52-38=26 맞아?")
    assert two.rounds[0][0]["result"]["given"]["procedures"]
    long = await coach_turn(played, pupil("s1"), "worked_solution", "52-38+0=26 맞아?")
    assert long.rounds[0][0]["result"]["given"] == {"answer": 26, "correct": False, "procedures": []}


@pytest.mark.parametrize(
    ("handling", "message"),
    [("study_plan", "나눗셈에서 분수처럼 나오면 어떻게 해?"), ("explanation", "받아올림이 뭐야?")],
)
async def test_what_a_unit_teaches_is_taught(played: Database, handling: Handling, message: str) -> None:
    turn = await coach_turn(played, pupil("s1"), handling, message)
    assert turn.answer not in CONFIG.says["beyond"]


def test_the_same_call_twice_is_told_once() -> None:
    given = {"expression": "8+6", "prompt": "8+6=□", "answer": 14, "steps": ["하나"], "given": None}
    twice = [result("get_problem_explanation", given, expression="8+6")] * 2
    assert ANSWERS.answer("worked_solution", "8+6", twice).count("하나") == 1

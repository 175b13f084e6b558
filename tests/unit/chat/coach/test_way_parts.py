"""What children tell and ask beside a task: which of it is heard, and what is said to it."""

import pytest

from maththera.chat.coach.drafts import Board, NumberTopic, ReplyTexts
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.coach.way_parts import both_parts, due_step, own_step
from maththera.settings import home
from tests.unit.chat.coach.test_step_talk import problem_of

TEXTS = ReplyTexts.load(home())


def said(expression: str, message: str, found: tuple[str, ...] = (), topic: NumberTopic | None = None) -> str | None:
    problem = problem_of(expression)
    board: Board = {"ask": "step", "found": {problem.expression: [*found]}}
    if topic is not None:
        board["topic"] = topic
    heard = own_step([problem], message, board)
    if heard is None:
        return None
    return fill_template(TEXTS.says[heard[1].word.key].child[0], **heard[1].word.slots)


@pytest.mark.parametrize(
    ("expression", "message", "found", "has"),
    [
        # told in any words
        ("36+27", "6이랑 7 하니까 13 나옴", (), "6+7=13"),
        ("58+27", "8에다 2 주면 10", (), "7에서 2를 썼으니까"),
        ("46+38", "6에다 4 주면 10", (), "8에서 4를 썼으니까"),
        ("46+38", "8에서 4 줬으니까 4남아 그럼 14", ("6+4=10",), "6+8=14"),
        ("13-4", "열에서 4 빼면 6이야", (), "남겨 둔 낱개 3"),
        ("96÷8", "8이 10번이면 80이니까", (), "16이 남았"),
        ("25×16", "25가 네개면 100", (), "25×4=100"),
        ("9×6", "구오 사십오까진 앎", (), "9를 1번만"),
        ("80+50", "0 떼고 8 5 하면 13", (), "8+5=13"),
        # a number that stands for another
        ("45+29", "29 싫으니까 30 더할래", (), "1 큰 수"),
        ("45+29", "45 더하기 30은 75", (), "아직 끝이 아니야"),
        ("1000-247", "999에서 빼도 돼?", (), "1 작은 수"),
        ("1000-247", "마지막에 1 또 빼는거지?", ("999−247=752",), "또 빼지 말고"),
        ("64-38", "2 더해야지?", ("64−40=24",), "더해 주면 돼"),
        ("56+38", "2를 더 더하면 돼?", ("56+40=96",), "더하지 말고"),
        # the road up
        ("63-48", "48에서 50까지 2", (), "50에서 63까지"),
        ("63-48", "50에서 63은 13. 그럼 13-2?", ("48+2=50",), "더하는 거야"),
        ("31-29", "29 다음 30", (), "30에서 31까지"),
        ("31-29", "빼기인데 왜 앞으로 가?", ("29+1=30",), "칸 수는 똑같아"),
        ("63-48", "48에서 50까지 3", (), "한 번만 다시"),
        # what does not belong to the task
        ("84÷7", "10이랑 2는 곱하는거야 더하는거야?", ("10×7=70", "2×7=14"), "더하는 거야"),
        ("25×12", "그럼 100×4지?", ("25×4=100",), "4개씩 몇 묶음"),
        ("25×12", "그럼 100×3?", ("25×4=100",), "마지막 걸음"),
        ("52-38", "그럼 12+8?", (), "모을 때 쓰는"),
        # parts that are not whole
        ("24×6", "합쳐서 124!", ("20×6=120", "4×6=24"), "4만 더한"),
        ("7×8", "49 더하기 7은 46?", ("7×7=49",), "49보다 작아"),
        ("7×8", "50까지 하나 쓰고 6 남음", ("7×7=49",), "6만 더"),
        ("8×6", "거기다 6 더해서 46", ("8×5=40",), "8을 더해야"),
        ("8×6", "왜? 곱하기 6이잖아", ("8×5=40",), "묶음이 6개"),
        ("24+18", "다됐다 이십사!", ("4+8=12", "3+1=4"), "앞뒤가 바뀌었어"),
        ("70+60", "두개 다시 붙여서 1300", ("7+6=13",), "너무 커"),
        ("81-29", "29를 30으로 치고 빼면 51인데 이제 1을 더해 빼?", (), "1을 더해 줘야"),
        ("48+48", "곱하기 2 해도 되는 거 아니야?", (), "두 번"),
        # things
        ("30-8", "사탕 열개씩 세봉지라고 하면?", (), "한 봉지를 열어야"),
        ("30-8", "한봉지 뜯어서 8개 먹음 2개 남았다", (), "10−8=2"),
        ("70+60", "십원짜리가 13개?", ("7+6=13",), "십이 13개"),
        ("12-5", "2는 버려?", ("10−5=5",), "버리면 안 돼"),
        # short questions
        ("7×8", "팔칠도 똑같은거야?", (), "똑같아"),
        ("6×4", "엑스는 뭐하라는 거야", (), "4번 모으라는"),
        ("62-38", "선생님이 큰거에서 작은거 빼라고 했는데", (), "수 전체 이야기"),
        ("47+35", "2는 밑에 쓰고 1은 어따 둬?", (), "십의 자리 4 위에"),
        ("62-38", "2랑 8이니까 6 썼어", (), "차이 나는 건 맞아"),
        ("503-167", "5한테서 백 하나 꺼내서 0한테 10개 주는거?", (), "백은 4개"),
    ],
)
def test_what_is_told_beside_a_task_is_heard(expression: str, message: str, found: tuple[str, ...], has: str) -> None:
    assert has in (said(expression, message, found) or "")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("52-38", "14야?"), ("52-38", "12+2?"), ("28+15", "42+1은?"), ("47+36", "63-27 어떻게 풀어?"),
        ("47+36", "825+376은?"), ("84÷7", "10이랑 2?"), ("7×8", "7×8은 54"),
    ],
)  # fmt: skip
def test_guesses_and_other_problems_are_no_steps(expression: str, message: str) -> None:
    told = said(expression, message)
    assert told is None or not any(word in told for word in ("맞아", "응,", "좋아"))


def test_what_is_due_goes_on_in_the_way_of_the_child() -> None:
    up = problem_of("63-48")
    assert due_step(up, {"found": {up.expression: ["48+2=50"]}}) == "50에서 63까지 몇 칸인지 세어 봐."
    near = problem_of("45+29")
    assert "30을" in due_step(near, {"found": {near.expression: ["45+30=75"]}})
    assert due_step(near, {}) == ""


def test_both_parts_are_known_when_they_come_to_the_answer() -> None:
    problem = problem_of("24×6")
    assert both_parts(problem, {"found": {problem.expression: ["20×6=120", "4×6=24"]}}) == (120, 24)
    assert both_parts(problem, {"found": {problem.expression: ["20×6=120"]}}) is None

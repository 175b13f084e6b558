"""Worksheets that adults ask for: the problems are what was asked for, and stay so when the sheet is changed."""

from typing import Final

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.worksheets.new_sheets import asks_for_examples, is_of_sheet, missed_wanted, new_sheet, of_missed
from maththera.chat.worksheets.sheet_changes import changed_sheet
from maththera.chat.worksheets.sheet_problems import Focus, Sheet

BORROW: Final = Focus("borrow", "smaller_from_larger", known=True)
CARRY: Final = Focus("carry", "sum_carry_dropped", known=True)


def asked(*messages: str, focus: Focus = CARRY) -> tuple[Sheet, str]:
    assert is_of_sheet(messages[0])
    sheet, told = new_sheet(messages[0], focus)
    for message in messages[1:]:
        found = changed_sheet(sheet, message, focus)
        assert found is not None, message
        sheet, told = found
    return sheet, told


def kinds(sheet: Sheet) -> list[str]:
    return [task.kind for tasks in sheet.sets for task in tasks]


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("받아올림 있는 두 자리 덧셈 여덟 문제 학습지로", ["carry"] * 8),
        ("받아내림 학습지 좀요 여섯 개", ["borrow"] * 6),
        ("뺄셈 연습 문제 다섯 개만 만들어 주세요", ["borrow"] * 5),
        ("받아올림 없는 덧셈 문제 4개 뽑아 주세요", ["add"] * 4),
        ("구구단 문제 3개 내 주세요", ["times"] * 3),
        ("받아올림 있는 거 2 없는 거 3 학습지로 주세요", ["carry"] * 2 + ["add"] * 3),
        (
            "첫 진단지 만들어 주세요, 덧셈 뺄셈 섞어서 여덟 문제",
            ["add"] * 2 + ["carry"] * 2 + ["take"] * 2 + ["borrow"] * 2,
        ),
        ("연습 문제 세트로 만들어 줘요, A형 B형 두 개씩", ["carry"] * 4),
    ],
)
def test_a_sheet_has_as_many_problems_of_each_kind_as_were_asked_for(message: str, wanted: list[str]) -> None:
    sheet, told = asked(message)
    assert kinds(sheet) == wanted
    assert "답이에요" not in told


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("받아올림 문제 열한 개 만들어줘", 11),
        ("받아올림 문제 열네 개 만들어줘", 14),
        ("뺄셈 문제 열여섯 개 내 주세요", 16),
        ("덧셈 열일곱 문제 뽑아 주세요", 17),
        ("덧셈 십오 문제 만들어 주세요", 15),
    ],
)
def test_any_number_in_words_is_heard(message: str, count: int) -> None:
    sheet, told = asked(message)
    assert len(sheet.sets[0]) == count
    assert "까지 담을 수 있어요" not in told


@pytest.mark.parametrize(
    "message",
    [
        "받아올림 문제 서른 개 만들어줘",
        "받아올림 문제 스물다섯 개 만들어줘",
        "덧셈 문제 쉰 개 만들어줘",
        "덧셈 문제 100개 만들어줘",
        "받아올림 있는 거 30 없는 거 10 학습지로 주세요",
    ],
)
def test_more_problems_than_a_sheet_can_have_are_said(message: str) -> None:
    sheet, told = asked(message)
    assert len(sheet.sets[0]) == 20
    assert told.endswith("한 장에는 20문제까지 담을 수 있어요. 더 필요하시면 다른 문제로 한 장 더 만들어 드릴게요.")


@pytest.mark.parametrize(
    "message", ["비슷한 문제 다섯 개 만들어 주세요", "문제 좀 내 주세요", "문제 몇 개만 뽑아 주실래요"]
)
def test_a_wish_for_problems_is_heard(message: str) -> None:
    assert is_of_sheet(message)


@pytest.mark.parametrize(
    "message",
    ["틀린 문제 다섯 개 보여 주세요", "제일 오래 걸린 문제 5개", "하늘이 몇 문제 풀었어요?",
     "푼 문제를 표로 만들어 주세요", "문제가 있는 걸까요", "문제 하나를 어떻게 설명해 줘요?"],
)  # fmt: skip
def test_what_asks_for_records_or_for_advice_wants_no_sheet(message: str) -> None:
    assert not is_of_sheet(message)


def test_answers_are_those_of_the_sheet_as_it_stands() -> None:
    sheet, told = asked("받아올림 덧셈 네 문제 학습지로 주세요", "1번이랑 4번 바꿔줘", "답지는 따로")
    assert [f"{task.problem.expression}={task.problem.answer}" in told for task in sheet.sets[0]] == [True] * 4
    first, _ = asked("받아올림 덧셈 네 문제 학습지로 주세요")
    assert sheet.sets[0][0] == first.sets[0][3]


def test_problems_with_a_zero_above_still_need_a_borrow() -> None:
    sheet, _ = asked("확인 문제 네 개만, 0 있는 거 둘 없는 거 둘", focus=BORROW)
    assert kinds(sheet) == ["borrow"] * 4
    assert [task.a % 10 == 0 for task in sheet.sets[0]] == [True, True, False, False]


def test_that_a_borrow_leaves_no_zero_is_said_and_nothing_false_is_made() -> None:
    before, _ = asked("받아내림 학습지 여섯 개 주세요", focus=BORROW)
    sheet, told = asked("받아내림 학습지 여섯 개 주세요", "답에 0 들어가는 것도 하나", focus=BORROW)
    assert sheet == before
    assert "없어요" in told


def test_smaller_numbers_keep_the_borrow() -> None:
    sheet, _ = asked("받아내림 학습지 다섯 개 주세요", "숫자 좀 작게요", focus=BORROW)
    assert kinds(sheet) == ["borrow"] * 5
    assert all(task.a < 45 for task in sheet.sets[0])


def test_marks_are_counted_on_the_sheet() -> None:
    sheet, told = asked(
        "학습지: 받아올림 있는 거 5 없는 거 5 섞어서, 있는지 먼저 표시하게",
        "표시는 동그라미 말고 별",
        "별 몇 개 나와야 돼요",
    )
    places = [str(place) for place, task in enumerate(sheet.sets[0], start=1) if task.kind == "carry"]
    assert told == f"별은 5개가 나와야 해요: {', '.join(places)}번이에요."


def test_only_the_story_of_the_animal_is_changed() -> None:
    before, _ = asked("문장제 세 개만, 덧셈 둘 뺄셈 하나로 주세요")
    sheet, told = asked("문장제 세 개만, 덧셈 둘 뺄셈 하나로 주세요", "토끼 문제만 받아올림 있게")
    assert sheet.sets[0][0].kind == "carry"
    assert sheet.sets[0][1:] == before.sets[0][1:]
    assert "토끼" in told


def test_gaps_have_one_solution() -> None:
    sheet, told = asked("빈칸 채우기 도전 문제 세 개 주세요")
    for task, line in zip(sheet.sets[0], told.splitlines()[1:], strict=True):
        shown = line.partition(") ")[2]
        sign = "+" if task.op == "+" else "−"
        fitting = [
            (tens, ones) for tens in range(1, 10) for ones in range(10)
            if shown == f"□{task.a % 10}{sign}{task.b // 10}□={task.problem.answer}"
            and _result(10 * tens + task.a % 10, task.op, task.b // 10 * 10 + ones) == task.problem.answer
        ]  # fmt: skip
        assert fitting == [(task.a // 10, task.b % 10)]


def _result(a: int, op: str, b: int) -> int:
    return a + b if op == "+" else a - b


def test_a_wrong_answer_that_tells_something_stands_beside_problems_to_check_with() -> None:
    _, told = asked("확인할 문제 두 개만 줘 보세요")
    assert told.count("같은 실수예요") == 2


@pytest.mark.parametrize(
    ("message", "examples"), [("예를 들면?", True), ("예시 좀요", True), ("예를 들어 틀린 답은?", False)]
)
def test_examples_are_asked_for_by_nothing_else(message: str, *, examples: bool) -> None:
    assert asks_for_examples(message) is examples


def test_what_wants_nothing_of_the_sheet_changes_nothing() -> None:
    sheet, _ = asked("받아올림 덧셈 네 문제 학습지로 주세요")
    assert changed_sheet(sheet, "아이가 힘들어하면 어떻게 해요?", CARRY) is None


FIRST: Final = "받아올림 있는 덧셈 학습지 6문제 주세요"


def test_the_second_number_may_have_one_digit() -> None:
    sheet, _ = asked(FIRST, "두 자리+한 자리로 바꿔 주세요")
    assert kinds(sheet) == ["carry"] * 6
    assert all(task.a > 9 and task.b < 10 for task in sheet.sets[0])


@pytest.mark.parametrize(
    ("wish", "places", "kind"),
    [
        ("앞에 두 개는 받아올림 없는 걸로요", [0, 1], "add"),
        ("첫 문제는 올림 없는 쉬운 걸로", [0], "add"),
        ("마지막 세 개는 받아올림 없게, 없는 걸로", [3, 4, 5], "add"),
        ("5번은 받아내림 있는 뺄셈으로요", [4], "borrow"),
    ],
)
def test_some_problems_are_changed_and_the_rest_stays(wish: str, places: list[int], kind: str) -> None:
    before, _ = asked(FIRST)
    sheet, _ = asked(FIRST, wish)
    assert [sheet.sets[0][place].kind for place in places] == [kind] * len(places)
    same = [place for place in range(6) if place not in places]
    assert [sheet.sets[0][place] for place in same] == [before.sets[0][place] for place in same]


@pytest.mark.parametrize(("wish", "place"), [("하나는 세 자리로요", 5), ("2번만 세자리로", 1)])
def test_one_problem_gets_three_digits(wish: str, place: int) -> None:
    sheet, _ = asked(FIRST, wish)
    assert [len(str(task.a)) for task in sheet.sets[0]] == [3 if at == place else 2 for at in range(6)]


@pytest.mark.parametrize("wish", ["정답은 맨 밑에요", "답도 아래에 적어 주세요", "해답 포함해서"])
def test_answers_stand_below_and_stay(wish: str) -> None:
    sheet, told = asked(FIRST, wish)
    assert f"6) {sheet.sets[0][5].problem.expression}={sheet.sets[0][5].problem.answer}" in told
    _, later = asked(FIRST, wish, "1번은 다른 걸로")
    assert "정답 1)" in later
    assert "정답 1)" in asked(f"{FIRST}, 답 포함")[1]


@pytest.mark.parametrize(
    ("first", "theme"),
    [
        ("문장제 3개, 받아올림 덧셈, 떡볶이집 배경으로", "떡볶이집"),
        ("공룡 나오는 덧셈 문장제 두 문제 주세요", "공룡"),
        ("놀이공원을 주제로 문장제 세 개 만들어 주세요", "놀이공원"),
    ],
)
def test_stories_are_about_what_was_named(first: str, theme: str) -> None:
    sheet, told = asked(first)
    assert all(theme in line for line in told.splitlines()[1:])
    assert "토끼" not in told
    short, _ = asked(first, "글이 길면 안 읽어요, 반으로")
    assert short.sets == sheet.sets
    assert short.short
    other, told = asked(first, "배경만 농구장으로도 한 세트")
    assert "농구장" in told
    assert other.sets != sheet.sets
    assert kinds(other) == kinds(sheet)


@pytest.mark.parametrize(
    ("question", "first"), [("2번 받아올림 있는 거 맞아요?", "네"), ("두 번째 받아올림 없는 거 맞죠?", "아니요")]
)
def test_a_problem_is_checked(question: str, first: str) -> None:
    before, _ = asked(FIRST)
    sheet, told = asked(FIRST, question)
    assert told.startswith(first)
    assert f"2번은 {before.sets[0][1].problem.expression}=" in told
    assert sheet == before


@pytest.mark.parametrize(
    ("messages", "wanted"),
    [
        (("뺄셈 네 문제 만들어줘", "덧셈으로 바꿔줘"), ["carry"] * 4),
        (("덧셈 네 문제 만들어줘", "뺄셈도 섞어줘"), ["carry"] * 2 + ["borrow"] * 2),
        (("덧셈 네 문제 만들어줘", "나눗셈도 2문제 넣어줘"), ["carry"] * 4 + ["share"] * 2),
        (("받아올림이랑 받아내림 반반 6문제 학습지", "순서 섞어줘"), ["carry"] * 3 + ["borrow"] * 3),
        (("나눗셈 5문제 나머지 없이", "반으로 줄여줘"), ["share"] * 2),
        (("뺄셈 네 문제 만들어줘", "두 배로 늘려줘"), ["borrow"] * 8),
    ],
)
def test_a_sheet_gets_other_operations_orders_and_numbers(messages: tuple[str, ...], wanted: list[str]) -> None:
    assert sorted(kinds(asked(*messages)[0])) == sorted(wanted)


def test_tables_are_mixed_and_come_again_where_there_are_too_few() -> None:
    two = asked("2단 5단 섞어서 10문제 만들어줘")[0].sets[0]
    assert {task.a for task in two} == {2, 5}
    three = asked("구구단 3단 학습지 12문제", "4단도 섞어서")[0].sets[0]
    assert (len(three), {task.a for task in three}) == (12, {3, 4})
    assert len(asked("구구단 3단 학습지 12문제")[0].sets[0]) == 12


def test_the_order_is_another_and_the_problems_are_the_same() -> None:
    before, _ = asked("뺄셈 여덟 문제 만들어줘")
    mixed, _ = asked("뺄셈 여덟 문제 만들어줘", "순서 섞어줘")
    turned, _ = asked("뺄셈 여덟 문제 만들어줘", "거꾸로 순서로")
    assert set(mixed.sets[0]) == set(before.sets[0])
    assert mixed.sets[0] != before.sets[0]
    assert turned.sets[0] == before.sets[0][::-1]


def test_harder_and_easier_go_step_by_step_to_an_end() -> None:
    sheet, told = asked("뺄셈 네 문제 만들어줘")
    for _ in range(6):
        found = changed_sheet(sheet, "너무 쉬워요", CARRY)
        assert found is not None
        sheet, told = found
        assert len(sheet.sets[0]) == 4
    assert "가장 어려운" in told
    assert all(task.a > 99 for task in sheet.sets[0])
    for _ in range(8):
        found = changed_sheet(sheet, "너무 어렵대요", CARRY)
        assert found is not None
        sheet, told = found
        assert len(sheet.sets[0]) == 4
    assert "가장 쉬운" in told
    assert all(task.kind == "take" and task.a < 10 for task in sheet.sets[0])


def test_the_answers_are_of_a_size_and_of_the_sum() -> None:
    sheet, _ = asked("연습 문제 10개 만들어줘", "합이 20까지만")
    assert all(task.op == "+" and task.answer <= 20 for task in sheet.sets[0])
    assert len(sheet.sets[0]) == 10
    above, _ = asked("한자리 덧셈 문제 5개 뽑아줘요", "합이 10 넘는걸로만")
    assert all(task.answer > 10 for task in above.sets[0])


def test_several_wishes_of_a_message_are_all_kept() -> None:
    sheet, told = asked("뺄셈 10문제 만들어줘", "6문제로 줄여주시고 답도 넣어주세요")
    assert (len(sheet.sets[0]), sheet.answers) == (6, True)
    assert "정답" in told


@pytest.mark.parametrize(
    "message", ["정답도 줘", "답지는?", "답이랑 식도요", "채점 기준도", "정답지 따로 만들어주세요", "답"]
)
def test_the_answers_are_given_when_they_are_asked_for(message: str) -> None:
    sheet, told = asked("받아올림 덧셈 네 문제 학습지로 주세요", message)
    assert all(f"{task.expression}={task.answer}" in told for task in sheet.sets[0])


def test_answers_come_with_the_sheet_and_go_again() -> None:
    sheet, told = asked("뺄셈 5문항 만들고 답도")
    assert sheet.answers
    assert "정답" in told
    again = changed_sheet(sheet, "답 빼고", CARRY)
    assert again is not None
    assert "정답" not in again[1]


def test_the_steps_of_every_problem_are_told() -> None:
    sheet, told = asked("뺄셈 네 문제 만들어줘", "푸는 과정도 붙여")
    assert all(f"{task.expression}={task.answer}: " in told for task in sheet.sets[0])


def test_problems_that_were_missed_make_a_sheet() -> None:
    problems = [make_problem(52, "-", 38), make_problem(47, "+", 36), make_problem(52, "-", 38)]
    assert missed_wanted("틀린 문제만 모아서 학습지 만들어줘")
    assert missed_wanted("오답노트 만들어줘")
    assert not missed_wanted("틀린 문제 몇 개야?")
    sheet = of_missed(problems, "틀린 문제 다시 풀게 해주세요")
    assert sheet is not None
    assert [task.expression for task in sheet.sets[0]] == ["52−38", "47+36"]
    assert of_missed([], "틀린 문제 다시") is None


def test_pairs_of_ten_are_asked_with_a_gap() -> None:
    sheet, told = asked("10의 보수 활동지 만들어줘")
    assert all(task.a + task.b == 10 and f"{task.a}+□=10" in told for task in sheet.sets[0])


def test_a_second_set_is_made_easier_alone() -> None:
    before, _ = asked("덧셈 뺄셈 섞어서 8문제 2장")
    after, _ = asked("덧셈 뺄셈 섞어서 8문제 2장", "하나는 쉽게")
    assert len(before.sets) == 2
    assert before.sets[0] == after.sets[0]
    assert before.sets[1] != after.sets[1]


def test_division_with_a_rest_is_told_to_be_for_paper() -> None:
    assert "아이가 푸는 연습에는 없어서" in asked("나머지가 있는 나눗셈 5문제 만들어줘")[1]
    assert "연습에는 없어서" not in asked("나눗셈 5문제 만들어줘")[1]


def test_stories_are_about_what_is_named() -> None:
    sheet, told = asked("덧셈 문제 3개 만들어줘", "이야기로 바꿔봐", "축구 좋아하니까 축구로")
    assert (sheet.form, sheet.theme) == ("story", "축구")
    assert "축구" in told


def test_some_problems_get_another_form_or_kind() -> None:
    sheet, _ = asked("받아올림 덧셈 10문제 만들어줘", "뒤에 5개는 문장제로")
    assert [task.form for task in sheet.sets[0]] == ["sum"] * 5 + ["story"] * 5
    other, _ = asked("받아올림 덧셈 5문제 만들어줘", "3문제는 쉬운 빼기로")
    assert [task.op for task in other.sets[0]] == ["+", "+", "-", "-", "-"]


@pytest.mark.parametrize("wish", ["숫자가 너무 커요", "수를 조금 더 작게 바꿔 주세요", "숫자를 좀 줄여 줘요"])
def test_smaller_numbers_keep_the_carry(wish: str) -> None:
    before, _ = asked("받아올림 있는 덧셈 여섯 문제 만들어 주세요")
    sheet, _ = asked("받아올림 있는 덧셈 여섯 문제 만들어 주세요", wish)
    assert kinds(sheet) == kinds(before)
    assert max(task.answer for task in sheet.sets[0]) < max(task.answer for task in before.sets[0])


def test_one_problem_that_is_too_easy_is_made_harder_alone() -> None:
    before, _ = asked("받아내림 있는 뺄셈 네 문제 만들어 주세요", focus=BORROW)
    sheet, _ = asked("받아내림 있는 뺄셈 네 문제 만들어 주세요", "2번은 너무 쉬워요", focus=BORROW)
    changed = [at for at, (one, other) in enumerate(zip(before.sets[0], sheet.sets[0], strict=True)) if one != other]
    assert changed == [1]
    assert sheet.sets[0][1].a > 99


def test_another_operation_keeps_the_size_of_the_numbers() -> None:
    sheet, _ = asked("세 자리 덧셈 네 문제 만들어 주세요", "뺄셈으로만 바꿔 주세요")
    assert all(task.op == "-" and task.a > 99 for task in sheet.sets[0])

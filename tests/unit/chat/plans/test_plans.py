"""Plans that adults want, and the changes of them."""

from typing import Final

from maththera.chat.plans.plan_book import PlanBook
from maththera.chat.plans.plan_changes import changed_plan
from maththera.chat.plans.plan_texts import PlanWriter
from maththera.chat.plans.plans import Plan, plan_wanted
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import load_problem_kinds
from maththera.settings import home
from tests.unit.chat.letters.test_letters import CHILD

BOOK: Final = PlanBook.load(home())
WRITER: Final = PlanWriter(BOOK, load_problem_kinds(home()))


def test_a_plan_has_the_minutes_that_were_asked_for() -> None:
    plan = plan_wanted(BOOK, "5분에 뭘 해요 하늘이랑", ["a"])
    assert plan == Plan(5, ("a",))
    told = WRITER.text(plan, {"a": CHILD})
    assert "5분" in told
    assert "받아올림" not in told.splitlines()[1]
    assert plan_wanted(BOOK, "차 안에서 할 만한 거 없을까요 통학 20분", ["a"]) is None


def test_a_plan_for_several_is_changed_for_one_of_them() -> None:
    children = {"a": CHILD, "b": Child("도윤")}
    plan = plan_wanted(BOOK, "보충 40분 계획 짜 주세요", ["a", "b"])
    assert plan is not None
    found = changed_plan(BOOK, plan, "도윤이는 집중이 10분이 한계예요", ["b"])
    assert found is not None
    lines = WRITER.text(found[0], children).splitlines()
    assert [line for line in lines if "10분씩" in line] == [line for line in lines if "도윤" in line]


def plan_after(first: str, *messages: str, named: tuple[str, ...] = ()) -> tuple[Plan, str]:
    plan = plan_wanted(BOOK, first, ["a"])
    assert plan is not None
    for message in messages:
        found = changed_plan(BOOK, plan, message, named)
        assert found is not None, message
        plan = found[0]
    return plan, WRITER.text(plan, {"a": CHILD, "b": Child("민수")})


def test_a_plan_has_the_days_that_are_wanted_now() -> None:
    week = "집에서 일주일동안 할 계획 짜줘요"
    assert plan_after(week, "3일만 할수있어요")[0].days == ("월", "화", "수")
    assert plan_after(week, "월수금으로만")[0].days == ("월", "수", "금")
    assert plan_after(week, "주말만 할래요")[0].days == ("토", "일")
    plan, told = plan_after(week, "3일만 할수있어요", "하루 5분이요")
    assert (len(plan.days), plan.minutes) == (3, 5)
    assert told.count("요일:") == 3


def test_a_plan_is_shorter_a_table_over_weeks_and_for_another_child() -> None:
    week = "집에서 일주일동안 할 계획 짜줘요"
    assert len(plan_after(week, "짧게")[1]) < len(plan_after(week)[1])
    assert "| 월요일 |" in plan_after(week, "표로 보고싶어요")[1]
    assert "2주째" in plan_after("매일 10분 2주 계획")[1]
    _, told = plan_after("15분 활동 짜줘", "민수도 같이 할수있게", named=("b",))
    assert "하늘이:" in told
    assert "민수:" in told
    assert "놀이" in plan_after("15분 활동 짜줘", "마지막에 놀이 넣어줘")[1]


def test_one_day_of_a_plan_is_a_game_and_the_others_stay() -> None:
    plan, _ = plan_after("하늘이 일주일 계획 짜 주세요", "화요일은 빼 주세요")
    before = WRITER.text(plan, {"a": CHILD}).splitlines()
    plan, _ = plan_after("하늘이 일주일 계획 짜 주세요", "화요일은 빼 주세요", "목요일은 놀이로 바꿔 주세요")
    after = WRITER.text(plan, {"a": CHILD}).splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0].startswith("- 목요일")
    assert "놀이" in changed[0]


def test_a_day_is_what_was_named_for_it() -> None:
    plan, _ = plan_after("하늘이 일주일 계획 짜 주세요", "월요일은 좀 쉬운 걸로 해 주세요")
    assert plan.days[0] == "월"
    plan, _ = plan_after("하늘이 일주일 계획 짜 주세요", "수요일에는 숫자 노래로 바꿔 줘요")
    assert "숫자 노래" in WRITER.text(plan, {"a": CHILD})


def test_how_to_open_is_told_and_changes_nothing() -> None:
    plan = plan_wanted(BOOK, "보충 20분 계획 짜 주세요", ["a"])
    assert plan is not None
    found = changed_plan(BOOK, plan, "처음에는 뭘 해요?", ())
    assert found is not None
    assert found[0] == plan
    assert found[1].startswith("처음 5분")

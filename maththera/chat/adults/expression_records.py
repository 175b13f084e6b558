"""What the records of children have of an expression: who answered so, how often, and what of it fits a child."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.chat.adults.expression_ways import how_it_came
from maththera.chat.coach.learner_facts import ENOUGH, WEAK_SHARE, kind_of
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.records.child_record import Child, procedure_of
from maththera.chat.worksheets.sheet_texts import KIND_NAMES
from maththera.korean.particles import with_particle

_FEW_RECORDS: Final = 2


def whether_early(problem: Problem, child: Child) -> str:
    """Whether an expression comes too early for a child by its records."""
    own = next((one for one in child.facts["kinds"] if one["kind"] == kind_of(problem)), None) if child.facts else None
    if own is None:
        return ""
    name, right, answered = KIND_NAMES[own["kind"]], own["right"], own["answered"]
    if answered >= ENOUGH and right < WEAK_SHARE * answered:
        return (f"네, 지금은 조금 일러 보여요. 기록의 {name} {answered}문제 가운데 {right}문제를 맞혔으니 "
                f"작은 수에서 열 문제에 여덟 문제쯤 "
                f"맞힌 다음 {problem.expression}처럼 큰 수로 가는 것이 좋아요. 못 한다는 뜻이 아니라 순서의 "
                f"문제예요.")  # fmt: skip
    return (
        f"아니요, 기록의 {name} {answered}문제 가운데 {right}문제를 맞혔으니 {problem.expression}도 함께 해 볼 만해요."
    )


def fitting_way(problem: Problem, child: Child) -> str:
    """Which way, and which size of numbers, fits a child by its records."""
    own = next((one for one in child.facts["kinds"] if one["kind"] == kind_of(problem)), None) if child.facts else None
    if own is None:
        return ""
    name, digits = KIND_NAMES[own["kind"]], len(str(max(problem.a, problem.b)))
    counted = (
        f"{with_particle(child.called, '은는')} {name} {own['answered']}문제 가운데 {own['right']}문제를 맞혔어요."
    )
    if own["answered"] >= ENOUGH and own["right"] < WEAK_SHARE * own["answered"]:
        first = (
            "두 자리에서 십 하나를 푸는 것부터 모형으로 단단히 하고, "
            if digits > 2
            else "모형을 놓아 보며 한 걸음씩 하고, "
        )
        return (f"{counted} 그래서 {first}모형이나 그림으로 보이는 방법을 먼저 하는 쪽을 권해요. 두 자리를 "
                f"잇따라 맞히면 "
                "그때 더 큰 수로, 짧게 쓰는 방법으로 넘어가면 돼요. 늦는 것이 아니라 순서예요.")  # fmt: skip
    return f"{counted} 어느 쪽이든 괜찮으니 둘 다 보여 주고 아이가 편한 쪽을 고르게 하세요."


def recorded(problem: Problem, given: int | None, children: Sequence[Child]) -> list[str]:
    """Who answered so, and how often the same procedure was followed."""
    rule = procedure_of(problem, given)
    lines: list[str] = []
    for child in children:
        same = [one for one in child.answers if one.problem.expression == problem.expression]
        so = [one for one in same if (one.given == given if given is not None else not one.right)]
        if so and given is not None:
            lines.append(
                f"{child.called}의 기록에는 {problem.expression}에 {with_particle(given, '라고')} 답한 것이 "
                f"{len(so)}번 있어요."
            )
        elif so:
            solved = with_particle(problem.expression, "을를")
            lines.append(f"{child.called}의 기록에는 {solved} {len(same)}번 풀어 {len(so)}번 틀린 것이 있어요.")
    if not lines and given is not None and any(child.known for child in children):
        lines.append("기록에는 그런 답이 없어요.")
    for child in children:
        wrong = [one for one in child.answers if not one.right]
        if rule and (alike := sum(procedure_of(one.problem, one.given) == rule for one in wrong)):
            whose = f"{child.called}에게 " if len(children) > 1 else ""
            lines.append(f"{whose}원인이 같은 답은 {alike}번 있었어요.")
    return lines


def of_child(problem: Problem, child: Child) -> str:
    """What one child answered to a problem, and what that is worth."""
    if not child.known:
        return f"{child.called}의 기록이 아직 없어요. {problem.expression} 같은 문제 두세 개를 먼저 풀게 해 보세요."
    same = [one for one in child.answers if one.problem.expression == problem.expression]
    wrong = Counter(one.given for one in same if not one.right)
    if not same:
        return f"{child.called}의 기록에는 {with_particle(problem.expression, '을를')} 푼 것이 없어요."
    if not wrong:
        return f"{child.called}의 기록에서 {with_particle(problem.expression, '은는')} {len(same)}번 모두 맞혔어요."
    given, times = wrong.most_common(1)[0]
    said = "" if given is None else f" {with_particle(given, '라고')} {times}번 답했어요."
    solved = with_particle(problem.expression, "을를")
    first = (f"네, 기록에 있어요. {with_particle(child.called, '이가')} {solved} {len(same)}번 풀어 "
             f"{wrong.total()}번 틀렸어요."
             f"{said} {_right(problem)}")  # fmt: skip
    rules = malrules_giving(problem, given) if given is not None else ()
    how = f"{given}에 이르는 방법: ‘{rules[0].title}’. {how_it_came(rules[0], problem)}" if rules else ""
    all_wrong = sum(not one.right for one in child.answers)
    few = (
        f"다만 {len(child.answers)}문제 가운데 틀린 것이 {all_wrong}개뿐이라 이것만으로 늘 그런다고 볼 수는 없어요. "
        "같은 종류 두세 문제를 더 풀게 해 확인해 보세요."
        if all_wrong <= _FEW_RECORDS
        else ""
    )
    return "\n".join(filter(None, [first, how, few]))


def _right(problem: Problem) -> str:
    return fill_template("바른 답은 {answer:예요}.", answer=problem.answer)

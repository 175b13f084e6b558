"""The next thing to practise for a child or a class, with the figures that support it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.learner_facts import ENOUGH, OPERATION_OF, STRONG_SHARE, KindId, kind_of
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.records.record_figures import RecordedAnswer, wrong_answer
from maththera.chat.worksheets.sheet_texts import KIND_NAMES

_SELDOM: Final = 0.05
"""Up to this share of wrong answers nothing needs practice."""
_HARDER: Final = {"+": "257+194", "-": "803−754", "x": "24×3", "/": "96÷4"}
_FIRST: Final = "8+6, 23+14, 27+15, 58−23, 52−38"
"""Problems from easy to hard, for a child without records."""


@dataclass(frozen=True, slots=True)
class Need:
    """The kind of problem with most wrong answers. `cause`: the commonest cause, found `count` times; `example`: one of
    its answers."""

    kind: KindId
    answered: int
    wrong: int
    cause: str
    count: int
    example: RecordedAnswer
    problem: Problem

    @property
    def told(self) -> str:
        """받아올림이 있는 덧셈: 36문제 가운데 21번 틀림 ('올린 수를 잊음' 21번, 28+15→33)"""
        often = f"'{self.cause}' {self.count}번, " if self.cause else ""
        wrong = f"{KIND_NAMES[self.kind]}: {self.answered}문제 가운데 {self.wrong}번 틀림"
        return f"{wrong} ({often}{wrong_answer(self.example)})"


def need_of(answers: Sequence[RecordedAnswer], cause_name: Callable[[RecordedAnswer], str]) -> Need | None:
    """What needs practice; None without answers, or with hardly any wrong ones."""
    told = [(each, each.problem, kind_of(each.problem)) for each in answers if each.problem is not None]
    wrong = Counter(kind for each, _, kind in told if not each.correct)
    if wrong.total() <= _SELDOM * len(told):
        return None
    kind, count = wrong.most_common(1)[0]
    own = [(each, problem) for each, problem, one in told if one == kind and not each.correct]
    causes = Counter(name for each, _ in own if (name := cause_name(each)))
    cause, often = causes.most_common(1)[0] if causes else ("", 0)
    example, problem = next((one for one in own if cause_name(one[0]) == cause), own[0])
    return Need(kind, sum(one == kind for *_, one in told), count, cause, often, example, problem)


def next_of_child(
    answers: Sequence[RecordedAnswer], practice: Mapping[KindId, str], cause_name: Callable[[RecordedAnswer], str]
) -> list[str]:
    """The next steps for one child: where to begin, what is hard, and an activity for it."""
    need = need_of(answers, cause_name)
    if need is None:
        return [_without_need(answers)]
    good = best_of(answers)
    start = [f"- 시작: 잘 맞히는 {good}부터 한 문제"] if good else []
    return [
        fill_template("먼저 할 것은 {kind:예요}.", kind=KIND_NAMES[need.kind]),
        f"- {need.told}",
        f"- 활동: {_activity(need, practice)}",
        *start,
        "물건으로 되면 그림, 그다음 식으로 옮기고, 하루 5~10분에 한두 문제면 넉넉해요.",
    ]


def next_of_class(
    answers: Mapping[str, Sequence[RecordedAnswer]],
    practice: Mapping[KindId, str],
    cause_name: Callable[[RecordedAnswer], str],
) -> list[str]:
    """The next steps for several children, by name: first the commonest need, then a line for each child."""
    needs = {name: need for name, own in answers.items() if (need := need_of(own, cause_name))}
    first = max(needs.values(), key=lambda need: need.wrong, default=None)
    lines = [fill_template("가장 많이 틀린 것은 {kind:예요}. 그것부터 다뤄 보세요.", kind=KIND_NAMES[first.kind]),
             f"- 활동: {_activity(first, practice)}"] if first else []  # fmt: skip
    for name, own in sorted(answers.items(), key=lambda one: -needs[one[0]].wrong if one[0] in needs else 0):
        lines.append(f"- {name}: {needs[name].told}" if name in needs else f"- {name}: {_without_need(own)}")
    return lines


def _activity(need: Need, practice: Mapping[KindId, str]) -> str:
    return fill_template(practice[need.kind], a=need.problem.a, b=need.problem.b)


def _without_need(answers: Sequence[RecordedAnswer]) -> str:
    """The sentence for a child with hardly any wrong answers, or with no answers."""
    if not answers:
        return f"아직 기록이 없어요. {_FIRST}처럼 쉬운 것부터 풀려 보고, 처음 막히는 것부터 하세요."
    wrong = [each for each in answers if not each.correct]
    right = f"{len(answers)}문제 가운데 {len(answers) - len(wrong)}문제 맞음."
    once = f" 틀린 것은 {', '.join(dict.fromkeys(map(wrong_answer, wrong)))}뿐이에요." if wrong else ""
    harder = ", ".join(_HARDER[op] for op in _HARDER if any(each.problem and each.problem.op == op for each in answers))
    return f"{right}{once} 한 단계 어려운 문제({harder})나 푼 방법 말하기, 이야기 문제로 바꾸기를 해 보세요."


def best_of(answers: Sequence[RecordedAnswer]) -> str:
    """The kind of problem that goes best, with its figures: 받아내림이 없는 뺄셈(15문제 가운데 15문제 맞음); ""
    if none does."""
    counts = Counter(kind_of(each.problem) for each in answers if each.problem)
    right = Counter(kind_of(each.problem) for each in answers if each.problem and each.correct)
    good = [kind for kind in OPERATION_OF if counts[kind] >= ENOUGH and right[kind] >= STRONG_SHARE * counts[kind]]
    best = max(good, key=lambda kind: (right[kind] / counts[kind], counts[kind]), default=None)
    return f"{KIND_NAMES[best]}({counts[best]}문제 가운데 {right[best]}문제 맞음)" if best else ""

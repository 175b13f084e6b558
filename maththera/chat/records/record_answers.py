"""Answers to questions about records: first what was counted, then the figures, in four levels of detail or as a
table."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from maththera.arithmetic.problem import SIGNS, make_problem
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.records.figure_answers import FigureAnswers
from maththera.chat.records.figure_texts import FigureTexts, markdown
from maththera.chat.records.follow_up_questions import alike_in_cause
from maththera.chat.records.next_steps import best_of, need_of, next_of_child, next_of_class
from maththera.chat.records.record_figures import (
    OPERATIONS,
    WEEKDAYS,
    RecordedAnswer,
    Row,
    days_without,
    grouped,
    ordered,
    procedures,
    restricted,
    row_of,
    spoken_day,
    within,
    wrong_answer,
)
from maththera.chat.records.record_question import RecordQuestion, Restriction, Wish
from maththera.korean.particles import with_particle

_LISTED: Final[Mapping[LevelName, int]] = {"elementary": 5, "beginner": 20, "intermediate": 30, "advanced": 60}
_PROBLEM_HEAD: Final = ("학생", "날짜", "문제", "답", "결과", "시간(초)", "원인")
_SELDOM: Final = 2
"""Up to so many times, a cause is not called frequent."""
_OF_NONE: Final = ("away", "trainings")
"""Wishes that can be answered even if there are no records."""
_TIMED: Final = 5
"""How many of the slowest or fastest problems are listed."""


@dataclass(frozen=True, slots=True)
class RecordAnswerer:
    """Writes the answers. `texts` has the names of the caller's learners; `for_guardian`: only confirmed causes are
    told."""

    texts: FigureTexts
    for_guardian: bool

    def answers(self, question: RecordQuestion, recorded: Sequence[RecordedAnswer]) -> dict[LevelName, str]:
        """The answer at every level; higher levels list more."""
        return {level: self.answer(question, recorded, level) for level in LEVEL_NAMES}

    def answer(self, question: RecordQuestion, recorded: Sequence[RecordedAnswer], level: LevelName) -> str:
        """The answer at one level: whose records, from when, what was counted, and the figures."""
        words = self.texts.words.texts
        if question.fault:
            return words.of_fault(question.fault, question.about, ", ".join(self.texts.names.values()))
        question = _compared(question)
        wanted = () if question.whole else question.children
        own = [each for each in recorded if (not wanted or each.child in wanted) and each.child not in question.without]
        found = within(own, question.spans)
        if question.among is not None:
            found = _chosen(question.among, found)
        lines = self._lines(question, found, level)
        return "\n".join(filter(None, [*question.notes, *lines]))

    def _lines(self, question: RecordQuestion, found: Sequence[RecordedAnswer], level: LevelName) -> list[str]:
        words = self.texts.words.texts
        if not found and question.by != "child" and question.wish not in _OF_NONE and _is_of_one_time(question):
            told = words.none.format(scope=self.texts.scope(question, topic=False)).strip()
            if not question.spans and len(question.children) == 1 and level != "elementary":
                return [f"{told} {words.start}"]
            return [f"{told} {words.hint}" if question.spans and level != "elementary" else told]
        if question.wish in ("included", "left_out"):
            return self._included(question, found)
        if question.wish == "first":
            return [self.texts.scope(question), *self._first(question, found)]
        if question.wish == "letter":
            return [self._letter(question, restricted(found, question.only, correct=False))]
        if question.wish == "figures":
            lines = FigureAnswers(self.texts).lines(question, found, level)
        elif question.wish == "problems":
            lines = self._problems(question, found, _LISTED[level])
        else:
            lines = self._others[question.wish](self, question, found)
        return [self.texts.scope(question), *lines]

    def row_at(self, question: RecordQuestion, recorded: Sequence[RecordedAnswer], place: int) -> str | None:
        """The key of the row at a place (from 1) in the answer to a question; None if there is no such row."""
        question = _compared(question)
        counted = restricted(within(recorded, question.spans), question.only, correct=False)
        measure = self.texts.measure(question)
        rows = ordered(grouped(counted, question, self.texts.children(question), ""), question, measure)
        there = [row.key for row in rows if row.answered or question.bound]
        return there[place - 1] if 0 < place <= len(there) else None

    # --- the kinds of answers -------------------------------------------------------------------------------------

    def _problems(self, question: RecordQuestion, found: Sequence[RecordedAnswer], listed: int) -> list[str]:
        chosen = _chosen(question, found)
        if not chosen:
            return ["그런 문제는 없어요."]
        if question.form != "text":
            return markdown(_PROBLEM_HEAD, [self._problem_cells(each) for each in chosen])
        told = Counter(self._problem_line(each, question) for each in chosen)
        if question.example:
            wrong = [each for each in chosen if not each.correct]
            told = Counter(self._problem_line(each, question) for each in wrong or chosen)
            line, number = told.most_common(1)[0]
            return [f"{line}, {number}번" if number > 1 else line]
        lines = [line if number == 1 else f"{line}, {number}번" for line, number in told.items()]
        more = [f"(그 밖에 {len(lines) - listed}개)"] if len(lines) > listed else []
        return [f"모두 {len(chosen)}문제예요.", *lines[:listed], *more]

    def _problem_cells(self, each: RecordedAnswer) -> list[str]:
        given = "" if each.given is None else str(each.given)
        seconds = "" if each.seconds is None else f"{each.seconds:.1f}"
        result = "맞음" if each.correct else "틀림"
        name, cause = self.texts.names.get(each.child, each.child), self.texts.cause_name(each)
        return [name, each.at.date().isoformat(), each.expression, given, result, seconds, cause]

    def _problem_line(self, each: RecordedAnswer, question: RecordQuestion) -> str:
        timed, mixed = question.measure == "seconds", question.only.correct is None and question.measure != "wrong"
        parts = [wrong_answer(each)]
        if timed and each.seconds is not None:
            parts.append(f"{each.seconds:.1f}초")
        if timed or mixed:
            parts.append("맞음" if each.correct else "틀림")
        if not timed and not question.only.causes and (name := self.texts.cause_name(each)):
            parts.append(name)
        if question.dated:
            parts.append(spoken_day(each.at.date()))
        many = len(self.texts.children(question)) > 1
        return f"- {self.texts.names.get(each.child, each.child) + ': ' if many else ''}{', '.join(parts)}"

    def _given(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        chosen = restricted(found, question.only, correct=False)
        if any(not each.correct for each in chosen) or question.measure == "wrong":
            chosen = [each for each in chosen if not each.correct]
        if not chosen:
            return ["틀린 답은 없어요."]
        counts = Counter((each.expression, each.given, each.correct) for each in chosen)
        return [
            f"- {expression}: {'' if given is None else with_particle(given, '라고') + ' '}{number}번 "
            f"{'답을 적지 않았어요' if given is None else '답했어요'}{'' if right else ' (틀림)'}."
            for (expression, given, right), number in counts.most_common(10)
        ]

    def _why(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        wrong = [each for each in restricted(found, question.only, correct=False) if not each.correct]
        claim = self._claim(question.only)
        if not wrong and not claim and any(not each.correct for each in found):
            told = f"{self.texts.only_text(question)}에는 틀린 답이 없어요. 다른 문제에서 틀린 답은 이래요."
            return [told, *self._why(replace(question, only=Restriction()), found)]
        if not wrong and claim:
            alike = restricted(found, alike_in_cause(question.only))
            told = f" 원인이 같은 답은 {len(alike)}번 있었어요." if alike else ""
            return [*claim, f"기록에는 그런 답이 없어요.{told}"]
        if not wrong:
            return ["틀린 답이 없어서 설명할 것이 없어요."]
        lines = claim
        counts = Counter((each.expression, each.given) for each in wrong)
        shown = {(each.expression, each.given): each for each in wrong}
        for key, number in counts.most_common(3):
            each = shown[key]
            how = "" if self.for_guardian and not each.cause else f": {self.texts.procedure(each)}"
            lines.append(f"- {wrong_answer(each)}, {number}번{how}")
        if self.for_guardian:
            return [self._confirmed(wrong), *lines]
        causes = Counter(map(self.texts.cause_of, wrong))
        told = ", ".join(f"{name} {number}번" for name, number in causes.most_common(3))
        once = [self.texts.words.texts.once] if len(wrong) == 1 and not claim else []
        return [f"틀린 답 {len(wrong)}개의 원인: {told}.", *lines, *once]

    def _confirmed(self, wrong: Sequence[RecordedAnswer]) -> str:
        """The confirmed causes of wrong answers, worded as in a report."""
        causes = Counter(name for each in wrong if (name := self.texts.cause_name(each)))
        if not causes:
            return self.texts.words.texts.no_cause.format(wrong=len(wrong))
        told = ", ".join(f"{name} {number}번" for name, number in causes.most_common(3))
        return f"틀린 답 {len(wrong)}개 가운데 확인된 원인: {told}."

    def _claim(self, only: Restriction) -> list[str]:
        """The right answer, and the wrong procedure that gives the answer in question."""
        if only.expression is None or only.given is None:
            return []
        problem = make_problem(*only.expression)
        said = f"{problem.a}{SIGNS[problem.op]}{problem.b}={problem.answer}"
        if only.given == problem.answer:
            return [f"{said}, 맞는 답이에요."]
        rules = procedures(problem, only.given)
        told = f"'{rules[0].title}'" if rules else ""
        return [
            f"바른 답은 {with_particle(said, '예요')}.",
            f"{only.given}에 이르는 방법: {told}" if told else self.texts.words.texts.untold_cause,
        ]

    def _often(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """How many wrong answers share a cause, and on how many days; the commonest cause if none is named."""
        wrong = [each for each in found if not each.correct]
        alike = [each for each in restricted(found, question.only) if not each.correct]
        causes = Counter(name for each in alike if (name := self.texts.cause_name(each)))
        if not causes and alike:
            return [f"그런 답이 {len(alike)}번 있었어요. 원인으로 확인되지는 않았어요."]
        if not causes:
            return ["기록에는 그런 답이 없어요."]
        name, number = causes.most_common(1)[0]
        days = sorted({each.at.date() for each in alike if self.texts.cause_name(each) == name})
        told = fill_template(
            "틀린 답 {wrong}개 가운데 {number}개가 {name:'예요}.", wrong=len(wrong), number=number, name=name
        )
        often = "두 번 넘게 되풀이됐어요." if number > _SELDOM else "아직 자주라고 할 수는 없어요."
        return [told, f"{len(days)}일에 걸쳐 나왔어요: {', '.join(map(spoken_day, days))}. {often}"]

    def _first(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """Whom to look at first: the learner with the lowest share of right answers and what it needs. Unless the
        question wants it `short`, the other learners follow; those who need nothing only if the question is about all.
        Learners without records come last."""
        rows = grouped(found, replace(question, by="child"), self.texts.children(question), "")
        there = sorted((row for row in rows if row.answered), key=lambda row: row.percent or 0.0)
        away = [self.texts.names.get(row.key, row.key) for row in rows if not row.answered]
        unknown = [f"기록이 없어 아직 알 수 없는 학생: {', '.join(away)}"] if away else []
        if not there:
            return unknown
        if not there[0].wrong:
            return ["기록이 있는 학생은 모두 다 맞혔어요.", *unknown]
        own = {row.key: [each for each in found if each.child == row.key] for row in there}
        needs = {key: need for key, each in own.items() if (need := need_of(each, self.texts.cause_name))}
        first = there[0].key
        step = [f"- 도와줄 것: {needs[first].told}"] if first in needs else []
        lines = [f"먼저 볼 학생은 {self._of_first(there[0], own[first])}", *step]
        if question.short:
            return lines
        lines += [f"그다음은 {self._of_first(row, own[row.key])}" for row in there[1:] if row.key in needs]
        calm = [row for row in there[1:] if row.key not in needs and question.summed]
        lines += [f"지금은 급하지 않은 학생: {', '.join(map(self._counted, calm))}"] if calm else []
        return [*lines, *unknown]

    def _counted(self, row: Row) -> str:
        return f"{self.texts.names.get(row.key, row.key)} ({row.answered}문제 가운데 {row.right}문제 맞음)"

    def _of_first(self, row: Row, found: Sequence[RecordedAnswer]) -> str:
        causes = Counter(name for each in found if not each.correct and (name := self.texts.cause_name(each)))
        often = "".join(f" 가장 잦은 원인은 '{name}' {number}번이에요." for name, number in causes.most_common(1))
        share = f"{row.answered}문제 가운데 {row.right}문제 맞음"
        who = with_particle(self.texts.names.get(row.key, row.key), "예요")
        return f"{who}: 정답률 {row.percent:g}% ({share}).{often}"

    def _certain(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """How many wrong answers a cause explains, and how often the same problems were solved."""
        kept = replace(question.only, causes=frozenset(), cause_said="", correct=None)
        counted = restricted(found, kept, correct=False)
        wrong = [each for each in counted if not each.correct]
        told = Counter(each.cause for each in wrong if each.cause and each.cause in self.texts.causes.causes)
        tags = [
            tag for tag, _ in told.most_common() if tag and (not question.only.causes or tag in question.only.causes)
        ]
        if not tags:
            return ["원인을 말할 만한 틀린 답이 아직 없어요."]
        name, number = self.texts.causes.causes[tags[0]].name, told[tags[0]]
        same = {each.expression for each in wrong if each.cause == tags[0]}
        right = sum(each.correct for each in counted if each.expression in same)
        few = [self.texts.words.texts.few] if number < _TIMED else []
        if len(wrong) == 1:
            return [f"{wrong_answer(wrong[0])}: {name}", self.texts.words.texts.once]
        return [
            fill_template(
                "틀린 답 {wrong}개 가운데 {number}개가 {name:'과와} 맞아요.", wrong=len(wrong), number=number, name=name
            ),
            f"같은 문제를 맞힌 적은 {right}번이에요." if right else "같은 문제를 맞힌 적은 없어요.",
            "기록에서 미루어 본 것이라 확실하다고는 할 수 없어요.",
            *few,
        ]

    def _days(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        found = restricted(found, question.only)
        if question.by == "child" or len(self.texts.children(question)) > 1:
            rows = grouped(found, replace(question, by="child"), self.texts.children(question), "")
            there = [self.texts.named(row, replace(question, by="child")) for row in rows if row.answered]
            away = [self.texts.names.get(row.key, row.key) for row in rows if not row.answered]
            last = {each.child: each.at.date() for each in sorted(found, key=lambda each: each.at)}
            ends = {self.texts.names.get(child, child): f" (마지막은 {spoken_day(day)})" for child, day in last.items()}
            lines = [f"- {row.key}: {row.days}일, {row.answered}문제{ends[row.key]}" for row in there]
            many = f"{len(rows)}명 가운데 {len(there)}명이에요" if there else "없어요"
            return [
                f"기록이 있는 학생은 {many}.",
                *lines,
                *([f"기록 없음: {', '.join(away)}"] if away and there else []),
            ]
        days = sorted({each.at.date() for each in found})
        if not days:
            return ["그런 날이 없어요."]
        if question.by == "weekday":
            counts = Counter(f"{WEEKDAYS[day.weekday()]}요일" for day in days)
            return [", ".join(f"{day} {number}일" for day, number in counts.items()), *map(spoken_day, days)]
        told = f"{len(days)}일 풀었어요: {', '.join(map(spoken_day, days))}. 모두 {len(found)}문제예요."
        return [told, *([f"마지막은 {spoken_day(days[-1])}이에요."] if len(days) > 1 else [])]

    def _away(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        if not question.spans:
            return ["어느 기간을 볼까요? '지난주에 안 한 날'처럼 물어보세요."]
        days = days_without(restricted(found, question.only), question.spans[0])
        if question.only.weekdays:
            days = [day for day in days if day.weekday() in question.only.weekdays]
        if not days:
            return ["안 한 날이 없어요."]
        return [f"안 한 날은 {len(days)}일이에요: {', '.join(map(spoken_day, days))}."]

    def _edges(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        chosen, size = restricted(found, question.only, correct=False), question.edge
        if len(chosen) < 2 * size:
            return [f"푼 문제가 {len(chosen)}개라서 처음 {size}문제와 마지막 {size}문제를 나눌 수 없어요."]
        rows = [row_of(f"처음 {size}문제", chosen[:size]), row_of(f"마지막 {size}문제", chosen[-size:])]
        lines = [f"- {row.key}: {self.texts.short(row, 'percent')}" for row in rows]
        return [*lines, *self.texts.difference(rows, "percent", question), f"{size}문제씩이라 우연일 수도 있어요."]

    def _overview(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        if question.form != "text":
            by_child, counted = replace(question, by="child"), restricted(found, question.only, correct=False)
            rows = grouped(counted, by_child, self.texts.children(question), "")
            return ["\n", *self.texts.table([self.texts.named(row, by_child) for row in rows], by_child)]
        lines = []
        for child in self.texts.children(question):
            own = restricted([each for each in found if each.child == child], question.only, correct=False)
            row = row_of(self.texts.names.get(child, child), own)
            if not row.answered:
                lines.append(f"- {row.key}: {self.texts.words.texts.no_answers}")
                continue
            causes = Counter(name for each in own if not each.correct and (name := self.texts.cause_name(each)))
            often = ", ".join(f"{name} {number}번" for name, number in causes.most_common(2))
            title = "확인된 원인" if self.for_guardian else "자주 나온 원인"
            told = f" {title}: {often}." if often else ""
            lines.append(f"- {row.key}: {row.days}일 동안 {self.texts.short(row, 'answered')}.{told}")
            if len(self.texts.children(question)) == 1:
                good, need = best_of(own), need_of(own, self.texts.cause_name)
                lines += [*([f"- 잘하는 것: {good}"] if good else []), *([f"- 어려운 것: {need.told}"] if need else [])]
        return lines

    def _included(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """Whether the previous answer counted the learner named last."""
        child = question.mentioned[-1]
        yes, no = ("네", "아니요") if question.wish == "included" else ("아니요", "네")
        name, number = self.texts.names.get(child, child), sum(each.child == child for each in found)
        if child not in self.texts.children(question):
            return [f"{no}. 앞의 답은 {self.texts.scope(question)}의 기록이에요."]
        if not number:
            return [f"{no}. {name}의 기록이 없어서 앞의 답에는 들어가지 않았어요."]
        return [f"{yes}, {name}의 {number}문제도 들어 있어요."]

    def _trainings(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[str]:
        """Suggested trainings."""
        counted = restricted(found, question.only, correct=False)
        practice, children = self.texts.words.practice, self.texts.children(question)
        if len(children) == 1:
            lines = next_of_child(counted, practice, self.texts.cause_name)
        else:
            own = {self.texts.names.get(one, one): [each for each in counted if each.child == one] for one in children}
            lines = next_of_class(own, practice, self.texts.cause_name)
        if question.form == "text":
            return lines
        parts = (line.removeprefix("- ").partition(": ") for line in lines)
        return ["\n", *markdown(("무엇", "내용"), [(name, told) if told else ("", name) for name, _, told in parts])]

    def _letter(self, question: RecordQuestion, found: Sequence[RecordedAnswer]) -> str:
        children = self.texts.children(question)
        if len(children) != 1:
            return "어느 학생의 보호자께 보낼 글인가요? 이름을 알려 주세요."
        name = self.texts.names.get(children[0], children[0])
        row = row_of(name, restricted(found, question.only, correct=False))
        days = sorted(each.at.date() for each in found)
        when = f"{days[0].month}월 {days[0].day}일부터 {days[-1].month}월 {days[-1].day}일까지"
        hard = Counter(OPERATIONS[each.problem.op] for each in found if not each.correct and each.problem)
        only = "·".join(OPERATIONS[op] for op in question.only.operations)
        counted = f"{only} {row.answered}문제" if only else f"{row.answered}문제"
        facts = f"{name} 학생은 {when} {row.days}일 동안 {counted}를 풀어 {row.right}문제를 맞혔습니다."
        if hard and not only and not question.short:
            facts += f" 틀린 문제는 {hard.most_common(1)[0][0]}에 가장 많았습니다."
        if question.bare:
            facts = f"{name} 학생은 그동안 스스로 문제를 풀어 왔습니다."
            if hard:
                facts += f" {with_particle(hard.most_common(1)[0][0], '은는')} 조금 더 연습하고 있습니다."
        if question.plain:
            facts = self._plain_facts(name, row, found)
        if question.short:
            return f"안녕하세요. {facts}"
        overview = [self.texts.scope(question), *self._overview(question, found), ""] if question.summed else []
        hello = "안녕하세요, 보호자님." + (" 늘 따뜻하게 살펴 주셔서 감사합니다." if question.soft else "")
        lines = [hello, facts, "궁금하신 점은 언제든 말씀해 주세요. 감사합니다."]
        return "\n".join([*overview, "보내실 글이에요. 제가 보내지는 않았어요.", "", *lines])

    def _plain_facts(self, name: str, row: Row, found: Sequence[RecordedAnswer]) -> str:
        """The records in easy words: how much was done, what goes well, what is hard, with one example."""
        told = [f"{name} 학생은 {row.days}일 동안 문제를 풀었어요. {row.answered}개 가운데 {row.right}개를 맞혔어요."]
        told_of = [(OPERATIONS[each.problem.op], each.correct) for each in found if each.problem]
        hard = {name for name, right in told_of if not right}
        if good := [name for name in dict.fromkeys(name for name, _ in told_of) if name not in hard]:
            told.append(f"{with_particle(', '.join(good), '은는')} 모두 맞혔어요.")
        wrong = Counter(each.expression for each in found if not each.correct and each.problem)
        if wrong:
            often = wrong.most_common(1)[0][0]
            one = next(each for each in found if each.expression == often and not each.correct)
            told.append(f"어려운 문제도 있어서 함께 연습하려고 해요. 이렇게 썼어요: {wrong_answer(one)}.")
        return " ".join(told)

    _others: ClassVar[Mapping[Wish, Callable[..., list[str]]]] = {
        "given": _given, "why": _why, "days": _days, "away": _away, "edges": _edges, "certain": _certain,
        "overview": _overview,
        "often": _often,
        "trainings": _trainings,
    }  # fmt: skip


def _is_of_one_time(question: RecordQuestion) -> bool:
    """Whether the question compares no two periods."""
    return len(question.spans) <= 1 or question.wish == "why"


def _chosen(question: RecordQuestion, found: Sequence[RecordedAnswer]) -> list[RecordedAnswer]:
    """The answers to list, in the order asked for."""
    chosen = restricted(found, question.only)
    if question.measure == "wrong" and question.only.correct is None:
        chosen = [each for each in chosen if not each.correct]
    if question.measure != "seconds" or not question.order:
        return chosen[: question.limit]
    timed = sorted(chosen, key=lambda each: each.seconds or 0.0, reverse=question.order == "most")
    return [each for each in timed if each.seconds is not None][: question.limit or _TIMED]


def _compared(question: RecordQuestion) -> RecordQuestion:
    """A comparison of two periods, weekdays or named learners."""
    if question.by is not None:
        return question
    if len(question.spans) > 1:
        return replace(question, by="period")
    if len(question.only.weekdays) > 1:
        return replace(question, by="weekday")
    if len(question.only.operations) > 1:
        return replace(question, by="operation")
    return replace(question, by="child") if len(question.children) > 1 else question

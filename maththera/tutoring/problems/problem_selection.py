"""F-14: the next problem: of a skill that ordinary practice chooses, or near the child's position."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from operator import attrgetter
from typing import Final, NamedTuple

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import operations_of, tag_of
from maththera.tutoring.diagnosis.posterior import cause_probabilities, recorded_causes
from maththera.tutoring.practice.learning_border import SECURE
from maththera.tutoring.practice.mixture import choices, needs_something_secure, secure_choices
from maththera.tutoring.practice.session_practice import border_of, by_skills, practised_of, strand_at_work, task_key
from maththera.tutoring.practice.skill_problems import LADDERS
from maththera.tutoring.problems.informative_problems import (
    nearest_separating_problem,
    separating_problem,
    spoilt,
    spoilt_operations,
    suspected_hypotheses,
    unseen_error_problem,
)
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import Kind, TutoringState

_EXTENDED: Final = 2
"""From this upscaling level on the harder half of the window is taken."""
_SUSPECTED_FROM: Final = 0.6
"""Expectation of the last task from which suspected causes are looked at next."""
_SELDOM: Final = 6
"""Ordinary tasks for one that tells suspects of an operation apart which is not at work; chosen by simulation."""
_BEFORE_SUSPECTS: Final = 3
"""Ordinary tasks of a session before the first such one."""
_SAFE_GROUND: Final = "C5.ten_and"
"""The kind of 10+9, to which the White-out leads."""


class Selected(NamedTuple):
    """A problem, and what it is for: a part of the mixture, or "position", near which it was looked for. `widened`:
    none was left in the range of W."""

    problem: Problem
    source: str
    widened: bool = False


def next_practice(draft: TutoringState, rules: Rules) -> Selected:
    """The next problem of ordinary practice. After two misses something that works; then what a given start is tried
    with; then what tells suspected causes apart, unless the last task was hard; then the mixture of the skills."""
    if not by_skills(draft):
        return select_problem(draft, rules)
    practice, practised = draft["practice"], practised_of(draft, rules)
    if needs_something_secure(practised):
        return secure_problem(draft, rules)
    for skill_id in practice["given"]:
        if given_problem := skill_problem(draft, rules, skill_id):
            return Selected(given_problem, "given")
    hard = practice["expected"] < _SUSPECTED_FROM
    if not hard and (found := _suspects_problem(draft, rules)):
        return found
    for source, skill_id in choices(border_of(draft, rules), practised, strand_at_work(draft)):
        near = source == "border" and rules.ladder.skills[skill_id].c_level == draft["c_position"]
        if found := _drawn(draft, rules, skill_id, source, near=near):
            return found
    return select_problem(draft, rules)


def secure_problem(draft: TutoringState, rules: Rules) -> Selected:
    """A problem that works: of a skill that was right before and is expected again, else of the likeliest one; if
    possible, one that no procedure spoils which has explained answers of this child, and of no operation that one has
    spoilt several times, just now too."""
    if not by_skills(draft):
        return next_practice(draft, rules)
    is_spoilt = spoilt(draft, rules)
    shaken = spoilt_operations(draft).intersection(draft["practice"]["missed"])
    second_best: Selected | None = None
    for source, skill_id in secure_choices(border_of(draft, rules), practised_of(draft, rules)):
        if found := _drawn(draft, rules, skill_id, source):
            if found.problem.op not in shaken and not is_spoilt(found.problem):
                return found
            second_best = second_best or found
    return second_best or select_problem(draft, rules)


def safe_ground_problem(draft: TutoringState, rules: Rules, *, failed: str) -> Selected:
    """The White-out's problem at its C, of 10+9's kind at C5. Where the operation that failed is not expected to be
    right even there, the likeliest of another operation, up to that C."""
    at_its_c = select_problem(draft, rules)
    if not by_skills(draft):
        return at_its_c
    known, c, skills = rules.session_knowledge.at(draft), draft["c_position"], rules.ladder.skills
    if c == rules.numbers.position.white_out_c and (found := _drawn(draft, rules, _SAFE_GROUND, "position", near=True)):
        at_its_c = found
    least = SECURE if at_its_c.problem.op == failed else _SUSPECTED_FROM
    if known.expectation(at_its_c.problem) >= least:
        return at_its_c
    others = [one for one in rules.ladder.problems if skills[one].c_level <= c and skills[one].strand != failed]
    for one in sorted(others, key=lambda skill_id: (-known.chance(skill_id), -skills.order[skill_id])):
        if found := _drawn(draft, rules, one, "position"):
            return found
    return at_its_c


def lower_problem(draft: TutoringState, rules: Rules, failed: Problem) -> Selected:
    """After a step down to the draft's C: a problem of the highest skill that the failed one's stands on, if possible
    of its operation, with a C not above it and a higher expectation; where there is none, of the same skill or the
    likeliest. It is never heavier than the failed one nor less likely to be right, and if possible no procedure spoils
    it which has explained answers of this child."""
    skill_id = rules.ladder.skill_of(failed)
    if by_skills(draft) and skill_id is not None:
        known, skills = rules.session_knowledge.at(draft), rules.ladder.skills
        expected = known.expectation(failed)
        low = [one for one in rules.ladder.problems if skills[one].c_level <= draft["c_position"]]
        below = [one for one in low if one in skills.ancestors(skill_id) and known.chance(one) > known.chance(skill_id)]
        below.sort(key=lambda found: (skills[found].strand != failed.op, -skills.order[found]))
        is_spoilt, second_best = spoilt(draft, rules), None
        for one in (*below, skill_id, *sorted(low, key=known.chance, reverse=True)):
            problems = rules.ladder.problems[one]
            no_heavier = problems[: bisect_right(problems, failed.w_total, key=_w_total)]
            easier = [other for other in no_heavier if known.expectation(other) >= expected]
            recent = recent_keys(draft, rules, skills[one].c_level)
            unspoilt = [other for other in easier if not is_spoilt(other)]
            if found := _showable(draft, rules, unspoilt, _draw(draft), recent):
                return Selected(found, "position")
            second_best = second_best or _showable(draft, rules, easier, _draw(draft), recent)
        if second_best is not None:
            return Selected(second_best, "position")
    return select_problem(draft, rules)


def skill_problem(draft: TutoringState, rules: Rules, skill_id: str) -> Problem | None:
    """A problem of a skill, drawn by the session's seed, that may be shown now."""
    problems = rules.ladder.problems[skill_id]
    return _showable(draft, rules, problems, _draw(draft), recent_keys(draft, rules, problems[0].c_level))


def _drawn(draft: TutoringState, rules: Rules, skill_id: str, source: str, *, near: bool = False) -> Selected | None:
    """A problem of the skill; `near`: within half a point of the position's W, else within one, else the nearest; of
    these one that could show an error, but for the first of the session, so that sessions begin in different ways."""
    if not near:
        problem = skill_problem(draft, rules, skill_id)
        return Selected(problem, source) if problem else None
    problems, w, start = rules.ladder.problems[skill_id], draft["w_position"], _draw(draft)
    recent = recent_keys(draft, rules, problems[0].c_level)
    for widened, (low, high) in enumerate(_bounds(draft, rules)):
        window = problems[bisect_left(problems, low, key=_w_total) : bisect_right(problems, high, key=_w_total)]
        telling = unseen_error_problem(window, draft, rules, start=start, without=recent) if draft["history"] else None
        if telling is not None and may_be_shown(draft, rules, "problem", telling):
            return Selected(telling, source, bool(widened))
        if found := _showable(draft, rules, window, start, recent):
            return Selected(found, source, bool(widened))
    nearest = sorted(problems, key=lambda problem: abs(problem.w_total - w))
    found = _showable(draft, rules, nearest, 0, recent)
    return Selected(found, source, widened=True) if found else None


def _suspects_problem(draft: TutoringState, rules: Rules) -> Selected | None:
    """The problem near the position, else of its C, that tells suspected causes apart; where the likeliest is of
    another operation and could not show there, one of that, seldom."""
    hypotheses, c = suspected_hypotheses(draft, rules), draft["c_position"]
    if not hypotheses:
        return None
    if not any(c in LADDERS[op] for op in LADDERS if op in operations_of(hypotheses[0])):
        return _suspects_of_another_operation(draft, rules, hypotheses)
    recent, start = recent_keys(draft, rules), _draw(draft)
    for widened, (low, high) in enumerate(_bounds(draft, rules)):
        window = _window(rules, c, low, high)
        found = separating_problem(window, hypotheses, rules, start=start, without=recent)
        if found and may_be_shown(draft, rules, "problem", found):
            return Selected(found, "suspects", bool(widened))
    found = nearest_separating_problem(draft, hypotheses, rules, start=start, without=recent)
    if found and may_be_shown(draft, rules, "problem", found):
        return Selected(found, "suspects", widened=True)
    return None


def _suspects_of_another_operation(draft: TutoringState, rules: Rules, hypotheses: Sequence[str]) -> Selected | None:
    """The problem of a skill missed last that tells these hypotheses apart. None while the likeliest may not be named
    yet, nor for a cause that is stated or known from the records: that is practised when its operation's turn comes."""
    tag, sources = tag_of(hypotheses[0]), draft["practice"]["sources"]
    if sources.get("suspects", 0) > (sum(sources.values()) - _BEFORE_SUSPECTS) / _SELDOM:
        return None
    known_already = tag in draft["stated"] or tag in recorded_causes(draft)
    belief = cause_probabilities(draft["posterior"], draft, rules)
    if known_already or belief.of(tag) < rules.numbers.evidence.name_at:
        return None
    known, skills = rules.session_knowledge.at(draft), rules.ladder.skills
    for skill_id, problems in rules.ladder.problems.items():
        if known[skill_id].missed and skills[skill_id].strand in operations_of(hypotheses[0]):
            recent = recent_keys(draft, rules, skills[skill_id].c_level)
            found = separating_problem(problems, hypotheses, rules, start=_draw(draft), without=recent)
            if found and may_be_shown(draft, rules, "problem", found):
                return Selected(found, "suspects")
    return None


def select_problem(draft: TutoringState, rules: Rules) -> Selected:
    """A problem near (C, W) that was not shown lately. In ordinary practice an informative one is preferred."""
    c, w = draft["c_position"], draft["w_position"]
    recent, start = recent_keys(draft, rules), _draw(draft)
    ordinary = draft["current_step"] == "normal"
    if ordinary and (found := _suspects_problem(draft, rules)):
        return found._replace(source="position")
    for widened, (low, high) in enumerate(_bounds(draft, rules)):
        problems = _window(rules, c, low, high)
        shows = unseen_error_problem(problems, draft, rules, start=start, without=recent) if ordinary else None
        if shows and may_be_shown(draft, rules, "problem", shows):
            return Selected(shows, "position", bool(widened))
        if one := _showable(draft, rules, problems, start, recent):
            return Selected(one, "position", bool(widened))
    levels = sorted(range(LOWEST_C, HIGHEST_C + 1), key=lambda level: (abs(level - c), level))
    nearest = (sorted(rules.bank.level(level), key=lambda problem: abs(problem.w_total - w)) for level in levels)
    showable = (_showable(draft, rules, level, 0, recent_keys(draft, rules, level[0].c_level)) for level in nearest)
    return Selected(next(one for one in showable if one is not None), "position", widened=True)


def _draw(draft: TutoringState) -> int:
    return seeded_index(1 << 30, draft["start"]["seed"], draft["counters"]["tasks"])


_w_total: Final = attrgetter("w_total")


def _bounds(draft: TutoringState, rules: Rules) -> tuple[tuple[float, float], tuple[float, float]]:
    """The range of W for the search, and the wider one for when it holds nothing."""
    numbers, w = rules.numbers.selection, draft["w_position"]
    low = w if draft["downscaling"]["level"] >= _EXTENDED else w - numbers.window
    return (low, w + numbers.window), (w - numbers.widened, w + numbers.widened)


def _window(rules: Rules, c: int, low: float, high: float) -> Sequence[Problem]:
    """The problems of a C between two W. If the difficulty model orders the level, those at the same places of its
    order: the hardest fifth by W becomes the hardest fifth by the model."""
    problems = rules.bank.window(c, low, high)
    if not rules.by_difficulty:
        return problems
    below = len(rules.bank.window(c, -inf, high)) - len(problems)
    return rules.by_difficulty[c][below : below + len(problems)]


def recent_keys(draft: TutoringState, rules: Rules, c: int | None = None) -> list[str]:
    """The expressions shown too recently to come again: the last 20, but at most half of this C's."""
    limit = min(rules.numbers.selection.recent, rules.bank.expressions(c or draft["c_position"]) // 2)
    return draft["history"][-limit:] if limit else []


def may_be_shown(draft: TutoringState, rules: Rules, kind: Kind, problem: Problem) -> bool:
    """Whether this kind of task with this expression was not shown too often in the session."""
    return draft["practice"]["shown"].get(task_key(kind, problem), 0) < rules.numbers.limits.same_task


def _showable(
    draft: TutoringState, rules: Rules, problems: Sequence[Problem], start: int, recent: Sequence[str]
) -> Problem | None:
    """The first problem from `start` on, going round, that is not recent and was not shown too often."""
    size = len(problems)
    for step in range(size):
        problem = problems[(start + step) % size]
        if problem.key not in recent and may_be_shown(draft, rules, "problem", problem):
            return problem
    return None


def drill_problem(draft: TutoringState, rules: Rules) -> Selected | None:
    """Other numbers of the skill that was asked last, near the position's W."""
    if not by_skills(draft):
        return next_practice(draft, rules)
    last = draft["practice"]["last"]
    return _drawn(draft, rules, last, "drill", near=True) if last is not None else None


def sibling_problem(draft: TutoringState, rules: Rules, model: Problem) -> Problem | None:
    """Same C, shape and carries as the model, other numbers, and no heavier; None where the bank has none that may be
    shown."""
    lighter = [one for one in siblings_of(draft, rules, model) if one.w_total <= model.w_total]
    return _showable(draft, rules, lighter, _draw(draft), recent_keys(draft, rules, model.c_level))


def siblings_of(draft: TutoringState, rules: Rules, model: Problem) -> list[Problem]:
    """All with the model's C, shape and carries, and other numbers, from the session's draw on."""
    alike = _alike(rules.bank).get(_shape(model), ())
    start = seeded_index(len(alike), draft["start"]["seed"], draft["counters"]["tasks"]) if alike else 0
    return [one for one in (*alike[start:], *alike[:start]) if one.key != model.key]


_Shape = tuple[int, str, int, int, tuple[int, ...], str]


@lru_cache(maxsize=4)
def _alike(bank: Bank) -> Mapping[_Shape, Sequence[Problem]]:
    """The bank's problems by shape, sorted by (W, id)."""
    found: dict[_Shape, list[Problem]] = {}
    for c in range(LOWEST_C, HIGHEST_C + 1):
        for problem in bank.level(c):
            found.setdefault(_shape(problem), []).append(problem)
    return found


def _shape(problem: Problem) -> _Shape:
    return problem.c_level, problem.op, len(str(problem.a)), len(str(problem.b)), problem.carries, problem.layout

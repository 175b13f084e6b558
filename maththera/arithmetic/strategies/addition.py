"""How a sum is found: counting on, doubles, making ten, place by place."""

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies.steps import PLACES, Mode, Step, Working
from maththera.korean.particles import with_particle


def counted_on(problem: Problem) -> list[Step]:
    """7+2: two on from seven."""
    large, small = _ordered(problem)
    working = Working("number_line")
    working.add(f"{large}에서 {small}칸 더 가.", large, small)
    return working.steps


def put_together(problem: Problem) -> list[Step]:
    """7 and 2 in one frame."""
    return _joined("ten_frame", *_ordered(problem))


def ten_and_ones(problem: Problem) -> list[Step]:
    """10+4: a ten and four ones."""
    return _joined("base_ten", *_ordered(problem))


def _joined(mode: Mode, large: int, small: int) -> list[Step]:
    working = Working(mode)
    working.add(f"{with_particle(large, '과와')} {with_particle(small, '을를')} 모아.", large, small)
    return working.steps


def doubled(problem: Problem) -> list[Step]:
    """6+7: six twice, and what seven has more."""
    large, small = _ordered(problem)
    working = Working("ten_frame")
    double = working.add(f"{small}에 {with_particle(small, '을를')} 더해.", small, small)
    if large != small:
        more = working.take(f"{large}에서 {with_particle(small, '을를')} 빼.", large, small)
        working.add("남은 수를 더해.", double, more)
    return working.steps


def made_ten(problem: Problem) -> list[Step]:
    """8+6: 8+2, then what is left of 6."""
    return _filled_up("ten_frame", *_ordered(problem), 10)


def made_hundred(problem: Problem) -> list[Step]:
    """98+90: 98+2, then what is left of 90. A number too small for that is added place by place."""
    near = problem.a if problem.a in (98, 99) else problem.b
    other = problem.a + problem.b - near
    return _filled_up("coin", near, other, 100) if other > 100 - near else by_places(problem, "coin")


def bridged(problem: Problem) -> list[Step]:
    """38+5 on the line: up to 40, then what is left of 5."""
    large, small = _ordered(problem)
    ten = large + 10 - large % 10
    if large + small <= ten or large % 10 == 0:
        return counted_on(problem)
    working = Working("number_line")
    need = working.fill(f"{large}에서 {ten}까지 가.", large, ten)
    rest = working.take(f"{small}에서 그만큼 덜어.", small, need)
    working.add("남은 만큼 더 가.", ten, rest)
    return working.steps


def ten_more_and_back(problem: Problem) -> list[Step]:
    """9+6 on the line: 6+10, then back what is too much."""
    large, small = _ordered(problem)
    working = Working("number_line")
    too_much = working.fill(f"{with_particle(large, '을를')} 10으로 채워.", large, 10)
    total = working.add(f"{small}에서 10칸 더 가.", small, 10)
    working.take("채운 만큼 빼.", total, too_much)
    return working.steps


def by_places(problem: Problem, mode: Mode = "base_ten") -> list[Step]:
    """28+15: the tens, the ones, then both together."""
    working = Working(mode)
    if not problem.a or not problem.b:
        working.add("0을 더해.", problem.a, problem.b)
        return working.steps
    parts: list[int] = []
    for place in reversed(range(max(len(str(problem.a)), len(str(problem.b))))):
        one, other = (number // 10**place % 10 * 10**place for number in (problem.a, problem.b))
        if one and other:
            parts.append(working.add(f"{PLACES[place]}의 자리를 모아.", one, other))
        elif one or other:
            parts.append(one or other)
    total = parts[0]
    for place, part in enumerate(parts[1:], start=2):
        total = working.add("모두 더해." if place == len(parts) else "앞에서부터 모아.", total, part)
    return working.steps


def nothing_added(problem: Problem) -> list[Step]:
    """5+0 in a frame."""
    return _with_nothing("ten_frame", problem)


def no_jump(problem: Problem) -> list[Step]:
    """5+0 on the line."""
    return _with_nothing("number_line", problem)


def _with_nothing(mode: Mode, problem: Problem) -> list[Step]:
    working = Working(mode)
    said = "0칸 가면 어디야?" if mode == "number_line" else "0개를 더 놓아."
    working.add(said, max(problem.a, problem.b), 0)
    return working.steps


def in_columns(problem: Problem) -> list[Step]:
    """Written, from the ones on; what is carried is added where it lands. Where both digits are 0 nothing is added."""
    working, carry = Working("columns"), 0
    a, b = digits(problem.a), digits(problem.b)
    width = max(len(a), len(b))
    for place in range(width) if width > 1 else ():
        if place >= min(len(a), len(b)) and not carry:
            break
        working.place = place
        total = a[place] if place < len(a) else b[place]
        if place < min(len(a), len(b)):
            column = a[place], b[place]
            total = working.add(f"{PLACES[place]}의 자리를 더해.", *column) if any(column) else 0
        if carry:
            total = working.add("올린 1을 더해.", total, 1) if total else 1
        carry = total // 10
    working.place = 0
    working.add("자리대로 모아 써.", problem.a, problem.b)
    return working.steps


def _ordered(problem: Problem) -> tuple[int, int]:
    return max(problem.a, problem.b), min(problem.a, problem.b)


def _filled_up(mode: Mode, near: int, other: int, whole: int) -> list[Step]:
    working = Working(mode)
    need = working.fill(f"{with_particle(near, '을를')} {whole}으로 채워.", near, whole)
    rest = working.take(f"{other}에서 그만큼 덜어.", other, need)
    working.add(f"{whole}에 남은 수를 더해.", whole, rest)
    return working.steps

"""How a difference is found: taking away, going back, opening a ten, filling up."""

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies.steps import PLACES, Mode, Step, Working
from maththera.korean.particles import with_particle

_MOST_COUNTED = 20


def taken_away(problem: Problem) -> list[Step]:
    """10−4: four of ten counters go away."""
    return _taken("ten_frame", problem)


def ones_taken_away(problem: Problem) -> list[Step]:
    """13−3 with a ten and three ones."""
    return _taken("base_ten", problem)


def _taken(mode: Mode, problem: Problem) -> list[Step]:
    working = Working(mode)
    working.take(f"{problem.a}에서 {with_particle(problem.b, '을를')} 덜어.", problem.a, problem.b)
    return working.steps


def gone_back(problem: Problem) -> list[Step]:
    """7−2: two back from seven."""
    working = Working("number_line")
    working.take(f"{problem.a}에서 {problem.b}칸 뒤로 가.", problem.a, problem.b)
    return working.steps


def from_the_ten(problem: Problem) -> list[Step]:
    """13−8: 8 from the ten, then the ones again."""
    working = Working("ten_frame")
    left = working.take(f"10에서 {with_particle(problem.b, '을를')} 빼.", 10, problem.b)
    working.add("낱개를 더해.", left, problem.a - 10)
    return working.steps


def back_through_ten(problem: Problem) -> list[Step]:
    """13−8 on the line: back to 10, then what is left of 8. Back 30 first in 52−38."""
    working, at = Working("number_line"), problem.a
    tens, ones = problem.b - problem.b % 10, problem.b % 10
    if tens:
        at = working.take(f"{tens}만큼 뒤로 가.", at, tens)
    above = at % 10
    if above and ones > above:
        at = working.take(f"{above}칸 뒤로 가.", at, above)
        ones = working.take(f"{ones}에서 그만큼 덜어.", ones, above)
        working.take("남은 만큼 더 가.", at, ones)
    elif ones:
        working.take(f"{ones}칸 뒤로 가.", at, ones)
    return working.steps


def by_places(problem: Problem) -> list[Step]:
    """52−38 with blocks: a ten is opened where there are too few ones, then each place on its own."""
    working = Working("base_ten")
    width = len(str(problem.a))
    tops, bottoms = ([number // 10**k % 10 * 10**k for k in range(width)] for number in (problem.a, problem.b))
    for place in range(width):
        if tops[place] < bottoms[place]:
            _open(working, tops, place)
        if bottoms[place]:
            tops[place] = working.take(f"{PLACES[place]}의 자리를 빼.", tops[place], bottoms[place])
    left = [top for top in reversed(tops) if top]
    total = left[0] if left else 0
    for part in left[1:]:
        total = working.add("남은 수를 모아.", total, part)
    if not working.steps or working.steps[-1].found != problem.answer:  # 43−40: the ones are untouched
        return _taken("base_ten", problem)
    return working.steps


def _open(working: Working, tops: list[int], place: int) -> None:
    """Ten of this place for one of the next; where that is 0, one of the place after it is opened before."""
    source = next(k for k in range(place + 1, len(tops)) if tops[k])
    for k in range(source, place, -1):
        tops[k] = working.take(f"{10**k}을 꺼내 풀어.", tops[k], 10**k)
        tops[k - 1] = working.add("푼 것을 모아.", 10**k, tops[k - 1]) if tops[k - 1] else 10**k


def in_columns(problem: Problem) -> list[Step]:
    """Written, from the ones on; a column that has lent works with one less. Where both digits are 0 nothing is
    taken."""
    working, lent = Working("columns"), False
    a, b = digits(problem.a), digits(problem.b)
    for place in range(len(a)) if len(a) > 1 else ():
        if place >= len(b) and not lent:
            break
        top, bottom = a[place], b[place] if place < len(b) else 0
        borrows = top - lent < bottom
        working.place = place
        if lent and top:
            top = working.take("빌려준 1을 빼.", top, 1)
        elif lent:  # 0 lends what it borrows
            top = working.take("빌린 10에서 1을 줘.", 10, 1)
        if borrows and not (lent and not a[place]):
            top = working.add("10을 빌려 와.", 10, top) if top else 10
        if place < len(b) and (top or bottom):
            working.take(f"{PLACES[place]}의 자리를 빼.", top, bottom)
        lent = borrows
    working.place = 0
    working.take("자리대로 모아 써.", problem.a, problem.b)
    return working.steps


def filled_up(problem: Problem) -> list[Step]:
    """5+□=8 in a frame, in blocks where it is too small for the numbers."""
    return _filled("ten_frame" if problem.a <= _MOST_COUNTED else "base_ten", problem)


def counted_up(problem: Problem) -> list[Step]:
    """28+□=45 on the line, over the tens; beyond the line, in coins or columns."""
    a, b = problem.a, problem.b
    mode: Mode = "number_line" if a <= 100 else "columns"
    ten = b + 10 - b % 10
    if b % 10 == 0 or ten >= a:
        return _filled(mode, problem)
    working = Working(mode)
    first = working.fill(f"{b}에서 {ten}까지 가.", b, ten)
    second = working.fill(f"{ten}에서 {a}까지 가.", ten, a)
    working.add("간 만큼 모아.", first, second)
    return working.steps


def _filled(mode: Mode, problem: Problem) -> list[Step]:
    working = Working(mode)
    verb = "가" if mode == "number_line" else "채워"
    working.fill(f"{problem.b}에서 {problem.a}까지 {verb}.", problem.b, problem.a)
    return working.steps

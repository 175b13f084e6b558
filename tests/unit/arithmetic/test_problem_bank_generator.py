"""The generator against the counts of the ladder: how many expressions there are, and how many the bank takes."""

from collections import Counter
from pathlib import Path

import pytest

from maththera.arithmetic import problem_bank_generator
from maththera.arithmetic.problem_bank import Bank, BankError
from maththera.arithmetic.problem_bank_generator import (
    QUOTAS,
    SHIPPED_SEED,
    Population,
    check,
    generate,
    population,
    write_csv,
)
from maththera.settings import home

SHIPPED = home() / "configs" / "arithmetic" / "problem_bank.csv"

ROWS_BY_W = {
    1: "0:6 0.5:7 1:3 1.5:4 2:8 2.5:4",
    2: "0:12 0.5:8 1.5:6 2:10 2.5:4",
    3: "0:20 0.5:35 1:17",
    4: "1:5 1.5:10 2:21 2.5:20 3:10 3.5:6",
    5: "2:10 2.5:18 3:8 3.5:5 4:9 4.5:9 5:5 6:4 6.5:4",
    6: "2.5:1 3:1 3.5:8 4:8 6.5:5 7:9 7.5:4",
    7: "3.5:20 4:24 4.5:16 5:12",
    8: "1.5:4 2:712 2.5:1760 3:1852 3.5:1968 4:1168 4.5:121 5:131 5.5:447 6:491 6.5:3018 7:3020 7.5:3464 8:3408",
    9: "7.5:10 8:30 8.5:20 9:6 9.5:6",
    10: "3:5 3.5:85 4:361 4.5:555 5:1610 5.5:1392 6:886 6.5:900 7:246 7.5:316 8:810 8.5:670 9:924 9.5:924",
    11: "1.5:20 2:12322 2.5:43570 3:59748 3.5:100200 4:71720 4.5:16690 5:17450 5.5:46090 6:48260 6.5:282430 7:280160 "
    "7.5:498120 8:497460",
    12: "3:30 3.5:2340 4:19020 4.5:22920 5:79050 5.5:73500 6:64350 6.5:68115 7:26385 7.5:31485 8:112335 8.5:102810 "
    "9:193380 9.5:193380",
    13: "0:42 0.5:78 1:52 1.5:16 2:12",
    14: "1:5 1.5:10 2:14 2.5:13 3:4 3.5:6 4:8 4.5:15 5:32 5.5:19 6:18 6.5:18",
    15: "2:10 2.5:17 3:159 3.5:290 4:230 4.5:116 5:34 5.5:44 6:252 6.5:1245 7:1539 7.5:3972 8:3516 8.5:3136 9:3080",
}
"""C → W → problems in both layouts, before the quota."""

SHAPES = {
    1: {"all": 16},
    2: {"all": 20},
    3: {"all": 36},
    4: {"all": 36},
    5: {"all": 36},
    6: {"all": 18},
    7: {"all": 36},
    8: {
        "2d+1d": 792,
        "2d+1d carry": 810,
        "2d+2d": 1944,
        "2d+2d ones carry": 1260,
        "2d+2d tens carry": 2430,
        "2d+2d both carry": 2385,
        "hundred+tens": 1080,
        "tens+tens": 81,
    },
    9: {"all": 36},
    10: {"2d-1d": 396, "2d-1d borrow": 288, "X0-1d": 72, "2d-2d": 2466, "2d-2d borrow": 1296, "X0-2d borrow": 324},
    11: {"3d+1/2d": 177_120, "3d+3d 0": 108_900, "3d+3d 1": 278_325, "3d+3d 2": 291_600, "3d+3d 3": 131_175},
    12: {"3d-1/2d": 89_100, "3d-3d 0": 136_125, "3d-3d 1": 142_884, "3d-3d 2": 58_320, "zero, borrow": 68_121},
    13: {"all": 100},
    14: {"all": 81},
    15: {
        "tens x 1d": 72,
        "2d x 1d": 34,
        "2d x 1d carry": 614,
        "by tens": 1539,
        "2d x 2d": 122,
        "2d x 2d carry": 6438,
        "99 x 99": 1,
    },
}
"""C → shape → expressions there are."""

TAKEN = {1: 16, 2: 20, 3: 36, 4: 36, 5: 36, 6: 18, 7: 36, 8: 1900, 9: 36, 10: 1700, 11: 1250, 12: 1250, 13: 100, 14: 81,
         15: 1012}  # fmt: skip
"""C → expressions in the bank."""


@pytest.fixture(scope="module")
def whole() -> Population:
    return population()


@pytest.fixture
def _ready_population(whole: Population, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enumerating the ladder takes seconds; once is enough."""
    monkeypatch.setattr(problem_bank_generator, "population", lambda: whole)


@pytest.mark.slow
@pytest.mark.parametrize("c", range(1, 16))
def test_how_many_expressions_there_are(whole: Population, c: int) -> None:
    assert {shape: sum(map(len, by_w.values())) for shape, by_w in whole[c].items()} == SHAPES[c]
    rows: Counter[float] = Counter()
    for by_w in whole[c].values():
        for w, expressions in by_w.items():
            rows[w] += len(expressions)
            rows[max(0.0, w - 0.5)] += len(expressions)  # the same expression in columns
    assert dict(rows) == {float(w): int(count) for w, count in (cell.split(":") for cell in ROWS_BY_W[c].split())}


@pytest.mark.slow
@pytest.mark.usefixtures("_ready_population")
def test_the_shipped_bank_is_what_its_seed_makes(tmp_path: Path) -> None:
    write_csv(generate(SHIPPED_SEED), tmp_path / "bank.csv")
    assert (tmp_path / "bank.csv").read_bytes() == SHIPPED.read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("_ready_population")
def test_another_seed_draws_another_bank_of_the_same_size() -> None:
    shipped, other = Bank.load(SHIPPED), generate(SHIPPED_SEED + 1)
    assert len(other) == len(shipped)
    assert {problem.expression for problem in other} != {problem.expression for problem in shipped}


@pytest.mark.slow
def test_every_shape_gives_its_quota_and_every_w_is_there(whole: Population) -> None:
    bank = Bank.load(SHIPPED)
    for c, shapes in whole.items():
        in_bank = {(problem.a, problem.op, problem.b) for problem in bank.level(c)}
        assert len(in_bank) == TAKEN[c]
        for shape, by_w in shapes.items():
            taken = {w: len(in_bank.intersection(expressions)) for w, expressions in by_w.items()}
            assert sum(taken.values()) == QUOTAS.get(c, {}).get(shape, SHAPES[c][shape])
            share = max(taken.values())
            assert all(count >= share - 1 or count == len(by_w[w]) for w, count in taken.items()), (
                f"C{c} {shape}: a W-score has less than its share, though there is more of it"
            )


def test_a_quota_is_shared_equally_and_rare_scores_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = [(a, "+", b) for a in range(21, 29) for b in range(21, 29)]
    by_w = {7.0: sums[:50], 6.0: sums[50:53], 5.0: sums[53:]}
    monkeypatch.setattr(problem_bank_generator, "population", lambda: {8: {"2d+2d": by_w}})
    monkeypatch.setattr(problem_bank_generator, "QUOTAS", {8: {"2d+2d": 18}})
    problems = generate(1)
    drawn = {(problem.a, problem.op, problem.b) for problem in problems}
    assert {w: len(drawn.intersection(group)) for w, group in by_w.items()} == {7.0: 8, 6.0: 3, 5.0: 7}
    assert [problem.problem_id for problem in problems] == [f"P-{number:05d}" for number in range(1, 37)]
    assert problems == generate(1)
    assert problems != generate(2)


def test_a_check_says_what_a_bank_holds() -> None:
    levels = {level.c: level for level in check(SHIPPED)}
    assert sum(level.problems for level in levels.values()) == len(Bank.load(SHIPPED))
    assert (levels[7].title, levels[7].problems) == ("받아올림이 있는 (한 자리)+(한 자리)", 72)
    assert (levels[7].expressions, levels[7].band) == (20, (3.5, 5.0))


def test_a_check_refuses_what_the_service_refuses(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_text(SHIPPED.read_text(encoding="utf-8").replace("P-00002", "P-00001"), encoding="utf-8")
    with pytest.raises(BankError, match="3:problem_id: P-00001 stands in line 2 already"):
        check(path)

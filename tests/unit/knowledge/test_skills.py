"""Skills: every problem of the bank has exactly one, and a file with a gap or a circle stops the start."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.curriculum import curriculum_level
from maththera.arithmetic.problem import Problem, ProblemError, make_problem
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigError
from maththera.knowledge.skills import Skills, load_skills
from tests.support.flow_home import ROOT

FILE = ROOT / "configs" / "knowledge" / "skills.yaml"


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(ROOT / "configs" / "arithmetic" / "problem_bank.csv")


@pytest.fixture(scope="module")
def skills(bank: Bank) -> Skills:
    return load_skills(FILE, bank)


def test_every_skill_of_the_ladder_has_problems_of_its_own(bank: Bank, skills: Skills) -> None:
    used = {skill.skill_id for problem in bank if (skill := skills.of_problem(problem))}
    assert used == {skill.skill_id for skill in skills if skill.strand != "N"}


@given(st.integers(0, 999), st.sampled_from("+-x/"), st.integers(0, 999))
def test_every_problem_of_the_ladder_has_a_skill_of_its_own_level_and_operation(
    skills: Skills, a: int, op: str, b: int
) -> None:
    try:
        problem = make_problem(a, op, b)
    except ProblemError:
        return
    found = skills.of_problem(problem)
    if curriculum_level(a, op, b) is None or (curriculum_level(a, op, b) == 2 and op == "-"):
        assert found is None
    else:
        assert found is not None
        assert (found.c_level, found.strand) == (problem.c_level, op)


@pytest.mark.parametrize(
    ("problem", "skill_id"),
    [
        ("52-38", "C10.borrow"),
        ("50-38", "C10.borrow_x0"),
        ("503-278", "C12.across_zero"),
        ("28+15", "C8.carry_ones"),
        ("98+15", "C8.near_hundred"),
        ("9+4", "C7.nine"),
        ("7x8", "C13.times_6_9"),
        ("7x0", "C13.times_0"),
        ("56/8", "C14.by_6_9"),
        ("23x30", "C15.by_tens"),
    ],
)
def test_what_a_teacher_would_tick(skills: Skills, problem: str, skill_id: str) -> None:
    op = next(sign for sign in "+-x/" if sign in problem)
    a, b = problem.split(op)
    found = skills.of_problem(make_problem(int(a), op, int(b)))
    assert found is not None
    assert found.skill_id == skill_id


def test_a_part_of_another_problem_has_no_skill(skills: Skills) -> None:
    assert skills.of_problem(make_problem(100, "-", 98, form="addend")) is None
    assert skills.of_problem(make_problem(1000, "+", 124)) is None


def test_nothing_stands_on_what_stands_on_it(skills: Skills) -> None:
    for skill in skills:
        assert skill.skill_id not in skills.ancestors(skill.skill_id)
        assert all(skill.skill_id in skills.ancestors(above) for above in skills.dependents(skill.skill_id))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("requires: [N1.subitize]", "requires: [N6.tens_ones]", "N2.structured requires itself in the end"),
        ("requires: [C1.plus1]", "requires: [C15.by_tens]", "C2.join requires C15.by_tens of a higher C"),
        ("requires: [C1.plus1]", "requires: [C1.plus2]", "C2.join requires C1.plus2, which is not there"),
        ("requires: [C2.join]\n", "requires: [C3.doubles]\n", "is needed and requires C3.doubles, which is not"),
        ("when: [second_is_10]", "when: [second_is_ten]", "second_is_ten: no feature"),
        ('strand: "x"', 'strand: "*"', "strand"),
        ("  C7.nine:", "  C7.ten_less_1:", "C7.ten_less_1 has no strategy"),
    ],
)
def test_a_file_with_a_fault_is_refused(tmp_path: Path, bank: Bank, old: str, new: str, reason: str) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "skills.yaml"
    broken.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason.replace("[", r"\[")) as caught:
        load_skills(broken, bank)
    line = text[: text.index(old)].count("\n") + 1
    assert any(f"{broken}:{line + one}: skills." in str(caught.value) for one in (0, 1)), "where the skill stands"


def test_a_bank_without_a_problem_of_a_skill_is_refused(bank: Bank, skills: Skills) -> None:
    def without(problem: Problem) -> bool:
        found = skills.of_problem(problem)
        return found is not None and found.skill_id not in ("C7.nine", "C13.times_0")

    with pytest.raises(ConfigError) as caught:
        load_skills(FILE, [problem for problem in bank if without(problem)])
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert str(caught.value).splitlines() == [
        f"{FILE}:{lines.index(f'  {skill_id}:') + 2}: skills.{skill_id}: no problem of the bank asks for this skill"
        for skill_id in ("C7.nine", "C13.times_0")
    ]


def test_a_problem_without_a_skill_is_named(tmp_path: Path, bank: Bank) -> None:
    broken = tmp_path / "skills.yaml"
    text = FILE.read_text(encoding="utf-8").replace(
        "  C7.through_ten:\n", "  C7.through_ten:\n    when: [operand_is_0]\n"
    )
    broken.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"C7\) and \d+ other problems of the bank have no skill"):
        load_skills(broken, bank)

"""The tutor measured on children who share nothing with it: the figures, and a whole small run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from maththera.cli import app
from maththera.settings import home
from maththera.simulation.independent.population import DEFECT, KNOWS_ALL, draw
from maththera.simulation.independent.procedures import PROCEDURES
from maththera.simulation.knowing import experiment
from maththera.simulation.knowing.examiner import Examiner, Truth
from maththera.simulation.knowing.experiment import Course
from maththera.simulation.knowing.figures import LINES, cause_stated, measure, start_lost
from maththera.simulation.knowing.weeks import Asked, Session, Weeks
from maththera.tutoring.content.session_rules import Rules

SMALL = Course(10, 5, problems=2)


@pytest.fixture(scope="module")
def examiner(rules: Rules) -> Examiner:
    return Examiner(rules.bank, rules.knowledge.skills)


def everything(examiner: Examiner, **others: float) -> Truth:
    return dict.fromkeys(examiner.problems, 0.95) | {name.replace("_", ".", 1): value for name, value in others.items()}


def asked(right: bool | None = True, **changes: Any) -> Asked:
    usual = Asked("problem", "8+5=□", 7, "C7.through_ten", "+", right, "right", True, "normal", 0.9, -4.0)
    return usual._replace(**changes)


def session(truth: Truth, *tasks: Asked, **changes: Any) -> Session:
    return Session(**{"day": 0.0, "start_c": 7, "strand": "all", "asked": list(tasks), "truth": truth, **changes})


def weeks(truth: Truth, sessions: list[Session], **changes: Any) -> Weeks:
    given = {"index": 0, "kind": "healthy", "procedure": None, "given_c": None, "truth": truth, "speed": 1.0}
    return Weeks(**{**given, **changes}, sessions=[*sessions, *[session(truth, asked())] * (9 - len(sessions))])


# --- the truth --------------------------------------------------------------------------------------------------------


def test_who_knows_all_has_every_skill_and_nothing_within_reach(examiner: Examiner) -> None:
    truth = examiner.truth(draw(1, 1, kind=KNOWS_ALL))
    assert min(truth.values()) >= 0.8
    assert examiner.within_reach(truth) == set()
    assert examiner.teachers_level(truth) == 15


def test_within_reach_is_what_stands_on_what_is_there(examiner: Examiner) -> None:
    truth = everything(examiner, C10_borrow_1d=0.1, C10_borrow=0.1, C12_borrow_one=0.1, C8_plain_1d=0.1)
    assert examiner.within_reach(truth) == {"C10.borrow_1d"}  # the others stand on it, or are not needed
    assert examiner.teachers_level(truth) == 10


def test_the_border_is_the_lowest_level_with_something_unknown(examiner: Examiner) -> None:
    known = [skill_id for skill_id in examiner.problems if skill_id != "C10.borrow"]
    assert examiner.ladder("-")[examiner.border(known, "-")] == 10
    assert examiner.border(known, "+") == len(examiner.ladder("+"))
    assert examiner.border([], "x") == 0


def test_half_of_the_procedures_are_outside_the_catalogue(examiner: Examiner) -> None:
    outside = [name for name in PROCEDURES if not examiner.causes(name)]
    assert 0.4 <= len(outside) / len(PROCEDURES) <= 0.6


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("small from large in each column", "CONCEPT_L6_SUBTRACTION_COMMUTES"),
        ("forgets the ten in hand", "EXECUTION_L4_CARRY_FORGOTTEN"),
    ],
)
def test_a_procedure_of_the_catalogue_has_its_causes(examiner: Examiner, name: str, tag: str) -> None:
    assert tag in examiner.causes(name)


# --- the figures ------------------------------------------------------------------------------------------------------


def test_what_is_said_is_held_against_what_is_there(examiner: Examiner) -> None:
    truth = everything(examiner, C8_plain=0.1)
    said = {"C8.plain": "shown", "C7.nine": "shown", "C8.tens": "expected"}
    found = measure([weeks(truth, [session(truth, asked(), said=said)] * 8)], examiner)
    assert found["shown_not_had"].value == 0.5
    assert found["expected_not_had"].value == 0
    assert found["recognised"].value == pytest.approx(2 / (len(truth) - 1))


def test_misses_in_a_row_are_counted_over_all_that_is_answered(examiner: Examiner) -> None:
    truth = everything(examiner)
    miss, step, training = asked(right=False), asked(kind="worked_example"), asked(kind="training", right=None)
    four = session(truth, miss, miss, step, training, asked(right=None), asked(right=False, kind="anchor"))
    three = session(truth, miss, miss, miss, asked(), miss)
    found = measure([weeks(truth, [four, three])], examiner)
    assert found["four_misses"].value == 1 / 8
    assert found["extra_tasks"].value == pytest.approx(3 / 17)


def test_the_same_task_may_come_three_times(examiner: Examiner) -> None:
    truth = everything(examiner)
    three, four = session(truth, *[asked()] * 3), session(truth, *[asked()] * 4)
    mixed = session(truth, *[asked()] * 3, asked(kind="return"))
    assert measure([weeks(truth, [three, four, mixed])], examiner)["four_times"].value == 1 / 8


def test_stuck_is_who_gets_nothing_that_it_could_learn(examiner: Examiner) -> None:
    truth = everything(examiner, C10_borrow_1d=0.1)
    elsewhere, there = session(truth, asked()), session(truth, asked(skill_id="C10.borrow_1d", sign="-"))
    stuck = weeks(truth, [there, elsewhere, elsewhere, elsewhere, there, there, there, there])
    well = weeks(truth, [there, elsewhere, elsewhere, there, elsewhere, elsewhere, there, there])
    idle = weeks(truth, [elsewhere] * 4)
    assert measure([stuck, well], examiner)["stuck"].value == 0.5
    assert measure([stuck], examiner)["strand_idle"].value == 0
    assert measure([idle], examiner)["strand_idle"].value == 1


def test_gained_and_kept_skills_are_those_that_were_not_there(examiner: Examiner) -> None:
    before, after = everything(examiner, C8_plain=0.3, C8_tens=0.6), everything(examiner)
    rested = everything(examiner, C8_plain=0.7)
    one = weeks(before, [session(after, asked())] * 8 + [session(rested, asked())])
    found = measure([one], examiner)
    assert found["gained"].value == 1
    assert found["kept"].value == 0


def test_a_cause_is_looked_for_in_three_sessions_after_the_placement(examiner: Examiner) -> None:
    truth, tag = everything(examiner), "CONCEPT_L6_SUBTRACTION_COMMUTES"
    silent, said = session(truth, asked()), session(truth, asked(right=False, why="procedure"), stated={tag})
    name = "small from large in each column"
    placed = weeks(truth, [silent] * 3 + [said], kind=DEFECT, procedure=name)
    given = weeks(truth, [silent] * 3 + [said], kind=DEFECT, procedure=name, given_c=10)
    wrong = weeks(truth, [session(truth, asked(), stated={"CONCEPT_L6_EQUALS_SIGN"})], kind=DEFECT, procedure=name)
    assert cause_stated([placed], examiner).value == 1
    assert cause_stated([given], examiner).value == 0
    assert cause_stated([wrong], examiner).value == 0
    found = measure([placed, given], examiner)
    assert (found["met_by_2"].value, found["met_by_3"].value, found["met_given_by_3"].value) == (0, 1, 0)


def test_a_start_is_compared_within_its_strand(examiner: Examiner) -> None:
    truth = everything(examiner)

    def starts(*places: tuple[str, int]) -> Weeks:
        return weeks(truth, [session(truth, strand=strand, start_c=c) for strand, c in places])

    one_lower = starts(("+", 8), ("-", 10), ("+", 8), ("-", 10), ("+", 8), ("-", 9), ("+", 7))
    far_lower = starts(("+", 8), ("-", 10), ("+", 8), ("-", 10), ("+", 8), ("-", 6), ("+", 8))
    found = start_lost([one_lower, far_lower], examiner, 4)
    assert found["start_lost"].value == 0.5
    assert found["start_lost_most"].value == 2  # from C10 by C9 to C6


def test_the_top_is_the_highest_level_of_every_strand(examiner: Examiner) -> None:
    truth = everything(examiner)
    tops = [asked(c=11), asked(c=12), asked(c=15)]
    there = weeks(truth, [session(truth, *tops), session(truth, asked(c=14))], kind=KNOWS_ALL, speed=0.6)
    never = weeks(truth, [session(truth, *tops)], kind=KNOWS_ALL, speed=1.6)
    found = measure([there, never], examiner)
    assert (found["to_the_top_fast"].value, found["to_the_top_slow"].value) == (2, 9)


# --- whole runs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What the command showed of the small run, and the file that it wrote."""

    output: str
    figures: Path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    figures = tmp_path_factory.mktemp("knowing") / "figures.json"
    arguments = ["simulate", "knowing", "--children", "10", "--seed", "5", "--problems", "2", "--workers", "1"]
    found = CliRunner().invoke(app, [*arguments, "--json", str(figures)], env={"COLUMNS": "200"})
    assert found.exit_code == 0, found.output
    return Told(found.output, figures)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures_in_any_number_of_processes(told: Told) -> None:
    found = experiment.as_json(experiment.knowing(home(), SMALL, 2, lambda *_: None), SMALL)
    assert repeatable(json.loads(orjson.dumps(found))) == repeatable(json.loads(told.figures.read_text()))


def repeatable(written: dict[str, Any]) -> dict[str, Any]:
    """All but the times."""
    return {
        name: {key: one for key, one in values.items() if not key.endswith("_us")}
        for name, values in written.items()
        if isinstance(values, dict)
    }


@pytest.mark.slow
def test_the_command_shows_the_table_beside_the_tutor_as_it_was(told: Told) -> None:
    assert all(line.words in told.output for line in LINES.values())
    written = json.loads(told.figures.read_text())
    assert set(written["figures"]) == set(LINES)
    assert experiment.before(told.figures, SMALL) == written["figures"]
    assert experiment.before(told.figures, Course(20, 5, problems=2)) == {}


def test_the_recorded_figures_are_of_the_lines_of_the_table() -> None:
    recorded = json.loads((home() / "configs" / "simulation" / "knowing_before.json").read_text())
    screening = {"glance_near", "counting_rho", "comparing_rho", "line_rho", "ratio_effect", "weak_sense"}
    assert set(LINES) - set(recorded["figures"]) == {"knowledge_us", *screening}  # the tutor before had neither

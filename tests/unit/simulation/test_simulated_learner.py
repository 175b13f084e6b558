"""What a simulated child answers, and how it learns."""

from random import Random
from statistics import median

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.simulation.defects import HEALTHY, Defect, slip_answer, unsystematic_answer, wrong_answer
from maththera.simulation.parameters import Parameters
from maththera.simulation.simulated_learner import (
    SHORTEST_MS,
    Input,
    Learner,
    ShownTask,
    draw_ms,
    median_ms,
)

CARRY = Defect("malrule", ("STRATEGY_L4_PLACEVALUE",), (("carry_in_full", "STRATEGY_L4_PLACEVALUE"),))
ALIGNMENT = Defect("malrule", ("SPATIAL_L4_ALIGNMENT",), (("carry_in_full", "SPATIAL_L4_ALIGNMENT"),))
NEIGHBOUR = Defect("malrule", ("EXECUTION_L6_TABLE_NEIGHBOUR",), (("one_group_more", "EXECUTION_L6_TABLE_NEIGHBOUR"),))


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable on purpose


def child(parameters: Parameters, defect: Defect = HEALTHY, known_c: int = 15, kind: Input = "typed",
          **rates: float) -> Learner:  # fmt: skip
    certain = {"slip": 0.0, "guess": 0.0, "guess_tap": 0.0, **rates}
    return Learner(defect, known_c, 2, parameters.model_copy(update=certain), seeded(1), kind)


def shown(expression: str, choices: tuple[int, ...] = (), removed: str | None = None) -> ShownTask:
    return ShownTask(make_problem(*parse_expression(expression)), choices, removed)


def test_a_malrule_is_followed_wherever_it_applies(parameters: Parameters) -> None:
    learner = child(parameters, CARRY)
    assert learner.respond(shown("28+15"))[::3] == (313, "defect")
    assert learner.respond(shown("23+14"))[::3] == (37, "known")


@pytest.mark.parametrize(("defect", "right"), [(CARRY, True), (ALIGNMENT, False)])
def test_a_probe_takes_the_defect_away_only_from_the_cause_that_needs_its_variable(
    parameters: Parameters, defect: Defect, right: bool
) -> None:
    assert (child(parameters, defect).respond(shown("20+15", removed="carry")).answer == 35) is right


def test_a_neighbour_of_the_table_comes_only_with_big_factors(parameters: Parameters) -> None:
    learner = child(parameters, NEIGHBOUR)
    assert learner.respond(shown("7x8")).answer == 63
    assert learner.respond(shown("3x4")).answer == 12


def test_a_gap_in_a_concept_fails_all_that_stands_on_it(parameters: Parameters) -> None:
    learner = child(parameters, Defect("concept", ("CONCEPT_L4_DIGIT_AS_NUMBER",), cog_c=5))
    assert learner.respond(shown("28+15")).origin == "defect"
    assert learner.respond(shown("8+6")).answer == 14


def test_steps_get_lost_above_the_load_a_child_can_hold(parameters: Parameters) -> None:
    defect = Defect("working_memory", ("EXECUTION_L5_STEP_LOST",), w_limit=6.0)
    problems = [make_problem(2, "+", 3), make_problem(52, "-", 38)]
    wrong = [[wrong_answer(defect, one, None, parameters, seeded(seed)) for seed in range(200)] for one in problems]
    assert set(wrong[0]) == {None}
    assert 0.7 < sum(one is not None for one in wrong[1]) / 200 < 0.9


def test_a_mixture_shows_both_of_its_malrules(parameters: Parameters) -> None:
    pairs = (("sum_carry_dropped", "EXECUTION_L4_CARRY_FORGOTTEN"), ("carry_added_twice", "EXECUTION_L4_CARRY_TWICE"))
    learner = child(parameters, Defect("mixture", tuple(tag for _, tag in pairs), pairs))
    assert {learner.respond(shown("47+26")).answer for _ in range(40)} == {63, 83}


def test_an_impulsive_child_answers_before_it_could_think(parameters: Parameters) -> None:
    learner = child(parameters, Defect("attention", ("ATTENTION_L0_IMPULSE",)))
    found = [learner.respond(shown("47+26")) for _ in range(400)]
    quick = [one for one in found if one.origin == "impulse"]
    assert 0.4 < len(quick) / 400 < 0.6
    assert median(one.rt_ms for one in quick) < 800


def test_counting_takes_several_times_as_long_and_is_seen(parameters: Parameters) -> None:
    counting = child(parameters, Defect("slow_counting", ("STRATEGY_L4_COUNTING_BY_ONES",)))
    other = child(parameters)
    times = [median(one.respond(shown("28+15")).rt_ms for _ in range(300)) for one in (counting, other)]
    assert 3 < times[0] / times[1] < 5
    tagged = sum(bool(counting.respond(shown("28+15")).behavior_tags) for _ in range(300))
    assert 0.6 < tagged / 300 < 0.8


def test_what_was_not_taught_goes_wrong_in_no_particular_way(parameters: Parameters) -> None:
    learner = child(parameters, known_c=8)
    problem = make_problem(7, "x", 8, problem_id="P-1")
    found = [learner.respond(ShownTask(problem, (), None)) for _ in range(200)]
    assert 0.7 < sum(one.origin == "unknown" for one in found) / 200 < 0.9
    assert len({one.answer for one in found}) > 50


def test_a_tap_is_one_of_the_numbers_shown(parameters: Parameters) -> None:
    learner = child(parameters, CARRY, kind="taps")
    choices = (33, 42, 43, 53)
    assert {learner.respond(shown("28+15", choices)).answer for _ in range(60)} == {33, 42, 53}


def test_slips_and_guesses_come_at_their_rates(parameters: Parameters) -> None:
    learner = child(parameters, slip=0.2)
    slips = sum(learner.respond(shown("28+15")).origin == "slip" for _ in range(1000))
    guessing = child(parameters, CARRY, guess=0.3)
    guesses = sum(guessing.respond(shown("28+15")).origin == "guess" for _ in range(1000))
    assert 150 < slips < 250
    assert 250 < guesses < 350


def test_matched_training_and_practice_weaken_the_defect_and_nothing_else_does(parameters: Parameters) -> None:
    learner, learning = child(parameters, CARRY), parameters.learning
    learner.train(matched=False)
    learner.practise(make_problem(23, "+", 14), matched=False)
    assert learner.strength == 1.0
    learner.train(matched=True)
    learner.practise(make_problem(28, "+", 15), matched=True)
    assert learner.strength == pytest.approx((1 - learning.training) * (1 - learning.practice))
    while not learner.mastered:
        learner.train(matched=True)
    assert sum(learner.respond(shown("28+15")).answer == 43 for _ in range(200)) > 160


def test_made_up_answers_are_wrong_and_possible() -> None:
    chance = seeded(3)
    problems = [make_problem(*parse_expression(text)) for text in ("1+1", "8-8", "28+15", "7x8", "5x0")]
    made = [
        (one.answer, way(one, chance))
        for one in problems
        for way in (slip_answer, unsystematic_answer)
        for _ in range(300)
    ]
    assert all(found >= 0 and found != answer for answer, found in made)


def test_response_times_are_log_normal_around_the_strategys_median(parameters: Parameters) -> None:
    times, chance = parameters.response_times, seeded(5)
    third, second = (median_ms(times, "STR_MAKE10", grade) for grade in (3, 2))
    assert third == pytest.approx(second * times.grade_factor)
    drawn = [draw_ms(chance, second, times.sigma) for _ in range(4000)]
    assert median(drawn) == pytest.approx(second, rel=0.05)
    assert min(drawn) >= SHORTEST_MS

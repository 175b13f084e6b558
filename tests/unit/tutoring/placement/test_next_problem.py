"""What a placement asks, and how near it comes to what simulated children know."""

from collections.abc import Iterator, Set
from random import Random

import pytest

from maththera.knowledge.skills import STRANDS, Skills
from maththera.tutoring.content.session_rules import PlacementNumbers, Rules
from maththera.tutoring.placement.hypotheses import Answer, Hypotheses, information, placement_hypotheses, strand_levels
from maththera.tutoring.placement.session_placement import Choice, next_choice, placed_levels


@pytest.fixture(scope="module")
def skills(rules: Rules) -> Skills:
    return rules.knowledge.skills


@pytest.fixture(scope="module")
def numbers(rules: Rules) -> PlacementNumbers:
    return rules.numbers.placement


@pytest.fixture(scope="module")
def hypotheses(skills: Skills, numbers: PlacementNumbers) -> Hypotheses:
    return placement_hypotheses(skills, numbers.gap_share)


def asked(hypotheses: Hypotheses, numbers: PlacementNumbers, answers: list[Answer], c: int = 0) -> dict[str, float]:
    """The chance of each skill that a placement asks for; `c`: where the child is thought to be."""
    known = hypotheses.known(answers, slip=numbers.slip, guess=numbers.guess, c=c)
    return {skill_id: chance for skill_id, chance in known.items() if skill_id in hypotheses.needed}


def placed(
    hypotheses: Hypotheses, numbers: PlacementNumbers, knows: Set[str], random: Random, *, slip: float = 0.1
) -> list[tuple[Choice, Answer]]:
    """A whole placement of a child who knows these skills."""
    seen: list[tuple[Choice, Answer]] = []
    while not seen or not seen[-1][0].last:
        answers = [one for _, one in seen]
        choice = next_choice(
            asked(hypotheses, numbers, answers), answers, numbers, easy=sum(one.easy for one, _ in seen)
        )
        skill_id = random.choice(choice.skill_ids)
        right = random.random() < (1 - slip if skill_id in knows else 0.05)
        seen.append((choice, Answer(skill_id, right)))
    return seen


def grown_child(skills: Skills, random: Random) -> set[str]:
    """A child that learnt skill by skill, each after those that it stands on; every second one lacks one again, or it
    and all that stands on it. It has what nobody needs where it has what that stands on."""
    needed = [skill for skill in skills if skill.needed and skill.strand in STRANDS]
    ids, knows = {skill.skill_id for skill in needed}, set[str]()
    for _ in range(random.randrange(len(needed) + 1)):
        near = [one for one in needed if one.skill_id not in knows and {*one.requires} & ids <= knows]
        lowest = min(one.c_level for one in near)
        knows.add(random.choices(near, [0.5 ** (one.c_level - lowest) for one in near])[0].skill_id)
    if knows and random.random() < 0.5:
        gap = random.choice(sorted(knows))
        knows -= {gap} | (skills.dependents(gap) if random.random() < 0.5 else frozenset())
    others = (skill for skill in skills if not skill.needed and skill.strand in STRANDS)
    return knows | {skill.skill_id for skill in others if {*skill.requires} & ids <= knows}


def chances(hypotheses: Hypotheses, numbers: PlacementNumbers, answers: list[Answer]) -> dict[str, float]:
    known = hypotheses.known(answers, slip=numbers.slip, guess=numbers.guess)
    return {one: chance + (1 - chance) * numbers.guess for one, chance in known.items()}


@pytest.mark.slow
def test_children_are_placed_within_a_step_of_each_strand(
    skills: Skills, hypotheses: Hypotheses, numbers: PlacementNumbers
) -> None:
    random, within, expected, wrongly = Random(3), dict.fromkeys(STRANDS, 0), 0, 0  # noqa: S311 - children, no secrets
    ids, children = hypotheses.skill_ids, 200
    for _ in range(children):
        knows = grown_child(skills, random)
        seen = placed(hypotheses, numbers, knows, random)
        found = chances(hypotheses, numbers, [answer for _, answer in seen])
        start = placed_levels(found, skills, 0.8)
        true = placed_levels({one: float(one in knows) for one in ids}, skills, 0.5)
        for strand in STRANDS:
            ladder = strand_levels(skills, strand)
            steps = [ladder.index(levels.get(strand, ladder[-1])) for levels in (start, true)]
            within[strand] += abs(steps[0] - steps[1]) <= 1
        sure = {one for one, chance in found.items() if chance >= 0.8}
        expected, wrongly = expected + len(sure), wrongly + len(sure - knows)
    assert sum(within.values()) >= 0.9 * 4 * children
    assert min(within.values()) >= 0.85 * children
    assert wrongly <= 0.04 * expected


def children(skills: Skills) -> Iterator[tuple[set[str], Random]]:
    random = Random(5)  # noqa: S311 - children, no secrets
    ids = {skill.skill_id for skill in skills}
    yield set(), random
    yield ids, random
    for _ in range(15):
        yield grown_child(skills, random), random


def test_a_placement_has_ten_to_twelve_problems_and_ends_with_an_easy_one(
    skills: Skills, hypotheses: Hypotheses, numbers: PlacementNumbers
) -> None:
    for knows, random in children(skills):
        seen = placed(hypotheses, numbers, knows, random)
        assert 10 <= len(seen) <= 12
        assert seen[-1][0].easy
        assert sum(choice.easy for choice, _ in seen) <= 3


def test_after_two_misses_comes_what_the_child_has(
    skills: Skills, hypotheses: Hypotheses, numbers: PlacementNumbers
) -> None:
    for knows, random in children(skills):
        seen = placed(hypotheses, numbers, knows, random)
        for place in range(2, len(seen)):
            answers, easy = [answer for _, answer in seen[:place]], sum(choice.easy for choice, _ in seen[:place])
            missed = not any(answer.right for answer in answers[-2:])
            if missed and easy < 2:
                assert seen[place][0].easy
            if seen[place][0].easy:
                found = chances(hypotheses, numbers, answers)
                offered = [found[one] for one in seen[place][0].skill_ids]
                assert min(offered) >= 0.9 or offered == [max(found[one] for one in hypotheses.needed)]


def test_an_ordinary_problem_tells_nearly_the_most(
    skills: Skills, hypotheses: Hypotheses, numbers: PlacementNumbers
) -> None:
    for knows, random in children(skills):
        seen = placed(hypotheses, numbers, knows, random)
        for place, (choice, _) in enumerate(seen):
            if choice.easy:
                continue
            known = hypotheses.known([answer for _, answer in seen[:place]], slip=0.1, guess=0.1)
            tells = {one: information(known[one], 0.1, 0.1) for one in hypotheses.needed}
            assert min(tells[one] for one in choice.skill_ids) >= 0.9 * max(tells.values())


def test_what_an_adult_says_moves_the_first_problem(
    skills: Skills, hypotheses: Hypotheses, numbers: PlacementNumbers
) -> None:
    low = [skills[one].c_level for one in next_choice(asked(hypotheses, numbers, [], 2), [], numbers).skill_ids]
    high = [skills[one].c_level for one in next_choice(asked(hypotheses, numbers, [], 12), [], numbers).skill_ids]
    assert max(low) < min(high)


def test_answers_speak_for_what_they_need_and_what_stands_on_it(hypotheses: Hypotheses) -> None:
    before = hypotheses.known([], slip=0.1, guess=0.1)
    right = hypotheses.known([Answer("C8.carry_ones", right=True)], slip=0.1, guess=0.1)
    wrong = hypotheses.known([Answer("C8.carry_ones", right=False)], slip=0.1, guess=0.1)
    assert right["C8.carry_ones"] > before["C8.carry_ones"] > wrong["C8.carry_ones"]
    assert right["C7.nine"] > before["C7.nine"]
    assert wrong["C13.times_6_9"] < before["C13.times_6_9"]


def test_a_right_answer_says_less_where_it_may_be_lucky(hypotheses: Hypotheses) -> None:
    answers = [Answer("C10.borrow", right=True)]
    surely, luckily = (hypotheses.known(answers, slip=0.1, guess=guess)["C10.borrow"] for guess in (0.1, 0.25))
    assert surely > luckily


def test_the_probabilities_are_those_of_the_sets(hypotheses: Hypotheses) -> None:
    answers = [Answer("C8.plain", right=True), Answer("C10.borrow", right=False)]
    found = hypotheses.known(answers, slip=0.1, guess=0.1)
    places = {one: place for place, one in enumerate(hypotheses.skill_ids)}
    weights = []
    for known, weight in zip(hypotheses.sets, hypotheses.prior[0], strict=True):
        has = [bool(known >> places[answer.skill_id] & 1) for answer in answers]
        weights.append(weight * (0.9 if has[0] else 0.1) * (0.1 if has[1] else 0.9))
    for one, place in places.items():
        share = sum(w for known, w in zip(hypotheses.sets, weights, strict=True) if known >> place & 1) / sum(weights)
        assert found[one] == pytest.approx(share, abs=1e-5)


def test_every_set_has_what_its_levels_stand_on(skills: Skills, hypotheses: Hypotheses) -> None:
    """A skill without one that it needs is only in the sets that lack just this one."""
    places = {one: place for place, one in enumerate(hypotheses.skill_ids)}
    for known in hypotheses.sets:
        has = {one for one, place in places.items() if known >> place & 1}
        lacking = {need for one in has for need in skills[one].requires if need in places} - has
        assert len(lacking) <= 1


def test_information_is_most_in_doubt_and_none_in_certainty() -> None:
    assert information(0.0, 0.1, 0.1) == pytest.approx(0)
    assert information(1.0, 0.1, 0.1) == pytest.approx(0)
    assert information(0.5, 0.0, 0.0) == pytest.approx(1)
    assert information(0.5, 0.1, 0.1) > information(0.2, 0.1, 0.1) > information(0.05, 0.1, 0.1)

import re
from pathlib import Path

import pytest

from maththera.arithmetic.problem import ProblemError, make_problem
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigError
from maththera.korean.particles import with_particle
from maththera.servers.toolkit.word_problems import WordProblems
from maththera.settings import home

PATH = home() / "configs" / "servers" / "word_problems.yaml"
WORDS = WordProblems.load(PATH)
BANK = Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")


def test_every_story_tells_both_numbers_and_not_the_answer() -> None:
    told: dict[str, int] = {}
    for problem in list(BANK)[::7]:
        for name in WORDS.fitting(problem):
            question = WORDS.tell(problem, name).question
            said = [int(number) for number in re.findall(r"\d+", question)]
            assert sorted(said) == sorted((problem.a, problem.b)), question
            assert question.endswith("?")
            assert "{" not in question
            told[name] = told.get(name, 0) + 1
    assert told.keys() == WORDS.templates.keys(), "a template that fits nothing"


def test_particles_follow_their_words() -> None:
    wrong = re.compile(r"(장|권|명|톨|탕|슬|필|밤)(를|는 |가 )|(개|자루|지|이|우|아|나)(을|은 )")
    for problem in list(BANK)[::301]:
        for name in WORDS.fitting(problem):
            question = WORDS.tell(problem, name).question
            assert not wrong.search(question), question
    assert with_particle("사탕", "을를") == "사탕을"
    assert with_particle("연필 8자루", "을를") == "연필 8자루를"
    assert [with_particle(number, "이가") for number in (1, 2, 13, 28, 100, 35)] == [
        "1이", "2가", "13이", "28이", "100이", "35가",
    ]  # fmt: skip


def test_the_id_tells_the_same_story_again() -> None:
    story = WORDS.tell(make_problem(28, "+", 15), "add-more")
    assert WORDS.find(story.problem_id, BANK) == story
    assert WORDS.find("P-00001", BANK) is None
    for bad in ("W:add-more:P-99999", "W:take-away:X:8+6:h", "W:none:X:8+6:h"):
        with pytest.raises(ProblemError):
            WORDS.find(bad, BANK)


@pytest.mark.parametrize("expression", [(0, "+", 5), (5, "-", 5), (1, "x", 7), (7, "/", 1)])
def test_numbers_that_make_no_story(expression: tuple[int, str, int]) -> None:
    assert WORDS.fitting(make_problem(*expression)) == []


def test_neighbours_are_told_differently() -> None:
    stories = WORDS.varied([make_problem(20 + n, "+", 30) for n in range(1, 5)])
    assert len({story.problem_id.split(":")[1] for story in stories}) == 4


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("{name:은는} {thing:을를} {a}{unit} 가지고 있었습니다. {friend", "{nobody} {friend", "no such slot as nobody"),
        ("things: small\n    most: 60", "things: tiny\n    most: 60", "there are no things tiny"),
        ("{a}명이 타고 있었습니다. 이번 정류장에서 {b}명이 더", "{a}명이 더", "both numbers"),
        ("{unit:을를} 더 주었", "{unit:으로} 더 주었", "a slot is"),
    ],
)
def test_a_bad_template_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = PATH.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "words.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason):
        WordProblems.load(path)

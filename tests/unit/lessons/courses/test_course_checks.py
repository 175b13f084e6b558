"""Courses are read whole or refused with file, line, field and reason for each fault."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.lessons.config import load_lesson_config
from maththera.lessons.content import CONFIG, COURSES, MESSAGES, LessonContent
from maththera.lessons.courses.course_files import load_chapter, load_course, load_courses, load_head
from maththera.settings import home

RULES = load_lesson_config(home() / CONFIG).courses
SAMPLE = home() / COURSES / "arithmetic"
Edit = Callable[[str, str], Path]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course of one chapter."""
    folder = tmp_path / "arithmetic"
    folder.mkdir()
    for name in ("course.yaml", "chapter_01.yaml"):
        shutil.copy(SAMPLE / name, folder / name)
    return folder


@pytest.fixture
def edit(course: Path) -> Edit:
    def replace(old: str, new: str) -> Path:
        path = course / "chapter_01.yaml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return replace


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as error:
        load_chapter(path, load_head(path.parent), RULES)
    return str(error.value)


def test_the_sample_is_sound(course: Path) -> None:
    found = load_course(course, RULES)
    assert list(found.chapters) == [1]
    assert found.next_chapter(1) is None


@pytest.mark.parametrize(
    ("old", "new", "field", "reason"),
    [
        ("unit: Cur-C1", "unit: Cur-C2", "unit", "chapter 1 of an arithmetic course teaches Cur-C1"),
        ("chapter: 1", "chapter: 3", "chapter", "3 stands in chapter_01.yaml"),
        ("title: 9까지의 수, 하나 더 하나 덜\n", "", "title", "Field required"),
        ("paragraphs: [one_more, neighbours, start_not_counted]", "paragraphs: [nowhere]",
         "multiple_choice[0].paragraphs", "there is no paragraph nowhere"),
        ("paragraphs: [one_more, neighbours, start_not_counted]", "paragraphs: [one_more]",
         "multiple_choice[0].paragraphs", "none is of the explanation that advanced learners are given"),
        ("number: 2", "number: 1", "multiple_choice[0].number", "1 is another question's number too"),
        ("problem: 6+1", "problem: 5+1", "multiple_choice[0].choices[0]", "count_on_one_less gives 5 here, not 6"),
        ("problem: 6+1", "problem: 6 plus 1", "multiple_choice[0].problem", "is not two numbers"),
        ("problem: 6+1", "problem: 26+1", "multiple_choice[0].problem", "belongs to Cur-C8, which comes later"),
        ("malrule: sum_subtracted", "malrule: magic", "multiple_choice[0].choices[3]", "there is no malrule magic"),
        ("        malrule: sum_subtracted\n", "", "multiple_choice[0].choices[3]", "needs the malrule that gives it"),
        ("- text: 7마리\n        key: true", "- text: 8마리\n        key: true", "multiple_choice[0].choices[1]",
         "6+1=□ is 7, not 8"),
        ("- text: 6마리", "- text: 6마리와 1마리", "multiple_choice[0].choices[0].text", "holds one number"),
        ("        key: true\n        why: 6 다음에", "        why: 6 다음에", "multiple_choice[0].choices",
         "0 keys, exactly one choice has `key: true`"),
        ("- 오리가 한 마리 늘었어. 수가 커질까, 작아질까?", "- 답은 7마리야.", "multiple_choice[0].hints[0]",
         "gives the key away"),
        ("weight: 60", "weight: 50", "subjective[2].points", "the weights add up to 90, not to 100"),
        ("- text: 6이야\n            key: true", "- text: 6이야\n            why: 아니야.",
         "subjective[0].task.gaps[0]", "0 keys, exactly one has `key: true`"),
        ("            why: 4는 5보다 하나 더 적은 수야. 구슬을 하나 더 놓으면 수가 커져.\n", "",
         "subjective[0].task.gaps[0][0]", "a wrong option needs a `why`"),
        ("세지 않고 (2) 말하면", "세지 않고 말하면", "subjective[0].task.text", "has the gaps [1], 2 are filled"),
        ("세는 수는 6이야. 5+1=6.", "세는 수는 6이야. 5+1=7.", "explanation.beginner[one_more].text",
         "5+1=7 is wrong"),
        ("한 줄로 세워 놓은 것을 수직선이라고 해.", "수직선이라고 합니다.", "explanation.beginner[order_to_nine].text",
         "not in casual speech: “수직선이라고 합니다.”"),
        ("구슬이 5개 있어. 1개를 더 놓아 보자.", "구슬이 5개 있어. " + "아주 " * 20 + "길어.",
         "explanation.beginner[one_more].text", "more than 4 lines of 52 characters"),
        ("      check:\n        ask: 7에서 오른쪽으로 한 칸 가면 어디야?\n        key: 8\n", "",
         "explanation.beginner[order_to_nine]", "needs a check, or a calculation to work on"),
        ("      again: |\n", "      work: 5+3\n      again: |\n",
         "explanation.beginner[count_one_by_one].again", "each step of the calculation has words of its own"),
        ("key: \"빨대\"", "key: 포크", "explanation.beginner[compare_by_matching].check.key",
         "포크 is none of the choices"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place(edit: Edit, old: str, new: str, field: str, reason: str) -> None:
    path = edit(old, new)
    lines = [line for line in refused(path).splitlines() if reason in line]
    assert lines, refused(path)
    place, _, rest = lines[0].removeprefix(f"{path}:").partition(": ")
    assert int(place) >= 1
    assert rest.startswith(f"{field}: "), rest


def test_a_fault_has_the_line_it_stands_on(edit: Edit) -> None:
    path = edit("weight: 60", "weight: 600")
    line = 1 + path.read_text(encoding="utf-8").split("weight: 600")[0].count("\n")
    assert refused(path).startswith(f"{path}:{line}: subjective[2].points[none].weight: ")


def test_too_little_is_refused(course: Path) -> None:
    path = course / "chapter_01.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.split("qna:\n")[0] + "qna: []\n", encoding="utf-8")
    assert "qna: 0 are not enough, 5 are needed" in refused(path)


def test_all_faults_of_all_files_are_told_at_once(course: Path, edit: Edit) -> None:
    edit("unit: Cur-C1", "unit: Cur-C2")
    shutil.copy(course / "chapter_01.yaml", course / "chapter_03.yaml")
    (course / "notes.yaml").write_text("a: 1")
    with pytest.raises(ConfigError) as error:
        load_course(course, RULES)
    told = str(error.value)
    assert "chapter_01.yaml:3: unit" in told
    assert "chapter_03.yaml:1: chapter" in told
    assert "chapter_02.yaml is missing before it" in told
    assert "notes.yaml: the name of a chapter" in told


def test_a_course_named_otherwise_than_its_folder_is_refused(course: Path) -> None:
    (course.rename(course.parent / "other")).joinpath("course.yaml")
    with pytest.raises(ConfigError, match=r"course\.yaml:1: id: must be other, as its folder"):
        load_course(course.parent / "other", RULES)


def test_one_course_with_faults_leaves_the_others(course: Path, edit: Edit) -> None:
    other = course.parent / "other"
    shutil.copytree(course, other)
    (other / "course.yaml").write_text((other / "course.yaml").read_text().replace("id: arithmetic", "id: other"))
    edit("unit: Cur-C1", "unit: Cur-C2")
    courses, faults = load_courses(course.parent, RULES)
    assert list(courses) == ["other"]
    assert len(faults) == 1


def test_a_refused_course_is_logged_and_the_rest_goes_on(
    tmp_path: Path, course: Path, edit: Edit, caplog: pytest.LogCaptureFixture
) -> None:
    edit("unit: Cur-C1", "unit: Cur-C2")
    configs = tmp_path / "configs"
    (configs / "lessons" / "courses").mkdir(parents=True)
    shutil.copy(home() / CONFIG, configs / "lessons" / "lessons.yaml")
    shutil.copy(home() / MESSAGES, configs / "lessons" / "messages.yaml")
    shutil.copytree(home() / "configs" / "words", configs / "words")
    course.rename(configs / "lessons" / "courses" / "arithmetic")
    assert LessonContent.load(tmp_path).courses == {}
    assert "chapter_01.yaml:3: unit" in caplog.text

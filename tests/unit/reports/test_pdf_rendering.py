import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import islice, pairwise
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from maththera.arithmetic.malrules import CATALOGUE
from maththera.knowledge.explanations import explained
from maththera.reports import pdf_rendering
from maththera.reports.class_report import class_report, classmate
from maththera.reports.guardian_letter import ActivityStep, HomeActivity, guardian_letter
from maththera.reports.pdf_rendering import Kind, Renderer, RenderingFailed
from maththera.reports.records import Sources
from maththera.reports.teacher_report import Person, teacher_report
from maththera.store.answer_history import Answer
from maththera.store.review_queue import OpenCounts
from tests.unit.reports.conftest import CARRY, SPAN, Recorded, answer, carrying

ISSUED = datetime(2026, 4, 1, tzinfo=UTC)


Data = Callable[..., str]


@pytest.fixture
def data(recorded: Recorded, sources: Sources) -> Data:
    """`data(kind, answers, student_id, students)`: a report as JSON; a class of so many students."""

    def of(kind: Kind, answers: Sequence[Answer], student_id: str = "지우", students: int = 3) -> str:
        if kind == "class":
            names = [f"{student_id}{number:02}" for number in range(students)]
            classmates = [classmate(recorded(answers, one), (), OpenCounts()) for one in names]
            contents: Any = class_report(SPAN, sources, classmates, {})
        elif kind == "guardian":
            contents = guardian_letter(recorded(answers, student_id), Person())
        else:
            contents = teacher_report(recorded(answers, student_id), [], Person())
        return json.dumps(asdict(contents) | {"title": "보고서", "issued": "2026년 3월 31일"})

    return of


TOLD = carrying(cause_tag=CARRY, confidence="high")


@pytest.mark.parametrize("kind", ["teacher", "guardian", "class"])
def test_every_report_is_an_a4_pdf_with_its_font(kind: Kind, data: Data, renderer: Renderer) -> None:
    pdf = renderer.pdf(kind, data(kind, TOLD), ISSUED)
    assert pdf.content.startswith(b"%PDF")
    assert b"NotoSansKR" in pdf.content
    pictures = renderer.png(kind, data(kind, TOLD), ppi=72)
    assert pdf.pages == len(pictures)
    for picture in pictures:
        assert Image.open(BytesIO(picture)).size in {(595, 842), (596, 842), (595, 841)}


@pytest.mark.parametrize("kind", ["teacher", "guardian", "class"])
def test_the_same_data_give_the_same_bytes(kind: Kind, data: Data, renderer: Renderer) -> None:
    once = renderer.pdf(kind, data(kind, TOLD), ISSUED)
    assert Renderer().pdf(kind, data(kind, TOLD), ISSUED) == once


@pytest.mark.parametrize("kind", ["teacher", "guardian", "class"])
def test_nothing_to_report_is_still_a_report(kind: Kind, data: Data, renderer: Renderer) -> None:
    assert renderer.pdf(kind, data(kind, []), ISSUED).pages == 1


def test_a_large_class_runs_over_several_pages(data: Data, renderer: Renderer) -> None:
    assert renderer.pdf("class", data("class", TOLD, students=60), ISSUED).pages >= 2


def test_a_long_history_stays_on_the_page(data: Data, renderer: Renderer) -> None:
    many = [answer("28+15", 43, day=day, number=n) for day in range(20) for n in range(30)]
    assert renderer.pdf("teacher", data("teacher", many, "학생-" + "가" * 60), ISSUED).pages <= 6


@pytest.mark.parametrize(("days", "each"), [(1, 4), (1, 20), (2, 15), (6, 20), (12, 24), (12, 27)])
def test_no_page_of_a_teachers_report_is_half_empty(days: int, each: int, data: Data, renderer: Renderer) -> None:
    answers = [
        answer(f"{20 + day}+{n}", 20 + day + n, day=day, number=n) for day in range(days) for n in range(1, each)
    ]
    pages = [
        Image.open(BytesIO(one)) for one in renderer.png("teacher", data("teacher", [*TOLD[:4], *answers]), ppi=40)
    ]
    for place, page in enumerate(pages):
        rows = _written_rows(page.convert("L"))
        assert rows
        assert place == len(pages) - 1 or rows[-1] > 0.6 * page.height
        assert max(later - row for row, later in pairwise(rows)) < 0.15 * page.height, "a large empty box"


def _written_rows(page: Image.Image) -> list[int]:
    """The rows of pixels above the footer with more on them than the two sides of a box."""
    drawn = page.crop((0, 0, page.width, int(page.height * 0.93))).point(lambda value: 255 if value < 250 else 0)
    rows = (drawn.crop((0, row, drawn.width, row + 1)) for row in range(drawn.height))
    return [place for place, row in enumerate(rows) if row.histogram()[255] > 8]


def test_one_answer_fills_a_letter_of_one_page(data: Data, renderer: Renderer) -> None:
    assert renderer.pdf("guardian", data("guardian", [answer("28+15", 43)]), ISSUED).pages == 1


def test_long_names_push_nothing_off_the_page(data: Data, renderer: Renderer) -> None:
    name = "아주아주긴이름의학생식별자-2026-새싹초등학교-3학년2반-가나다라마바사아자차카타파하"
    letter = data("guardian", [answer("28+15", 43, day=day) for day in range(14)], name)
    assert renderer.pdf("guardian", letter, ISSUED).pages == 1
    of_class = [data("class", [answer("28+15", 43)], one, students=10) for one in (name, "가")]
    assert len({renderer.pdf("class", one, ISSUED).pages for one in of_class}) == 1


@pytest.mark.parametrize("kind", ["teacher", "guardian"])
def test_a_name_stands_in_place_of_the_childs_id(kind: Kind, data: Data, renderer: Renderer) -> None:
    def drawn(student_id: str, name: str | None) -> list[bytes]:
        report = json.loads(data(kind, TOLD, student_id))
        report["person"]["name"] = name
        return renderer.png(kind, json.dumps(report), ppi=72)

    assert drawn("child-5d8f0c9b", "하늘") == drawn("child-a14c4b8f", "하늘")
    assert drawn("child-5d8f0c9b", None) != drawn("child-a14c4b8f", None)


@pytest.mark.parametrize(
    "hostile", ["#panic()", "$x$", "*굵게* _기울임_", "<label>", '"; #image("/etc/passwd")', "😀 漢字"]
)
def test_names_are_text_and_no_markup(hostile: str, data: Data, renderer: Renderer) -> None:
    assert renderer.pdf("teacher", data("teacher", carrying(), hostile), ISSUED).pages >= 1


def test_every_step_of_every_skill_can_be_drawn(recorded: Recorded, sources: Sources, renderer: Renderer) -> None:
    """In both representations: a mode or a model that the template does not know would be an error."""
    steps = [
        ActivityStep(step.say, step.expression, step.picture)
        for skill in sources.model.skills
        for problem in islice(sources.problems(skill.skill_id), 2)
        for other in (False, True)
        for step in explained(problem, other=other)
    ]
    letter = guardian_letter(recorded(carrying()), Person())
    activity = HomeActivity("모두", "1+1", "바둑돌", steps)
    data = asdict(replace(letter, activity=activity)) | {"title": "편지", "issued": "2026년 3월 31일"}
    assert renderer.pdf("guardian", json.dumps(data), ISSUED).pages > len(steps) // 30


def test_every_letter_of_the_texts_is_in_the_font(sources: Sources, renderer: Renderer) -> None:
    (path,) = renderer._fonts.glob("*.ttf")
    with TTFont(path, lazy=True) as font:
        known = font.getBestCmap()
    texts = [path.read_text(encoding="utf-8") for path in pdf_rendering.TEMPLATES.glob("*.typ")]
    texts += [f"{one.name}{one.explanation}" for one in sources.texts.causes.values()]
    texts += [f"{one.title}{one.goal}" for one in sources.texts.trainings.values()]
    texts += [f"{one.name}{one.child}" for one in sources.model.skills] + [*sources.chapters.values()]
    texts += [one.title for one in CATALOGUE.values()]
    missing = {letter for text in texts for letter in text if ord(letter) not in known and letter not in "\n\t"}
    assert missing == set()


def test_a_warning_is_a_failure(data: Data, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    renderer = Renderer()
    monkeypatch.setitem(renderer.__dict__, "_fonts", tmp_path)  # a folder without fonts
    with pytest.raises(RenderingFailed, match="unknown font family: noto sans kr"):
        renderer.pdf("guardian", data("guardian", TOLD), ISSUED)


def test_an_error_names_the_report(renderer: Renderer) -> None:
    with pytest.raises(RenderingFailed, match="guardian: "):
        renderer.pdf("guardian", "{}", ISSUED)

from datetime import UTC, datetime
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from maththera.reports import pdf_rendering
from maththera.reports.contents import Json, Sources, class_report, student_report
from maththera.reports.pdf_rendering import Kind, Renderer, RenderingFailed
from tests.unit.reports.conftest import SPAN, answer
from tests.unit.reports.test_contents import CARRY, carrying

ISSUED = datetime(2026, 4, 1, tzinfo=UTC)


def _data(kind: Kind, sources: Sources, students: int = 3) -> Json:
    told = carrying(cause_tag=CARRY, confidence="high")
    if kind == "class":
        return class_report("3학년 2반", {f"학생{n:02}": told for n in range(students)}, SPAN, sources)
    return student_report("지우", told, [], SPAN, sources)


@pytest.mark.parametrize("kind", ["diagnostic", "guardian", "class"])
def test_every_report_is_an_a4_pdf_with_its_font(kind: Kind, sources: Sources, renderer: Renderer) -> None:
    pdf = renderer.pdf(kind, _data(kind, sources), ISSUED)
    assert pdf.content.startswith(b"%PDF")
    assert b"NotoSansKR" in pdf.content
    pictures = renderer.png(kind, _data(kind, sources), ppi=72)
    assert pdf.pages == len(pictures)
    for picture in pictures:
        assert Image.open(BytesIO(picture)).size in {(595, 842), (596, 842), (595, 841)}


@pytest.mark.parametrize("kind", ["diagnostic", "guardian", "class"])
def test_the_same_data_give_the_same_bytes(kind: Kind, sources: Sources, renderer: Renderer) -> None:
    once = renderer.pdf(kind, _data(kind, sources), ISSUED)
    assert Renderer().pdf(kind, _data(kind, sources), ISSUED) == once


@pytest.mark.parametrize("kind", ["diagnostic", "guardian", "class"])
def test_nothing_to_report_is_still_a_report(kind: Kind, sources: Sources, renderer: Renderer) -> None:
    empty = student_report("지우", [], [], SPAN, sources)
    data = class_report("반", {"지우": []}, SPAN, sources) if kind == "class" else empty
    assert renderer.pdf(kind, data, ISSUED).pages == 1


def test_a_large_class_runs_over_several_pages(sources: Sources, renderer: Renderer) -> None:
    assert renderer.pdf("class", _data("class", sources, students=60), ISSUED).pages >= 2


def test_a_long_history_stays_on_the_page(sources: Sources, renderer: Renderer) -> None:
    many = [answer("28+15", 43, day=day, number=n) for day in range(20) for n in range(30)]
    data = student_report("학생-" + "가" * 60, many, [], SPAN, sources)
    assert renderer.pdf("diagnostic", data, ISSUED).pages <= 3


def test_one_answer_fills_one_page(sources: Sources, renderer: Renderer) -> None:
    data = student_report("지우", [answer("28+15", 43)], [], SPAN, sources)
    assert renderer.pdf("diagnostic", data, ISSUED).pages == 1
    assert renderer.pdf("guardian", data, ISSUED).pages == 1


def test_long_names_push_nothing_off_the_page(sources: Sources, renderer: Renderer) -> None:
    name = "아주아주긴이름의학생식별자-2026-새싹초등학교-3학년2반-가나다라마바사아자차카타파하"
    letter = student_report(name, [answer("28+15", 43, day=day) for day in range(14)], [], SPAN, sources)
    assert renderer.pdf("guardian", letter, ISSUED).pages == 1
    pupils = {f"{name}{number}": [answer("28+15", 43)] for number in range(12)}
    assert renderer.pdf("class", class_report("가" * 60, pupils, SPAN, sources), ISSUED).pages == 1


@pytest.mark.parametrize(
    "hostile", ["#panic()", "$x$", "*굵게* _기울임_", "<label>", '"; #image("/etc/passwd")', "😀 漢字"]
)
def test_names_are_text_and_no_markup(hostile: str, sources: Sources, renderer: Renderer) -> None:
    data = student_report(hostile, carrying(), [], SPAN, sources)
    assert renderer.pdf("diagnostic", data, ISSUED).pages >= 1


def test_every_letter_of_the_texts_is_in_the_font(sources: Sources, renderer: Renderer) -> None:
    (path,) = renderer._fonts.glob("*.ttf")
    with TTFont(path, lazy=True) as font:
        known = font.getBestCmap()
    texts = [path.read_text(encoding="utf-8") for path in pdf_rendering.TEMPLATES.glob("*.typ")]
    texts += [f"{one.name}{one.explanation}" for one in sources.texts.causes.values()]
    texts += [f"{one.title}{one.goal}" for one in sources.texts.trainings.values()]
    texts += [f"{one.name}{one.description}" for one in sources.graph.concepts.values()]
    missing = {letter for text in texts for letter in text if ord(letter) not in known and letter not in "\n\t"}
    assert missing == set()


def test_a_warning_is_a_failure(sources: Sources, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    renderer = Renderer()
    monkeypatch.setitem(renderer.__dict__, "_fonts", tmp_path)  # a folder without fonts
    with pytest.raises(RenderingFailed, match="unknown font family: noto sans kr"):
        renderer.pdf("guardian", _data("guardian", sources), ISSUED)


def test_an_error_names_the_report(sources: Sources, renderer: Renderer) -> None:
    with pytest.raises(RenderingFailed, match="guardian: "):
        renderer.pdf("guardian", {"span": "1"}, ISSUED)

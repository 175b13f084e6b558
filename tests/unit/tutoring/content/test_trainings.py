import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.tutoring.content.training_tasks import answers
from maththera.tutoring.content.trainings import Training, load_trainings
from maththera.tutoring.feedback.tone import check

CONFIG = home() / "configs" / "tutoring" / "trainings.yaml"
DRAWINGS = home() / "configs" / "tutoring" / "drawings.yaml"
SUM = re.compile(r"(\d+)([+−×÷])(\d+)[은는] (?:몇일까|얼마야)\?")


@pytest.fixture(scope="module")
def trainings() -> dict[str, Training]:
    return load_trainings(CONFIG, DRAWINGS)


def test_each_training_has_its_own_title_and_items_enough(trainings: dict[str, Training]) -> None:
    assert len({training.title for training in trainings.values()}) == len(trainings)
    assert all(len(training.items) >= 6 for training in trainings.values())


@pytest.mark.parametrize(
    ("training_id", "title", "widget"),
    [
        ("T01", "점 보고 수 말하기", "dot_flash"),
        ("T12", "10 만들어 더하기", "ten_frame"),
        ("T17", "10 만들기 술술", "ten_frame"),
        ("T20", "받아올림 바꾸기", "coin"),
        ("T26", "빌려오기 전략", "number_line"),
        ("T30", "멈추고 생각하고 하기", "stop_think_go"),
        ("T39", "나누어 곱하기", "array"),
        ("T40", "한 단계씩 적기", "vertical"),
    ],
)
def test_topics(trainings: dict[str, Training], training_id: str, title: str, widget: str) -> None:
    assert (trainings[training_id].title, trainings[training_id].widget) == (title, widget)


def test_every_answer_follows_from_the_parameters(trainings: dict[str, Training]) -> None:
    for training in trainings.values():
        for item in training.items:
            steps = tuple(step.answer for step in item.steps)
            assert steps == answers(item.widget or training.widget, item.ask, item.params), item.id


def test_every_written_sum_has_its_answer(trainings: dict[str, Training]) -> None:
    """The sums that a child reads ("8+6은 몇일까?"), calculated here once more."""
    sums = 0
    for training in trainings.values():
        for item in training.items:
            for step in item.steps:
                if match := SUM.search(" ".join(step.prompt)):
                    a, sign, b = int(match[1]), match[2], int(match[3])
                    assert step.answer == {"+": a + b, "−": a - b, "×": a * b, "÷": a / (b or 1)}[sign], item.id
                    sums += 1
    assert sums > 100


def test_no_item_twice(trainings: dict[str, Training]) -> None:
    for training in trainings.values():
        drawings = [json.dumps([item.widget, item.ask, item.params], sort_keys=True) for item in training.items]
        assert len(set(drawings)) == len(drawings), training.id


def test_each_is_plain_json(trainings: dict[str, Training]) -> None:
    for training in trainings.values():
        assert json.loads(json.dumps(asdict(training)))["items"][0]["steps"]


@pytest.mark.slow
def test_all_that_a_child_reads_keeps_the_tone_guide(trainings: dict[str, Training]) -> None:
    broken = []
    for training in trainings.values():
        prompts = training.prompts
        for lines in [prompts.intro, prompts.done, *prompts.right, *prompts.again]:
            broken += check(lines, None, answer=None, revealed=True)
        for item in training.items:
            for step in item.steps:
                answer = step.answer if isinstance(step.answer, int) else None
                broken += check(step.prompt, item.hint, answer=answer, revealed=False)
    assert broken == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("answer: 14}", "answer: 15}", "T12.items[T12-1].steps[2].answer: must be 14 by its parameters"),
        (
            "params: {filled: 8, add: 6}",
            "params: {filled: 8}",
            "T12.items[T12-1].params.add: Missing required argument",
        ),
        ("ask: make_ten", "ask: make_hundred", "T12.items[T12-1].ask: ten_frame cannot ask 'make_hundred'"),
        ("id: T12-1\n", "id: T13-1\n", "T12.items[T13-1].id: must begin with T12- and be its only one"),
        ("id: T12-2\n", "id: T12-1\n", "T12.items[T12-1].id: must begin with T12- and be its only one"),
        ("id: T12\n", "id: T13\n", "T12.id: must be T12"),
        ("concept: S3", "concept: S8", "T12.concept: String should match pattern"),
        ("widget: ten_frame", "widget: piano", "T12.items[T12-1].ask: piano cannot ask 'make_ten'; it can ask nothing"),
        ("visual_mode: ten_frame", "visual_mode: film", "T12.visual_mode: Input should be 'none', 'ten_frame'"),
        ("done: {correct: 3, of: 4}", "done: {correct: 5, of: 4}", "T12.done.correct: more right answers than items"),
        ("max_items: 6", "max_items: 2", "T12.done.correct: more right answers than items"),
        ("max_items: 6", "most: 6", "T12.max_items: "),
        (
            "'하나씩 옮겨 봐.'",
            "'화살표를 따라가.'",
            "T12.prompts.again[1]: '화살표를 따라가.' names '화살표', which is not drawn",
        ),
        (
            "hint: '빈칸부터 채워 봐.'",
            "hint: '블록을 봐.'",
            "T12.items[T12-1]: '블록을 봐.' names '블록', which is not drawn",
        ),
        (
            "'10을 먼저 만들자.'",
            "'놀이를 해 보자.'",
            "T12.prompts.intro: '놀이를 해 보자.' names '놀이', which is not drawn",
        ),
        (
            "28+15는 얼마야?",
            "답을 써 볼까?",
            "T21.items[T21-1].steps[3].prompt: asks for the whole answer, so must name 28+15",
        ),
        (
            "        - {prompt: ['10과 4는 몇일까?'], answer: 14}\n",
            "",
            "T12.items[T12-1].steps: make_ten has 3 steps",
        ),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    start = text.index("T12:\n")
    broken = text[:start] + text[start:].replace(old, new, 1)
    assert broken != text
    path = tmp_path / "trainings.yaml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_trainings(path, DRAWINGS)
    assert re.search(rf"^{re.escape(str(path))}:\d+: {re.escape(fault)}", str(caught.value), re.MULTILINE)


@pytest.mark.parametrize("choices", ["[왼쪽, 같아]", "[왼쪽, 오른쪽, 왼쪽]"])
def test_choices_hold_the_answer_once(tmp_path: Path, choices: str) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    path = tmp_path / "trainings.yaml"
    path.write_text(text.replace("choices: ['왼쪽', '오른쪽']", f"choices: {choices}", 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"T02\.items\[T02-1\]\.steps\[0\]\.choices: must hold the answer"):
        load_trainings(path, DRAWINGS)

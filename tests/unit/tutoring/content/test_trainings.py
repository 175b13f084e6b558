import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.tutoring.content.training_tasks import TaskError
from maththera.tutoring.content.trainings import TrainingPlan, load_trainings

CONFIG = home() / "configs" / "tutoring" / "trainings.yaml"
DRAWINGS = home() / "configs" / "tutoring" / "drawings.yaml"


@pytest.fixture(scope="module")
def trainings() -> dict[str, TrainingPlan]:
    return load_trainings(CONFIG, DRAWINGS)


def test_each_training_has_its_own_title(trainings: dict[str, TrainingPlan]) -> None:
    assert len({plan.title for plan in trainings.values()}) == len(trainings)


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
def test_topics(trainings: dict[str, TrainingPlan], training_id: str, title: str, widget: str) -> None:
    assert (trainings[training_id].title, trainings[training_id].widget) == (title, widget)


def test_an_item_is_made_again_from_its_id_alone(trainings: dict[str, TrainingPlan]) -> None:
    plan = trainings["T12"]
    (item_id, *_) = plan.draw(earlier=0, seed=7, level=7, limit=15)
    item = plan.item(item_id)
    assert (item.id, item.ask) == (item_id, "make_ten")
    (filled, add), found = (item.params["filled"], item.params["add"]), [step.answer for step in item.steps]
    assert isinstance(filled, int)
    assert isinstance(add, int)
    assert found == [10 - filled, filled + add - 10, filled + add]


@pytest.mark.parametrize(
    "item_id", ["", "T12", "T12-", "T12-0.1.1", "T12-1.1", "T12-9.1.1", "T12-1.99.1", "T11-1.1", "T12-1.-1.1"]
)
def test_what_is_no_item_is_refused(trainings: dict[str, TrainingPlan], item_id: str) -> None:
    with pytest.raises(TaskError):
        trainings["T12"].item(item_id)


def test_the_second_time_shows_the_same_idea_in_another_picture(trainings: dict[str, TrainingPlan]) -> None:
    plan = trainings["T12"]
    given = [plan.training(plan.draw(earlier=earlier, seed=7, level=7, limit=15)) for earlier in range(3)]
    assert [one.widget for one in given] == ["ten_frame", "number_line", "ten_frame"]
    assert [one.visual_mode for one in given] == ["ten_frame", "number_line", "ten_frame"]
    assert given[0].items != given[2].items
    assert given[1].prompts.intro != given[0].prompts.intro
    assert given[1].prompts.right == given[0].prompts.right


def test_the_level_decides_the_numbers(trainings: dict[str, TrainingPlan]) -> None:
    def largest(level: int, limit: int) -> int:
        plan = trainings["T29"]
        ids = plan.draw(earlier=0, seed=3, level=level, limit=limit)
        return max(
            int(one) for item in plan.training(ids).items for one in re.findall(r"\d+", str(item.params["source"]))
        )

    assert largest(3, 9) <= 9 < largest(8, 99) <= 99 < largest(12, 999)


def test_each_is_plain_json(trainings: dict[str, TrainingPlan]) -> None:
    for plan in trainings.values():
        training = plan.training(plan.draw(earlier=0, seed=1, level=8, limit=None))
        assert json.loads(json.dumps(asdict(training)))["items"][0]["steps"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "numbers: {filled: 6-9, add: 3-9}",
            "numbers: {filled: 6-9}",
            "T12.patterns[0].numbers.add: no numbers make an item: Missing required argument",
        ),
        (
            "numbers: {filled: 6-9, add: 3-9}",
            "numbers: {filled: 1-4, add: 1-5}",
            "T12.patterns[0].numbers.add: no numbers make an item: two one-digit numbers with a sum above 10",
        ),
        ("numbers: {filled: 6-9, add: 3-9}", "numbers: {}", "T12.patterns[0].numbers.filled: no numbers make an item"),
        ("ask: make_ten", "ask: make_hundred", "T12.patterns[0].ask: no numbers make an item: ten_frame cannot ask"),
        ("id: T12\n", "id: T13\n", "T12.id: must be T12"),
        ("concept: S3", "concept: S8", "T12.concept: String should match pattern"),
        (
            "widget: ten_frame",
            "widget: piano",
            "T12.patterns[0].ask: no numbers make an item: piano cannot ask 'make_ten'",
        ),
        (
            "widget: number_line",
            "widget: piano",
            "T12.other.patterns[0].ask: no numbers make an item: piano cannot ask",
        ),
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
            "intro: ['수직선을 보자.'",
            "intro: ['빈칸을 채우자.'",
            "T12.other.intro: '빈칸을 채우자.' names '빈칸을 채', which is not drawn",
        ),
        (
            "hint: '10칸을 먼저 봐.'",
            "hint: '블록을 봐.'",
            "T12.patterns[0]: '블록을 봐.' names '블록', which is not drawn",
        ),
        (
            "hint: '10칸을 먼저 봐.'",
            "hint: '하나씩 옮겨 봐.'",
            "T12.patterns[0].hint: is a line of `again` too",
        ),
        (
            "'10을 먼저 만들자.'",
            "'놀이를 해 보자.'",
            "T12.prompts.intro: '놀이를 해 보자.' names '놀이', which is not drawn",
        ),
        (
            "{a}+{b:은는} 얼마야?",
            "답을 써 볼까?",
            "T19.patterns[0].steps[2].prompt: asks for the whole answer, so must name ",
        ),
        (
            "        - {prompt: ['10과 {2:은는} 몇일까?']}\n",
            "",
            "T12.patterns[0].steps: no numbers make an item: make_ten has 3 steps",
        ),
        ("{filled:이가} 10", "{filed:이가} 10", "T12.patterns[0].steps: '{filed:이가} 10 되려면?': 'filed'"),
        ("{filled:이가} 10", "{filled:으로} 10", "T12.patterns[0].steps: '{filled:으로} 10 되려면?': 으로 is none of"),
        ("{2:은는} 몇일까", "{4:은는} 몇일까", "T12.patterns[0].steps: '10과 {4:은는} 몇일까?': "),
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


@pytest.mark.parametrize(
    ("choices", "fault"),
    [
        ("[왼쪽, 위쪽]", r"T02\.patterns\[0\]\.steps: no numbers make an item: the choices lack (왼쪽|오른쪽)"),
        ("[왼쪽, 오른쪽, 왼쪽]", r"T02\.patterns\[0\]\.steps\[0\]\.choices: each choice once"),
    ],
)
def test_choices_hold_the_answer_once(tmp_path: Path, choices: str, fault: str) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    path = tmp_path / "trainings.yaml"
    numbers = "{left: 3-9, right: 3-9, shown: dots}"
    assert numbers in text
    only = text.replace(numbers, "{left: 3, right: 9, shown: dots}", 1) if "위쪽" in choices else text
    path.write_text(only.replace("choices: ['왼쪽', '오른쪽']", f"choices: {choices}", 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=fault):
        load_trainings(path, DRAWINGS)

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from maththera.config_files import ConfigError
from maththera.knowledge.explanations import explained
from maththera.settings import home
from maththera.tutoring.content.cause_catalogue import load_catalogue
from maththera.tutoring.feedback.feedback_templates import (
    SAFE_LINES,
    Context,
    Feedback,
    FeedbackTemplates,
    load_feedback,
)
from maththera.tutoring.feedback.text_conditions import TextCondition
from maththera.tutoring.feedback.tone import check
from maththera.tutoring.transitions import TABLE
from tests.support.tutoring import rules

CONFIG = home() / "configs" / "tutoring" / "feedback.yaml"
FREQUENT = {"correct", "correct_slow", "wrong", "slip", "no_response"}
SLOT = re.compile(r"\{(\w+)\}")
GAPS = [("addend", 8, 10), ("addend", 997, 1000), ("factor", 140, 840), ("factor", 7, 56), ("tens", 990, 990)]
EVERYTHING = frozenset(get_args(TextCondition))
EXAMPLE: Context = {"domain": "EXECUTION", "strategy": "STR_MAKE10", "op": "+", "hidden": [14], "facts": EVERYTHING}


@pytest.fixture(scope="module")
def feedbacks() -> FeedbackTemplates:
    return load_feedback(CONFIG)


def say(feedbacks: FeedbackTemplates, situation: str, context: Context, turns: int = 200) -> set[tuple[str, ...]]:
    """Everything said in so many turns, the hint last; where the context names no facts, all of them hold."""
    context = {"facts": EVERYTHING, **context}
    said = set()
    for turn in range(turns):
        words = feedbacks.compose(situation, context=context, last_template=None, seed=7, turn=turn)
        assert words is not None
        said.add((*words.lines, *([words.hint] if words.hint else [])))
    return said


@cache
def first_steps() -> list[str]:
    """One of each way to say how a problem of the bank begins, with numbers as long as they come."""
    said = {explained(problem, other=other)[0].say for problem in rules().bank for other in (False, True)}
    return [*{re.sub(r"\d", "", text): text for text in sorted(said, key=len)}.values()]


def numbers(text: str, form: str | None) -> Iterator[str]:
    """The text of a number slot with the longest and the usual numbers it can take, particles included."""
    for gap, known, target in GAPS:
        if form in (None, gap):
            values: dict[str, int | str] = {"known": known, "target": target, "closed": 100}
            values |= {"known이": f"{known}이", "target은": f"{target}은", "step": "6860+588=7448"}
            yield text.format_map(values)


def slot_values(feedbacks: FeedbackTemplates, slot: str) -> list[str]:
    if slot in feedbacks.slots:
        return list(feedbacks.slots[slot])
    if slot in feedbacks.rules:
        texts = [text for rule in feedbacks.rules[slot] for text in rule.say if text != "{첫걸음}"]
        return [*texts, *first_steps()] if slot == "힌트" else texts
    number_rules = feedbacks.numbers[slot]
    return [filled for rule in number_rules for text in rule.say for filled in numbers(text, rule.when.get("form"))]


def _filled(line: str, values: dict[str, str]) -> str:
    return SLOT.sub(lambda slot: values[slot[1]], line)


def every_text(feedbacks: FeedbackTemplates) -> Iterator[tuple[str, list[str], str | None]]:
    for templates in feedbacks.situations.values():
        for template_id, lines in templates.items():
            slots = SLOT.findall(" ".join(lines))
            for values in product(*(slot_values(feedbacks, slot) for slot in slots)):
                filled = dict(zip(slots, values, strict=True))
                said = [_filled(line, filled) for line in lines]
                hint = filled.get("힌트")
                yield template_id, [line for line in said if line != hint], hint


def test_words_that_come_often_are_varied(feedbacks: FeedbackTemplates) -> None:
    for situation, templates in feedbacks.situations.items():
        assert len(templates) >= (8 if situation in FREQUENT else 4), situation


def test_every_rule_can_serve(feedbacks: FeedbackTemplates) -> None:
    values = {
        "domain": {"CONCEPT", "STRATEGY", "SPATIAL", "EXECUTION", "FLUENCY", "ATTENTION", "TRANSCRIPTION"},
        "strategy": {
            *{"STR_COUNT_ALL", "STR_COUNT_ON", "STR_PART_WHOLE", "STR_DOUBLE"},
            *{"STR_MAKE10", "STR_PLACE_VALUE", "STR_COMPENSATE", "STR_RETRIEVE"},
        },
        "op": {"+", "-", "x", "/"},
        "form": {"result", "addend", "factor", "tens"},
    }
    for slot_rules in [*feedbacks.rules.values(), *feedbacks.numbers.values()]:
        for index, rule in enumerate(slot_rules):
            assert all(value in values[key] for key, value in rule.when.items() if key != "cause_tag")
            assert not any(before.when.items() <= rule.when.items() for before in slot_rules[:index])


def test_hints_name_causes_of_the_catalogue(feedbacks: FeedbackTemplates) -> None:
    causes = load_catalogue(home()).causes
    named = {tag for one in feedbacks.rules.values() for rule in one if (tag := rule.when.get("cause_tag"))}
    assert named
    assert named <= causes.keys()


def test_every_situation_of_the_table_has_words(feedbacks: FeedbackTemplates) -> None:
    assert {row.situation for row in TABLE} <= feedbacks.situations.keys()


def test_no_template_twice(feedbacks: FeedbackTemplates) -> None:
    for templates in feedbacks.situations.values():
        assert len(set(templates.values())) == len(templates)


@pytest.mark.slow
def test_every_template_with_every_slot_value_keeps_the_tone_guide(feedbacks: FeedbackTemplates) -> None:
    broken = [
        (template_id, violation)
        for template_id, lines, hint in every_text(feedbacks)
        for violation in check(lines, hint, answer=None, revealed=False)
    ]
    assert broken == []


@pytest.mark.slow
def test_only_digits_tell_numbers(feedbacks: FeedbackTemplates) -> None:
    """compose() looks for open answers among digits alone, so no template may say a number in words."""
    lines = {line for _, said, hint in every_text(feedbacks) for line in [*said, *([hint] if hint else [])]}
    for line in lines:
        in_digits = set(map(int, re.findall(r"\d+", line)))
        for answer in set(range(21)) - in_digits:
            assert check([line], None, answer=answer, revealed=True) == check(
                [line], None, answer=answer, revealed=False
            ), (line, answer)


@pytest.mark.parametrize(
    ("situation", "lines"),
    [
        ("correct", ("좋아!", "맞았어!")),
        ("correct", ("대단해!", "정답이야!")),
        ("correct", ("잘했어!", "완벽해!")),
        ("wrong", ("괜찮아.", "한번 더!", "다시 해볼까?")),
        ("wrong", ("괜찮아.", "천천히 해봐.", "할 수 있어!")),
        ("slip", ("거의 다 왔어!", "자리만 봐!", "다시!")),
        ("slip", ("아깝다!", "하나만 봐!", "해볼까?")),
        ("no_response", ("괜찮아.", "하나씩 하자.")),
        ("no_response", ("괜찮아.", "같이 해볼까?")),
        ("diagnostic_question", ("8이 10 되려면?", "몇 개 더 필요해?")),
        ("bridge", ("8이 10 되려면?", "몇 개 더 필요해?")),
    ],
)
def test_the_first_samples_are_said(feedbacks: FeedbackTemplates, situation: str, lines: tuple[str, ...]) -> None:
    context: Context = {"domain": "SPATIAL", "op": "+", "form": "addend", "known": 8, "target": 10, "hidden": [2]}
    assert lines in say(feedbacks, situation, context, turns=1500)


def test_nobody_is_urged() -> None:
    assert "빠르게" not in CONFIG.read_text(encoding="utf-8")


def test_the_same_turn_the_same_words(feedbacks: FeedbackTemplates) -> None:
    first, again = (
        [feedbacks.compose("wrong", context=EXAMPLE, last_template=None, seed=3, turn=turn) for turn in range(50)]
        for _ in range(2)
    )
    assert first == again
    assert len({words.template_id for words in first if words}) > 5


def test_words_do_not_depend_on_the_process(feedbacks: FeedbackTemplates) -> None:
    """A recorded session is replayed elsewhere, so the choice itself is pinned."""
    words = feedbacks.compose("training_done", context={}, last_template=None, seed=1, turn=1)
    assert words is not None
    assert words.template_id == "training_done_1"


def test_never_the_last_template(feedbacks: FeedbackTemplates) -> None:
    for situation, templates in feedbacks.situations.items():
        for last in templates:
            for turn in range(20):
                words = feedbacks.compose(situation, context={}, last_template=last, seed=5, turn=turn)
                assert words is not None
                assert words.template_id != last


def test_an_unknown_situation_has_no_words(feedbacks: FeedbackTemplates) -> None:
    assert feedbacks.compose("birthday", context={}, last_template=None, seed=1, turn=1) is None


def test_the_safe_words_keep_the_guide() -> None:
    assert check(SAFE_LINES, None, answer=None, revealed=False) == []


@pytest.mark.parametrize(
    ("context", "hints"),
    [
        ({"cause_tag": "SPATIAL_L4_ALIGNMENT", "domain": "SPATIAL"}, {"자리를 맞춰 써 봐.", "끝자리를 나란히!"}),
        ({"domain": "ATTENTION", "strategy": "STR_MAKE10", "op": "+"}, {"기호를 먼저 봐."}),
        ({"form": "result", "first_step": "10에서 8을 빼."}, {"10에서 8을 빼."}),
        ({"domain": "FLUENCY", "form": "result", "first_step": "7씩 5줄을 봐."}, {"7씩 5줄을 봐."}),
        ({"form": "tens", "first_step": "70을 10씩 묶어."}, {"묶음을 세어 볼까?"}),
        ({}, {"그림을 그려 볼까?"}),
    ],
)
def test_the_nearest_hint(feedbacks: FeedbackTemplates, context: Context, hints: set[str]) -> None:
    said = {line for lines in say(feedbacks, "wrong", context) for line in lines}
    assert hints <= said


def test_a_hint_never_tells_an_open_answer(feedbacks: FeedbackTemplates) -> None:
    context: Context = {"form": "result", "first_step": "8을 10으로 채워."}
    told = {line for lines in say(feedbacks, "wrong", context) for line in lines}
    kept = {line for lines in say(feedbacks, "wrong", {**context, "hidden": [10]}) for line in lines}
    assert "8을 10으로 채워." in told
    assert "그림을 그려 볼까?" in kept
    assert not any("10" in line for line in kept)


@pytest.mark.parametrize(
    ("context", "question"),
    [
        ({"form": "addend", "known": 8, "target": 10}, "8이 10 되려면?"),
        ({"form": "addend", "known": 45, "target": 50}, "45가 50 되려면?"),
        ({"form": "addend", "known": 98, "target": 100}, "98에 몇이면 100?"),
        ({"form": "factor", "known": 7, "target": 56}, "56은 7의 몇 배?"),
        ({"form": "factor", "known": 9, "target": 45}, "45는 9의 몇 배?"),
        ({"form": "tens", "target": 120}, "120은 10이 몇 개?"),
    ],
)
def test_the_question_of_a_gap(feedbacks: FeedbackTemplates, context: Context, question: str) -> None:
    assert any(question in lines for lines in say(feedbacks, "diagnostic_question", context))


def test_a_gap_whose_number_is_an_open_answer_is_asked_without_numbers(feedbacks: FeedbackTemplates) -> None:
    context: Context = {"form": "addend", "known": 5, "target": 10, "hidden": [5]}
    said = say(feedbacks, "diagnostic_question", context)
    assert said
    assert not any(char.isdigit() for lines in said for line in lines for char in line)


def test_a_session_is_counted_at_its_end(feedbacks: FeedbackTemplates) -> None:
    said = {line for lines in say(feedbacks, "closing", {"closed": 15}) for line in lines}
    assert "오늘 15문제 해 봤어!" in said


@pytest.mark.parametrize("situation", ["closing", "closing_right", "closing_wrong", "closing_tired"])
def test_the_end_of_a_session_tells_no_score(feedbacks: FeedbackTemplates, situation: str) -> None:
    said = [line for lines in say(feedbacks, situation, {"closed": 15}) for line in lines]
    assert not any(re.search("문제.*(맞|틀)", line) for line in said)


def test_what_is_none_is_not_counted(feedbacks: FeedbackTemplates) -> None:
    said = say(feedbacks, "closing", {"closed": 0})
    assert not any(char.isdigit() for lines in said for line in lines for char in line)


def test_after_failures_nothing_is_counted(feedbacks: FeedbackTemplates) -> None:
    said = say(feedbacks, "closing_tired", {"closed": 9})
    assert not any(char.isdigit() for lines in said for line in lines for char in line)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "'{확인}!', 스스로 해냈어!",
            "'{박수}!', 스스로 해냈어!",
            "situations.correct.correct_6: there is no slot 박수",
        ),
        ("해보길 잘했어!, '{힌트}'", "해보길 잘했어!, '음 {힌트}'", "wrong.wrong_6: {힌트} is a line of its own"),
        ("'{target은} 10이 몇 개?'", "'{소리} 10이 몇 개?'", "numbers.gap_prompt[2].say: there is no number 소리"),
        ("when: {form: tens}", "when: {mood: tens}", "when.mood"),
        ("slip_2:", "wrong_2:", "situations: two templates have the id wrong_2"),
        ("missed: ['괜찮아.',", "missed: ['다음이야.',", "heard.missed: is missing, or a line is not found"),
        ("  unmarked: [", "  hidden: [", "heard.hidden"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "feedback.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_feedback(path)
    assert reason in str(caught.value)
    assert re.match(rf"{re.escape(str(path))}:\d+: ", str(caught.value))


REST = """stand_ins: {right: [wrong], again: [wrong], another: [wrong]}
about_answer: 괜찮아
heard: {right: [괜찮아.], missed: [괜찮아.], unmarked: [괜찮아.]}
choices: [골라 줘.]"""
"""What a file has beside its templates."""


def test_a_situation_needs_two_templates_for_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "feedback.yaml"
    path.write_text(
        "needs: []\nslots: {}\nrules: {힌트: [{when: {}, say: [봐.]}]}\nnumbers: {}\n"
        "situations: {wrong: {a: [괜찮아.], b: [음., '{힌트}']}}\n" + REST,
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"situations\.wrong: needs two templates"):
        load_feedback(path)


def test_a_template_that_needs_something_does_not_serve_in_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "feedback.yaml"
    text = (
        "needs: [{words: 다시, one_of: [again]}]\nslots: {칭찬: [좋아]}\nrules: {}\nnumbers: {}\n"
        "situations: {wrong: {a: [괜찮아.], b: [LINE]}}\n" + REST
    )
    path.write_text(text.replace("LINE", "천천히 해."), encoding="utf-8")
    assert load_feedback(path).situations["wrong"]["b"] == ("천천히 해.",)
    path.write_text(text.replace("LINE", "다시 해볼까?"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"situations\.wrong: needs two templates"):
        load_feedback(path)
    path.write_text(text.replace("LINE", "음.").replace("좋아", "다시 좋아"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"slots\.칭찬: serves in every turn"):
        load_feedback(path)
    path.write_text(text.replace("LINE", "음.").replace("[again]", "[dancing]"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"feedback\.yaml:1: needs\[0\]\.one_of"):
        load_feedback(path)


@pytest.mark.parametrize(
    ("stand_ins", "reason"),
    [
        ("{right: [correct], again: [wrong]}", "stand_ins: another is missing"),
        ("{right: [correct], again: [wrong], another: []}", "stand_ins: another is missing"),
        ("{right: [correct], again: [wrong], another: [gone]}", "stand_ins.another: there is no situation gone"),
    ],
)
def test_a_stand_in_is_a_situation(stand_ins: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "feedback.yaml"
    shipped = (home() / "configs" / "tutoring" / "feedback.yaml").read_text(encoding="utf-8")
    path.write_text(re.sub(r"stand_ins: \{.*\}", f"stand_ins: {stand_ins}", shipped), encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(reason)):
        load_feedback(path)


def test_what_stands_in_fits_the_turn_and_tells_no_open_answer() -> None:
    feedbacks = load_feedback(home() / "configs" / "tutoring" / "feedback.yaml")
    context: Context = {"domain": "STRATEGY", "strategy": "STR_MAKE10", "op": "+", "form": "result", "hidden": [10]}
    context["facts"] = EVERYTHING
    found = feedbacks.fallback_templates("another", context=context, seed=7, turn=3)
    assert found.keys() == feedbacks.situations["move_on"].keys()
    assert found == feedbacks.fallback_templates("another", context=context, seed=7, turn=3)
    again = feedbacks.fallback_templates("again", context=context, seed=7, turn=3)
    assert {said.hint for said in again.values()} != {None}
    assert not [said for said in again.values() if "10" in " ".join([*said.lines, said.hint or ""])]


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("괜찮아.", "answer"), ("와, 대단해!", "answer"), ("딱 맞아!", "answer"), ("아깝다!", "answer"),
        ("이제 할 수 있어!", "answer"), ("이건 나중에 보자.", "answer"), ("연습을 다 했어!", "answer"),
        ("이렇게 돼.", "answer"), ("같이 끝냈어.", "answer"),
        ("98에 몇이면 100?", "next"), ("다시 해볼까?", "next"), ("이건 어때?", "next"), ("할 수 있어!", "next"),
        ("다음 문제로 가자.", "next"), ("작은 수로 하자.", "next"), ("처음 문제야.", "next"), ("이것부터!", "next"),
    ],
)  # fmt: skip
def test_a_line_is_about_the_answer_or_about_what_comes(feedbacks: FeedbackTemplates, line: str, about: str) -> None:
    assert feedbacks.about(line) == about


def test_the_words_beside_the_first_choices_keep_the_tone(feedbacks: FeedbackTemplates) -> None:
    assert check(feedbacks.choices, None, answer=None, revealed=False) == []


def test_lines_about_what_comes_stand_behind_a_word_on_the_answer(feedbacks: FeedbackTemplates) -> None:
    coming = Feedback(["이것도 해볼까?"], None, "probe_5")
    said = {tuple(feedbacks.answered(coming, "unmarked", seed=7, turn=turn)) for turn in range(40)}
    assert said == {(heard, "이것도 해볼까?") for heard in feedbacks.heard["unmarked"]}
    whole = Feedback(["괜찮아.", "다시 해볼까?"], None, "wrong_4")
    assert feedbacks.answered(whole, "missed", seed=7, turn=1) == whole.lines


def test_there_is_room_for_a_word_on_the_answer(feedbacks: FeedbackTemplates) -> None:
    for situation in {row.situation for row in TABLE} | {"example", "together"}:
        for template_id, lines in feedbacks.situations[situation].items():
            says = any(SLOT.search(line) is None and feedbacks.about(line) == "answer" for line in lines)
            praises = any("{칭찬}" in line or "{확인}" in line for line in lines)
            assert says or praises or len(lines) < 3 or situation.startswith("closing"), template_id


def test_what_is_heard_keeps_the_guide(feedbacks: FeedbackTemplates) -> None:
    for lines in feedbacks.heard.values():
        for line in lines:
            assert check([line], None, answer=None, revealed=False) == []

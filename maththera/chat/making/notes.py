"""Texts that an adult wants written about a child or to families (`configs/chat/notes.yaml`), and their changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from string import Formatter
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.coach.learner_facts import (
    OPERATION_OF,
    Facts,
    KindCounts,
    days_within,
    kind_of,
    strong_kinds,
)
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.making.children import Child
from maththera.chat.making.worksheet_changes import wishes_in
from maththera.config_files import ConfigFile
from maththera.korean.formal import formal
from maththera.korean.particles import with_particle

_FIGURES: Final = frozenset(
    {"answered", "right", "times", "days", "wrong", "percent", "perfect_answered", "kind_answered", "kind_right"}
)
_HARD: Final = frozenset(
    {"kind", "hard", "hard_casual", "record", "times", "wrong", "example", "kind_answered", "kind_right"}
)
"""Slots of what is hard for a child."""
_POLITE: Final = (
    ("안녕하세요", "안녕하십니까"), ("확인해", "바쁘시겠지만 확인해"), ("감사합니다", "진심으로 감사드립니다"),
)  # fmt: skip
"""How what tells something is more polite."""
_TO_ADULT: Final = re.compile(r"(?:부모|어머니|어머님|아버지|아버님|보호자|선생님|담임|쌤)\S*(?:께|한테|에게)")
"""Of what is said to an adult, not to the child."""
_ADDRESSES: Final = {
    "어머": "어머님", "엄": "어머님", "아버": "아버님", "아": "아버님", "할머": "할머님", "할아버": "할아버님",
}  # fmt: skip
"""The beginning of what somebody is called → as one writes to them."""
_ONES: Final = {"한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3}
_COUNT: Final = re.compile(
    r"(?<![가-힣])(한|두|세|하나|둘|셋|\d)\s*(?:개|문장|줄|마디|가지)?(?:만|로|요|쯤|정도)?(?:요|좀)?\W*(?:$|[.,])|(한|두|세|\d)\s*(?:문장|줄|마디)"
)
_SYLLABLES_A_SECOND: Final = 5
_SHORT: Final = 2
_WEEKS: Final = 8
_TERM: Final = 18
"""Weeks of a school term."""
_TONES: Final = ("spoken", "polite", "longer")
"""Styles that change only how a text begins where there are no records to write of."""
CLASS_LETTERS: Final = ("class_letter", "app_letter")
"""Kinds of letters that are about no child."""
_LETTERS: Final = ("letter", *CLASS_LETTERS)
_SIGNED: Final = ("letter", "to_teacher", "thanks", "open_teacher")
"""Kinds that a guardian signs or that go to one."""
_OF_GOOD: Final = ("letter", "talk", "elders", "family", "handover", "record")
"""Kinds that can tell only of what goes well."""
_TURNED: Final = "자리를 바꾸어|자리를 바꿔"
_QUOTED: Final = re.compile(r'^"(.+)"$')
Style = Literal[
    "light",
    "plain",
    "spoken",
    "casual",
    "bare",
    "short",
    "stepped",
    "table",
    "playful",
    "polite",
    "longer",
    "positive",
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(_Strict):
    name: str
    step: str
    say: str


class Cause(_Strict):
    hard: str
    record: str


class NoteTexts(_Strict):
    """See the head of the file."""

    words: re.Pattern[str]
    of: Literal["teacher", "guardian"] | None = None
    closes: bool = False
    needs: re.Pattern[str] | None = None
    head: str = ""
    titles: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    stepped: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    playful: tuple[str, ...] = ()
    polite: tuple[str, ...] = ()
    longer: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    notice: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    casual: tuple[str, ...] = ()
    all_right: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    one_sentence: str = ""
    sentences: tuple[str, ...] = ()
    casual_none: tuple[str, ...] = ()


class PlanTexts(_Strict):
    """See the file."""

    lesson: re.Pattern[str]
    lesson_minutes: int
    lesson_lines: tuple[str, ...]
    lesson_close: str
    words: re.Pattern[str]
    several: re.Pattern[str]
    left_out: re.Pattern[str]
    check: re.Pattern[str]
    also: re.Pattern[str]
    turned: re.Pattern[str]
    tidy: re.Pattern[str]
    can: str
    unlike: re.Pattern[str]
    only_day: re.Pattern[str]
    with_other: re.Pattern[str]
    table: re.Pattern[str]
    brief: re.Pattern[str]
    day_brief: str
    next_week: str
    game: str
    with_game: re.Pattern[str]
    limit: re.Pattern[str]
    material: re.Pattern[str]
    closing: re.Pattern[str]
    usual: str
    head: str
    day_head: str
    one: tuple[str, ...]
    right: tuple[str, ...]
    new: tuple[str, ...]
    days_head: str
    stages: tuple[str, ...]
    day_line: str
    day_check: str
    day_turned: str
    day_also: str
    days_kept: str
    week_head: str
    week_weak: str
    week_right: str
    week_new: str
    week_also: str
    week_check: str
    week_close: str
    class_head: str
    opening: str
    apart: str
    child_weak: str
    child_right: str
    child_new: str
    in_pieces: str
    together: str
    close: str
    closed: str


class NoteBook(_Strict):
    """The file, checked."""

    kinds: Mapping[str, Kind]
    causes: Mapping[str, Cause]
    other_cause: Cause
    notes: Mapping[str, NoteTexts]
    fills: Mapping[Style, re.Pattern[str]]
    high: re.Pattern[str]
    baseline: re.Pattern[str]
    suspects: re.Pattern[str]
    reports: re.Pattern[str]
    wanted: re.Pattern[str]
    title: re.Pattern[str]
    emoji: re.Pattern[str]
    permits: re.Pattern[str]
    good_first: re.Pattern[str]
    at_home: re.Pattern[str]
    without: re.Pattern[str]
    practice: re.Pattern[str]
    closing: re.Pattern[str]
    length: re.Pattern[str]
    adds: re.Pattern[str]
    of_work: re.Pattern[str]
    effort: re.Pattern[str]
    reported: re.Pattern[str]
    addressed: re.Pattern[str]
    only_good: re.Pattern[str]
    voice: re.Pattern[str]
    to_whom: re.Pattern[str]
    weeks: re.Pattern[str]
    measurable: re.Pattern[str]
    boasts: re.Pattern[str]
    texts: Mapping[str, str]
    closings: tuple[str, ...]
    plans: PlanTexts

    @classmethod
    def load(cls, home: Path) -> "NoteBook":
        """ConfigError names every fault."""
        return ConfigFile.read(home / "configs" / "chat" / "notes.yaml").parse(TypeAdapter(cls))


@dataclass(frozen=True, slots=True)
class Note:
    """What was written. `styles`: how it was wanted otherwise, the last last; `added`: sentences that were wanted
    besides; `count`: sentences that were wanted, 0 for all; `titled`: how often another title was given; `without`:
    words that are to be left out; `closing`: how often another closing was given; `practice`: with days of practice;
    `good_first`: what goes well before the rest; `at_home`: with what families can do; `told`: what else than the
    child's work it is to tell; `voice`: who writes it, `to_whom`: to whom it goes, "" for a guardian; `weeks`: of a
    goal, 0 for the usual; `only_good`: without what is hard."""

    kind: str
    styles: tuple[Style, ...] = ()
    added: tuple[str, ...] = ()
    emoji: bool = False
    count: int = 0
    titled: int = 0
    without: tuple[str, ...] = ()
    closing: int = 0
    practice: bool = False
    good_first: bool = False
    at_home: bool = False
    told: tuple[str, ...] = ()
    voice: str = ""
    to_whom: str = ""
    weeks: int = 0
    only_good: bool = False


def note_wanted(book: NoteBook, message: str, role: str, *, named: bool = False) -> Note | None:
    """The note that a message wants; None for none. `named`: it names the child that it is about."""
    for kind, texts in book.notes.items():
        if not texts.words.search(message) or (texts.of and texts.of != role) or not book.wanted.search(message):
            continue
        if kind in _LETTERS and book.permits.search(message):
            continue
        if (
            texts.needs
            and kind != "reply"
            and (not texts.needs.search(message) or re.search(r"학부모|어머님|아버님|선생님께|쓸까|썼|쓰라", message))
        ):
            continue
        if kind == "talk" and "요약" in message and _COUNT.search(message):
            continue  # so many lines of what the records tell
        if kind == "child_line" and _TO_ADULT.search(message):
            continue
        if kind == "reply" and texts.needs and not texts.needs.search(message):
            continue
        if (
            kind == "talk"
            and not named
            and re.search(r"처음|먼저|어떻게|무슨|뭐라", message)
            and not re.search("정리|멘트|원고|드릴", message)
        ):
            continue
        styles: tuple[Style, ...] = tuple(
            style
            for style in (
                "bare",
                "short",
                "plain",
                "light",
                "spoken",
                "table",
                "playful",
                "polite",
                "longer",
                "positive",
            )
            if book.fills[style].search(message) and _has(texts, style) and not (style == "short" and texts.short)
        )
        note = Note(
            kind, styles, count=_count(message), good_first=bool(book.good_first.search(message)),
            told=_told(book, message) if texts.notice else (),
        )  # fmt: skip
        return _written_by(book, note, message) or note
    return None


def _told(book: NoteBook, message: str) -> tuple[str, ...]:
    """What a message wants told, as sentences: 오늘 숙제를 못했다고 → 오늘 숙제를 못했습니다."""
    clauses = (found["clause"] for found in book.reported.finditer(message))
    sentences = (formal(book.addressed.sub("", clause)) for clause in clauses)
    return tuple(filter(None, sentences))


def _written_by(book: NoteBook, note: Note, message: str) -> Note | None:
    """The note in the name of the one, and to the one, that a message names; None where it names neither."""
    if note.kind not in _SIGNED:
        return None
    voice, to_whom = book.voice.search(message), book.to_whom.search(message)
    if voice and note.kind != "letter":
        return replace(note, voice=voice[1])
    return replace(note, to_whom=_ADDRESSES[to_whom[1][:-1]]) if to_whom and note.kind == "letter" else None


def note_changed(book: NoteBook, note: Note, message: str, child: Child) -> tuple[Note, str] | None:
    """The note as a message wants it otherwise, and what is said; None where it wants nothing of the note."""
    wishes = wishes_in(message)
    if len(wishes) > 1 and (several := _several_changes(book, note, wishes, child)) is not None:
        return several
    if (found_new := _note_changed(book, note, message, child)) is None:
        return None
    changed, said = found_new
    same = said == written(book, note, child)
    return changed, f"{book.texts['same']}\n{said}" if same else said


def _several_changes(book: NoteBook, note: Note, wishes: Sequence[str], child: Child) -> tuple[Note, str] | None:
    """The note with every wish kept; None where one of them is none."""
    made = note
    for wish in wishes:
        if (found := _note_changed(book, made, wish, child)) is None:
            return None
        made = found[0]
    return None if made == note else (made, written(book, made, child))


def _note_changed(  # noqa: C901, PLR0912 - in order
    book: NoteBook, note: Note, message: str, child: Child
) -> tuple[Note, str] | None:
    texts, told = book.notes[note.kind], book.texts
    if texts.titles and book.title.search(message):
        start = note.titled % len(texts.titles)
        titles = ", ".join(texts.titles[start:] + texts.titles[:start])
        return replace(note, titled=note.titled + 1), told["titles"].format(titles=titles)
    if found := book.length.search(message):
        return _of_length(book, note, child, int(found[1]) if found[1] else 0)
    if note.kind == "goal" and book.baseline.search(message):
        return note, told["baseline"]
    if note.kind == "goal" and book.high.search(message):
        slots = _slots(book, child)
        key = "high" if "kind_answered" in slots else "high_unknown"
        return note, fill_template(told[key], **slots)
    if note.kind == "goal" and (weeks := book.weeks.search(message)):
        changed = replace(note, weeks=_weeks(weeks[0]))
        return changed, written(book, changed, child)
    if note.kind == "goal" and book.measurable.search(message):
        return note, f"{told['measurable']}\n{written(book, note, child)}"
    if signed := _written_by(book, note, message):
        return signed, written(book, signed, child)
    if texts.notice and (sentences := _told(book, message)):
        changed = replace(note, told=(*note.told, *sentences))
        return changed, written(book, changed, child)
    if found := book.boasts.search(message):
        changed = replace(note, added=(*note.added, told["boast_instead"]))
        return changed, f"{told['boast'].format(boast=found[0])}\n{written(book, changed, child)}"
    if found := book.adds.search(message):
        clause = found["clause"].strip().removesuffix("요")
        changed = replace(note, added=(*note.added, told["added"].format(clause=clause)))
        return changed, written(book, changed, child)
    if book.emoji.search(message):
        changed = replace(note, emoji=True)
        return changed, written(book, changed, child)
    if found_other := _small_change(book, note, message, child):
        return found_other
    wanted: list[Style] = [style for style, words in book.fills.items() if words.search(message) and _has(texts, style)]
    count = _count(message) if texts.each or re.search("문장|줄|마디", message) else 0
    if not wanted and not count:
        return None
    kept = [style for style in note.styles if style not in wanted]
    changed = replace(note, styles=(*kept, *wanted), count=count or note.count)
    return changed, written(book, changed, child)


def _small_change(book: NoteBook, note: Note, message: str, child: Child) -> tuple[Note, str] | None:
    """What goes well first, without a word, with another closing or with the days of practice."""
    texts, told = book.notes[note.kind], book.texts
    if book.at_home.search(message) and child.weakest and texts.of == "teacher":
        changed = replace(note, at_home=True)
        return changed, written(book, changed, child)
    if note.kind in _OF_GOOD and book.only_good.search(message) and child.known:
        changed = replace(note, only_good=True, count=0)
        return changed, written(book, changed, child)
    if book.good_first.search(message) and child.known and not texts.positive:
        changed = replace(note, good_first=True)
        return changed, f"{told['good_first']}\n{written(book, changed, child)}"
    if found := book.without.search(message):
        word = found["quoted"] or found["word"]
        changed = replace(note, without=(*note.without, word))
        left_out = fill_template(told["without"], word=word)
        return changed, f"{left_out}\n{written(book, changed, child)}"
    if texts.closes and book.closing.search(message):
        changed = replace(note, closing=note.closing + 1)
        return changed, f"{told['closed']}\n{written(book, changed, child)}"
    if note.kind == "record" and book.effort.search(message) and child.facts is not None and child.known:
        effort = told["effort"].format(days=len(days_within(child.facts, 10)))
        changed = replace(note, added=(*note.added, effort), count=0)
        return changed, written(book, changed, child)
    if book.practice.search(message) and child.known:
        changed = replace(note, practice=True)
        return changed, written(book, changed, child)
    return None


def written(  # noqa: C901, PLR0912 - a branch for each way in which it is wanted
    book: NoteBook, note: Note, child: Child, message: str = ""
) -> str:
    """The text of a note. `message`: that which asks for it first."""
    texts = book.notes[note.kind]
    head = texts.head
    if note.kind == "record" and book.suspects.search(message):
        head = book.texts["suspicion"]
    if note.kind == "letter" and book.reports.search(message):
        head = book.texts["report_page"]
    if note.kind == "elders" and book.reports.search(message):
        head = book.texts["report"]
    about_child = any("{" in line for line in (*texts.lines, *texts.each))
    unknown = ""
    if about_child and not child.known and not texts.none and child.name and "good" in "".join(texts.lines):
        unknown = fill_template(book.texts["no_records"], called=child.called)
    lines = _lines(book, note, child)
    added = [*note.added]
    slots, bare = _slots(book, child), "bare" in note.styles
    if (
        note.good_first
        and not texts.each
        and not {"short", "positive"}.intersection(note.styles)
        and (sentence := _filled(book.texts["perfect"], slots, bare=bare))
    ):
        lines = [*lines[:1], sentence, *lines[1:]]
    if note.at_home and (sentence := _filled(book.texts["at_home"], slots, bare=bare)):
        added.append(sentence)
    if note.practice and child.facts is not None:
        added.insert(0, book.texts["practice"].format(days=len(days_within(child.facts, 10))))
    lines = [*lines[:-1], *added, *lines[-1:]] if added and len(lines) > 1 else [*lines, *added]
    if note.closing and lines:
        lines[-1] = book.closings[(note.closing - 1) % len(book.closings)]
    lines = [line for line in lines if not any(_stem(word) in line for word in note.without)]
    if note.emoji and lines:
        lines[-1] = f"{lines[-1]} 😊"
    if note.told and "polite" in note.styles:
        for plain, polite in _POLITE:
            lines = [line.replace(plain, polite) for line in lines]
    if note.voice:
        lines = [line.replace("보호자", note.voice) for line in lines]
    if note.to_whom:
        lines = [line.replace("보호자님", note.to_whom) for line in lines]
    joined = "\n".join(lines) if len(lines) > 1 or not lines else lines[0]
    return "\n".join(filter(None, [head if message and not note.styles and not note.count else "", unknown, joined]))


def _stem(word: str) -> str:
    """What all forms of a word have: 틀 of 틀린다, 부족 of 부족."""
    return word[: max(1, len(word) - 2)] if word.endswith("다") else word


def _has(texts: NoteTexts, style: Style) -> bool:
    if style == "bare":
        return any("{" + figure in line for line in (*texts.lines, *texts.spoken) for figure in _FIGURES)
    if style == "short":
        return bool(texts.short) or len(texts.lines) > 1 or len(texts.each) > 1
    return bool(getattr(texts, style))


def _lines(  # noqa: C901, PLR0912 - a branch for each way in which it is wanted
    book: NoteBook, note: Note, child: Child
) -> list[str]:
    texts, slots = book.notes[note.kind], _slots(book, child)
    slots["weeks"], slots["half_weeks"] = note.weeks or _WEEKS, (note.weeks or _WEEKS) // 2
    chosen: Sequence[str] = texts.each or texts.lines
    if texts.none and not child.known:
        chosen = texts.none
    elif texts.all_right and child.all_right:
        chosen = texts.all_right
    for style in note.styles:
        variant: tuple[str, ...] = getattr(texts, style, ())
        if style == "casual" and not child.known and texts.casual_none:
            variant = texts.casual_none
        of_none = texts.none and not child.known and style in _TONES
        if not any(_filled(line, slots, bare="bare" in note.styles) for line in variant):
            variant = ()  # as where nothing is hard for the child
        chosen = (*variant[:1], *texts.none[1:]) if variant and of_none else variant or chosen
    if note.told:
        said = " ".join(note.told)
        slots["told"] = said
        brief = "short" in note.styles and note.kind == "to_teacher"
        chosen = [book.texts["notice_short"]] if brief else texts.notice
        if not brief and book.of_work.search(said):
            chosen = [*chosen[:2], book.texts["of_work"], *chosen[2:]]
    bare = "bare" in note.styles
    if note.good_first:
        greeting = [*takewhile(lambda line: "안녕하세요" in line, chosen)]
        rest = chosen[len(greeting) :]
        chosen = [*greeting, *sorted(rest, key=lambda line: "{good" not in line)]
    if note.only_good:
        bare = True
        good = [line for line in chosen if not _names(line) & _HARD]
        chosen = (
            good
            if any(_names(line) & {"good", "good_said", "perfect"} for line in good)
            else [*good[:-1], book.texts["perfect_plain"], *good[-1:]]
        )
        if note.count:
            chosen = [book.texts["one_good"], *(line for line in chosen if _names(line) & {"good"})][: note.count]
    elif note.count and texts.sentences and child.known:
        wanted = [texts.one_sentence] if note.count == 1 else texts.sentences
        told = [filled for line in wanted if (filled := _filled(line, slots, bare=bare))]
        return told[: note.count]
    lines = [filled for line in chosen if (filled := _filled(line, slots, bare=bare))]
    if note.count and "table" not in note.styles:
        return lines[: note.count] if texts.each or note.count >= len(lines) else _fewer(lines, note.count)
    if "short" in note.styles and not texts.short and len(lines) > _SHORT:
        return (
            lines[:1]
            if texts.each
            else [*lines[:1], *lines[2 : 1 + _SHORT]]
            if lines[0].startswith("제목")
            else lines[:_SHORT]
        )
    return lines if note.kind != "praise" else lines[: note.count or _SHORT]


def _fewer(lines: Sequence[str], count: int) -> list[str]:
    """So many lines, the last of them last."""
    return [*lines[: count - 1], lines[-1]] if count > 1 else [*lines[:1]]


def _names(line: str) -> set[str]:
    """The slots of a template."""
    return {name.partition(":")[0] for _, name, _, _ in Formatter().parse(line) if name}


def _filled(line: str, slots: Mapping[str, object], *, bare: bool) -> str:
    """A line with its values; "" where one is not known, or where it has figures that are not wanted."""
    names = _names(line)
    if line.startswith("~") != bare and (line.startswith("~") or names & _FIGURES):
        return ""
    if re.search(_TURNED, line) and not slots.get("turned"):
        return ""
    return fill_template(line.removeprefix("~"), **slots) if names <= slots.keys() else ""


def _slots(book: NoteBook, child: Child) -> dict[str, object]:
    """What templates are filled with, as far as it is known."""
    slots: dict[str, object] = {"name": child.name, "called": child.called} if child.name else {}
    facts, weak = child.facts, child.weakest
    slots["kind_task"] = _task(weak["kind"] if weak else "carry")
    if facts is None or not facts["answered"]:
        return slots
    good = [book.kinds[one["kind"]].name for one in strong_kinds(facts) if not weak or one["kind"] != weak["kind"]]
    slots |= {"answered": facts["answered"], "right": facts["right"], "days": len(days_within(facts, 10)),
              "percent": round(100 * facts["right"] / facts["answered"]), "turned": turned(facts)}  # fmt: skip
    share = f"{facts['answered']}문제 가운데 {facts['right']}문제를"
    slots["counted"] = f"{facts['answered']}문제를 모두" if facts["answered"] == facts["right"] else share
    if good:
        slots["good"] = _joined(good[:2])
        slots["good_said"] = _said(strong_kinds(facts), weak)
    if perfect := next((one for one in strong_kinds(facts) if one["right"] == one["answered"]), None):
        slots |= {"perfect": book.kinds[perfect["kind"]].name, "perfect_answered": perfect["answered"]}
    if weak:
        kind = book.kinds[weak["kind"]]
        name = weak["causes"][0]["name"] if weak["causes"] else ""
        cause = book.causes.get(name, book.other_cause)
        hard = fill_template(cause.hard, kind=kind.name)
        slots |= {
            "kind": kind.name, "step": kind.step, "say": kind.say, "hard": hard,
            "record": fill_template(cause.record, kind=kind.name),
            "times": weak["causes"][0]["count"] if weak["causes"] else weak["answered"] - weak["right"],
            "wrong": facts["answered"] - facts["right"],
            "hard_casual": _reported(hard), "kind_answered": weak["answered"], "kind_right": weak["right"],
        }  # fmt: skip
        if example := next(iter(weak["examples"]), None):
            problem = exercise_of(example["expression"])
            right = f" (바른 답 {problem.answer})" if problem else ""
            slots["example"] = f"{example['expression']}→{example['given']}{right}"
    return slots


def _said(strong: Sequence[KindCounts], weak: KindCounts | None) -> str:
    """What goes well as one says it to a child: 더하기, 쉬운 빼기."""
    trouble = OPERATION_OF[weak["kind"]] if weak else ""
    best = next(one for one in strong if one is not weak and (not weak or one["kind"] != weak["kind"]))
    operation = OPERATION_OF[best["kind"]]
    name = {"+": "더하기", "-": "빼기", "x": "구구단", "/": "나누기"}[operation]
    return f"쉬운 {name}" if operation == trouble else name


def _joined(names: Sequence[str]) -> str:
    return f"{with_particle(names[0], '과와')} {names[1]}" if len(names) > 1 else names[0]


_REPORTED: Final = {"많아요": "많대.", "빼요": "뺀대.", "어려워해요": "어려워한대."}


def _reported(hard: str) -> str:
    """As one writes to one's own family: 많아요 → 많대."""
    return next((hard.removesuffix(end) + other for end, other in _REPORTED.items() if hard.endswith(end)), f"{hard}.")


def _task(kind: str) -> str:
    """한 일로서의 문제의 종류: 받아내림이 있는 (두 자리)−(두 자리)"""
    return {
        "add": "받아올림이 없는 (두 자리)+(두 자리)", "carry": "받아올림이 있는 (두 자리)+(두 자리)",
        "take": "받아내림이 없는 (두 자리)−(두 자리)", "borrow": "받아내림이 있는 (두 자리)−(두 자리)",
        "times": "곱셈구구", "share": "곱셈구구 범위의 나눗셈",
    }[kind]  # fmt: skip


def _weeks(said: str) -> int:
    """Weeks of so many, of months or of a term."""
    number = re.search(r"\d+", said)
    if "학기" in said:
        return _TERM
    word = next((_MONTHS[one] for one in _MONTHS if one in said), 1)
    count = int(number[0]) if number else word
    return count if "주" in said else 2 * _TERM if "년" in said else 4 * count


_MONTHS: Final = {"한": 1, "두": 2, "세": 3, "석": 3, "네": 4, "넉": 4}


def _count(message: str) -> int:
    found = _COUNT.search(message)
    word = (found[1] or found[2]) if found else ""
    return int(word) if word.isdecimal() else _ONES.get(word, 0)


def _of_length(book: NoteBook, note: Note, child: Child, minutes: int) -> tuple[Note, str]:
    """How long a note takes to say; a shorter one where that is too long."""
    text = "\n".join(_lines(book, note, child))
    seconds = max(10, 10 * round(len(re.sub(r"\s", "", text)) / _SYLLABLES_A_SECOND / 10))
    long = minutes and seconds > 60 * minutes
    verdict = "" if not minutes else book.texts["too_long" if long else "fits"].format(minutes=minutes)
    said = book.texts["spoken_length"].format(seconds=seconds, verdict=verdict).strip()
    if not long:
        return note, said
    shorter = replace(note, styles=(*note.styles, "short"))
    return shorter, f"{said}\n{written(book, shorter, child)}"


def turned(facts: Facts) -> bool:
    """Whether an answer has its two digits the other way round."""
    return any(_is_turned(one["expression"], one["given"]) for one in facts["tries"])


def _is_turned(expression: str, given: int | None) -> bool:
    problem = exercise_of(expression)
    if problem is None or given is None or not 9 < problem.answer < 100 or kind_of(problem) in ("times", "share"):
        return False
    tens, ones = divmod(problem.answer, 10)
    return tens != ones and given == 10 * ones + tens

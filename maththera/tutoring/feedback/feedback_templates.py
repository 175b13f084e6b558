"""The tutor's feedback: a template for the situation, its slots filled from the turn. The same turn has the same
words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypedDict, TypeVar, get_args

from pydantic import Field, TypeAdapter

from maththera.config_files import ConfigFile, ConfigModel, Loc, refuse
from maththera.korean.particles import with_particle
from maththera.tutoring.feedback.text_conditions import TextCondition
from maththera.tutoring.feedback.vocabulary import vocabulary

SAFE_LINES: Final = ["괜찮아.", "같이 해보자."]
"""Lines that fit every turn, for when no template and no model may be used."""

T = TypeVar("T")

_HINT_LINE: Final = "{힌트}"
_FIRST_STEP: Final = "{첫걸음}"
"""Text of a rule: the context's `first_step` stands in its place."""
_SLOT: Final = re.compile(r"\{(\w+)\}")
_DIGITS: Final = re.compile(r"\d+")
_NUMBER_NAMES: Final = frozenset({"known", "known이", "target", "target은", "closed", "step"})


class Context(TypedDict, total=False):
    """The values of a turn that templates are filled with. A template whose values are missing is not used.

    `form`, `known`, `target` are those of the next task where it is a gap: known+□=target, known×□=target, or target as
    tens. `hidden` are the answers not given yet, of the next task and of every original still open: their digits are
    never shown. `first_step` is how the next task begins (`strategies`). `closed` counts the session's problems that
    are over, however they ended; no scaffold counts. `step` is the
    equation of the example's step that was closed. `facts` are the text conditions that hold (`text_conditions`).
    """

    cause_tag: str | None
    domain: str | None
    strategy: str | None
    first_step: str
    op: str | None
    form: str | None
    known: int
    target: int
    closed: int
    hidden: Sequence[int]
    facts: frozenset[TextCondition]
    step: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """At most three sentences, the hint included, which is shown beside the lines."""

    lines: list[str]
    hint: str | None
    template_id: str


class Rule(ConfigModel):
    """The texts `say` fit where the context has every value of `when`."""

    when: dict[Literal["cause_tag", "domain", "strategy", "op", "form"], str]
    say: tuple[str, ...] = Field(min_length=1)


AnswerOutcome: TypeAlias = Literal["right", "again", "another"]
"""How a turn ended: with a right answer, with the same problem again, or with another one."""


Heard: TypeAlias = Literal["right", "missed", "unmarked"]
"""What the child is told of its answer: that it was right, that it does not matter, or only that it was heard."""


class WordingCondition(ConfigModel):
    """A condition on texts that contain `words`: they are said only where one of the facts holds."""

    words: re.Pattern[str]
    one_of: frozenset[TextCondition] = Field(min_length=1)


class FeedbackTemplates(ConfigModel):
    """`feedback.yaml`: situation → template id → lines, the values of their slots, and the conditions of texts.
    `stand_ins`: the situations whose templates a model may choose from where a turn has no template of its own.
    `about_answer`: found in lines about what was answered; `heard`: such lines, for where a template has none;
    `choices`: said beside the first choices of a child."""

    needs: tuple[WordingCondition, ...]
    slots: dict[str, tuple[str, ...]]
    rules: dict[str, tuple[Rule, ...]]
    numbers: dict[str, tuple[Rule, ...]]
    situations: dict[str, dict[str, tuple[str, ...]]]
    stand_ins: dict[AnswerOutcome, tuple[str, ...]]
    about_answer: re.Pattern[str]
    heard: dict[Heard, Annotated[tuple[str, ...], Field(min_length=1)]]
    choices: list[str]

    def about(self, line: str) -> Literal["answer", "next"]:
        """Whether a line speaks of what was answered, or of what comes now."""
        return "answer" if self.about_answer.search(line) else "next"

    def answered(self, said: Feedback, heard: Heard, *, seed: int | str, turn: int) -> list[str]:
        """The lines, behind one about the answer where they have none."""
        if any(self.about(line) == "answer" for line in said.lines):
            return said.lines
        return [_SeededChoice(f"{seed}|{turn}|heard").one_of(self.heard[heard]), *said.lines]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the templates, with every value of their slots."""
        rules = (
            text for rules in (*self.rules.values(), *self.numbers.values()) for rule in rules for text in rule.say
        )
        slots = (text for texts in self.slots.values() for text in texts)
        lines = (line for one in self.situations.values() for template in one.values() for line in template)
        return vocabulary((*rules, *slots, *lines))

    def fallback_templates(
        self, turned: AnswerOutcome, *, context: Context, seed: int | str, turn: int
    ) -> dict[str, Feedback]:
        """The templates that a model may choose from after such a turn, by id and filled in."""
        filling: dict[str, Sequence[str]] = {}
        found: dict[str, Feedback] = {}
        for situation in self.stand_ins[turned]:
            for template_id, lines in self._usable(situation, context, None, filling):
                draw = _SeededChoice(f"{seed}|{turn}|{template_id}")
                found[template_id] = _filled(template_id, lines, filling, draw)
        return found

    def compose(
        self, situation: str, *, context: Context, last_template: str | None, seed: int | str, turn: int
    ) -> Feedback | None:
        """The words for a situation, never from the template used last; None where there are none for it."""
        filling: dict[str, Sequence[str]] = {}
        usable = self._usable(situation, context, last_template, filling)
        if not usable:
            return None
        draw = _SeededChoice(f"{seed}|{turn}|{situation}")
        template_id, lines = draw.one_of(usable)
        return _filled(template_id, lines, filling, draw)

    def _usable(
        self, situation: str, context: Context, last_template: str | None, filling: dict[str, Sequence[str]]
    ) -> list[tuple[str, tuple[str, ...]]]:
        """The templates whose slots all have a value; the values are put into `filling`."""
        return [
            (template_id, lines)
            for template_id, lines in self.situations.get(situation, {}).items()
            if template_id != last_template
            and self._fits(lines, context)
            and all(filling.get(slot) or self._fill(slot, context, filling) for slot in _slots(lines))
        ]

    def _fill(self, slot: str, context: Context, filling: dict[str, Sequence[str]]) -> Sequence[str]:
        """Puts the texts for the slot in this turn into `filling`; no texts where none fits."""
        if slot in self.slots:
            filling[slot] = self.slots[slot]
            return filling[slot]
        hidden = frozenset(context.get("hidden", ()))
        numbers = _numbers(context) if slot in self.numbers else None
        filling[slot] = ()
        for rule in self.rules.get(slot) or self.numbers[slot]:
            if rule.when.items() <= context.items():
                said = [context.get("first_step", "") if text == _FIRST_STEP else text for text in rule.say]
                fitting = [text for text in said if text and self._fits([text], context)]
                texts = fitting if numbers is None else _with_numbers(fitting, numbers)
                filling[slot] = [text for text in texts if hidden.isdisjoint(map(int, _DIGITS.findall(text)))]
                if filling[slot]:
                    break
        return filling[slot]

    def _fits(self, texts: Iterable[str], context: Context) -> bool:
        facts = context.get("facts", frozenset())
        return not any(needed.isdisjoint(facts) for text in texts for needed in self.needed.get(text, ()))

    @cached_property
    def needed(self) -> dict[str, tuple[frozenset[TextCondition], ...]]:
        """Text → sets of facts; of each set one must hold for the text to be said."""
        rules = [rule.say for rules in (*self.rules.values(), *self.numbers.values()) for rule in rules]
        lines = [lines for templates in self.situations.values() for lines in templates.values()]
        return {
            text: tuple(need.one_of for need in self.needs if need.words.search(text))
            for texts in (*self.slots.values(), *rules, *lines)
            for text in texts
        }


def load_feedback(path: Path) -> FeedbackTemplates:
    """ConfigError names file, line, field and reason."""
    document = ConfigFile.read(path)
    feedbacks = document.parse(TypeAdapter(FeedbackTemplates))
    refuse(document.fault(loc, reason) for loc, reason in _faults(feedbacks))
    return feedbacks


class _SeededChoice:
    """Choices that depend on a key alone, the same on every machine and in every run."""

    def __init__(self, key: str) -> None:
        self._rest = int.from_bytes(blake2b(key.encode(), digest_size=16).digest())

    def one_of(self, choices: Sequence[T]) -> T:
        self._rest, index = divmod(self._rest, len(choices))
        return choices[index]


def _filled(
    template_id: str, lines: tuple[str, ...], filling: Mapping[str, Sequence[str]], draw: _SeededChoice
) -> Feedback:
    said = [_SLOT.sub(lambda slot: draw.one_of(filling[slot[1]]), line) for line in lines]
    hint = said.pop(lines.index(_HINT_LINE)) if _HINT_LINE in lines else None
    return Feedback(said, hint, template_id)


def _numbers(context: Context) -> dict[str, str]:
    """The number slots of this turn, each number also with its particle. A count of 0 is left out."""
    known, target = context.get("known"), context.get("target")
    numbers = {"closed": str(count)} if (count := context.get("closed")) else {}
    if (step := context.get("step")) is not None:
        numbers["step"] = step
    if known is not None:
        numbers["known"] = str(known)
        numbers["known이"] = with_particle(known, "이가")
    if target is not None:
        numbers["target"] = str(target)
        numbers["target은"] = with_particle(target, "은는")
    return numbers


def _with_numbers(texts: Sequence[str], numbers: Mapping[str, str]) -> list[str]:
    return [text.format_map(numbers) for text in texts if numbers.keys() >= set(_SLOT.findall(text))]


@lru_cache(maxsize=1024)
def _slots(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_SLOT.findall(" ".join(lines)))


def _always_serves(lines: Sequence[str], feedbacks: FeedbackTemplates) -> bool:
    """Whether the template fits every turn: its slots always have a value and its texts have no conditions."""
    return all(slot in feedbacks.slots for slot in _slots(tuple(lines))) and not any(
        feedbacks.needed[line] for line in lines
    )


def _faults(feedbacks: FeedbackTemplates) -> Iterator[tuple[Loc, str]]:
    known = feedbacks.slots.keys() | feedbacks.rules.keys() | feedbacks.numbers.keys()
    for situation, templates in feedbacks.situations.items():
        for template_id, lines in templates.items():
            if unknown := sorted(set(_slots(lines)) - known):
                yield ("situations", situation, template_id), f"there is no slot {', '.join(unknown)}"
            if any(_HINT_LINE in line and line != _HINT_LINE for line in lines) or lines.count(_HINT_LINE) > 1:
                yield ("situations", situation, template_id), f"{_HINT_LINE} is a line of its own, once at most"
        if sum(_always_serves(lines, feedbacks) for lines in templates.values()) < 2:
            yield ("situations", situation), "needs two templates that serve in every turn, to say them by turns"
    yield from _heard_faults(feedbacks)
    yield from _stand_in_faults(feedbacks)
    yield from _slot_faults(feedbacks)
    ids = [template_id for templates in feedbacks.situations.values() for template_id in templates]
    for repeated in sorted({template_id for template_id in ids if ids.count(template_id) > 1}):
        yield ("situations",), f"two templates have the id {repeated}"


def _slot_faults(feedbacks: FeedbackTemplates) -> Iterator[tuple[Loc, str]]:
    for name, texts in feedbacks.slots.items():
        if any(feedbacks.needed[text] for text in texts):
            yield ("slots", name), "serves in every turn, so nothing may need to be there"
    for name, rules in feedbacks.numbers.items():
        for index, rule in enumerate(rules):
            if unknown := sorted(set(_slots(rule.say)) - _NUMBER_NAMES):
                yield ("numbers", name, index, "say"), f"there is no number {', '.join(unknown)}"


def _heard_faults(feedbacks: FeedbackTemplates) -> Iterator[tuple[Loc, str]]:
    for heard in get_args(Heard):
        if any(feedbacks.about(line) != "answer" for line in feedbacks.heard.get(heard, ("",))):
            yield ("heard", heard), "is missing, or a line is not found by `about_answer`"


def _stand_in_faults(feedbacks: FeedbackTemplates) -> Iterator[tuple[Loc, str]]:
    for turned in get_args(AnswerOutcome):
        situations = feedbacks.stand_ins.get(turned)
        if not situations:
            yield ("stand_ins",), f"{turned} is missing"
        elif unknown := sorted(set(situations) - feedbacks.situations.keys()):
            yield ("stand_ins", turned), f"there is no situation {', '.join(unknown)}"

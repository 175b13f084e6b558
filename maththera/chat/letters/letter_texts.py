"""How a letter is written: its lines by its style and by what is known of the child, and what is wanted besides."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.letters.letter_book import LetterBook, LetterTexts
from maththera.chat.letters.letter_values import HARD, Values, days_lately, filled_line, names_in, values_of
from maththera.chat.letters.letters import LETTER, Letter
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import ProblemKinds

_POLITE: Final = (
    ("안녕하세요", "안녕하십니까"), ("확인해", "바쁘시겠지만 확인해"), ("감사합니다", "진심으로 감사드립니다"),
)  # fmt: skip
"""Verb endings of a report and their more polite forms."""
_NOTICED: Final = ("short", "spoken")
"""Styles that a report can have."""
_SHORT: Final = 2
_WEEKS: Final = 8
_TONES: Final = ("spoken", "polite", "longer")
"""Styles that change only the opening of a text when there are no records to write about."""
_PRAISE: Final = frozenset({"good", "good_said", "perfect"})
"""Template values that say what goes well."""
_HEADS: Final = {"record": "suspicion", LETTER: "report_page", "elders": "report"}
"""Kind of letter → the text that explains why something else is written than was asked for."""


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """Writes letters from their templates and the records of a child."""

    book: LetterBook
    kinds: ProblemKinds

    def values(self, child: Child) -> Values:
        """The values for the templates."""
        return values_of(self.book, self.kinds, child)

    def text(self, letter: Letter, child: Child, message: str = "") -> str:
        """The text of a letter. `message`: that which asks for it first."""
        lines = self._with_more(letter, child, self.lines(letter, child))
        lines = _in_names(letter, self._as_wished(letter, lines))
        first = self._head(letter, message) if message and not letter.styles and not letter.count else ""
        return "\n".join(filter(None, [first, self._no_records(letter, child), "\n".join(lines)]))

    def _head(self, letter: Letter, message: str) -> str:
        asked = self.book.suspects if letter.kind == "record" else self.book.reports
        if letter.kind in _HEADS and asked.search(message):
            return self.book.texts[_HEADS[letter.kind]]
        return self.book.letters[letter.kind].head

    def _no_records(self, letter: Letter, child: Child) -> str:
        """A sentence saying that nothing can be told about a child without records; "" if it is not to be said."""
        texts = self.book.letters[letter.kind]
        about_child = any("{" in line for line in (*texts.lines, *texts.each)) and "good" in "".join(texts.lines)
        if not about_child or child.known or texts.none or not child.name:
            return ""
        return fill_template(self.book.texts["no_records"], called=child.called)

    def _with_more(self, letter: Letter, child: Child, lines: list[str]) -> list[str]:
        """The lines with the sentences that the adult added."""
        values, bare = self.values(child), "bare" in letter.styles
        added = [*letter.added]
        leads = letter.good_first and not {"short", "positive"}.intersection(letter.styles)
        if leads and not self.book.letters[letter.kind].each:
            perfect = filled_line(self.book.texts["perfect"], values, bare=bare)
            lines = [*lines[:1], perfect, *lines[1:]] if perfect else lines
        if letter.at_home and (sentence := filled_line(self.book.texts["at_home"], values, bare=bare)):
            added.append(sentence)
        if letter.practice and child.facts is not None:
            added.insert(0, self.book.texts["practice"].format(days=days_lately(child.facts)))
        return [*lines[:-1], *added, *lines[-1:]] if added and len(lines) > 1 else [*lines, *added]

    def _as_wished(self, letter: Letter, lines: list[str]) -> list[str]:
        """The lines with another closing, without some words, or with a smile, as asked."""
        if letter.closing and lines:
            lines[-1] = self.book.closings[(letter.closing - 1) % len(self.book.closings)]
        lines = [line for line in lines if not any(_stem(word) in line for word in letter.without)]
        if letter.emoji and lines:
            lines[-1] = f"{lines[-1]} 😊"
        return lines

    def lines(self, letter: Letter, child: Child) -> list[str]:
        """The lines of the letter, without added sentences."""
        texts, values = self.book.letters[letter.kind], self.values(child)
        weeks = letter.weeks or _WEEKS
        values |= {"weeks": weeks, "half_weeks": weeks // 2}
        bare = "bare" in letter.styles
        templates = self._templates(letter, child, values)
        if letter.told:
            values["told"] = self._told(letter, child)
            templates = self._notice(letter)
        if letter.good_first:
            templates = _good_first(templates)
        if letter.only_good:
            bare, templates = True, self._only_good(letter, templates)
        elif letter.count and texts.sentences and child.known:
            templates = [texts.one_sentence] if letter.count == 1 else texts.sentences
            return _filled(templates, values, bare=bare)[: letter.count]
        return _so_many(letter, texts, _filled(templates, values, bare=bare))

    def _templates(self, letter: Letter, child: Child, values: Values) -> Sequence[str]:
        """The templates of the last style asked for that has any."""
        texts = self.book.letters[letter.kind]
        without_records = bool(texts.none) and not child.known
        templates: Sequence[str] = texts.each or texts.lines
        if without_records:
            templates = texts.none
        elif texts.all_right and child.all_right:
            templates = texts.all_right
        for style in letter.styles:
            styled = texts.in_style(style)
            if style == "casual" and not child.known and texts.casual_none:
                styled = texts.casual_none
            if not _filled(styled, values, bare="bare" in letter.styles):
                continue  # as where nothing is hard for the child
            templates = (*styled[:1], *texts.none[1:]) if without_records and style in _TONES else styled
        return templates

    def _told(self, letter: Letter, child: Child) -> str:
        """The reported sentences; one about the child begins with its name."""
        told = " ".join(letter.told)
        of_child = self.book.of_work.search(told) or self.book.of_good.search(told)
        unnamed = letter.kind == LETTER and child.name and not self.book.subject.search(told)
        return f"{child.name} 학생은 {told}" if of_child and unnamed else told

    def _notice(self, letter: Letter) -> Sequence[str]:
        """The templates of a report, in the styles asked for."""
        texts, told = self.book.letters[letter.kind], " ".join(letter.told)
        styles = " ".join(style for style in _NOTICED if style in letter.styles)
        notice = texts.notices.get(styles, texts.notice)
        if "short" in letter.styles and notice is not texts.notice:
            return notice
        of_work = [self.book.texts["of_work"]] if self.book.of_work.search(told) else []
        good = [self.book.texts["goes_well"]] if letter.kind == LETTER and self.book.of_good.search(told) else []
        return [*notice[:2], *of_work, *good, *notice[2:]]

    def _only_good(self, letter: Letter, templates: Sequence[str]) -> Sequence[str]:
        """The templates without what is hard, and with what goes well."""
        good = [line for line in templates if not names_in(line) & HARD]
        if not any(names_in(line) & _PRAISE for line in good):
            good = [*good[:-1], self.book.texts["perfect_plain"], *good[-1:]]
        if not letter.count:
            return good
        return [self.book.texts["one_good"], *(line for line in good if "good" in names_in(line))][: letter.count]


def _filled(templates: Sequence[str], values: Values, *, bare: bool) -> list[str]:
    """The lines whose values are all known."""
    return [line for template in templates if (line := filled_line(template, values, bare=bare))]


def _good_first(templates: Sequence[str]) -> list[str]:
    """The lines with what goes well right after the greeting."""
    greeting = [*takewhile(lambda line: "안녕하세요" in line, templates)]
    return [*greeting, *sorted(templates[len(greeting) :], key=lambda line: "{good" not in line)]


def _so_many(letter: Letter, texts: LetterTexts, lines: list[str]) -> list[str]:
    """At most as many lines as the adult asked for."""
    if letter.count and "table" not in letter.styles:
        whole = texts.each or letter.count >= len(lines)
        return lines[: letter.count] if whole else _fewer(lines, letter.count)
    if "short" in letter.styles and not texts.short and len(lines) > _SHORT and not letter.told:
        return _shortened(texts, lines)
    if "short" in letter.styles[:-1] and not letter.told and len(lines) > _SHORT + 1 and letter.kind == LETTER:
        return _fewer(lines, _SHORT + 1)  # short, and in another style
    return lines[: letter.count or _SHORT] if letter.kind == "praise" else lines


def _fewer(lines: Sequence[str], count: int) -> list[str]:
    """The first lines and the last one, so many in all."""
    return [*lines[: count - 1], lines[-1]] if count > 1 else [*lines[:1]]


def _shortened(texts: LetterTexts, lines: list[str]) -> list[str]:
    """One sentence or two lines; of a letter with a title, the title and the line after the greeting."""
    if texts.each:
        return lines[:1]
    return [lines[0], *lines[2 : 1 + _SHORT]] if lines[0].startswith("제목") else lines[:_SHORT]


def _in_names(letter: Letter, lines: list[str]) -> list[str]:
    """The letter with the name of the writer and of the reader; a report becomes more polite."""
    others = [*_POLITE] if letter.told and "polite" in letter.styles else []
    others += [("보호자", letter.voice)] if letter.voice else []
    others += [("보호자님", letter.to_whom)] if letter.to_whom else []
    for plain, other in others:
        lines = [line.replace(plain, other) for line in lines]
    return lines


def _stem(word: str) -> str:
    """The part of a word that all its forms share: 틀 of 틀린다, 부족 of 부족."""
    return word[: max(1, len(word) - 2)] if word.endswith("다") else word

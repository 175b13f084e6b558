"""What adults want otherwise of a letter, and what they ask of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.letters.letter_book import LetterBook, LetterTexts, LetterWishes, Style
from maththera.chat.letters.letter_texts import LetterWriter
from maththera.chat.letters.letter_values import days_lately
from maththera.chat.letters.letters import LETTER, Letter, addressed, sentences_reported, sentences_wanted
from maththera.chat.messages.wishes import wishes_in
from maththera.chat.records.child_record import Child

_OF_GOOD: Final = (LETTER, "talk", "elders", "family", "handover", "record")
"""Kinds of letters that can be limited to what goes well."""
_SENTENCES: Final = re.compile("문장|줄|마디")
_SYLLABLES_A_SECOND: Final = 5
_TERM: Final = 18
"""Weeks of a school term."""
_MONTHS: Final = {"한": 1, "두": 2, "세": 3, "석": 3, "네": 4, "넉": 4}
Changed: TypeAlias = tuple[Letter, str]
"""The letter after a change, and the reply to the adult."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A letter, and the message that wishes something of it."""

    writer: LetterWriter
    letter: Letter
    child: Child
    message: str

    @property
    def book(self) -> LetterBook:
        return self.writer.book

    @property
    def words(self) -> LetterWishes:
        return self.book.wishes

    @property
    def texts(self) -> LetterTexts:
        """The texts of this kind of letter."""
        return self.book.letters[self.letter.kind]

    def told(self, text: str, /, **values: object) -> str:
        """The reply that goes with the letter."""
        return fill_template(self.book.texts[text], **values)

    def written(self, letter: Letter, first: str = "") -> Changed:
        """The letter as it is now, with its text after an introductory reply."""
        text = self.writer.text(letter, self.child)
        return letter, f"{first}\n{text}" if first else text


def changed_letter(writer: LetterWriter, letter: Letter, message: str, child: Child) -> Changed | None:
    """The letter after the change that a message asks for, and the reply; None if it asks for no change. A message may
    ask for several."""
    wishes = wishes_in(message)
    if len(wishes) > 1 and (several := _several(writer, letter, wishes, child)) is not None:
        return several
    if (found := _one_change(_Wish(writer, letter, child, message))) is None:
        return None
    changed, said = found
    same = said == writer.text(letter, child)
    return changed, f"{writer.book.texts['same']}\n{said}" if same else said


def _several(writer: LetterWriter, letter: Letter, wishes: Sequence[str], child: Child) -> Changed | None:
    """The letter with all of several wishes fulfilled; None if one of them is no wish."""
    made = letter
    for wish in wishes:
        if (found := _one_change(_Wish(writer, made, child, wish))) is None:
            return None
        made = found[0]
    return None if made == letter else (made, writer.text(made, child))


def _one_change(wish: _Wish) -> Changed | None:
    return next((found for change in _CHANGES if (found := change(wish)) is not None), None)


def _titled(wish: _Wish) -> Changed | None:
    """The letter with another title."""
    letter, titles = wish.letter, wish.texts.titles
    if not titles or not wish.words.title.search(wish.message):
        return None
    start = letter.titled % len(titles)
    offered = ", ".join(titles[start:] + titles[:start])
    return replace(letter, titled=letter.titled + 1), wish.told("titles", titles=offered)


def _of_length(wish: _Wish) -> Changed | None:
    """How long the letter takes to read aloud; a shorter letter if that is too long."""
    if (found := wish.words.length.search(wish.message)) is None:
        return None
    letter, minutes = wish.letter, int(found[1]) if found[1] else 0
    text = "\n".join(wish.writer.lines(letter, wish.child))
    seconds = max(10, 10 * round(len(re.sub(r"\s", "", text)) / _SYLLABLES_A_SECOND / 10))
    long = minutes > 0 and seconds > 60 * minutes
    verdict = wish.told("too_long" if long else "fits", minutes=minutes) if minutes else ""
    said = wish.told("spoken_length", seconds=seconds, verdict=verdict).strip()
    return wish.written(replace(letter, styles=(*letter.styles, "short")), said) if long else (letter, said)


def _of_goal(wish: _Wish) -> Changed | None:
    """Answers about a goal: how to find where the child starts, whether it is too high, how long it runs, how to
    measure it."""
    letter, words = wish.letter, wish.words
    if letter.kind != "goal":
        return None
    if words.baseline.search(wish.message):
        return letter, wish.told("baseline")
    if words.high.search(wish.message):
        values = wish.writer.values(wish.child)
        return letter, wish.told("high" if "kind_answered" in values else "high_unknown", **values)
    if weeks := words.weeks.search(wish.message):
        free = tuple(style for style in letter.styles if style != "table")  # whose weeks are fixed
        return wish.written(replace(letter, weeks=_weeks(weeks[0]), styles=free))
    return wish.written(letter, wish.told("measurable")) if words.measurable.search(wish.message) else None


def _addressed(wish: _Wish) -> Changed | None:
    letter = addressed(wish.book, wish.letter, wish.message)
    return wish.written(letter) if letter else None


def _telling(wish: _Wish) -> Changed | None:
    """The letter with more things to report."""
    sentences = sentences_reported(wish.book, wish.message) if wish.texts.notice else ()
    return wish.written(replace(wish.letter, told=(*wish.letter.told, *sentences))) if sentences else None


def _without_boast(wish: _Wish) -> Changed | None:
    """The letter without praise that no record supports, and with what the child really does."""
    if (found := wish.words.boasts.search(wish.message)) is None:
        return None
    instead = wish.told("boast_instead")
    return wish.written(replace(wish.letter, added=(*wish.letter.added, instead)), wish.told("boast", boast=found[0]))


def _with_sentence(wish: _Wish) -> Changed | None:
    if (found := wish.words.adds.search(wish.message)) is None:
        return None
    sentence = wish.told("added", clause=found["clause"].strip().removesuffix("요"))
    return wish.written(replace(wish.letter, added=(*wish.letter.added, sentence)))


def _with_smile(wish: _Wish) -> Changed | None:
    return wish.written(replace(wish.letter, emoji=True)) if wish.words.emoji.search(wish.message) else None


def _for_home(wish: _Wish) -> Changed | None:
    """The letter with ideas for the family."""
    fits = wish.child.weakest and wish.texts.of == "teacher"
    wished = fits and wish.words.at_home.search(wish.message)
    return wish.written(replace(wish.letter, at_home=True)) if wished else None


def _only_good(wish: _Wish) -> Changed | None:
    fits = wish.letter.kind in _OF_GOOD and wish.child.known
    wished = fits and wish.words.only_good.search(wish.message)
    return wish.written(replace(wish.letter, only_good=True, count=0)) if wished else None


def _good_first(wish: _Wish) -> Changed | None:
    fits = wish.child.known and not wish.texts.positive
    wished = fits and wish.words.good_first.search(wish.message)
    return wish.written(replace(wish.letter, good_first=True), wish.told("good_first")) if wished else None


def _without_word(wish: _Wish) -> Changed | None:
    if (found := wish.words.without.search(wish.message)) is None:
        return None
    word = found["quoted"] or found["word"]
    return wish.written(replace(wish.letter, without=(*wish.letter.without, word)), wish.told("without", word=word))


def _closing(wish: _Wish) -> Changed | None:
    """The letter with another closing line."""
    wished = wish.texts.closes and wish.words.closing.search(wish.message)
    letter = replace(wish.letter, closing=wish.letter.closing + 1)
    return wish.written(letter, wish.told("closed")) if wished else None


def _with_effort(wish: _Wish) -> Changed | None:
    """A sentence for the school record that mentions the child's effort."""
    facts = wish.child.facts if wish.letter.kind == "record" and wish.child.known else None
    if facts is None or not wish.words.effort.search(wish.message):
        return None
    effort = wish.told("effort", days=days_lately(facts))
    return wish.written(replace(wish.letter, added=(*wish.letter.added, effort), count=0))


def _with_practice(wish: _Wish) -> Changed | None:
    wished = wish.child.known and wish.words.practice.search(wish.message)
    return wish.written(replace(wish.letter, practice=True)) if wished else None


def _styled(wish: _Wish) -> Changed | None:
    """The letter in another style, or with a given number of sentences."""
    letter, texts = wish.letter, wish.texts
    wanted: list[Style] = [
        style for style, words in wish.book.styles.items() if words.search(wish.message) and texts.has(style)
    ]
    counts = texts.each or _SENTENCES.search(wish.message)
    count = sentences_wanted(wish.message) if counts else 0
    if not wanted and not count:
        return None
    kept = [style for style in letter.styles if style not in wanted]
    return wish.written(replace(letter, styles=(*kept, *wanted), count=count or letter.count))


def _weeks(said: str) -> int:
    """The weeks in so many weeks, months, terms or years."""
    number = re.search(r"\d+", said)
    if "학기" in said:
        return _TERM
    count = int(number[0]) if number else next((_MONTHS[one] for one in _MONTHS if one in said), 1)
    return count if "주" in said else 2 * _TERM if "년" in said else 4 * count


_CHANGES: Final[tuple[Callable[[_Wish], Changed | None], ...]] = (
    _titled, _of_length, _of_goal, _addressed, _telling, _without_boast, _with_sentence, _with_smile, _for_home,
    _only_good, _good_first, _without_word, _closing, _with_effort, _with_practice, _styled,
)  # fmt: skip
"""The changes, tried in this order."""

"""Sentences as clauses: what is said (the predicate), of what in which role, and whether it is denied or asked.

Korean marks roles by particles, so a clause is read off its morphemes: the words up to a verb that ends a clause, each
with the role that its particle gives it. What is unclear is marked `sure=False`, and nothing is concluded from it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from maththera.lessons.answer_words import Word, answer_words, grading_lists

_SENTENCES: Final = re.compile(r"(?<=[.!?\n])\s+|\n+")
_LIST: Final = 5
_LOOSE: Final = 0.55
"""Words of a list, and the share of them that stand without ending or particle."""
_CALCULATION: Final = re.compile(r"\d\s*[-+×÷xX*/−=]\s*\d")
_ROLES: Final = {
    "이": "가", "가": "가", "을": "를", "를": "를", "ᆯ": "를",
    "에": "에", "에다": "에", "에다가": "에", "에게": "에", "한테": "에", "에서": "에서",
    "로": "로", "으로": "로", "와": "와", "과": "와", "랑": "와", "이랑": "와", "하고": "와",
    "보다": "보다", "부터": "부터", "까지": "까지", "의": "의", "라고": "라고", "이라고": "라고",
}  # fmt: skip
"""Particle → role, named by the commonest particle of it. Topics (은, 도, 만) may be subjects or objects."""
_SERIAL: Final = frozenset({"어", "어서", "고", "어다", "어다가", "며", "으며", "면서", "으면서", "고서", "다가"})
"""Endings whose verb shares its words with the next one: "6에서 2를 떼어 8에 주다"."""
_TIED: Final = frozenset({"어", "어서", "거나", "나", "든지", "고서"})
_IF: Final = frozenset({"면", "으면", "다면", "라면"})
_MUST: Final = frozenset({"어야", "어야지", "어야죠", "어야지요"})


@dataclass(frozen=True, slots=True)
class Item:
    """A word of a clause. `role` "" for one without a particle, "은" for a topic; `verb`: a predicate inside the
    clause, which may be denied."""

    form: str
    role: str = ""
    verb: bool = False
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """`items` belong to the predicate itself; `earlier` are the words of the sentence before them, of which the last
    `shared` ones belong to it too. `given`: said as a condition only; `must`: as what has to be done;
    `forbidden`: as what must
    not or need not be done; `modifies`: of a noun that follows; `ending`: the last one of the verb."""

    predicate: str
    items: tuple[Item, ...]
    earlier: tuple[Item, ...] = ()
    shared: int = 0
    denied: bool = False
    given: bool = False
    must: bool = False
    forbidden: bool = False
    ending: str = ""
    modifies: bool = False
    sure: bool = True


@lru_cache(maxsize=8192)
def clauses(text: str) -> tuple[Clause, ...]:
    """Of all sentences, in their order; words behind the last verb make a clause without a predicate."""
    return tuple(
        clause for sentence in _SENTENCES.split(text) for clause in _Sentence(answer_words(sentence)).read(sentence)
    )


def is_listed(text: str) -> bool:
    """Whether a text is a list of words and no sentence: verbs in their dictionary form, or nouns in a row without
    particles."""
    words = answer_words(text)
    if _CALCULATION.search(text):
        return False
    loose = sum(not word.after for word in words)
    verbs = [word for word in words if word.ends and not word.has("ETM")]
    inflected = [word for word in verbs if word.ends[-1] != "다"]
    says_something = inflected or any(word.particles for word in words)
    return not says_something or (len(words) >= _LIST and loose > _LOOSE * len(words))


@dataclass(slots=True)
class _Sentence:
    """Reads the clauses of one sentence."""

    words: Sequence[Word]
    found: list[Clause] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    earlier: list[Item] = field(default_factory=list)
    shared: int = 0
    deny_next: bool = False

    def read(self, sentence: str) -> Iterator[Clause]:
        for word in self.words:
            self._take(word)
        if self.items:
            self.found.append(Clause("", tuple(self.items), tuple(self.earlier), self.shared))
        asked = sentence.rstrip().endswith(("?", "？"))
        if asked and self.found:
            self.found[-1] = replace(self.found[-1], sure=False)
        return iter(self.found)

    def _take(self, word: Word) -> None:
        lists = grading_lists()
        modifies = self.items and self.items[-1].verb and self.found[-1].modifies
        if modifies and word.form not in lists.carriers and not word.is_number:
            self._doubt()  # "확인하는 방법" says nothing of whether anyone does
        if word.form in lists.negations.before and not word.ends:
            self.deny_next = True
        elif word.form in lists.negations.after and (word.helps or not word.is_noun):
            self._deny_last(word)
        elif word.form == lists.unsaid:
            self._unsay(word)
        elif (word.tag == "VX" or word.form in lists.empty_verbs) and word.ends and self._follows_verb():
            self._comment(word)
        elif word.form in lists.wrong and word.ends and self.found and not self.items:
            self._condemn()
        elif word.is_noun and word.ends[-1:] in (("라고",), ("이라고",)):
            self.items.append(Item(word.form, "라고"))
        elif word.ends and not word.nominal:
            self._predicate(word)
        else:
            self.items.append(Item(word.form, _role(word)))

    def _predicate(self, word: Word) -> None:
        denied, self.deny_next = self.deny_next, False
        ending = word.ends[-1]
        clause = Clause(
            word.form, tuple(self.items), tuple(self.earlier), self.shared, denied, given=ending in _IF,
            must=ending in _MUST, ending=ending, modifies=word.has("ETM"), sure=ending not in grading_lists().doubting,
        )  # fmt: skip
        self.found.append(clause)
        inner = Item(word.form, verb=True, denied=denied)
        if word.has("ETM"):  # "5 다음에 오는 수": the words stay with the verb that follows
            self.items.append(inner)
            return
        self.earlier += [*self.items, inner]
        self.shared = self.shared + len(self.items) + 1 if ending in _SERIAL else 0
        self.items = []

    def _follows_verb(self) -> bool:
        return bool(self.found) and (not self.items or self.items[-1].verb)

    def _comment(self, word: Word) -> None:
        """ "해야 해", "하면 돼" say nothing new; "하면 안 돼" denies."""
        if self.deny_next:
            self.deny_next = False
            self._condemn()
        elif self.found[-1].given:
            self.found[-1] = replace(self.found[-1], given=False)
        if self.found and word.ends[-1] in grading_lists().doubting:
            self._doubt()

    def _condemn(self) -> None:
        """ "거꾸로 빼면 안 돼", "거꾸로 빼면 틀려"; "빼지 않으면 안 돼" is a must."""
        last = self.found[-1]
        self._set_last(denied=not last.denied, given=False, forbidden=not last.denied)

    def _deny_last(self, word: Word) -> None:
        if not self.found:
            return
        last = self.found[-1]
        self._set_last(denied=not last.denied, given=word.ends[-1] in _IF if word.ends else False)
        if word.form in grading_lists().negations.forbidding:
            self._set_last(forbidden=True)
        if word.ends and not word.has("ETM") and self.items and self.items[-1].verb:
            self.earlier, self.shared, self.items = [*self.earlier, *self.items], 0, []

    def _unsay(self, word: Word) -> None:
        """ "6이 아니라 7", "뺀 것이 아니라": what stands before is not said. "6 아니야?" is no denial."""
        if any(ending in grading_lists().doubting for ending in word.ends):
            self._doubt()
        elif self.items and not self.items[-1].verb:
            verb = next((at for at in range(len(self.items) - 1, -1, -1) if self.items[at].verb), None)
            if verb is not None and self.found:
                self._set_last(denied=not self.found[-1].denied)
            else:
                name = self.items[-1].form
                items, rest = tuple(self.items[:-1]), tuple(self.earlier)
                self.found.append(Clause(name, items, rest, self.shared, denied=True))
            self.items = []
        elif self.found:
            self._condemn()

    def _doubt(self) -> None:
        if self.found:
            self._set_last(sure=False)

    def _draw_in(self) -> None:
        """What is denied takes with it what is tied to it: "2를 떼어 8에 주면 안 돼", "비교하는 것은 안 돼"."""
        last = self.found[-1]
        inside = {item.form for item in (*last.items, *self.items) if item.verb}
        tied = True
        for at in range(len(self.found) - 2, -1, -1):
            one = self.found[at]
            tied = tied and one.ending in _TIED
            if tied or (one.modifies and one.predicate in inside):
                self.found[at] = replace(one, sure=False)

    def _set_last(
        self,
        *,
        denied: bool | None = None,
        given: bool | None = None,
        sure: bool | None = None,
        forbidden: bool = False,
    ) -> None:
        """What is None stays as it is."""
        last = self.found[-1]
        last = self.found[-1] = replace(
            last,
            denied=last.denied if denied is None else denied,
            given=last.given if given is None else given,
            sure=last.sure if sure is None else sure,
            forbidden=last.forbidden or forbidden,
        )
        if denied:
            self._draw_in()
        for row in (self.items, self.earlier):
            for at in range(len(row) - 1, -1, -1):
                if row[at].verb and row[at].form == last.predicate:
                    row[at] = replace(row[at], denied=last.denied)
                    return


def _role(word: Word) -> str:
    for particle in word.particles:
        if particle in _ROLES:
            return _ROLES[particle]
    return "은" if word.particles else ""

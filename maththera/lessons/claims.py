"""Claims of a rubric, written as Korean sentences, and whether an answer makes them or says the contrary.

`[큰 수|7]부터 [세다|시작하다]`: of the words in brackets any will do; what follows a choice without a space, or with
`_` for one, belongs to it (`[바뀌지|변하지]_않다`). `(부분이) 전체보다 작다`: words in parentheses may be left unsaid.
The last verb is what is claimed; a claim that ends without a verb is a phrase that must stand in the answer.

The contrary of a claim is the same denied, its opposite ("크다" for "작다"), or two of its words with their roles
exchanged ("전체는 부분보다 작다").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from maththera.lessons.answer_words import grading_lists
from maththera.lessons.clauses import Clause, Item, clauses

Stand = Literal["says", "contrary", "nothing"]
Words = tuple[Item, ...]
"""Words in a row; the role of the last one counts."""

_CHUNK: Final = re.compile(r"(?:[^\s\[\]()]*[\[(][^\])]*[\])]\S*)|[^\s\[\]()]+")
_CHOICE: Final = re.compile(r"([^\s\[(]*)([\[(])([^\])]*)[\])](\S*)")
_TOPIC_AS_SUBJECT: Final = {"은": "가"}
_REACH: Final = 14
"""Words of the sentence before a verb that a claim with several verbs looks back to."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim: any one of the alternatives, each of them one or more rows of words. `needed` False: it may be
    left unsaid."""

    alternatives: tuple[tuple[Words, ...], ...]
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Claim:
    """One predicate of a written claim, with all that belongs to it; "" for a phrase. `must`: only where it is said
    that it has to be done ("곱해야 하다"); `asked`: also where it is asked ("몇 개 남았는지")."""

    predicate: str
    denied: bool
    must: bool
    asked: bool
    parts: tuple[Part, ...]

    @property
    def wide(self) -> bool:
        """Whether it has more than one verb, and so more than one clause."""
        return any(word.verb for part in self.parts for each in part.alternatives for words in each for word in words)

    @property
    def names_something(self) -> bool:
        """Whether it needs a word in a role, and is no bare verb."""
        needed = (part for part in self.parts if part.needed)
        return any(words[-1].role for part in needed for each in part.alternatives for words in each)


@lru_cache(maxsize=4096)
def wordings(written: str) -> tuple[Claim, ...]:
    """A claim for each predicate that it allows; none where an alternative of it is no word."""
    pieces = _pieces(written)
    if not pieces or not all(clauses(text) for texts, _ in pieces for text in texts):
        return ()
    *before, (last, _) = pieces
    parts = tuple(Part(tuple(map(_words, texts)), needed) for texts, needed in before)
    return tuple(_claim(text, parts) for text in last)


@lru_cache(maxsize=16384)
def stand(written: str, answer: str) -> Stand:
    """How an answer stands to a claim; the contrary of any wording outweighs all that is said for it."""
    found = {_stand(claim, clause) for claim in wordings(written) for clause in clauses(answer)}
    if "contrary" in found:
        return "contrary"
    return "says" if "says" in found else "nothing"


@lru_cache(maxsize=16384)
def asserts(written: str, answer: str) -> bool:
    """Whether an answer makes the claim expressly: not as a condition, and every word with its own particle."""
    return any(
        _says(claim, clause, strict=True)
        for claim in wordings(written)
        for clause in clauses(answer)
        if not clause.given
    )


# --- what is written --------------------------------------------------------------------------------------------------


def _pieces(written: str) -> list[tuple[tuple[str, ...], bool]]:
    """Choices, with what belongs to them, and the words between them; whether they are needed."""
    pieces: list[tuple[tuple[str, ...], bool]] = []
    plain: list[str] = []
    for chunk in _CHUNK.findall(written):
        choice = _CHOICE.fullmatch(chunk)
        if choice is None:
            plain.append(chunk)
            continue
        if plain:
            pieces.append(((" ".join(plain),), True))
            plain = []
        before, bracket, texts, after = choice.groups()
        alternatives = (f"{before}{text}{after}".replace("_", " ") for text in texts.split("|"))
        pieces.append((tuple(alternatives), bracket == "["))
    if plain:
        pieces.append(((" ".join(plain),), True))
    return pieces


def _words(text: str) -> tuple[Words, ...]:
    """The words of a text, parted behind each that has a role of its own."""
    last = clauses(text)[-1]
    row = [*last.earlier, *last.items]
    if last.predicate and row[-1:] != [Item(last.predicate, verb=True, denied=last.denied)]:
        row.append(Item(last.predicate, verb=True, denied=last.denied))
    return _parted(row, len(last.earlier))


def _claim(text: str, parts: tuple[Part, ...]) -> Claim:
    last = clauses(text)[-1]
    own = _parted((*last.earlier, *last.items), len(last.earlier))
    return Claim(last.predicate, last.denied, last.must, not last.sure, (*parts, Part((own,))))


def _parted(row: Sequence[Item], earlier: int) -> tuple[Words, ...]:
    """A verb before a noun belongs to it: "남은 것을"."""
    found, words = [], list[Item]()
    for at, item in enumerate(row):
        words.append(item)
        modifies = item.verb and at >= earlier and at + 1 < len(row)
        if ((item.role and item.role != "의") or item.verb or at + 1 == len(row)) and not modifies:
            found.append(tuple(words))
            words = []
    return tuple(found)


# --- what is said -----------------------------------------------------------------------------------------------------


def _stand(claim: Claim, clause: Clause) -> Stand:
    if _says(claim, clause, strict=False):
        return "says"
    opposite = grading_lists().opposite(claim.predicate, clause.predicate)
    known = clause.sure and claim.predicate and not (claim.must and not clause.must)
    if not known or not (opposite or claim.predicate == clause.predicate):
        return "nothing"
    if opposite == (claim.denied != clause.denied):  # the same relation
        if claim.wide or not _exchanged(claim, clause):
            return "nothing"
        return "says" if clause.predicate in grading_lists().symmetric else "contrary"
    expressly = claim.names_something and not (claim.denied or claim.asked or clause.given or clause.modifies)
    row = (*_reached(clause), *clause.items) if claim.wide else clause.items
    fits = all(_fits(part, row, clause, strict=True) for part in claim.parts)
    return "contrary" if expressly and fits else "nothing"


def _says(claim: Claim, clause: Clause, *, strict: bool) -> bool:
    if not (clause.sure or claim.asked) or (claim.must and not clause.must):
        return False
    if not claim.predicate:
        return _phrase(claim, clause)
    opposite = grading_lists().opposite(claim.predicate, clause.predicate)
    if not (opposite or claim.predicate == clause.predicate) or opposite != (claim.denied != clause.denied):
        return False
    shared = () if strict else clause.earlier[len(clause.earlier) - clause.shared :]
    row = (*(_reached(clause) if claim.wide else shared), *clause.items)
    return all(_fits(part, row, clause, strict=strict) for part in claim.parts)


def _reached(clause: Clause) -> Sequence[Item]:
    """What stands before a clause, back to a verb that comes again: "0을 곱하면 0이 되고 | 1을 곱하면 그대로야"."""
    found: list[Item] = []
    verbs = {item.form for item in clause.items if item.verb} | {clause.predicate}
    for item in reversed(clause.earlier[-_REACH:]):
        if item.verb and item.form in verbs:
            break
        verbs |= {item.form} if item.verb else set()
        found.append(item)
    return found[::-1]


def _phrase(claim: Claim, clause: Clause) -> bool:
    row = (*clause.earlier, *clause.items)
    if clause.predicate:
        row = (*row, Item(clause.predicate, verb=True, denied=clause.denied))
    return all(
        not part.needed or any(all(_stands(words, row, "") for words in each) for each in part.alternatives)
        for part in claim.parts
    )


def _fits(part: Part, row: Sequence[Item], clause: Clause, *, strict: bool) -> bool:
    own = len(row) - len(clause.items)
    if any(
        all(_stands(words, row, words[-1].role, own, strict=strict) for words in each) for each in part.alternatives
    ):
        return True
    if part.needed:
        return False
    roles = {words[-1].role for each in part.alternatives for words in each} - {""}
    anything = grading_lists().anything
    return all(item.form in anything or item.role not in roles or item.verb for item in clause.items)


def _stands(words: Words, row: Sequence[Item], role: str, own: int = 0, *, strict: bool = False) -> bool:
    """`role` "": any. The words before the place `own` are those of a clause before, whose roles may be taken anew."""
    taken = {_TOPIC_AS_SUBJECT.get(item.role, item.role) for item in row[own:]} if own else set()
    for at in range(len(row) - len(words) + 1):
        last = row[at + len(words) - 1]
        if at < own and last.role and _TOPIC_AS_SUBJECT.get(last.role, last.role) in taken:
            continue
        bare = role and not last.role and not last.verb
        if bare and (strict or any(item.role == role for item in row[own:])):
            continue
        if _all_are(row[at : at + len(words)], words, role):
            return True
    return False


def _all_are(items: Sequence[Item], words: Words, role: str) -> bool:
    return all(map(_same, items, words)) and _role_fits(items[-1], role)


def _same(item: Item, word: Item) -> bool:
    """A noun with a particle is no verb, as "14를" is not "14라고"."""
    return item.form == word.form and item.denied == word.denied and (item.verb or not (word.verb and item.role))


def _role_fits(item: Item, role: str) -> bool:
    """A word without a particle may have any role, a topic that of subject or object."""
    if not role or not item.role or item.verb:
        return True
    return item.role == role or (item.role == "은" and role in "가를") or (role == "은" and item.role in "가를")


def _exchanged(claim: Claim, clause: Clause) -> bool:
    """Whether two words stand in each other's roles."""
    return any(
        _in_place_of(one, other, clause.items) and _in_place_of(other, one, clause.items)
        for one, other in _pairs(claim)
    )


def _pairs(claim: Claim) -> Iterator[tuple[Words, Words]]:
    """Words of different parts, or of one alternative, whose roles differ."""
    named = [
        (at, choice, words) for at, part in enumerate(claim.parts) for choice, each in enumerate(part.alternatives)
        for words in each if words[-1].role and not words[-1].verb
    ]  # fmt: skip
    for at, choice, one in named:
        for place, other_choice, other in named:
            together = at != place or choice == other_choice
            if together and not _role_fits(one[-1], other[-1].role):
                yield one, other


def _in_place_of(one: Words, other: Words, items: Sequence[Item]) -> bool:
    return any(
        item.role and _all_are(items[at + 1 - len(one) : at + 1], one, other[-1].role)
        for at, item in enumerate(items)
        if at + 1 >= len(one)
    )

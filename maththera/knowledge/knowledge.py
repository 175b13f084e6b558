"""What a child knows: for each skill the chance that the next unaided first try is right, and how sure that is.

The rating of a skill is a normal distribution in logits. An answer moves it as in Glicko, towards what happened and the
less, the surer it was already; time moves it back to its prior, with a half-life that grows with each success after a
gap. A right answer is weak evidence for the skills below, a wrong one against those above.

Glickman, M. E. (1999). Parameter estimation in large dynamic paired comparison experiments. Applied Statistics 48.
Klinkenberg, S., Straatemeier, M. & van der Maas, H. L. J. (2011). Computer adaptive practice of maths ability using a
new item response model for on the fly ability and difficulty estimation. Computers & Education 57.
Settles, B. & Meeder, B. (2016). A trainable spaced repetition model for language learning. ACL 2016.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, Self

from maththera.arithmetic.problem import Problem
from maththera.knowledge.model import KnowledgeModel, chance
from maththera.knowledge.skills import Skills

Word = Literal["untested", "expected", "beginning", "practising", "shown", "kept", "slipping"]

KNOWN: Final[frozenset[Word]] = frozenset({"shown", "kept", "expected"})
"""The words of a skill that need not be asked for the child to go on; only shown and kept may be called understood."""
UNDERSTOOD: Final[frozenset[Word]] = frozenset({"shown", "kept"})

_Z_80: Final = 1.2816
"""Standard deviations on each side of the mean that hold 80 % of a normal distribution."""
_FURTHEST: Final = 6.0
"""Logits; no rating leaves this range."""


class Evidence(NamedTuple):
    """One answer, as evidence on one skill. `day`: days since the year 1 (`date.toordinal`). `fast`: right and not slow
    for this child. `weight`: 1 counts fully. `difficulty`: of the item within its skill, in logits. `tried` False: the
    skill itself was not asked, it is the stated cause of a wrong answer to another. `chance`: no answer, but what a
    placement concluded from all of its answers."""

    skill_id: str
    right: bool
    day: int
    aided: bool = False
    fast: bool = False
    weight: float = 1.0
    difficulty: float = 0.0
    tried: bool = True
    chance: float | None = None

    @property
    def first_try(self) -> bool:
        """Whether it is the unaided first answer to a problem of this skill."""
        return self.tried and not self.aided and self.chance is None

    @property
    def entry(self) -> list[Any]:
        """Its fields in order, as they are recorded, without the last ones that are as they are by default:
        `Evidence(*entry)` is the same again."""
        values: list[Any] = [*self]
        while values[-1] == _DEFAULTS[len(values) - 1]:
            values.pop()
        return values


_DEFAULTS: Final = [Evidence._field_defaults.get(name, ...) for name in Evidence._fields]
"""A field without a default is equal to no value."""


class SkillKnowledge(NamedTuple):
    """What is known of one skill on one day.

    `chance`: that the next unaided first try is right. `mean`, `variance`: of the rating, in logits. `tries`, `right`:
    unaided first tries and the right ones among them, on `days` days, the last of them `last_day`; `aided` are apart.
    `fluent`: the share of right tries that were fast for this child, None without one. `run`: unaided right tries in a
    row, none of them slow. `passed`: enough to go up. `known_once`: it was known after a try. `due`: passed or known
    once, and time to ask again. `missed`: the last try was wrong.
    """

    chance: float
    mean: float
    variance: float
    tries: int
    right: int
    days: int
    aided: int
    fluent: float | None
    last_day: int | None
    word: Word
    passed: bool
    run: int
    known_once: bool
    due: bool
    missed: bool

    @property
    def low(self) -> float:
        """The lower end of the chance's 80 % interval."""
        return _logistic(self.mean - _Z_80 * math.sqrt(self.variance))

    @property
    def high(self) -> float:
        """Its upper end."""
        return _logistic(self.mean + _Z_80 * math.sqrt(self.variance))

    @property
    def known(self) -> bool:
        """Shown, kept or expected."""
        return self.word in KNOWN

    @property
    def understood(self) -> bool:
        """Shown or kept: what may be said to be understood."""
        return self.word in UNDERSTOOD

    @property
    def shown_once(self) -> bool:
        """Shown or kept, or slipping since."""
        return self.word in UNDERSTOOD or self.word == "slipping"


class _Rating(NamedTuple):
    """A normal distribution of logits as it was on `day`. The half-life is in days."""

    mean: float
    variance: float
    day: int
    half_life: float


class _Record(NamedTuple):
    """What was counted. `standing`: 0 never shown, 1 shown, 2 kept, 3 slipping since. `confirmed`: right when it was
    expected, and not wrong since. `missed`: the last try was wrong."""

    tries: int = 0
    right: int = 0
    days: int = 0
    aided: int = 0
    fast: int = 0
    last_day: int | None = None
    run: int = 0
    standing: int = 0
    known_once: bool = False
    confirmed: bool = False
    missed: bool = False


_NO_RECORD: Final = _Record()
_SHOWN: Final = 1
_KEPT: Final = 2
_SLIPPING: Final = 3
_STANDING_WORDS: Final[Mapping[int, Word]] = {_SHOWN: "shown", _KEPT: "kept", _SLIPPING: "slipping"}


class Knowledge(Mapping[str, SkillKnowledge]):
    """Skill id → what is known of it on `day`. Nothing in it changes: evidence and time make another one."""

    __slots__ = ("_model", "_ratings", "_records", "_views", "day")

    def __init__(
        self, model: KnowledgeModel, day: int, ratings: Mapping[str, _Rating], records: Mapping[str, _Record]
    ) -> None:
        self._model, self.day = model, day
        self._ratings, self._records = ratings, records
        self._views: dict[str, SkillKnowledge] = {}

    @classmethod
    def start(cls, model: KnowledgeModel, day: int) -> Self:
        """Nothing is known."""
        prior, half_life = model.numbers.prior, model.numbers.forgetting.half_life_days
        untold = _Rating(prior.mean, prior.variance, day, half_life)
        return cls(model, day, {skill.skill_id: untold for skill in model.skills}, {})

    def __getitem__(self, skill_id: str) -> SkillKnowledge:
        if (view := self._views.get(skill_id)) is None:
            view = self._views[skill_id] = self._view(skill_id)
        return view

    def __iter__(self) -> Iterator[str]:
        return iter(self._ratings)

    def __len__(self) -> int:
        return len(self._ratings)

    @property
    def skills(self) -> Skills:
        """The skills, in teaching order."""
        return self._model.skills

    @property
    def by_skill(self) -> Mapping[str, SkillKnowledge]:
        """The same as a dict, for who looks at every skill."""
        views = self._views
        if len(views) < len(self._ratings):
            views.update((skill_id, self._view(skill_id)) for skill_id in self._ratings if skill_id not in views)
        return views

    def chance(self, skill_id: str) -> float:
        """That the next unaided first try is right, at a problem of mean difficulty."""
        now = self._rating(skill_id)
        return chance(now.mean, now.variance)

    def expectation(self, problem: Problem) -> float:
        """The chance that the next unaided first try of this problem is right."""
        skill_id, difficulty = self._model.asks(problem)
        now = self._rating(skill_id)
        return chance(now.mean - difficulty, now.variance)

    def passed(self, skill_id: str, falls: int = 0) -> bool:
        """Whether it is enough to go up. `falls`: how often the child fell back from the next C in this session."""
        return self._passed(self._records.get(skill_id, _NO_RECORD), self.chance(skill_id), falls)

    def _passed(self, record: _Record, now: float, falls: int = 0) -> bool:
        numbers = self._model.numbers
        if now < numbers.words.slipping or record.standing == _SLIPPING:
            return False
        fast_run = numbers.passed.fast_run + min(numbers.passed.falls_counted, falls)
        return (
            record.standing in (_SHOWN, _KEPT)
            or record.run >= fast_run
            or record.right >= numbers.passed.right
            or record.confirmed
        )

    def on_day(self, day: int) -> "Knowledge":
        """The same on a later day: what was not asked fades."""
        return self if day <= self.day else Knowledge(self._model, day, self._ratings, self._records)

    def after(self, *evidence: Evidence) -> "Knowledge":
        """The knowledge after these answers, which stand in the order of time. KeyError: no such skill."""
        day, ratings, records = self.day, {**self._ratings}, {**self._records}
        changed: set[str] = set()
        for one in evidence:
            day = max(day, one.day)
            changed.update(self._learn(one, day, ratings, records))
        found = Knowledge(self._model, day, ratings, records)
        if day == self.day:
            found._views = {one: view for one, view in self._views.items() if one not in changed}
        return found

    def _learn(
        self, evidence: Evidence, day: int, ratings: dict[str, _Rating], records: dict[str, _Record]
    ) -> Iterable[str]:
        """Writes what one answer says into `ratings` and `records`. -> the skills of which it says something"""
        skill_id, record = evidence.skill_id, records.get(evidence.skill_id, _NO_RECORD)
        before = self._faded(ratings[skill_id], day)
        if evidence.chance is not None:
            ratings[skill_id] = self._concluded(before, evidence.chance)
            return (skill_id,)
        if evidence.aided:
            numbers = self._model.numbers
            variance = min(numbers.prior.variance, before.variance + numbers.answer.aided_drift)
            ratings[skill_id] = before._replace(variance=variance)
            records[skill_id] = record._replace(aided=record.aided + 1)
            return (skill_id,)
        after = self._moved(before, right=evidence.right, weight=evidence.weight, difficulty=evidence.difficulty)
        if evidence.tried:
            half_life = self._half_life(before, record, right=evidence.right, day=day)
            after = self._learnt(after, right=evidence.right, half_life=half_life)
        ratings[skill_id] = after
        related, model = self._model.numbers.related, self._model
        others, share = (model.below, related.right_below) if evidence.right else (model.above, related.wrong_above)
        for other in others[skill_id]:
            rating = self._faded(ratings[other], day)
            ratings[other] = self._moved(rating, right=evidence.right, weight=share * evidence.weight, difficulty=0.0)
        records[skill_id] = self._recorded(record, evidence, before, after, day)
        return (skill_id, *others[skill_id])

    def snapshot(self) -> dict[str, Any]:
        """As JSON: the day and, for each skill of which something is known, [chance, tries, last day, …]."""
        skills, prior = {}, self._model.numbers.prior
        for skill_id in self._ratings:
            now = self._rating(skill_id)
            record = self._records.get(skill_id, _NO_RECORD)
            if record is not _NO_RECORD or now[:2] != (prior.mean, prior.variance):
                mean, variance = round(now.mean, 4), round(now.variance, 4)
                skills[skill_id] = [
                    round(chance(mean, variance), 3), record.tries, record.last_day,
                    mean, variance, round(now.half_life, 1),
                    record.right, record.days, record.aided, record.fast, record.run, record.standing,
                    int(record.known_once), int(record.confirmed), int(record.missed),
                ]  # fmt: skip
        return {"day": self.day, "skills": skills}

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any], model: KnowledgeModel) -> Self:
        """The knowledge of which `snapshot` was made. Skills that are no more are left out."""
        day = int(snapshot["day"])
        start = cls.start(model, day)
        ratings, records = {**start._ratings}, {}
        for skill_id, values in snapshot["skills"].items():
            if skill_id in ratings:
                _, tries, last_day, mean, variance, half_life, right, days, aided, fast, run, standing, *flags = values
                ratings[skill_id] = _Rating(mean, variance, day, half_life)
                records[skill_id] = _Record(tries, right, days, aided, fast, last_day, run, standing, *map(bool, flags))
        return cls(model, day, ratings, records)

    # --- ratings --------------------------------------------------------------------------------------------------

    def _rating(self, skill_id: str) -> _Rating:
        return self._faded(self._ratings[skill_id], self.day)

    def _faded(self, rating: _Rating, day: int) -> _Rating:
        if day <= rating.day:
            return rating
        mean, variance, then, half_life = rating
        left, prior = 0.5 ** ((day - then) / half_life), self._model.numbers.prior
        return _Rating(
            prior.mean + (mean - prior.mean) * left, prior.variance + (variance - prior.variance) * left, day, half_life
        )

    def _concluded(self, rating: _Rating, wanted: float) -> _Rating:
        """The rating with this chance of a right answer."""
        variance = self._model.numbers.answer.placed_variance
        mean = math.log(wanted / (1 - wanted)) * math.sqrt(1 + math.pi / 8 * variance)
        return rating._replace(mean=max(-_FURTHEST, min(_FURTHEST, mean)), variance=variance)

    def _moved(self, rating: _Rating, *, right: bool, weight: float, difficulty: float) -> _Rating:
        """The rating after an answer that counts `weight`."""
        mean, variance, day, half_life = rating
        expected = chance(mean - difficulty, variance)
        gain = weight * variance / (1 + weight * variance * expected * (1 - expected))
        mean += gain * (right - expected)
        variance /= 1 + weight * variance * expected * (1 - expected)
        return _Rating(max(-_FURTHEST, min(_FURTHEST, mean)), variance, day, half_life)

    def _learnt(self, rating: _Rating, *, right: bool, half_life: float) -> _Rating:
        """The rating after a try: one that succeeded taught something, and the child is a little another one."""
        numbers = self._model.numbers
        mean = min(_FURTHEST, rating.mean + numbers.answer.learnt * right)
        variance = min(numbers.prior.variance, rating.variance + numbers.answer.drift)
        return _Rating(mean, variance, rating.day, half_life)

    def _half_life(self, rating: _Rating, record: _Record, *, right: bool, day: int) -> float:
        """Longer after a success that followed a gap, shorter after a miss, at least that of what is being learnt."""
        numbers = self._model.numbers.forgetting
        if not right:
            return max(numbers.new_days, rating.half_life / numbers.growth)
        if record.last_day is None or day - record.last_day < numbers.gap * rating.half_life:
            return rating.half_life
        return min(numbers.longest_days, rating.half_life * numbers.growth)

    # --- words ----------------------------------------------------------------------------------------------------

    def _recorded(self, record: _Record, evidence: Evidence, before: _Rating, after: _Rating, day: int) -> _Record:
        words, right = self._model.numbers.words, evidence.right
        expected_before = chance(before.mean, before.variance) >= words.expected
        now = chance(after.mean, after.variance)
        if not evidence.tried:
            standing = _SLIPPING if record.standing and now < words.slipping else record.standing
            return record._replace(run=0, standing=standing, confirmed=False)
        tries, days = record.tries + 1, record.days + (record.last_day != day)
        low = _logistic(after.mean - _Z_80 * math.sqrt(after.variance))
        gap = 0 if record.last_day is None else day - record.last_day
        standing = record.standing
        if standing in (_SHOWN, _KEPT) and not right and now < words.slipping:
            standing = _SLIPPING
        elif standing in (_SHOWN, _KEPT) and right and gap >= words.kept_days:
            standing = _KEPT
        elif standing not in (_SHOWN, _KEPT) and tries >= words.shown_tries and days >= words.shown_days:
            standing = _SHOWN if low >= words.shown_low else standing
        fast = right and evidence.fast
        return _Record(
            tries=tries,
            right=record.right + right,
            days=days,
            aided=record.aided,
            fast=record.fast + fast,
            last_day=day,
            run=record.run + 1 if fast else 0,
            standing=standing,
            known_once=record.known_once or standing in (_SHOWN, _KEPT) or now >= words.expected,
            confirmed=right and (record.confirmed or expected_before),
            missed=not right,
        )

    def _word(self, record: _Record, now: float) -> Word:
        words = self._model.numbers.words
        if record.standing and now < words.slipping:
            return "slipping"
        if record.standing:
            return _STANDING_WORDS[record.standing]
        if now >= words.expected:
            return "expected"
        if not record.tries:
            return "untested"
        return "practising" if now >= words.practising else "beginning"

    def _view(self, skill_id: str) -> SkillKnowledge:
        mean, variance, _, half_life = self._rating(skill_id)
        now = chance(mean, variance)
        record = self._records.get(skill_id)
        if record is None:  # most skills, at every turn: nothing was counted yet
            word: Word = "expected" if now >= self._model.numbers.words.expected else "untested"
            return SkillKnowledge(
                now, mean, variance, 0, 0, 0, 0, None, None, word, passed=False, run=0, known_once=False, due=False,
                missed=False,
            )  # fmt: skip
        passed = self._passed(record, now)
        last = record.last_day
        once = (record.known_once or passed) and last is not None
        return SkillKnowledge(
            now,
            mean,
            variance,
            record.tries,
            record.right,
            record.days,
            record.aided,
            record.fast / record.right if record.right else None,
            last,
            self._word(record, now),
            passed,
            record.run,
            record.known_once,
            due=once and self.day - (last or 0) >= self._model.numbers.forgetting.review * half_life,
            missed=record.missed,
        )


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))

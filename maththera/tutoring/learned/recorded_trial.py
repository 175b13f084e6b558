"""A learned procedure tried on all recorded sessions: which wrong answers it would explain that nothing explained,
which sessions would have gone on otherwise, and what it would have said of children who are well."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from maththera.arithmetic.malrules import LEARNED, Malrule, malrules_giving
from maththera.arithmetic.problem import ProblemError
from maththera.config_files import ConfigModel
from maththera.store.learned_procedures import ProcedureRecords, SessionTally, WrongAnswer
from maththera.store.tutoring_sessions import SessionRecords, SessionRow, TurnRow
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.replay import replayed_states, same_engine
from maththera.tutoring.start import learned_names
from maththera.tutoring.state import TutoringState

Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """How often a diagnosis would have been another; None: no cause."""

    before: str | None
    after: str | None
    times: int


@dataclass(frozen=True, slots=True)
class RecordedTrial:
    """`sessions` of `children` are recorded. Of `wrong` answers the procedure gives `explained`, of which no malrule
    gives `newly_explained`, by `newly_explained_children`.

    `affected` sessions have such an answer; `replayed` of them were played again up to the turn from which they would
    have gone another way, and `otherwise` says what would have been diagnosed. `stated`: sessions in which its cause
    would have been stated and was not. `well`: the sessions of children who are well, but for affected ones that were
    not played again; in `false_causes` of them its cause would have been stated. A session without an affected answer
    cannot be one.
    """

    sessions: int
    children: int
    wrong: int
    explained: int
    newly_explained: int
    newly_explained_children: int
    affected: int
    replayed: int
    otherwise: list[Otherwise]
    stated: int
    well: int
    false_causes: int


class TrialRules(ConfigModel):
    """`configs/tutoring/learned_procedures.yaml`, where each value is explained."""

    most_replayed: Annotated[int, Field(ge=1)]
    most_wrong_of_well: Share
    most_false_causes: Share

    @classmethod
    def load(cls, home: Path) -> "TrialRules":
        """ConfigError names what is wrong."""
        return cls.from_file(home / "configs" / "tutoring" / "learned_procedures.yaml")

    def is_well(self, tally: SessionTally) -> bool:
        return not tally.stated and tally.wrong <= self.most_wrong_of_well * tally.answered

    def blames_too_many(self, trial: RecordedTrial) -> bool:
        """Whether its cause would have been stated in too many sessions of children who are well."""
        return trial.false_causes > self.most_false_causes * trial.well


@dataclass(frozen=True, slots=True)
class _Again:
    """A session played again: its changed diagnoses, and whether the cause is stated that was not."""

    session_id: str
    changed: list[tuple[str | None, str | None]]
    stated: bool


class RecordedTrials:
    """Tries procedures on the recorded sessions, in a thread: children are answered meanwhile."""

    def __init__(
        self, rules: Rules, trial_rules: TrialRules, procedures: ProcedureRecords, records: SessionRecords
    ) -> None:
        self.rules = trial_rules
        self._tutoring, self._procedures, self._records = rules, procedures, records

    async def run(self, name: str) -> RecordedTrial:
        """`name`: of a malrule that this process has learned. StoreUnavailable."""
        rule = LEARNED[name]
        sessions, children = await self._procedures.recorded_sessions()
        wrong = await self._procedures.wrong_answers()
        well = {one for one, tally in (await self._procedures.tallies()).items() if self.rules.is_well(tally)}
        explained = await asyncio.to_thread(self._explained, rule, wrong)
        new = [answer for answer, known in explained if not known]
        affected = list(dict.fromkeys(answer.session_id for answer, _ in explained))
        again = [await self._again(rule, session_id) for session_id in affected[: self.rules.most_replayed]]
        played = [one for one in again if one is not None]
        well -= {*affected} - {one.session_id for one in played}
        changed = Counter(change for one in played for change in one.changed)
        return RecordedTrial(
            sessions=sessions,
            children=children,
            wrong=len(wrong),
            explained=len(explained),
            newly_explained=len(new),
            newly_explained_children=len({answer.student_id for answer in new}),
            affected=len(affected),
            replayed=len(played),
            otherwise=[Otherwise(*change, times) for change, times in changed.most_common()],
            stated=sum(one.stated for one in played),
            well=len(well),
            false_causes=sum(one.stated and one.session_id in well for one in played),
        )

    def _explained(self, rule: Malrule, wrong: Sequence[WrongAnswer]) -> list[tuple[WrongAnswer, bool]]:
        """The answers that the procedure gives, and whether a malrule of the catalogue gives them too."""
        found = []
        for answer in wrong:
            try:
                problem = self._tutoring.bank.problem(answer.problem_id)
            except ProblemError:
                continue
            if answer.given != problem.answer and rule.apply(problem) == answer.given:
                found.append((answer, bool(malrules_giving(problem, answer.given))))
        return found

    async def _again(self, rule: Malrule, session_id: str) -> _Again | None:
        """None for a session of an earlier engine, and one that was erased meanwhile."""
        session = await self._records.session(session_id)
        if session is None or not same_engine(session.start):
            return None
        if not all(name in LEARNED for name in learned_names(session.start)):
            return None
        rows = await self._records.turns(session_id)
        return await asyncio.to_thread(self._played_again, rule, session, rows)

    def _played_again(self, rule: Malrule, session: SessionRow, rows: Sequence[TurnRow]) -> _Again:
        """Both ways are computed, so that nothing but the procedure differs."""
        (tag,) = (cause.tag for cause in rule.causes)
        before = _states(self._tutoring, session.start, rows)
        after = _states(self._tutoring, _with(session.start, rule.name), rows)
        pairs = list(zip(before, after, strict=False))
        changed = [
            change for one, other in pairs if (change := (_cause(one), _cause(other)))[0] != change[1]
        ]  # fmt: skip
        stated_before = any(tag in state["stated"] for state in before)
        stated_after = any(tag in state["stated"] for state in after)
        return _Again(session.session_id, changed, stated_after and not stated_before)


def _with(start: Mapping[str, Any], name: str) -> dict[str, Any]:
    learned = {"version": 0, "names": [*dict.fromkeys([*learned_names(start), name])]}
    return {**start, "learned": learned}


def _states(rules: Rules, start: Mapping[str, Any], rows: Sequence[TurnRow]) -> list[TutoringState]:
    return replayed_states(InMemoryEngine(Nodes(rules)), dict(start), rows)


def _cause(state: TutoringState) -> str | None:
    diagnosis = state["diagnosis"]
    return diagnosis["cause_tag"] if diagnosis is not None else None

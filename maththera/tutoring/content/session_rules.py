"""Everything that a session reads: the numbers of `session_rules.yaml`, the bank, the catalogue, the words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigModel
from maththera.knowledge.difficulty_model import DifficultyModel, load_model
from maththera.knowledge.model import KnowledgeModel, load_knowledge_model
from maththera.knowledge.skills import Strand
from maththera.tutoring.content.cause_catalogue import Catalogue, load_catalogue
from maththera.tutoring.content.stories import Stories, load_stories
from maththera.tutoring.feedback.feedback_templates import FeedbackTemplates, load_feedback
from maththera.tutoring.feedback.tone import Guide
from maththera.tutoring.number_sense.report import PublishedValue, load_published
from maththera.tutoring.placement.hypotheses import Hypotheses, placement_hypotheses
from maththera.tutoring.practice.skill_problems import SkillProblems
from maththera.tutoring.session_knowledge import SessionKnowledge
from maththera.tutoring.turns.teacher_entries import TeacherEntries, load_teacher_entries
from maththera.words.output_gate.text_gate import Gate, load_gate

Share = Annotated[float, Field(ge=0, le=1)]
Chance = Annotated[float, Field(gt=0, lt=1)]
Count = Annotated[int, Field(ge=1)]
Milliseconds = Annotated[int, Field(ge=1, le=600_000)]


class _Section(ConfigModel):
    model_config = ConfigDict(strict=True)


class SessionNumbers(_Section):
    problem_count: Count
    problem_count_max: Count
    tasks_per_problem: Count
    idle_hours: Annotated[float, Field(gt=0)]
    start_c: Annotated[int, Field(ge=1, le=15)]


class ResponseTimeNumbers(_Section):
    rt_policy: Literal["fixed", "adaptive"]
    slow_ms: Milliseconds
    impulsive_ms: Milliseconds
    norms_ms: dict[Annotated[int, Field(ge=1, le=15)], Milliseconds]
    never_slow_ms: Milliseconds
    slow_factor: Annotated[float, Field(gt=1)]
    impulsive_factor: Annotated[float, Field(gt=0, lt=1)]
    own_after: Count
    window: Count

    @field_validator("norms_ms")
    @classmethod
    def _for_every_level(cls, norms: dict[int, int]) -> dict[int, int]:
        if missing := [str(c) for c in range(LOWEST_C, HIGHEST_C + 1) if c not in norms]:
            raise ValueError(f"no norm for C {', '.join(missing)}")
        return norms


class SevereNumbers(_Section):
    absolute: Annotated[int, Field(ge=0)]
    share: Share


class PositionNumbers(_Section):
    advance: Literal["skills", "streak", "seed"]
    promotion_streak: Count
    falls_counted: Annotated[int, Field(ge=0)]
    advance_w: float
    lower_w: float
    severe_w: float
    no_response_w: float
    white_out_c: Annotated[int, Field(ge=1, le=15)]
    white_out_w: float
    slow_run: Count


class LimitNumbers(_Section):
    second_look_from: Chance
    probe_from: Chance
    stated_days: Count
    wrong_run: Count
    showings: Count
    loops_per_cause: Count
    same_task: Count
    drill_run: Count
    attention_trainings: Annotated[int, Field(ge=0)]
    dropped_run: Count
    timeout_run: Count
    probes: Count
    fine_adjustment_misses: Count
    bridge_rounds: Count
    again_kept: Count


class SelectionNumbers(_Section):
    by: Literal["w", "difficulty"]
    window: Annotated[float, Field(ge=0)]
    widened: Annotated[float, Field(ge=0)]
    recent: Count
    upscale_after: Count


class PlacementNumbers(_Section):
    problems_min: Count
    problems_max: Count
    tells: Annotated[float, Field(ge=0)]
    easy_at: Chance
    easy_most: Count
    slip: Chance
    guess: Chance
    gap_share: Share
    grade_c: dict[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1, le=15)]]
    taught: dict[Annotated[int, Field(ge=1)], dict[Strand, Annotated[int, Field(ge=0, le=15)]]]
    easy_start_tries: Count
    easy_start_misses: Annotated[int, Field(ge=0)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.problems_min > self.problems_max:
            raise ValueError("problems_min is more than problems_max")
        return self


class NumberSenseNumbers(_Section):
    warm_up: Count
    warm_up_c: Annotated[int, Field(ge=1, le=15)]
    warm_up_grade: Count
    copies: Count
    misses: Count


class EvidenceNumbers(_Section):
    prior_defect: Annotated[float, Field(gt=0)]
    prior_attention: Annotated[float, Field(gt=0)]
    prior_unknown: Annotated[float, Field(gt=0)]
    hypotheses: Count
    known_cause: Annotated[float, Field(ge=1)]
    slip: Chance
    follows: Chance
    guess: Chance
    follows_tap: Chance
    guess_tap: Chance
    unknown_fails: Chance
    unlearnt_fails: Chance
    impulsive: Chance
    impulsive_by_chance: Chance
    state_at: Chance
    name_at: Chance
    conclude_at: Chance
    holds: Share
    unknown_at: Chance
    rival: Annotated[float, Field(gt=1)]
    asks: Count
    suspect_at: Share
    suspects: Count
    looked_at: Count
    looked_at_far: Count
    kept: Count


class Numbers(_Section):
    """`configs/tutoring/session_rules.yaml`, checked."""

    session: SessionNumbers
    response_time: ResponseTimeNumbers
    severe_error: SevereNumbers
    position: PositionNumbers
    limits: LimitNumbers
    selection: SelectionNumbers
    placement: PlacementNumbers
    number_sense: NumberSenseNumbers
    evidence: EvidenceNumbers


@dataclass(frozen=True, slots=True)
class Rules:
    """One immutable object that every node of the graph shares. `held_out`: malrules hidden from the diagnosis, so
    that a simulation can measure errors outside the catalogue; `learned`: learned malrules that it knows.
    `by_difficulty`: C → its problems in the order of the difficulty model; empty where W orders them. `knowledge`: the
    skills, and how answers speak for them; `ladder`: their problems. `hypotheses`: what a new child may know.
    `published`: values of studies, beside which a screening of number sense is read. `entries`: what a teacher is told
    in the review queue. `stories`: what a known problem is told as."""

    numbers: Numbers
    bank: Bank
    knowledge: KnowledgeModel
    ladder: SkillProblems
    session_knowledge: SessionKnowledge
    catalogue: Catalogue
    feedback: FeedbackTemplates
    gate: Gate
    hypotheses: Hypotheses
    published: Sequence[PublishedValue]
    entries: TeacherEntries
    stories: Stories
    held_out: frozenset[str] = frozenset()
    learned: tuple[str, ...] = ()
    by_difficulty: Mapping[int, Sequence[Problem]] = field(default_factory=dict)


def load_rules(home: Path) -> Rules:
    """Everything under `home/configs` that a session needs. The loaders' errors name file and field."""
    configs = home / "configs"
    Guide.from_file(configs / "tutoring" / "tone.yaml")  # only models need it later: fail now
    model = load_model(configs / "knowledge" / "difficulty_model.json")
    numbers, bank = (
        Numbers.from_file(configs / "tutoring" / "session_rules.yaml"),
        Bank.load(configs / "arithmetic" / "problem_bank.csv"),
    )
    knowledge = load_knowledge_model(configs, bank)
    return Rules(
        numbers=numbers,
        bank=bank,
        knowledge=knowledge,
        ladder=SkillProblems.of(knowledge, bank),
        session_knowledge=SessionKnowledge(knowledge),
        catalogue=load_catalogue(home),
        feedback=load_feedback(configs / "tutoring" / "feedback.yaml"),
        gate=load_gate(home),
        hypotheses=placement_hypotheses(knowledge.skills, numbers.placement.gap_share),
        published=load_published(configs),
        entries=load_teacher_entries(configs),
        stories=load_stories(configs / "tutoring" / "stories.yaml"),
        by_difficulty=_ordered(bank, model) if numbers.selection.by == "difficulty" else {},
    )


def _ordered(bank: Bank, model: DifficultyModel) -> dict[int, Sequence[Problem]]:
    """The problems of each C, the easiest by the model first."""
    return {c: sorted(bank.level(c), key=model.difficulty) for c in range(LOWEST_C, HIGHEST_C + 1)}

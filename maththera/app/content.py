"""The files of `configs/` and `prompts/`, read and checked before the service starts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from maththera.app.execution_resources import SERVERS
from maththera.chat.coach.coach_knowledge import load_knowledge
from maththera.chat.composition import ChatFiles
from maththera.chat.front_end_requests import FrontEnds
from maththera.flows.commands.command_rules import CommandRules, load_command_rules
from maththera.flows.runs.closing_sentence import load_closings
from maththera.korean.word_lists import load_korean_lists
from maththera.learner_model.concept_graph import ConceptGraph, load_concepts
from maththera.lessons.agents.model_drafts import VARIABLES as LESSON_PROMPTS
from maththera.lessons.content import LessonContent
from maththera.lessons.quiz.rubric_judge import VARIABLES as GRADING_PROMPTS
from maththera.llm.model_client import Call, Models
from maththera.runtime.service_limits import Limits
from maththera.servers.config import load_servers
from maththera.servers.toolkit.word_problems import WordProblems
from maththera.settings import Settings
from maththera.store.access.consents import PrivacyRules
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.learned.recorded_trial import TrialRules
from maththera.tutoring.turns import model_requests
from maththera.words.alerts.alert_rules import AlertRules
from maththera.words.danger import message_safety
from maththera.words.danger.danger_answers import DangerAnswers
from maththera.words.danger.message_analysis import MessageAnalyser


@dataclass(frozen=True, slots=True)
class Content:
    """All of `configs/` and `prompts/`."""

    rules: Rules
    models: Models
    door: MessageAnalyser
    danger_answers: DangerAnswers
    commands: CommandRules
    concepts: ConceptGraph
    chat: ChatFiles
    lessons: LessonContent
    front_ends: FrontEnds
    alert_rules: AlertRules
    limits: Limits
    privacy: PrivacyRules
    trials: TrialRules

    @classmethod
    def load(cls, settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> "Content":
        """Each loader's own error for a broken file. `on_call` gets every call to a model."""
        models = Models.from_settings(settings, on_call)
        for prompt, variables in {
            **model_requests.VARIABLES,
            **LESSON_PROMPTS,
            **GRADING_PROMPTS,
            message_safety.PROMPT: message_safety.VARIABLES,
        }.items():
            models.require(prompt, variables)
        _check_lazy_configs(settings.home)
        concepts = load_concepts(settings.home / "configs" / "learner_model" / "concepts.yaml")
        rules = load_rules(settings.home)
        door, answers = MessageAnalyser.load(settings.home), DangerAnswers.load(settings.home, settings.country)
        knowledge = load_knowledge(settings.home, rules.bank, rules.knowledge)
        chat = ChatFiles.load(settings.home, door, knowledge, models)
        commands, lessons = load_command_rules(settings.home), LessonContent.load(settings.home)
        front_ends = FrontEnds.load(settings.home, chat.config, door, chat.levels)
        alert_rules, limits = AlertRules.load(settings.home), Limits.load(settings.home)
        privacy, trials = PrivacyRules.load(settings.home), TrialRules.load(settings.home)
        return cls(
            rules,
            models,
            door,
            answers,
            commands,
            concepts,
            chat,
            lessons,
            front_ends,
            alert_rules,
            limits,
            privacy,
            trials,
        )


def _check_lazy_configs(home: Path) -> None:
    """Checks the files that are loaded later, when they are first needed, so that a broken one fails the start and not
    a turn."""
    load_servers(home / SERVERS, {})
    load_closings(home)
    load_korean_lists(home)
    WordProblems.load(home / "configs" / "servers" / "word_problems.yaml")

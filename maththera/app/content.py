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
        home = settings.home
        _check_lazy_configs(home)
        rules, door = load_rules(home), MessageAnalyser.load(home)
        chat = ChatFiles.load(home, door, load_knowledge(home, rules.bank, rules.knowledge), models)
        return cls(
            rules=rules,
            models=models,
            door=door,
            danger_answers=DangerAnswers.load(home, settings.country),
            commands=load_command_rules(home),
            concepts=load_concepts(home / "configs" / "learner_model" / "concepts.yaml"),
            chat=chat,
            lessons=LessonContent.load(home),
            front_ends=FrontEnds.load(home, chat.config, door, chat.levels),
            alert_rules=AlertRules.load(home),
            limits=Limits.load(home),
            privacy=PrivacyRules.load(home),
            trials=TrialRules.load(home),
        )


def _check_lazy_configs(home: Path) -> None:
    """Checks the files that are loaded later, when they are first needed, so that a broken one fails the start and not
    a turn."""
    load_servers(home / SERVERS, {})
    load_closings(home)
    load_korean_lists(home)
    WordProblems.load(home / "configs" / "servers" / "word_problems.yaml")

"""The services and stores that the routes work with. `composition` opens them; a route has them as its parameter
`services: Services` (`http_layer.auth`)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from maththera.api.http_layer.metrics import Metrics
from maththera.api.http_layer.rate_limits import Traffic
from maththera.api.http_layer.readiness import Probe
from maththera.app.data_erasure import DataErasure
from maththera.chat.assistant.assistant_tools import AssistantStores
from maththera.chat.front_end_requests import FrontEnds
from maththera.chat.papers.parser_process import PaperReader
from maththera.chat.service import ChatService
from maththera.executions.command_resolution import CommandResolver
from maththera.executions.service import Executions
from maththera.learner_model.goals import Goals
from maththera.learner_model.profiles import Profiles
from maththera.lessons.service import LessonService
from maththera.reports.report_maker import ReportMaker
from maththera.reports.signed_links import ReportLinks
from maththera.store.access.access_log import AccessLog
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.consents import Consents, ConsentStandings, PrivacyRules
from maththera.store.access.sign_ins import SignIns
from maththera.store.classes import Classes
from maththera.store.guardian_requests import GuardianRequests
from maththera.store.learned_procedures import ProcedureRecords
from maththera.store.operation_figures import OperationFigures
from maththera.store.personal_data.data_export import DataExport
from maththera.store.personal_data.student_roster import StudentRoster
from maththera.store.reports import ReportRecords
from maththera.store.review_queue import Reviews
from maththera.store.safety_alerts import Alerts
from maththera.store.students import StudentRecords
from maththera.store.turn_records import TurnRecords
from maththera.tutoring.learned.recorded_trial import RecordedTrials
from maththera.tutoring.session.event_screening import EventScreening
from maththera.tutoring.session.service import TutoringService
from maththera.words.danger.message_safety import MessageSafety


@dataclass(frozen=True, slots=True)
class StudentServices:
    """Records about the students, their consents, and who looked at them."""

    roster: StudentRoster
    records: StudentRecords
    profiles: Profiles
    turns: TurnRecords
    goals: Goals
    requests: GuardianRequests
    consents: Consents
    reviews: Reviews
    alerts: Alerts
    export: DataExport
    erasure: DataErasure
    consent_standings: ConsentStandings
    access_log: AccessLog
    reports: ReportRecords
    privacy: PrivacyRules
    procedures: ProcedureRecords
    procedure_trials: RecordedTrials


@dataclass(frozen=True, slots=True)
class OpenServices:
    """All that is open while the service runs. `probes`: for each dependency a call that fails, or takes too long, when
    it is down. `closing`: set when the service begins to stop."""

    tutoring: TutoringService
    event_screening: EventScreening
    safety: MessageSafety
    tokens: AccessTokens
    sign_ins: SignIns
    classes: Classes
    probes: Mapping[str, Probe]
    executions: Executions
    commands: CommandResolver
    reports: ReportLinks
    report_maker: ReportMaker
    learners: StudentServices
    chat: ChatService
    lessons: LessonService
    assistant: AssistantStores
    data_dir: Path
    front_ends: FrontEnds
    metrics_token: SecretStr | None
    studio_url: str | None
    paper_reader: PaperReader
    traffic: Traffic
    metrics: Metrics
    figures: OperationFigures
    closing: asyncio.Event

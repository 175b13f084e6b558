"""All tables, as a new database gets them. The number is not 0001: it is that of the last of the steps that this module
replaces, so that a database which went through them is up to date.

The tables are written out, as they must stay the same when those of the code change.
"""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0023"
down_revision = None

_tables = sa.MetaData()


def upgrade() -> None:
    _tables.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    _tables.drop_all(op.get_bind(), checkfirst=False)


def _time(name: str) -> sa.Column[object]:
    return sa.Column(name, Utc, nullable=False, server_default=utc_now())


sa.Table(
    "access_log",
    _tables,
    sa.Column("entry_id", sa.Integer, primary_key=True),
    _time("at"),
    sa.Column("access", sa.String, nullable=False),
    sa.Column("what", sa.String, nullable=False),
    sa.Column("token_id", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("student_id", sa.String),
    sa.Index("access_log_of_student", "student_id", "entry_id"),
)
sa.Table(
    "answer_ratings",
    _tables,
    sa.Column("run_id", sa.String, primary_key=True),
    sa.Column("token_id", sa.String, primary_key=True),
    sa.Column("level", sa.String, primary_key=True),
    sa.Column("student_id", sa.String),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("prompts", sa.JSON, nullable=False),
    _time("created_at"),
    sa.Index("answer_ratings_of_student", "student_id"),
)
sa.Table(
    "classes",
    _tables,
    sa.Column("class_id", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("owner_token", sa.String, nullable=False),
    sa.Column("code", sa.String, unique=True),
    sa.Column("code_expires_at", Utc),
    _time("created_at"),
)
sa.Table(
    "consents",
    _tables,
    sa.Column("consent_id", sa.Integer, primary_key=True),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("purpose", sa.String, nullable=False),
    sa.Column("granted", sa.Boolean, nullable=False),
    sa.Column("given_by", sa.String, nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("recorded_by", sa.String, nullable=False),
    _time("created_at"),
    sa.Index("consents_of_student", "student_id", "purpose", "consent_id"),
)
sa.Table(
    "erasures",
    _tables,
    sa.Column("receipt_id", sa.String, primary_key=True),
    sa.Column("reason", sa.String, nullable=False),
    _time("erased_at"),
    sa.Column("records", sa.JSON, nullable=False),
    sa.Column("pending", sa.JSON),
)
sa.Table(
    "flow_versions",
    _tables,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("version", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("text", sa.Text, nullable=False),
)
sa.Table(
    "goals",
    _tables,
    sa.Column("goal_id", sa.String, primary_key=True),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("skill_id", sa.String, nullable=False),
    sa.Column("right", sa.Integer, nullable=False),
    sa.Column("out_of", sa.Integer, nullable=False),
    sa.Column("due", sa.String, nullable=False),
    sa.Column("baseline_word", sa.String, nullable=False),
    sa.Column("baseline_right", sa.Integer, nullable=False),
    sa.Column("baseline_tries", sa.Integer, nullable=False),
    _time("created_at"),
    sa.UniqueConstraint("student_id", "skill_id", "due", name="goals_skill_and_day"),
    sa.Index("goals_of_student", "student_id", "due"),
)
sa.Table(
    "guardian_requests",
    _tables,
    sa.Column("request_id", sa.String, primary_key=True),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("about", sa.String, nullable=False),
    sa.Column("asked_by", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("done_at", Utc),
    sa.Column("done_by", sa.String),
    sa.Index("guardian_requests_of_student", "student_id", "created_at"),
)
sa.Table(
    "heatmaps",
    _tables,
    sa.Column("student_id", sa.String, primary_key=True),
    sa.Column("heatmap", sa.JSON, nullable=False),
    sa.Column("answers", sa.Integer, nullable=False),
    _time("updated_at"),
)
sa.Table(
    "lesson_statistics",
    _tables,
    sa.Column("student_id", sa.String, primary_key=True),
    sa.Column("course", sa.String, primary_key=True),
    sa.Column("chapter", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("learning_count", sa.Integer, nullable=False),
    sa.Column("passed_count", sa.Integer, nullable=False),
    sa.Column("score_sum", sa.Integer, nullable=False),
    sa.Column("best_score", sa.Integer, nullable=False),
    sa.Column("last_score", sa.Integer, nullable=False),
    sa.Column("hint_count", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Integer, nullable=False),
    sa.Column("last_at", Utc, nullable=False),
)
sa.Table(
    "lessons",
    _tables,
    sa.Column("lesson_id", sa.String, primary_key=True),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("course", sa.String, nullable=False),
    sa.Column("begin", sa.JSON, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
    sa.Column("state", sa.JSON),
    _time("created_at"),
    sa.Index("lessons_of_student", "student_id", "created_at"),
)
sa.Table(
    "papers",
    _tables,
    sa.Column("paper_id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("authors", sa.JSON, nullable=False),
    sa.Column("year", sa.Integer),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("file_name", sa.String, nullable=False),
    sa.Column("starter", sa.Boolean, nullable=False),
    _time("created_at"),
)
sa.Table(
    "paused_schedules",
    _tables,
    sa.Column("flow_name", sa.String, primary_key=True),
    sa.Column("paused_by", sa.String, nullable=False),
    sa.Column("paused_at", Utc, nullable=False),
)
sa.Table(
    "procedure_versions",
    _tables,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("changed_by", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("changed_name", sa.String),
)
sa.Table(
    "reports",
    _tables,
    sa.Column("report_id", sa.String, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("student_ids", sa.JSON, nullable=False),
    sa.Column("since", sa.String, nullable=False),
    sa.Column("until", sa.String, nullable=False),
    sa.Column("pages", sa.Integer, nullable=False),
    _time("created_at"),
)
sa.Table(
    "rule_candidates",
    _tables,
    sa.Column("candidate_id", sa.Integer, primary_key=True),
    sa.Column("operation", sa.String, nullable=False),
    sa.Column("cause_tag", sa.String, nullable=False),
    sa.Column("procedure", sa.Text, nullable=False),
    _time("created_at"),
    sa.Index("rule_candidates_same", "operation", "cause_tag", "procedure", unique=True),
)
sa.Table(
    "saved_files",
    _tables,
    sa.Column("file_id", sa.String, primary_key=True),
    sa.Column("owner_token", sa.String, nullable=False),
    sa.Column("student_id", sa.String),
    sa.Column("name", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("expires_at", Utc, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("saved_files_by_expiry", "expires_at"),
    sa.Index("saved_files_of_student", "student_id"),
)
sa.Table(
    "schools",
    _tables,
    sa.Column("school_code", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("region", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("sample", sa.Boolean, nullable=False),
    _time("created_at"),
)
sa.Table(
    "sessions",
    _tables,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("start", sa.JSON, nullable=False),
    _time("created_at"),
    sa.Column("ended_at", Utc),
    sa.Column("open_problems", sa.JSON),
    sa.Index("sessions_of_student", "student_id", "created_at"),
)
sa.Table(
    "skipped_runs",
    _tables,
    sa.Column("flow_name", sa.String, primary_key=True),
    sa.Column("due_at", Utc, primary_key=True),
    sa.Column("running", sa.String, nullable=False),
)
sa.Table(
    "students",
    _tables,
    sa.Column("student_id", sa.String, primary_key=True),
    sa.Column("birth_year", sa.Integer),
    _time("updated_at"),
    sa.Column("nickname", sa.String),
    sa.Column("animal", sa.String),
    sa.Column("grade", sa.Integer),
    sa.Column("pictures", sa.String),
    sa.Column("card", sa.String),
    sa.Column("prefs", sa.JSON),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tried_at", Utc),
    sa.UniqueConstraint("card", name="students_card_key"),
)
sa.Table(
    "threads",
    _tables,
    sa.Column("thread_id", sa.String, primary_key=True),
    sa.Column("profile", sa.String, nullable=False),
    sa.Column("student_id", sa.String),
    sa.Column("owner_token", sa.String),
    sa.Column("turns", sa.Integer, nullable=False),
    _time("created_at"),
    _time("updated_at"),
    sa.Column("title", sa.String),
    sa.Index("threads_of_owner", "owner_token"),
    sa.Index("threads_of_student", "student_id"),
)
sa.Table(
    "tokens",
    _tables,
    sa.Column("token_id", sa.String, primary_key=True),
    sa.Column("hash", sa.String, nullable=False, unique=True),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("subject", sa.JSON, nullable=False),
    sa.Column("label", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("expires_at", Utc),
    sa.Column("revoked_at", Utc),
    sa.Column("prefs", sa.JSON),
    sa.Column("last_used_at", Utc),
)
sa.Table(
    "class_members",
    _tables,
    sa.Column("class_id", sa.String, sa.ForeignKey("classes.class_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("student_id", sa.String, primary_key=True),
    sa.Column("tile_id", sa.String, nullable=False, unique=True),
    _time("created_at"),
    sa.Index("class_members_of_student", "student_id"),
)
sa.Table(
    "executions",
    _tables,
    sa.Column("execution_id", sa.String, primary_key=True),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("flow_hash", sa.String, sa.ForeignKey("flow_versions.hash"), nullable=False),
    sa.Column("flow_name", sa.String, nullable=False),
    sa.Column("owner_token", sa.String, nullable=False),
    sa.Column("owner", sa.JSON, nullable=False),
    sa.Column("student_id", sa.String),
    sa.Column("starts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("variant", sa.String),
    sa.Column("request_digest", sa.String),
    _time("created_at"),
    sa.Column("ended_at", Utc),
    sa.Column("command", sa.Text),
    sa.Column("inputs", sa.JSON, nullable=False),
    sa.Column("waiting", sa.JSON),
    sa.Column("answer", sa.JSON),
    sa.Column("result", sa.JSON),
    sa.Column("closing", sa.Text),
    sa.Column("error", sa.JSON),
    sa.Column("completed_steps", sa.JSON),
    sa.Column("error_log", sa.JSON),
    sa.Column("steps", sa.JSON),
    sa.Index("executions_by_flow", "flow_name", "created_at"),
    sa.Index("executions_by_status", "status"),
    sa.Index("executions_of_owner", "owner_token", "created_at"),
    sa.Index("executions_of_student", "student_id"),
)
sa.Table(
    "learned_procedures",
    _tables,
    sa.Column("procedure_id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("definition", sa.JSON, nullable=False),
    sa.Column("candidate_id", sa.Integer, sa.ForeignKey("rule_candidates.candidate_id", ondelete="SET NULL")),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("proposed_by", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("trial", sa.JSON),
    sa.Column("approved_by", sa.String),
    sa.Column("approved_at", Utc),
    sa.Column("switched_off_by", sa.String),
    sa.Column("switched_off_at", Utc),
    sa.Column("proposed_name", sa.String),
    sa.Column("approved_name", sa.String),
    sa.Column("switched_off_name", sa.String),
)
sa.Table(
    "lesson_sessions",
    _tables,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("lesson_id", sa.String, sa.ForeignKey("lessons.lesson_id", ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("chapter", sa.Integer, nullable=False),
    sa.Column("session_count", sa.Integer, nullable=False),
    sa.Column("decision", sa.String, nullable=False),
    sa.Column("session_start_time", Utc, nullable=False),
    sa.Column("session_end_time", Utc, nullable=False),
    sa.Column("conversations", sa.JSON, nullable=False),
    sa.UniqueConstraint("lesson_id", "number", name="lesson_sessions_number"),
    sa.Index("lesson_sessions_of_student", "student_id", "session_end_time"),
)
sa.Table(
    "messages",
    _tables,
    sa.Column("thread_id", sa.String, sa.ForeignKey("threads.thread_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("run_id", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("detail", sa.JSON),
)
sa.Table(
    "paper_passages",
    _tables,
    sa.Column("paper_id", sa.String, sa.ForeignKey("papers.paper_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("heading", sa.String, nullable=False),
    sa.Column("page", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
)
sa.Table(
    "report_links",
    _tables,
    sa.Column("link_id", sa.String, primary_key=True),
    sa.Column("report_id", sa.String, sa.ForeignKey("reports.report_id", ondelete="CASCADE"), nullable=False),
    sa.Column("made_at", Utc, nullable=False),
    sa.Column("expires_at", Utc, nullable=False),
    sa.Column("opened_at", Utc),
    sa.Index("ix_report_links_report_id", "report_id"),
)
sa.Table(
    "report_students",
    _tables,
    sa.Column("report_id", sa.String, sa.ForeignKey("reports.report_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("student_id", sa.String, primary_key=True),
    sa.Index("reports_of_student", "student_id"),
)
sa.Table(
    "reviews",
    _tables,
    sa.Column("review_id", sa.Integer, primary_key=True),
    sa.Column("session_id", sa.String, sa.ForeignKey("sessions.session_id", ondelete="CASCADE")),
    sa.Column("room", sa.String),
    sa.Column("place_id", sa.String),
    sa.Column("student_id", sa.String),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("status", sa.String, nullable=False, server_default="open"),
    _time("created_at"),
    sa.Column("decided_at", Utc),
    sa.Column("decided_by", sa.String),
    sa.Column("decision", sa.JSON),
    sa.Column("message_id", sa.String),
    sa.Column("category", sa.String),
    sa.Column("tier", sa.Integer),
    sa.Column("urgency", sa.String),
    sa.Column("words", sa.Text),
    sa.Index("ix_reviews_session_id", "session_id"),
    sa.Index("reviews_by_status", "status", "review_id"),
    sa.Index("reviews_of_place", "room", "place_id", "message_id", unique=True),
    sa.Index("reviews_of_student", "student_id"),
)
sa.Table(
    "rule_examples",
    _tables,
    sa.Column("example_id", sa.Integer, primary_key=True),
    sa.Column(
        "candidate_id", sa.Integer, sa.ForeignKey("rule_candidates.candidate_id", ondelete="CASCADE"), nullable=False
    ),
    sa.Column("problem_id", sa.String, nullable=False),
    sa.Column("answer", sa.Integer, nullable=False),
    sa.Index("ix_rule_examples_candidate_id", "candidate_id"),
)
sa.Table(
    "school_documents",
    _tables,
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("school_code", sa.String, sa.ForeignKey("schools.school_code", ondelete="CASCADE"), nullable=False),
    sa.Column("year", sa.Integer, nullable=False),
    sa.Column("title", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("documents_of_school", "school_code", "year"),
)
sa.Table(
    "sign_ins",
    _tables,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("token_id", sa.String, sa.ForeignKey("tokens.token_id", ondelete="CASCADE")),
    sa.Column("student_id", sa.String),
    sa.Column("class_id", sa.String, sa.ForeignKey("classes.class_id", ondelete="CASCADE")),
    _time("created_at"),
    sa.Column("expires_at", Utc, nullable=False),
    sa.Column("tablet", sa.String),
    sa.Column("last_used_at", Utc),
    sa.Index("sign_ins_by_expiry", "expires_at"),
    sa.Index("sign_ins_of_student", "student_id"),
)
sa.Table(
    "task_observations",
    _tables,
    sa.Column("session_id", sa.String, sa.ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("task_id", sa.String, primary_key=True),
    sa.Column("tag", sa.String, primary_key=True),
    sa.Column("seen_by", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("cause_tag", sa.String),
)
sa.Table(
    "turns",
    _tables,
    sa.Column("session_id", sa.String, sa.ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("request_id", sa.String, nullable=False),
    _time("created_at"),
    sa.Column("problem_id", sa.String),
    sa.Column("kind", sa.String),
    sa.Column("phase", sa.String),
    sa.Column("c_level", sa.Integer),
    sa.Column("w", sa.Float),
    sa.Column("correct", sa.Boolean),
    sa.Column("pattern", sa.String),
    sa.Column("rt_ms", sa.Integer),
    sa.Column("input_kind", sa.String),
    sa.Column("cause_tag", sa.String),
    sa.Column("confidence", sa.String),
    sa.Column("learner", sa.JSON),
    sa.Column("event", sa.JSON, nullable=False),
    sa.Column("llm", sa.JSON),
    sa.Column("response", sa.JSON, nullable=False),
    sa.Column("trace", sa.JSON, nullable=False),
    sa.Column("open_problems", sa.JSON),
    sa.UniqueConstraint("session_id", "request_id", name="turns_request"),
)
sa.Table(
    "alert_deliveries",
    _tables,
    sa.Column("review_id", sa.Integer, sa.ForeignKey("reviews.review_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("channel", sa.String, primary_key=True),
    sa.Column("occasion", sa.String, primary_key=True),
    sa.Column("message_id", sa.String),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    _time("next_try_at"),
    sa.Column("leased_until", Utc),
    sa.Column("delivered_at", Utc),
    sa.Column("error", sa.Text),
    sa.Index("alert_deliveries_open", "delivered_at", "next_try_at"),
)
sa.Table(
    "alert_openings",
    _tables,
    sa.Column("opening_id", sa.Integer, primary_key=True),
    sa.Column("review_id", sa.Integer, sa.ForeignKey("reviews.review_id", ondelete="CASCADE"), nullable=False),
    sa.Column("token_id", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    _time("opened_at"),
    sa.Index("ix_alert_openings_review_id", "review_id"),
)
sa.Table(
    "lesson_quizzes",
    _tables,
    sa.Column(
        "session_id", sa.String, sa.ForeignKey("lesson_sessions.session_id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("student_id", sa.String, nullable=False),
    sa.Column("chapter", sa.Integer, nullable=False),
    sa.Column("question_number", sa.Integer, nullable=False),
    sa.Column("question_type", sa.String, nullable=False),
    sa.Column("is_correct", sa.Integer, nullable=False),
    sa.Column("graded_by", sa.String),
    sa.Column("rule_score", sa.Integer),
    sa.Column("hint_count", sa.Integer, nullable=False),
    sa.Column("problem_id", sa.String),
    sa.Column("given", sa.Integer),
    sa.Column("question_content", sa.Text, nullable=False),
    sa.Column("user_answer", sa.Text, nullable=False),
    sa.Column("feedback", sa.Text, nullable=False),
    sa.Index("lesson_quizzes_of_student", "student_id"),
)

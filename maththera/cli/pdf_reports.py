"""`maththera report`: the PDF of a child, or of a class."""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import typer

from maththera.cli.database_access import with_database
from maththera.reports.pdf_rendering import Kind
from maththera.reports.records import Sources
from maththera.reports.report_maker import CLASS_MOST, MadeReport, ReportMaker, span_until_today
from maththera.reports.signed_links import report_file
from maththera.reports.teacher_report import Person
from maththera.settings import Settings, home
from maththera.store.database import Database


def run(
    kind: Kind,
    students: Sequence[str],
    days: tuple[datetime | None, datetime | None],
    person: Person,
    output: Path | None,
) -> None:
    """Makes the report, puts it into `output` and prints its file and its link."""
    if kind != "class" and len(students) > 1:
        raise typer.BadParameter("name one child, or say --kind class")
    if len(students) > CLASS_MOST:
        raise typer.BadParameter(f"at most {CLASS_MOST} children")
    if output is not None and output.exists():
        raise typer.BadParameter(f"{output} is there already")
    try:
        span = span_until_today(*(day and day.date() for day in days))
    except ValueError as error:
        raise typer.BadParameter(f"--from: {error}") from None

    async def make(database: Database) -> MadeReport:
        from maththera.arithmetic.problem_bank import Bank
        from maththera.store.access.access_log import AccessLog
        from maththera.store.access.authorization import Principal

        await AccessLog(database).add(Principal("terminal", "admin"), "read", "reports", *students)
        configs = home() / "configs"
        bank = Bank.load(configs / "arithmetic" / "problem_bank.csv")
        maker = ReportMaker(database, settings, lambda: Sources.load(configs, bank))
        return await maker.make(kind, sorted(set(students)), span, person=person)

    settings = Settings.from_environment()
    made = with_database(make)
    file = report_file(settings.data_dir, made.report_id)
    if output is not None:
        shutil.copyfile(file, output)
    typer.echo(f"{made.title}, {made.since} ~ {made.until}, {made.pages}쪽")
    typer.echo(output or file)
    link = made.links[0]
    typer.echo(f"{link.expires_at.astimezone():%Y-%m-%d}까지 열리는 주소: {link.url}")

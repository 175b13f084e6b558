"""Settings: defaults, the environment, and one line for each bad variable."""

from pathlib import Path

import pytest

from maththera.settings import Settings, SettingsError, home, unknown_variables
from tests.support.service import service


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MATHTHERA_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_defaults_need_nothing_installed(tmp_path: Path) -> None:
    settings = Settings.from_environment()
    assert settings.data_dir == tmp_path / "var"
    assert settings.database_url == f"sqlite+aiosqlite:///{tmp_path}/var/maththera.db"
    assert settings.redis_url is None
    assert settings.llm_base_url is None
    assert settings.home == home()


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_REDIS_URL", "")
    monkeypatch.setenv("MATHTHERA_DATABASE_URL", "")
    settings = Settings.from_environment()
    assert settings.redis_url is None
    assert settings.database_url.startswith("sqlite+aiosqlite:///")


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u:p@db/m", "postgresql+asyncpg://u:p@db/m"),
        ("postgres://u:p@db/m", "postgresql+asyncpg://u:p@db/m"),
        ("postgresql+asyncpg://u:p@db/m", "postgresql+asyncpg://u:p@db/m"),
        ("sqlite:///a.db", "sqlite+aiosqlite:///a.db"),
    ],
)
def test_the_database_url_gets_its_async_driver(monkeypatch: pytest.MonkeyPatch, given: str, used: str) -> None:
    monkeypatch.setenv("MATHTHERA_DATABASE_URL", given)
    assert Settings.from_environment().database_url == used


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("DATABASE_URL", "mysql://root:hunter2@db/m", "must begin with sqlite:// or postgresql://"),
        ("REDIS_URL", "hunter2@cache:6379", "must begin with redis://"),
        ("DATABASE_URL", "postgresql://u:hunter2@db:port/m", "port cannot be read"),
        ("DATABASE_URL", "postgresql://u:hunter2@[db/m", "port cannot be read"),
        ("REDIS_URL", "redis://:hunter2@cache:70000/0", "port cannot be read"),
        ("ADMIN_TOKEN", "hunter2 hunter2", "must be visible ASCII"),
        ("LLM_BASE_URL", "ftp://hunter2", "must begin with http:// or https://"),
        ("LLM_BASE_URL", "localhost:1/hunter2", "must begin with http:// or https://"),
        ("DATA_DIR", __file__, "is a file; it must be a folder"),
        ("LOG_FORMAT", "hunter2", "'text' or 'json'"),
        ("OTLP_ENDPOINT", "hunter2:4318", "must begin with http:// or https://"),
        ("ALERT_WEBHOOK_URL", "ftp://hunter2", "must begin with http:// or https://"),
        ("ALERT_WEBHOOK_URL", "https://hunter2:port/", "port cannot be read"),
        ("ALERT_SMTP_URL", "mail.example:hunter2", "must begin with smtp:// or smtps://"),
        ("ALERT_SMTP_URL", "smtp://u:hunter2@mail:port", "port cannot be read"),
        ("ALERT_EMAIL_TO", "a@b.example hunter2", "must be mail addresses"),
        ("ALERT_EMAIL_FROM", "hunter2", "must be mail addresses"),
        ("HOME", "/nowhere", "has no configs/ folder"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, reason: str
) -> None:
    monkeypatch.setenv(f"MATHTHERA_{variable}", value)
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment()
    message = str(caught.value)
    assert message.startswith(f"MATHTHERA_{variable}: ")
    assert reason in message
    assert "\n" not in message
    assert "hunter2" not in message


def test_a_mail_server_needs_to_know_from_whom_and_to_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_ALERT_SMTP_URL", "smtp://u:hunter2@mail.example")
    monkeypatch.setenv("MATHTHERA_ALERT_EMAIL_FROM", "a@b.example")
    with pytest.raises(SettingsError, match="MATHTHERA_ALERT_EMAIL_TO") as caught:
        Settings.from_environment()
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("MATHTHERA_ALERT_EMAIL_TO", "c@d.example,e@f.example")
    settings = Settings.from_environment()
    assert "hunter2" not in repr(settings)
    assert not [name for name in settings.for_servers() if "ALERT" in name], "no MCP server tells anybody"


def test_a_variable_that_nothing_reads_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_LOG_FORMAT", "json")
    assert unknown_variables() == []
    monkeypatch.setenv("MATHTHERA_REDISURL", "redis://cache")
    monkeypatch.setenv("MATHTHERA_XYZ", "hunter2")
    assert unknown_variables() == [
        "MATHTHERA_REDISURL: unknown, not used; did you mean MATHTHERA_REDIS_URL?",
        "MATHTHERA_XYZ: unknown, not used",
    ]


def test_an_address_without_a_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_LLM_BASE_URL", "http://localhost:1/v1")
    with pytest.raises(SettingsError, match=r"^MATHTHERA_LLM_MODEL: needed"):
        Settings.from_environment()


def test_the_small_model_defaults_to_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_LLM_MODEL", "big")
    assert Settings.from_environment().llm_small_model == "big"


def test_secrets_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_ADMIN_TOKEN", "hunter2-hunter2-hunter2")
    monkeypatch.setenv("MATHTHERA_LLM_API_KEY", "hunter2")
    monkeypatch.setenv("MATHTHERA_DATABASE_URL", "postgresql://u:hunter2@db/m")
    monkeypatch.setenv("MATHTHERA_REDIS_URL", "redis://:hunter2@cache")
    settings = Settings.from_environment()
    assert "hunter2" not in f"{settings!r} {settings}"


def test_every_field_says_what_it_is_for() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_beside_a_service_that_runs_its_address_is_the_default(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with service(tmp_path, "") as running:
        assert Settings(data_dir=data).public_url == f"http://127.0.0.1:{running.port}"
        assert running.stop() == 0
    assert Settings(data_dir=data).public_url == "http://127.0.0.1:8000"

"""Where Maththera finds its data and how it is configured: environment over `configs/`."""

import os
import re
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from maththera.config_files import fault_reason, nearest_name

PREFIX = "MATHTHERA_"
_ORIGIN = re.compile(r"https?://[^\s/,*]+")
_ADDRESS_UNKNOWN = "http://127.0.0.1:8000"
_ADDRESS = re.compile(r"[^\s@<>,\"]+@[^\s@<>,\"]+")


class SettingsError(ValueError):
    """A bad environment variable; each line of the message names one variable and never repeats its value."""


def home() -> Path:
    """The folder that holds `configs/`, `prompts/` and `flows/`: MATHTHERA_HOME, the checkout, or the packaged copy."""
    if configured := os.environ.get(f"{PREFIX}HOME"):
        return Path(configured)
    checkout = Path(__file__).parent.parent
    return checkout if (checkout / "configs").is_dir() else Path(__file__).parent / "home"


def address_file(data_dir: Path) -> Path:
    """Holds where the service on this data directory listens, while it runs: commands beside it make links to it."""
    return data_dir / "address"


def running_address(data_dir: Path) -> str:
    """Where the service on this data directory listens, or would by itself."""
    try:
        return address_file(data_dir).read_text(encoding="utf-8").strip() or _ADDRESS_UNKNOWN
    except OSError:
        return _ADDRESS_UNKNOWN


class Settings(BaseSettings):
    """Everything that is set from outside. Each field is the environment variable MATHTHERA_<FIELD>; an empty one
    counts as not set. Fields that may hold a secret are left out of `repr`."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)

    data_dir: Path = Field(
        Path("var"), description="SQLite, the private Redis and reports live here; made when missing."
    )
    database_url: str = Field(
        default_factory=lambda data: f"sqlite+aiosqlite:///{data.get('data_dir')}/maththera.db",
        repr=False,
        description="Learner records: sqlite or postgresql URL. Default: SQLite in the data directory.",
    )
    redis_url: str | None = Field(
        None,
        repr=False,
        description="Working state: redis, rediss or unix URL. Default: a private Redis in the data directory.",
    )
    public_url: str = Field(
        default_factory=lambda data: running_address(data.get("data_dir", Path("var"))),
        max_length=300,
        description="Where people reach the service; links to reports begin with it. Default: where it listens.",
    )
    studio_url: str | None = Field(
        None,
        max_length=500,
        description="LangGraph Studio with these flows; `{flow}` stands for the name of one. Default: no link to it.",
    )
    admin_token: SecretStr | None = Field(
        None, description="The first admin token. Default: made at first start and printed once."
    )
    llm_base_url: str | None = Field(None, description="An OpenAI-compatible address. Default: no LLM, rules alone.")
    llm_api_key: SecretStr | None = Field(None, description="Its key, where it wants one.")
    llm_model: str | None = Field(None, max_length=200, description="Model of the diagnosis.")
    llm_small_model: str | None = Field(
        default_factory=lambda data: data.get("llm_model"),
        max_length=200,
        description="Model of the feedback. Default: LLM_MODEL.",
    )
    celery: str | None = Field(
        None,
        repr=False,
        description="Redis that hands runs of flows to `make worker`. Default: the service itself works on them.",
    )
    retention_days: int | None = Field(
        None,
        ge=0,
        description="Erases what is older, day by day; 0: never. Default: configs/store/privacy.yaml, three years.",
    )
    unknown_age: Literal["allow", "consent"] = Field(
        "allow", description="A child without a birth year: goes on, or needs consent as one below the age does."
    )
    cors_origins: str | None = Field(
        None, max_length=2000, description="Web pages elsewhere that may call the API: origins, separated by commas."
    )
    alert_webhook_url: SecretStr | None = Field(
        None, description="Is told of safety alerts, as JSON without the child's words. Default: nobody outside is."
    )
    alert_webhook_secret: SecretStr | None = Field(
        None, description="Signs what the webhook is sent: HMAC-SHA-256 in X-Maththera-Signature."
    )
    alert_smtp_url: SecretStr | None = Field(
        None, description="Mail server that tells of safety alerts: smtp or smtps URL with user and password."
    )
    alert_email_from: str | None = Field(None, max_length=320, description="From whom these mails are.")
    alert_email_to: str | None = Field(None, max_length=2000, description="To whom they go, separated by commas.")
    alert_email_admin: str | None = Field(
        None, max_length=2000, description="Whom alerts go to that nobody has opened. Default: ALERT_EMAIL_TO."
    )
    home: Path = Field(
        default_factory=home, description="A folder with configs/ and prompts/ that replace the packaged ones."
    )
    country: str = Field(
        "kr", pattern=r"^[a-z]{2}$", description="Whose helplines are named in danger: configs/words/helplines_kr.yaml."
    )
    log_format: Literal["text", "json"] = Field("text", description="Log lines for people or for machines.")
    prompt_log: Path | None = Field(
        None, description="A folder that keeps what models are told in the assistant's chat, 30 days. Default: none."
    )
    metrics_token: SecretStr | None = Field(
        None, description="Asked for at /metrics, as a bearer token; an admin's does as well. Default: it is open."
    )
    otlp_endpoint: str | None = Field(
        None, description="OpenTelemetry collector (OTLP over HTTP). Default: no tracing."
    )

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file; it must be a folder")
        return path.absolute()

    @field_validator("database_url")
    @classmethod
    def _async_driver(cls, url: str) -> str:
        scheme, mark, rest = url.partition("://")
        driver = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
        scheme = driver.get(scheme, scheme)
        if not mark or scheme not in driver.values():
            raise ValueError("must begin with sqlite:// or postgresql://")
        _check_port(url)
        return f"{scheme}://{rest}"

    @field_validator("admin_token")
    @classmethod
    def _fits_a_header(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and not re.fullmatch(r"[\x21-\x7e]+", token.get_secret_value()):
            raise ValueError("must be visible ASCII without spaces, as it travels in a header")
        return token

    @field_validator("redis_url", "celery")
    @classmethod
    def _redis_scheme(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        if url is not None:
            _check_port(url)
        return url

    @field_validator("public_url")
    @classmethod
    def _no_slash_at_the_end(cls, url: str) -> str:
        _require_http(url)
        return url.rstrip("/")

    @field_validator("llm_base_url", "otlp_endpoint", "studio_url")
    @classmethod
    def _http_scheme(cls, url: str | None) -> str | None:
        if url is not None:
            _require_http(url)
        return url

    @field_validator("alert_webhook_url")
    @classmethod
    def _webhook_scheme(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            _require_http(url.get_secret_value())
            _check_port(url.get_secret_value())
        return url

    @field_validator("alert_smtp_url")
    @classmethod
    def _smtp_scheme(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            if not re.fullmatch(r"smtps?://\S+", url.get_secret_value()):
                raise ValueError("must begin with smtp:// or smtps:// and hold no spaces")
            _check_port(url.get_secret_value())
        return url

    @field_validator("alert_email_from", "alert_email_to", "alert_email_admin")
    @classmethod
    def _mail_addresses(cls, text: str | None) -> str | None:
        if text is not None and not all(_ADDRESS.fullmatch(each.strip()) for each in text.split(",")):
            raise ValueError("must be mail addresses, separated by commas")
        return text

    @field_validator("retention_days")
    @classmethod
    def _a_month_at_least(cls, days: int | None) -> int | None:
        if days is not None and 0 < days < 30:
            raise ValueError("must be 0, for ever, or 30 at least")
        return days

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, text: str | None) -> str | None:
        if text is not None and not all(_ORIGIN.fullmatch(each.strip()) for each in text.split(",")):
            raise ValueError("must be origins such as https://school.example, separated by commas")
        return text

    @field_validator("home")
    @classmethod
    def _has_configs(cls, path: Path) -> Path:
        if not (path / "configs").is_dir():
            raise ValueError(f"{path} has no configs/ folder")
        return path

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.llm_base_url and not self.llm_model:
            raise ValueError(f"{PREFIX}LLM_MODEL: needed with {PREFIX}LLM_BASE_URL")
        if self.alert_smtp_url and not (self.alert_email_from and self.alert_email_to):
            raise ValueError(f"{PREFIX}ALERT_EMAIL_FROM, {PREFIX}ALERT_EMAIL_TO: needed with {PREFIX}ALERT_SMTP_URL")
        return self

    def for_servers(self) -> dict[str, str]:
        """These settings as environment variables for our own MCP servers, without the admin token and the alerts."""
        own = (name for name in type(self).model_fields if name != "admin_token" and not name.startswith("alert_"))
        values = {name: getattr(self, name) for name in own}
        return {
            f"{PREFIX}{name.upper()}": value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            for name, value in values.items()
            if value is not None
        }

    def secrets(self) -> set[str]:
        """Every token, key and password that is set: what logs and answers must mask."""
        values = [getattr(self, name) for name in type(self).model_fields]
        found = {value.get_secret_value() for value in values if isinstance(value, SecretStr)}
        urls = (self.database_url, self.redis_url, self.celery)
        return found | {password for url in urls if url and (password := urlsplit(url).password)}

    @classmethod
    def from_environment(cls) -> Self:
        """The settings of this process; SettingsError, one line for each bad variable."""
        try:
            return cls()
        except ValidationError as error:
            own = (e for e in error.errors(include_input=False) if e["type"] != "default_factory_not_called")
            raise SettingsError("\n".join(map(_fault_line, own))) from None


def unknown_variables() -> list[str]:
    """A line for each unknown variable MATHTHERA_*, with the known one that it resembles."""
    known = [name.upper() for name in Settings.model_fields]
    lines = []
    for name in sorted(name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX)):
        if name.upper() not in known:
            near = nearest_name(name, known)
            lines.append(f"{PREFIX}{name}: unknown, not used" + (f"; did you mean {PREFIX}{near}?" if near else ""))
    return lines


def _require_http(url: str) -> None:
    if not re.fullmatch(r"https?://\S+", url):
        raise ValueError("must begin with http:// or https:// and hold no spaces")


def _check_port(url: str) -> None:
    """ValueError for an unreadable port. Drivers would raise a traceback instead, some with the password in it."""
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise ValueError("the address and its port cannot be read") from None


def _fault_line(error: ErrorDetails) -> str:
    reason = fault_reason(error)
    return f"{PREFIX}{str(error['loc'][0]).upper()}: {reason}" if error["loc"] else reason

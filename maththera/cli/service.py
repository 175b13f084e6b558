"""`maththera serve`: starts the workers; makes the tables, Redis and the admin token before."""

import asyncio
import os
import shutil
import signal
import socket
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer
import uvicorn
from fastapi import FastAPI

from maththera.api.http_layer.connection_limits import LimitedHttp
from maththera.app.content import Content
from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.store_setup import stores
from maththera.runtime.logging import set_up_logging
from maththera.runtime.worker_processes import CLOSING_SECONDS
from maththera.settings import PREFIX, Settings, SettingsError, address_file, unknown_variables
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.database import Database

_HERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - every address, of which people open one
MULTIPROCESS_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus_client when a worker imports it
IDLE_SECONDS: Final = 75  # longer than clients and proxies keep a connection, or a request meets one that is closing


def run(host: str, port: int, workers: int, certificate: Path | None = None, key: Path | None = None) -> None:
    """Until a signal ends it. With a certificate and its key it speaks HTTPS alone."""
    # uvicorn finishes what is under way and then raises the signal again, which must not end this process on the spot.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with exit_on_user_error():
        _require_pair(certificate, key)
        scheme = "https" if certificate else "http"
        settings = Settings.from_environment()
        for line in unknown_variables():
            typer.echo(line, err=True)
        with stores(settings) as ready:
            _share_settings(ready, workers, _url(scheme, _HERE.get(host, host), port))
            application = _application(ready, workers)
            _require_address(host, port)
            _print_address(_url(scheme, host, port), asyncio.run(_admin_token(ready)))
            with _known_address(ready):
                uvicorn.run(
                    application,
                    factory=workers > 1,
                    host=host,
                    port=port,
                    workers=workers,
                    loop="uvloop",
                    http=LimitedHttp,
                    ws="none",
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    timeout_graceful_shutdown=CLOSING_SECONDS,
                    timeout_keep_alive=IDLE_SECONDS,
                    ssl_certfile=certificate,
                    ssl_keyfile=key,
                    reset_contextvars=True,  # what one request may do is no matter of the next on its connection
                )


def _application(settings: Settings, workers: int) -> FastAPI | str:
    """The application, or its name for several workers, which load it themselves. A broken file is reported once,
    before the start."""
    if workers > 1:
        set_up_logging(settings.log_format)
        Content.load(settings)
        return "maththera.api.application:create_worker_app"
    from maththera.api.application import create_worker_app  # only now: several workers must not count in this process

    return create_worker_app()


async def _admin_token(settings: Settings) -> str | None:
    """The admin token if there was none before; else None."""
    configured = settings.admin_token.get_secret_value() if settings.admin_token else None
    async with Database(settings.database_url) as database:
        return await AccessTokens(database).ensure_admin(configured)


@contextmanager
def _known_address(settings: Settings) -> Iterator[None]:
    """Commands on the same data directory make links to this service while it runs."""
    file = address_file(settings.data_dir)
    file.write_text(os.environ.get(f"{PREFIX}PUBLIC_URL") or settings.public_url, encoding="utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _share_settings(settings: Settings, workers: int, url: str) -> None:
    """Puts the settings into the environment, from which workers read them. `url`: where the service listens."""
    os.environ[f"{PREFIX}REDIS_URL"] = settings.redis_url or ""
    if "public_url" not in settings.model_fields_set:
        os.environ[f"{PREFIX}PUBLIC_URL"] = url
    if workers > 1:
        counts = settings.data_dir / "metrics"
        shutil.rmtree(counts, ignore_errors=True)  # of processes that are gone
        counts.mkdir()
        os.environ[MULTIPROCESS_DIR] = str(counts)


def _require_address(host: str, port: int) -> None:
    """SettingsError for an address on which nothing can listen: uvicorn would find out only after the admin token was
    printed."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as uvicorn: a port just left is free
            trial.bind(address)
    except OSError as error:
        raise SettingsError(f"{host}, port {port}: {error.strerror}; --host and --port choose another") from None


def _require_pair(certificate: Path | None, key: Path | None) -> None:
    """SettingsError where they are not those of one another, before uvicorn says so in a traceback."""
    if certificate is None and key is None:
        return
    if certificate is None or key is None:
        raise SettingsError("--certificate and --key are needed together")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except (ssl.SSLError, OSError) as error:
        raise SettingsError(f"--certificate {certificate}, --key {key}: {error}") from None


def _url(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _print_address(address: str, token: str | None) -> None:
    typer.echo(f"Maththera: {address} for children, {address}/adult for adults")
    if token:
        typer.echo(f"Admin token, shown only now: {token}")

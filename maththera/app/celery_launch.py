"""Handing runs to Celery workers. The message only says which run: everything else is in its record."""

import asyncio
import logging
from functools import cache
from typing import TYPE_CHECKING, Final

from redis.asyncio import Redis

from maththera.app.execution_resources import MakeLaunch
from maththera.executions.runner import Runner
from maththera.executions.service import Launch

if TYPE_CHECKING:
    from celery import Celery

logger = logging.getLogger(__name__)

TASK: Final = "maththera.run"
DUE: Final = "maththera.due"
QUEUE: Final = "maththera"
_HANDED_OVER: Final = "maththera:handed:"
_PATIENCE_SECONDS: Final = 30
"""A run that no worker has taken up after so long is handed over once more."""


@cache
def celery_app(broker: str) -> "Celery":
    """The one application of a process. Results are not Celery's business; a task that a dead worker had is recovered
    by the upkeep, sooner than Celery would give it out again."""
    from celery import Celery
    from celery.schedules import crontab

    app = Celery("maththera", broker=_kombu_url(broker), set_as_current=False)
    app.conf.update(
        task_ignore_result=True,
        task_default_queue=QUEUE,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 5},
        timezone="Asia/Seoul",
        worker_hijack_root_logger=False,
        beat_schedule={"due": {"task": DUE, "schedule": crontab(), "options": {"expires": 60}}},
    )
    return app


def celery_launcher(broker: str, redis: Redis) -> MakeLaunch:
    from kombu.exceptions import OperationalError

    def make(_: Runner) -> Launch:
        app = celery_app(broker)

        async def launch(execution_id: str) -> None:
            if await redis.set(_HANDED_OVER + execution_id, b"1", nx=True, ex=_PATIENCE_SECONDS):
                try:
                    await asyncio.to_thread(app.send_task, TASK, (execution_id,), retry=False)
                except OperationalError as error:  # the upkeep hands it over when the broker is back
                    logger.warning("run %s was not handed over: %s", execution_id, error)
                    await mark_taken_up(redis, execution_id)

        return launch

    return make


async def mark_taken_up(redis: Redis, execution_id: str) -> None:
    """A worker has it: it may be handed over again, for an answer, or when that worker dies."""
    await redis.delete(_HANDED_OVER + execution_id)


def _kombu_url(url: str) -> str:
    """Celery has a name of its own for a Redis on a unix socket."""
    return url.replace("unix://", "redis+socket://", 1)

"""Sends runs to Celery workers. A message holds only the id of a run; everything else is in its record."""

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
"""A run that no worker has started after this time is sent once more."""


@cache
def celery_app(broker: str) -> "Celery":
    """The Celery application of a process. It stores no results. The upkeep of executions recovers the runs of a dead
    worker, sooner than Celery would send their tasks again."""
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
    """Notes that a worker has started the run: it may be sent again after an answer, or when that worker dies."""
    await redis.delete(_HANDED_OVER + execution_id)


def _kombu_url(url: str) -> str:
    """The URL in Celery's form, which is another one for a Redis on a unix socket."""
    return url.replace("unix://", "redis+socket://", 1)

"""`python -m tests.support.eager_upkeep maththera serve …` or `… celery …`: a process as people run it, with the
patience of tests, that looks five times a second for runs that nobody works on any more, and soon hands over again what
a suspended worker was given."""

import sys

from celery.__main__ import main as celery

from maththera.app import celery_launch
from maththera.cli import main as maththera
from maththera.executions import service
from tests.support.patience import be_patient

if __name__ == "__main__":
    be_patient()
    service.UPKEEP_SECONDS = 0.2  # type: ignore[misc]
    celery_launch._PATIENCE_SECONDS = 2  # type: ignore[misc]
    sys.argv = sys.argv[1:]
    {"maththera": maththera, "celery": celery}[sys.argv[0]]()

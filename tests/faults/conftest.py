"""A task whose failure nobody looked at fails its test: in service it would be a line in the log, and lost work."""

import gc
import logging
from collections.abc import Iterator

import pytest


class _Unseen(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "never retrieved" in record.getMessage():
            self.lines.append(record.getMessage())


@pytest.fixture(autouse=True)
def no_failure_goes_unseen() -> Iterator[None]:
    unseen, logger = _Unseen(), logging.getLogger("asyncio")
    logger.addHandler(unseen)
    gc.freeze()  # what is loaded by now takes a second to search, for each test
    yield
    gc.collect()
    logger.removeHandler(unseen)
    assert unseen.lines == []

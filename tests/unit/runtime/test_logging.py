import io
import json
import logging
import re
import warnings
from collections.abc import Iterator

import pytest

from maththera.runtime.logging import request_id_var, set_up_logging

logger = logging.getLogger("maththera.test")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def request_id() -> Iterator[str]:
    token = request_id_var.set("r-1")
    yield "r-1"
    request_id_var.reset(token)


def test_a_json_line_holds_the_request_and_the_extra_fields(request_id: str) -> None:
    stream = io.StringIO()
    set_up_logging("json", stream=stream)

    logger.warning("틀림 %d", 3, extra={"session": "s-1"})

    line = json.loads(stream.getvalue())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line == {
        "level": "warning",
        "logger": "maththera.test",
        "message": "틀림 3",
        "request_id": request_id,
        "session": "s-1",
    }
    assert "틀림" in stream.getvalue()


def test_a_json_line_stays_one_line_with_a_traceback() -> None:
    stream = io.StringIO()
    set_up_logging("json", stream=stream)

    try:
        int("line one\nline two")
    except ValueError:
        logger.exception("failed", extra={"what": object()})

    (line,) = stream.getvalue().splitlines()
    assert "line one" in json.loads(line)["traceback"]
    assert json.loads(line)["request_id"] == "-"


def test_a_line_for_people(request_id: str) -> None:
    stream = io.StringIO()
    set_up_logging("text", stream=stream)

    logger.info("answered", extra={"ms": 12})
    logger.debug("not shown")

    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3} INFO    maththera\.test \[r-1\] answered ms=12\n", stream.getvalue())


def test_a_traceback_for_people() -> None:
    stream = io.StringIO()
    set_up_logging("text", stream=stream)

    try:
        _ = 1 / 0
    except ZeroDivisionError:
        logger.exception("failed")

    assert stream.getvalue().endswith("ZeroDivisionError: division by zero\n")


def test_the_servers_lines_come_the_same_way(request_id: str) -> None:
    access = logging.getLogger("uvicorn.access")
    access.addHandler(logging.NullHandler())
    access.propagate = False
    access.setLevel(logging.ERROR)
    stream = io.StringIO()
    set_up_logging("json", stream=stream)

    access.info('%s - "%s %s HTTP/%s" %d', "127.0.0.1:1", "GET", "/healthz", "1.1", 200)

    line = json.loads(stream.getvalue())
    assert (line["logger"], line["request_id"]) == ("uvicorn.access", request_id)
    assert line["message"] == '127.0.0.1:1 - "GET /healthz HTTP/1.1" 200'


def test_warnings_are_logged_and_a_second_set_up_replaces_the_first() -> None:
    first, second = io.StringIO(), io.StringIO()
    set_up_logging(stream=first)
    set_up_logging(stream=second)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old", stacklevel=1)

    assert first.getvalue() == ""
    assert "py.warnings" in second.getvalue()

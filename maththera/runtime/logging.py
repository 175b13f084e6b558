"""Log lines for people or for machines, the request's id in every one of them."""

import json
import logging
import sys
import time
from contextvars import ContextVar
from typing import Literal, TextIO

from maththera.json_types import JsonObject

request_id_var: ContextVar[str] = ContextVar("request_id", default="-")
"""The id of the request that the running task serves; whoever accepts requests sets it."""

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, request_id, the `extra` fields, and the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: JsonObject = {
            "time": _utc(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id_var.get(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """`12:34:56.789 INFO  logger [request id] message`, in local time, with `extra` fields and traceback after it."""

    def format(self, record: logging.LogRecord) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        extra = "".join(f" {name}={value}" for name, value in vars(record).items() if name not in _OWN)
        text = (
            f"{clock}.{int(record.msecs):03d} {record.levelname:<7} {record.name} [{request_id_var.get()}]"
            f" {record.getMessage()}{extra}"
        )
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def set_up_logging(form: Literal["text", "json"] = "text", stream: TextIO | None = None) -> None:
    """Send everything that is logged in this process to one stream (stderr), in one form.

    uvicorn's own handlers and levels are removed, so its access and error lines come this way too; run it with
    `log_config=None`.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(level="INFO", handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        server = logging.getLogger(name)
        server.handlers.clear()
        server.setLevel(logging.NOTSET)
        server.propagate = True


def _utc(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"

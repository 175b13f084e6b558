"""The sandbox of Python steps: worker processes without files, network, imports or clock, with limits of time and
memory."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

from pydantic_monty import AsyncMonty, MontyCrashedError, MontyError, MontyRuntimeError, OSPolicy, ResourceLimits

from maththera.flows.language.expression_evaluation import is_json_number
from maththera.flows.language.expression_syntax import MARK
from maththera.flows.language.python_steps import PythonCode
from maththera.json_types import JsonObject

SECONDS: Final = 0.6  # of running code
_GRACE: Final = 0.3  # seconds after those until a worker that does not stop by itself is killed
_START: Final = 30.0  # seconds for starting a worker, which do not count as the code's time
MEMORY: Final = 64_000_000  # bytes
_RECURSION: Final = 200
_WORKERS: Final = 2
_DEEPEST: Final = 60
_LONGEST: Final = 1_000  # characters of an error's own text
_LIMITS: Final[ResourceLimits] = {
    "max_feed_duration_secs": SECONDS,
    "max_memory": MEMORY,
    "max_recursion_depth": _RECURSION,
    "max_suspensions": 10,
    "max_total_sleep_secs": 0.0,
}
_NO_CLOCK: Final[OSPolicy] = {"datetime": "call_host", "sleep": "call_host"}


Printed = Callable[[str], None]


def _silent(_: str) -> None:
    """Ignores printed text."""


class PythonError(Exception):
    """The code gave no result; the message names the line of the step's code."""


class Sandbox:
    """A few worker processes, started with the first step."""

    def __init__(self, workers: int = _WORKERS) -> None:
        self._workers = workers
        self._pool: AsyncMonty | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.__aexit__(kind, error, trace)

    async def run(self, code: PythonCode, values: JsonObject, printed: Printed = _silent) -> Any:
        """The JSON value that the code returns; `printed` takes what it prints. Raises PythonError."""
        pool = await self._started()
        try:
            async with pool.checkout(limits=_LIMITS, os_policy=_NO_CLOCK) as session:
                result = await session.feed_run(
                    code.program, inputs=values, print_callback=lambda _, text: printed(text)
                )
        except MontyCrashedError as error:
            raise PythonError("took too long or too much memory and was ended") from error
        except MontyRuntimeError as error:
            raise PythonError(_error_text(error)) from None
        except (MontyError, ValueError) as error:
            raise PythonError(str(error)) from None
        return _plain(result, 0)

    async def _started(self) -> AsyncMonty:
        async with self._starting:
            if self._pool is None:
                pool = AsyncMonty(
                    min_processes=1,
                    max_processes=self._workers,
                    request_timeout=_START,
                    feed_duration_limit_grace=_GRACE,
                )
                self._pool = await pool.__aenter__()
        return self._pool


def _error_text(error: MontyRuntimeError) -> str:
    reason = error.display("type-msg").strip().splitlines()[-1].replace(MARK, "$")
    if "time limit exceeded" in reason:
        reason = f"took longer than {SECONDS:g} s"
    elif "memory limit exceeded" in reason:
        reason = f"took more than {MEMORY // 1_000_000} MB"
    frames = [frame for frame in error.traceback() if frame.function_name]
    reason = reason if len(reason) <= _LONGEST else f"{reason[: _LONGEST - 1]}…"
    return f"line {frames[-1].line - 1}: {reason}" if frames else reason


def _plain(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise PythonError(f"returns something nested deeper than {_DEEPEST}")
    if isinstance(value, int | float) and not is_json_number(value):
        raise PythonError("returns a number that is too large, or none; use str(number)")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(each, depth + 1) for each in value]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise PythonError("returns an object whose keys are not all texts; use str(key)")
        return {key: _plain(each, depth + 1) for key, each in value.items()}
    raise PythonError(f"returns {type(value).__name__}, which is no JSON value; use list(), dict() or str()")

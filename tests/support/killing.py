"""Kills a worker, or does something else to it, before the n-th step of its event loop."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from itertools import count
from pathlib import Path
from typing import Any


class Stepping(asyncio.SelectorEventLoop):
    """Once armed, it does something before its n-th step."""

    left = -1
    then: Callable[[], object] = staticmethod(lambda: None)

    def arm(self, steps: int, then: Callable[[], object]) -> None:
        self.left, self.then = steps, then

    def _run_once(self) -> None:
        if self.left == 0:
            self.then()
        self.left -= 1
        super()._run_once()  # type: ignore[misc]  # asyncio's own


def running() -> Stepping:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Stepping)
    return loop


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_at_every(stride: int, work: Callable[[int], Coroutine[Any, Any, None]]) -> None:
    """Forks that work and die later and later, until one comes to its end. `work(steps)` arms its loop itself."""
    next(steps for steps in count(1, stride) if not _dies(work, steps))


def _dies(work: Callable[[int], Coroutine[Any, Any, None]], steps: int) -> bool:
    process = os.fork()
    if process == 0:
        asyncio.Runner(loop_factory=Stepping).run(work(steps))
        os._exit(0)
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


async def output_of(module: str, *arguments: str) -> list[str]:
    """The lines that a module wrote, run as a program of its own."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    output, _ = await program.communicate()
    assert program.returncode == 0
    return output.decode().splitlines()

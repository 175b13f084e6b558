"""Reads one document in a process of its own, which can be killed, with limits on time and memory.

    python -m maththera.chat.papers.parser_process NAME CPU_SECONDS MEMORY_MB < FILE

The process writes JSON: `{"papers": [{"paper": …, "passages": […]}]}`, or `{"refused": "why"}`.
"""

import asyncio
import ctypes
import logging
import os
import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Final

import orjson

from maththera.chat.papers.paper_parsing import PaperRefused, check_file, read_papers, searchable_passages
from maththera.runtime.service_limits import UploadLimits
from maththera.store.papers import Paper, Passage

logger = logging.getLogger(__name__)

_PR_SET_PDEATHSIG: Final = 1
_NICE: Final = 19
"""Children who answer come first."""


class ReaderBusy(Exception):
    """Others are read first, and no place was free in time."""


class PaperReader:
    """Reads documents, some at a time."""

    def __init__(self, limits: UploadLimits) -> None:
        self._limits = limits
        self.places = asyncio.Semaphore(limits.at_once)

    async def acquire_slot(self) -> None:
        """Waits for one of `places`, which the caller releases. ReaderBusy."""
        try:
            async with asyncio.timeout(self._limits.wait_seconds):
                await self.places.acquire()
        except TimeoutError:
            raise ReaderBusy from None

    async def read(self, name: str, content: bytes) -> Sequence[tuple[Paper, list[Passage]]]:
        """The documents in a file, with what they are found by. PaperRefused. The process ends with this call."""
        await asyncio.to_thread(check_file, name, content)
        found = orjson.loads(await self._output(name, content))
        if "refused" in found:
            raise PaperRefused(found["refused"])
        return [(Paper(**one["paper"]), [Passage(**each) for each in one["passages"]]) for one in found["papers"]]

    async def _output(self, name: str, content: bytes) -> bytes:
        limits = self._limits
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, name, str(limits.cpu_seconds), str(limits.memory_mb)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(limits.seconds):
                output, _ = await process.communicate(content)
        except TimeoutError:
            raise PaperRefused(f"{name}: takes too long to read") from None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode == -signal.SIGXCPU:
            raise PaperRefused(f"{name}: takes too long to read")
        if process.returncode != 0:
            logger.warning("a document could not be read: the reader ended with %s", process.returncode)
            raise PaperRefused(f"{name}: takes too much memory to read")
        return output


def main(name: str, cpu_seconds: int, memory_mb: int) -> None:
    _limit_resources(cpu_seconds, memory_mb * 2**20)
    try:
        found = read_papers(name, sys.stdin.buffer.read())
        papers = [
            {"paper": asdict(one.paper), "passages": [asdict(each) for each in searchable_passages(one)]}
            for one in found
        ]
        output = orjson.dumps({"papers": papers})
    except PaperRefused as error:
        output = orjson.dumps({"refused": str(error)})
    sys.stdout.buffer.write(output)


def _limit_resources(cpu_seconds: int, memory_bytes: int) -> None:
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with suppress(AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

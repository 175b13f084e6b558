"""The prompts that models were sent, logged if the operator wishes so: a file of JSON lines per run.

The lines hold what people wrote. They go after some time, and nobody but the operator reads them.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from maththera.json_types import JsonObject
from maththera.llm.streaming import StreamedReply

logger = logging.getLogger(__name__)

KEPT_DAYS: Final = 30
_DAY: Final = 24 * 3600


class PromptLog:
    """Writes into `folder`, which is made when missing. A full disk is logged and does not end the turn."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._swept = 0.0

    async def write(self, run_id: str, level: str, speech: StreamedReply) -> None:
        """One reply: the system and the final prompt, their lengths, tokens and cost."""
        entry = _entry(level, speech)
        try:
            await asyncio.to_thread(self._append_line, run_id, entry)
        except OSError as error:
            logger.warning("prompt log: %s: %s", self._folder, error.strerror)

    def _append_line(self, run_id: str, entry: Mapping[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if time.monotonic() - self._swept > _DAY or not self._swept:
            self._delete_expired()
        with (self._folder / f"{run_id}.jsonl").open("ab") as file:
            file.write(orjson.dumps(entry) + b"\n")

    def _delete_expired(self) -> None:
        self._swept = time.monotonic()
        oldest = time.time() - KEPT_DAYS * _DAY
        for path in self._folder.glob("*.jsonl"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


def _entry(level: str, speech: StreamedReply) -> JsonObject:
    system, *_, final = (str(message.get("content") or "") for message in speech.messages)
    entry: JsonObject = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": level,
        "system_prompt": system,
        "final_prompt": final,
        "system_characters": len(system),
        "final_characters": len(final),
        "answer_characters": len(speech.text),
    }
    if (call := speech.call) is not None:
        entry |= {
            "prompt": call.prompt,
            "model": call.model,
            "outcome": call.outcome,
            "ms": call.ms,
            "input_tokens": call.usage.input_tokens,
            "output_tokens": call.usage.output_tokens,
            "estimated": call.usage.estimated,
            "cost_usd": call.cost_usd,
        }
    return entry

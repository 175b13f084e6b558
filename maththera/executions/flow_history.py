"""Every text that was ever saved of a flow: a file of JSON lines for each, beside the flows of the data directory."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

FOLDER: Final = ".history"


@dataclass(frozen=True, slots=True)
class SavedVersion:
    """`saved_at`: in ISO 8601; `saved_by`: the token. A deletion has no `text`, `hash` and `version`. A flow that came
    along was saved by nobody."""

    hash: str | None
    version: str | None
    text: str | None
    saved_at: str | None = None
    saved_by: str | None = None


class FlowHistory:
    """Of the flow files in `folder`. Writers hold the folder's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def add(self, name: str, saved_by: str, digest: str | None, version: str | None, text: str | None) -> None:
        """A text, or that the file was deleted."""
        self._folder.mkdir(parents=True, exist_ok=True)
        entry = SavedVersion(digest, version, text, datetime.now(UTC).isoformat(), saved_by)
        with self._path(name).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    def versions(self, name: str) -> list[SavedVersion]:
        """The oldest first."""
        return list(self._read(name))

    def authors(self, name: str) -> set[str | None]:
        """Who has saved the file since it is there."""
        found: set[str | None] = set()
        for entry in self._read(name):
            found = found | {entry.saved_by} if entry.text is not None else set()
        return found

    def _read(self, name: str) -> Iterator[SavedVersion]:
        """A last line that was cut off by a crash is left out: its text was not saved either."""
        try:
            lines = self._path(name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return
        for line in lines:
            try:
                yield SavedVersion(**json.loads(line))
            except (ValueError, TypeError):
                continue

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"

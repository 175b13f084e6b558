"""A turn of a lesson, and what happens in it, as the events that a page follows."""

from collections.abc import Mapping
from typing import Any, Final

from maththera.json_types import JsonObject
from maththera.lessons.state import Agent, LessonState
from maththera.runtime.turns import EventWriter, RunningTurn

_REPORTED_FIELDS: Final = {"session_progress_stage": "stage", "ui_mode": "ui_mode"}


class LessonTurn(RunningTurn):
    """One request; the log is the lesson's, for all of its turns. `state`: where the lesson stands. `replayed`: it was
    finished before, and its events are in the log. `alone`: without Redis."""

    state: LessonState
    replayed = False

    def __init__(
        self, lesson_id: str, request_id: str, titles: Mapping[Agent, str], writer: EventWriter | None, after: str
    ) -> None:
        super().__init__(lesson_id, writer, after)
        self.lesson_id, self.request_id, self.alone = lesson_id, request_id, writer is None
        self._titles = titles
        self._last: JsonObject = {}

    def emit(self, event: Mapping[str, Any]) -> None:
        super().emit({**event, "request_id": self.request_id})

    def changed(self, update: Mapping[str, Any]) -> None:
        """Tells of an agent that begins to work, and of stage and mode where they are not what they were."""
        if (agent := update.get("current_agent")) is not None and self._new("current_agent", agent):
            self.emit({"type": "agent", "agent": agent, "title": self._titles[agent]})
        for field, kind in _REPORTED_FIELDS.items():
            if (value := update.get(field)) is not None and self._new(field, value):
                self.emit({"type": kind, kind: value})

    def _new(self, field: str, value: object) -> bool:
        known = self._last.get(field)
        self._last[field] = value
        return known != value

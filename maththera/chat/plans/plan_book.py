"""The texts of plans and the words that ask for them: the model of `configs/chat/plans/plans.yaml`."""

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile


class PlanBook(BaseModel):
    """The file, checked. See its head."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lesson: re.Pattern[str]
    lesson_minutes: int
    lesson_lines: tuple[str, ...]
    lesson_close: str
    lesson_game: str
    words: re.Pattern[str]
    several: re.Pattern[str]
    left_out: re.Pattern[str]
    own_day: re.Pattern[str]
    playful: re.Pattern[str]
    easy_day: re.Pattern[str]
    check: re.Pattern[str]
    also: re.Pattern[str]
    turned: re.Pattern[str]
    tidy: re.Pattern[str]
    can: str
    unlike: re.Pattern[str]
    only_day: re.Pattern[str]
    with_other: re.Pattern[str]
    table: re.Pattern[str]
    brief: re.Pattern[str]
    day_brief: str
    next_week: str
    game: str
    with_game: re.Pattern[str]
    limit: re.Pattern[str]
    material: re.Pattern[str]
    opens: re.Pattern[str]
    opened: str
    closing: re.Pattern[str]
    usual: str
    head: str
    day_head: str
    one: tuple[str, ...]
    right: tuple[str, ...]
    new: tuple[str, ...]
    days_head: str
    stages: tuple[str, ...]
    day_own: str
    own_game: str
    own_easy: str
    day_line: str
    day_check: str
    day_turned: str
    day_also: str
    days_kept: str
    week_head: str
    week_weak: str
    week_right: str
    week_new: str
    week_also: str
    week_own: str
    week_check: str
    week_close: str
    class_head: str
    opening: str
    apart: str
    child_weak: str
    child_right: str
    child_new: str
    in_pieces: str
    together: str
    close: str
    closed: str

    @classmethod
    def load(cls, home: Path) -> "PlanBook":
        """ConfigError names every fault."""
        return ConfigFile.read(home / "configs" / "chat" / "plans" / "plans.yaml").parse(TypeAdapter(cls))

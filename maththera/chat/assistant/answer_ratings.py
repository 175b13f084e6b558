"""What people thought of an answer, with what was asked, what was answered and what the model was told."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from maththera.chat.messages.answer_levels import Level, Levels
from maththera.config_files import read_text
from maththera.store.access.authorization import Principal
from maththera.store.answer_ratings import Rating, Ratings

_DIGEST: Final = 12


class AnswerNotFound(LookupError):
    """There is no such run, or none of the caller's, or it has no answer at that level."""


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """A prompt file as it is now: its name, and a digest by which a later version of it can be told from it."""

    prompt: str
    digest: str


class AnswerRatings:
    """`kept`: the records."""

    def __init__(self, kept: Ratings, told: Mapping[str, PromptVersion]) -> None:
        self.kept, self._told = kept, told

    @classmethod
    def of(cls, kept: Ratings, levels: Levels, home: Path) -> "AnswerRatings":
        """ConfigError for a prompt file that is not there."""
        return cls(kept, {level.name: _prompt_version(level, home) for level in levels.all})

    async def rate(self, who: Principal, run_id: str, level: str, score: int, comment: str) -> Rating:
        """Keeps a rating of what a run answered; `level` "" is the answer as a whole. AnswerNotFound."""
        answered = await self.kept.answered(who, run_id)
        if answered is None:
            raise AnswerNotFound(run_id)
        answers = answered.detail.get("final_answers") or {}
        if level and level not in answers:
            raise AnswerNotFound(level)
        told = {name: self._told[name] for name in ([level] if level else answers) if name in self._told}
        rating = Rating(
            run_id=run_id,
            token_id=who.token_id,
            level=level,
            student_id=answered.student_id,
            score=score,
            comment=comment,
            question=answered.question,
            answer=answers[level] if level else answered.answer,
            prompts={name: {"prompt": each.prompt, "digest": each.digest} for name, each in told.items()},
        )
        await self.kept.keep(rating)
        return rating


def _prompt_version(level: Level, home: Path) -> PromptVersion:
    text = read_text(home / "prompts" / f"{level.prompt}.md")
    return PromptVersion(level.prompt, hashlib.sha256(text.encode()).hexdigest()[:_DIGEST])

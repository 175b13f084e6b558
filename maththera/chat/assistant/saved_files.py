"""Saving an answer as a file to download. Its name comes from the question; its folder is fixed.

A file is one learner's at most, and goes with them; of others it does not speak.
"""

import re
from datetime import timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed
from maththera.json_types import JsonObject
from maththera.korean.morphemes import morphemes
from maththera.store.access.authorization import is_allowed
from maththera.store.personal_data.student_names import StudentNames, replace_names
from maththera.store.saved_files import SavedFiles
from maththera.words.output_gate.markup import without_markup

_LARGEST: Final = 200_000
"""Characters of a file."""
_NAME: Final = 40
"""Characters of a file name."""
_NOUNS: Final = frozenset({"NNG", "NNP", "SL", "SH", "SN"})
ADDRESS: Final = "/api/v1/files/{file_id}"


class SavingTexts(BaseModel):
    """`saving` of `configs/chat/assistant.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    days: int = Field(gt=0, le=365)
    name: str
    empty: frozenset[str]
    learner: str
    saved: dict[LevelName, str]
    nothing: str


class SaveFileArguments(BaseModel):
    """`text`: what is saved: the answer before in the pipeline, or in the conversation."""

    question: str
    text: str | None = None


class SaveFileTool:
    """The tool and the time files are kept."""

    def __init__(self, files: SavedFiles, learners: StudentNames, texts: SavingTexts) -> None:
        self._files, self._learners, self._texts = files, learners, texts

    def tool(self) -> ChatTool:
        return ChatTool("save_file", "앞의 답을 내려받을 파일로 저장한다.", SaveFileArguments, self._call)

    async def _call(self, asker: Asker, asked: SaveFileArguments) -> JsonObject:
        if not asked.text or not asked.text.strip():
            raise ToolFailed(self._texts.nothing)
        text = f"# {asked.question.strip()}\n\n{without_markup(asked.text).strip()[:_LARGEST]}\n"
        named = await self._learners.named_in(text)
        about = asker.student_id
        if about is None and len(named) == 1 and is_allowed(asker.principal, "read", named[0]):
            about = named[0]
        others = [each for each in named if each != about]
        name = self.name(replace_names(asked.question, others, self._texts.learner))
        text = replace_names(text, others, self._texts.learner)
        made = await self._files.save(asker.principal, about, name, text, timedelta(days=self._texts.days))
        url = ADDRESS.format(file_id=made.file_id)
        shown = {"name": made.name, "url": url, "days": self._texts.days}
        return {
            "file": {"file_id": made.file_id, "name": made.name, "url": url, "expires_at": made.expires_at.isoformat()},
            "answers": {level: self._texts.saved[level].format(**shown) for level in LEVEL_NAMES},
            "material": "",
            "sources": [],
        }

    def name(self, question: str) -> str:
        """A file name from the nouns of a question: letters, digits and hyphens only."""
        name, end = "", -1
        for each in morphemes(question):
            if each.tag in _NOUNS and each.form not in self._texts.empty:
                name += ("" if each.start == end or not name else "-") + re.sub(r"[\W_]+", "", each.form)
                end = each.end
        return f"{name[:_NAME].strip('-') or self._texts.name}.md"

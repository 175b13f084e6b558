"""Saving an answer as a file to download. Its name comes from the question; its folder is fixed.

A file is one learner's at most, and goes with them; of others it does not speak.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
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
_SPREADSHEET: Final = re.compile("엑셀|스프레드시트|csv|xlsx|시트", re.IGNORECASE)
_OTHER_FORM: Final = re.compile("pdf|hwp|한글 ?파일|워드|docx?|ppt|파워포인트", re.IGNORECASE)
_FORMULA: Final = ("=", "+", "-", "@")
ADDRESS: Final = "/api/v1/files/{file_id}"


class SavingTexts(BaseModel):
    """`saving` of `configs/chat/assistant/assistant.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    days: int = Field(gt=0, le=365)
    name: str
    empty: frozenset[str]
    learner: str
    saved: dict[LevelName, str]
    nothing: str
    form: str


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
        cells = _table_cells(asked.text) if _SPREADSHEET.search(asked.question) else []
        if cells:
            text = _csv(cells)[:_LARGEST]
        else:
            text = f"# {asked.question.strip()}\n\n{without_markup(asked.text).strip()[:_LARGEST]}\n"
        named = await self._learners.named_in(text)
        about = asker.student_id
        if about is None and len(named) == 1 and is_allowed(asker.principal, "read", named[0]):
            about = named[0]
        others = [each for each in named if each != about]
        stem = self.name(replace_names(asked.question, others, self._texts.learner))
        name = f"{stem}.csv" if cells else f"{stem}.md"
        text = replace_names(text, others, self._texts.learner)
        made = await self._files.save(asker.principal, about, name, text, timedelta(days=self._texts.days))
        url = ADDRESS.format(file_id=made.file_id)
        shown = {"name": made.name, "url": url, "days": self._texts.days}
        return {
            "file": {"file_id": made.file_id, "name": made.name, "url": url, "expires_at": made.expires_at.isoformat()},
            "answers": {level: self._told(level, shown, asked.question, made.name) for level in LEVEL_NAMES},
            "material": "",
            "sources": [],
        }

    def _told(self, level: LevelName, shown: Mapping[str, object], question: str, name: str) -> str:
        """That it is saved; and in which form, where another was asked for."""
        told = self._texts.saved[level].format(**shown)
        other = _OTHER_FORM.search(question) or (_SPREADSHEET.search(question) and name.endswith(".md"))
        return f"{told}\n{self._texts.form}" if other else told

    def name(self, question: str) -> str:
        """A file name without its ending, from the nouns of a question: letters, digits and hyphens only."""
        name, end = "", -1
        for each in morphemes(question):
            if each.tag in _NOUNS and each.form not in self._texts.empty:
                name += ("" if each.start == end or not name else "-") + re.sub(r"[\W_]+", "", each.form)
                end = each.end
        return name[:_NAME].strip("-") or self._texts.name


def _table_cells(text: str) -> list[list[str]]:
    """The rows of the Markdown tables of a text, without the lines below their heads."""
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if not all(set(cell.strip()) <= {"-", ":"} for cell in row)]


def _csv(rows: Sequence[Sequence[str]]) -> str:
    """As spreadsheets open it: with the mark of UTF-8, and no cell that they would take for a formula."""
    written = io.StringIO()
    csv.writer(written).writerows([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row] for row in rows)
    return f"\ufeff{written.getvalue()}"

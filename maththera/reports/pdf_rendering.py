"""Typst templates → PDF. The same data give the same bytes.

The font is Noto Sans KR (SIL Open Font License 1.1), shipped by the package justmytype-intl-cjk; no system font is
used, so a report looks the same everywhere.
"""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import typst

Kind = Literal["diagnostic", "guardian", "class", "cards"]

TEMPLATES: Final = Path(__file__).parent / "templates"
_PAGE: Final = re.compile(rb"/Type\s*/Page\b(?!s)")


class RenderingFailed(Exception):
    """Typst refused the template or warned. Warnings count, because a missing font is only a warning."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """A document and how many pages it has."""

    content: bytes
    pages: int


class Renderer:
    """Renders with one compiler per template: the first use reads the font, later ones take milliseconds."""

    def __init__(self) -> None:
        self._compilers: dict[Kind, typst.Compiler] = {}
        self._lock = threading.Lock()

    def pdf(self, kind: Kind, data: Mapping[str, Any], issued: datetime) -> Pdf:
        """`issued` is written into the file in place of the clock's time."""
        content = self._compile(kind, data, format="pdf", timestamp=int(issued.timestamp()))
        return Pdf(content, len(_PAGE.findall(content)))

    def png(self, kind: Kind, data: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
        """Each page as a picture, for previews and tests."""
        found = self._compile(kind, data, format="png", ppi=ppi)
        return found if isinstance(found, list) else [found]

    def _compile(self, kind: Kind, data: Mapping[str, Any], **how: Any) -> Any:
        inputs = {"data": json.dumps(data, ensure_ascii=False, sort_keys=True)}
        with self._lock:
            compiler = self._compilers.get(kind) or self._open(kind)
            try:
                content, warnings = compiler.compile_with_warnings(sys_inputs=inputs, **how)
            except typst.TypstError as error:
                raise RenderingFailed(f"{kind}: {error}") from error
        if warnings:
            raise RenderingFailed(f"{kind}: " + "; ".join(warning.message for warning in warnings))
        return content

    def _open(self, kind: Kind) -> typst.Compiler:
        compiler = self._compilers[kind] = typst.Compiler(
            TEMPLATES / f"{kind}.typ", root=TEMPLATES, font_paths=[self._fonts], ignore_system_fonts=True
        )
        return compiler

    @cached_property
    def _fonts(self) -> Path:
        folder = Path(str(files("justmytype_intl_cjk"))) / "fonts" / "ofl" / "notosanskr"
        if not any(folder.glob("*.ttf")):
            raise RenderingFailed(f"no font in {folder}")
        return folder

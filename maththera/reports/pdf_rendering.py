"""Typst templates → PDF. The same data give the same bytes.

The font is Noto Sans KR (SIL Open Font License 1.1), shipped by the package justmytype-intl-cjk; no system font is
used, so a report looks the same everywhere.
"""

import re
import threading
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import typst

Kind = Literal["teacher", "guardian", "class"]
"""Whom, or what, a report is for."""
Template = Kind | Literal["cards"]
"""A document that is rendered, by the name of its template."""

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
        self._compilers: dict[Template, typst.Compiler] = {}
        self._lock = threading.Lock()

    def pdf(self, template: Template, data: str, issued: datetime) -> Pdf:
        """`data` is the report as JSON; `issued` is written into the file in place of the clock's time."""
        content = self._compile(template, data, format="pdf", timestamp=int(issued.timestamp()))
        return Pdf(content, len(_PAGE.findall(content)))

    def png(self, template: Template, data: str, ppi: float = 100) -> list[bytes]:
        """Each page as a picture, for previews and tests."""
        found = self._compile(template, data, format="png", ppi=ppi)
        return found if isinstance(found, list) else [found]

    def _compile(self, template: Template, data: str, **how: Any) -> Any:
        with self._lock:
            compiler = self._compilers.get(template) or self._open(template)
            try:
                content, warnings = compiler.compile_with_warnings(sys_inputs={"data": data}, **how)
            except typst.TypstError as error:
                raise RenderingFailed(f"{template}: {error}") from error
        if warnings:
            raise RenderingFailed(f"{template}: " + "; ".join(warning.message for warning in warnings))
        return content

    def _open(self, template: Template) -> typst.Compiler:
        compiler = self._compilers[template] = typst.Compiler(
            TEMPLATES / f"{template}.typ", root=TEMPLATES, font_paths=[self._fonts], ignore_system_fonts=True
        )
        return compiler

    @cached_property
    def _fonts(self) -> Path:
        folder = Path(str(files("justmytype_intl_cjk"))) / "fonts" / "ofl" / "notosanskr"
        if not any(folder.glob("*.ttf")):
            raise RenderingFailed(f"no font in {folder}")
        return folder

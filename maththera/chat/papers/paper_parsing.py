"""PDF, Markdown and BibTeX as titled passages. Nothing is kept of a file but its text."""

import hashlib
import io
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.search import meaning_words
from maththera.store.papers import Paper, Passage

Kind = Literal["pdf", "markdown", "bibtex"]

KINDS: Final[dict[str, Kind]] = {".pdf": "pdf", ".md": "markdown", ".markdown": "markdown", ".bib": "bibtex"}
"""Endings of file names."""
LARGEST: Final = 30 * 1024 * 1024
"""Bytes of a file."""

_MOST_PAGES: Final = 1500
_MOST_TEXT: Final = 4_000_000
_MOST_ENTRIES: Final = 2_000
_MOST_PASSAGES: Final = 20_000
_PDF_MARK: Final = b"%PDF-"
_PDF_HEAD: Final = 1024
"""Bytes at the beginning of a file in which a PDF has its mark."""
_UTF8_BYTES: Final = 4
"""That one character takes at most."""
_PASSAGE: Final = 900
"""Characters of a passage, about: one paragraph, or some short ones together."""
_TITLE: Final = 300
_HEADING: Final = re.compile(r"#{1,6}\s+(.*)")
_FIRST_PAGES: Final = 2
_PUBLISHED: Final = re.compile(
    r"(?:발행|출판|게재|출간|published|©|\(c\)|copyright|vol\.|제\s*\d+\s*권)[^\n]{0,40}?(?:19|20)\d\d", re.IGNORECASE
)
_YEAR_SAID: Final = re.compile(r"\((?:19|20)\d\d\)|(?<!\d)(?:19|20)\d\d\s*년")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class PaperRefused(ValueError):
    """A file that cannot be read; the uploader reads why."""


@dataclass(frozen=True, slots=True)
class TitledPassage:
    """Text under a heading; `page` of a PDF, from 1."""

    heading: str
    page: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ReadPaper:
    """A document and its text."""

    paper: Paper
    pieces: tuple[TitledPassage, ...]


def searchable_passages(read: ReadPaper) -> list[Passage]:
    """The title belongs to each passage's words: a passage on page 9 need not say again what the paper is about."""
    title = meaning_words(read.paper.title)
    return [
        Passage(
            place, each.heading, each.page, each.text, " ".join([*title, *meaning_words(f"{each.heading} {each.text}")])
        )
        for place, each in enumerate(read.pieces, 1)
    ]


class _Front(BaseModel):
    """What may stand between `---` at the head of a Markdown file; other fields are not ours."""

    model_config = ConfigDict(extra="ignore")
    title: str | None = None
    authors: list[str] | str = []
    year: int | None = None


def file_kind(name: str, size: int = 0) -> Kind:
    """The kind of a file of this name. PaperRefused for another ending, or where `size` bytes are too many for it."""
    kind = KINDS.get(f".{name.lower().rpartition('.')[2]}")
    if kind is None:
        raise PaperRefused(f"{name}: only {', '.join(KINDS)} can be read")
    if size > LARGEST:
        raise PaperRefused(f"{name}: larger than {LARGEST // 2**20} MB")
    if kind != "pdf" and size > _UTF8_BYTES * _MOST_TEXT:
        raise _too_long(name)
    return kind


def check_file(name: str, content: bytes) -> Kind:
    """The kind of a file, seen without parsing it. PaperRefused."""
    kind = file_kind(name, len(content))
    if kind == "pdf":
        if _PDF_MARK not in content[:_PDF_HEAD]:
            raise PaperRefused(f"{name}: cannot be read as PDF (it does not begin as one)")
    elif len(_text(name, content)) > _MOST_TEXT:
        raise _too_long(name)
    return kind


def read_papers(name: str, content: bytes, *, starter: bool = False) -> list[ReadPaper]:
    """The documents in a file, one but for BibTeX. PaperRefused."""
    kind = check_file(name, content)
    if kind == "bibtex":
        return _bibtex(name, _text(name, content))
    paper, pieces = _pdf(name, content) if kind == "pdf" else _markdown(name, _text(name, content), starter=starter)
    if not pieces:
        raise PaperRefused(f"{name}: there is no text in it; scanned pages need a text layer")
    return [ReadPaper(paper, pieces)]


def _pdf(name: str, content: bytes) -> tuple[Paper, tuple[TitledPassage, ...]]:
    try:
        read = _read_pdf(content)
    except Exception as error:  # a broken file breaks the reader in any way it likes
        raise PaperRefused(f"{name}: cannot be read as PDF ({type(error).__name__})") from error
    if isinstance(read, str):
        raise PaperRefused(f"{name}: {read}")
    pages, title, author, created = read
    pieces = tuple(
        TitledPassage("", number, part)
        for number, page in enumerate(pages, 1)
        for part in _split_passages(page.split("\n\n"))
    )
    _not_too_many(name, pieces)
    year = _printed_year(pages[:_FIRST_PAGES]) or _YEAR.search(created)
    return _paper(name, "pdf", content, title, [author] if author else [], int(year[0]) if year else None), pieces


def _printed_year(pages: Sequence[str]) -> re.Match[str] | None:
    """The year of publication as the first pages print it: a file may be made much later."""
    for pattern in (_PUBLISHED, _YEAR_SAID):
        for page in pages:
            if found := pattern.search(page):
                return _YEAR.search(found[0])
    return None


def _read_pdf(content: bytes) -> tuple[list[str], str, str, str] | str:
    """Pages, title, author and when it was made; or why it is refused."""
    # Imported here: a search does not need it.
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the uploader gets the error, and the file may be private
    reader = PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        return "needs a password"
    if len(reader.pages) > _MOST_PAGES:
        return f"has more than {_MOST_PAGES} pages"
    about: Mapping[str, Any] = reader.metadata or {}
    title, author, created = (str(about.get(key) or "") for key in ("/Title", "/Author", "/CreationDate"))
    pages, characters = [], 0
    for page in reader.pages:
        pages.append(page.extract_text() or "")
        characters += len(pages[-1])
        if characters > _MOST_TEXT:
            return f"has more than {_MOST_TEXT:,} characters"
    return pages, title, author, created


def _markdown(name: str, text: str, *, starter: bool) -> tuple[Paper, tuple[TitledPassage, ...]]:
    front, body = _front_matter(name, text)
    pieces: list[TitledPassage] = []
    title, heading = front.title, ""
    waiting: list[str] = []
    for block in re.split(r"\n\s*\n", body):
        lines = [line.strip() for line in block.strip().splitlines()]
        text_from = 0
        while text_from < len(lines) and (match := _HEADING.fullmatch(lines[text_from])):
            pieces += [TitledPassage(heading, None, part) for part in _split_passages(waiting)]
            heading, waiting = match[1].strip(), []
            title = title or heading
            text_from += 1
        waiting.append(" ".join(lines[text_from:]))
    pieces += [TitledPassage(heading, None, part) for part in _split_passages(waiting)]
    _not_too_many(name, pieces)
    authors = [front.authors] if isinstance(front.authors, str) else front.authors
    return _paper(name, "markdown", text.encode(), title, authors, front.year, starter=starter), tuple(pieces)


def _bibtex(name: str, text: str) -> list[ReadPaper]:
    from pybtex.database import parse_string
    from pybtex.exceptions import PybtexError

    try:
        entries = parse_string(text, "bibtex").entries
    except PybtexError as error:
        raise PaperRefused(f"{name}: {error}") from error
    if not entries:
        raise PaperRefused(f"{name}: there is no entry in it")
    if len(entries) > _MOST_ENTRIES:
        raise PaperRefused(f"{name}: has more than {_MOST_ENTRIES:,} entries")
    return [_entry(name, entry) for entry in entries.values()]


def _entry(name: str, entry: Any) -> ReadPaper:
    fields = {key.lower(): _plain_tex(value) for key, value in entry.fields.items()}
    authors = [_plain_tex(str(person)) for person in entry.persons.get("author", [])]
    year = _YEAR.search(fields.get("year", ""))
    where = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    reference = ". ".join(filter(None, ["; ".join(authors), fields.get("title", ""), where, fields.get("year", "")]))
    pieces = [TitledPassage("", None, reference)]
    for heading in ("abstract", "keywords", "note"):
        pieces += [TitledPassage(heading, None, part) for part in _split_passages([fields.get(heading, "")])]
    paper = _paper(name, "bibtex", reference.encode(), fields.get("title"), authors, int(year[0]) if year else None)
    return ReadPaper(paper, tuple(pieces))


def _paper(  # noqa: PLR0913 - the fields of a paper
    name: str,
    kind: Kind,
    content: bytes,
    title: str | None,
    authors: Sequence[str],
    year: int | None,
    *,
    starter: bool = False,
) -> Paper:
    paper_id = hashlib.sha256(content).hexdigest()[:32]
    shown = _clean(title or "")[:_TITLE] or name.rpartition(".")[0]
    return Paper(paper_id, shown, [_clean(author)[:_TITLE] for author in authors], year, kind, name, starter)


def _split_passages(paragraphs: Sequence[str]) -> Iterator[str]:
    """Paragraphs as passages: short ones together, long ones apart between sentences."""
    collected = ""
    for paragraph in paragraphs:
        for sentence in re.split(r"(?<=[.!?。])\s+", _clean(paragraph)):
            if collected and len(collected) + len(sentence) > _PASSAGE:
                yield collected
                collected = ""
            collected = f"{collected} {sentence}".strip()
            whole = max(0, (len(collected) - 1) // _PASSAGE - 1)  # no sentences: a table, or another language
            for start in range(0, whole * _PASSAGE, _PASSAGE):
                yield collected[start : start + _PASSAGE]
            collected = collected[whole * _PASSAGE :]
    if collected:
        yield collected


def _front_matter(name: str, text: str) -> tuple[_Front, str]:
    parts = re.split(r"^---\s*\n", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        return _Front(), text
    if not parts[1].strip():
        return _Front(), parts[2]
    try:
        return ConfigFile.of(Path(name), f"\n{parts[1]}").parse(TypeAdapter(_Front)), parts[2]  # below the first ---
    except ConfigError as error:
        raise PaperRefused(f"what stands between the --- lines cannot be read: {error}") from error


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise PaperRefused(f"{name}: not UTF-8 at byte {error.start}") from error


def _too_long(name: str) -> PaperRefused:
    return PaperRefused(f"{name}: has more than {_MOST_TEXT:,} characters")


def _not_too_many(name: str, pieces: Sequence[TitledPassage]) -> None:
    if len(pieces) > _MOST_PASSAGES:
        raise PaperRefused(f"{name}: has more than {_MOST_PASSAGES:,} passages")


def _plain_tex(text: str) -> str:
    from pybtex.richtext import Text

    return _clean(str(Text.from_latex(text)))


def _clean(text: str) -> str:
    """One line, without what a database refuses."""
    return re.sub(r"\s+", " ", _CONTROL.sub(" ", text.encode("utf-8", "replace").decode())).strip()

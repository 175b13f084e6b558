"""Prompt files: the texts for a model, and the variables that they take.

A file is YAML front matter between `---` lines, then sections headed `[NAME]`. Placeholders are `{name}`. The input
section becomes the user's message, all others the system message, which stays the same from call to call so that
servers can cache it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from maththera.config_files import ConfigError, ConfigFile, ConfigModel, read_text, refuse
from maththera.llm.token_estimate import estimate_tokens

Value: TypeAlias = str | int | Sequence[str] | None

_HEADING = re.compile(r"^\[([A-Z][A-Z ]*)\]$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")
_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_CUT = "…"


class PromptError(ConfigError):
    """A prompt does not fit the variables that it gets."""


class PromptTooLongError(PromptError):
    """The rendered prompt exceeds the file's own token limits."""


class Variable(ConfigModel):
    """A declared placeholder. `max`: characters of a text or an integer (longer ones are cut, with a …), or how many
    names or lines. A name is an upper-case identifier. Lines are put in as they stand: they come from our own files,
    never from people."""

    type: Literal["text", "integer", "names", "lines"]
    max: int = Field(gt=0)
    optional: bool = False
    description: str


class Limits(ConfigModel):
    """Tokens, by `estimate_tokens`; `output` is what the model is allowed to write."""

    system: int = Field(gt=0)
    input: int = Field(gt=0)
    output: int = Field(gt=0)


class Header(ConfigModel):
    """The front matter of a prompt file. `model`: which of the two configured models answers it."""

    name: str
    description: str
    model: Literal["main", "small"]
    input_section: str
    limits: Limits
    variables: dict[str, Variable]


_HEADER: Final = TypeAdapter(Header)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The two messages of one call."""

    system: str
    input: str

    @property
    def tokens(self) -> int:
        """Estimated input tokens of the call."""
        return estimate_tokens(self.system) + estimate_tokens(self.input)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A loaded prompt file."""

    document: ConfigFile
    """Its front matter, which names the place of a fault."""
    header: Header
    system: str
    input: str

    @classmethod
    def load(cls, path: Path) -> "Prompt":
        """Read and check one file; ConfigError names file, line, field and reason."""
        front, body = _split(path, read_text(path))
        document = ConfigFile.of(path, front)
        header = document.parse(_HEADER)
        refuse(_faults(document, header, body))
        _, *pieces = _HEADING.split(body)
        sections = {name: f"[{name}]\n{text.strip()}" for name, text in zip(pieces[::2], pieces[1::2], strict=True)}
        user = sections.pop(header.input_section)
        return cls(document, header, "\n\n".join(sections.values()), user)

    def render(self, variables: Mapping[str, Value]) -> Rendered:
        """Fill in every declared variable, as data: texts are JSON strings, so nothing in them can end a line, open a
        section or name another variable. Raises PromptError; PromptTooLongError beyond the file's limits."""
        self.require_variables(set(variables))
        values = {name: self._value(name, variables[name]) for name in variables}
        rendered = Rendered(_fill(self.system, values), _fill(self.input, values))
        self._within("system", rendered.system)
        self._within("input", rendered.input)
        return rendered

    def require_variables(self, names: Set[str]) -> None:
        """Raises PromptError unless these are the declared variables."""
        self._same_names("undeclared", names - set(self.header.variables))
        self._same_names("missing", set(self.header.variables) - names)

    def _same_names(self, what: str, names: Set[str]) -> None:
        if names:
            raise PromptError(self.document.fault(("variables", min(names)), what))

    def _within(self, part: Literal["system", "input"], text: str) -> None:
        tokens, most = estimate_tokens(text), getattr(self.header.limits, part)
        if tokens > most:
            reason = f"about {tokens} tokens, at most {most}"
            raise PromptTooLongError(self.document.fault(("limits", part), reason))

    def _value(self, name: str, value: Value) -> str:
        declared = self.header.variables[name]
        if value is None and declared.optional:
            return "null"
        try:
            return _FORMATS[declared.type](value, declared.max)
        except TypeError as error:
            raise PromptError(self.document.fault(("variables", name), str(error))) from error


def load_prompts(folder: Path) -> dict[str, Prompt]:
    """Every `*.md` of `folder` by its name; raises ConfigError."""
    return {path.stem: Prompt.load(path) for path in sorted(folder.glob("*.md"))}


def _split(path: Path, text: str) -> tuple[str, str]:
    """Front matter and body; empty lines keep each line of the body at its number."""
    parts = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0]:
        raise ConfigError(f"{path}:1: front matter: must open the file, between two lines of ---")
    front = f"---\n{parts[1]}"
    return front, "\n" * (front.count("\n") + 1) + parts[2]


def _faults(document: ConfigFile, header: Header, body: str) -> Iterator[str]:
    path = document.path

    def at(match: re.Match[str]) -> str:
        return f"{path}:{body.count(chr(10), 0, match.start()) + 1}"

    if header.name != path.stem:
        yield document.fault(("name",), f"must be {path.stem!r}, as the file")
    sections: set[str] = set()
    for heading in _HEADING.finditer(body):
        if heading[1] in sections:
            yield f"{at(heading)}: [{heading[1]}]: given twice"
        sections.add(heading[1])
    if (first := re.search(r"\S.*", body)) and not _HEADING.match(first[0]):
        yield f"{at(first)}: sections: each line belongs to one, under its heading"
    if header.input_section not in sections:
        yield document.fault(("input_section",), f"there is no section [{header.input_section}]")
    used = {match[1]: match for match in _PLACEHOLDER.finditer(body)}
    for name in sorted(used.keys() - header.variables):
        yield f"{at(used[name])}: {name}: undeclared"
    for name in sorted(header.variables.keys() - used):
        yield document.fault(("variables", name), "declared but not used")


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise TypeError("must be a text")
    quoted = json.dumps(_cut(value, most), ensure_ascii=False)
    # JSON leaves some line separators and lone surrogates as they are; here they are escaped too.
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted)


def _integer(value: Any, most: int) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("must be an integer")
    return _cut(str(value), most)


def _names(value: Any, most: int) -> str:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > most:
        raise TypeError(f"must be a list of at most {most} names")
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in value):
        raise TypeError("must hold upper-case identifiers only")
    return " ".join(value) or "null"


def _lines(value: Any, most: int) -> str:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > most:
        raise TypeError(f"must be a list of at most {most} lines")
    if not all(isinstance(line, str) and line.isprintable() for line in value):
        raise TypeError("must hold one-line texts only")
    return "\n".join(value)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + _CUT


_FORMATS = {"text": _text, "integer": _integer, "names": _names, "lines": _lines}

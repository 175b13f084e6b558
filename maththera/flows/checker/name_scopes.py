"""The names that an author may write after a $ at one place of a flow, and the types of their values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from maththera.flows.language import messages
from maththera.flows.language.faults import suggestion
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import NoSuchField, SchemaType

RESERVED: Final = frozenset(
    ("inputs", "item", "index", "date_utils", "len", "min", "max", "sum", "any", "all", "round", "sorted")
)


@dataclass(frozen=True, slots=True)
class NameEntry:
    """A name. `step`: the id of the step in this block whose result it is. `uncertain`: why it may be null."""

    typed: SchemaType
    step: str | None = None
    uncertain: Message | None = None


@dataclass(slots=True)
class Scope:
    """The names of a block and of the blocks around it. `forbidden`: existing names → why they cannot be used here."""

    entries: dict[str, NameEntry] = field(default_factory=dict)
    parent: "Scope | None" = None
    forbidden: Mapping[str, Message] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)  # step id → name of its output
    inner: Mapping[str, str] = field(default_factory=dict)  # output inside of a step → output of that step
    _known: Collection[str] | None = None

    def root(self, name: str) -> SchemaType:
        if name in self.forbidden:
            raise NoSuchField(self.forbidden[name])
        if name in self.entries:
            return self.entries[name].typed
        if self.parent is not None and (name in self.parent.known() or name in self.parent.everything_forbidden()):
            return self.parent.root(name)
        if result := self.result_of(name):
            raise NoSuchField(messages.CALLED_OTHERWISE(name=name, result=result))
        if name in ("item", "index"):
            raise NoSuchField(messages.ONLY_IN_FOREACH(name=name))
        if around := self.inner_of(name):
            raise NoSuchField(messages.STAYS_INSIDE(name=name, around=around))
        near = suggestion(name, set(self.known()) - self.everything_forbidden())
        raise NoSuchField(messages.NO_SUCH_NAME(name=name, near=near))

    def result_of(self, step: str) -> str | None:
        return self.results.get(step) or (self.parent.result_of(step) if self.parent is not None else None)

    def inner_of(self, name: str) -> str | None:
        return self.inner.get(name) or (self.parent.inner_of(name) if self.parent is not None else None)

    def everything_forbidden(self) -> set[str]:
        return set(self.forbidden) | (self.parent.everything_forbidden() if self.parent is not None else set())

    def uncertain(self, name: str) -> Message | None:
        if name in self.entries:
            return self.entries[name].uncertain
        return self.parent.uncertain(name) if self.parent is not None else None

    def known(self) -> Collection[str]:
        """All names, collected once when the block is complete: a flow may have a thousand steps, and each one asks."""
        if self._known is None:
            outer = self.parent.known() if self.parent is not None else ()
            self._known = frozenset((*self.entries, *outer))
        return self._known

    def as_seen_by_step(self, forbidden: Mapping[str, Message]) -> "Scope":
        """The scope of one step of this block."""
        return Scope(self.entries, self.parent, forbidden, self.results, self.inner, self.known())

    def inner_scope(self, entries: Mapping[str, NameEntry] = {}, results: Mapping[str, str] = {}) -> "Scope":
        """The scope of a block inside of this one."""
        return Scope(dict(entries), self, results=results)

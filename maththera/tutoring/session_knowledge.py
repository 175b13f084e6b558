"""What the child of a session knows at each turn: what it knew at the start, and the evidence of the session's answers.

A checkpoint has only the evidence and a key, the digest of both. The knowledge itself is kept here by its key and
worked out again from the session's row where it is no longer kept, so that it is the same on every way to a state.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.knowledge.model import KnowledgeModel
from maththera.tutoring.state import KnownSoFar, TutoringState

_KEPT: Final = 2048


class SessionKnowledge:
    """One for each process."""

    def __init__(self, model: KnowledgeModel) -> None:
        self._model = model
        self._kept: OrderedDict[str, Knowledge] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def begin(self, snapshot: Mapping[str, Any]) -> str:
        """The key of what is known at the start of a session."""
        key = _digest("", snapshot)
        if key not in self._kept:
            self._keep(key, Knowledge.from_snapshot(snapshot, self._model))
        return key

    def at(self, state: TutoringState) -> Knowledge:
        """What is known at this state. KeyError: the start of the session was not read in this process."""
        known = state["known"]
        if (found := self._kept.get(known["key"])) is not None:
            self._kept.move_to_end(known["key"])
            return found
        if known["start"] not in self._kept and "knowledge" in state["start"]:
            self.begin(state["start"]["knowledge"])
        knowledge = self._kept[known["start"]]
        for entry in known["evidence"]:
            knowledge = knowledge.after(Evidence(*entry))
        self._keep(known["key"], knowledge)
        return knowledge

    def after(self, state: TutoringState, evidence: Iterable[Evidence]) -> KnownSoFar:
        """The state's `known` after more evidence."""
        known, knowledge = state["known"], self.at(state)
        entries, key = [], known["key"]
        for one in evidence:
            entry = one.entry()
            entries.append(entry)
            key, knowledge = _digest(key, entry), knowledge.after(one)
        self._keep(key, knowledge)
        return {"start": known["start"], "key": key, "evidence": [*known["evidence"], *entries]}

    def _keep(self, key: str, knowledge: Knowledge) -> None:
        self._kept[key] = knowledge
        self._kept.move_to_end(key)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _digest(before: str, value: Any) -> str:
    return blake2b(f"{before}{json.dumps(value, sort_keys=True)}".encode(), digest_size=8).hexdigest()

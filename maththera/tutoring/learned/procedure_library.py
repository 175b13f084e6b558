"""The learned procedures of this process: read from the store by name, when a session first needs them.

There is no deploy and no signal between workers. A new session asks the store which version is in force; one that goes
on asks for the procedures that its start names. What a name means never changes, so nothing read here grows old.
"""

from collections.abc import Mapping
from typing import Any

from maththera.json_types import JsonObject
from maththera.store.learned_procedures import ProcedureRecords
from maththera.tutoring.start import learned_names


class ProcedureLibrary:
    """Raises StoreUnavailable where the store must be asked and cannot be."""

    def __init__(self, records: ProcedureRecords) -> None:
        self._records = records

    async def in_force(self) -> JsonObject:
        """What a new session's start says of learned procedures: the version and its names. A procedure that this
        release cannot read is left out, so that children go on."""
        version, names = await self._records.version()
        known = await self._records.learn(names)
        return {"version": version, "names": [name for name in names if name in known]}

    async def learn_for(self, start: Mapping[str, Any]) -> None:
        """Makes the procedures that a session names known to this process."""
        names = learned_names(start)
        if missing := {*names} - await self._records.learn(names):
            raise LookupError(f"learned procedures that cannot be read: {', '.join(sorted(missing))}")

"""No table with something of a child in it escapes export, erasing and retention."""

import importlib
import pkgutil
from typing import Final

from maththera import learners
from maththera.learners.holdings import HOLDINGS, TOKENS
from maththera.learners.tables import metadata

NAMING: Final = ("student", "learner", "session", "thread", "conversation", "lesson", "execution", "user", "run_id")
"""What a column that leads to a child has in its name."""

ELSEWHERE: Final = {"tokens": "`TOKENS` is exported, and erasing looks after them by itself"}
"""Tables that need no entry, and why."""

for module in pkgutil.iter_modules(learners.__path__):
    importlib.import_module(f"maththera.learners.{module.name}")


def test_every_table_that_leads_to_a_child_is_held() -> None:
    held = {holding.name for holding in HOLDINGS} | ELSEWHERE.keys()
    for table in metadata.tables.values():
        leading = [column.name for column in table.c if any(word in column.name for word in NAMING)]
        assert not leading or table.name in held, f"{table.name}.{leading[0]}: add {table.name} to HOLDINGS"


def test_what_hangs_on_a_held_table_is_held() -> None:
    held = {holding.name for holding in HOLDINGS}
    for table in metadata.tables.values():
        for key in table.foreign_keys:
            assert key.column.table.name not in held or table.name in held, f"{table.name} hangs on what is erased"


def test_what_goes_with_its_parent_has_one() -> None:
    seen: set[str] = set()
    for holding in HOLDINGS:
        parents = [key for key in holding.table.foreign_keys if key.column.table.name in seen]
        if holding.cascades:
            assert [key for key in parents if key.ondelete == "CASCADE"], holding.name
        else:
            assert not parents, f"{holding.name} would be erased twice"
        seen.add(holding.name)


def test_what_is_named_of_a_table_is_there() -> None:
    for holding in (*HOLDINGS, TOKENS):
        assert holding.hidden | holding.outline <= set(holding.table.c.keys()), holding.name
        assert (holding.shared is None) == (not holding.outline), holding.name
        for column in (holding.age, holding.thread, holding.file):
            assert column is None or column.table is holding.table, holding.name

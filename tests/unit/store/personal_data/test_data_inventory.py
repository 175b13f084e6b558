"""No table with something of a child in it escapes export, erasing and retention."""

import importlib
import pkgutil
from typing import Final

from maththera import store
from maththera.store.personal_data.data_inventory import EXPORTED_TOKENS, PERSONAL_TABLES
from maththera.store.tables import metadata

NAMING: Final = ("student", "learner", "session", "thread", "conversation", "lesson", "execution", "user", "run_id")
"""What a column that leads to a child has in its name."""

ELSEWHERE: Final = {
    "tokens": "`EXPORTED_TOKENS` is for the export, and `erasure` treats tokens by itself",
    "access_log": "outlives the child's records: erasing takes the child out of its entries",
}
"""Tables that need no entry, and why."""

for module in pkgutil.walk_packages(store.__path__, "maththera.store."):
    if ".migrations" not in module.name:
        importlib.import_module(module.name)


def test_every_table_that_leads_to_a_child_is_held() -> None:
    held = {personal.name for personal in PERSONAL_TABLES} | ELSEWHERE.keys()
    for table in metadata.tables.values():
        leading = [column.name for column in table.c if any(word in column.name for word in NAMING)]
        assert not leading or table.name in held, f"{table.name}.{leading[0]}: add {table.name} to PERSONAL_TABLES"


def test_what_hangs_on_a_held_table_is_held() -> None:
    held = {personal.name for personal in PERSONAL_TABLES}
    for table in metadata.tables.values():
        for key in table.foreign_keys:
            assert key.column.table.name not in held or table.name in held, f"{table.name} hangs on what is erased"


def test_what_goes_with_its_parent_has_one() -> None:
    seen: set[str] = set()
    for personal in PERSONAL_TABLES:
        parents = [key for key in personal.table.foreign_keys if key.column.table.name in seen]
        if personal.cascades:
            assert [key for key in parents if key.ondelete == "CASCADE"], personal.name
        else:
            assert not parents, f"{personal.name} would be erased twice"
        seen.add(personal.name)


def test_what_is_named_of_a_table_is_there() -> None:
    for personal in (*PERSONAL_TABLES, EXPORTED_TOKENS):
        assert personal.hidden | personal.outline <= set(personal.table.c.keys()), personal.name
        assert (personal.shared is None) == (not personal.outline), personal.name
        for column in (personal.age, personal.redis_id, personal.file):
            assert column is None or column.table is personal.table, personal.name

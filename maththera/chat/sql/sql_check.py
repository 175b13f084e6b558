"""Whether SQL that a model wrote is a question: one SELECT over the views, made of what is known to be harmless.

Everything is refused that is not listed here. What passes is written anew from its tree, so no comment, quotation or
dialect's oddity of the original reaches the database.

The parser is 30 MB and half a second: whoever needs this module imports it with the first question.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Final

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from maththera.store.sql_views import COLUMNS, QueryRefused

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # its warnings repeat what people wrote

LONGEST: Final = 2_000
"""Characters of a question in SQL."""

_DEEPEST: Final = 12
"""Brackets within brackets."""
_MOST_NODES: Final = 400
_MOST_TABLES: Final = 4
_MOST_WILDCARDS: Final = 2
_LONGEST_TEXT: Final = 200
_NUMBER: Final = re.compile(r"\d{1,12}(\.\d{1,6})?")
_WRITTEN: Final = "postgres"
"""The dialect questions are written in, whatever database answers them."""
_TARGET: Final = {"sqlite": "sqlite", "postgresql": "postgres"}

_HARMLESS: Final = frozenset(
    {
        # the question and its parts
        exp.Select, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset,
        exp.Subquery, exp.Table, exp.TableAlias, exp.Alias, exp.Column, exp.Identifier, exp.Star, exp.Distinct,
        # values and how they are compared
        exp.Literal, exp.Null, exp.Boolean, exp.Paren, exp.Tuple, exp.Neg, exp.Not, exp.And, exp.Or, exp.EQ, exp.NEQ,
        exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.Exists, exp.Case,
        exp.If, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Cast, exp.DataType,
        # functions
        exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Abs, exp.Round, exp.Coalesce, exp.Nullif, exp.Lower,
        exp.Upper, exp.Length, exp.Substring, exp.Filter, exp.Window, exp.WindowSpec, exp.RowNumber, exp.Rank,
        exp.DenseRank,
    }
)  # fmt: skip
_TYPES: Final = frozenset(
    {
        exp.DataType.Type.INT, exp.DataType.Type.BIGINT, exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT,
        exp.DataType.Type.DECIMAL, exp.DataType.Type.TEXT, exp.DataType.Type.VARCHAR,
    }
)  # fmt: skip
"""What a value may be cast to. PostgreSQL's others name objects of the database, or read what they are given."""

_SELECT_ARGS: Final = frozenset(
    {"expressions", "from", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct"}
)


class SqlRefused(QueryRefused):
    """The SQL is refused; the message says why."""


def safe_sql(sql: str, dialect: str, names: Mapping[str, str], rows: int) -> str:
    """The question as `dialect` (sqlite or postgresql) is asked it, with the views by their names of this time, and at
    most `rows` rows. Refused."""
    try:
        return _checked(sql, dialect, names, rows)
    except RecursionError as error:
        raise SqlRefused("it is too deep") from error


def _checked(sql: str, dialect: str, names: Mapping[str, str], rows: int) -> str:
    tree = _one_select(sql)
    nodes = list(tree.walk())
    if len(nodes) > _MOST_NODES:
        raise SqlRefused("it is too long")
    for node in nodes:
        _refuse_unknown_nodes(node)
    tables = [node for node in nodes if isinstance(node, exp.Table)]
    if len(tables) > _MOST_TABLES:
        raise SqlRefused(f"it reads more than {_MOST_TABLES} tables")
    if not tables:
        raise SqlRefused("it reads no view")
    _known_columns(nodes)
    for table in tables:
        _rename(table, names)
    _bound(tree, rows)
    return tree.sql(dialect=_TARGET[dialect], comments=False)


def _one_select(sql: str) -> exp.Select:
    if len(sql) > LONGEST or _depth(sql) > _DEEPEST:
        raise SqlRefused("it is too long or too deep")
    if any(sign < " " and sign not in "\t\n\r" for sign in sql):
        raise SqlRefused("it has signs that cannot be seen")
    try:
        statements = [statement for statement in parse(sql, dialect=_WRITTEN) if statement is not None]
    except (SqlglotError, ValueError, IndexError, TypeError, AttributeError) as error:
        raise SqlRefused("it cannot be read") from error
    if len(statements) != 1 or type(statements[0]) is not exp.Select:
        raise SqlRefused("it is not one SELECT")
    return statements[0]


def _refuse_unknown_nodes(node: exp.Expr) -> None:
    if type(node) not in _HARMLESS:
        raise SqlRefused(f"{node.key} is not allowed")
    match node:
        case exp.Select():
            used = {name for name, value in node.args.items() if value}
            if extra := used - _SELECT_ARGS:
                raise SqlRefused(f"{min(extra)} is not allowed")
        case exp.DataType() if node.this not in _TYPES or (node.expressions and node.this != exp.DataType.Type.DECIMAL):
            raise SqlRefused("such a cast is not allowed")
        case exp.Join() if not (node.args.get("on") or node.args.get("using")):
            raise SqlRefused("a join needs its condition")
        case exp.Column() if node.args.get("db") or node.args.get("catalog"):
            raise SqlRefused("schemas are not named")
        case exp.Literal() if not _plain(node):
            raise SqlRefused("a value is too long")
        case exp.Like() | exp.ILike() if not _is_cheap_pattern(node.expression):
            raise SqlRefused("a pattern is a text with few wildcards")
        case exp.Limit() | exp.Offset() if not _counts(node.expression):
            raise SqlRefused("limits are plain numbers")


def _known_columns(nodes: Sequence[exp.Expr]) -> None:
    """Others name what a database adds to its tables (rowid, ctid, current_user), or call functions as columns."""
    known = {column for columns in COLUMNS.values() for column in columns} | {"*"}
    known |= {node.alias.lower() for node in nodes if isinstance(node, exp.Alias)}
    for node in nodes:
        if isinstance(node, exp.Column) and node.name.lower() not in known:
            raise SqlRefused(f"there is no column {node.name[:40]}")


def _rename(table: exp.Table, names: Mapping[str, str]) -> None:
    called = table.name.lower()
    if table.args.get("db") or table.args.get("catalog") or not isinstance(table.this, exp.Identifier):
        raise SqlRefused("schemas and functions are no views")
    if called not in COLUMNS:
        raise SqlRefused(f"there is no view {table.name[:40]}")
    if extra := {name for name, value in table.args.items() if value} - {"this", "alias"}:
        raise SqlRefused(f"{min(extra)} is not allowed at a view")
    alias = table.args.get("alias")
    if alias is not None and alias.args.get("columns"):
        raise SqlRefused("columns are not renamed")
    table.set("alias", exp.TableAlias(this=exp.to_identifier(table.alias or called)))
    table.set("this", exp.to_identifier(names[called]))


def _bound(tree: exp.Select, rows: int) -> None:
    limit = tree.args.get("limit")
    wanted = int(limit.expression.this) if limit is not None else rows
    tree.set("limit", exp.Limit(expression=exp.Literal.number(min(wanted, rows))))


def _counts(value: object) -> bool:
    return isinstance(value, exp.Literal) and not value.is_string and value.this.isdecimal() and len(value.this) <= 9


def _plain(value: exp.Literal) -> bool:
    return len(value.this) <= _LONGEST_TEXT if value.is_string else _NUMBER.fullmatch(value.this) is not None


def _is_cheap_pattern(pattern: object) -> bool:
    """Each % multiplies the time by the length of the text, within one step that no time limit interrupts."""
    return isinstance(pattern, exp.Literal) and pattern.is_string and pattern.this.count("%") <= _MOST_WILDCARDS


def _depth(sql: str) -> int:
    depth = deepest = 0
    for sign in sql:
        depth += (sign in "([") - (sign in ")]")
        deepest = max(deepest, depth)
    return deepest

"""Run by Alembic for each command; the connection, already in a transaction of its own, comes from the caller."""

from alembic import context

from maththera.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
context.run_migrations()

"""Alembic migrations: a revision comes in; the schema is taken to it, up or down."""

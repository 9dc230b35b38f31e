"""Alembic migrations: a revision comes in; the schema is migrated to it, up or down."""

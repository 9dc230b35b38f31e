"""Alembic migrations of the schema, up and down."""

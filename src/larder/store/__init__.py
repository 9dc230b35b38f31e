"""Tables and statements for SQLite and PostgreSQL, from one definition.

Functions here are synchronous over a connection and never commit: the caller's unit of work does
(`larder.store.database`). They take `now`; no statement reads a clock.
"""

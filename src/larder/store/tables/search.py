"""The vocabulary of the dataset: each word under every form in which it may be searched.

The index of documents is not among these tables: it is FTS5 on SQLite and a `tsvector` on PostgreSQL, which
one definition cannot express (`store.search.sqlite`, `store.search.postgres`).
"""

from sqlalchemy import Column, Table, Text

from larder.store.tables.columns import metadata

Plain = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its bytes, so that all texts with one prefix are a range in both databases."""

words = Table(
    "words",
    metadata,
    Column("form", Plain, primary_key=True),
    Column("word", Plain, primary_key=True),
)

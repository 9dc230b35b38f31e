"""The words of the dataset, each under every form it may be asked by.

The index of documents itself stands beside these tables: it is FTS5 on SQLite and a `tsvector` on PostgreSQL,
which one definition cannot express (`store.search.writing`).
"""

from sqlalchemy import Column, Table, Text

from larder.store.tables.columns import metadata

Plain = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its bytes, so that all that begins alike is a range in both databases."""

words = Table(
    "words",
    metadata,
    Column("form", Plain, primary_key=True),
    Column("word", Plain, primary_key=True),
)

"""Full text: an index that each database makes in its own way."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SQLITE = (
    """
    CREATE VIRTUAL TABLE search USING fts5(
        title, names, description, digest UNINDEXED,
        tokenize = "unicode61 remove_diacritics 0", prefix = '3'
    )
    """,
    """
    CREATE TRIGGER tr_records_search AFTER DELETE ON records
    BEGIN DELETE FROM search WHERE rowid = old.id; END
    """,
)
POSTGRESQL = (
    """
    CREATE TABLE search (
        record_id bigint PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
        title text NOT NULL, names text NOT NULL, terms tsvector NOT NULL, digest text NOT NULL
    )
    """,
    "CREATE INDEX ix_search_terms ON search USING gin (terms)",
)


def upgrade() -> None:
    for statement in SQLITE if _on_sqlite() else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    if _on_sqlite():
        op.execute("DROP TRIGGER tr_records_search")
    op.execute("DROP TABLE search")


def _on_sqlite() -> bool:
    return bool(op.get_bind().dialect.name == "sqlite")

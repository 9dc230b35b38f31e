"""Changes that know whether visitors could see their source; one schema for all that call themselves 0002.

What lists and drift ask for came into the first schema after databases had been made by it, so some have it
and some do not: here each gets what it lacks.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

COLUMNS = (
    ("changes", "public", sa.Integer()),
    ("drift_batches", "index_pages", sa.BigInteger()),
    ("drift_batches", "listed", sa.BigInteger()),
)
OUTGROWN = (
    ("ix_dead_letters_group", "dead_letters"),
    ("ix_dead_letters_source_id", "dead_letters"),
    ("ix_quarantine_source_id", "quarantine"),
)
INDEXES = (
    ("ix_dead_letters_group", "dead_letters", ["stage", "type", "id"]),
    ("ix_dead_letters_source", "dead_letters", ["source_id", "id"]),
    ("ix_dead_letters_status", "dead_letters", ["status", "id"]),
    ("ix_quarantine_source", "quarantine", ["source_id", "id"]),
    ("ix_targets_source", "targets", ["source_id", "id"]),
)
SEEN = """
    UPDATE changes SET public = 1
    WHERE source_id IN (SELECT id FROM sources WHERE visibility = 'public')
"""


def upgrade() -> None:
    for table, name, kind in COLUMNS:
        if name not in _columns(table):
            op.add_column(table, sa.Column(name, kind, server_default=sa.text("0"), nullable=False))
    op.execute(SEEN)
    for name, table in OUTGROWN:
        op.drop_index(name, table_name=table, if_exists=True)
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns, unique=False, if_not_exists=True)


def downgrade() -> None:
    op.drop_column("changes", "public")


def _columns(table: str) -> set[str]:
    return {column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)}

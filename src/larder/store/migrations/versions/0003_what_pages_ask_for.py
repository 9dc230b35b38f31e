"""Lists that go on along an index, drift judged by index pages, changes that know who could see them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NEW_COLUMNS = (
    ("changes", "public", sa.Integer()),
    ("drift_batches", "index_pages", sa.BigInteger()),
    ("drift_batches", "listed", sa.BigInteger()),
)
OLD_INDEXES = (
    ("ix_dead_letters_group", "dead_letters", ["stage", "type"]),
    ("ix_dead_letters_source_id", "dead_letters", ["source_id"]),
    ("ix_quarantine_source_id", "quarantine", ["source_id"]),
)
NEW_INDEXES = (
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
    for table, name, kind in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, server_default=sa.text("0"), nullable=False))
    op.execute(SEEN)
    for name, table, _ in OLD_INDEXES:
        op.drop_index(name, table_name=table)
    for name, table, columns in NEW_INDEXES:
        op.create_index(name, table, columns, unique=False)


def downgrade() -> None:
    for name, table, _ in NEW_INDEXES:
        op.drop_index(name, table_name=table)
    for name, table, columns in OLD_INDEXES:
        op.create_index(name, table, columns, unique=False)
    for table, name, _ in reversed(NEW_COLUMNS):
        op.drop_column(table, name)

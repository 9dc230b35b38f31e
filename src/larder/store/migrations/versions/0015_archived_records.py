"""Records that have been inactive for long are archived: an index finds those that are due."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

WAITING = sa.text("active = 0 AND archived_at IS NULL")


def upgrade() -> None:
    op.add_column("records", sa.Column("archived_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_records_to_archive",
        "records",
        ["deactivated_at"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )


def downgrade() -> None:
    op.drop_index("ix_records_to_archive", "records")
    op.drop_column("records", "archived_at")

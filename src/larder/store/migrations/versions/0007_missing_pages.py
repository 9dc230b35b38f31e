"""A record knows when its own page last answered that it is not there, and with which status."""

import sqlalchemy as sa
from alembic import op

from larder.store.tables.columns import Moment

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INDEX = "ix_records_missing"


def upgrade() -> None:
    op.add_column("records", sa.Column("missing_at", Moment, nullable=True))
    op.add_column("records", sa.Column("missing_status", sa.Integer(), nullable=True))
    missing = sa.text("missing_at IS NOT NULL")
    op.create_index(
        INDEX, "records", ["source_id", "shown_until"], sqlite_where=missing, postgresql_where=missing
    )


def downgrade() -> None:
    op.drop_index(INDEX, "records")
    op.drop_column("records", "missing_status")
    op.drop_column("records", "missing_at")

"""A record has its place in the order of its index, and the time at which its place was first found empty."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_PLACED = sa.text("active = 1 AND index_position IS NOT NULL")


def upgrade() -> None:
    op.add_column("records", sa.Column("index_position", sa.BigInteger(), nullable=True))
    op.add_column("records", sa.Column("missed_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_records_position",
        "records",
        ["source_id", "index_position"],
        sqlite_where=_PLACED,
        postgresql_where=_PLACED,
    )


def downgrade() -> None:
    op.drop_index("ix_records_position", "records")
    op.drop_column("records", "missed_at")
    op.drop_column("records", "index_position")

"""Drops columns that nothing reads: a record's version, and the last run of a schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

UNUSED = (("records", "version_id"), ("schedules", "last_run_id"), ("schedules", "last_run_at"))


def upgrade() -> None:
    for table, name in UNUSED:
        op.drop_column(table, name)


def downgrade() -> None:
    for table, name in UNUSED:
        op.add_column(table, sa.Column(name, sa.BigInteger(), nullable=True))

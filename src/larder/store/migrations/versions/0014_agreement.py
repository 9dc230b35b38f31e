"""Batches count the values that two readings told, and those they agreed on: drift watches agreement."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

COLUMNS = ("compared", "agreed")


def upgrade() -> None:
    for name in COLUMNS:
        column = sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False)
        op.add_column("drift_batches", column)


def downgrade() -> None:
    for name in reversed(COLUMNS):
        op.drop_column("drift_batches", name)

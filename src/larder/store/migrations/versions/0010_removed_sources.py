"""A removed source keeps its row, for the records and runs that name it."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sources", sa.Column("removed_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """A removed source is a disabled one again."""
    op.drop_column("sources", "removed_at")

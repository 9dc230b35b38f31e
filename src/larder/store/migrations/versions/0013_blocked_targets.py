"""A target that a person blocked names that person; without one, its record was erased on request."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("targets", sa.Column("blocked_by", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("targets", "blocked_by")

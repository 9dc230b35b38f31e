"""A record knows how many looks in a row at its place in the index found it missing."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("records", sa.Column("missed_looks", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("records", "missed_looks")

"""Drops columns that nothing reads: a job's error category (dead letters have it), a site's robots rule."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("jobs", "error_category")
    op.drop_column("sites", "robots_compliance")


def downgrade() -> None:
    op.add_column("jobs", sa.Column("error_category", sa.Text(), nullable=True))
    op.add_column("sites", sa.Column("robots_compliance", sa.Text(), server_default="strict", nullable=False))

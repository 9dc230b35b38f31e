"""Pending jobs are bounded by site, no longer by adapter: the index of the queue by adapter has no reader."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

PENDING = sa.text("status = 'pending'")


def upgrade() -> None:
    op.drop_index("ix_jobs_queue", "jobs")


def downgrade() -> None:
    op.create_index("ix_jobs_queue", "jobs", ["adapter"], sqlite_where=PENDING, postgresql_where=PENDING)

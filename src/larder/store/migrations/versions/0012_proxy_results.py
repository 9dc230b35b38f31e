"""A proxy has the times of its last success and its last failure."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

COLUMNS = ("last_success_at", "last_failure_at")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("proxies", sa.Column(name, sa.BigInteger(), nullable=True))


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("proxies", name)

"""A watch may have a private feed, whose address holds a token."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("watches", sa.Column("feed_token", sa.Text(), nullable=True))
    op.create_index("uq_watches_feed_token", "watches", ["feed_token"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_watches_feed_token", "watches")
    op.drop_column("watches", "feed_token")

"""A source may name a feed; a target says when the feed named it last, and since when it does not."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sources", sa.Column("feed_url", sa.Text(), nullable=True))
    op.add_column("targets", sa.Column("feed_at", sa.BigInteger(), nullable=True))
    op.add_column("targets", sa.Column("left_feed_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("targets", "left_feed_at")
    op.drop_column("targets", "feed_at")
    op.drop_column("sources", "feed_url")

"""A page says how long it took to read it."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("pages", sa.Column("parse_ms", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("pages", "parse_ms")

"""Index pages remember where their next page is; runs count what pages showed and what was left out."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    op.add_column("pages", sa.Column("next_page", JSON, nullable=True))
    op.add_column("pages", sa.Column("left_out", JSON, nullable=True))
    op.add_column(
        "runs", sa.Column("rows_shown", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column("runs", sa.Column("left_out", JSON, nullable=True))
    op.add_column("runs", sa.Column("advertised", sa.Integer(), nullable=True))


def downgrade() -> None:
    for name in ("advertised", "left_out", "rows_shown"):
        op.drop_column("runs", name)
    for name in ("left_out", "next_page"):
        op.drop_column("pages", name)

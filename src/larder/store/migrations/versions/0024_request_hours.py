"""Requests of a source by purpose and hour, for the plan that keeps a budget of them."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "request_hours",
        sa.Column("source_id", ID, autoincrement=False, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("hour_of_day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"]),
        sa.PrimaryKeyConstraint("source_id", "purpose", "hour_of_day"),
    )


def downgrade() -> None:
    op.drop_table("request_hours")

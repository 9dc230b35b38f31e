"""Runs count pages that could not be read, by reason; an index finds targets that were never read."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
NEVER_READ = sa.text("record_id IS NULL AND (failures > 0 OR status = 'stale')")


def upgrade() -> None:
    op.add_column(
        "runs", sa.Column("pages_not_read", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column("runs", sa.Column("not_read", JSON, nullable=True))
    op.create_index(
        "ix_targets_never_read",
        "targets",
        ["source_id"],
        sqlite_where=NEVER_READ,
        postgresql_where=NEVER_READ,
    )


def downgrade() -> None:
    op.drop_index("ix_targets_never_read", table_name="targets")
    for name in ("not_read", "pages_not_read"):
        op.drop_column("runs", name)

"""Items in quarantine whose price waits for a second reading name their record and that price."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

HELD_PRICES = sa.text("status = 'pending' AND identity_key IS NOT NULL")


def upgrade() -> None:
    op.add_column("quarantine", sa.Column("identity_key", sa.Text(), nullable=True))
    op.add_column("quarantine", sa.Column("price_minor", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_quarantine_held_prices",
        "quarantine",
        ["source_id", "identity_key"],
        sqlite_where=HELD_PRICES,
        postgresql_where=HELD_PRICES,
    )


def downgrade() -> None:
    op.drop_index("ix_quarantine_held_prices", table_name="quarantine")
    for name in ("price_minor", "identity_key"):
        op.drop_column("quarantine", name)

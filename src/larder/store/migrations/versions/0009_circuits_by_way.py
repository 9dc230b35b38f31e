"""A source has a circuit for its pages or its actor, and one for its checks."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from larder.store.tables.columns import Id

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

COLUMNS = "circuits.source_id, circuits.state, circuits.failures, circuits.trips, circuits.until"
BY_WAY = f"""
    SELECT {COLUMNS}, CASE WHEN sources.fetcher = 'actor' THEN 'actor' ELSE 'pages' END AS way
    FROM circuits JOIN sources ON sources.id = circuits.source_id
"""


def upgrade() -> None:
    _replace(op.get_bind().execute(sa.text(BY_WAY)).mappings().all(), "source_id", "way")


def downgrade() -> None:
    main = sa.text(f"SELECT {COLUMNS} FROM circuits WHERE way <> 'checks'")
    _replace(op.get_bind().execute(main).mappings().all(), "source_id")


def _replace(rows: Sequence[Any], *key: str) -> None:
    """The table again with this primary key, and these rows in it."""
    op.drop_table("circuits")
    way = [sa.Column("way", sa.Text(), server_default="pages", nullable=False)] if "way" in key else []
    made = op.create_table(
        "circuits",
        sa.Column("source_id", Id, autoincrement=False, nullable=False),
        *way,
        sa.Column("state", sa.Text(), server_default="closed", nullable=False),
        sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("trips", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_circuits_source_id")),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_circuits")),
    )
    if rows:
        op.bulk_insert(made, [dict(row) for row in rows])

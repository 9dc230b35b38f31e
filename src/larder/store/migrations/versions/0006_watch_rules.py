"""Prices of watches in minor units are called so; a watch knows the stock of its records."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from larder.store.tables.columns import Json

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

MINOR = {"price_min": "price_min_minor", "price_max": "price_max_minor"}
WATCHES = sa.table("watches", sa.column("id", sa.BigInteger), sa.column("query", Json), sa.column("enabled"))


def upgrade() -> None:
    op.add_column("watch_matches", sa.Column("availability", sa.Text(), nullable=True))
    _rename(MINOR)


def downgrade() -> None:
    """Watches with what only newer versions can read (major units, other rules than percent) are paused."""
    _rename({new: old for old, new in MINOR.items()}, drop=(*MINOR, "on", "falls_by", "target_price"))
    op.drop_column("watch_matches", "availability")


def _rename(names: dict[str, str], drop: tuple[str, ...] = ()) -> None:
    connection = op.get_bind()
    for row in connection.execute(sa.select(WATCHES)).all():
        said: dict[str, Any] = {name: value for name, value in row.query.items() if name not in drop}
        changed: dict[str, Any] = {"query": {names.get(name, name): value for name, value in said.items()}}
        if {*drop} & {*row.query} - {"on"} or row.query.get("on") in ("back_in_stock", "gone"):
            changed["enabled"] = 0
        connection.execute(sa.update(WATCHES).where(WATCHES.c.id == row.id).values(changed))

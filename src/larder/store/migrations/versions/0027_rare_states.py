"""Records in a state that few are in are listed along an index, and not by looking at every record."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_records_standing": (["verification", "id"], "verification IN ('lapsed', 'unseen', 'gone')"),
    "ix_records_inactive": (["id"], "active = 0"),
    "ix_records_archived": (["id"], "archived_at IS NOT NULL"),
}


def upgrade() -> None:
    for name, (columns, where) in _INDEXES.items():
        held = sa.text(where)
        op.create_index(name, "records", columns, sqlite_where=held, postgresql_where=held)


def downgrade() -> None:
    for name in _INDEXES:
        op.drop_index(name, "records")

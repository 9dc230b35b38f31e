"""The plan of targets is called `monitor`; `watch` is the word for saved searches and price rules."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

PLANS = "plan IN ('market', 'index', 'agenda', '{}', 'adaptive')"


def upgrade() -> None:
    _rename("watch", "monitor")


def downgrade() -> None:
    _rename("monitor", "watch")


def _rename(old: str, new: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rename_in_sqlite(old, new)
        return
    op.drop_constraint(op.f("ck_sources_plan"), "sources", type_="check")
    op.execute(f"UPDATE sources SET plan = '{new}' WHERE plan = '{old}'")
    op.create_check_constraint(op.f("ck_sources_plan"), "sources", PLANS.format(new))


def _rename_in_sqlite(old: str, new: str) -> None:
    """SQLite's own way to change a CHECK without copying a table that others refer to."""
    connection = op.get_bind()
    before, after = (PLANS.format(word).replace("'", "''") for word in (old, new))
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    for statement in (
        "PRAGMA ignore_check_constraints = ON",
        f"UPDATE sources SET plan = '{new}' WHERE plan = '{old}'",
        "PRAGMA ignore_check_constraints = OFF",
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = replace(sql, '{before}', '{after}') WHERE name = 'sources'",
        f"PRAGMA schema_version = {version + 1}",
        "PRAGMA writable_schema = RESET",
    ):
        connection.exec_driver_sql(statement)

"""The tables and views in ClickHouse.

Of rows with one key, both tables keep the one with the largest version; the views show those that count. A
price counts if it has the version of its record, so that a voided price disappears with the next one.
"""

from larder.actions.dataset.analytics_copy import NAMES

_TYPES = {
    "id": "UInt64",
    "price": "Nullable(Decimal(18, 3))",
    **dict.fromkeys(("kind", "source", "title"), "String"),
    **dict.fromkeys(
        ("rating", "latitude", "longitude", "area_m2", "rooms", "beds", "baths"), "Nullable(Float64)"
    ),
    **dict.fromkeys(("first_seen_at", "last_seen_at"), "DateTime('UTC')"),
    "verified_at": "Nullable(DateTime('UTC'))",
    "review_count": "Nullable(Int64)",
    "time_known": "Nullable(UInt8)",
}
_PRICE_NAMES = ("id", "price", "currency", "observed_at", "confirmed_at")


def statements(table: str) -> list[str]:
    """The statements that create missing tables and views."""
    columns = ", ".join((*NAMES, "active"))
    prices = f"{table}_prices"
    latest = f"(SELECT id, version FROM {table} FINAL WHERE deleted = 0)"  # noqa: S608 - a checked name
    return [
        f"CREATE TABLE IF NOT EXISTS {table} ({_columns()}) ENGINE = ReplacingMergeTree(version) ORDER BY id",
        f"CREATE TABLE IF NOT EXISTS {prices} (id UInt64, price Decimal(18, 3), currency String, "
        "observed_at DateTime('UTC'), confirmed_at DateTime('UTC'), version UInt64) "
        "ENGINE = ReplacingMergeTree(version) ORDER BY (id, observed_at, currency)",
        f"CREATE VIEW IF NOT EXISTS {table}_current AS SELECT {columns} FROM {table} FINAL WHERE deleted = 0",  # noqa: S608 - a checked name
        f"CREATE VIEW IF NOT EXISTS {prices}_current AS SELECT {', '.join(_PRICE_NAMES)} FROM {prices} FINAL "  # noqa: S608 - a checked name
        f"WHERE (id, version) IN {latest}",
    ]


def delete_older(table: str, version: int) -> str:
    """Delete rows that a new load did not write."""
    older = f"FROM {table} FINAL WHERE version < {version} AND deleted = 0"
    return f"INSERT INTO {table} (id, version, deleted) SELECT id, toUInt64({version}), toUInt8(1) {older}"


def latest_version(table: str) -> str:
    """The query for the largest version in a table."""
    return f"SELECT max(version) FROM {table}"  # noqa: S608 - a checked name


def _columns() -> str:
    columns = [f"{name} {_TYPES.get(name, 'Nullable(String)')}" for name in NAMES]
    return ", ".join((*columns, "active UInt8", "version UInt64", "deleted UInt8"))

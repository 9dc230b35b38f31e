"""The column types that all tables share.

A moment is a whole number of microseconds since 1970 in UTC: both databases then do the same
arithmetic on it, an index on it is small, and no driver guesses a time zone.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Dialect, Integer, MetaData, Text, text
from sqlalchemy.types import TypeDecorator, TypeEngine

from larder.core.policy.freshness import EPOCH

MICROSECOND = timedelta(microseconds=1)
EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""The values for a stored number that is out of datetime's range.

A day from the limits, so that every time zone has them.
"""


def micros(moment: datetime) -> int:
    """A datetime in its stored form: microseconds since 1970."""
    return (moment - EPOCH) // MICROSECOND


def micros_or_none(moment: datetime | None) -> int | None:
    """As `micros`; None stays None."""
    return None if moment is None else micros(moment)


def moment(stored: int) -> datetime:
    """A stored time as a datetime."""
    try:
        return EPOCH + stored * MICROSECOND
    except OverflowError:
        return LATEST if stored > 0 else EARLIEST


def moment_or_none(stored: int | None) -> datetime | None:
    """As `moment`, for a nullable column."""
    return None if stored is None else moment(stored)


class Moment(TypeDecorator[datetime]):
    """An aware datetime in, microseconds since 1970 in the table."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Convert a value for the database."""
        return micros_or_none(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value from the database."""
        return None if value is None else moment(value)


class JsonColumn(TypeDecorator[Any]):
    """JSON; on PostgreSQL its binary form, whose dialect is loaded only there."""

    impl = JSON
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(none_as_null=True)

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The database's own type."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON(none_as_null=True))
        from sqlalchemy.dialects.postgresql import JSONB  # noqa: PLC0415 - slow to load

        return dialect.type_descriptor(JSONB(none_as_null=True))

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """Treat values beside it as the types that JSON compares with."""
        found = self.impl_instance.coerce_compared_value(op, value)
        return self if found is self.impl_instance else found


Id = BigInteger().with_variant(Integer, "sqlite")
Json = JsonColumn()

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def key() -> Column[int]:
    """The table's own integer key."""
    return Column("id", Id, primary_key=True, autoincrement=True)


def yes_no(name: str, *, default: bool) -> Column[int]:
    """A flag; an integer in both databases, so that both compare it in the same way."""
    return Column(name, Integer, nullable=False, server_default=text("1" if default else "0"))


def count(name: str) -> Column[int]:
    """A counter that starts at 0."""
    return Column(name, BigInteger, nullable=False, server_default=text("0"))


def word(name: str, default: StrEnum | str | None = None) -> Column[str]:
    """A word from a fixed list."""
    return Column(name, Text, nullable=False, server_default=None if default is None else str(default))


def one_of(column: str, words: Iterable[str]) -> CheckConstraint:
    """A check constraint, because people also write rows by hand."""
    listed = ", ".join(f"'{w}'" for w in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)

"""The dataset as Arrow batches and Parquet files: the same rows as every export, with types.

A file is written in row groups as rows come, so any number needs the memory of one group. A value that
does not fit its column (text where a number belongs) is left empty and counted, never guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, BinaryIO

from larder.core.errors import not_installed

GROUP_ROWS = 20_000
"""Rows of a row group."""
MAX_PRICE = Decimal(10) ** 15
_WHOLE = frozenset({"id", "freshness_confidence", "review_count"})
_NUMBERS = frozenset({"rating", "latitude", "longitude", "area_m2", "rooms", "beds", "baths"})
_MOMENTS = frozenset({"first_seen_at", "last_seen_at", "verified_at", "observed_at", "confirmed_at"})
_FLAGS = frozenset({"time_known"})


def schema(names: Sequence[str]) -> Any:
    """The Arrow schema of these columns.

    Prices are decimals; times of Larder are in UTC. Times of sites (`starts_at`, `posted_at` …) stay text in
    ISO 8601, because they carry the offset of their place or are days alone.
    """
    pa = _pyarrow()
    types = {
        "price": pa.decimal128(18, 3),
        **dict.fromkeys(_WHOLE, pa.int64()),
        **dict.fromkeys(_NUMBERS, pa.float64()),
        **dict.fromkeys(_MOMENTS, pa.timestamp("us", tz="UTC")),
        **dict.fromkeys(_FLAGS, pa.bool_()),
    }
    return pa.schema([pa.field(name, types.get(name, pa.string())) for name in names])


@dataclass(slots=True)
class ArrowRows:
    """Turns rows into record batches; `unfit` counts values that were left empty."""

    names: Sequence[str]
    unfit: int = 0

    def batch(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        """These rows as one record batch."""
        pa, kinds = _pyarrow(), schema(self.names)
        columns = [
            pa.array([self._fit(name, row[name]) for row in rows], type=kinds.field(name).type)
            for name in self.names
        ]
        return pa.RecordBatch.from_arrays(columns, schema=kinds)

    def _fit(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        try:
            return _as_column(name, value)
        except (ValueError, TypeError, OverflowError, InvalidOperation):
            self.unfit += 1
            return None


@dataclass(slots=True)
class ParquetFile:
    """A Parquet file that is being written; `close` writes its end, without which it cannot be read."""

    file: BinaryIO
    names: Sequence[str]
    group_rows: int = GROUP_ROWS
    rows: ArrowRows = field(init=False)
    _writer: Any = field(init=False)
    _waiting: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        _pyarrow()
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        self.rows = ArrowRows(self.names)
        self._writer = parquet.ParquetWriter(self.file, schema(self.names), compression="zstd")

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows; whole groups are written."""
        self._waiting += rows
        while len(self._waiting) >= self.group_rows:
            self._write_group()

    def close(self) -> None:
        """Write the rest and the end."""
        if self._waiting:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        group, self._waiting = self._waiting[: self.group_rows], self._waiting[self.group_rows :]
        self._writer.write_batch(self.rows.batch(group))


def _as_column(name: str, value: Any) -> Any:
    if name == "price":
        return _price(value)
    if name in _WHOLE:
        return _whole(value)
    if name in _NUMBERS:
        return float(value)
    if name in _MOMENTS:
        return datetime.fromisoformat(value).astimezone(UTC)
    if name in _FLAGS:
        return _flag(value)
    return str(value)


def _price(value: Any) -> Decimal:
    amount = Decimal(value)
    if not abs(amount) < MAX_PRICE:
        raise ValueError("a price beyond what the column holds")
    return amount.quantize(Decimal("0.001"))


def _whole(value: Any) -> int:
    if int(value) != float(value) or abs(int(value)) >= 2**63:
        raise ValueError("no whole number")
    return int(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool | int):
        raise TypeError("neither true nor false")
    return bool(value)


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise not_installed("Parquet files and Arrow tables", "parquet") from error
    return pyarrow

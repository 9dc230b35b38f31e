"""The dataset as Arrow batches and Parquet files: the same rows as every export, with types.

A file is written in row groups as rows come, so any number needs the memory of one group. A value that
does not fit its column (text where a number belongs) is left empty and counted, never guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from types import NoneType
from typing import Any, BinaryIO

from larder.actions.dataset.export import Chunk
from larder.core.errors import not_installed

GROUP_ROWS = 20_000
"""Rows of a row group."""
MAX_PRICE = Decimal(10) ** 15
_WHOLE = frozenset({"id", "freshness_confidence", "review_count"})
_NUMBERS = frozenset({"rating", "latitude", "longitude", "area_m2", "rooms", "beds", "baths"})
_MOMENTS = frozenset({"first_seen_at", "last_seen_at", "verified_at", "observed_at", "confirmed_at"})
_FLAGS = frozenset({"time_known"})
_PARSED = frozenset({"price", *_MOMENTS})
"""Text columns that Arrow parses as numbers and times; times may be microseconds, too."""
_AT_ONCE: Mapping[str, frozenset[type]] = {
    "string": frozenset({str, NoneType}),
    "int64": frozenset({int, NoneType}),
    "double": frozenset({float, int, NoneType}),
    "bool": frozenset({bool, NoneType}),
}
"""The values that Arrow takes without conversion, by type of column."""


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
        return self.from_columns([[row[name] for row in rows] for name in self.names])

    def from_columns(self, columns: Sequence[Sequence[Any]]) -> Any:
        """Columns in the order of the names as one record batch."""
        kinds = schema(self.names)
        arrays = [self._array(field, column) for field, column in zip(kinds, columns, strict=True)]
        return _pyarrow().RecordBatch.from_arrays(arrays, schema=kinds)

    def _array(self, field: Any, column: Sequence[Any]) -> Any:
        """A column converted at once; value by value only if some value does not fit."""
        pa = _pyarrow()
        types = set(map(type, column))
        at_once = _read_as(field, types)
        if types <= _AT_ONCE[str(at_once)]:
            try:
                return pa.array(column, type=at_once).cast(field.type)
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
                pass
        return pa.array([self._fit(field.name, value) for value in column], type=field.type)

    def _fit(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        try:
            return as_column(name, value)
        except (ValueError, TypeError, OverflowError, InvalidOperation):
            self.unfit += 1
            return None


@dataclass(slots=True)
class ParquetFile:
    """A Parquet file that is being written; `close` writes its end, which readers need."""

    file: BinaryIO
    names: Sequence[str]
    group_rows: int = GROUP_ROWS
    rows: ArrowRows = field(init=False)
    _writer: Any = field(init=False)
    _waiting: list[list[Any]] = field(init=False)
    """Rows that do not fill a group yet, column by column."""

    def __post_init__(self) -> None:
        _pyarrow()
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        self.rows = ArrowRows(self.names)
        self._waiting = [[] for _ in self.names]
        self._writer = parquet.ParquetWriter(self.file, schema(self.names), compression="zstd")

    def write(self, chunk: Chunk) -> None:
        """Add rows; full groups are written."""
        for waiting, column in zip(self._waiting, chunk.columns, strict=True):
            waiting.extend(column)
        while len(self._waiting[0]) >= self.group_rows:
            self._write_group()

    def close(self) -> None:
        """Write the remaining rows and the end of the file."""
        if self._waiting[0]:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        group = [column[: self.group_rows] for column in self._waiting]
        for column in self._waiting:
            del column[: self.group_rows]
        self._writer.write_batch(self.rows.from_columns(group))


def _read_as(field: Any, types: set[type]) -> Any:
    """The type that Arrow parses and converts into the column's own type."""
    pa = _pyarrow()
    if field.name in _MOMENTS and int in types:
        return pa.int64()
    return pa.string() if field.name in _PARSED else field.type


def as_column(name: str, value: Any) -> Any:
    """A value in the type of its column; `ValueError` and the like if it does not fit."""
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
        raise ValueError("the price is too large for the column")
    return amount.quantize(Decimal("0.001"))


def _whole(value: Any) -> int:
    if int(value) != float(value) or abs(int(value)) >= 2**63:
        raise ValueError("not a whole number")
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

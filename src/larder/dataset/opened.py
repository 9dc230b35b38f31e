"""An opened dataset: records, their history and their changes, as iterators, Arrow, pandas or Polars."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from larder.actions.dataset import export
from larder.actions.dataset.parquet import ArrowRows, schema
from larder.core.errors import not_installed
from larder.core.model.money import from_minor
from larder.core.model.source import Kind
from larder.dataset.readers import DatasetReader, folder_reader, http_reader, utc_now

Record = dict[str, Any]
FLAT_COLUMNS = tuple(name for name in export.COLUMNS if name != "time_zone")


@dataclass(frozen=True, slots=True)
class Dataset:
    """The dataset of one deployment. Everything is read when it is iterated over, page by page."""

    reader: DatasetReader

    def records(self, **filters: Any) -> Iterator[Record]:
        """Records that match all filters, as the API answers them.

        The filters are those of `GET /api/records`: `text`, `kind`, `source`, `site`, `price_min`,
        `price_max`, `currency`, `availability`, `brand`, `category`, `near`, `within_km`, `sort` ….
        """
        after: str | None = None
        while True:
            page = self.reader.find(filters, after)
            yield from page["items"]
            after = page["next"]
            if after is None:
                return

    def record(self, record_id: int) -> Record:
        """One record with `prices`, `words`, `versions` and `origins`: where each value comes from."""
        return dict(self.reader.record(record_id))

    def history(self, record_id: int) -> Iterator[Record]:
        """Every value that was observed of a record, oldest first: `field`, `value`, `observed_at` …."""
        known = self.reader.record(record_id)
        points = [_price_point(each) for each in known["prices"]] + [_word(each) for each in known["words"]]
        yield from sorted(points, key=lambda point: (point["observed_at"], point["field"]))

    def changes(self, since: str | None = None) -> Iterator[Record]:
        """Changes of records after a cursor, oldest first; from the beginning without one.

        Each line has its `cursor`: the last one, given as `since`, continues there. `latest` skips all
        changes so far.
        """
        while True:
            page = self.reader.changes(since)
            yield from page["changes"]
            since = page["next"]
            if not page["more"]:
                return

    def status(self) -> Record:
        """The state of the dataset: records, how many are fresh, and each source's last run."""
        return dict(self.reader.status())

    def batches(self, **filters: Any) -> Iterator[Any]:
        """Records as Arrow record batches, one for each page: for more than fits into memory."""
        names = _columns(filters)
        rows, page = ArrowRows(names), []
        for record in self.records(**filters):
            page.append(_flat(record, names))
            if len(page) == BATCH_ROWS:
                yield rows.batch(page)
                page = []
        if page:
            yield rows.batch(page)

    def arrow(self, **filters: Any) -> Any:
        """Records as an Arrow table (extra `parquet`)."""
        kinds = schema(_columns(filters))
        import pyarrow  # noqa: PLC0415 - an extra, which `schema` looked for

        return pyarrow.Table.from_batches(list(self.batches(**filters)), schema=kinds)

    def pandas(self, **filters: Any) -> Any:
        """Records as a pandas data frame (extra `pandas`)."""
        try:
            import pandas  # noqa: F401, PLC0415 - an extra
        except ImportError as error:
            raise not_installed("pandas data frames", "pandas") from error
        return self.arrow(**filters).to_pandas()

    def polars(self, **filters: Any) -> Any:
        """Records as a Polars data frame (extra `polars`)."""
        try:
            import polars  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise not_installed("Polars data frames", "polars") from error
        return polars.from_arrow(self.arrow(**filters))

    def close(self) -> None:
        """Close the database."""
        self.reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


BATCH_ROWS = 10_000


def open(  # noqa: A001 - it is called larder.open
    place: str | os.PathLike[str],
    *,
    key: str = "",
    hidden: bool = False,
    clock: Callable[[], datetime] = utc_now,
) -> Dataset:
    """Open the dataset of a data folder (SQLite) or of a deployment at a URL.

    `key`: an API key, for a URL. `hidden`: records of hidden sources too; at a URL this takes an admin key,
    and inactive records are included.
    """
    text = os.fspath(place)
    if text.startswith(("http://", "https://")):
        return Dataset(http_reader(text, key=key, hidden=hidden))
    return Dataset(folder_reader(Path(text), hidden=hidden, clock=clock))


def _columns(filters: Mapping[str, Any]) -> tuple[str, ...]:
    kind = filters.get("kind")
    return tuple(name for name in export.columns(Kind(kind) if kind else None) if name in FLAT_COLUMNS)


def _flat(record: Mapping[str, Any], names: tuple[str, ...]) -> Record:
    """A record as a row: its own fields, then those of its content.

    Times of events in their venue's time zone.
    """
    content: Mapping[str, Any] = record.get("content") or {}
    row = {name: record.get(name, content.get(name)) for name in names}
    minor = record["price_minor"]
    row["price"] = None if minor is None else str(from_minor(minor, record["currency"]))
    if record.get("starts_at"):
        row |= {name: content.get(name) or record[name] for name in ("starts_at", "ends_at")}
    return row


def _price_point(point: Mapping[str, Any]) -> Record:
    amount, currency = point["amount"], point["currency"]
    value = None if amount is None else str(from_minor(amount, currency))
    times = {name: point[name] for name in ("observed_at", "confirmed_at", "superseded_at", "run")}
    return {"field": "price", "value": value, "currency": currency, **times}


def _word(point: Mapping[str, Any]) -> Record:
    times = {name: point[name] for name in ("observed_at", "confirmed_at", "superseded_at", "run")}
    return {"field": point["field"], "value": point["word"], "currency": None, **times}

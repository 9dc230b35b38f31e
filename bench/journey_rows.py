"""What the peers of the journey keep: the fields of a page of the made-up site, as rows in SQLite."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COLUMNS = (
    "platform_id", "url", "title", "price", "currency", "availability", "seller", "image",
    "description", "posted_at", "area", "rooms", "street", "postcode", "city", "latitude", "longitude",
)  # fmt: skip
UPSERT = (
    f"INSERT INTO records ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "
    f"ON CONFLICT (platform_id) DO UPDATE SET {', '.join(f'{c} = excluded.{c}' for c in COLUMNS[1:])}"
)
BATCH = 64


def offered(thing: dict[str, Any]) -> dict[str, Any]:
    """What an index page says of a listing."""
    offer = thing["offers"]
    return {
        "platform_id": thing["productID"],
        "url": thing["url"],
        "title": thing["name"],
        "price": round(float(offer["price"]) * 100),
        "currency": offer["priceCurrency"],
        "availability": offer["availability"].rsplit("/", 1)[-1],
        "seller": offer["seller"]["name"],
        "image": thing["image"],
    }


def told(thing: dict[str, Any]) -> dict[str, Any]:
    """What a listing's own page says."""
    address, place = thing["address"], thing["geo"]
    return {
        **offered(thing),
        "description": thing["description"],
        "posted_at": thing["datePosted"],
        "area": thing["floorSize"]["value"],
        "rooms": thing["numberOfRooms"],
        "street": address["streetAddress"],
        "postcode": address["postalCode"],
        "city": address["addressLocality"],
        "latitude": place["latitude"],
        "longitude": place["longitude"],
    }


def first_price(found: Any) -> int | None:
    """The first price among what extruct found, in hundredths."""
    for said in _prices(found):
        if amount := re.search(r"\d+(?:\.\d+)?", str(said)):
            return round(float(amount[0]) * 100)
    return None


def _prices(found: Any) -> Iterator[Any]:
    if isinstance(found, dict):
        yield from (found[name] for name in ("price", "lowPrice") if name in found)
        found = list(found.values())
    if isinstance(found, list):
        for each in found:
            yield from _prices(each)


class Rows:
    """Rows into SQLite, so many to a transaction."""

    def __init__(self, folder: Path) -> None:
        self._conn = sqlite3.connect(folder / "rows.db")
        self._conn.execute("PRAGMA journal_mode = WAL")
        self._conn.execute("PRAGMA synchronous = NORMAL")
        self._conn.execute(f"CREATE TABLE records ({', '.join(COLUMNS)}, UNIQUE (platform_id))")
        self._waiting: list[tuple[Any, ...]] = []

    def add(self, item: dict[str, Any]) -> None:
        self._waiting.append(tuple(item.get(column) for column in COLUMNS))
        if len(self._waiting) >= BATCH:
            self._flush()

    def close(self) -> int:
        """Write what waits; how many rows have a page of their own."""
        self._flush()
        counted = self._conn.execute("SELECT count(*) FROM records WHERE description IS NOT NULL")
        rows: int = counted.fetchone()[0]
        self._conn.close()
        return rows

    def _flush(self) -> None:
        with self._conn:
            self._conn.executemany(UPSERT, self._waiting)
        self._waiting.clear()

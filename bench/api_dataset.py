"""A made-up dataset of any size, put straight into the tables and the index: for benchmarks of reading.

    python -m bench.api_dataset DATABASE_URL [ROWS]

Two hundred sources, one in twenty of them hidden; homes, events and products in three languages, spread over
a year and a country. The same size gives the same rows.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection, text

from larder.store.database import open_database
from larder.store.dataset import records
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.record_rows import FirstSighting, NewRecordRow, RecordColumns, RecordIdentity
from larder.store.migrations import upgrade
from larder.store.queue import sources
from larder.store.tables import records as table
from larder.store.tables.columns import micros

ROWS = 1_000_000
BATCH = 5_000
SOURCES = 200
HIDDEN = 20
"""One in so many sources."""
NOW = datetime(2026, 6, 1, tzinfo=UTC)

THINGS = {
    "listing": (
        "woning",
        "appartement",
        "huurwoning",
        "Wohnung",
        "Mietwohnung",
        "Haus",
        "flat",
        "house",
        "studio",
    ),
    "event": (
        "concert",
        "voorstelling",
        "markt",
        "Konzert",
        "Ausstellung",
        "Lesung",
        "exhibition",
        "play",
        "fair",
    ),
    "product": (
        "fiets",
        "stoel",
        "boekenkast",
        "Fahrrad",
        "Tisch",
        "Lampe",
        "bicycle",
        "chair",
        "headphones",
    ),
}
_TRAITS = ("ruime", "lichte", "mooie", "helle", "große", "neue", "sunny", "quiet", "rare", "classic")
PLACES = ("Amsterdam", "Utrecht", "Zwolle", "Wien", "Graz", "Linz", "Boston", "Albany", "Leeds", "Bristol")
_CATEGORIES = ("music", "theatre", "art", "market", "film")
_BRANDS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli")
_SYLLABLES = ("ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "wo", "ze", "fa", "gi")


def rows(count: int) -> Iterator[NewRecordRow]:
    """Records to add."""
    chance = Random(7)
    for number in range(count):
        yield _row(number, chance)


def _row(number: int, chance: Random) -> NewRecordRow:
    kind = ("listing", "listing", "listing", "event", "product")[number % 5]
    seen = NOW - timedelta(seconds=chance.randrange(365 * 86_400))
    anchored = NOW - timedelta(minutes=chance.randrange(20 * 60))
    starts = NOW + timedelta(hours=chance.randrange(1, 90 * 24)) if kind == "event" else None
    said = _content(number, kind, starts, chance)
    ends = (anchored, anchored + timedelta(hours=30.5), anchored + timedelta(hours=50))
    url = f"https://s{number % SOURCES}.test/{number}"
    columns = RecordColumns(
        str(number), url, url, said["title"], said["price_minor"], "EUR",
        "in_stock" if kind == "product" else None, None, said.get("category"), said.get("brand"),
        round(chance.uniform(1, 5), 1), said["latitude"], said["longitude"],
        micros(starts) if starts else None, micros(starts + timedelta(hours=3)) if starts else None,
        said, f"{number:x}", None, None, None,
    )  # fmt: skip
    return NewRecordRow(
        identity=RecordIdentity(number % SOURCES + 1, kind, f"PID:{number}", None),
        columns=columns,
        freshness=FreshnessColumns(100, 2, *map(micros, ends)),
        sighting=FirstSighting(micros(seen), micros(anchored), None, 1),
    )


def _content(number: int, kind: str, starts: datetime | None, chance: Random) -> dict[str, Any]:
    title = f"{chance.choice(_TRAITS)} {chance.choice(THINGS[kind])} {chance.choice(PLACES)} {_name(chance)}"
    said = {
        "platform_id": str(number),
        "title": title,
        "description": " ".join(_name(chance) for _ in range(20)),
        "price_minor": chance.randrange(10_00, 3_000_00),
        "currency": "EUR",
        "latitude": round(chance.uniform(50.5, 53.5), 5),
        "longitude": round(chance.uniform(3.3, 7.2), 5),
        "category": chance.choice(_CATEGORIES) if kind == "event" else None,
        "brand": chance.choice(_BRANDS) if kind == "product" else None,
        "rooms": chance.randrange(1, 7) if kind == "listing" else None,
        "starts_at": starts.isoformat() if starts else None,
    }
    return {name: value for name, value in said.items() if value is not None}


def _name(chance: Random) -> str:
    """One of some fifty thousand words."""
    return "".join(chance.choice(_SYLLABLES) for _ in range(4))


def plant(conn: Connection) -> None:
    """The sources."""
    for number in range(SOURCES):
        values = {"kind": "listing", "adapter": "listing", "url": f"https://s{number}.test/"}
        shown = "hidden" if number % HIDDEN == 0 else "public"
        sources.add(conn, {"slug": f"s{number}", "visibility": shown, **values}, now=NOW)


def keep(conn: Connection, batch: Sequence[NewRecordRow]) -> None:
    """Some rows, indexed like any."""
    records.add(conn, batch, now=NOW)


async def make(url: str, count: int) -> None:
    database = open_database(url)
    await database.run(upgrade.upgrade)
    await database.run(without_indexes)
    await database.run(plant)
    batch: list[NewRecordRow] = []
    for row in rows(count):
        batch.append(row)
        if len(batch) == BATCH:
            await database.run(keep, batch)
            batch = []
    if batch:
        await database.run(keep, batch)
    await database.run(settle)
    await database.close()


def without_indexes(conn: Connection) -> None:
    """Without the indexes that are made faster all at once."""
    for index in table.indexes:
        index.drop(conn)
    if conn.dialect.name == "postgresql":
        conn.execute(text("DROP INDEX ix_search_terms"))


def settle(conn: Connection) -> None:
    """As it would be after a night: indexed, counted, and tidied up."""
    for index in table.indexes:
        index.create(conn)
    if conn.dialect.name == "sqlite":
        conn.execute(text("INSERT INTO search (search) VALUES ('optimize')"))
    else:
        conn.execute(text("CREATE INDEX ix_search_terms ON search USING gin (terms)"))
    conn.execute(text("ANALYZE"))


if __name__ == "__main__":
    asyncio.run(make(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROWS))

"""A site that nobody tuned Larder for: added by its address alone, read once, held against its truth."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from larder.core.model.source import Kind
from tests.platform_sites import Shape, Thing
from tests.platform_sites.server import HOST, serving
from tests.unit.cli.conftest import Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run over one site came to."""

    status: str
    recall: float
    titles: float
    prices: float
    dates: float
    doubled: int
    invented: int
    requests: float
    """Asked for, as a multiple of what is needed."""
    asked_twice: list[str]
    run: dict[str, Any]


def read_once(shape: Shape, folder: Path) -> Outcome:
    """Add the site by its address, run once, compare."""
    larder = Shell(folder=folder, env={"LARDER_STAGGER_SECONDS": "0"})
    with serving(shape) as server:
        larder.begin()
        added = larder(
            "source",
            "add",
            server.address,
            "--kind",
            shape.kind,
            "--terms-reviewed",
            "--local",
            "--slug",
            "it",
            "--json",
        )
        assert added.code == 0, added.err
        assert larder("site", "set", HOST, "--spacing", "1ms").code == 0
        run = larder("run", "start", "it", "--json")
        rows = _records(larder.data / "larder.db")
        asked = dict(server.asked)
    return _judged(shape, run.json, rows, asked)


def _records(database: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(database) as rows:
        rows.row_factory = sqlite3.Row
        return [dict(row) for row in rows.execute("SELECT url, title, price_minor, starts_at FROM records")]


def _judged(shape: Shape, run: dict[str, Any], rows: list[dict[str, Any]], asked: dict[str, int]) -> Outcome:
    things = {_name(shape.detail_path(thing)): thing for thing in shape.things}
    found = [(things.get(_address(row["url"], shape)), row) for row in rows]
    pairs = [(thing, row) for thing, row in found if thing is not None]
    right = {thing.number for thing, _ in pairs}
    priced = [(t, row) for t, row in pairs if t.price is not None]
    needed = shape.pages + len(shape.things) + 1
    return Outcome(
        status=run["status"],
        recall=len(right) / len(shape.things),
        titles=_share(row["title"] == t.title for t, row in pairs),
        prices=_share(row["price_minor"] == int((t.price or Decimal(0)) * 100) for t, row in priced),
        dates=_share(_same_time(t, row) for t, row in pairs) if shape.kind is Kind.EVENT else 1.0,
        doubled=len(pairs) - len(right),
        invented=len(found) - len(pairs),
        requests=sum(asked.values()) / needed,
        asked_twice=[path for path, times in asked.items() if times > 1],
        run=run,
    )


def _share(hits: Any) -> float:
    listed = list(hits)
    return sum(listed) / len(listed) if listed else 1.0


def _same_time(thing: Thing, row: dict[str, Any]) -> bool:
    if thing.starts is None or row["starts_at"] is None:
        return False
    return datetime.fromtimestamp(row["starts_at"] / 1e6, UTC).replace(tzinfo=None) == thing.starts


def _name(address: str) -> str:
    """A detail page's path with the query parts that its shape needs."""
    parts = urlsplit(address)
    return parts.path + "?" + "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(parts.query)))


def _address(url: str | None, shape: Shape) -> str:
    wanted = {name for name, _ in parse_qsl(urlsplit(shape.detail_path(shape.things[0])).query)}
    parts = urlsplit(url or "")
    kept = [(name, value) for name, value in sorted(parse_qsl(parts.query)) if name in wanted]
    return parts.path + "?" + "&".join(f"{name}={value}" for name, value in kept)

"""The five users of Larder, the sites that they read, and what happens there while they look away."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from larder.core.model.source import Kind, Plan
from larder.store.tables import records
from larder.store.tables.columns import Moment
from tests.platform_sites import SHAPES, Shape, Thing
from tests.platform_sites.server import ShapeServer, serving

CONTENT = frozenset({"starts_at", "ends_at"})
"""Times that a site states; they do not move with the clock."""
ADDED, REMOVED = 2, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody who came for the figures of a few sites."""

    name: str
    shapes: tuple[str, ...]
    plan: Plan

    @property
    def kind(self) -> Kind:
        return SHAPES[self.shapes[0]].kind

    def __str__(self) -> str:
        return f"{self.name}-{self.plan}"


MARKETS = User(name="markets", shapes=("flats-fr", "flats-es"), plan=Plan.MARKET)
CLASSIFIEDS = User(name="classifieds", shapes=("markt-nl",), plan=Plan.INDEX)
AGENDA = User(name="agenda", shapes=("venue-nl",), plan=Plan.AGENDA)
CRAWLER = User(name="crawler", shapes=("woocommerce",), plan=Plan.INDEX)
PRICES = User(name="price monitor", shapes=("shopify", "prestashop"), plan=Plan.MONITOR)
OTHER_PLANS = [
    replace(who, plan=plan)
    for who in (replace(MARKETS, shapes=("flats-fr",)), AGENDA, CRAWLER)
    for plan in Plan
    if plan is not who.plan
]
"""All plans that a kind can have, except the one that its user chose."""


class Site:
    """A served shape that changes when it is told to."""

    def __init__(self, name: str, server: ShapeServer) -> None:
        self.name = name
        self._server = server
        self._waiting = list(server.shape.things[-ADDED:])
        self._show(list(server.shape.things[:-ADDED]))

    @property
    def shape(self) -> Shape:
        return self._server.shape

    @property
    def index(self) -> str:
        return self._server.address

    def address(self, thing: Thing) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{self.shape.detail_path(thing)}"

    def change(self) -> "News":
        """Two things are new on top, three are gone, and one has half its price."""
        gone, cut, *rest = (self.shape.things[:REMOVED], *self.shape.things[REMOVED:])
        cheaper = replace(cut, price=None if cut.price is None else Decimal(int(cut.price) // 2))
        new, self._waiting = self._waiting, []
        self._show([*new, cheaper, *rest])
        return News(new=new, gone=list(gone), cheaper=cheaper)

    def _show(self, things: list[Thing]) -> None:
        self._server.shape = replace(self._server.shape, things=things)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What happened on a site."""

    new: list[Thing]
    gone: list[Thing]
    cheaper: Thing


@contextmanager
def sites(user: User) -> Iterator[list[Site]]:
    """A user's sites, served."""
    with ExitStack() as stack:
        yield [Site(name, stack.enter_context(serving(SHAPES[name]))) for name in user.shapes]


def pass_hours(database: Path, hours: float) -> None:
    """So many hours go by: everything that Larder has stored happened that much longer ago."""
    gap = timedelta(hours=hours)
    with closing(sqlite3.connect(database, timeout=30)) as opened, opened as rows:
        for column in (column for each in records.metadata.sorted_tables for column in each.columns):
            if isinstance(column.type, Moment) and column.name not in CONTENT:
                shift = f'UPDATE "{column.table.name}" SET "{column.name}" = "{column.name}" - ?'
                rows.execute(shift, [int(gap / timedelta(microseconds=1))])
        for table, name in (("runs", "state"), ("schedules", "memory")):
            for number, kept in rows.execute(f"SELECT rowid, {name} FROM {table}").fetchall():
                earlier = [_earlier(kept or "{}", gap), number]
                rows.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = ?", earlier)


def _earlier(text: str, gap: timedelta) -> str:
    """The state of a run, or what it left to the next, with its times that much earlier."""
    return _TIME.sub(lambda found: (datetime.fromisoformat(found[0]) - gap).isoformat(), text)


_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00")


def titles(things: list[Thing]) -> set[str]:
    return {thing.title for thing in things}


def minor(thing: Thing) -> int | None:
    return None if thing.price is None else int(thing.price * 100)

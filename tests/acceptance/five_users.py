"""The five users of Larder, the sites that they read, and what happens on those sites while they look away."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from larder.core.model.source import Kind, Plan
from larder.sim.shapes import SHAPES, Shape, Thing
from larder.sim.shapes.server import ShapeServer, serving
from larder.store.tables import records
from larder.store.tables.columns import Moment

CONTENT = frozenset({"starts_at", "ends_at"})
"""Times that a site states; they do not move with the clock."""
CUT = Decimal("0.5")
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
FIVE = (MARKETS, CLASSIFIEDS, AGENDA, CRAWLER, PRICES)


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
        cheaper = replace(cut, price=None if cut.price is None else (cut.price * CUT).quantize(Decimal("0.01")))
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
    with sqlite3.connect(database, timeout=30) as rows:
        for table in records.metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, Moment) and column.name not in CONTENT:
                    rows.execute(
                        f'UPDATE "{table.name}" SET "{column.name}" = "{column.name}" - ?', [int(hours * 3.6e9)]
                    )
    rows.close()


def titles(things: list[Thing]) -> set[str]:
    return {thing.title for thing in things}


def minor(thing: Thing) -> int | None:
    return None if thing.price is None else int(thing.price * 100)

"""Search and browse: what the public may see, as cards, as a map, as what is on."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from sqlalchemy import Connection

from larder.actions.dataset import export
from larder.actions.operations import overview
from larder.core.errors import BadInput
from larder.core.model.source import Kind, Visibility
from larder.store.reads import public
from larder.store.reads.query import Query, Sort, place
from larder.store.tables import sources
from larder.web.cards import Card, cards, dot_of
from larder.web.choices import slugs
from larder.web.context import Visit, Visitor, amount, one_of
from larder.web.count_cache import Kept
from larder.web.drawing.maps import Zoom, place_map
from larder.web.price_input import between

router = APIRouter()

PAGE = 24
DOTS = 200
STREET = 0.5
"""Kilometres within which places lie next to each other."""
KINDS = tuple(str(kind) for kind in Kind)
SORTS = tuple(str(sort) for sort in Sort)
ASKED = ("q", "kind", "source", "from", "to", "availability", "category", "near", "within", "sort")
AVAILABILITIES = ("in_stock", "out_of_stock", "backorder")


_FIRST = {
    Sort.NEWEST: "newest",
    Sort.PRICE: "cheapest",
    Sort.PRICE_DOWN: "dearest",
    Sort.FRESHNESS: "freshest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A page of cards, and what may be asked next."""

    cards: Sequence[Card]
    next: str | None
    sources: Sequence[str]


@router.get("/")
async def browse(visit: Visitor) -> Response:
    """All that is shown, the newest first, or what was asked for."""
    return await _or_unclear(visit, "browse", _browse(visit))


@router.get("/map")
async def on_a_map(visit: Visitor) -> Response:
    """The same by place: the newest that have one."""
    return await _or_unclear(visit, "map", _on_a_map(visit))


@router.get("/events")
async def events(visit: Visitor) -> Response:
    """What is on, the next first."""
    return await _or_unclear(visit, "events", _events(visit))


async def _or_unclear(visit: Visit, place: str, found: Awaitable[Response]) -> Response:
    """What was found; where the form cannot be understood, the form as it was sent, and what is wrong."""
    try:
        return await found
    except BadInput as wrong:
        shelf = Shelf(cards=(), next=None, sources=await visit.look(_sources))
        form = _form(visit)
        return visit.page("public/unclear.html", status=400, place=place, shelf=shelf, **form, wrong=wrong)


async def _browse(visit: Visit) -> Response:
    asked = _asked(visit.request.query_params, limit=PAGE)
    shelf = await visit.look(_shelf, asked, now=visit.now)
    form = _form(visit)
    whole = None if form["narrowed"] else await _public(visit)
    return visit.page(
        "public/browse.html", place="browse", shelf=shelf, **form, next=_next(visit, shelf.next), whole=whole
    )


async def _public(visit: Visit) -> int:
    """How many there are in all; they are not counted anew for each visitor."""
    kept: Kept[int] = visit.request.app.state.shown
    return await kept.get(lambda: visit.look(overview.count_public, now=visit.now))


async def _on_a_map(visit: Visit) -> Response:
    asked = _asked(visit.request.query_params, limit=DOTS)
    shelf = await visit.look(_shelf, asked, now=visit.now)
    placed = [card for card in shelf.cards if dot_of(card)]
    first = "places" if shelf.next is None else f"of the {_first(asked)} {len(shelf.cards)}"
    drawn = place_map([dot for card in placed if (dot := dot_of(card))], _closer(visit), of=first)
    return visit.page(
        "public/map.html",
        place="map",
        shelf=shelf,
        placed=placed,
        drawn=drawn,
        first=_first(asked),
        reach=asked.reach_km if asked.near else None,
        **_form(visit),
    )


def _first(asked: Query) -> str:
    """What the first of an order are called."""
    return _FIRST.get(asked.order, "first")


def _closer(visit: Visit) -> Zoom:
    """A closer look at what was asked for; what does not get any closer is shown as cards."""
    before = visit.request.query_params.get("within")

    def address(latitude: float, longitude: float, km: float) -> str:
        within = f"{km:g}"
        path = "/" if within == before or km <= STREET else "/map"
        return path + visit.but(near=f"{latitude},{longitude}", within=within)

    return address


async def _events(visit: Visit) -> Response:
    asked = replace(_asked(visit.request.query_params, limit=PAGE), kind=Kind.EVENT)
    if asked.sort is None and asked.text is None:
        asked = replace(asked, sort=Sort.STARTS_AT)
    shelf = await visit.look(_shelf, asked, now=visit.now)
    return visit.page(
        "public/events.html", place="events", shelf=shelf, **_form(visit), next=_next(visit, shelf.next)
    )


@router.get("/records.csv")
async def as_csv(visit: Visitor) -> Response:
    """What was asked for, as a file."""
    asked = _asked(visit.request.query_params, limit=PAGE)
    asked = await visit.look(export.export_query, asked, now=visit.now)
    headers = {"Content-Disposition": 'attachment; filename="records.csv"'}
    return StreamingResponse(_lines(visit, asked), media_type="text/csv; charset=utf-8", headers=headers)


async def _lines(visit: Visit, asked: Query) -> AsyncIterator[str]:
    yield export.csv_header()
    left: Query | None = asked
    while left is not None:
        found = await visit.look(export.read_chunk, left, now=visit.now)
        yield export.csv_lines(found.rows)
        left = found.next


def _shelf(conn: Connection, asked: Query, *, now: datetime) -> Shelf:
    found = public.find(conn, asked, now=now)
    return Shelf(cards=cards(conn, found.rows, now=now), next=found.next, sources=_sources(conn))


def _sources(conn: Connection) -> Sequence[str]:
    return slugs(conn, sources.c.visibility == Visibility.PUBLIC)


def _asked(params: Mapping[str, str], *, limit: int) -> Query:
    """What the form says; a field that is empty asks for nothing."""
    said = {name: value.strip() for name, value in params.items() if value.strip()}
    asked = Query(
        text=said.get("q"),
        kind=one_of(said["kind"], Kind, "kind") if "kind" in said else None,
        source=said.get("source"),
        availability=said.get("availability"),
        category=said.get("category"),
        near=place(said.get("near")),
        within_km=amount(said.get("within"), "a reach"),
        sort=one_of(said["sort"], Sort, "sort") if "sort" in said else None,
        after=said.get("after"),
        limit=limit,
    )
    return between(asked, said.get("from"), said.get("to"))


def _form(visit: Visit) -> dict[str, Any]:
    return {
        "asked": {name: visit.request.query_params.get(name, "") for name in ASKED},
        "but": visit.but,
        "further": "after" in visit.request.query_params,
        "narrowed": any(visit.request.query_params.get(name) for name in ASKED),
        "kinds": KINDS,
        "sorts": SORTS,
        "availabilities": AVAILABILITIES,
    }


def _next(visit: Visit, cursor: str | None) -> str:
    return "" if cursor is None else visit.but(after=cursor)

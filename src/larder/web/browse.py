"""The public search: records as cards, on a map, and as a list of events."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from larder.actions.dataset.price_range import with_price_range
from larder.app.cost_cache import CostCache
from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.rendering.response_cache import CachedBody, ResponseCache
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.lookup import list_slugs
from larder.store.reads.operators import overview
from larder.store.reads.query import Query, Sort, parse_place
from larder.web.cards import Card, cards, dot_of
from larder.web.context import THEME_COOKIE, PageContext, PublicContext, parse_amount, parse_choice
from larder.web.csv_download import csv_download
from larder.web.drawing.maps import Zoom, place_map

router = APIRouter()

PAGE = 24
MAX_DOTS = 200
SHARED = timedelta(seconds=10)
"""How long visitors share a page that nothing changed: it says how long ago things were."""
MIN_ZOOM_KM = 0.5
"""Kilometres below which the map is not zoomed further."""
KINDS = tuple(str(kind) for kind in Kind)
SORTS = tuple(str(sort) for sort in Sort)
FILTERS = ("q", "kind", "source", "from", "to", "availability", "category", "near", "within", "sort")
AVAILABILITIES = ("in_stock", "out_of_stock", "backorder")


_ORDER_LABELS = {
    Sort.NEWEST: "newest",
    Sort.PRICE: "cheapest",
    Sort.PRICE_DOWN: "dearest",
    Sort.FRESHNESS: "freshest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A page of cards, with the cursor of the next page."""

    cards: Sequence[Card]
    next: str | None
    sources: Sequence[str]


@router.get("/")
async def browse(ctx: PublicContext) -> Response:
    """All public records, newest first, or those that match."""
    return await _or_form_error(ctx, "browse", _browse)


@router.get("/map")
async def show_map(ctx: PublicContext) -> Response:
    """Show the records on a map."""
    return await _or_form_error(ctx, "map", _map)


@router.get("/events")
async def events(ctx: PublicContext) -> Response:
    """Upcoming events, the earliest first."""
    return await _or_form_error(ctx, "events", _events)


Make = Callable[[PageContext], Awaitable[Response]]


async def _or_form_error(ctx: PageContext, place: str, make: Make) -> Response:
    """The page, or the form with an error message if a field is invalid."""
    try:
        return await _cached(ctx, make)
    except BadInput as wrong:
        card_page = CardPage(cards=(), next=None, sources=await ctx.read(_sources))
        form = _form(ctx)
        return ctx.page(
            "public/unclear.html", status=400, place=place, card_page=card_page, **form, wrong=wrong
        )


async def _cached(ctx: PageContext, make: Make) -> Response:
    """The page; visitors without a session share it for a few seconds."""
    if ctx.caller.known or set(ctx.request.cookies) - {THEME_COOKIE}:
        return await make(ctx)

    async def body() -> CachedBody:
        return CachedBody(bytes((await make(ctx)).body), "", ctx.now + SHARED)

    cache: ResponseCache = ctx.request.app.state.public_pages
    cached = await cache.body((str(ctx.request.url), ctx.theme), body, now=ctx.now)
    return HTMLResponse(cached.packed)


async def _browse(ctx: PageContext) -> Response:
    query = search_query(ctx.request.query_params, limit=PAGE)
    card_page = await ctx.read(_card_page, query, now=ctx.now)
    form = _form(ctx)
    total = None if form["narrowed"] else await _public_count(ctx)
    return ctx.page(
        "public/browse.html",
        place="browse",
        card_page=card_page,
        **form,
        next=_next(ctx, card_page.next),
        total=total,
    )


async def _public_count(ctx: PageContext) -> int:
    """The number of public records, cached."""
    cache: CostCache[int] = ctx.request.app.state.shown
    return await cache.get(lambda: ctx.read(overview.count_public, now=ctx.now))


async def _map(ctx: PageContext) -> Response:
    query = search_query(ctx.request.query_params, limit=MAX_DOTS)
    card_page = await ctx.read(_card_page, query, now=ctx.now)
    placed = [card for card in card_page.cards if dot_of(card)]
    first = "places" if card_page.next is None else f"of the {_order_label(query)} {len(card_page.cards)}"
    markup = place_map([dot for card in placed if (dot := dot_of(card))], _zoom(ctx), of=first)
    return ctx.page(
        "public/map.html",
        place="map",
        card_page=card_page,
        placed=placed,
        drawn=markup,
        first=_order_label(query),
        reach=query.reach_km if query.near else None,
        **_form(ctx),
    )


def _order_label(query: Query) -> str:
    """How the first records of a sort order are called."""
    return _ORDER_LABELS.get(query.order, "first")


def _zoom(ctx: PageContext) -> Zoom:
    """Links from a cluster to a closer map, or to cards if the map cannot be zoomed further."""
    before = ctx.request.query_params.get("within")

    def address(latitude: float, longitude: float, km: float) -> str:
        within = f"{km:g}"
        path = "/" if within == before or km <= MIN_ZOOM_KM else "/map"
        return path + ctx.url_with(near=f"{latitude},{longitude}", within=within)

    return address


async def _events(ctx: PageContext) -> Response:
    query = replace(search_query(ctx.request.query_params, limit=PAGE), kind=Kind.EVENT)
    if query.sort is None and query.text is None:
        query = replace(query, sort=Sort.STARTS_AT)
    card_page = await ctx.read(_card_page, query, now=ctx.now)
    return ctx.page(
        "public/events.html",
        place="events",
        card_page=card_page,
        **_form(ctx),
        next=_next(ctx, card_page.next),
    )


@router.get("/records.csv")
async def as_csv(ctx: PublicContext) -> Response:
    """The search results as a CSV file."""
    query = search_query(ctx.request.query_params, limit=PAGE)
    return await csv_download(ctx, replace(query, collapse=False), "records.csv")


def _card_page(conn: Connection, query: Query, *, now: datetime) -> CardPage:
    page = public.find_records(conn, query, now=now)
    return CardPage(cards=cards(conn, page.rows, now=now), next=page.next, sources=_sources(conn))


def _sources(conn: Connection) -> Sequence[str]:
    return list_slugs(conn, public_only=True)


def search_query(params: Mapping[str, str], *, limit: int) -> Query:
    """The query of the form; empty fields are ignored."""
    values = {name: value.strip() for name, value in params.items() if value.strip()}
    query = Query(
        text=values.get("q"),
        kind=parse_choice(values["kind"], Kind, "kind") if "kind" in values else None,
        source=values.get("source"),
        availability=values.get("availability"),
        category=values.get("category"),
        near=parse_place(values.get("near")),
        within_km=parse_amount(values.get("within"), "distance"),
        sort=parse_choice(values["sort"], Sort, "sort") if "sort" in values else None,
        after=values.get("after"),
        collapse=True,
        limit=limit,
    )
    return with_price_range(query, values.get("from"), values.get("to"))


def _form(ctx: PageContext) -> dict[str, Any]:
    return {
        "filters": {name: ctx.request.query_params.get(name, "") for name in FILTERS},
        "but": ctx.url_with,
        "further": "after" in ctx.request.query_params,
        "narrowed": any(ctx.request.query_params.get(name) for name in FILTERS),
        "kinds": KINDS,
        "sorts": SORTS,
        "availabilities": AVAILABILITIES,
    }


def _next(ctx: PageContext, cursor: str | None) -> str:
    return "" if cursor is None else ctx.url_with(after=cursor)

"""Public records: search, filter, sort, paginate; one record with its history and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.responses import Response

from larder.actions.dataset import answers, entities, public_record
from larder.actions.dataset.public_record import PublicRecord
from larder.api.cached_route import CachedRoute
from larder.api.context import ApiState, PublicContext
from larder.api.request_bodies import RowId
from larder.api.responses import conditional_response, etag_of, etag_response, json_bytes
from larder.api.schemas import Items
from larder.core.errors import BadInput
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.core.policy.watches import MAX_PRICE
from larder.rendering.json_values import to_json
from larder.rendering.response_cache import CachedBody
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.paging import FoundRecords
from larder.store.reads.query import MAX_ROWS, PAGE, Sort
from larder.store.reads.query import Query as Asked
from larder.store.reads.record_history import Origin, PricePoint, ValuePoint, VersionLine

router = APIRouter(prefix="/records", tags=["records"])
lists = APIRouter(prefix="/records", tags=["records"], route_class=CachedRoute)
"""The routes whose responses are cached."""

MAX_MINOR = 2**53
NEAR = r"^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$"


class Collapse(StrEnum):
    """Which records a list shows as one."""

    ENTITY = "entity"
    NONE = "none"


class RecordFilters(BaseModel):
    """Filters of a record search; a record must match all of them."""

    model_config = ConfigDict(frozen=True)

    text: str | None = Field(default=None, max_length=200, description="Words to search for.")
    kind: Kind | None = Field(default=None, description="listing, event or product.")
    source: str | None = Field(default=None, max_length=64, description="A source's slug.")
    site: str | None = Field(default=None, max_length=253, description="A site's domain.")
    price_min: Decimal | None = Field(
        default=None,
        ge=0,
        le=MAX_PRICE,
        decimal_places=3,
        description="20 or 20.00 is twenty, in any currency.",
    )
    price_max: Decimal | None = Field(
        default=None, ge=0, le=MAX_PRICE, decimal_places=3, description="The same; at most this price."
    )
    price_min_minor: int | None = Field(
        default=None, ge=0, le=MAX_MINOR, description="In minor units (cents)."
    )
    price_max_minor: int | None = Field(
        default=None, ge=0, le=MAX_MINOR, description="In minor units (cents)."
    )
    currency: str | None = Field(default=None, pattern="^[A-Za-z]{3}$", description="ISO 4217 code.")
    availability: Availability | None = Field(default=None, description="Availability.")
    brand: str | None = Field(default=None, max_length=200, description="Brand of a product.")
    category: str | None = Field(
        default=None, max_length=100, description="Category of an event, such as music."
    )
    rating_min: float | None = Field(default=None, ge=0, le=100, description="Minimum rating.")
    rooms_min: float | None = Field(
        default=None, ge=0, le=1_000, description="Minimum number of rooms of a home."
    )
    starts_after: AwareDatetime | None = Field(default=None, description="For events; with a time zone.")
    starts_before: AwareDatetime | None = Field(default=None, description="For events; with a time zone.")
    near: str | None = Field(default=None, pattern=NEAR, description="LAT,LON of the centre.")
    within_km: float | None = Field(
        default=None, gt=0, le=20_000, description="Maximum distance from `near`."
    )
    confidence_min: int | None = Field(
        default=None, ge=0, le=100, description="Minimum confidence, 0 to 100."
    )
    collapse: Collapse | None = Field(
        default=None, description="entity: records of one thing are one; default of public reads. none: each."
    )
    sort: Sort | None = Field(default=None, description="Default: relevance with `text`, else newest.")
    after: str | None = Field(default=None, max_length=200, description="`next` of the previous page.")
    limit: int = Field(default=PAGE, ge=1, le=MAX_ROWS, description="Records per page.")
    fields: str | None = Field(
        default=None, max_length=1_000, description="Field names, separated by commas; default: all."
    )

    def to_query(self, *, public: bool = False) -> Asked:
        """The query for the store; `public`: records of one entity are one unless all are requested."""
        collapse = self.collapse is Collapse.ENTITY or (public and self.collapse is None)
        values: dict[str, Any] = {name: getattr(self, name) for name in Asked.__dataclass_fields__}
        return Asked(**{**values, "near": parse_near(self.near), "collapse": collapse})


RecordQuery = Annotated[RecordFilters, Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """A page of records."""

    items: Sequence[PublicRecord]
    next: str | None
    """Send it as `after` to get the next page; null: this is the last page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHistory:
    """A record with its history and the origin of each value."""

    record: PublicRecord
    prices: Sequence[PricePoint]
    words: Sequence[ValuePoint]
    versions: Sequence[VersionLine]
    origins: Sequence[Origin]


@lists.get("", summary="Search, filter and page through records", response_model=RecordPage)
async def find(request: Request, ctx: PublicContext, query: RecordQuery) -> Response:
    """Active records of public sources with a confidence of at least 40, without past events."""
    names = public_record.select_fields(query.fields)

    async def make() -> CachedBody:
        page = await ctx.app.find(query.to_query(public=True), now=ctx.now)
        linked = sorted({row.entity_id for row in page.rows if row.entity_id})
        sources_of = await ctx.read(public.sources_by_entity, linked, now=ctx.now) if linked else {}
        body = json_bytes(record_page(page, names, ctx.now, sources_of))
        return CachedBody(body, etag_of(body), public_record.valid_until(page.rows, now=ctx.now))

    state: ApiState = request.app.state.api
    state.response_cache.remember(request.scope["query_string"], query)
    cached = await state.response_cache.body(query, make, now=ctx.now)
    return conditional_response(request, cached.packed, cached.tag, private=ctx.caller.known)


@router.get("/{record_id:row}", summary="One record, with its history", response_model=RecordHistory)
async def show(request: Request, ctx: PublicContext, record_id: RowId) -> Response:
    """The record, its prices and versions, and the page that each value was read from."""
    return etag_response(request, await ctx.read(_history, record_id, now=ctx.now), private=ctx.caller.known)


@router.get(
    "/{record_id:row}/siblings",
    summary="Records of other sources for the same item",
    response_model=Items[PublicRecord],
)
async def siblings(request: Request, ctx: PublicContext, record_id: RowId) -> Response:
    """Records of other sources that are linked to the same entity, cheapest first."""
    rows = await ctx.read(entities.public_siblings, record_id, ctx.now)
    answers = [public_record.to_public(row, public_record.FIELD_NAMES, now=ctx.now) for row in rows]
    return etag_response(request, {"items": answers}, private=ctx.caller.known)


def record_page(
    page: FoundRecords,
    names: Sequence[str],
    now: datetime,
    sources_of: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """A page as JSON values; `carried`: the sources of each entity."""
    items = [public_record.to_public(row, names, now=now, sources_of=sources_of) for row in page.rows]
    return {"items": items, "next": page.next}


def _history(conn: Connection, record_id: int, *, now: datetime) -> Mapping[str, Any]:
    known: Mapping[str, Any] = to_json(answers.history(conn, record_id, now=now))
    return known


def parse_near(near: str | None) -> tuple[float, float] | None:
    """Coordinates from `LAT,LON`."""
    if near is None:
        return None
    latitude, longitude = map(float, near.split(","))
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise BadInput(f"invalid coordinates: {near}", hint="latitude is -90 to 90, longitude -180 to 180")
    return latitude, longitude

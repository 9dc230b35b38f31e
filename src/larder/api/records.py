"""Records for everybody: search, filter, sort, page by page; one with its history and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.responses import Response

from larder.actions.dataset import entities, public_record, records
from larder.actions.dataset.public_record import PublicRecord
from larder.api.context import ApiState, PublicContext
from larder.api.request_bodies import Id
from larder.api.response_cache import CachedBody
from larder.api.responses import conditional_response, encode, etag_of, etag_response
from larder.api.schemas import Items
from larder.core.errors import BadInput, NotFound
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.rendering.json_values import to_json
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.paging import Found
from larder.store.reads.query import MOST, PAGE, Sort
from larder.store.reads.query import Query as Asked
from larder.store.reads.record_history import Origin, PricePoint, ValuePoint, VersionLine

router = APIRouter(prefix="/records", tags=["records"])

MAX_MINOR = 2**53
NEAR = r"^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$"


class RecordFilters(BaseModel):
    """What may be asked of records; every part narrows."""

    model_config = ConfigDict(frozen=True)

    text: str | None = Field(default=None, max_length=200, description="Words to look for.")
    kind: Kind | None = Field(default=None, description="listing, event or product.")
    source: str | None = Field(default=None, max_length=64, description="A source's slug.")
    site: str | None = Field(default=None, max_length=253, description="A site's domain.")
    price_min: int | None = Field(default=None, ge=0, le=MAX_MINOR, description="In minor units (cents).")
    price_max: int | None = Field(default=None, ge=0, le=MAX_MINOR, description="In minor units (cents).")
    currency: str | None = Field(default=None, pattern="^[A-Za-z]{3}$", description="As ISO 4217 has it.")
    availability: Availability | None = Field(default=None, description="Whether it can be had.")
    brand: str | None = Field(default=None, max_length=200, description="Of a product.")
    category: str | None = Field(default=None, max_length=100, description="Such as music, for events.")
    rating_min: float | None = Field(default=None, ge=0, le=100, description="The least rating.")
    rooms_min: float | None = Field(default=None, ge=0, le=1_000, description="Of homes: at least so many.")
    starts_after: AwareDatetime | None = Field(default=None, description="Of events, with a time zone.")
    starts_before: AwareDatetime | None = Field(default=None, description="Of events, with a time zone.")
    near: str | None = Field(default=None, pattern=NEAR, description="LAT,LON.")
    within_km: float | None = Field(default=None, gt=0, le=20_000, description="How far from `near`.")
    confidence_min: int | None = Field(default=None, ge=0, le=100, description="How sure we must be.")
    sort: Sort | None = Field(default=None, description="By relevance where text is given, else newest.")
    after: str | None = Field(default=None, max_length=200, description="The `next` of the page before.")
    limit: int = Field(default=PAGE, ge=1, le=MOST, description="Records of a page.")
    fields: str | None = Field(
        default=None, max_length=1_000, description="Names of fields, with commas between; else all."
    )

    def asked(self) -> Asked:
        """The same, as the store wants it."""
        said: dict[str, Any] = {name: getattr(self, name) for name in Asked.__dataclass_fields__}
        return Asked(**{**said, "near": parse_near(self.near)})


RecordQuery = Annotated[RecordFilters, Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """A page of records."""

    items: Sequence[PublicRecord]
    next: str | None
    """Hand it back as `after` for the next page; None: this was the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHistory:
    """A record, what it was before, and where each value comes from."""

    record: PublicRecord
    prices: Sequence[PricePoint]
    words: Sequence[ValuePoint]
    versions: Sequence[VersionLine]
    origins: Sequence[Origin]


@router.get("", summary="Search, filter and page through records", response_model=RecordPage)
async def find(request: Request, ctx: PublicContext, asked: RecordQuery) -> Response:
    """Records of public sources that are active, not over, and of which we are sure enough (40 of 100)."""
    names = public_record.select_fields(asked.fields)

    async def make() -> CachedBody:
        found = await ctx.app.find(asked.asked(), now=ctx.now)
        body = encode(record_page(found, names, ctx.now))
        return CachedBody(body, etag_of(body), public_record.valid_until(found.rows, now=ctx.now))

    state: ApiState = request.app.state.api
    kept = await state.kept.body(asked, make, now=ctx.now)
    return conditional_response(request, kept.packed, kept.tag, private=ctx.caller.known)


@router.get("/{record_id:row}", summary="One record, with its history", response_model=RecordHistory)
async def show(request: Request, ctx: PublicContext, record_id: Id) -> Response:
    """What it is, every price and version of it, and the page that each value was read from."""
    return etag_response(request, await ctx.look(_history, record_id, now=ctx.now), private=ctx.caller.known)


@router.get(
    "/{record_id:row}/siblings", summary="The same thing elsewhere", response_model=Items[PublicRecord]
)
async def siblings(request: Request, ctx: PublicContext, record_id: Id) -> Response:
    """Records of other sources that are about the same thing, cheapest first."""
    rows = await ctx.look(entities.public_siblings, record_id, ctx.now)
    told = [public_record.to_public(row, public_record.FIELD_NAMES, now=ctx.now) for row in rows]
    return etag_response(request, {"items": told}, private=ctx.caller.known)


def record_page(found: Found, names: Sequence[str], now: datetime) -> dict[str, Any]:
    """A page as it goes out."""
    return {"items": [public_record.to_public(row, names, now=now) for row in found.rows], "next": found.next}


def _history(conn: Connection, record_id: int, *, now: datetime) -> Mapping[str, Any]:
    row = public.by_id(conn, record_id, now=now)
    if row is None:
        raise NotFound(f"there is no record {record_id}", hint="it may be gone, or not public")
    known = records.build_view(conn, row, now=now)
    return {
        "record": public_record.to_public(row, public_record.FIELD_NAMES, now=now),
        "prices": to_json(known.prices),
        "words": to_json(known.words),
        "versions": to_json(known.versions),
        "origins": [to_json(_without_operator(each)) for each in known.origins],
    }


def _without_operator(origin: Origin) -> Origin:
    """That a value was put right by hand is everybody's business; by whose hand is not."""
    return replace(origin, pinned_by="an operator") if origin.pinned_by else origin


def parse_near(near: str | None) -> tuple[float, float] | None:
    """A place on earth from its two numbers."""
    if near is None:
        return None
    latitude, longitude = map(float, near.split(","))
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise BadInput(f"{near} is nowhere", hint="latitude is from -90 to 90, longitude from -180 to 180")
    return latitude, longitude

"""All records with their evidence, and corrections: pin, unpin, erase."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import corrections, public_record, records
from larder.actions.dataset.corrections import Correction
from larder.actions.dataset.records import RecordView
from larder.api.context import AdminContext
from larder.api.records import RecordFilters, RecordPage, record_page
from larder.api.request_bodies import RequestBody, RowId
from larder.api.responses import etag_response
from larder.store.reads.records import StateFilter

router = APIRouter(prefix="/records", tags=["records (admin)"])

FieldName = Annotated[str, Path(min_length=1, max_length=64, description="The field's name.")]


class PinnedValue(RequestBody):
    """A value that later pages do not change."""

    value: str | int | float | bool | None = Field(
        description="The value as a page would show it: '1,250.00'."
    )


class AllRecordFilters(RecordFilters):
    """Filters of a search over all records, hidden and inactive ones too."""

    state: StateFilter | None = Field(
        default=None,
        description="active, inactive, faded, lapsed, unseen, gone, archived or hidden (of hidden sources).",
    )


class SavedCount(RequestBody):
    """How many people saved a record elsewhere; it counts in the ranking of events."""

    saved: int = Field(ge=0, le=10**9, description="How many people.")


class InterestCount(RequestBody):
    """How many people are interested in a record; it counts in the ranking of events."""

    interested: int = Field(ge=0, le=10**9, description="How many people.")


class Erasure(RequestBody):
    """A request for erasure."""

    reason: str = Field(min_length=1, max_length=500, description="Who requested it, and when.")


class SellerErasure(Erasure):
    """A request for the erasure of a seller."""

    seller: str = Field(min_length=1, max_length=500, description="The seller's name as in the records.")


@router.get("", summary="Search all records", response_model=RecordPage)
async def find(request: Request, ctx: AdminContext, query: Annotated[AllRecordFilters, Query()]) -> Response:
    """The filters of the public search, over hidden and inactive records as well."""
    names = public_record.select_fields(query.fields)
    page = await ctx.read(records.search, query.to_query(), state=query.state, now=ctx.now)
    return etag_response(request, record_page(page, names, ctx.now), private=True)


@router.get("/{record_id:row}", summary="One record with its evidence")
async def show(ctx: AdminContext, record_id: RowId) -> RecordView:
    """Its history, the origin of each value, and the evidence for its state."""
    return await ctx.read(records.show, record_id, now=ctx.now)


@router.put("/{record_id:row}/pins/{name}", summary="Pin a value")
async def pin(ctx: AdminContext, record_id: RowId, name: FieldName, body: PinnedValue) -> Correction:
    """Sets a field; later pages do not change it."""
    return await ctx.run(corrections.pin, record_id, name, body.value, **ctx.actor)


@router.delete("/{record_id:row}/pins/{name}", summary="Unpin a value")
async def unpin(ctx: AdminContext, record_id: RowId, name: FieldName) -> Correction:
    """The field is read from pages again."""
    return await ctx.run(corrections.unpin, record_id, name, **ctx.actor)


@router.put("/{record_id:row}/saved", summary="Set how many people saved a record")
async def set_saved(ctx: AdminContext, record_id: RowId, body: SavedCount) -> Correction:
    """Counted by another system; the counts of sites are read from their pages as `interested`."""
    return await ctx.run(corrections.set_saved, record_id, body.saved, **ctx.actor)


@router.put("/{record_id:row}/interested", summary="Set how many people are interested in a record")
async def set_interested(ctx: AdminContext, record_id: RowId, body: InterestCount) -> Correction:
    """Pins `interested`: its page does not change it, until the pin is removed."""
    return await ctx.run(corrections.set_interested, record_id, body.interested, **ctx.actor)


@router.post("/{record_id:row}/erase", summary="Erase a record")
async def erase(ctx: AdminContext, record_id: RowId, body: Erasure) -> Correction:
    """Erases it permanently; a tombstone prevents it from being stored again."""
    return await ctx.run(corrections.erase, record_id, reason=body.reason, **ctx.actor)


@router.post("/erase-seller", summary="Erase a seller")
async def erase_seller(ctx: AdminContext, body: SellerErasure) -> Correction:
    """Erases all records of a seller permanently."""
    return await ctx.run(corrections.erase_seller, body.seller, reason=body.reason, **ctx.actor)

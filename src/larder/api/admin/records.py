"""Records as an operator sees them: hidden and gone ones too, with what checks showed; put right by hand."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from larder.actions.dataset import corrections, public_record, records
from larder.actions.dataset.corrections import Correction
from larder.actions.dataset.records import RecordView
from larder.api.context import Operator
from larder.api.records import Filtered, RecordPage, page_of
from larder.api.request_bodies import Body, Id
from larder.api.responses import answer, tagged
from larder.api.schemas import gives

router = APIRouter(prefix="/records", tags=["records (admin)"])

Name = Annotated[str, Path(min_length=1, max_length=64, description="The field's name.")]


class Pinned(Body):
    """A value that holds whatever pages say."""

    value: str | int | float | bool | None = Field(description="As a page would show it: '1,250.00'.")


class Erasure(Body):
    """A request to be forgotten."""

    reason: str = Field(min_length=1, max_length=500, description="Who asked, and when.")


class SellerErasure(Erasure):
    """The same for a seller."""

    seller: str = Field(min_length=1, max_length=500, description="The name that records carry.")


@router.get("", summary="Search all records", **gives(RecordPage))
async def find(request: Request, call: Operator, asked: Filtered) -> Response:
    """The same filters as for everybody, over hidden and gone records, too."""
    names = public_record.select_fields(asked.fields)
    found = await call.look(records.search, asked.asked(), now=call.now)
    return tagged(request, page_of(found, names, call.now), private=True)


@router.get("/{record_id:row}", summary="One record with its evidence", **gives(RecordView))
async def show(call: Operator, record_id: Id) -> Response:
    """Its history, where each value comes from, and why it stands as it does."""
    return answer(await call.look(records.show, record_id, now=call.now))


@router.put("/{record_id:row}/pins/{name}", summary="Pin a value", **gives(Correction))
async def pin(call: Operator, record_id: Id, name: Name, body: Pinned) -> Response:
    """Fixes a field; it survives whatever pages say."""
    return answer(await call.do(corrections.pin, record_id, name, body.value, **call.by))


@router.delete("/{record_id:row}/pins/{name}", summary="Unpin a value", **gives(Correction))
async def unpin(call: Operator, record_id: Id, name: Name) -> Response:
    """Pages speak for the field again."""
    return answer(await call.do(corrections.unpin, record_id, name, **call.by))


@router.post("/{record_id:row}/erase", summary="Forget a record", **gives(Correction))
async def erase(call: Operator, record_id: Id, body: Erasure) -> Response:
    """For good; a tombstone keeps it from coming back."""
    return answer(await call.do(corrections.erase, record_id, reason=body.reason, **call.by))


@router.post("/erase-seller", summary="Forget a seller", **gives(Correction))
async def erase_seller(call: Operator, body: SellerErasure) -> Response:
    """With all their records, for good."""
    done = await call.do(corrections.erase_seller, body.seller, reason=body.reason, **call.by)
    return answer(done)

"""All records, including hidden and inactive ones."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import records
from larder.core.model.source import Kind
from larder.store.reads.lookup import list_slugs
from larder.store.reads.query import Query
from larder.store.reads.records import StateFilter
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE
from larder.web.context import AdminContext, PageContext
from larder.web.csv_download import csv_download

router = APIRouter(prefix="/records")

KINDS = tuple(str(kind) for kind in Kind)
STATES = tuple(str(state) for state in StateFilter)


@router.get("")
async def list_records(ctx: AdminContext) -> Response:
    """The newest, or those that match."""
    values = _filters(ctx)
    state = StateFilter(values["state"]) if values["state"] in STATES else None
    found = await ctx.read(records.list_page, _query(ctx), state=state, now=ctx.now)
    more = ctx.url_with(after=found.next) if found.next else ""
    return await admin_page(
        ctx, "records.html", "records", records=found.lines, more=more, filters=values, kinds=KINDS,
        states=STATES, slugs=await ctx.read(list_slugs),
    )  # fmt: skip


@router.get("/records.csv")
async def as_csv(ctx: AdminContext) -> Response:
    """The active records that match as a CSV file, of hidden sources too."""
    return await csv_download(ctx, _query(ctx), "records.csv", hidden=True)


@router.get("/prices.csv")
async def prices_as_csv(ctx: AdminContext) -> Response:
    """Every price of the active records that match."""
    return await csv_download(ctx, _query(ctx), "prices.csv", hidden=True, prices=True)


def _filters(ctx: PageContext) -> dict[str, str | None]:
    return {name: ctx.request.query_params.get(name) or None for name in ("text", "source", "kind", "state")}


def _query(ctx: PageContext) -> Query:
    values, after = _filters(ctx), ctx.request.query_params.get("after")
    kind = Kind(values["kind"]) if values["kind"] in KINDS else None
    return Query(text=values["text"], source=values["source"], kind=kind, after=after or None, limit=PAGE)

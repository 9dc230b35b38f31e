"""All records, including hidden and inactive ones."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import records
from larder.core.model.source import Kind
from larder.store.reads.lookup import list_slugs
from larder.store.reads.query import Query
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE
from larder.web.context import AdminContext

router = APIRouter(prefix="/records")

KINDS = tuple(str(kind) for kind in Kind)


@router.get("")
async def list_records(ctx: AdminContext) -> Response:
    """The newest, or those that match."""
    params = ctx.request.query_params
    values = {name: params.get(name) or None for name in ("text", "source", "kind")}
    kind = Kind(values["kind"]) if values["kind"] in KINDS else None
    filters = Query(
        text=values["text"], source=values["source"], kind=kind, after=params.get("after") or None, limit=PAGE
    )
    found = await ctx.read(records.list_page, filters, now=ctx.now)
    more = ctx.url_with(after=found.next) if found.next else ""
    return await admin_page(
        ctx, "records.html", "records", records=found.lines, more=more, filters=values, kinds=KINDS,
        slugs=await ctx.read(list_slugs),
    )  # fmt: skip

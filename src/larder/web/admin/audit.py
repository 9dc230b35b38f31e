"""Who changed what, and when."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.store.operations import audit
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate
from larder.web.context import AdminContext

router = APIRouter(prefix="/audit")


@router.get("")
async def list_audit_entries(ctx: AdminContext) -> Response:
    """The latest first."""
    filters = {name: ctx.request.query_params.get(name) or None for name in ("who", "subject")}
    entries = await ctx.read(audit.list_entries, **filters, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, entries)
    return await admin_page(ctx, "audit.html", "audit", lines=rows, more=more, filters=filters)

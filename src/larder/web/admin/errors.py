"""Errors of all runs, by category and text."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.core.errors import Category
from larder.store.reads.lookup import list_slugs
from larder.store.reads.operators import errors
from larder.store.reads.operators.errors import ErrorFilter
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate
from larder.web.context import AdminContext

router = APIRouter(prefix="/errors")

CATEGORIES = tuple(str(category) for category in Category)


@router.get("")
async def list_errors(ctx: AdminContext) -> Response:
    """The latest that match."""
    params = ctx.request.query_params
    values = {name: params.get(name) or None for name in ("source", "category", "text")}
    category = Category(values["category"]) if values["category"] in CATEGORIES else None
    filters = ErrorFilter(source=values["source"], category=category, text=values["text"])
    found = await ctx.read(errors.list_errors, filters, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, found)
    return await admin_page(
        ctx, "errors.html", "errors", errors=rows, filters=values, categories=CATEGORIES, more=more,
        slugs=await ctx.read(list_slugs),
    )  # fmt: skip

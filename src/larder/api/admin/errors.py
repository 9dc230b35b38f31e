"""Errors of all runs."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, OfSource
from larder.api.schemas import Items
from larder.core.errors import Category
from larder.request_validation import MAX_ID
from larder.store.reads.operators import errors
from larder.store.reads.operators.errors import ErrorLine

router = APIRouter(prefix="/errors", tags=["errors"])


@router.get("", summary="Errors of all runs")
async def list_errors(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    run: Annotated[int | None, Query(ge=1, le=MAX_ID, description="Only of this run.")] = None,
    category: Annotated[Category | None, Query(description="Only of this category.")] = None,
    type: Annotated[str | None, Query(max_length=200, description="Only of this type.")] = None,  # noqa: A002
    text: Annotated[str | None, Query(max_length=200, description="Words of its message.")] = None,
    before: Before = None,
    limit: ListLimit = 100,
) -> Items[ErrorLine]:
    """Newest first."""
    filters = errors.ErrorFilter(source=source, run=run, category=category, type=type, text=text)
    return Items(items=await ctx.read(errors.list_errors, filters, before=before, limit=limit))

"""Selector repairs: suggestions, apply, revert."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.sources import repairs
from larder.actions.sources.repairs import RepairView, SourceRepairs
from larder.api.context import AdminContext
from larder.api.request_bodies import ListLimit, Slug
from larder.api.schemas import Items
from larder.app.selector_questions import ask_for_selectors

router = APIRouter(prefix="/repairs", tags=["repairs"])


@router.get("", summary="The latest selector repairs")
async def list_repairs(
    ctx: AdminContext,
    status: Annotated[str | None, Query(max_length=20, description="Only in this status.")] = None,
    limit: ListLimit = 100,
) -> Items[RepairView]:
    """Repairs of all sources."""
    return Items(items=await ctx.read(repairs.list_repairs, status, limit=limit))


@router.get("/{slug}", summary="Selector repairs of a source")
async def show(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """Suggested, applied and earlier repairs."""
    return await ctx.read(repairs.show, slug)


@router.post("/{slug}/apply", summary="Apply proven selectors")
async def apply(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """Applies the repairs that are proven; others stay suggestions."""
    return await ctx.run(repairs.apply, slug, ctx.dispatcher.adapters, **ctx.actor)


@router.post("/{slug}/ask", summary="Ask the language model for selectors")
async def ask(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """Asks about selectors that rules cannot repair, and tests the answer on stored pages; applies none."""
    return await ask_for_selectors(ctx.app, slug)


@router.post("/{slug}/take-back", summary="Revert applied repairs")
async def take_back(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """The declared selectors are used again."""
    return await ctx.run(repairs.revert, slug, ctx.dispatcher.adapters, **ctx.actor)

"""Repairs: selectors that stopped matching, and the proven ones in their place."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.sources import repairs
from larder.actions.sources.repairs import RepairView, SourceRepairs
from larder.api.context import AdminContext
from larder.api.request_bodies import Limit, Slug
from larder.api.schemas import Items

router = APIRouter(prefix="/repairs", tags=["repairs"])


@router.get("", summary="The latest repairs")
async def every(
    ctx: AdminContext,
    status: Annotated[str | None, Query(max_length=20, description="Only in this status.")] = None,
    limit: Limit = 100,
) -> Items[RepairView]:
    """Of all sources."""
    return Items(items=await ctx.look(repairs.list_repairs, status, most=limit))


@router.get("/{slug}", summary="How a source's selectors stand")
async def show(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """What is suggested, applied and past."""
    return await ctx.look(repairs.show, slug)


@router.post("/{slug}/apply", summary="Apply what is proven")
async def apply(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """And nothing else."""
    return await ctx.do(repairs.apply, slug, ctx.dispatcher.adapters, **ctx.actor)


@router.post("/{slug}/take-back", summary="Read as declared again")
async def take_back(ctx: AdminContext, slug: Slug) -> SourceRepairs:
    """Undoes what was applied."""
    return await ctx.do(repairs.revert, slug, ctx.dispatcher.adapters, **ctx.actor)

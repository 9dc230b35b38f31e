"""Repairs: selectors that stopped matching, and the proven ones in their place."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from larder.actions.sources import repairs
from larder.actions.sources.repairs import RepairView, SourceRepairs
from larder.api.context import AdminContext
from larder.api.request_bodies import Limit, Slug
from larder.api.responses import json_response, list_response
from larder.api.schemas import gives

router = APIRouter(prefix="/repairs", tags=["repairs"])


@router.get("", summary="The latest repairs", **gives(RepairView, many=True))
async def every(
    ctx: AdminContext,
    status: Annotated[str | None, Query(max_length=20, description="Only in this status.")] = None,
    limit: Limit = 100,
) -> Response:
    """Of all sources."""
    return list_response(await ctx.look(repairs.list_repairs, status, most=limit))


@router.get("/{slug}", summary="How a source's selectors stand", **gives(SourceRepairs))
async def show(ctx: AdminContext, slug: Slug) -> Response:
    """What is suggested, applied and past."""
    return json_response(await ctx.look(repairs.show, slug))


@router.post("/{slug}/apply", summary="Apply what is proven", **gives(SourceRepairs))
async def apply(ctx: AdminContext, slug: Slug) -> Response:
    """And nothing else."""
    return json_response(await ctx.do(repairs.apply, slug, ctx.dispatcher.adapters, **ctx.actor))


@router.post("/{slug}/take-back", summary="Read as declared again", **gives(SourceRepairs))
async def take_back(ctx: AdminContext, slug: Slug) -> Response:
    """Undoes what was applied."""
    return json_response(await ctx.do(repairs.revert, slug, ctx.dispatcher.adapters, **ctx.actor))

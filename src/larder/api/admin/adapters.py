"""Adapters: list, enable, disable, accept new versions."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from larder.actions.sources import adapters, canary
from larder.actions.sources.adapters import AdapterView
from larder.actions.sources.canary import CanaryView
from larder.api.admin.sites import BlockReason
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody
from larder.api.schemas import Items

router = APIRouter(prefix="/adapters", tags=["adapters"])

AdapterId = Annotated[str, Path(min_length=1, max_length=64, description="The adapter's id.")]


class AdapterSite(RequestBody):
    """The site to which a change of an adapter applies."""

    site: str | None = Field(
        default=None, min_length=1, max_length=253, description="Only on this site; default: all sites."
    )


class AdapterDisable(BlockReason, AdapterSite):
    """A reason and a site."""

    terms: bool = Field(default=False, description="The site's terms forbid it; its state then says `terms`.")


@router.get("", summary="All adapters")
async def list_adapters(ctx: AdminContext) -> Items[AdapterView]:
    """Each with the sites on which it is disabled, and why."""
    return Items(items=await ctx.read(adapters.list_adapters))


@router.get("/{adapter_id}", summary="One adapter")
async def show(ctx: AdminContext, adapter_id: AdapterId) -> AdapterView:
    """Version, domain and state."""
    return await ctx.read(adapters.show, adapter_id)


@router.post("/{adapter_id}/enable", summary="Enable an adapter")
async def enable(ctx: AdminContext, adapter_id: AdapterId, body: AdapterSite | None = None) -> AdapterView:
    """It runs again; its first run is flagged for review."""
    site = body.site if body else None
    return await ctx.run(adapters.enable, adapter_id, site=site, **ctx.actor)


@router.post("/{adapter_id}/disable", summary="Disable an adapter")
async def disable(
    ctx: AdminContext, adapter_id: AdapterId, body: AdapterDisable | None = None
) -> AdapterView:
    """No new runs start with it."""
    body = body or AdapterDisable()
    return await ctx.run(
        adapters.disable, adapter_id, body.reason, site=body.site, terms=body.terms, **ctx.actor
    )


@router.get("/{adapter_id}/canary", summary="Canary state of its versions")
async def trials(ctx: AdminContext, adapter_id: AdapterId) -> Items[CanaryView]:
    """For each source: the active version, the waiting version, and the objections to it."""
    return Items(items=await ctx.read(canary.list_canaries, adapter_id))


@router.post("/{adapter_id}/accept", summary="Accept a new version")
async def accept(
    ctx: AdminContext, adapter_id: AdapterId, body: AdapterSite | None = None
) -> Items[CanaryView]:
    """Accepts the differences: the installed version is active from now on."""
    site = body.site if body else None
    return Items(items=await ctx.run(canary.accept, adapter_id, site, ctx.dispatcher.adapters, **ctx.actor))

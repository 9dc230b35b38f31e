"""Sites: terms, rate limits and blocks."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from larder.actions.sources import sites
from larder.actions.sources.sites import SiteView
from larder.actions.sources.spec import SiteSpec
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody
from larder.api.schemas import Items

router = APIRouter(prefix="/sites", tags=["sites"])

Domain = Annotated[str, Path(min_length=1, max_length=253, description="The site's domain.")]


class SiteChange(RequestBody, SiteSpec):
    """Changes to a site; omitted fields stay as they are."""


class BlockReason(RequestBody):
    """Why a site is blocked."""

    reason: str = Field(default="", max_length=500, description="Reason, for the audit log.")


@router.get("", summary="All sites")
async def list_sites(ctx: AdminContext) -> Items[SiteView]:
    """By domain, each with its rate limits and the review of its terms."""
    return Items(items=await ctx.read(sites.list_sites))


@router.get("/{domain}", summary="One site")
async def show(ctx: AdminContext, domain: Domain) -> SiteView:
    """Rate limits, terms and sources."""
    return await ctx.read(sites.get_site, domain)


@router.patch("/{domain}", summary="Change a site's limits")
async def change(ctx: AdminContext, domain: Domain, body: SiteChange) -> SiteView:
    """Sets the given fields; `null` resets a limit to the preset and empties the notes.

    A site without sources is stored for its first source.
    """
    spec = SiteSpec.model_validate(body.model_dump(exclude_unset=True))
    return await ctx.run(sites.change, domain, spec, **ctx.actor)


@router.put("/{domain}", summary="Replace a site's limits")
async def replace(ctx: AdminContext, domain: Domain, body: SiteChange) -> SiteView:
    """Sets the given fields; omitted limits are reset to the preset, omitted notes and hosts are emptied."""
    reset = dict.fromkeys(("spacing", "spacing_max", "at_once", "notes", "exempt_hosts"))
    spec = SiteSpec.model_validate(reset | body.model_dump(exclude_unset=True))
    return await ctx.run(sites.change, domain, spec, **ctx.actor)


@router.post("/{domain}/review", summary="Mark its terms as reviewed")
async def review(ctx: AdminContext, domain: Domain) -> SiteView:
    """A person reviewed the terms and they allow it: the sources of the site may run."""
    return await ctx.run(sites.review, domain, **ctx.actor)


@router.post("/{domain}/block", summary="Block a site")
async def block(ctx: AdminContext, domain: Domain, body: BlockReason | None = None) -> SiteView:
    """No page of it is fetched from now on; its running jobs are stopped."""
    return await ctx.run(sites.block, domain, body.reason if body else "", **ctx.actor)


@router.post("/{domain}/unblock", summary="Unblock a site")
async def unblock(ctx: AdminContext, domain: Domain) -> SiteView:
    """Its pages may be fetched again."""
    return await ctx.run(sites.unblock, domain, **ctx.actor)

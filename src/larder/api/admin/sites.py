"""Sites: their terms, their limits, and whether anything of them is fetched at all."""

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
    """What is to be set of a site; what is left out stays as it is."""


class Reason(RequestBody):
    """Why."""

    reason: str = Field(default="", max_length=500, description="Why, for whoever comes after you.")


@router.get("", summary="All sites")
async def every(ctx: AdminContext) -> Items[SiteView]:
    """By domain, each with its manners and its terms."""
    return Items(items=await ctx.look(sites.list_sites))


@router.get("/{domain}", summary="One site")
async def show(ctx: AdminContext, domain: Domain) -> SiteView:
    """Its manners, its terms, its sources."""
    return await ctx.look(sites.show, domain)


@router.patch("/{domain}", summary="Change a site's limits")
async def change(ctx: AdminContext, domain: Domain, body: SiteChange) -> SiteView:
    """Sets what is given; `null` gives a limit back to the preset and empties the notes.

    A site that is not known yet is remembered for its first source.
    """
    spec = SiteSpec.model_validate(body.model_dump(exclude_unset=True))
    return await ctx.do(sites.change, domain, spec, **ctx.actor)


@router.post("/{domain}/review", summary="Its terms were read")
async def review(ctx: AdminContext, domain: Domain) -> SiteView:
    """You read the site's terms and found them in order: its sources may run."""
    return await ctx.do(sites.review, domain, **ctx.actor)


@router.post("/{domain}/block", summary="Fetch nothing of it")
async def block(ctx: AdminContext, domain: Domain, body: Reason | None = None) -> SiteView:
    """Nothing of it is fetched from now on; what was under way is stopped."""
    return await ctx.do(sites.block, domain, body.reason if body else "", **ctx.actor)


@router.post("/{domain}/unblock", summary="It may be fetched again")
async def unblock(ctx: AdminContext, domain: Domain) -> SiteView:
    """Undoes a block."""
    return await ctx.do(sites.unblock, domain, **ctx.actor)

"""Sites: terms, robots.txt, rate limits and blocks."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from larder.actions.sources import sites
from larder.actions.sources.spec import SiteSpec
from larder.core.errors import BadInput
from larder.core.model.site import POLITENESS, Preset
from larder.core.validation_messages import validation_message
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, form_text, unknown_action

router = APIRouter(prefix="/sites")

ROBOTS = {
    "rules": "has rules, which are obeyed",
    "open": "none: all pages may be fetched",
    "closed": "disallows everything: no page is fetched",
    "undecided": "robots.txt unavailable: no page is fetched until it is",
    None: "not fetched yet",
}
"""Descriptions of the states of a robots.txt."""


@router.get("")
async def list_sites(ctx: AdminContext) -> Response:
    """All sites."""
    return await admin_page(ctx, "sites.html", "sites", sites=await ctx.read(sites.list_sites), says=ROBOTS)


@router.get("/{domain}")
async def show(ctx: AdminContext, domain: str) -> Response:
    """One site."""
    site = await ctx.read(sites.get_site, domain)
    files = await ctx.read(sites.robots_files, site.domain)
    usual = POLITENESS[Preset(site.preset)]
    return await admin_page(
        ctx, "site.html", "sites", site=site, files=files, presets=list(Preset), usual=usual, says=ROBOTS
    )


@router.post("/{domain}/change")
async def change(ctx: AdminContext, domain: str) -> Response:
    """Changes what is set for a site; an empty field resets a limit to the preset."""
    form = await ctx.form()
    names = ("preset", "spacing", "spacing_max", "at_once", "notes")
    values: dict[str, Any] = {name: form_text(form, name) or None for name in names if name in form}
    if "local" in form:
        values["local"] = form_text(form, "local") == "allowed"
    if "exempt_hosts" in form:
        values["exempt_hosts"] = form_text(form, "exempt_hosts").replace(",", " ").split()
    try:
        spec = SiteSpec.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(
            f"{first['loc'][-1]}: {validation_message(first['msg'])}", hint="no change was saved"
        ) from error
    await ctx.run(sites.change, domain, spec, **ctx.actor)
    return ctx.redirect(f"/admin/sites/{domain}", f"{domain} was saved.")


@router.post("/{domain}/{action}")
async def act(ctx: AdminContext, domain: str, action: str) -> Response:
    """Reviews the terms, blocks or unblocks the site."""
    form = await ctx.form()
    back = form_text(form, "back") or f"/admin/sites/{domain}"
    if action == "review":
        await ctx.run(sites.review, domain, **ctx.actor)
        return ctx.redirect(back, f"The terms of {domain} are marked as reviewed by {ctx.who}.")
    if action == "block":
        await ctx.run(sites.block, domain, form_text(form, "reason"), **ctx.actor)
        return ctx.redirect(back, f"{domain} is blocked: no page of it is fetched.", tone="warn")
    if action == "unblock":
        await ctx.run(sites.unblock, domain, **ctx.actor)
        return ctx.redirect(back, f"{domain} is unblocked.")
    raise unknown_action(action, ("review", "block", "unblock"))

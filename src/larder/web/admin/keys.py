"""API keys: list, create, revoke.

They are dated by the wall clock that authentication uses; the clock of the demo skips hours.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from larder.actions.access import keys
from larder.actions.access.keys import IssuedKey
from larder.core.errors import BadInput
from larder.core.model.caller import Scope
from larder.core.quoting import quoted
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, PageContext, form_text, parse_int
from larder.web.flash import OneTimeValues

router = APIRouter(prefix="/keys")


async def _wall_clock_context(ctx: AdminContext) -> PageContext:
    return replace(ctx, now=ctx.app.wall.now())


WallClockContext = Annotated[PageContext, Depends(_wall_clock_context)]
"""An administrator's context with the wall clock."""


@router.get("")
async def list_keys(ctx: WallClockContext) -> Response:
    """All keys; a key that was just created is shown once."""
    waiting: OneTimeValues[IssuedKey] = ctx.request.app.state.issued
    key = waiting.shown(ctx.request)
    return await admin_page(
        ctx, "keys.html", "keys", keys=await ctx.read(keys.list_keys), issued=key, scopes=list(Scope)
    )


@router.post("/add")
async def add(ctx: WallClockContext) -> Response:
    """Creates a key; only the next page shows it."""
    form = await ctx.form()
    scope, days = (
        form_text(form, "scope") or Scope.READ,
        parse_int(form_text(form, "days"), "days", high=keys.MAX_LIFETIME.days),
    )
    if scope not in list(Scope):
        raise BadInput(f"unknown scope {quoted(scope, 40)}", hint="use read or admin")
    key = await ctx.run(
        keys.add, form_text(form, "name"), Scope(scope), lasts=timedelta(days=days) if days else None,
        **ctx.actor,
    )  # fmt: skip
    waiting: OneTimeValues[IssuedKey] = ctx.request.app.state.issued
    return waiting.keep(key, ctx.redirect("/admin/keys"))


@router.post("/revoke")
async def revoke(ctx: WallClockContext) -> Response:
    """Revokes a key."""
    form = await ctx.form()
    await ctx.run(keys.revoke, form_text(form, "name"), **ctx.actor)
    return ctx.redirect("/admin/keys", f"The key {form_text(form, 'name')} was revoked.")

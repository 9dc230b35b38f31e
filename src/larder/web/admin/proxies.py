"""Proxies: list, add, enable, disable, remove."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import proxies
from larder.web.admin.frame import ButtonAction, admin_page, find_action
from larder.web.context import AdminContext, form_text

router = APIRouter(prefix="/proxies")


@router.get("")
async def list_proxies(ctx: AdminContext) -> Response:
    """All of them."""
    sealed = bool(ctx.app.settings.secret_key.get_secret_value())
    return await admin_page(
        ctx, "proxies.html", "proxies", proxies=await ctx.read(proxies.list_proxies), sealed=sealed
    )


@router.post("/add")
async def add(ctx: AdminContext) -> Response:
    """Adds a proxy; its password is stored encrypted."""
    form = await ctx.form()
    await ctx.run(proxies.add, form_text(form, "url"), ctx.secrets_cipher, **ctx.actor)
    return ctx.redirect("/admin/proxies", "The proxy was added.")


ACTIONS: Mapping[str, ButtonAction] = {
    "enable": (proxies.enable, "is enabled"),
    "disable": (proxies.disable, "is disabled"),
    "remove": (proxies.remove, "is removed"),
}


@router.post("/{proxy_id:row}/{action}")
async def act(ctx: AdminContext, proxy_id: int, action: str) -> Response:
    """Enables, disables or removes a proxy."""
    await ctx.form()
    work, done = find_action(ACTIONS, action)
    proxy = await ctx.run(work, proxy_id, **ctx.actor)
    return ctx.redirect("/admin/proxies", f"{proxy.address} {done}.")

"""The pool of proxies, and how each does."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import proxies
from larder.core.errors import NotFound
from larder.store.operations.secrets import SecretCipher
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, form_text

router = APIRouter(prefix="/proxies")


@router.get("")
async def every(ctx: AdminContext) -> Response:
    """All of them."""
    sealed = bool(ctx.app.settings.secret_key.get_secret_value())
    return await admin_page(
        ctx, "proxies.html", "proxies", proxies=await ctx.look(proxies.list_proxies), sealed=sealed
    )


@router.post("/add")
async def add(ctx: AdminContext) -> Response:
    """One more; its password is encrypted before it is stored."""
    form = await ctx.form()
    box = SecretCipher(ctx.app.settings.secret_key.get_secret_value())
    await ctx.do(proxies.add, form_text(form, "url"), box, who=ctx.who, now=ctx.now)
    return ctx.redirect("/admin/proxies", "The proxy is in the pool.")


@router.post("/{proxy_id:row}/{action}")
async def act(ctx: AdminContext, proxy_id: int, action: str) -> Response:
    """Switch or remove one."""
    await ctx.form()
    deeds: Mapping[str, Any] = {
        "enable": proxies.enable,
        "disable": proxies.disable,
        "remove": proxies.remove,
    }
    if action not in deeds:
        raise NotFound(f"nothing is called {action!r} here")
    proxy = await ctx.do(deeds[action], proxy_id, who=ctx.who, now=ctx.now)
    done = {"enable": "is in use again", "disable": "is switched off", "remove": "is removed"}
    return ctx.redirect("/admin/proxies", f"{proxy.address} {done[action]}.")

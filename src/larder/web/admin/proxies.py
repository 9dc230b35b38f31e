"""The pool of proxies, and how each does."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import proxies
from larder.core.errors import NotThere
from larder.store.operations.secrets import Strongbox
from larder.web.admin.frame import answer
from larder.web.context import Operator, text

router = APIRouter(prefix="/proxies")


@router.get("")
async def every(visit: Operator) -> Response:
    """All of them."""
    sealed = bool(visit.app.settings.secret_key.get_secret_value())
    return await answer(
        visit, "proxies.html", "proxies", proxies=await visit.look(proxies.list_proxies), sealed=sealed
    )


@router.post("/add")
async def add(visit: Operator) -> Response:
    """One more; its password is encrypted before it is stored."""
    form = await visit.form()
    box = Strongbox(visit.app.settings.secret_key.get_secret_value())
    await visit.do(proxies.add, text(form, "url"), box, who=visit.who, now=visit.now)
    return visit.back("/admin/proxies", "The proxy is in the pool.")


@router.post("/{proxy_id:row}/{action}")
async def act(visit: Operator, proxy_id: int, action: str) -> Response:
    """Switch or remove one."""
    await visit.form()
    deeds: Mapping[str, Any] = {
        "enable": proxies.enable,
        "disable": proxies.disable,
        "remove": proxies.remove,
    }
    if action not in deeds:
        raise NotThere(f"nothing is called {action!r} here")
    proxy = await visit.do(deeds[action], proxy_id, who=visit.who, now=visit.now)
    done = {"enable": "is in use again", "disable": "is switched off", "remove": "is removed"}
    return visit.back("/admin/proxies", f"{proxy.address} {done[action]}.")

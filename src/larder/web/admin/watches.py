"""Watches: saved searches and price rules that tell somebody."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import watches
from larder.core.errors import NotThere
from larder.core.model.source import Kind
from larder.settings import ChannelSettings
from larder.store.reads.query import Query
from larder.web.admin.frame import answer
from larder.web.choices import slugs
from larder.web.context import Operator, amount, one_of, text, whole
from larder.web.price_input import between

router = APIRouter(prefix="/watches")

LOG = ChannelSettings(name="log").name
"""The channel that there is without any setting."""


@router.get("")
async def every(visit: Operator) -> Response:
    """All that is waited for."""
    return await answer(
        visit, "watches.html", "watches", watches=await visit.look(watches.list_watches), kinds=list(Kind),
        channels=[each.name for each in visit.app.settings.channels],
        record=visit.request.query_params.get("record", ""), name=visit.request.query_params.get("name", ""),
        slugs=await visit.look(slugs),
    )  # fmt: skip


@router.post("/add")
async def add(visit: Operator) -> Response:
    """Wait for something new, or for a price to fall."""
    form = await visit.form()
    record = whole(text(form, "record"), "record")
    query = Query(
        text=text(form, "q") or None,
        kind=one_of(text(form, "kind"), Kind, "kind") if text(form, "kind") else None,
        source=text(form, "source") or None,
    )
    channels = [each.name for each in visit.app.settings.channels]
    await visit.do(
        watches.add, text(form, "name"), between(query, None, text(form, "price_max")), record=record,
        falls_percent=amount(text(form, "falls"), "a share"), hidden=bool(text(form, "hidden")),
        channel=text(form, "channel") or None, channels=channels, who=visit.who, now=visit.now,
    )  # fmt: skip
    only_log = channels == [LOG] or text(form, "channel") == LOG
    said = "It is waited for. News of it goes to Larder's log only." if only_log else "You will hear of it."
    return visit.back("/admin/watches", said)


@router.post("/{watch_id:row}/{action}")
async def act(visit: Operator, watch_id: int, action: str) -> Response:
    """Pause, resume, remove."""
    await visit.form()
    deeds: Mapping[str, Any] = {"pause": watches.pause, "resume": watches.resume, "remove": watches.remove}
    if action not in deeds:
        raise NotThere(f"nothing is called {action!r} here")
    watch = await visit.do(deeds[action], watch_id, who=visit.who, now=visit.now)
    done = {"pause": "is paused", "resume": "is waited for again", "remove": "is not waited for any more"}
    return visit.back("/admin/watches", f"{watch.name} {done[action]}.")

"""Watches: saved searches and price rules that send notifications."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import watches
from larder.core.model.source import Kind
from larder.settings import ChannelSettings
from larder.store.reads.lookup import list_slugs
from larder.store.reads.query import Query
from larder.web.admin.frame import Action, admin_page, find_action
from larder.web.context import AdminContext, form_text, parse_amount, parse_choice, parse_int
from larder.web.price_input import with_price_range

router = APIRouter(prefix="/watches")

LOG = ChannelSettings(name="log").name
"""The default channel."""


@router.get("")
async def list_watches(ctx: AdminContext) -> Response:
    """All watches."""
    return await admin_page(
        ctx, "watches.html", "watches", watches=await ctx.look(watches.list_watches), kinds=list(Kind),
        channels=[each.name for each in ctx.app.settings.channels],
        record=ctx.request.query_params.get("record", ""), name=ctx.request.query_params.get("name", ""),
        slugs=await ctx.look(list_slugs),
    )  # fmt: skip


@router.post("/add")
async def add(ctx: AdminContext) -> Response:
    """Adds a watch for new records or for a falling price."""
    form = await ctx.form()
    record = parse_int(form_text(form, "record"), "record")
    query = Query(
        text=form_text(form, "q") or None,
        kind=parse_choice(form_text(form, "kind"), Kind, "kind") if form_text(form, "kind") else None,
        source=form_text(form, "source") or None,
    )
    channels = [each.name for each in ctx.app.settings.channels]
    await ctx.do(
        watches.add,
        form_text(form, "name"),
        with_price_range(query, None, form_text(form, "price_max")),
        record=record,
        falls_percent=parse_amount(form_text(form, "falls"), "percentage"),
        hidden=bool(form_text(form, "hidden")),
        channel=form_text(form, "channel") or None,
        channels=channels,
        who=ctx.who,
        now=ctx.now,
    )
    only_log = channels == [LOG] or form_text(form, "channel") == LOG
    said = "Watch added. Its notifications go to Larder's log only." if only_log else "Watch added."
    return ctx.redirect("/admin/watches", said)


ACTIONS: Mapping[str, Action] = {
    "pause": (watches.pause, "is paused"),
    "resume": (watches.resume, "is resumed"),
    "remove": (watches.remove, "is removed"),
}


@router.post("/{watch_id:row}/{action}")
async def act(ctx: AdminContext, watch_id: int, action: str) -> Response:
    """Pause, resume, remove."""
    await ctx.form()
    work, done = find_action(ACTIONS, action)
    watch = await ctx.do(work, watch_id, **ctx.actor)
    return ctx.redirect("/admin/watches", f"{watch.name} {done}.")

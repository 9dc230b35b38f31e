"""Watches: saved searches and rules that send notifications."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import FormData

from larder.actions.dataset import watches
from larder.actions.dataset.price_range import parse_decimal_price, with_price_range
from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.core.policy.watches import WatchOn
from larder.core.quoting import quoted
from larder.settings.channels import ChannelSettings
from larder.store.reads.lookup import list_slugs
from larder.store.reads.query import Query
from larder.web.admin.frame import ButtonAction, admin_page, find_action
from larder.web.context import AdminContext, PageContext, form_text, parse_amount, parse_choice, parse_int

router = APIRouter(prefix="/watches")

NO_QUERY = Query()
LOG = ChannelSettings(name="log").name
"""The default channel."""
CONDITIONS: Mapping[str, str] = {
    "new_match": "a new record matches",
    "falls_percent": "the price falls by %",
    "falls_by": "the price falls by amount",
    "target_price": "the price is at most",
    "back_in_stock": "it is back in stock",
    "gone": "it is gone",
}
"""What a watch can wait for, as the form names it; three of them need a number."""
NUMBERED = ("falls_percent", "falls_by", "target_price")


@router.get("")
async def list_watches(ctx: AdminContext) -> Response:
    """All watches."""
    given = ctx.request.query_params
    return await admin_page(
        ctx, "watches.html", "watches", watches=await ctx.read(watches.list_watches),
        record=given.get("record", ""), name=given.get("name", ""), **await _form_choices(ctx),
    )  # fmt: skip


@router.get("/{watch_id:row}")
async def show(ctx: AdminContext, watch_id: int) -> Response:
    """The form that changes a watch."""
    watch = await ctx.read(watches.find, watch_id)
    base = ctx.app.settings.address
    return await admin_page(ctx, "watch.html", "watches", w=watch, base=base, **await _form_choices(ctx))


async def _form_choices(ctx: PageContext) -> dict[str, Any]:
    return {
        "kinds": list(Kind),
        "channels": ctx.app.settings.channel_names,
        "slugs": await ctx.read(list_slugs),
        "conditions": CONDITIONS,
        "describe_rule": watches.describe_rule,
    }


@router.post("/add")
async def add(ctx: AdminContext) -> Response:
    """Adds a watch."""
    form = await ctx.form()
    fields = _fields(form)
    await ctx.run(watches.add, **fields, channels=ctx.app.settings.channel_names, **ctx.actor)
    only_log = ctx.app.settings.channel_names == [LOG] or fields["channel"] == LOG
    message = "Watch added. Its notifications go to Larder's log only." if only_log else "Watch added."
    return ctx.redirect("/admin/watches", message)


@router.post("/{watch_id:row}/change")
async def change(ctx: AdminContext, watch_id: int) -> Response:
    """Replaces what a watch asks for and waits for."""
    before = Query(**(await ctx.read(watches.find, watch_id)).asks)
    fields = _fields(await ctx.form(), before)
    watch = await ctx.run(
        watches.change, watch_id, fields, channels=ctx.app.settings.channel_names, **ctx.actor
    )
    return ctx.redirect("/admin/watches", f"{watch.name} is changed.")


def _fields(form: FormData, before: Query = NO_QUERY) -> dict[str, Any]:
    """A watch as the form says it; what the form has no field for stays as `before`."""
    priced = any(value is not None for value in (before.price_min, before.price_max))
    query = replace(
        before,
        price_min_minor=None,
        price_max_minor=None,
        currency=None if priced else before.currency,
        text=form_text(form, "q") or None,
        kind=parse_choice(form_text(form, "kind"), Kind, "kind") if form_text(form, "kind") else None,
        source=form_text(form, "source") or None,
    )
    return {
        "name": form_text(form, "name"),
        "query": with_price_range(query, form_text(form, "price_min"), form_text(form, "price_max")),
        "record": parse_int(form_text(form, "record"), "record"),
        "hidden": bool(form_text(form, "hidden")),
        "channel": form_text(form, "channel") or None,
        **_condition(form_text(form, "when", "new_match"), form_text(form, "number")),
    }


def _condition(when: str, number: str) -> dict[str, Any]:
    if when not in CONDITIONS:
        raise BadInput(f"unknown condition {quoted(when, 40)}", hint=f"known: {', '.join(CONDITIONS)}")
    if when not in NUMBERED:
        return {"on": WatchOn(when)}
    if not number:
        raise BadInput(f"the number is missing: {CONDITIONS[when]} …", hint="write 10 or 12.50")
    return {when: parse_amount(number, "number") if when == "falls_percent" else parse_decimal_price(number)}


ACTIONS: Mapping[str, ButtonAction] = {
    "pause": (watches.pause, "is paused"),
    "resume": (watches.resume, "is resumed"),
    "remove": (watches.remove, "is removed"),
    "test": (watches.send_test, "sends a test message"),
    "make-feed": (watches.make_feed, "has a private feed with a new address"),
    "remove-feed": (watches.remove_feed, "has no feed any more"),
}


@router.post("/{watch_id:row}/{action}")
async def act(ctx: AdminContext, watch_id: int, action: str) -> Response:
    """Pause, resume, remove, send a test message."""
    await ctx.form()
    work, done = find_action(ACTIONS, action)
    watch = await ctx.run(work, watch_id, **ctx.actor)
    back = f"/admin/watches/{watch_id}" if action.endswith("-feed") else "/admin/watches"
    return ctx.redirect(back, f"{watch.name} {done}.")

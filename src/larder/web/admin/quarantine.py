"""Quarantine: implausible items, beside their page; release or reject."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import QuarantineStatus
from larder.core.model.outcome import QuarantineReason
from larder.store.reads.lookup import list_slugs
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate, return_path
from larder.web.context import AdminContext, form_ids, form_text
from larder.web.stored_page import page_excerpt

router = APIRouter(prefix="/quarantine")

ALL = "all"
"""Whatever its status."""


@router.get("")
async def list_quarantine(ctx: AdminContext) -> Response:
    """Pending items, newest first, or those that match."""
    filters = {name: ctx.request.query_params.get(name) or None for name in ("source", "status", "reason")}
    filters["status"] = filters["status"] or QuarantineStatus.PENDING
    status = QuarantineStatus(filters["status"]) if filters["status"] in list(QuarantineStatus) else None
    reason = QuarantineReason(filters["reason"]) if filters["reason"] in list(QuarantineReason) else None
    items = await ctx.read(
        quarantine.list_items,
        source=filters["source"],
        status=status,
        reason=reason,
        before=cursor(ctx),
        limit=PAGE + 1,
    )
    rows, more = paginate(ctx, items)
    return await admin_page(
        ctx, "quarantine.html", "quarantine", items=rows, more=more, filters=filters,
        statuses=[*map(str, QuarantineStatus), ALL], reasons=[str(each) for each in QuarantineReason],
        slugs=await ctx.read(list_slugs),
    )  # fmt: skip


@router.get("/{item_id:row}")
async def show(ctx: AdminContext, item_id: int) -> Response:
    """One item beside its page."""
    found = await ctx.read(quarantine.show, item_id)
    words = [str(value) for name, value in found.item.items() if name in ("price", "title") and value]
    page = await page_excerpt(ctx.app, found.page_id, words)
    return await admin_page(ctx, "quarantined.html", "quarantine", item=found, page=page)


@router.post("/{item_id:row}/release")
async def release(ctx: AdminContext, item_id: int) -> Response:
    """Releases an item as of the time it was seen, with corrected values."""
    form = await ctx.form()
    before = (await ctx.read(quarantine.show, item_id)).item
    values = {
        name.removeprefix("set."): str(value).strip()
        for name, value in form.items()
        if name.startswith("set.")
        and str(value).strip() != str(before.get(name.removeprefix("set."), "")).strip()
    }
    note = form_text(form, "note")
    done = await ctx.run(quarantine.release, item_id, ctx.app.dispatcher, values, note, **ctx.actor)
    to = f"/records/{done.record_id}" if done.record_id else "/admin/quarantine"
    return ctx.redirect(to, f"Item {item_id} was released.")


@router.post("/reject")
async def reject(ctx: AdminContext) -> Response:
    """Rejects the selected items."""
    form = await ctx.form()
    ids = form_ids(form, "item")
    await ctx.run(quarantine.reject, ids, form_text(form, "note"), **ctx.actor)
    message = f"{len(ids)} rejected." if len(ids) != 1 else f"Item {ids[0]} was rejected."
    return ctx.redirect(return_path(form, "/admin/quarantine"), message)

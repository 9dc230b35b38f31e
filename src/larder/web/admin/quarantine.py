"""Quarantine: what looks wrong, with page and values side by side; release or reject."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import QuarantineStatus
from larder.core.model.outcome import QuarantineReason
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place, whence
from larder.web.choices import slugs
from larder.web.context import Operator, numbers, text
from larder.web.stored_page import passage

router = APIRouter(prefix="/quarantine")

ALL = "all"
"""Whatever its status."""


@router.get("")
async def every(visit: Operator) -> Response:
    """What waits, the latest first, or what was asked for."""
    asked = {name: visit.request.query_params.get(name) or None for name in ("source", "status", "reason")}
    asked["status"] = asked["status"] or QuarantineStatus.PENDING
    status = QuarantineStatus(asked["status"]) if asked["status"] in list(QuarantineStatus) else None
    reason = QuarantineReason(asked["reason"]) if asked["reason"] in list(QuarantineReason) else None
    found = await visit.look(
        quarantine.list_items,
        source=asked["source"],
        status=status,
        reason=reason,
        before=place(visit),
        limit=PAGE + 1,
    )
    shown, more = leaf(visit, found)
    return await answer(
        visit, "quarantine.html", "quarantine", items=shown, more=more, asked=asked,
        statuses=[*map(str, QuarantineStatus), ALL], reasons=[str(each) for each in QuarantineReason],
        slugs=await visit.look(slugs),
    )  # fmt: skip


@router.get("/{item_id:row}")
async def one(visit: Operator, item_id: int) -> Response:
    """One item beside the page it stood on."""
    found = await visit.look(quarantine.show, item_id)
    words = [str(value) for name, value in found.item.items() if name in ("price", "title") and value]
    page = await passage(visit.app, found.page_id, words)
    return await answer(visit, "quarantined.html", "quarantine", item=found, page=page)


@router.post("/{item_id:row}/release")
async def release(visit: Operator, item_id: int) -> Response:
    """Let it go on as of when it was seen, with what was put right."""
    form = await visit.form()
    before = (await visit.look(quarantine.show, item_id)).item
    given = {
        name.removeprefix("set."): str(value).strip()
        for name, value in form.items()
        if name.startswith("set.")
        and str(value).strip() != str(before.get(name.removeprefix("set."), "")).strip()
    }
    note = text(form, "note")
    done = await visit.do(
        quarantine.release, item_id, visit.app.dispatcher, given, note, who=visit.who, now=visit.now
    )
    to = f"/records/{done.record_id}" if done.record_id else "/admin/quarantine"
    return visit.back(to, f"Item {item_id} went on.")


@router.post("/reject")
async def reject(visit: Operator) -> Response:
    """They were wrong."""
    form = await visit.form()
    ids = numbers(form, "item")
    await visit.do(quarantine.reject, ids, text(form, "note"), who=visit.who, now=visit.now)
    said = f"{len(ids)} rejected." if len(ids) != 1 else f"Item {ids[0]} is rejected."
    return visit.back(whence(form, "/admin/quarantine"), said)

"""Targets: named URLs that are watched; add one, import many, hold, run now, remove."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import UploadFile

from larder.actions.sources import target_import, targets
from larder.actions.sources.target_import import BadRow
from larder.actions.sources.targets import TargetSpec, parse_duration
from larder.core.errors import BadInput, NotThere
from larder.core.policy.scheduling.targets import TargetStatus
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place, whence
from larder.web.choices import slugs
from larder.web.context import Operator, amount, text
from larder.web.flash import Once

router = APIRouter(prefix="/targets")

MOST_URGENT = 1_000_000
LARGEST = 5_000_000
"""Bytes of a file that is imported."""
NAMED = 200
"""Bad lines that are shown."""


@router.get("")
async def every(visit: Operator) -> Response:
    """All that is watched; lines of a file that were not taken just now are named, for this once."""
    untaken: Once[Sequence[BadRow]] = visit.request.app.state.untaken
    asked = {name: visit.request.query_params.get(name) or None for name in ("source", "status")}
    status = TargetStatus(asked["status"]) if asked["status"] in list(TargetStatus) else None
    after = place(visit, "after")
    found = await visit.look(
        targets.list_targets, slug=asked["source"], status=status, after=after, limit=PAGE + 1
    )
    shown, more = leaf(visit, found, at="after")
    return await answer(
        visit,
        "targets.html",
        "targets",
        targets=shown,
        more=more,
        asked=asked,
        statuses=[str(s) for s in TargetStatus],
        bad=untaken.shown(visit.request),
        slugs=await visit.look(slugs),
    )


@router.post("/add")
async def add(visit: Operator) -> Response:
    """One URL."""
    form = await visit.form()
    spec = TargetSpec(
        url=text(form, "url"),
        interval=parse_duration(text(form, "interval")) if text(form, "interval") else None,
        cron=text(form, "cron") or None,
        priority=_priority(text(form, "priority")),
        notes=text(form, "notes") or None,
    )
    added = await visit.do(targets.add, text(form, "source"), spec, who=visit.who, now=visit.now)
    if not added.watched:
        return visit.back(
            "/admin/targets", f"Target {added.id} is there already: it is {added.state}.", tone="warn"
        )
    return visit.back("/admin/targets", f"Target {added.id} is watched.")


@router.post("/import")
async def import_(visit: Operator) -> Response:
    """A CSV file: good lines are taken, bad ones named."""
    form = await visit.form()
    sent = form.get("file")
    body = await sent.read(LARGEST + 1) if isinstance(sent, UploadFile) else text(form, "csv").encode()
    await form.close()
    if len(body) > LARGEST:
        raise BadInput("the file is too large", hint="split it into files below 5 MB")
    slug, content = text(form, "source"), body.decode("utf-8", errors="replace")
    done = await visit.do(target_import.import_csv, slug, content, who=visit.who, now=visit.now)
    said = f"{done.added} added, {done.changed} changed, {len(done.bad)} bad lines."
    if not done.bad:
        return visit.back("/admin/targets", said)
    untaken: Once[Sequence[BadRow]] = visit.request.app.state.untaken
    response = visit.back(f"/admin/targets?{urlencode({'source': slug})}", said, tone="warn")
    return untaken.keep(done.bad[:NAMED], response)


@router.post("/{target_id:row}/{action}")
async def act(visit: Operator, target_id: int, action: str) -> Response:
    """Pause, resume, run now, remove."""
    form = await visit.form()
    deeds: Mapping[str, Any] = {
        "pause": targets.pause, "resume": targets.resume, "run": targets.run_now, "remove": targets.remove,
    }  # fmt: skip
    if action not in deeds:
        raise NotThere(f"nothing is called {action!r} here")
    await visit.do(deeds[action], target_id, who=visit.who, now=visit.now)
    done = {"pause": "is paused", "resume": "is watched again", "run": "is due now", "remove": "is removed"}
    return visit.back(whence(form, "/admin/targets"), f"Target {target_id} {done[action]}.")


def _priority(given: str) -> int | None:
    found = amount(given, "a priority")
    if found is not None and (found != int(found) or abs(found) > MOST_URGENT):
        raise BadInput(f"a priority is a whole number, not {given[:40]!r}", hint="higher comes first")
    return None if found is None else int(found)

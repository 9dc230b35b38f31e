"""Targets: pages checked on their own schedule. Add, import, edit, pause, resume, remove."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.sources import targets
from larder.actions.sources.targets import DueTargets, TargetSpec, TargetView, csv_import
from larder.actions.sources.targets.csv_import import ImportedTargets
from larder.api.context import AdminContext
from larder.api.request_bodies import After, ListLimit, OfSource, RequestBody, RowId, example
from larder.api.schemas import Items
from larder.core.policy.scheduling.targets import INTERVAL, PRIORITY, TargetStatus

router = APIRouter(prefix="/targets", tags=["targets"])

_YEAR_S = 366 * 86_400


class TargetChange(RequestBody):
    """Changes to a target; omitted fields stay as they are."""

    interval_seconds: int | None = Field(
        default=None, ge=60, le=_YEAR_S, description="Seconds between two checks."
    )
    cron: str | None = Field(
        default=None, max_length=100, description="Cron expression, instead of an interval."
    )
    priority: int | None = Field(default=None, ge=-1_000, le=1_000, description="Higher comes first.")
    notes: str | None = Field(default=None, max_length=2_000, description="Free text.")
    enabled: bool | None = Field(default=None, description="Whether it is checked.")

    def values(self) -> dict[str, Any]:
        """The changes as arguments of the action."""
        values = self.model_dump(include={"cron", "priority", "notes", "enabled"})
        seconds = self.interval_seconds
        return {**values, "interval": None if seconds is None else timedelta(seconds=seconds)}


class NewTarget(TargetChange):
    """A page to check on a schedule."""

    model_config = example(source="shop", url="https://shop.example/kettle", interval_seconds=3600)

    source: str = Field(max_length=64, description="The slug of the source it belongs to.")
    url: str = Field(max_length=2_000, description="Address of the page, on the source's site.")


class TargetFile(RequestBody):
    """A CSV file with the columns url, interval, cron, priority, notes, enabled."""

    source: str = Field(max_length=64, description="The slug of the source they belong to.")
    csv: str = Field(max_length=10_000_000, description="The file's text.")
    ten_scale: bool = Field(default=False, description="Priorities in the file are 1 (first) to 10 (last).")
    add_sources: bool = Field(
        default=False, description="Add a source for each site in the file that none checks pages of."
    )


@router.get("", summary="All targets")
async def list_targets(
    ctx: AdminContext,
    source: OfSource = None,
    status: Annotated[TargetStatus | None, Query(description="Only in this status.")] = None,
    after: After = None,
    limit: ListLimit = 100,
) -> Items[TargetView]:
    """By id; to get the next page, send the last id of this page as `after`."""
    return Items(
        items=await ctx.read(targets.list_targets, slug=source, status=status, after=after, limit=limit)
    )


@router.post("", summary="Add a target", status_code=201)
async def add(ctx: AdminContext, body: NewTarget) -> TargetView:
    """A target that exists already is changed."""
    spec = TargetSpec(url=body.url, **body.values())
    return await ctx.run(targets.add, body.source, spec, **ctx.actor)


@router.post("/import", summary="Import targets from CSV")
async def import_(ctx: AdminContext, body: TargetFile) -> ImportedTargets:
    """Valid lines are imported; invalid ones are returned with line number and reason."""
    settings = ctx.dispatcher if body.add_sources else None
    return await ctx.run(
        csv_import.import_csv,
        body.source,
        body.csv,
        ten_scale=body.ten_scale,
        add_sources=settings,
        **ctx.actor,
    )


class TargetsOf(RequestBody):
    """The source whose targets are checked."""

    source: str | None = Field(default=None, max_length=64, description="A source's slug; none: all sources.")


@router.post("/run", summary="Check all targets now")
async def run_all(ctx: AdminContext, body: TargetsOf | None = None) -> DueTargets:
    """Makes all targets of a source, or of every source, due at once; paused ones stay paused."""
    return await ctx.run(targets.run_all, body.source if body else None, **ctx.actor)


@router.get("/{target_id:row}", summary="One target")
async def show(ctx: AdminContext, target_id: RowId) -> TargetView:
    """With the result of its last check."""
    return await ctx.read(targets.show, target_id)


@router.patch("/{target_id:row}", summary="Change a target")
async def edit(ctx: AdminContext, target_id: RowId, body: TargetChange) -> TargetView:
    """Its interval or cron expression, its priority, its notes."""
    return await ctx.run(targets.edit, target_id, body.values(), **ctx.actor)


@router.put("/{target_id:row}", summary="Replace a target")
async def replace(ctx: AdminContext, target_id: RowId, body: TargetChange) -> TargetView:
    """Omitted fields are as in a new target: once a day, priority 0, enabled, no notes."""
    values = {name: value for name, value in body.values().items() if value is not None}
    scheduled = {} if "cron" in values else {"interval": INTERVAL}
    fresh = {"priority": PRIORITY, "notes": "", "enabled": True, **scheduled}
    return await ctx.run(targets.edit, target_id, fresh | values, **ctx.actor)


@router.delete("/{target_id:row}", summary="Remove a target")
async def remove(ctx: AdminContext, target_id: RowId) -> TargetView:
    """The record and its history stay."""
    return await ctx.run(targets.remove, target_id, **ctx.actor)


@router.post("/{target_id:row}/pause", summary="Pause a target")
async def pause(ctx: AdminContext, target_id: RowId) -> TargetView:
    """It is not checked until it is resumed."""
    return await ctx.run(targets.pause, target_id, **ctx.actor)


@router.post("/{target_id:row}/block", summary="Block a target")
async def block(ctx: AdminContext, target_id: RowId) -> TargetView:
    """Its page is not fetched, whoever imports its address again, until it is unblocked."""
    return await ctx.run(targets.block, target_id, **ctx.actor)


@router.post("/{target_id:row}/unblock", summary="Unblock a target")
async def unblock(ctx: AdminContext, target_id: RowId) -> TargetView:
    """It is due from now on; a page that was erased on request stays blocked."""
    return await ctx.run(targets.unblock, target_id, **ctx.actor)


@router.post("/{target_id:row}/resume", summary="Resume a target")
async def resume(ctx: AdminContext, target_id: RowId) -> TargetView:
    """Resets its failures; it is due from now on."""
    return await ctx.run(targets.resume, target_id, **ctx.actor)


@router.post("/{target_id:row}/run", summary="Check a target now")
async def run(ctx: AdminContext, target_id: RowId) -> TargetView:
    """Makes it due at once, whatever its schedule."""
    return await ctx.run(targets.run_now, target_id, **ctx.actor)

"""The frame of the admin pages: the menu with its counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi.responses import HTMLResponse
from sqlalchemy import func, select

from larder.core.errors import NotFound
from larder.store.database import Connection
from larder.store.tables import alerts, candidates, dead_letters, quarantine, runs
from larder.web.context import PageContext

MAX_COUNT = 1_000
"""Counting stops here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCounts:
    """Counts of the admin menu."""

    runs: int
    alerts: int
    quarantined: int
    dead: int
    candidates: int


def pending_counts(conn: Connection) -> PendingCounts:
    """In one query, each count bounded and by an index."""
    asked = {
        "runs": select(runs.c.id).where(runs.c.status == "running"),
        "alerts": select(alerts.c.id).where(alerts.c.resolved_at.is_(None)),
        "quarantined": select(quarantine.c.id).where(quarantine.c.status == "pending"),
        "dead": select(dead_letters.c.id).where(dead_letters.c.status == "pending"),
        "candidates": select(candidates.c.id).where(candidates.c.status == "new"),
    }
    counts = [
        select(func.count()).select_from(each.limit(MAX_COUNT).subquery()).scalar_subquery().label(name)
        for name, each in asked.items()
    ]
    row = conn.execute(select(*counts)).one()
    return PendingCounts(**row._asdict())


async def admin_page(ctx: PageContext, template: str, here: str, **context: Any) -> HTMLResponse:
    """An admin page; `here` is its menu entry."""
    counts = await ctx.look(pending_counts)
    return ctx.page(f"admin/{template}", place="admin", here=here, waiting=counts, **context)


Action = tuple[Callable[..., Any], str]
"""What a button does, and the text that confirms it."""


def find_action(actions: Mapping[str, Action], name: str) -> Action:
    """The action of a button; NotFound for any other name."""
    if name not in actions:
        raise NotFound(f"unknown action: {name}")
    return actions[name]

"""Adapters: where each runs, how its pages read lately, what a new version or a repair would change."""

from fastapi import APIRouter
from fastapi.responses import Response
from sqlalchemy import Connection, select

from larder.actions import adapters
from larder.core.errors import NotThere
from larder.store.tables import drift_batches, sites
from larder.web.admin.frame import answer
from larder.web.visit import Operator, text

router = APIRouter(prefix="/adapters")

BATCHES = 60
ALARM = 0.5
"""The failure rate that calls for a person."""


@router.get("")
async def every(visit: Operator) -> Response:
    """All of them."""
    return await answer(visit, "adapters.html", "adapters", adapters=await visit.look(adapters.every))


@router.get("/{adapter_id}")
async def one(visit: Operator, adapter_id: str) -> Response:
    """One adapter with its drift, site by site."""
    found = await visit.look(adapters.show, adapter_id)
    drift = await visit.look(_drift, adapter_id)
    return await answer(visit, "adapter.html", "adapters", adapter=found, drift=drift, alarm=ALARM)


@router.post("/{adapter_id}/{action}")
async def act(visit: Operator, adapter_id: str, action: str) -> Response:
    """Switch it."""
    form = await visit.form()
    if action == "disable":
        await visit.do(adapters.disable, adapter_id, text(form, "reason"), who=visit.who, now=visit.now)
    elif action == "enable":
        await visit.do(adapters.enable, adapter_id, who=visit.who, now=visit.now)
    else:
        raise NotThere(f"nothing is called {action!r} here")
    return visit.back(f"/admin/adapters/{adapter_id}", f"{adapter_id} is {action}d.")


def _drift(conn: Connection, adapter_id: str) -> dict[str, list[tuple[str, float]]]:
    """Failure rates of the latest batches of each site, oldest first."""
    query = (
        select(drift_batches, sites.c.domain)
        .outerjoin(sites, sites.c.id == drift_batches.c.site_id)
        .where(drift_batches.c.adapter == adapter_id)
        .order_by(drift_batches.c.id.desc())
        .limit(BATCHES)
    )
    found: dict[str, list[tuple[str, float]]] = {}
    for row in reversed(conn.execute(query).all()):
        rate = row.failed / row.attempted if row.attempted else 0.0
        label = f"{row.at:%d %b %H:%M}: {row.failed} of {row.attempted} failed, {row.valid} valid"
        found.setdefault(row.domain or "everywhere", []).append((label, rate))
    return found

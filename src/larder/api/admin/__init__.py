"""Admin routes, by noun: requests with an admin key come in, answers as JSON go out.

Every route depends on `AdminContext`.
"""

from fastapi import FastAPI

from larder.api.admin import (
    adapters,
    alerts,
    audit,
    candidates,
    dead_letters,
    entities,
    errors,
    keys,
    overview,
    proxies,
    quarantine,
    records,
    repairs,
    runs,
    secrets,
    sites,
    sources,
    targets,
    verifications,
    watches,
)
from larder.api.openapi import ADMIN_PROBLEMS

NOUNS = (
    overview.router,
    sites.router,
    targets.router,
    runs.router,
    verifications.router,
    records.router,
    entities.router,
    adapters.router,
    repairs.router,
    dead_letters.router,
    quarantine.router,
    errors.router,
    proxies.router,
    alerts.router,
    watches.router,
    candidates.router,
    keys.router,
    secrets.router,
    audit.router,
)


def include_in(api: FastAPI) -> None:
    """Add all admin routes; one level of routers, as FastAPI prepares the routes once for each level."""
    for name in ("sources", "markets"):
        api.include_router(sources.router, prefix=f"/admin/{name}", tags=[name], responses=ADMIN_PROBLEMS)
    for router in NOUNS:
        api.include_router(router, prefix="/admin", responses=ADMIN_PROBLEMS)

"""Admin routes, by noun; every route depends on `AdminContext`."""

from fastapi import APIRouter

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

router = APIRouter(prefix="/admin", responses=ADMIN_PROBLEMS)
for name in ("sources", "markets"):
    router.include_router(sources.router, prefix=f"/{name}", tags=[name])
for each in NOUNS:
    router.include_router(each)

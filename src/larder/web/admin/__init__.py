"""The admin pages: forms come in, pages go out; every button is an action of the CLI and the API."""

from fastapi import APIRouter

from larder.web.admin import (
    alerts,
    audit,
    dead,
    errors,
    keys,
    language_model,
    overview,
    proxies,
    quarantine,
    records,
    requests,
    runs,
    verification,
    watches,
)
from larder.web.admin.sources import (
    adapters,
    candidates,
    catalogue,
    healing,
    onboarding,
    profile,
    sites,
    sources,
    targets,
)


def routers() -> list[APIRouter]:
    """The routers; that of new sources comes before that of one source."""
    nouns = (
        overview, alerts, onboarding, catalogue, healing, profile, sources, sites, runs, verification,
        records, targets, watches, candidates, adapters, quarantine, dead, errors, requests, proxies,
        language_model, keys, audit,
    )  # fmt: skip
    return [each.router for each in nouns]

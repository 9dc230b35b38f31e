"""The operator's pages. Every button is an action that the CLI and the API have, too."""

from fastapi import APIRouter

from larder.web.admin import (
    alerts,
    audit,
    dead,
    errors,
    keys,
    overview,
    proxies,
    quarantine,
    records,
    requests,
    runs,
    verification,
    watches,
)
from larder.web.admin.sources import adapters, candidates, healing, onboarding, sites, sources, targets


def routers() -> list[APIRouter]:
    """One for each noun; what adds a source comes before what shows one."""
    nouns = (
        overview, alerts, onboarding, healing, sources, sites, runs, verification, records, targets,
        watches, candidates, adapters, quarantine, dead, errors, requests, proxies, keys, audit,
    )  # fmt: skip
    return [each.router for each in nouns]

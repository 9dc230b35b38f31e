"""Adopts new source rows: each gets its site, its lane and its schedules, or is refused with a reason."""

from datetime import datetime

from larder.core.errors import BadInput
from larder.core.model.source import Plan
from larder.core.policy.alerting import AlertName
from larder.core.quoting import quoted
from larder.engine.scheduling.cadence import cadence_of
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import FOLDS, run_kinds
from larder.sdk.adapter import Adapters
from larder.sdk.urls import is_http, registrable_domain
from larder.store.database import Connection
from larder.store.operations.notifications import alerts
from larder.store.queue import lanes, sources
from larder.store.queue.source_rows import SourceRow

INVALID_ROW = (BadInput, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError)
"""Errors that an invalid row can cause."""


def adopt_sources(conn: Connection, settings: DispatchSettings, *, now: datetime) -> int:
    """Adopt rows that were added since the last tick; returns how many there were."""
    new_sources = sources.claim_new(conn)
    for row in new_sources:
        try:
            domain = check_source(row.adapter, row.url, settings.adapters)
            plan = _first_runs(row, settings, now)
        except INVALID_ROW as error:
            message = str(error) if isinstance(error, BadInput) else f"cannot be run: {error}"
            set_aside(conn, row, message, now=now)
            continue
        site_id = row.site_id or sources.ensure_site(conn, domain, now=now)
        lanes.ensure_lanes(conn, site_id)
        sources.adopt(conn, row.id, site_id, plan, now=now)
    return len(new_sources)


def set_aside(conn: Connection, row: SourceRow, reason: str, *, now: datetime) -> None:
    """Mark a source that cannot run for review, and alert."""
    sources.disable_invalid(conn, row.id, reason, now=now)
    name, message = AlertName.SOURCE_INVALID, f"{row.slug} needs review: {reason}"
    alerts.raise_alert(conn, name, name.severity, row.slug, message, now=now)


def _first_runs(row: SourceRow, settings: DispatchSettings, now: datetime) -> dict[str, datetime]:
    """When the first run of each kind is due."""
    cadence = cadence_of(row, settings.cadence)
    kinds = [kind for kind in run_kinds(Plan(row.plan)) if kind in settings.kinds]
    return {
        str(kind): now if FOLDS[kind].starts_at_once else FOLDS[kind].next_at(cadence, now) for kind in kinds
    }


def check_source(adapter: str, url: str, adapters: Adapters) -> str:
    """The site's domain; raises BadInput where no source with this adapter and URL can run."""
    if adapter not in adapters:
        known = ", ".join(sorted(adapters))
        raise BadInput(f"there is no adapter {quoted(adapter)}", hint=f"known adapters: {known}")
    domain = registrable_domain(url) if is_http(url) else None
    if domain is None:
        raise BadInput(
            f"{quoted(url)} is not a web address", hint="give one that starts with https:// or http://"
        )
    return domain

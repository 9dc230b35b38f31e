"""The daily maintenance, with this deployment's retention settings."""

from datetime import timedelta

from larder.app.deployment import App
from larder.engine.background import maintenance
from larder.engine.background.geocoding import Nominatim, geocode_events
from larder.engine.background.images import adopt_known_images
from larder.engine.background.maintenance import MaintenanceResult, Retention
from larder.settings import Settings
from larder.stages.fetch.http import larder_user_agent
from larder.stages.notify.http_post import session
from larder.store.pages import retention
from larder.store.pages.retention import RetentionLimits, RetentionResult


async def maintain(app: App) -> MaintenanceResult:
    """Run all of it now."""
    await adopt_known_images(app.database, now=app.clock.now())
    return await maintenance.maintain(
        app.database,
        app.clock,
        _retention(app.settings),
        sweep_pages=lambda: sweep_pages(app),
        place_events=(lambda: _place_events(app)) if app.settings.geocoder else None,
    )


def _retention(settings: Settings) -> Retention:
    return Retention(
        jobs=timedelta(days=settings.jobs_keep_days),
        errors=timedelta(days=settings.errors_keep_days),
        changes=timedelta(days=settings.changes_keep_days),
        inactive_records=timedelta(days=settings.archive_after_days) if settings.archive_after_days else None,
    )


async def sweep_pages(app: App) -> RetentionResult:
    """Delete pages and bodies that are too old or exceed the space limit."""
    settings, blobs = app.settings, app.blobs()
    keep = RetentionLimits(
        age=timedelta(days=settings.pages_keep_days), max_bytes=settings.pages_keep_bytes or None
    )
    try:
        return await retention.apply_retention(app.database, blobs, keep, now=app.clock.now())
    finally:
        await blobs.close()


async def _place_events(app: App) -> int:
    agent = larder_user_agent(app.settings.contact)
    async with session() as client:
        geocoder = Nominatim(app.settings.geocoder, client, app.clock, agent=agent)
        return (await geocode_events(app.database, geocoder, app.clock)).placed

"""A site's request limits: its preset, an operator's overrides, and its own crawl-delay.

They are enforced by slots: each allows one request, and is given out no further ahead than needed.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from larder.core.model.job import Slot
from larder.core.model.site import POLITENESS, Politeness, Preset
from larder.core.ports import Chance
from larder.store.tables import sites

SLOT_GRACE = timedelta(seconds=1)
HORIZON = timedelta(seconds=1)
"""How far ahead slots are given out: a job that waits for its slot occupies a place in a worker."""


class SiteLimits(NamedTuple):
    """The columns that limit how often a site gets requests."""

    preset: str
    spacing_ms: int | None
    spacing_max_ms: int | None
    at_once: int | None
    crawl_delay_ms: int | None


class SlotRow(NamedTuple):
    """When a lane opens, and the limits of its site."""

    open_at: datetime
    cooling_until: datetime | None
    preset: str
    spacing_ms: int | None
    spacing_max_ms: int | None
    at_once: int | None
    crawl_delay_ms: int | None

    @property
    def limits(self) -> SiteLimits:
        """The site's limits alone."""
        return SiteLimits(*self[2:])


SITE_LIMIT_COLUMNS = tuple(sites.c[name] for name in SiteLimits._fields)


def politeness_of(limits: SiteLimits) -> Politeness:
    """The preset with an operator's overrides, and the site's own crawl-delay if that is larger."""
    preset = POLITENESS[Preset(limits.preset)]
    gap = preset.spacing if limits.spacing_ms is None else timedelta(milliseconds=limits.spacing_ms)
    widest = preset.spacing_max if limits.spacing_ms is None else gap
    if limits.spacing_max_ms is not None:
        widest = max(gap, timedelta(milliseconds=limits.spacing_max_ms))
    set_by_us = Politeness(spacing=gap, spacing_max=widest, at_once=limits.at_once or preset.at_once)
    delay = None if limits.crawl_delay_ms is None else timedelta(milliseconds=limits.crawl_delay_ms)
    return set_by_us.slower(delay)


def slot(opens: datetime, politeness: Politeness) -> Slot:
    """A slot that opens then; it expires with the gap to the next one, after at least a second."""
    return Slot(opens_at=opens, closes_at=opens + max(politeness.spacing, SLOT_GRACE))


def spacing(politeness: Politeness, rng: Chance) -> timedelta:
    """The gap after a request, random between the site's bounds."""
    if politeness.spacing == politeness.spacing_max:
        return politeness.spacing
    return timedelta(
        seconds=rng.uniform(politeness.spacing.total_seconds(), politeness.spacing_max.total_seconds())
    )

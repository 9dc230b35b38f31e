"""A site's manners as the store keeps them: its preset, what an operator set, and its own crawl-delay.

They are kept by slots: leave to send one request at a time, handed out no further ahead than is needed.
"""

from datetime import datetime, timedelta

from larder.core.model.job import Slot
from larder.core.model.site import POLITENESS, Politeness, Preset
from larder.core.ports import Chance
from larder.store.database.statement import AnyRow
from larder.store.tables import sites

SLOT_GRACE = timedelta(seconds=1)
HORIZON = timedelta(seconds=1)

SITE_LIMIT_COLUMNS = (
    sites.c.domain,
    sites.c.local,
    sites.c.preset,
    sites.c.spacing_ms,
    sites.c.spacing_max_ms,
    sites.c.at_once,
    sites.c.crawl_delay_ms,
)


def politeness_of(row: AnyRow) -> Politeness:
    """A site's manners: its preset, what an operator set, and its own crawl-delay where that is larger."""
    preset = POLITENESS[Preset(row.preset)]
    gap = preset.spacing if row.spacing_ms is None else timedelta(milliseconds=row.spacing_ms)
    widest = preset.spacing_max if row.spacing_ms is None else gap
    if row.spacing_max_ms is not None:
        widest = max(gap, timedelta(milliseconds=row.spacing_max_ms))
    manners = Politeness(spacing=gap, spacing_max=widest, at_once=row.at_once or preset.at_once)
    delay = None if row.crawl_delay_ms is None else timedelta(milliseconds=row.crawl_delay_ms)
    return manners.slower(delay)


def horizon(politeness: Politeness) -> timedelta:
    """How far ahead slots are handed out: one request on a slow lane, a second's worth on a fast one."""
    return max(politeness.spacing_max, HORIZON)


def slot(opens: datetime, politeness: Politeness) -> Slot:
    """A slot lasts a little longer than the gap to the next one; later than that it is lost."""
    return Slot(opens_at=opens, closes_at=opens + max(politeness.spacing, SLOT_GRACE))


def spacing(politeness: Politeness, chance: Chance) -> timedelta:
    """The gap after a request."""
    if politeness.spacing == politeness.spacing_max:
        return politeness.spacing
    return timedelta(
        seconds=chance.uniform(politeness.spacing.total_seconds(), politeness.spacing_max.total_seconds())
    )

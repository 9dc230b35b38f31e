"""When is a source looked at again?

A run kind says how long after one run the next is due (`larder.runs`); a source or a deployment may say
otherwise. Intervals are counted from the last run, not from a fixed grid: after a pause nothing has to be
caught up. What is bound to a wall clock (06:00 at the venue) follows that clock through summer time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from larder.core.model.run import RunKind
from larder.core.model.source import Plan, Tier
from larder.core.policy.scheduling.spending import Spending

DAY = timedelta(days=1)
MIN_INTERVAL = timedelta(seconds=1)
"""The shortest time between two runs of a source; far shorter ones are none at all."""
MAX_INTERVAL = 3_650 * DAY
"""The longest time between two runs of a source; a longer one is refused."""
MIN_CADENCE_HOURS = MIN_INTERVAL / timedelta(hours=1)
MAX_CADENCE_HOURS = MAX_INTERVAL / timedelta(hours=1)

MAINTENANCE_AT = time(3)
SUMMARY_AT = time(7)
SCOUT_AT = time(3)
SUNDAY = 6

TICK_EMBEDDED = timedelta(seconds=10)
TICK_DISTRIBUTED = timedelta(minutes=1)
STAGGER = timedelta(seconds=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cadence:
    """What decides when the runs of one source are due."""

    plan: Plan
    tier: Tier = Tier.STANDARD
    tz: str = "UTC"
    cadence_hours: float | None = None
    """Overrides the interval of collect, in any plan."""
    intervals: Mapping[str, timedelta] = field(default_factory=dict)
    """Intervals that replace a run kind's own: `discovery_every`, `sweep_every` …"""
    spending: Spending = field(default_factory=Spending)
    """What a source with the plan `adaptive` may spend."""

    def interval(self, kind: RunKind, default: timedelta) -> timedelta:
        """How long after one run of this kind the next is due."""
        return self.intervals.get(f"{kind}_every", default)


def daily_at(wall: time, tz: str, after: datetime) -> datetime:
    """The next moment after `after` at which clocks in `tz` show `wall`.

    Where summer time leaves that hour out, the moment is as much later; where it comes twice, the first one.
    """
    zone = ZoneInfo(tz)
    day = after.astimezone(zone).date() - DAY
    while (moment := _wall_moment(datetime.combine(day, wall), zone, after)) <= after:
        day += DAY
    return moment


def weekly_at(weekday: int, wall: time, tz: str, after: datetime) -> datetime:
    """The same, on one day of the week (Monday is 0)."""
    moment = daily_at(wall, tz, after)
    zone = ZoneInfo(tz)
    while moment.astimezone(zone).weekday() != weekday:
        moment = daily_at(wall, tz, moment)
    return moment


def _wall_moment(wall: datetime, zone: ZoneInfo, like: datetime) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(like.tzinfo)

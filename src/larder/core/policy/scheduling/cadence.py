"""When is a source looked at again?

Each plan is a row of run kinds, and each kind has a beat. Beats are counted from the last run, not from a
fixed grid: after a pause nothing has to be caught up. What is bound to a wall clock (06:00 at the venue)
follows that clock through the changes of summer time.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from larder.core.model.run import RunKind
from larder.core.model.source import Plan, Tier

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

COLLECT_EVERY = {Tier.HOT: 6 * HOUR, Tier.STANDARD: 12 * HOUR, Tier.COOL: 24 * HOUR}
DISCOVERY_EVERY = timedelta(minutes=30)
SWEEP_EVERY = 3 * HOUR
VERIFICATION_EVERY = 6 * HOUR
VERIFICATION_OF_FADED_EVERY = HOUR
MONITOR_EVERY = timedelta(minutes=1)
"""How often a watch source looks which of its targets are due."""
AGENDA_AT = time(6)
MAINTENANCE_AT = time(3)
SUMMARY_AT = time(7)
SCOUT_AT = time(3)
SUNDAY = 6

TICK_EMBEDDED = timedelta(seconds=10)
TICK_DISTRIBUTED = timedelta(minutes=1)
STAGGER = timedelta(seconds=60)

RUN_KINDS = {
    Plan.MARKET: (RunKind.COLLECT, RunKind.VERIFICATION),
    Plan.INDEX: (RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION),
    Plan.AGENDA: (RunKind.COLLECT, RunKind.VERIFICATION),
    Plan.WATCH: (RunKind.MONITOR,),
    Plan.ADAPTIVE: (RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION),
}


def run_kinds(plan: Plan) -> tuple[RunKind, ...]:
    """Which run kinds a source has."""
    return RUN_KINDS[plan]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cadence:
    """The beats of one source."""

    plan: Plan
    tier: Tier = Tier.STANDARD
    tz: str = "UTC"
    cadence_hours: float | None = None
    """Overrides the beat of collect, in any plan."""
    discovery_every: timedelta = DISCOVERY_EVERY
    sweep_every: timedelta = SWEEP_EVERY
    verification_every: timedelta = VERIFICATION_EVERY
    monitor_every: timedelta = MONITOR_EVERY

    def next_at(self, kind: RunKind, after: datetime, *, fades_at: datetime | None = None) -> datetime:
        """When a run of this kind is due again. `fades_at`: see `next_verification`."""
        match kind:
            case RunKind.COLLECT:
                return self._next_collect(after)
            case RunKind.DISCOVERY:
                return after + self.discovery_every
            case RunKind.SWEEP:
                return after + self.sweep_every
            case RunKind.VERIFICATION:
                return next_verification(after, fades_at, every=self.verification_every)
            case RunKind.MONITOR:
                return after + self.monitor_every
            case RunKind.SCOUT:
                return weekly_at(SUNDAY, SCOUT_AT, self.tz, after)

    def _next_collect(self, after: datetime) -> datetime:
        if self.cadence_hours is not None:
            return after + HOUR * self.cadence_hours
        if self.plan is Plan.AGENDA:
            return daily_at(AGENDA_AT, self.tz, after)
        return after + COLLECT_EVERY[self.tier]


def next_verification(
    after: datetime, fades_at: datetime | None, *, every: timedelta = VERIFICATION_EVERY
) -> datetime:
    """Every 6 h; sooner, but at most hourly, if a record falls below 40 before (`fades_at`: the first to)."""
    beat = after + every
    if fades_at is None:
        return beat
    return min(beat, max(fades_at, after + VERIFICATION_OF_FADED_EVERY))


def checks_all(
    now: datetime, last_checked_all: datetime | None, every: timedelta = VERIFICATION_EVERY
) -> bool:
    """Does this verification take all candidates, or only those that fell below 40?"""
    return last_checked_all is None or now - last_checked_all >= every


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

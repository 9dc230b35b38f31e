"""An agenda as a function of its rules and of time: announced events that are not over, soonest first.

Agendas with the same `calendar` announce the same events, each in its own words; `entity` identifies the
event of an announcement. A few are cancelled before their day; the rest leave when they are over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count, takewhile
from random import Random

from larder.sim.classifieds.truth import ListingPage
from larder.sim.event_catalogue import SimulatedEvent, agenda_title, random_event

DAY = timedelta(days=1)
_FIRST_ID = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """An event as one agenda announces it."""

    platform_id: str
    of: SimulatedEvent
    title: str
    announced_at: datetime
    until: datetime
    """When it leaves the agenda: its end, or the time at which it was cancelled."""
    venue: str

    @property
    def entity(self) -> str:
        """Which event it is, the same on every agenda."""
        return self.of.entity


@dataclass(frozen=True, kw_only=True)
class AgendaRules:
    """The rules of an agenda."""

    seed: int
    start: datetime
    calendar: int = 1
    """The seed of the events; agendas with the same one announce the same events."""
    per_day: float = 4.0
    """New events a day in the whole town."""
    coverage: float = 0.7
    """The share of all events that this agenda announces."""
    title_style: int = 0
    """How this agenda words its titles."""
    called_off: float = 0.04
    known_before_days: float = 30.0
    """How long before `start` announcements began."""


@dataclass(slots=True)
class _AgendaCache:
    announced: dict[int, Announcement | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AgendaTruth(AgendaRules):
    """The truth of one agenda. Times are aware; before `start` it is as it was at `start`."""

    _memory: _AgendaCache = field(default_factory=_AgendaCache, init=False, repr=False, compare=False)

    def live(self, at: datetime) -> Mapping[str, Announcement]:
        """All announcements at `at`, by the agenda's number."""
        at = max(at, self.start)
        return {
            announcement.platform_id: announcement
            for announcement in self.announced(at)
            if at < announcement.until
        }

    def count(self, at: datetime) -> int:
        """How many announcements there are at `at`."""
        return len(self.live(at))

    def announcement(self, platform_id: str, at: datetime) -> Announcement | None:
        """An announcement at `at`; None if it is over, cancelled or not announced yet."""
        announcement = self.last_known(platform_id, at)
        return announcement if announcement and max(at, self.start) < announcement.until else None

    def last_known(self, platform_id: str, at: datetime) -> Announcement | None:
        """An announcement, over or not; None: it never existed."""
        number = int(platform_id) - _FIRST_ID
        if number < 0 or self._moment(number) > max(at, self.start):
            return None
        announcement = self._one(number)
        return announcement if announcement and announcement.announced_at <= max(at, self.start) else None

    def index(self, at: datetime, page: int, per_page: int) -> ListingPage[Announcement]:
        """Page `page` (from 1) of what is to come, soonest first; beyond the end it has no rows."""
        soonest = sorted(
            self.live(at).values(),
            key=lambda announcement: (announcement.of.starts_at, announcement.platform_id),
        )
        return ListingPage.of(soonest, page, per_page)

    def announced(self, at: datetime) -> Iterator[Announcement]:
        """All that was announced by `at`, over or not."""
        out = takewhile(lambda number: self._moment(number) <= at, count())
        announcements = (self._one(number) for number in out)
        return (
            announcement for announcement in announcements if announcement and announcement.announced_at <= at
        )

    def _moment(self, number: int) -> datetime:
        """When an event is first announced."""
        return self.start - DAY * self.known_before_days + DAY * (number / self.per_day)

    def _one(self, number: int) -> Announcement | None:
        if number not in self._memory.announced:
            rng = Random(f"{self.seed}:announced:{number}")  # noqa: S311 - luck, not secrecy
            covered = rng.random() < self.coverage
            self._memory.announced[number] = self._drawn(rng, number) if covered else None
        return self._memory.announced[number]

    def _drawn(self, rng: Random, number: int) -> Announcement:
        first = self._moment(number)
        of = random_event(self.calendar, number, first)
        announced_at = first + DAY * rng.uniform(0, 1)
        duration = of.ends_at - announced_at
        until = announced_at + duration * rng.random() if rng.random() < self.called_off else of.ends_at
        return Announcement(
            platform_id=str(_FIRST_ID + number),
            of=of,
            title=agenda_title(of, self.title_style, rng),
            announced_at=announced_at,
            until=until,
            venue=of.venue.name if self.title_style % 2 == 0 else of.venue.also,
        )

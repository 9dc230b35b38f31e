"""What was really there, and when: the truth of a made-up site over a whole proof, to judge a dataset by."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import ListingChange
from larder.sim.faults import Fault

NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Stay:
    """From when to when something held."""

    since: datetime
    until: datetime

    def covers(self, at: datetime) -> bool:
        return self.since <= at < self.until

    @property
    def length(self) -> timedelta:
        return self.until - self.since


@dataclass(frozen=True, slots=True)
class Priced:
    """A price that a listing changed to, and how long it stayed."""

    platform_id: str
    price: int
    stay: Stay


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """All that happened on a site up to `until`."""

    until: datetime
    stays: Mapping[str, Sequence[Stay]]
    changes: Sequence[Priced]

    @classmethod
    def of(cls, site: ClassifiedsSite, *, until: datetime) -> "Truth":
        rules = site.classifieds
        stays: dict[str, list[Stay]] = defaultdict(list)
        here = dict.fromkeys(rules.live(rules.start), rules.start)
        priced: dict[str, tuple[datetime, int]] = {}
        changes: list[Priced] = []

        def price_ends(name: str, at: datetime) -> None:
            if name in priced:
                since, price = priced.pop(name)
                changes.append(Priced(name, price, Stay(since, at)))

        for event in rules.events(rules.start, until):
            name = event.listing.platform_id
            match event.what:
                case ListingChange.ARRIVED | ListingChange.BACK:
                    here[name] = event.at
                case ListingChange.REMOVED:
                    stays[name].append(Stay(here.pop(name), event.at))
                    price_ends(name, event.at)
                case ListingChange.PRICE:
                    price_ends(name, event.at)
                    priced[name] = (event.at, event.listing.price)
        for name, since in here.items():
            stays[name].append(Stay(since, until))
            price_ends(name, until)
        return cls(until=until, stays=stays, changes=changes)

    def there(self, platform_id: str, at: datetime) -> bool:
        """Was it there at that moment?"""
        return any(stay.covers(at) for stay in self.stays.get(platform_id, ()))

    def there_throughout(self, since: datetime, until: datetime) -> set[str]:
        """All that was there from then to then."""
        return {
            name
            for name, stays in self.stays.items()
            if any(stay.since <= since and until <= stay.until for stay in stays)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Uptime:
    """The stretches in which a site was well."""

    stretches: Sequence[Stay]
    _starts: Sequence[datetime] = field(default=())

    @classmethod
    def of(cls, faults: Iterable[Fault], *, since: datetime, until: datetime) -> "Uptime":
        stretches, at = [], since
        for fault in sorted(faults, key=lambda each: each.since):
            if fault.since > at:
                stretches.append(Stay(at, min(fault.since, until)))
            at = max(at, fault.until)
        if at < until:
            stretches.append(Stay(at, until))
        return cls(stretches=stretches, _starts=[stretch.since for stretch in stretches])

    def between(self, since: datetime, until: datetime) -> timedelta:
        """How long the site was well between then and then."""
        overlaps = (min(s.until, until) - max(s.since, since) for s in self.stretches)
        return sum((each for each in overlaps if each > NOTHING), NOTHING)

    def at(self, moment: datetime) -> Stay | None:
        """The stretch that a moment lies in."""
        i = bisect_right(self._starts, moment) - 1
        return self.stretches[i] if i >= 0 and self.stretches[i].covers(moment) else None

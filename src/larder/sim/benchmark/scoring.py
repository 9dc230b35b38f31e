"""The score of a policy: what readers were shown, compared with the truth at regular moments.

Each figure is a mean over these moments or a percentile over events of the scored days. `docs/reference/
score.md` defines them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

from larder.sim.classifieds.state import Listing, ListingChange, ListingEvent
from larder.store.database import micros
from larder.store.reads.shown_records import FirstSeen, ObservedPrice, ShownRecord

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyScore:
    """How true a policy kept the dataset, and what it asked of the site."""

    policy: str
    seed: int
    days: float
    requests_per_day: float
    requests_peak_hour: int
    """Requests in the busiest hour."""
    news_p50_min: float | None
    """Minutes from a listing's appearance until it is in the dataset."""
    news_p95_min: float | None
    recall: float
    """Share of live listings that are shown."""
    shown_gone: float
    """Share of what is shown that is no longer there."""
    removal_p50_h: float | None
    """Hours from a removal until the listing is no longer shown."""
    removal_p95_h: float | None
    false_gone: float
    """Share of live listings that were shown before and are not shown now."""
    prices_captured: float | None
    """Share of price changes that were observed before the next change or removal."""
    price_stale_h: float | None
    """Hours that a shown price is wrong, for each change of a price."""
    detail_fresh: float
    """Share of shown live listings whose own page was read after its last edit."""
    error: float
    """Share of what is live or shown that is not both, at the right price."""
    flicker: float
    """Share of listings that vanished from view and came back although they were there all the time."""


@dataclass(slots=True)
class _Sums:
    samples: int = 0
    recall: float = 0.0
    shown_gone: float = 0.0
    false_gone: float = 0.0
    detail_fresh: float = 0.0
    error: float = 0.0
    wrong_prices: int = 0


@dataclass(frozen=True, slots=True)
class _PriceChange:
    platform_id: str
    price: int
    since: datetime
    until: datetime | None = None
    """When the price changed again or the listing was removed."""


@dataclass(slots=True, kw_only=True)
class Scorer:
    """Collects samples; the events of the scored days are given between them, in order."""

    step: timedelta
    _sums: _Sums = field(default_factory=_Sums)
    _arrivals: dict[str, datetime] = field(default_factory=dict)
    _edited_at: dict[str, int] = field(default_factory=dict)
    _unnoticed: dict[str, datetime] = field(default_factory=dict)
    """Removals of listings that are still shown."""
    _removal_times: list[timedelta] = field(default_factory=list)
    _open_prices: dict[str, _PriceChange] = field(default_factory=dict)
    _prices: list[_PriceChange] = field(default_factory=list)
    _shown_before: set[str] = field(default_factory=set)
    _vanished: set[str] = field(default_factory=set)
    """Live all the time, shown before, not shown now."""
    _ever_shown: set[str] = field(default_factory=set)
    _flickered: set[str] = field(default_factory=set)

    def happened(self, events: Iterable[ListingEvent]) -> None:
        """Take note of what happened on the site since the last sample."""
        for event in events:
            self._note(event)

    def _note(self, event: ListingEvent) -> None:
        name, at = event.listing.platform_id, event.at
        match event.what:
            case ListingChange.ARRIVED:
                self._arrivals[name] = at
            case ListingChange.EDITED:
                self._edited_at[name] = micros(at)
            case ListingChange.PRICE:
                self._close_price(name, at)
                self._open_prices[name] = _PriceChange(name, event.listing.price, at)
            case ListingChange.REMOVED:
                self._close_price(name, at)
                self._vanished.discard(name)
                if name in self._shown_before:
                    self._unnoticed[name] = at
            case ListingChange.BACK:
                self._unnoticed.pop(name, None)
            case ListingChange.BUMPED:
                pass

    def _close_price(self, name: str, at: datetime) -> None:
        if before := self._open_prices.pop(name, None):
            self._prices.append(_PriceChange(name, before.price, before.since, at))

    def sample(self, at: datetime, live: Mapping[str, Listing], records: Sequence[ShownRecord]) -> None:
        """Compare what is shown with what is there."""
        there = {name: listing.price for name, listing in live.items()}
        prices = {name: price for name, price, _ in records}
        known, right = len(prices.keys() & there.keys()), len(prices.items() & there.items())
        edited_at = self._edited_at.get
        fresh = sum((read_at or 0) >= edited_at(name, 1) for name, _, read_at in records if name in there)
        self._follow(at, live, set(prices))
        gone, sums = len(records) - known, self._sums
        sums.samples += 1
        sums.recall += _share(known, len(live), 1.0)
        sums.shown_gone += _share(gone, len(records), 0.0)
        sums.false_gone += _share(len(self._vanished), len(live), 0.0)
        sums.detail_fresh += _share(fresh, known, 1.0)
        sums.error += 1 - _share(right, len(live) + gone, 1.0)
        sums.wrong_prices += known - right

    def _follow(self, at: datetime, live: Mapping[str, Listing], shown: set[str]) -> None:
        noticed = self._unnoticed.keys() - shown
        self._removal_times += [at - self._unnoticed.pop(name) for name in noticed]
        self._flickered |= self._vanished & shown
        lost = (self._shown_before - shown) & live.keys()
        self._vanished = (self._vanished - shown) | lost
        self._ever_shown |= shown
        self._shown_before = shown

    def result(
        self,
        *,
        policy: str,
        seed: int,
        requests: Mapping[int, int],
        seen: Iterable[FirstSeen],
        prices: Iterable[ObservedPrice],
        until: datetime,
    ) -> PolicyScore:
        """The score; `requests`: how many there were in each hour of the scored days."""
        sums, days = self._sums, self._sums.samples * self.step / timedelta(days=1)
        news = self._news(seen)
        removals = [*self._removal_times, *(until - at for at in self._unnoticed.values())]
        changes = len(self._prices) + len(self._open_prices)
        mean = max(sums.samples, 1)
        return PolicyScore(
            policy=policy,
            seed=seed,
            days=days,
            requests_per_day=sum(requests.values()) / days,
            requests_peak_hour=max(requests.values(), default=0),
            news_p50_min=_percentile(news, 0.50, MINUTE),
            news_p95_min=_percentile(news, 0.95, MINUTE),
            recall=sums.recall / mean,
            shown_gone=sums.shown_gone / mean,
            removal_p50_h=_percentile(removals, 0.50, HOUR),
            removal_p95_h=_percentile(removals, 0.95, HOUR),
            false_gone=sums.false_gone / mean,
            prices_captured=self._captured(prices),
            price_stale_h=sums.wrong_prices * (self.step / HOUR) / changes if changes else None,
            detail_fresh=sums.detail_fresh / mean,
            error=sums.error / mean,
            flicker=_share(len(self._flickered), len(self._ever_shown), 0.0),
        )

    def _news(self, seen: Iterable[FirstSeen]) -> list[timedelta]:
        return [
            timedelta(microseconds=first_seen_at - micros(arrived))
            for name, first_seen_at in seen
            if (arrived := self._arrivals.get(name)) is not None
        ]

    def _captured(self, prices: Iterable[ObservedPrice]) -> float | None:
        """Of the changes that are over: a price that still holds may yet be observed."""
        observed: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for name, amount, first, last in prices:
            observed.setdefault((name, amount), []).append((first, last))
        found = sum(_was_observed(change, observed) for change in self._prices)
        return found / len(self._prices) if self._prices else None


def _was_observed(change: _PriceChange, observed: Mapping[tuple[str, int], list[tuple[int, int]]]) -> bool:
    since, until = micros(change.since), micros(change.until or change.since)
    times = observed.get((change.platform_id, change.price), ())
    return any(first < until and last >= since for first, last in times)


def _share(part: int, total: int, empty: float) -> float:
    return part / total if total else empty


def _percentile(times: Sequence[timedelta], share: float, unit: timedelta) -> float | None:
    """The smallest that at least this share does not exceed."""
    if not times:
        return None
    return sorted(times)[max(0, ceil(share * len(times)) - 1)] / unit

"""The score of a policy: what readers were shown, compared with the truth at regular moments.

`docs/reference/score.md` defines each figure.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Protocol

from larder.sim.classifieds.state import ListingChange
from larder.store.database import micros
from larder.store.reads.shown_records import FirstSeen, ObservedPrice, ShownRecord

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
NEVER = datetime.min.replace(tzinfo=UTC)


class ScoredThing(Protocol):
    """The scored values of a thing at a moment."""

    @property
    def platform_id(self) -> str:
        """Its number on the site."""

    @property
    def price(self) -> int | None:
        """In cents."""


class ScoredEvent(Protocol):
    """An event on a site."""

    @property
    def at(self) -> datetime:
        """Its time."""

    @property
    def what(self) -> ListingChange:
        """Its kind."""

    @property
    def listing(self) -> ScoredThing:
        """The state just after the event, or just before a removal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyScore:
    """How correct a policy kept the dataset, and what it asked of the site."""

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


_Verdict = tuple[bool, bool]
"""Of a live and shown listing: whether its price is right, and its page was read after its last edit."""


@dataclass(slots=True)
class _Verdicts:
    """The verdicts on all live and shown listings, and their counts."""

    right: int = 0
    fresh: int = 0
    _by_name: dict[str, _Verdict] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """The number of live and shown listings."""
        return len(self._by_name)

    def put(self, name: str, verdict: _Verdict | None) -> None:
        """Replace the verdict on a listing; None: it is no longer live and shown."""
        before = self._by_name.pop(name, (False, False))
        if verdict is not None:
            self._by_name[name] = verdict
        now = verdict or (False, False)
        self.right += now[0] - before[0]
        self.fresh += now[1] - before[1]


@dataclass(frozen=True, slots=True)
class _PriceChange:
    platform_id: str
    price: int | None
    since: datetime
    until: datetime | None = None
    """When the price changed again or the listing was removed."""


@dataclass(slots=True, kw_only=True)
class Scorer:
    """Collects samples; the events of the scored days are given between them, in order."""

    step: timedelta
    monitored: frozenset[str] | None = None
    """The scored things; None: all of them."""
    _sums: _Sums = field(default_factory=_Sums)
    _arrivals: dict[str, datetime] = field(default_factory=dict)
    _edited_at: dict[str, int] = field(default_factory=dict)
    _edited: set[str] = field(default_factory=set)
    """Edited since the last sample."""
    _records: Mapping[str, ShownRecord] = field(default_factory=dict)
    _live: Mapping[str, ScoredThing] = field(default_factory=dict)
    """Live and shown at the last sample."""
    _verdicts: _Verdicts = field(default_factory=_Verdicts)
    _unnoticed: dict[str, datetime] = field(default_factory=dict)
    """Removals of listings that are still shown."""
    _removal_times: list[timedelta] = field(default_factory=list)
    _open_prices: dict[str, _PriceChange] = field(default_factory=dict)
    _prices: list[_PriceChange] = field(default_factory=list)
    _vanished: set[str] = field(default_factory=set)
    """Live all the time, shown before, not shown now."""
    _returned: dict[str, datetime] = field(default_factory=dict)
    """When listings came back before their removal was noticed: until it is seen, hiding one is no error."""
    _ever_shown: set[str] = field(default_factory=set)
    _flickered: set[str] = field(default_factory=set)

    def happened(self, events: Iterable[ScoredEvent]) -> None:
        """Note the events on the site since the last sample."""
        for event in events:
            if self._counts(event.listing.platform_id):
                self._note(event)

    def _counts(self, name: str) -> bool:
        return self.monitored is None or name in self.monitored

    def _note(self, event: ScoredEvent) -> None:
        name, at = event.listing.platform_id, event.at
        match event.what:
            case ListingChange.ARRIVED:
                self._arrivals[name] = at
            case ListingChange.EDITED:
                self._edited_at[name] = micros(at)
                self._edited.add(name)
            case ListingChange.PRICE:
                self._close_price(name, at)
                self._open_prices[name] = _PriceChange(name, event.listing.price, at)
            case ListingChange.REMOVED:
                self._close_price(name, at)
                self._vanished.discard(name)
                if name in self._records:
                    self._unnoticed[name] = at
            case ListingChange.BACK:
                if self._unnoticed.pop(name, None):
                    self._returned[name] = at

    def _close_price(self, name: str, at: datetime) -> None:
        if before := self._open_prices.pop(name, None):
            self._prices.append(_PriceChange(name, before.price, before.since, at))

    def sample(self, at: datetime, live: Mapping[str, ScoredThing], records: Sequence[ShownRecord]) -> None:
        """Compare the shown records with the site."""
        if self.monitored is not None:
            live = {name: thing for name, thing in live.items() if name in self.monitored}
            records = [record for record in records if record.platform_id in self.monitored]
        shown = {record[0]: record for record in records}
        self._follow(at, live, shown)
        self._judge_changed(live, shown)
        known, gone, sums = self._verdicts.known, len(shown) - self._verdicts.known, self._sums
        sums.samples += 1
        sums.recall += _share(known, len(live), 1.0)
        sums.shown_gone += _share(gone, len(shown), 0.0)
        sums.false_gone += _share(len(self._vanished), len(live), 0.0)
        sums.detail_fresh += _share(self._verdicts.fresh, known, 1.0)
        sums.error += 1 - _share(self._verdicts.right, len(live) + gone, 1.0)
        sums.wrong_prices += known - self._verdicts.right

    def _judge_changed(self, live: Mapping[str, ScoredThing], shown: Mapping[str, ShownRecord]) -> None:
        """Judge again only listings that changed since the last sample: of thousands a few dozen."""
        records_before, live_before, edited_at = self._records.get, self._live.get, self._edited_at.get
        changed = {name for name, record in shown.items() if records_before(name) != record}
        changed |= {name for name, thing in live.items() if live_before(name) is not thing}
        changed |= self._records.keys() - shown.keys() | self._live.keys() - live.keys() | self._edited
        for name in changed:
            self._verdicts.put(name, _verdict(live.get(name), shown.get(name), edited_at(name, 1)))
        self._records, self._live, self._edited = shown, live, set()

    def _follow(self, at: datetime, live: Container[str], shown: Mapping[str, ShownRecord]) -> None:
        appeared, hidden = shown.keys() - self._records.keys(), self._records.keys() - shown.keys()
        noticed = self._unnoticed.keys() - shown.keys()
        self._removal_times += [at - self._unnoticed.pop(name) for name in noticed]
        self._flickered |= self._vanished & appeared
        stayed = {n for n in hidden if n in live and at - self._returned.pop(n, NEVER) > 24 * HOUR}
        self._vanished = (self._vanished - appeared) | stayed
        self._ever_shown |= appeared

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
        """The observed share of changes that are over: a present price may yet be observed."""
        observed: dict[tuple[str, int | None], list[tuple[int, int]]] = {}
        for name, amount, first, last in prices:
            observed.setdefault((name, amount), []).append((first, last))
        found = sum(_was_observed(change, observed) for change in self._prices)
        return found / len(self._prices) if self._prices else None


def _was_observed(
    change: _PriceChange, observed: Mapping[tuple[str, int | None], list[tuple[int, int]]]
) -> bool:
    since, until = micros(change.since), micros(change.until or change.since)
    times = observed.get((change.platform_id, change.price), ())
    return any(first < until and last >= since for first, last in times)


def _verdict(thing: ScoredThing | None, record: ShownRecord | None, edited_at: int) -> _Verdict | None:
    if thing is None or record is None:
        return None
    return thing.price == record.price_minor, (record.last_scraped_at or 0) >= edited_at


def _share(part: int, total: int, empty: float) -> float:
    return part / total if total else empty


def _percentile(times: Sequence[timedelta], share: float, unit: timedelta) -> float | None:
    """The smallest value that at least this share does not exceed."""
    if not times:
        return None
    return sorted(times)[max(0, ceil(share * len(times)) - 1)] / unit

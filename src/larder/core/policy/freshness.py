"""How sure are we that a record is still there?

Confidence falls in a straight line from its anchor (a sighting at 100, a live verification at 80). It is
never stored, only the times at which it crosses a threshold: time passing must cost nothing.

The rule uses integers, so that SQL can compute the same: times are whole seconds since 1970, and a point is
lost when it is lost in full. Hence a record crosses a threshold at the second at which the first point
*below* it is lost: `confidence < threshold ⇔ now ≥ crosses(threshold)`, with nothing in between.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from larder.core.model.source import Tier

SIGHTING = 100
ALIVE = 80
SHOWN = 40
"""The threshold below which public queries leave a record out."""
DOUBTED = 49
"""The highest confidence of a record whose own page says that it is not there."""
RATES = {Tier.HOT: 3, Tier.STANDARD: 2, Tier.COOL: 1}
"""Points an hour."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HOUR_S = 3600


def epoch_s(moment: datetime) -> int:
    """Whole seconds since 1970, as the store counts them."""
    return (moment - EPOCH) // SECOND


def moment_at(seconds: int) -> datetime:
    """Converts stored seconds into a datetime."""
    return EPOCH + SECOND * seconds


def confidence_at(base: int, anchored_s: int, rate: int, now_s: int) -> int:
    """Points left at `now_s`. An anchor in the future is a skewed clock, not evidence of anything."""
    return max(0, base - rate * max(0, now_s - anchored_s) // HOUR_S)


def confidence_shown(left: int, *, gone: bool, missing: bool) -> int:
    """The confidence shown: 0 for a gone record, at most `DOUBTED` for one whose own page is missing."""
    return 0 if gone else min(left, DOUBTED) if missing else left


def crossing_at(base: int, anchored_s: int, rate: int, threshold: int) -> int:
    """The first second at which confidence is below `threshold`; the anchor where it never was above."""
    points = max(0, base - threshold + 1)
    return anchored_s - (-HOUR_S * points // rate)


def strength(base: int, anchored_s: int, rate: int) -> int:
    """Orders two anchors of one record: they fall in parallel, so the stronger one stays the stronger."""
    return HOUR_S * base + rate * anchored_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """An anchor and how fast confidence falls from it."""

    base: int
    anchored_at: datetime
    rate: int
    """Points an hour, from the source's tier."""

    def __post_init__(self) -> None:
        if self.rate < 1 or not 0 <= self.base <= SIGHTING:
            raise ValueError(f"confidence cannot fall from {self.base} by {self.rate} an hour")

    @property
    def anchored_s(self) -> int:
        """The anchor in stored seconds."""
        return epoch_s(self.anchored_at)

    def confidence(self, now: datetime) -> int:
        """The confidence at `now`, 0 to 100."""
        return confidence_at(self.base, self.anchored_s, self.rate, epoch_s(now))

    def crosses(self, threshold: int) -> datetime:
        """The first moment at which confidence is below `threshold`."""
        return moment_at(crossing_at(self.base, self.anchored_s, self.rate, threshold))

    @property
    def shown_until(self) -> datetime:
        """`confidence(t) >= SHOWN  ⇔  t < shown_until`."""
        return self.crosses(SHOWN)

    @property
    def dead_at(self) -> datetime:
        """`confidence(t) == 0  ⇔  t >= dead_at`."""
        return self.crosses(1)

    def or_stronger(self, other: "Freshness") -> "Freshness":
        """Evidence adds up: neither a late message nor a check of a row just seen takes confidence away."""
        return max(
            self, other, key=lambda freshness: strength(freshness.base, freshness.anchored_s, freshness.rate)
        )


def sighted(at: datetime, rate: int) -> Freshness:
    """The freshness after a run saw the record."""
    return Freshness(base=SIGHTING, anchored_at=at, rate=rate)


def found_alive(at: datetime, rate: int) -> Freshness:
    """The freshness after a verification found the record."""
    return Freshness(base=ALIVE, anchored_at=at, rate=rate)


FIRST_ERROR = 400
"""Statuses below this one are redirects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPage:
    """A record's own page answered that it is not there (404, 410), and nothing said otherwise since.

    A status of a redirect (302): it led to the home page, the index or another record. Without a status: a
    page gave it a status such as "sold".
    """

    at: datetime
    status: int | None

    def __str__(self) -> str:
        return f"{missing_words(self.status)} at {self.at:%d %b %H:%M} UTC, being checked"


def missing_words(status: int | None) -> str:
    """In words, how a record's own page said that it is not there."""
    if status is None:
        return "the site says it is sold or removed"
    return f"answered {status}" if status >= FIRST_ERROR else "led to another page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """The freshness that visitors are shown."""

    colour: str
    text: str


RECENT, LISTED, FADING = 80, 50, SHOWN
"""The lowest confidence of each badge."""


def badge(confidence: int, *, listed_days: int, missing: MissingPage | None = None) -> Badge | None:
    """The badge of a record; None below the threshold, where it is not shown."""
    if missing is not None and confidence >= FADING:
        return Badge(colour="orange", text=str(missing))
    if confidence >= RECENT:
        return Badge(colour="green", text="recently verified")
    if confidence >= LISTED:
        return Badge(colour="yellow", text=_listed(listed_days))
    if confidence >= FADING:
        return Badge(colour="orange", text="may no longer be available")
    return None


def _listed(days: int) -> str:
    if days < 1:
        return "listed today"
    return "listed 1 day ago" if days == 1 else f"listed {days} days ago"

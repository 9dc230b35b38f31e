"""How many rows did a walk through the whole index miss?

A known record that a full pass did not show is either removed or was missed (rows move during the walk). The
share of such records that were alive is known from earlier passes. Applied to today's unseen records, with
its 90 % interval, it gives the estimate; without earlier passes it is anything from none to all.

Where the site advertises how many rows it has, that number decides: never fewer missed than advertised and
not seen, and none where as many were seen.
"""

from dataclasses import dataclass
from math import ceil, floor, sqrt

Z90 = 1.645
"""Standard deviations on each side of a 90 % interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An estimate of rows that were there and not seen, with its interval."""

    estimate: float
    low: int
    high: int


def missed(*, unseen: int, checked: int, alive: int) -> Missed:
    """`unseen` known rows were not shown; of `checked` such rows before, `alive` were still there."""
    if not unseen:
        return Missed(estimate=0.0, low=0, high=0)
    low, high = wilson(alive, checked)
    share = (alive + 0.5) / (checked + 1)
    margin = Z90 * sqrt(unseen * share * (1 - share))  # the unseen are themselves a sample
    return Missed(
        estimate=round(unseen * share, 1),
        low=max(0, floor(unseen * low - margin)),
        high=min(unseen, ceil(unseen * high + margin)),
    )


def at_least_unaccounted(guess: Missed, *, advertised: int | None, seen: int) -> Missed:
    """The estimate, held against what the site advertises."""
    if advertised is None or seen > advertised:  # rows that were seen were removed since
        return guess
    short = advertised - seen
    if not short:
        return Missed(estimate=0.0, low=0, high=0)
    return Missed(
        estimate=max(guess.estimate, float(short)), low=max(guess.low, short), high=max(guess.high, short)
    )


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 90 % interval of a share; 0 to 1 where nothing was tried."""
    if not tries:
        return 0.0, 1.0
    share, z2 = hits / tries, Z90 * Z90
    middle = share + z2 / (2 * tries)
    spread = Z90 * sqrt(share * (1 - share) / tries + z2 / (4 * tries * tries))
    scale = 1 + z2 / tries
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

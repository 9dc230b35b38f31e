"""Is this what somebody waits for?

A search is told of each record once, when it first answers it. A price rule is told when a price has fallen
by so many percent from the highest it was since it was told of last (or since the rule was made).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDecision:
    """Whether to tell, and the price to measure by from now on."""

    tell: bool
    price: int | None


def watch_decision(
    *, falls_percent: float | None, known: bool, reference: int | None, price: int | None
) -> WatchDecision:
    """On a record that answers a watch: `known` before, when its price was `reference`; now it is `price`."""
    if falls_percent is None:
        return WatchDecision(tell=not known, price=price)
    if reference is None or price is None:
        return WatchDecision(tell=False, price=price if reference is None else reference)
    if price * 100 <= reference * (100 - falls_percent):
        return WatchDecision(tell=True, price=price)
    return WatchDecision(tell=False, price=max(reference, price))

"""Does a changed record match a watch?

A saved search matches each record once. A price rule matches when the price fell by so many percent from the
highest since its last match (or since the rule was made).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDecision:
    """Whether to notify, and the reference price from now on."""

    tell: bool
    price: int | None


def watch_decision(
    *, falls_percent: float | None, known: bool, reference: int | None, price: int | None
) -> WatchDecision:
    """For a record that answers a watch: `known` before with price `reference`; its price is `price` now."""
    if falls_percent is None:
        return WatchDecision(tell=not known, price=price)
    if reference is None or price is None:
        return WatchDecision(tell=False, price=price if reference is None else reference)
    if price * 100 <= reference * (100 - falls_percent):
        return WatchDecision(tell=True, price=price)
    return WatchDecision(tell=False, price=max(reference, price))

"""Is this what somebody waits for?

A search is told of each record once, when it first answers it. A price rule is told when a price has fallen
by so many percent from the highest it was since it was told of last (or since the rule was made).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether to tell, and the price to measure by from now on."""

    tell: bool
    price: int | None


def judge(*, falls_percent: float | None, known: bool, reference: int | None, price: int | None) -> Verdict:
    """On a record that answers a watch: `known` before, when its price was `reference`; now it is `price`."""
    if falls_percent is None:
        return Verdict(tell=not known, price=price)
    if reference is None or price is None:
        return Verdict(tell=False, price=price if reference is None else reference)
    if price * 100 <= reference * (100 - falls_percent):
        return Verdict(tell=True, price=price)
    return Verdict(tell=False, price=max(reference, price))

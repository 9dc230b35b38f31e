"""How sure is the reading of a field?

It depends on how the value was found, and on whether another reading agrees.
"""

from enum import StrEnum

from larder.core.model.item import BY_HAND, Strategy
from larder.core.model.site_profile import PROFILE

BESIDE = " + "
"""Separates two strategies that read the same value."""
AGAINST = " ≠ "
"""Separates the strategy whose value counts from one that reads another value."""


class Sureness(StrEnum):
    """How sure a field's reading is, the surest first."""

    BY_HAND = "by hand"
    AGREED = "agreed"
    """Index row and detail page, or profile and general reading, say the same."""
    PROVEN = "proven"
    """Read by the site's profile."""
    STATED = "stated"
    """Read from a feed, from markup or by declared selectors."""
    GUESSED = "guessed"
    """Read by heuristics alone."""
    DISPUTED = "disputed"
    """Another reading of the same page, or the index row, says otherwise."""

    @property
    def doubtful(self) -> bool:
        """Whether a person should check it."""
        return self is Sureness.DISPUTED


def sureness_of(strategy: str | None) -> Sureness | None:
    """How sure a strategy alone is; None where the strategy is unknown."""
    if not strategy:
        return None
    if AGAINST in strategy:
        return Sureness.DISPUTED
    if BESIDE in strategy:
        return Sureness.AGREED
    return _BY_STRATEGY.get(strategy, Sureness.STATED)


_BY_STRATEGY = {
    BY_HAND: Sureness.BY_HAND,
    PROFILE: Sureness.PROVEN,
    Strategy.HEURISTIC.value: Sureness.GUESSED,
}

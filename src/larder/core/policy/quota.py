"""May this be paid for?

A service that counts what we take has an allowance for each period. While there is plenty everybody gets
some; when it runs short, the sources whose data goes stale fastest come first; when it is spent, nobody does.
Without a known allowance we go on until the service itself says that it is enough.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.core.model.source import Tier

SHORT_BELOW = 0.2
"""The share of an allowance below which it is short."""


class Allowance(StrEnum):
    """How much is left."""

    PLENTY = "plenty"
    SHORT = "short"
    SPENT = "spent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """What was used of what is allowed in one period."""

    used: float = 0
    allowed: float | None = None

    @property
    def state(self) -> Allowance:
        """Plenty, short or spent."""
        if self.allowed is None:
            return Allowance.PLENTY
        if self.used >= self.allowed:
            return Allowance.SPENT
        left = self.allowed - self.used
        return Allowance.SHORT if left < self.allowed * SHORT_BELOW else Allowance.PLENTY

    def serves(self, tier: Tier) -> bool:
        """Whether a source of this tier may take from it."""
        match self.state:
            case Allowance.PLENTY:
                return True
            case Allowance.SHORT:
                return tier is Tier.HOT
            case Allowance.SPENT:
                return False


def begins(moment: datetime) -> datetime:
    """When the period of that moment began, and with it a fresh allowance."""
    return moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def period_of(moment: datetime) -> str:
    """Allowances are for a month."""
    return f"{moment:%Y-%m}"

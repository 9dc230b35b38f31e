"""May a paid request be made?

A paid service has an allowance for each period. While there is plenty every source may use it; when it runs
short, only sources of faster tiers; when it is spent, none. Without a known allowance requests go on until
the service refuses.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from larder.core.model.source import Tier

SHORT_BELOW = 0.2
"""The share of an allowance below which it is short."""


class Allowance(StrEnum):
    """How much of a quota is left."""

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
        """Whether a quota is plentiful, short or spent."""
        if self.allowed is None:
            return Allowance.PLENTY
        if self.used >= self.allowed:
            return Allowance.SPENT
        left = self.allowed - self.used
        return Allowance.SHORT if left < self.allowed * SHORT_BELOW else Allowance.PLENTY

    def serves(self, tier: Tier) -> bool:
        """Whether a source of this tier may use it."""
        match self.state:
            case Allowance.PLENTY:
                return True
            case Allowance.SHORT:
                return tier is Tier.HOT
            case Allowance.SPENT:
                return False


def begins(moment: datetime) -> datetime:
    """When the period of that moment began."""
    return moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def period_of(moment: datetime) -> str:
    """The period of a moment: its month."""
    return f"{moment:%Y-%m}"

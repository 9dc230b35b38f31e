"""How many items go to the language model at once, and may it be asked at all?

Batches halve where the model is limited, and are small while the budget is short; a budget that is spent ends
the asking until the next month.
"""

from dataclasses import dataclass
from datetime import timedelta

from larder.core.policy.quota import Allowance, Quota

LARGEST_BATCH = 20
SHORT_BATCH = 5
"""Items in a batch while a budget is short."""
AFTER_TROUBLE = timedelta(minutes=15)
"""The least time before a model that failed is asked again."""
EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What is left of a month's tokens and money."""

    tokens: Quota
    usd: Quota

    @property
    def state(self) -> Allowance:
        """The state of the tighter limit, tokens or money."""
        states = self.tokens.state, self.usd.state
        return next((each for each in (Allowance.SPENT, Allowance.SHORT) if each in states), Allowance.PLENTY)


def batch_size(current: int, budget: Budget) -> int:
    """Items in the next batch; 0: none may be asked."""
    match budget.state:
        case Allowance.SPENT:
            return 0
        case Allowance.SHORT:
            return min(current, SHORT_BATCH)
        case Allowance.PLENTY:
            return current


def after_success(current: int) -> int:
    """The next batch size after an answer: up to twice as large."""
    return min(LARGEST_BATCH, max(1, current) * 2)


def after_limit(current: int) -> int:
    """The next batch size after a rate limit: half as large."""
    return max(1, current // 2)


def cost_usd(tokens_in: int, tokens_out: int, *, usd_in: float, usd_out: float) -> float:
    """What an answer cost, from prices for a million tokens."""
    return (tokens_in * usd_in + tokens_out * usd_out) / 1_000_000

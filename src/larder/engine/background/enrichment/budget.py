"""The month's budget of the language model, in tokens and money, shared by all processes."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from larder.core.policy.alerting import AlertName
from larder.core.policy.enrichment import Budget, cost_usd
from larder.core.policy.quota import Allowance
from larder.store.database import Connection
from larder.store.operations import quotas
from larder.store.operations.notifications import alerts

if TYPE_CHECKING:
    from larder.stages.enrich import LlmAnswer

TOKENS, USD = "llm_tokens", "llm_usd"
SUBJECT = "llm"
STATE = "enrichment"
"""The key under which the batch size and the time of the next question are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLimits:
    """What the operator allows a month, and what a million tokens cost; None: no limit."""

    tokens: float | None = None
    usd: float | None = None
    usd_in: float = 0
    usd_out: float = 0


def read_budget(conn: Connection, limits: BudgetLimits, *, now: datetime) -> Budget:
    """What was used and what is allowed this month."""
    return Budget(
        tokens=quotas.read(conn, TOKENS, allowed=limits.tokens, now=now),
        usd=quotas.read(conn, USD, allowed=limits.usd, now=now),
    )


def spend(conn: Connection, answer: "LlmAnswer", limits: BudgetLimits, *, now: datetime) -> None:
    """Count what an answer used; alert if that exhausted the budget."""
    cost = cost_usd(answer.tokens_in, answer.tokens_out, usd_in=limits.usd_in, usd_out=limits.usd_out)
    quotas.spend(conn, TOKENS, answer.tokens_in + answer.tokens_out, now=now)
    quotas.spend(conn, USD, cost, now=now)
    if read_budget(conn, limits, now=now).state is Allowance.SPENT:
        alert_spent(conn, "the month's budget of the language model is spent", now=now)


def alert_spent(conn: Connection, message: str, *, now: datetime) -> None:
    """Raise the alert that the budget is spent; rules read items meanwhile."""
    name = AlertName.QUOTA_SPENT
    alerts.raise_alert(
        conn, name, name.severity, SUBJECT, f"{message}; items are read by rules only", now=now
    )

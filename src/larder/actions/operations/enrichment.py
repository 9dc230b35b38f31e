"""Enrichment: the language model's usage this month, and the items that wait for it."""

from dataclasses import dataclass
from datetime import datetime

from larder.core.policy.enrichment import LARGEST_BATCH
from larder.engine.background.enrichment import budget
from larder.engine.background.enrichment.budget import STATE, BudgetLimits
from larder.store.database import Connection
from larder.store.operations import key_values, selector_questions
from larder.store.operations.selector_questions import SelectorQuestion

MAX_ASKED = 50
"""Maximum questions about selectors in a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentUsage:
    """The month's use of the language model."""

    enabled: bool
    model: str
    tokens: float
    tokens_allowed: float | None
    usd: float
    usd_allowed: float | None
    state: str
    """`plenty`, `short` or `spent`."""
    batch: int
    """Items in the next batch."""
    not_before: str | None
    """The time until which it is not asked, after a failure."""
    trouble: str | None

    @property
    def tokens_text(self) -> str:
        """The tokens of this month as text."""
        return _of(f"{self.tokens:,.0f}", self.tokens_allowed and f"{self.tokens_allowed:,.0f}")

    @property
    def usd_text(self) -> str:
        """The money of this month as text."""
        return _of(f"{self.usd:.4f} USD", self.usd_allowed and f"{self.usd_allowed:.2f} USD")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSource:
    """The last question about the selectors of a source's part."""

    source: str
    question: SelectorQuestion


def list_asked(conn: Connection) -> list[AskedSource]:
    """The latest questions about selectors, newest first."""
    found = selector_questions.list_latest(conn, limit=MAX_ASKED)
    return [AskedSource(source=slug, question=question) for slug, question in found]


def _of(used: str, allowed: str | float | None) -> str:
    return f"{used} of {allowed} this month" if allowed else f"{used} this month, no limit"


def usage(
    conn: Connection, limits: BudgetLimits, *, model: str, enabled: bool, now: datetime
) -> EnrichmentUsage:
    """Tokens and money used of this month's budget."""
    used = budget.read_budget(conn, limits, now=now)
    state = key_values.read(conn, STATE) or {}
    return EnrichmentUsage(
        enabled=enabled,
        model=model,
        tokens=used.tokens.used,
        tokens_allowed=used.tokens.allowed,
        usd=round(used.usd.used, 6),
        usd_allowed=used.usd.allowed,
        state=used.state,
        batch=state.get("batch", LARGEST_BATCH),
        not_before=state.get("not_before"),
        trouble=state.get("trouble"),
    )

"""A Larder in memory, and an operator called Ada."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from larder import adapters
from larder.actions.sources import sources
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.engine.scheduling.dispatch import TickResult, tick
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.tables import audit

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


@dataclass(kw_only=True)
class Office:
    """Where actions are tried: a database, a moment, an operator."""

    database: InlineDatabase
    how: DispatchSettings
    now: datetime = NOW
    who: str = "ada"

    def ask(self, action: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """A question, or work that takes what it needs by itself."""
        return self.database.now(action, *args, **kwargs)

    def act(self, action: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """An order by Ada, now."""
        return self.database.now(action, *args, who=self.who, now=self.now, **kwargs)

    def add(
        self, url: str = "https://homes.example/rent", *, reviewed: bool = True, **said: Any
    ) -> SavedSource:
        """A source, ready to run unless told otherwise."""
        spec = SourceSpec.model_validate({"url": url, "kind": "listing", **said})
        site = SiteSpec(terms_reviewed_by="ada" if reviewed else None)
        added: SavedSource = self.act(sources.add, spec, self.how, site=site)
        return added

    def tick(self) -> TickResult:
        """One look at what is due."""
        return self.database.now(tick, self.how, now=self.now)

    def later(self, **by: float) -> None:
        """Let time pass."""
        self.now += timedelta(**by)

    def audited(self) -> list[tuple[str, str | None, str]]:
        """(action, subject, who), in order."""
        rows = self.database.now(
            lambda conn: conn.execute(
                select(audit.c.action, audit.c.subject, audit.c.who).order_by(audit.c.id)
            ).all()
        )
        return [tuple(row) for row in rows]


@pytest.fixture
def office() -> Iterator[Office]:
    database = inline_database()
    database.now(upgrade.create)
    how = DispatchSettings(
        adapters={each.id: each for each in adapters.known()}, chance=Random(1), stagger=timedelta(0)
    )
    yield Office(database=database, how=how)
    database._conn.close()
    database._engine.dispose()

"""A Larder whose only run kind is verification, over records that a test may show, hide and remove at will.

Each record is a number; a script says how the site answers for it at a moment. Requests are counted, so that
an outage can begin and end at any of them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from larder.core.model.item import Extracted, Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.model.source import Kind
from larder.engine.work_items import Work
from larder.sim.virtual import VirtualLarder
from larder.stages.persist import PageItems, persist
from larder.store.queue import schedules, sources

START = datetime(2026, 3, 2, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

Says = Callable[[int, datetime, int], Fetched]
"""(record, moment, how many requests came before) → the site's answer."""


def url(number: int) -> str:
    return f"https://homes.test/listing/{number}"


def answer(outcome: FetchOutcome, number: int, at: datetime, **more: Any) -> Fetched:
    status = {FetchOutcome.OK: 200, FetchOutcome.NOT_FOUND: 404, FetchOutcome.GONE: 410}.get(outcome)
    given = {"url": url(number), "final_url": url(number), "fetched_at": at, "status": status, **more}
    return Fetched(outcome=outcome, **given)


def there(number: int, at: datetime) -> Fetched:
    """The record's own page."""
    item = Item(fields={"title": f"Home {number}", "platform_id": str(number)})
    return answer(FetchOutcome.OK, number, at, payload=Extracted(items=(item,)))


def lost(number: int, at: datetime) -> Fetched:
    return answer(FetchOutcome.NOT_FOUND, number, at)


def page(number: int, at: datetime, html: str) -> Fetched:
    """A page that answers 200, whatever it says."""
    return answer(FetchOutcome.OK, number, at, body=html.encode(), headers={"content-type": "text/html"})


LOGIN = """<title>Sign in</title><h1>Sign in</h1><form action="/login" method="post">
<input name="email"><input name="password" type="password"><button>Continue</button></form>"""

TROUBLES: dict[str, Callable[[int, datetime], Fetched]] = {
    "cut": lambda n, at: answer(FetchOutcome.ERROR, n, at),
    "error": lambda n, at: answer(FetchOutcome.ERROR, n, at, status=500),
    "timeout": lambda n, at: answer(FetchOutcome.TIMEOUT, n, at),
    "blocked": lambda n, at: answer(FetchOutcome.BLOCKED, n, at, status=403),
    "limited": lambda n, at: answer(FetchOutcome.BLOCKED, n, at, status=429, retry_at=at + 5 * MINUTE),
    "empty": lambda n, at: answer(FetchOutcome.OK, n, at),
    "a wall": lambda n, at: page(n, at, "<title>Just a moment...</title>"),
    "a login form": lambda n, at: page(n, at, LOGIN),
    "a login form that remembers": lambda n, at: page(n, at, LOGIN + f"<a href='/listing/{n}'>later</a>"),
    "lost": lost,
    "all gone": lambda n, at: answer(FetchOutcome.GONE, n, at),
    "all sold": lambda n, at: page(n, at, "<title>This advert is no longer available</title>"),
    "home": lambda n, at: answer(FetchOutcome.OK, n, at, final_url="https://homes.test/"),
}
"""Everything that can befall a whole site, by name."""


@dataclass(slots=True, kw_only=True)
class VerificationHarness:
    """The Larder, its records and the site's script."""

    says: Says
    index: Callable[[int, datetime], Fetched] | None = None
    """(page, moment) → the index, where there is one."""
    kinds: frozenset[RunKind] = frozenset({RunKind.VERIFICATION})
    source: Mapping[str, Any] = field(default_factory=dict)
    """Further columns of the source."""
    asked: list[tuple[int, datetime]] = field(default_factory=list)
    larder: VirtualLarder = field(init=False)
    source_id: int = field(init=False)
    _pages: int = 0

    def __post_init__(self) -> None:
        web: Any = self
        self.larder = VirtualLarder(web, start=START, kinds=self.kinds)
        self.larder.fetch_tasks.head = None
        row = {"slug": "homes", "kind": "listing", "url": "https://homes.test/listings", "adapter": "listing"}
        self.source_id = self.larder.add_source(**{**row, "currency": "EUR", **self.source})
        self.larder.run(START + MINUTE)

    def __call__(self, work: Work, at: datetime) -> Fetched:
        if self.index is not None and work.job.request.number is not None:
            return self.index(work.job.request.number, at)
        number = int(work.job.request.url.rpartition("/")[2])
        self.asked.append((number, at))
        return self.says(number, at, len(self.asked) - 1)

    def head(self, _work: Work, _at: datetime) -> Fetched:
        raise AssertionError("HEAD is not asked here")

    @property
    def now(self) -> datetime:
        return self.larder.clock.now()

    def pass_time(self, span: timedelta) -> None:
        self.larder.clock.advance(self.now + span)

    def see(self, numbers: Iterable[int], *, at: datetime | None = None) -> None:
        """An index, and their own pages, showed these."""
        for purpose in (Purpose.INDEX, Purpose.DETAIL):
            self._show(list(numbers), purpose, at or self.now)

    def _show(self, numbers: Sequence[int], purpose: Purpose, at: datetime) -> None:
        pages = [numbers] if purpose is Purpose.INDEX else [[number] for number in numbers]
        batch = [self._page([staged(n, at) for n in each], purpose, at) for each in pages]
        self.larder.database.now(persist, batch, now=at)

    def _page(self, rows: Sequence[Staged], purpose: Purpose, at: datetime) -> PageItems:
        self._pages += 1
        source = self.larder.database.now(sources.load, [self.source_id])[self.source_id]
        return PageItems(
            job_id=self._pages,
            run_id=0,
            page_id=self._pages,
            source=source,
            purpose=purpose,
            adapter_version="1",
            fetched_at=at,
            staged=rows,
        )

    def verify(self, *, lasting: timedelta = 30 * MINUTE) -> dict[str, Any]:
        """A verification of all candidates, now; how its run stands afterwards."""
        self.ask(f"UPDATE schedules SET memory = json_remove(memory, '$.checked_all_at') WHERE {self._mine}")
        self.larder.database.now(schedules.run_now, self.source_id, now=self.now)
        self.larder.run(self.now + lasting)
        ((state, status),) = self.ask("SELECT state, status FROM runs ORDER BY id DESC LIMIT 1")
        return {"status": status, **json.loads(state)}

    @property
    def _mine(self) -> str:
        return f"source_id = {self.source_id} AND memory IS NOT NULL"

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        def work(conn: Any) -> list[tuple[Any, ...]]:
            found = conn.execute(text(sql))
            return [tuple(row) for row in found] if found.returns_rows else []

        return self.larder.database.now(work)

    def standing(self, number: int) -> tuple[int, str | None, int]:
        """(active, verification, strikes)"""
        ((active, verification, strikes),) = self.ask(
            f"SELECT active, verification, strikes FROM records WHERE platform_id = '{number}'"
        )
        return active, verification, strikes

    def gone(self) -> set[int]:
        return {
            int(name) for (name,) in self.ask("SELECT platform_id FROM records WHERE verification = 'gone'")
        }


def staged(number: int, at: datetime) -> Staged:
    return Staged(
        kind=Kind.LISTING,
        identity_key=f"PID:{number}",
        url=url(number),
        canonical_url=url(number),
        fields={"platform_id": str(number), "title": f"Home {number}", "url": url(number)},
        strategies={},
    )

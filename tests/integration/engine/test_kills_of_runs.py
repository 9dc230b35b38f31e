"""Kill it anywhere, in every run kind: at each unit of work, before it begins and after it was committed.

What is left in the end is what a process that nobody killed leaves: no check, strike, look, version or
observation missing or doubled, and no page fetched again once it was stored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.run import RunKind
from larder.core.model.source import Kind
from larder.engine.worker.driver import Driver
from larder.stages.persist import PageItems, persist
from larder.store.queue import sources
from larder.store.tables import targets
from tests.integration.engine.harness import HOUR, START, Harness, small_site

TICK = timedelta(minutes=15)

LEFT = {
    "records": """SELECT identity_key, title, price_minor, content, times_seen, active, verification, strikes,
                  base, last_scraped_at IS NULL FROM records ORDER BY 1""",
    "versions": """SELECT r.identity_key, v.purpose, v.content FROM versions v
                   JOIN records r ON r.id = v.record_id ORDER BY 1, v.id""",
    "observations": """SELECT r.identity_key, o.field, o.amount, o.word, o.superseded_at IS NULL
                       FROM observations o JOIN records r ON r.id = o.record_id ORDER BY 1, 2, o.id""",
    "sightings": "SELECT number, records FROM sightings ORDER BY number, records",
    "changes": "SELECT change, details, record_id FROM changes ORDER BY record_id, id",
    "runs": """SELECT kind, status, open_jobs, pages, attempted, failed, inserted, updated FROM runs
               ORDER BY id""",
    "jobs": "SELECT run_id, purpose, url, number, status FROM jobs ORDER BY 1, 3, 2",
    "checks": """SELECT r.identity_key, v.run_id, v.window_number, v.status, v.outcome, v.control, v.settled
                 FROM verifications v JOIN records r ON r.id = v.record_id ORDER BY 1, 2, 6""",
    "targets": "SELECT url, status, failures, haste, record_id FROM targets ORDER BY 1",
    "dead letters": "SELECT type, message FROM dead_letters",
    "head": "SELECT head_checks, head_compared, head_agreed FROM sources",
}


@dataclass(slots=True, kw_only=True)
class Rare(Harness):
    """Ticks seldom: most units of work are then about pages."""

    def driver(self, *, dies_at: int | None = None, after_commit: bool = False) -> Driver:
        made = Harness.driver(self, dies_at=dies_at, after_commit=after_commit)
        made.tick_every = TICK
        return made


def sweeping() -> Rare:
    harness = Rare(site=small_site(stock=5, per_page=2), kinds=frozenset({RunKind.SWEEP}))
    harness.add_source()
    harness.all_due()
    return harness


def collecting() -> Rare:
    harness = Rare(site=small_site(stock=4, per_page=2), kinds=frozenset({RunKind.COLLECT}))
    harness.add_source(plan="market")
    return harness


def monitoring() -> Rare:
    harness = Rare(site=small_site(stock=3), kinds=frozenset({RunKind.MONITOR}))
    source_id = harness.add_source(plan="monitor", policy={"monitor_every": 86_400})
    urls = [
        f"http://homes.test/listing/{name}" for name in [*harness.site.classifieds.live(START), "41999999"]
    ]
    rows = [{"source_id": source_id, "url": url, "canonical_url": url} for url in urls]
    harness.do(lambda conn: conn.execute(insert(targets), rows))
    return harness


def verifying() -> Rare:
    """Two runs: two live records in doubt, two that are not there, two that the index just showed."""
    harness = Rare(site=small_site(stock=4), kinds=frozenset({RunKind.VERIFICATION}))
    source_id = harness.add_source(policy={"verification_every": 3.2 * 3600})
    live = sorted(harness.site.classifieds.live(START))
    for names, ago in (([*live[:2], "41999998", "41999999"], 25 * HOUR), (live[2:], timedelta(0))):
        harness.do(lambda conn, names=names, ago=ago: show(conn, source_id, names, START - ago))  # type: ignore[misc]
    harness.all_due()
    return harness


def show(conn: Any, source_id: int, names: list[str], at: Any) -> None:
    """An index and their own pages showed these at that time."""
    source = sources.load(conn, [source_id])[source_id]
    for number, purpose in enumerate((Purpose.INDEX, Purpose.DETAIL)):
        staged = [
            Staged(
                kind=Kind.LISTING,
                identity_key=f"PID:{name}",
                url=f"http://homes.test/listing/{name}",
                canonical_url=f"https://homes.test/listing/{name}",
                fields={"platform_id": name, "title": name},
                strategies={},
            )
            for name in names
        ]
        pages = [staged] if purpose is Purpose.INDEX else [[each] for each in staged]
        batch = [
            PageItems(
                job_id=-1 - n - 10 * number,
                run_id=0,
                page_id=-1 - n - 10 * number,
                source=source,
                purpose=purpose,
                adapter_version="1",
                fetched_at=at,
                staged=each,
            )
            for n, each in enumerate(pages)
        ]
        persist(conn, batch, now=at)


STORIES: dict[str, tuple[Callable[[], Rare], timedelta]] = {
    "sweep": (sweeping, timedelta(minutes=20)),
    "collect": (collecting, timedelta(minutes=20)),
    "monitor": (monitoring, timedelta(minutes=20)),
    "verification": (verifying, timedelta(hours=3, minutes=50)),
}


def left(harness: Harness) -> dict[str, Any]:
    return {name: harness.ask(sql) for name, sql in LEFT.items()}


def fetched_again(harness: Harness) -> list[Any]:
    """Jobs whose page was stored twice."""
    return harness.ask(
        "SELECT job_id, count(*) FROM pages WHERE outcome = 'ok' GROUP BY 1 HAVING count(*) > 1"
    )


@pytest.fixture(scope="module", params=STORIES)
def story(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any], int]:
    """What a driver that nobody kills leaves behind, and in how many units of work."""
    begin, lasts = STORIES[request.param]
    harness = begin()
    assert harness.run(START + lasts)
    assert harness.mortal is not None
    return request.param, left(harness), harness.mortal.works


def test_the_stories_are_worth_telling(story: tuple[str, dict[str, Any], int]) -> None:
    name, found, works = story
    assert works > 20
    assert {row[0] for row in found["runs"]} == {name}
    if name == "verification":
        assert [row[1] for row in found["runs"]] == ["completed", "completed"]
        gone = [row[0] for row in found["records"] if row[6] == "gone"]
        assert gone == ["PID:41999998", "PID:41999999"]
    if name == "monitor":
        assert [row[1:3] for row in found["targets"]] == [("active", 0)] * 3 + [("active", 1)]
    if name in ("sweep", "collect"):
        assert len(found["records"]) in (4, 5)
        assert {row[9] for row in found["records"]} == {0}, "each has its own page read"


@pytest.mark.slow
@pytest.mark.parametrize("after_commit", [False, True], ids=["before it begins", "after its commit"])
def test_killed_at_every_unit_of_work(story: tuple[str, dict[str, Any], int], after_commit: bool) -> None:
    name, expected, works = story
    begin, lasts = STORIES[name]
    for n in range(1, works + 1):
        harness = begin()
        if harness.run(START + lasts, dies_at=n, after_commit=after_commit):
            continue
        harness.restart()
        assert harness.run(START + lasts + TICK), n
        assert left(harness) == expected, f"killed at work {n} of {works}"
        assert fetched_again(harness) == [], f"killed at work {n}"

"""Kill it anywhere: at every unit of work of a discovery, before it begins and after it was committed.

However often and wherever the process dies, the rows it leaves in the end are those of a process that never
died: no record, version or observation missing or doubled, and no page fetched again once it was stored.
"""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from larder.core.model.job import MAX_INTERRUPTIONS
from larder.core.model.run import RunKind
from larder.engine.processing import process_page
from larder.engine.worker import parse_tasks
from larder.sim.virtual import run_inline
from tests.integration.engine.harness import START, Harness, Killed, small_site

END = START + timedelta(minutes=20)

DATASET = {
    "records": "SELECT identity_key, title, price_minor, content, times_seen, active FROM records ORDER BY 1",
    "versions": """SELECT r.identity_key, v.purpose, v.content FROM versions v
                   JOIN records r ON r.id = v.record_id ORDER BY 1, v.id""",
    "observations": """SELECT r.identity_key, o.field, o.amount, o.word, o.superseded_at IS NULL
                       FROM observations o JOIN records r ON r.id = o.record_id ORDER BY 1, 2, o.id""",
    "sightings": "SELECT number, records FROM sightings ORDER BY number, records",
    "changes": "SELECT change, details, record_id FROM changes ORDER BY record_id, id",
    "runs": "SELECT kind, status, open_jobs, pages, attempted, failed, inserted, updated FROM runs",
    "jobs": "SELECT purpose, url, number, status, stage FROM jobs ORDER BY 2",
    "dead letters": "SELECT * FROM dead_letters",
    "memory": "SELECT kind, memory IS NOT NULL FROM schedules",
}


def make_harness() -> Harness:
    harness = Harness(site=small_site(stock=5, per_page=2))
    harness.add_source()
    return harness


def left(harness: Harness) -> dict[str, Any]:
    return {name: harness.ask(sql) for name, sql in DATASET.items()}


@pytest.fixture(scope="module")
def undisturbed() -> tuple[dict[str, Any], int]:
    """What a driver that nobody kills leaves behind, and in how many units of work."""
    harness = make_harness()
    first = harness.driver()
    run_inline(first.run(until=END))
    found = left(harness)
    assert len(found["records"]) == 5
    assert [row[1] for row in found["runs"]] == ["completed"]
    assert max(harness.fetches().values()) == 1
    return found, first.database.works  # type: ignore[attr-defined]


def fetched_again_once_stored(harness: Harness) -> list[Any]:
    """Requests for a page after the fetch of the same job had been committed."""
    stored = dict(harness.ask("SELECT url, min(id) FROM pages WHERE outcome = 'ok' GROUP BY url"))
    doubled = harness.ask(
        "SELECT job_id, count(*) FROM pages WHERE outcome = 'ok' GROUP BY 1 HAVING count(*) > 1"
    )
    assert set(stored) == set(harness.fetches())
    return doubled


@pytest.mark.parametrize("after_commit", [False, True], ids=["before it begins", "after its commit"])
def test_killed_at_every_unit_of_work_once(
    undisturbed: tuple[dict[str, Any], int], after_commit: bool
) -> None:
    expected, works = undisturbed
    assert works > 20
    for n in range(1, works + 1):
        harness = make_harness()
        assert not harness.run(END, dies_at=n, after_commit=after_commit), f"work {n} was never reached"
        harness.restart()
        assert harness.run(END + timedelta(minutes=5))
        assert left(harness) == expected, f"killed at work {n}"
        assert fetched_again_once_stored(harness) == [], f"killed at work {n}"
        assert len(harness.log) <= len(harness.fetches()) + 2, "no more goes again than was under way"


@pytest.mark.parametrize(
    ("every", "after_commit"),
    [
        pytest.param(9, False, id="before its ninth work"),
        pytest.param(12, False, id="before its twelfth"),
        pytest.param(8, True, id="after its eighth commit"),
        pytest.param(10, True, id="after its tenth"),
        pytest.param(13, True, id="after its thirteenth"),
    ],
)
def test_killed_again_and_again(
    undisturbed: tuple[dict[str, Any], int], every: int, after_commit: bool
) -> None:
    """A process that never lives long still gets there, if it lives for one page and the wait before it."""
    expected, _ = undisturbed
    harness = make_harness()
    kills = 0
    while not harness.run(END, dies_at=every, after_commit=after_commit):
        harness.restart()
        kills += 1
        assert kills < 500
    assert kills > 3
    assert left(harness) == expected
    assert fetched_again_once_stored(harness) == []


def test_without_a_clean_restart_the_lease_runs_out_and_the_work_goes_on(
    undisturbed: tuple[dict[str, Any], int],
) -> None:
    """As on another machine: nobody may say that the dead one is dead but its lease."""
    expected, works = undisturbed
    for n in range(1, works + 1):
        harness = make_harness()
        harness.run(END, dies_at=n, after_commit=True)
        assert harness.run(END + timedelta(minutes=5)), n
        assert left(harness) == expected, f"killed at work {n}"
        assert fetched_again_once_stored(harness) == [], f"killed at work {n}"


class Broken(BaseException):
    """Not caught by anybody, but the process still cleans up after itself."""


@pytest.mark.parametrize("death", [Killed, Broken], ids=["killed", "ended by an error"])
def test_a_page_that_kills_its_reader_is_given_up(
    monkeypatch: pytest.MonkeyPatch, death: type[BaseException]
) -> None:
    """Ten drivers die on it; then the page is a dead letter and all others are known."""
    harness = make_harness()
    (poison, *_) = sorted(harness.site.classifieds.live(START))
    travel = process_page.process_page

    async def deadly(carried: Any, adapter: Any, runner: Any) -> Any:
        if f"/{poison}" in carried.work.job.request.url:
            assert harness.mortal is not None
            harness.mortal.dead = death is Killed
            raise death
        return await travel(carried, adapter, runner)

    monkeypatch.setattr(parse_tasks, "process_page", deadly)
    deaths = 0
    while not survives(harness, death):
        harness.restart()
        deaths += 1
        assert deaths <= MAX_INTERRUPTIONS, "it goes on for ever"
    assert deaths == MAX_INTERRUPTIONS
    ((kind, message),) = harness.ask("SELECT type, message FROM dead_letters")
    assert (kind, "ended 10 times" in message) == ("interrupted", True)
    assert harness.ask("SELECT count(*) FROM records") == [(5,)]
    assert harness.ask("SELECT status, open_jobs FROM runs") == [("partial", 0)]


def survives(harness: Harness, death: type[BaseException]) -> bool:
    try:
        return harness.run(END)
    except death:
        return False


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_through_half_a_day_of_all_run_kinds(seed: int) -> None:
    """A site that lives (arrivals, removals, price changes) under a driver that keeps dying."""
    chance = Random(seed)
    living = small_site(
        stock=25, per_page=8, arrivals_per_day=30, mean_life_days=3, price_changes_per_day=1, reappearing=0.3
    )
    harness = Harness(
        site=living, kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION}), seed=seed
    )
    harness.add_source(tier="hot")
    end, kills = START + timedelta(hours=12), 0
    while not harness.run(end, dies_at=chance.randint(8, 400), after_commit=chance.random() < 0.5):
        harness.restart()
        kills += 1
    assert kills > 3
    known = {row[0] for row in harness.ask("SELECT platform_id FROM records")}
    settled = set(living.classifieds.live(end - timedelta(hours=1))) & set(living.classifieds.live(end))
    assert settled <= known
    assert harness.ask("SELECT record_id, page_id FROM versions GROUP BY 1, 2 HAVING count(*) > 1") == []
    assert fetched_again_once_stored(harness) == []
    doubled = """SELECT * FROM observations a JOIN observations b
                 ON a.record_id = b.record_id AND a.field = b.field AND a.superseded_at = b.observed_at
                 AND a.amount IS b.amount AND a.word IS b.word AND a.id <> b.id"""
    assert harness.ask(doubled) == [], "a value that did not change was observed anew"
    chains = """SELECT record_id, field FROM observations GROUP BY 1, 2
                HAVING sum(superseded_at IS NULL AND voided_at IS NULL) <> 1"""
    assert harness.ask(chains) == [], "every fact has one current value"
    assert (
        harness.ask("SELECT status FROM runs WHERE status = 'running' AND open_jobs <= 0 AND settled = 1")
        == []
    )

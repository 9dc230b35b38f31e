"""The overview counts what it says that it counts, and dear things seldom; on both databases."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, update

from larder.core.model.item import Staged
from larder.core.model.run import RunKind, RunStatus
from larder.core.model.source import Kind
from larder.store.reads import public
from larder.store.reads.operators import overview
from larder.store.tables import alerts, runs
from tests.contract.faces import Faces, opened
from tests.contract.statements import counted
from tests.contract.world import HOUR, NOW, Pages, run, source, staged, unit_of_work


@unit_of_work
def test_events_that_are_over_are_not_among_what_the_public_is_shown(conn: Connection) -> None:
    for slug, visibility in (("evenings", "public"), ("unseen", "hidden")):
        kept = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility))
        kept.keep(kept.page(*_agenda(), *(staged(number) for number in range(20, 25))))
    told = overview.overview(conn, now=NOW)
    assert told.public == overview.count_public(conn, now=NOW) == public.count(conn, now=NOW) == 9
    assert told.badges.shown == 24


def _agenda() -> Sequence[Staged]:
    """Three events that are over, one just now; two that are on; one to come; one that says no end."""
    hours = ((-9, -2), (-2, -1), (-1, 0), (-30, 1), (-1, 5), (2, 4), (-3, None))
    return [
        staged(
            number,
            kind=Kind.EVENT,
            starts_at=(NOW + HOUR * begins).isoformat(),
            ends_at=None if ends is None else (NOW + HOUR * ends).isoformat(),
        )
        for number, (begins, ends) in enumerate(hours)
    ]


async def test_every_alert_is_counted_and_every_name_told(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(_alarmed)
        told = await _text(found)
    assert "home-59 down and 59 similar" in told
    assert all(f"matter {name} of it" in told for name in range(10))


def _alarmed(conn: Connection) -> None:
    """Sixty of one name, and ten of others that are less urgent."""
    same = [("circuit_tripped", "P2", f"home-{n}", "down") for n in range(60)]
    others = [(f"other_{n}", "P3", f"matter {n}", "of it") for n in range(10)]
    for name, severity, subject, message in (*same, *others):
        said = {"name": name, "severity": severity, "subject": subject, "message": message}
        conn.execute(insert(alerts).values(**said, times=1, first_at=NOW, last_at=NOW))


async def test_a_paused_run_is_not_at_work(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(_one_of_two_paused)
        told = await _text(found)
    assert "1 run active, 1 paused" in told
    assert "Runs 1 " in told


def _one_of_two_paused(conn: Connection) -> None:
    homes = source(conn)
    run(conn, homes, RunKind.SWEEP)
    paused = update(runs).where(runs.c.id == run(conn, homes))
    conn.execute(paused.values(status=RunStatus.PAUSED))


async def test_requests_are_not_counted_anew_for_each_look(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("larder.app.cost_cache.COST_FACTOR", 1e9)
    async with opened(database_url, tmp_path) as found:
        for fresh in (True, False):
            with counted() as asked:
                await _text(found)
            assert any("pages.fetched_at" in each for each in asked) is fresh


async def _text(found: Faces) -> str:
    """The words of the overview, as one line."""
    answered = await found.admin.get("/admin")
    assert answered.status_code == 200, answered.text[:300]
    return " ".join(re.sub(r"<[^>]*>", " ", answered.text).split())

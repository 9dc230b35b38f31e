"""Proofs that could not fail would prove nothing: each check is shown something wrong."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.request_log import LoggedRequest, RequestLog
from tests.proofs import engines, kills, politeness, proof
from tests.proofs.books import Books
from tests.proofs.every import ALL

START = datetime(2026, 1, 5, tzinfo=UTC)
SITE = "homes.test"


def row(**columns: Any) -> Any:
    return SimpleNamespace(**columns)


LOST = row(job_id=0, url="u0", outcome="ok", location=None, content_hash="x")


def truth() -> dict[str, Listing]:
    return dict(ClassifiedsTruth(seed=1, start=START, stock=2).live(START))


def books(**changed: Any) -> Books:
    """The books of two listings, all in order unless changed."""
    records = [
        row(id=n, slug=SITE, platform_id=i, title=each.home.title, price_minor=each.price, last_scraped_at=1)
        for n, (i, each) in enumerate(truth().items())
    ]
    jobs = [row(id=n, run_id=1, url=f"u{n}", status="done", stage="persist", interruptions=0) for n in (0, 1)]
    in_order = Books(
        records=records,
        jobs=jobs,
        pages=[],
        runs=[row(id=1, status="completed", attempted=2, failed=0, inserted=2, pages=2, open_jobs=0)],
        versions=[row(record_id=n, page_id=n, content=f"{n}") for n in (0, 1)],
        observations=[row(record_id=n, field="price") for n in (0, 1)],
        sightings=[row(run_id=1, page_id=n) for n in (0, 1)],
        changes=[row(record_id=n, change="new") for n in (0, 1)],
        dead_letters=[],
    )
    return replace(in_order, **changed)


def wrong(found: Books, folder: Path) -> list[str]:
    return found.wrong({SITE: truth()}, bodies=folder)


def test_books_in_order_are_found_in_order(tmp_path: Path) -> None:
    assert wrong(books(), tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"records": books().records[:1]}, "missing"),
        ({"records": [*books().records, books().records[0]]}, "doubled records"),
        ({"versions": [row(record_id=0, page_id=n, content="same") for n in (0, 1)]}, "say the same"),
        ({"versions": [row(record_id=0, page_id=0, content=f"{n}") for n in (0, 1)]}, "of one page"),
        ({"observations": [row(record_id=0, field="price")] * 2}, "observations of one fact"),
        ({"jobs": [*books().jobs, books().jobs[0]]}, "jobs for one page"),
        ({"jobs": [books().jobs[0], row(**vars(books().jobs[1]) | {"status": "dead"})]}, "not done"),
        ({"runs": [row(**vars(books().runs[0]) | {"attempted": 3})]}, "counted"),
        (
            {"pages": [row(job_id=0, url="u0", outcome="ok", location=None, content_hash="x")]},
            "cannot be read",
        ),
        ({"dead_letters": [row(type="timeout", message="late")]}, "dead letters"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said(changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert any(said in sentence for sentence in wrong(books(**changed), tmp_path))


def life(born: float, at_once: int = 2) -> kills.Life:
    return kills.Life(name=f"life-{born}", born=born, died=born + 9, at_once=at_once, driving=True)


def test_a_page_that_is_asked_for_in_a_later_life_was_fetched_again() -> None:
    asked = [Counter({"a": 1, "b": 1}), Counter({"a": 1})]
    story = kills.Story(lives=[life(0), life(10)], asked=asked, committed={"a": 0, "b": 0})
    assert story.fetched_again() == ["a was fetched again after its fetch was committed"]


def test_what_was_not_committed_may_be_asked_for_again_but_not_without_bound() -> None:
    asked = [Counter("abc"), Counter("abc")]
    story = kills.Story(lives=[life(0), life(10, 3)], asked=asked, committed=dict.fromkeys("abc", 1))
    assert story.fetched_again() == []
    assert story.lost() == [3, 0]
    assert story.lost_too_much() == ["a kill cost 3 pages, 2 were allowed"]


def request_log(*arrivals: float, agent: str = "") -> RequestLog:
    return RequestLog(
        LoggedRequest(
            arrived=at,
            left=at,
            at=START,
            host=SITE,
            method="GET",
            path=f"/listing/{n}",
            status=200,
            agent=agent,
        )
        for at, n in zip(arrivals, count(), strict=False)
    )


def test_one_request_too_many_in_a_second_is_too_fast() -> None:
    in_step = [n / 5 for n in range(20)]
    assert politeness.too_fast(SITE, request_log(*in_step), (1, 2)) == []
    found = politeness.too_fast(SITE, request_log(*in_step, 0.5), (1, 2))
    assert found[0] == f"{SITE}: 6 requests within 1 s, the limit is 5"


def test_a_late_request_is_one_to_a_site_that_was_lost() -> None:
    freeze = politeness.Freeze(name="ann", woken=5, over=9, lost=frozenset({SITE}))
    seen = request_log(4, 6, 10, agent="Larder (+https://larder.example/ann)")
    assert [visit.arrived for visit in politeness.late_requests(freeze, seen)] == [6]
    assert politeness.late_requests(replace(freeze, lost=frozenset()), seen) == []


def test_a_lane_that_waits_while_another_is_served_starves() -> None:
    lanes = {"slow": request_log(0, 100), "quick": request_log(*range(1, 100))}
    assert politeness.starved("slow", lanes, lease=3) == ["slow waited for 99 requests to quick"]
    assert politeness.starved("quick", lanes, lease=3) == []


@pytest.mark.parametrize("name", ALL)
def test_every_proof_is_documented(name: str) -> None:
    assert f"| `{name}` |" in (proof.ROOT / "docs/reference/proofs.md").read_text()


def test_kept_results_say_what_they_are_about() -> None:
    kept = {path.stem: json.loads(path.read_text()) for path in proof.RESULTS.glob("*.json")}
    assert set(kept) <= set(ALL)
    assert [name for name, told in kept.items() if told["name"] != name or not told["source"]] == []


def test_a_suite_that_fails_skips_or_runs_nothing_breaks_the_proof_of_engines(tmp_path: Path) -> None:
    suite = tmp_path / "test_small.py"
    suite.write_text(
        "import os, pytest\n"
        "def test_fine(): assert os.environ['LARDER_TEST_ENGINE'] == 'redis'\n"
        "def test_wrong(): assert False\n"
        "def test_absent(): pytest.skip('no server')\n"
    )
    part = engines.accept("redis", tmp_path, (f"--rootdir={tmp_path}", "-c/dev/null", str(suite)))
    assert part.figures == {"tests": 3, "passed": 1}
    assert part.broken == ["failed: test_wrong", "skipped: test_absent"]
    suite.write_text("")
    nothing = engines.accept("redis", tmp_path, (f"--rootdir={tmp_path}", "-c/dev/null", str(suite)))
    assert nothing.broken == ["no test was run", "pytest ended with code 5"]

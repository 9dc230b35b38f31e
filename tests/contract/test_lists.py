"""Lists that are longer than a page: walked to their end they show every row once, on both databases.

The pages and the API are walked as a person or a program would: by the link or the number that they give.
What was asked for is kept on the way.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from sqlalchemy import Connection, Table, insert

from larder.store.tables import (
    alerts,
    audit,
    candidates,
    dead_letters,
    errors,
    jobs,
    quarantine,
    runs,
    targets,
    verifications,
)
from larder.web import live
from larder.web.admin.paging import PAGE
from tests.contract.faces import Faces, opened
from tests.contract.world import NOW, Pages, source, staged

ALL = range(2 * PAGE + 5)
"""The numbers of the rows of each list."""
EVEN, ODD = ALL[::2], ALL[1::2]
"""Each more than a page: rows of two sources, of two people, in two statuses."""
NAMED = re.compile(r"\brow-(\d+)")
ON = re.compile(r'<a class="button" href="([^"]+)" rel="next">')


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as these:
        await these.app.run(_long)
        yield these


def _long(conn: Connection) -> None:
    homes, other = (source(conn, slug, domain=f"{slug}.test", plan="monitor") for slug in ("homes", "other"))
    rows = [_row(f"row-{n}", homes if n in EVEN else other, first=n in EVEN) for n in ALL]
    for table in rows[0]:
        conn.execute(insert(table), [row[table] for row in rows])
    for source_id, numbers in ((homes, EVEN), (other, ODD)):
        pages = Pages(conn, source_id)
        pages.keep(pages.page(*(staged(n, title=f"row-{n}") for n in numbers)))


def _row(name: str, source_id: int, *, first: bool) -> Mapping[Table, Mapping[str, Any]]:
    """A row of each list, with its name where the list shows it."""
    ours, url = {"source_id": source_id}, f"https://shop.test/{name}"
    wrong = {**ours, "stage": "parse", "category": "parse", "type": "NoItems", "message": name}
    work = {"adapter": "shop", "purpose": "detail", "priority": 1, "claim_order": NOW, "not_before": NOW}
    at = {"created_at": NOW, "updated_at": NOW}
    alert = {"name": "circuit_tripped", "severity": "P2", "subject": name, "message": "left alone"}
    check = {"record_id": 10**6, "run_id": 1, "at": NOW, "method": "head", "reason": name}
    item = {"reason": "zero_price", "item": {"title": name}, "observed_at": NOW, "created_at": NOW}
    ran = {"kind": "sweep", "status": "completed", "trigger": "scheduled", "error": name}
    return {
        runs: {**ours, **ran, "started_at": NOW, "heartbeat_at": NOW},
        jobs: {**ours, **work, **at, "run_id": 1, "site_id": 1, "url": url},
        errors: {**wrong, "at": NOW},
        dead_letters: {**wrong, "status": "pending" if first else "discarded", "created_at": NOW},
        quarantine: {**ours, **item, "status": "pending" if first else "rejected"},
        targets: {**ours, "url": url, "canonical_url": url, "status": "active" if first else "paused"},
        alerts: {**alert, "first_at": NOW, "last_at": NOW, "resolved_at": None if first else NOW},
        candidates: {"url": url, "title": name, "found_at": NOW, "status": "new" if first else "rejected"},
        verifications: {**check, "outcome": "alive" if first else "strike"},
        audit: {"at": NOW, "who": "ada & co" if first else "bob", "action": "looked", "subject": name},
    }


# -- by API ------------------------------------------------------------------------------------------------

LISTS: list[tuple[str, str, Mapping[str, Any]]] = [
    ("quarantine", "before", {"status": "pending"}),
    ("dead-letters", "before", {"status": "pending"}),
    ("targets", "after", {"status": "active"}),
    ("targets", "after", {"source": "homes"}),
    ("runs", "before", {"source": "homes"}),
    ("runs/1/pages", "before", {}),
    ("errors", "before", {"source": "homes"}),
    ("alerts", "before", {"open": True}),
    ("candidates", "before", {"status": "new"}),
    ("verifications", "before", {"outcome": "alive"}),
    ("audit", "before", {"who": "ada & co"}),
]


async def test_a_program_comes_to_the_last_row(faces: Faces) -> None:
    for path, place, asked in LISTS:
        whole = await _numbers(faces, path, limit=1_000, **asked)
        assert len(whole) == len(EVEN if asked else ALL), path
        assert [number async for number in _by_number(faces, path, place, asked)] == whole, path


async def _by_number(faces: Faces, path: str, place: str, asked: Mapping[str, Any]) -> AsyncIterator[int]:
    """The numbers of all rows, page after page."""
    found = await _numbers(faces, path, limit=50, **asked)
    while found:
        for number in found:
            yield number
        found = await _numbers(faces, path, limit=50, **asked, **{place: found[-1]})


async def _numbers(faces: Faces, path: str, **asked: Any) -> list[int]:
    told = await faces.get(f"/api/admin/{path}", faces.admin, **asked)
    rows = told["letters" if path == "dead-letters" else "items"]
    return [row["job" if path.endswith("pages") else "id"] for row in rows]


# -- by link -----------------------------------------------------------------------------------------------

PAGES: list[tuple[str, Iterable[int]]] = [
    ("/admin/quarantine", EVEN),
    ("/admin/quarantine?status=all", ALL),
    ("/admin/quarantine?status=pending&source=homes", EVEN),
    ("/admin/dead", ALL),
    ("/admin/dead?source=homes&status=pending&stage=parse&type=NoItems", EVEN),
    ("/admin/targets", ALL),
    ("/admin/targets?source=homes&status=active", EVEN),
    ("/admin/runs", ALL),
    ("/admin/runs?source=homes&kind=sweep&status=completed", EVEN),
    ("/admin/runs/1/pages", ALL),
    ("/admin/records", ALL),
    ("/admin/records?source=homes&kind=listing", EVEN),
    ("/admin/records?text=row&source=other", ODD),
    ("/admin/errors", ALL),
    ("/admin/errors?source=homes&category=parse&text=row", EVEN),
    ("/admin/alerts", EVEN),
    ("/admin/alerts?all=1", ALL),
    ("/admin/candidates", EVEN),
    ("/admin/candidates?status=rejected", ODD),
    ("/admin/verification", ALL),
    ("/admin/verification?outcome=strike", ODD),
    ("/admin/audit", ALL),
    ("/admin/audit?who=ada+%26+co", EVEN),
]


async def test_a_person_comes_to_the_last_row_with_what_they_asked_for(faces: Faces) -> None:
    for path, rows in PAGES:
        seen = [row async for row in _by_link(faces, path)]
        assert sorted(seen) == sorted(rows), path


async def _by_link(faces: Faces, path: str) -> AsyncIterator[int]:
    """The numbers of all rows, page after page."""
    asked, way = _asked(path), path
    while way:
        page = (await faces.admin.get(way)).raise_for_status().text
        shown = dict.fromkeys(int(number) for number in NAMED.findall(page))
        assert shown, f"{way} leads to nothing"
        assert asked <= _asked(way), f"{way} lost what was asked for"
        for number in shown:
            yield number
        on = ON.search(page)
        way = urljoin(way, unescape(on[1])) if on else ""


def _asked(path: str) -> set[tuple[str, str]]:
    return set(parse_qsl(urlsplit(path).query))


async def test_the_live_part_of_a_list_is_what_its_first_page_shows(
    faces: Faces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_UPDATES", 1)
    monkeypatch.setattr("larder.web.admin.runs.stream", partial(live.stream, interval=0.0))
    page = (await faces.admin.get("/admin/runs?source=homes")).text
    (address,) = re.findall(r'data-live="([^"]+)"', page)
    part = (await faces.admin.get(unescape(address))).text
    assert NAMED.findall(part) == NAMED.findall(page)
    assert ON.findall(part) == ON.findall(page) != []
    further = (await faces.admin.get(urljoin("/admin/runs", unescape(ON.findall(page)[0])))).text
    assert "data-live" not in further


async def test_a_button_leads_back_to_the_page_it_was_pressed_on(faces: Faces) -> None:
    for back, to in (
        ("/admin/targets?source=homes&after=120", "/admin/targets?source=homes&after=120"),
        ("https://evil.test/admin/targets", "/admin/targets"),
        ("/admin/targets/import", "/admin/targets"),
    ):
        answered = await faces.admin.post("/admin/targets/121/pause", data={"back": back})
        assert (answered.status_code, answered.headers["location"]) == (303, to)

"""A record whose own page answers 404 is shown so at once, on both databases and every face."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder.actions.dataset import records as record_actions
from larder.core.model.job import Purpose
from larder.core.model.record import Verification
from larder.core.policy.freshness import MissingPage, badge
from larder.stages.persist import sight_unchanged
from larder.store.dataset import verifications
from larder.store.dataset.verifications import MissingPageRow
from larder.store.queue import selections
from larder.store.reads import counts
from larder.store.reads.records import find_row
from larder.store.tables.columns import micros
from tests.contract.faces import Faces, opened, stocked
from tests.contract.test_verification import doubt
from tests.contract.world import HOUR, MINUTE, NOW, Pages, source, staged, unit_of_work

ADDRESS = "https://homes.test/listing/1"
TOLD = f"answered 404 at {NOW:%d %b %H:%M} UTC, being checked"


def lost(conn: Connection, at: datetime = NOW, source_id: int = 1) -> None:
    verifications.mark_missing(conn, [MissingPageRow(source_id, ADDRESS, micros(at), 404)])


def shown(conn: Connection, record_id: int, now: datetime) -> tuple[int, str | None]:
    line = record_actions.show(conn, record_id, now=now).record
    return line.confidence, line.badge_text


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as found:
        await found.app.run(stocked)
        await found.app.run(lost)
        yield found


async def test_l10_4_every_face_says_so(faces: Faces) -> None:
    found = await faces.get("/api/records")
    (told,) = [each for each in found["items"] if each["url"] == ADDRESS]
    assert told["badge"] == {"colour": "orange", "text": TOLD}
    assert (told["freshness_confidence"], told["missing_status"]) == (49, 404)
    page = await faces.anyone.get(f"/records/{told['id']}")
    assert TOLD in page.text
    assert "recently verified" not in page.text


@unit_of_work
def test_l10_4_until_it_is_seen_or_found_alive_again(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    ((record_id,),) = [kept.ids for kept in pages.keep(pages.page(staged(1, url=ADDRESS), at=NOW))]
    assert shown(conn, record_id, NOW) == (100, "recently verified")
    lost(conn, NOW - MINUTE, homes)
    assert shown(conn, record_id, NOW) == (100, "recently verified"), "it was seen since"
    lost(conn, NOW, homes)
    assert shown(conn, record_id, NOW) == (49, TOLD)
    pages.keep(pages.page(staged(1, url=ADDRESS), at=NOW + HOUR, purpose=Purpose.DETAIL))
    assert shown(conn, record_id, NOW + HOUR) == (100, "recently verified")


@unit_of_work
def test_l10_4_a_row_that_is_still_listed_does_not_take_it_back(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    first = pages.page(staged(1, url=ADDRESS), at=NOW - HOUR)
    pages.keep(first)
    lost(conn, NOW, homes)
    sight_unchanged(conn, [(replace(first, page_id=0, fetched_at=NOW + MINUTE), first.page_id)])
    assert shown(conn, 1, NOW + MINUTE) == (49, TOLD), "an index page that is unchanged"
    pages.keep(pages.page(staged(1, url=ADDRESS, title="Another"), at=NOW + HOUR))
    assert shown(conn, 1, NOW + HOUR) == (49, TOLD), "an index page that says something new of it"
    own = pages.page(staged(1, url=ADDRESS), at=NOW + 2 * HOUR, purpose=Purpose.DETAIL)
    pages.keep(own, pages.page(staged(1, url=ADDRESS), at=NOW + 3 * HOUR))
    assert shown(conn, 1, NOW + 3 * HOUR) == (100, "recently verified")


@unit_of_work
def test_l10_4_an_index_that_is_the_own_page_of_its_records_takes_it_back(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS), at=NOW - HOUR))
    lost(conn, NOW, homes)
    pages.keep(replace(pages.page(staged(1, url=ADDRESS), at=NOW + HOUR), url=ADDRESS))
    assert shown(conn, 1, NOW + HOUR) == (100, "recently verified")


@unit_of_work
def test_l10_4_a_gone_record_that_is_listed_again_is_back(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS), at=NOW - HOUR))
    lost(conn, NOW, homes)
    conn.execute(text("UPDATE records SET active = 0, verification = 'gone'"))
    pages.keep(pages.page(staged(1, url=ADDRESS), at=NOW + HOUR))
    assert shown(conn, 1, NOW + HOUR) == (100, "recently verified")


@unit_of_work
def test_l10_4_counts_by_badge_have_it_among_the_doubtful(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS), staged(2), at=NOW))
    lost(conn, NOW, homes)
    for now, expected in ((NOW, (1, 0, 1)), (NOW + 15 * HOUR, (0, 1, 1)), (NOW + 40 * HOUR, (0, 0, 0))):
        counted = counts.by_source(conn, now=now)[homes]
        assert (counted.green, counted.yellow, counted.orange) == expected
        assert counted.active == 2


@pytest.mark.parametrize(
    ("status", "said"),
    [(404, "answered 404"), (302, "led to another page"), (None, "the site says it is sold")],
)
def test_l10_4_a_badge_tells_how_the_page_was_missing(status: int | None, said: str) -> None:
    shown = badge(49, listed_days=0, missing=MissingPage(at=NOW, status=status))
    assert shown is not None
    assert shown.text.startswith(said)


@unit_of_work
def test_l10_4_it_is_a_candidate_of_the_next_verification(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS), staged(2), at=NOW))
    lost(conn, NOW, homes)
    found = selections.list_verification_candidates(conn, homes, doubt(faded_only=True), now=NOW, limit=9)
    assert [row.url for row in found] == [ADDRESS]


@unit_of_work
def test_l10_4_a_gone_record_has_no_confidence(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    ((record_id,),) = [kept.ids for kept in pages.keep(pages.page(staged(1), at=NOW))]
    state: dict[str, Any] = {"gone": Verification.GONE, "id": record_id}
    conn.execute(text("UPDATE records SET active = 0, verification = :gone WHERE id = :id"), state)
    assert find_row(conn, record_id, now=NOW).freshness_confidence == 0
    assert shown(conn, record_id, NOW) == (0, None)


@pytest.mark.parametrize(
    ("status", "doubted"),
    [
        ("sold", True),
        ("Verkauft", True),
        ("expired", True),
        ("reserved", False),
        ("https://schema.org/InStock", False),
    ],
)
@unit_of_work
def test_l10_6_a_status_that_a_row_gives_is_evidence(conn: Connection, status: str, doubted: bool) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS), staged(2), at=NOW - HOUR))
    pages.keep(pages.page(staged(1, url=ADDRESS, status=status), staged(2), at=NOW))
    told = f"the site says it is sold or removed at {NOW:%d %b %H:%M} UTC, being checked"
    assert shown(conn, 1, NOW) == ((49, told) if doubted else (100, "recently verified"))
    found = selections.list_verification_candidates(conn, homes, doubt(faded_only=True), now=NOW, limit=9)
    assert [row.url for row in found] == [ADDRESS] * doubted
    pages.keep(pages.page(staged(1, url=ADDRESS, status="available"), at=NOW + HOUR))
    assert shown(conn, 1, NOW + HOUR) == (100, "recently verified")


def reserve(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=ADDRESS, status="reserved"), staged(2), at=NOW))
    conn.execute(text("UPDATE sources SET visibility = 'public'"))


async def test_l10_6_a_reserved_listing_says_so_on_every_face(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, requests_a_minute=0) as shop:
        await shop.app.run(reserve)
        found = await shop.get("/api/records")
        assert sorted(each["content"].get("status", "") for each in found["items"]) == ["", "reserved"]
        page = await shop.anyone.get("/")
        assert page.text.count(">reserved<") == 1


@unit_of_work
def test_l10_6_an_unchanged_page_says_what_it_said_before(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    first = pages.page(staged(1, url=ADDRESS, status="sold"), at=NOW)
    pages.keep(first)
    again = replace(first, page_id=first.page_id + 1, fetched_at=NOW + HOUR)
    sight_unchanged(conn, [(again, first.page_id)])
    assert shown(conn, 1, NOW + HOUR)[0] == 49

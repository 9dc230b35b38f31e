"""The feed: near, liked, soon and wanted events first; each once; none that the public may not see."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from larder.actions.dataset import event_feed
from larder.actions.dataset.event_feed import EventFeedQuery
from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.store.tables import entities, records, sources
from tests.contract.world import DAY, HOUR, NOW, Pages, source, staged, unit_of_work

AMSTERDAM = (52.37, 4.89)


def event(number: int, *, days: float = 3, km: float = 0.0, **said: Any) -> Any:
    starts = NOW + days * DAY
    said = {"title": f"Event {number}", "category": "art", **said}
    return staged(
        number,
        kind=Kind.EVENT,
        starts_at=starts.isoformat(),
        ends_at=(starts + 3 * HOUR).isoformat(),
        latitude=52.37 + km / 111.195,
        longitude=4.89,
        **said,
    )


def plant(conn: Connection, *events: Any, slug: str = "agenda", visibility: str = "public") -> int:
    made = source(conn, slug, domain=f"{slug}.test", kind="event", visibility=visibility)
    pages = Pages(conn, made)
    pages.keep(pages.page(*events))
    return made


def told(conn: Connection, **asked: Any) -> list[str]:
    return [each.row.title for each in event_feed.rank_events(conn, EventFeedQuery(**asked), now=NOW).events]


@unit_of_work
def test_near_liked_and_soon_come_first(conn: Connection) -> None:
    plant(
        conn,
        event(1, km=40, days=20),
        event(2, km=40, days=2),
        event(3, km=1, days=2),
        event(4, km=1, days=2, category="music"),
    )
    assert told(conn, near=AMSTERDAM, categories=["music"]) == ["Event 4", "Event 3", "Event 2", "Event 1"]


@unit_of_work
def test_what_many_saved_and_reliable_sources_say_comes_before_the_rest(conn: Connection) -> None:
    plant(conn, event(1), event(2))
    plant(conn, event(3), slug="shaky")
    conn.execute(update(records).where(records.c.id == 2).values(saved=50))
    conn.execute(update(sources).where(sources.c.slug == "shaky").values(reliability=0.2))
    assert told(conn) == ["Event 2", "Event 1", "Event 3"]


@unit_of_work
def test_an_event_at_several_sources_is_told_once_and_counts_for_more(conn: Connection) -> None:
    plant(conn, event(1), event(2))
    plant(conn, event(3), slug="other")
    plant(conn, event(4), slug="secret", visibility="hidden")
    conn.execute(insert(entities).values(id=1, kind="event", created_at=NOW))
    conn.execute(update(records).where(records.c.id.in_([2, 3, 4])).values(entity_id=1))
    found = event_feed.rank_events(conn, EventFeedQuery(), now=NOW).events
    assert [(each.row.title, each.sources) for each in found] == [("Event 2", 2), ("Event 1", 1)]


@unit_of_work
def test_an_event_without_a_point_is_told_but_found_by_no_distance(conn: Connection) -> None:
    nowhere = event(1)
    unplaced = {
        name: value for name, value in nowhere.fields.items() if name not in ("latitude", "longitude")
    }
    plant(conn, replace(nowhere, fields=unplaced), event(2))
    assert sorted(told(conn)) == ["Event 1", "Event 2"]
    assert told(conn, near=AMSTERDAM, within_km=20_000.0) == ["Event 2"]


@unit_of_work
def test_nothing_hidden_over_or_far_ahead_is_told(conn: Connection) -> None:
    plant(conn, event(1, days=-1), event(2, days=90), event(3, km=500), event(4, days=-0.05))
    plant(conn, event(5), slug="secret", visibility="hidden")
    plant(conn, staged(6), slug="homes")
    assert told(conn, near=AMSTERDAM) == ["Event 4"]
    assert told(conn, near=AMSTERDAM, within_km=600.0) == ["Event 4", "Event 3"]


@unit_of_work
def test_pages_go_on_as_they_were_ranked_at_first(conn: Connection) -> None:
    plant(conn, *(event(i, days=1 + i / 3, km=(i * 7) % 30) for i in range(20)))
    whole = [
        each.row.id
        for each in event_feed.rank_events(conn, EventFeedQuery(near=AMSTERDAM, limit=50), now=NOW).events
    ]
    asked, seen, now = EventFeedQuery(near=AMSTERDAM, limit=3), [], NOW
    while True:
        page = event_feed.rank_events(conn, asked, now=now)
        seen += [each.row.id for each in page.events]
        if page.next is None:
            break
        asked, now = replace(asked, after=page.next), now + HOUR
    assert seen == whole
    assert len(seen) == 20


@pytest.mark.parametrize(
    "wrong", [{"after": "x"}, {"after": "é"}, {"limit": 0}, {"near": (91.0, 0.0)}], ids=str
)
@unit_of_work
def test_what_cannot_be_meant_is_refused(conn: Connection, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        event_feed.rank_events(conn, EventFeedQuery(**wrong), now=NOW)
    assert refused.value.hint

"""A record shows its prices, its versions and where each value comes from."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from larder.actions.dataset import records
from larder.core.errors import BadInput
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import ListingChange
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.reads.operators import overview
from larder.store.reads.query import Query

START = datetime(2026, 1, 5, tzinfo=UTC)
END = START + timedelta(days=2)


@pytest.fixture(scope="module")
def truth() -> ClassifiedsTruth:
    return ClassifiedsTruth(seed=3, start=START, stock=60, price_changes_per_day=0.5)


@pytest.fixture(scope="module")
def larder(truth: ClassifiedsTruth) -> Iterator[VirtualLarder]:
    """Two virtual days over a lively little site; hidden."""
    made = VirtualLarder(SimWeb.of([ClassifiedsSite(name="homes.test", classifieds=truth)]), start=START)
    made.add_source(
        slug="homes", kind="listing", url="http://homes.test/listings", adapter="listing", currency="EUR"
    )
    made.run(END)
    yield made
    made.database._conn.close()
    made.database._engine.dispose()


def test_the_newest_come_first_and_text_narrows(larder: VirtualLarder) -> None:
    found = larder.database.now(records.list_records, Query(), limit=500, now=END)
    assert [each.id for each in found] == sorted((each.id for each in found), reverse=True)
    word = found[0].title.split()[0]
    narrowed = larder.database.now(records.list_records, Query(text=word.upper()), limit=500, now=END)
    assert narrowed
    assert all(word.lower() in each.title.lower() for each in narrowed)
    assert larder.database.now(records.list_records, Query(text="nergens%_"), now=END) == []


def test_operators_see_what_is_hidden_and_visitors_do_not(larder: VirtualLarder) -> None:
    assert larder.database.now(records.list_records, Query(source="homes"), now=END)
    assert larder.database.now(records.list_records, Query(source="homes"), public_only=True, now=END) == []


def test_price_changes_tell_old_and_new_as_they_happened(
    larder: VirtualLarder, truth: ClassifiedsTruth
) -> None:
    moves = larder.database.now(records.price_changes, limit=1000)
    listed = {
        each.id: each for each in larder.database.now(records.list_records, Query(), limit=500, now=END)
    }
    told = {(listed[move.record].url, move.now) for move in moves}
    happened = {
        (f"http://homes.test/listing/{event.listing.platform_id}", event.listing.price)
        for event in truth.events(START, END - timedelta(hours=1))
        if event.what is ListingChange.PRICE and event.listing.platform_id in truth.live(END)
    }
    plain = {(str(url).rsplit("-", 0)[0], price) for url, price in told}
    missed = {
        move
        for move in happened
        if not any(url.startswith(move[0]) and price == move[1] for url, price in plain)
    }
    assert moves
    assert all(move.was != move.now for move in moves)
    assert len(missed) <= len(happened) * 0.05


def test_a_record_knows_where_its_values_come_from(larder: VirtualLarder) -> None:
    move = larder.database.now(records.price_changes, limit=1)[0]
    view = larder.database.now(records.show, move.record, now=END)
    assert [point.amount for point in view.prices][-1] == view.record.price_minor
    assert view.prices[-1].superseded_at is None
    assert all(
        earlier.superseded_at == later.observed_at
        for earlier, later in zip(view.prices, view.prices[1:], strict=False)
    )
    assert {origin.field for origin in view.origins} == set(view.fields)
    title = next(origin for origin in view.origins if origin.field == "title")
    assert (title.value, title.strategy) == (view.record.title, "json-ld")
    assert len(view.versions) >= 2
    assert view.evidence["times_seen"] >= 2


def test_there_is_no_such_record(larder: VirtualLarder) -> None:
    with pytest.raises(BadInput, match="no record 0"):
        larder.database.now(records.show, 0, now=END)


@pytest.mark.parametrize(
    ("hours", "colour"),
    [(0, "green"), (15, "yellow"), (28, "orange"), (40, "faded")],
)
def test_badges_fade_with_time_alone(larder: VirtualLarder, hours: int, colour: str) -> None:
    """All that was seen in the last discovery fades together."""
    at = END + timedelta(hours=hours)
    told = larder.database.now(overview.overview, now=at)
    counts = {
        "green": told.badges.green,
        "yellow": told.badges.yellow,
        "orange": told.badges.orange,
        "faded": told.badges.faded,
    }
    assert max(counts, key=lambda name: counts[name]) == colour
    assert sum(counts.values()) == told.records
    assert told.public == 0
    assert told.sources == 1

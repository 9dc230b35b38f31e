"""Several shows a day of one film: rows of one title and day that differ in their times."""

from dataclasses import replace

from larder.core.model.identity import url_key
from larder.core.model.item import Dropped, Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.engine.processing.item_reasons import with_reasons
from larder.engine.processing.unchanged_rows import Normalized

FILM = "https://cinema.test/dune"


def show(clock: str | None, *, url: str = FILM, title: str = "Dune") -> Staged:
    return Staged(
        kind=Kind.EVENT,
        identity_key=url_key(url),
        url=url,
        canonical_url=url,
        fields={
            "title": title,
            "starts_at": f"2026-11-20T{clock or '00:00'}:00+01:00",
            "time_known": clock is not None,
        },
        strategies={},
        fingerprint=f"{title} 2026-11-20",
    )


def at(venue: str, row: Staged) -> Staged:
    return replace(row, fields={**row.fields, "venue": venue})


def judged(*rows: Staged) -> list[Normalized]:
    source = Source(
        id=1,
        slug="cinema",
        name="Cinema",
        site_id=1,
        adapter="event",
        url="https://cinema.test/",
        kind=Kind.EVENT,
    )
    items = [Item(fields=row.fields) for row in rows]
    return with_reasons(items, rows, source=source, purpose=Purpose.INDEX)


def kept(*rows: Staged) -> list[Staged]:
    return [each for each in judged(*rows) if isinstance(each, Staged)]


def test_shows_of_one_day_under_one_address_are_events_of_their_own_that_stay() -> None:
    found = kept(show("15:00"), show("20:00"), show("22:30"))
    assert [each.clock for each in found] == ["15:00", "20:00", "22:30"]
    assert len({each.identity_key for each in found}) == len({each.fingerprint for each in found}) == 3
    assert kept(show("22:30"), show("20:00"))[1].identity_key == found[1].identity_key


def test_shows_with_addresses_of_their_own_keep_their_keys() -> None:
    rows = [show("15:00", url=f"{FILM}/1"), show("20:00", url=f"{FILM}/2")]
    assert [each.identity_key for each in kept(*rows)] == [each.identity_key for each in rows]


def test_one_show_that_stands_twice_on_a_page_is_one_event() -> None:
    rows = [show("20:00"), show("20:00", url=f"{FILM}/tickets"), show(None, url=f"{FILM}/info")]
    found = judged(*rows)
    assert found[0] == rows[0]
    assert all(isinstance(each, Dropped) for each in found[1:])


def test_a_row_without_a_time_is_one_of_the_shows_of_its_day_again() -> None:
    found = judged(show(None, url=f"{FILM}/info"), show("15:00"), show("20:00"))
    assert [isinstance(each, Staged) for each in found] == [False, True, True]


def test_rows_of_one_moment_whose_addresses_differ_in_a_number_are_events_of_their_own() -> None:
    rows = [show("10:00", url=f"https://library.test/events/{n}") for n in (11, 12, 13)]
    found = kept(*rows)
    assert [each.url for each in found] == [each.url for each in rows]
    assert len({each.fingerprint for each in found}) == 3


def test_the_same_times_of_another_day_have_other_keys() -> None:
    """Each day has a page of its own."""
    today = kept(show("15:00"), show("20:00"))
    other = [
        replace(each, fields={**each.fields, "starts_at": each.fields["starts_at"].replace("-20T", "-21T")})
        for each in (show("15:00"), show("20:00"))
    ]
    assert {each.identity_key for each in today}.isdisjoint(each.identity_key for each in kept(*other))


def test_shows_of_one_day_without_times_are_told_by_their_venues() -> None:
    found = kept(at("Studio", show(None)), at("Kammer", show(None)), at("Studio", show(None)))
    assert [each.fields["venue"] for each in found] == ["Studio", "Kammer"]
    again = kept(at("Kammer", show(None)), at("Studio", show(None)))
    assert {each.identity_key for each in again} == {each.identity_key for each in found}


def test_a_row_without_a_venue_is_the_one_show_of_its_day_again() -> None:
    first = at("Studio", show(None))
    assert kept(first, show(None, url=f"{FILM}/info")) == [first]


def test_venues_do_not_change_the_keys_of_addresses_of_their_own() -> None:
    rows = [at("Studio", show(None, url=f"{FILM}/studio")), at("Kammer", show(None, url=f"{FILM}/kammer"))]
    assert [each.identity_key for each in kept(*rows)] == [each.identity_key for each in rows]

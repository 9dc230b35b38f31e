"""What a made-up site says, request by request, without a socket."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.state import Listing, ListingChange
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind
from larder.sim.layouts import Layout
from larder.sim.site import HeadSupport, RemovedItems, SimRequest, SimResponse
from larder.sim.wording import slug

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
TRUTH = ClassifiedsTruth(
    seed=7, start=START, stock=40, mean_life_days=3, price_changes_per_day=1, reappearing=0
)


def site(**changes: object) -> ClassifiedsSite:
    return replace(ClassifiedsSite(name="homes.test", classifieds=TRUTH, per_page=12), **changes)  # type: ignore[arg-type]


def get(place: ClassifiedsSite, path: str, at: datetime = START, **headers: str) -> SimResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return place.respond(replace(SimRequest.of(path), headers=named), at)


def newest(at: datetime = START) -> Listing:
    return TRUTH.index(at, 1, 1).rows[0]


def removed() -> tuple[Listing, datetime]:
    event = next(
        event for event in TRUTH.events(START, START + 5 * DAY) if event.what is ListingChange.REMOVED
    )
    return event.listing, event.at


def path_of(listing: Listing) -> str:
    return f"/listing/{listing.platform_id}-{slug(listing.home.title)}"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        pytest.param("/", 200, id="home is the first page"),
        pytest.param("/listings", 200, id="index"),
        pytest.param("/listings?page=2", 200, id="second page"),
        pytest.param("/listings?page=400", 200, id="past the end"),
        pytest.param("/listings?page=0", 404, id="no page zero"),
        pytest.param("/listings?page=two", 404, id="no number"),
        pytest.param("/listing/1-never", 404, id="never there"),
        pytest.param("/photo/41000001.png", 200, id="picture"),
        pytest.param("/account/", 200, id="the door that robots.txt closes"),
        pytest.param("/nowhere", 404, id="no such page"),
    ],
)
def test_routes(path: str, status: int) -> None:
    assert get(site(), path).status == status


def test_a_listing_answers_under_any_slug() -> None:
    listing = newest()
    right = get(site(), path_of(listing))
    assert right.status == 200
    assert listing.home.title in right.body.decode()
    assert get(site(), f"/listing/{listing.platform_id}").body == right.body


def test_links_start_where_the_visitor_came_in() -> None:
    page = site().respond(SimRequest(path="/listings", host="homes.localhost:8080"), START)
    assert b'href="http://homes.localhost:8080/listing/' in page.body
    assert b"homes.test" not in page.body


@pytest.mark.parametrize(
    ("style", "status", "words"),
    [
        (RemovedItems.NOT_FOUND, 404, b"no such page"),
        (RemovedItems.GONE, 410, b"taken down"),
        (RemovedItems.WORDS, 200, b"no longer available"),
        (RemovedItems.REDIRECT, 302, b""),
    ],
)
def test_each_site_has_its_way_with_removed_listings(style: RemovedItems, status: int, words: bytes) -> None:
    listing, at = removed()
    answer = get(site(removed=style), path_of(listing), at)
    assert answer.status == status
    assert words in answer.body
    assert (answer.headers.get("Location") == "/listings") == (style is RemovedItems.REDIRECT)


def test_what_was_never_there_is_not_found_whatever_the_style() -> None:
    assert get(site(removed=RemovedItems.GONE), "/listing/1").status == 404


def test_robots() -> None:
    assert b"Disallow: /account/" in get(site(), "/robots.txt").body
    assert get(site(robots=None), "/robots.txt").status == 404


@pytest.mark.parametrize("layout", list(Layout))
def test_who_knows_a_page_is_told_so(layout: Layout) -> None:
    place, path = site(layout=layout), path_of(newest())
    first = get(place, path)
    again = get(place, path, if_none_match=first.headers["ETag"])
    dated = get(place, path, if_modified_since=first.headers["Last-Modified"])
    assert (again.status, again.body) == (304, b"")
    assert dated.status == 304
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_new_price_is_a_new_page() -> None:
    event = next(event for event in TRUTH.events(START, START + DAY) if event.what is ListingChange.PRICE)
    path, just_before = path_of(event.listing), event.at - timedelta(seconds=1)
    before = get(site(), path, just_before).headers
    assert get(site(), path, event.at, if_none_match=before["ETag"]).status == 200
    assert get(site(), path, event.at, if_modified_since=before["Last-Modified"]).status == 200


def test_a_tag_counts_more_than_a_date() -> None:
    last = get(site(), path_of(newest())).headers["Last-Modified"]
    assert get(site(), path_of(newest()), if_none_match='"other"', if_modified_since=last).status == 200


def test_a_date_that_is_none_is_ignored() -> None:
    assert get(site(), path_of(newest()), if_modified_since="yesterday").status == 200


def test_head_says_what_get_says_without_the_body() -> None:
    path = path_of(newest())
    head = site().respond(SimRequest.of(path, method="HEAD"), START)
    assert head.body == b""
    assert head.headers == get(site(), path).headers


@pytest.mark.parametrize(
    ("style", "status"), [(HeadSupport.HONEST, 404), (HeadSupport.REFUSED, 405), (HeadSupport.LYING, 200)]
)
def test_head_may_lie(style: HeadSupport, status: int) -> None:
    assert site(head=style).respond(SimRequest.of("/listing/1", method="HEAD"), START).status == status


def test_other_methods_are_refused() -> None:
    assert site().respond(SimRequest.of("/", method="POST"), START).status == 405


LISTING, INDEX, ROBOTS = path_of(newest()), "/listings", "/robots.txt"


@pytest.mark.parametrize(
    ("kind", "listing", "index", "robots"),
    [
        (FaultKind.CUT, 0, 0, 0),
        (FaultKind.ERROR, 500, 500, 500),
        (FaultKind.BLOCKED, 403, 403, 200),
        (FaultKind.LIMITED, 429, 429, 200),
        (FaultKind.EMPTY, 200, 200, 200),
        (FaultKind.LOST, 404, 200, 200),
        (FaultKind.SLOW, 200, 200, 200),
        (FaultKind.REDRAWN, 200, 200, 200),
    ],
)
def test_faults_hold_for_their_time_only(kind: FaultKind, listing: int, index: int, robots: int) -> None:
    place = site(faults=[Fault(kind=kind, since=START, until=START + DAY)])
    paths = (LISTING, INDEX, ROBOTS)
    assert [get(place, path, START).status for path in paths] == [listing, index, robots]
    later = START + DAY
    assert [get(place, path, later).body for path in (INDEX, ROBOTS)] == [
        get(site(), path, later).body for path in (INDEX, ROBOTS)
    ]


def test_a_limited_site_says_when_to_come_back() -> None:
    place = site(faults=[Fault(kind=FaultKind.LIMITED, delay=timedelta(minutes=2))])
    assert get(place, INDEX).headers["Retry-After"] == "120"


def test_a_slow_site_is_late_but_right() -> None:
    slow = get(site(faults=[Fault(kind=FaultKind.SLOW, delay=timedelta(seconds=9))]), INDEX)
    assert slow.delay == timedelta(seconds=9)
    assert slow.body == get(site(), INDEX).body


def test_an_empty_page_has_nothing_on_it() -> None:
    assert get(site(faults=[Fault(kind=FaultKind.EMPTY)]), INDEX).body == b""


def test_a_redrawn_site_shows_its_facts_in_another_layout() -> None:
    redrawn = get(site(faults=[Fault(kind=FaultKind.REDRAWN, layout=Layout.CARDS)]), INDEX)
    assert redrawn.body == get(site(layout=Layout.CARDS), INDEX).body != get(site(), INDEX).body


def test_reading_what_is_not_there_says_so() -> None:
    with pytest.raises(LookupError, match="404"):
        site().read("/listing/1", START)

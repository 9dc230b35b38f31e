"""Links are followed as the site writes them; what repeats itself ends the walk."""

import json
from dataclasses import replace

import pytest

from larder.core.model.item import MAX_MONTHS, MAX_WEEKS, NextEvidence, NextPage, RowShape
from larder.core.model.run import NewRecord, PageSeen, RunStatus
from larder.runs import index_walk
from larder.runs.collect import COLLECT
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import Fold, FoldStep, IndexPage
from larder.runs.index_walk import PAGE_BUDGET, Walk
from larder.runs.sweep import SWEEP
from tests.unit.runs.events import NOW, page, pages_of, start, unread

SITE = "https://homes.test/listings"


def shown(
    number: int, *, rows: int = 3, to: str | None = None, evidence: NextEvidence = NextEvidence.LINK
) -> PageSeen:
    """Page `number` with rows of its own and a link to the next."""
    names = [f"{number}-{row}" for row in range(rows)]
    new = [NewRecord(identity_key=name, url=f"{SITE}/{name}") for name in names]
    link = NextPage(url=to, evidence=evidence, because="a test") if to else None
    return replace(
        page(last=link is None),
        new=new,
        next_page=link,
        row_names=names,
        shows=index_walk.short_hash(str(names)),
    )


def follow(
    fold: Fold, *pages: PageSeen, memory: dict[str, object] | None = None
) -> tuple[FoldStep, list[str]]:
    """Give a run these pages; its last step and the addresses that it followed."""
    step = fold.start(replace(start(max_items_per_run=10**6), numbered=False))
    followed: list[str] = []
    for each in pages:
        assert not step.done, "it was over before"
        step = fold.step(step.state, each)
        followed += [ask.url or "" for ask in step.ask if isinstance(ask, IndexPage)]
    return step, followed


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_the_link_is_followed_as_it_is_written(fold: Fold) -> None:
    second, third = f"{SITE}?offset=20&sid=a1", f"{SITE}/seite-3/"
    step, followed = follow(fold, shown(1, to=second), shown(2, to=third), shown(3))
    assert followed == [second, third]
    assert step.state["ended"] == "end"


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_a_page_is_asked_for_with_the_row_shapes_of_the_pages_before_it(fold: Fold) -> None:
    shape = RowShape(path="/ul/li/a/", address="/x", height=1, names=("row",))
    step = fold.start(replace(start(max_items_per_run=10**6), numbered=False))
    taught = replace(shown(1, to=f"{SITE}?p=2"), row_shapes=(shape,))
    step = fold.step(json.loads(json.dumps(step.state)), taught)
    step = fold.step(json.loads(json.dumps(step.state)), shown(2, rows=1, to=f"{SITE}?p=3"))
    asked = [ask for ask in step.ask if isinstance(ask, IndexPage)]
    assert [ask.row_shapes for ask in asked] == [(shape,)]


def test_the_next_discovery_knows_how_the_index_builds_its_rows() -> None:
    shape = RowShape(path="/ul/li/a/", address="/x", height=1, names=("row",))
    step = DISCOVERY.start(replace(start(max_items_per_run=10**6), numbered=False))
    step = DISCOVERY.step(step.state, replace(shown(1), row_shapes=(shape,)))
    memory = json.loads(json.dumps(DISCOVERY.end(step.state, failed=0, now=NOW).memory))
    again = DISCOVERY.start(replace(start(max_items_per_run=10**6), numbered=False, memory=memory))
    assert [ask.row_shapes for ask in again.ask if isinstance(ask, IndexPage)] == [(shape,)]


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_no_address_is_made_up(fold: Fold) -> None:
    step, followed = follow(fold, shown(1))
    assert (followed, step.state["ended"]) == ([], "end")


@pytest.mark.parametrize(
    "beyond",
    [
        pytest.param(replace(shown(1), next_page=shown(1, to=f"{SITE}?p=4").next_page), id="page 1 again"),
        pytest.param(replace(shown(2), next_page=shown(1, to=f"{SITE}?p=4").next_page), id="the last again"),
        pytest.param(shown(2, rows=2, to=f"{SITE}?p=4"), id="some rows of the page before"),
        pytest.param(shown(1, rows=1, to=f"{SITE}?p=4"), id="nothing beside a sponsored row"),
        pytest.param(unread(missing=True), id="404"),
        pytest.param(page(), id="no rows"),
    ],
)
def test_beyond_the_end(beyond: PageSeen) -> None:
    step, followed = follow(COLLECT, shown(1, to=f"{SITE}?p=2"), shown(2, to=f"{SITE}?p=3"), beyond)
    assert (step.done, len(followed)) == (True, 2)
    assert COLLECT.end(step.state, failed=0, now=NOW).status is RunStatus.COMPLETED
    assert step.state["taken"] == 6


def test_an_address_is_not_asked_for_twice() -> None:
    step, followed = follow(COLLECT, shown(1, to=f"{SITE}?p=2"), shown(2, to=f"{SITE}?p=2"))
    assert (step.done, followed) == (True, [f"{SITE}?p=2"])


def test_rows_that_were_all_left_out_are_told_apart_by_what_they_say() -> None:
    dropped = [replace(shown(n, to=f"{SITE}?p={n + 1}"), new=(), left_out=3) for n in (1, 2)]
    step, _ = follow(COLLECT, *dropped)
    assert not step.done
    step, _ = follow(COLLECT, dropped[0], dropped[0])
    assert step.done


@pytest.mark.parametrize("pages", [MAX_MONTHS, MAX_WEEKS], ids=["months", "weeks or days"])
def test_a_calendar_is_not_followed_for_ever(pages: int) -> None:
    link = NextPage(url=SITE, evidence=NextEvidence.CALENDAR, because="a test", max_calendar_pages=pages)
    shows = [
        replace(shown(n), last=None, next_page=replace(link, url=f"{SITE}/period-{n + 1}"))
        for n in range(1, 40)
    ]
    step, followed = follow(COLLECT, *shows[: pages + 1])
    assert (step.done, len(followed)) == (True, pages)


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        pytest.param(Walk(), 200, id="nothing is known"),
        pytest.param(Walk(advertised=240, rows_a_page=24), 25, id="the site advertises ten pages"),
        pytest.param(Walk(known_pages=300), 600, id="it had three hundred pages"),
        pytest.param(Walk(advertised=240, rows_a_page=24, granted=80), 80, id="an operator resumed it"),
    ],
)
def test_the_budget_follows_from_what_the_site_says_and_showed(walk: Walk, expected: int) -> None:
    assert walk.budget == expected


def test_over_its_budget_a_run_is_paused_and_may_be_resumed() -> None:
    pages = [replace(shown(n, to=f"{SITE}?p={n + 1}"), advertised=6) for n in range(1, 40)]
    step, followed = follow(COLLECT, *pages[:13])
    assert (step.pause, step.done, len(followed)) == (PAGE_BUDGET, False, 13)
    step = COLLECT.step(step.state, pages[13])
    assert step.pause is None


def test_a_later_slice_goes_on_from_the_address_of_its_page() -> None:
    first = DISCOVERY.start(replace(start({}, max_pages=2), numbered=False))
    second = f"{SITE}?offset=3"
    step = DISCOVERY.step(first.state, shown(1, to=second))
    step = DISCOVERY.step(step.state, shown(2, to=f"{SITE}?offset=6"))
    memory = DISCOVERY.end(step.state, failed=0, now=NOW).memory
    again = DISCOVERY.start(replace(start(memory, max_pages=2), numbered=False))
    assert again.ask == (IndexPage(number=2, url=second),)


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_a_run_opened_before_an_upgrade_goes_on(fold: Fold) -> None:
    """Its state has neither a walk nor only names that are known today."""
    state = {name: value for name, value in fold.start(start()).state.items() if name != "walk"}
    step = fold.step({**state, "shows": "a", "expected": True}, shown(1))
    assert step.state["walk"]["rows"] == 3
    assert fold.end(step.state, failed=0, now=NOW).status is RunStatus.COMPLETED


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_the_sitemaps_of_a_sitemap_index_are_read_one_after_the_other(fold: Fold) -> None:
    maps = [f"{SITE}/{n}.xml" for n in range(3)]
    listing = replace(page(last=True), new=(), known=(), indexes=maps)
    missing = replace(unread(), missing=True)
    step, followed = follow(fold, listing, shown(1), missing, shown(3))
    assert followed == maps
    assert step.state["ended"] == "end"
    assert step.state["walk"]["rows"] == 6


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY], ids=lambda fold: fold.kind)
def test_an_unread_page_that_shows_the_next_one_does_not_end_the_walk(fold: Fold) -> None:
    """It counts as a page: the limit of pages holds, whatever the pages are."""
    following = NextPage(url="https://homes.test/listings?p=3", evidence=NextEvidence.REL, because="rel=next")
    skipped = replace(unread(), next_page=following)
    step = fold.step(fold.start(start()).state, page(new=3, last=False))
    limited = fold.step(fold.start(start(max_pages=2)).state, page(new=3, last=False))

    assert pages_of(fold.step(step.state, skipped).ask) == [3]
    assert fold.step(step.state, unread()).done
    assert fold.step(limited.state, skipped).done


@pytest.mark.parametrize(
    ("overlap", "first"),
    [(5, 5), (1, 9), (8, 4)],
    ids=["five pages before its end", "one page before it", "at the oldest address that it remembers"],
)
def test_a_sweep_by_links_goes_on_before_where_the_last_one_stopped(overlap: int, first: int) -> None:
    own = {"sweep_pages": 10, "sweep_overlap": overlap, "sweep_details": 0}
    step = SWEEP.start(replace(start(params=own), numbered=False))
    for number in range(1, 11):
        step = SWEEP.step(step.state, shown(number, to=f"{SITE}?p={number + 1}"))
    memory = json.loads(json.dumps(SWEEP.end(step.state, failed=0, now=NOW).memory))
    again = SWEEP.start(replace(start(memory, params=own), numbered=False))
    assert again.ask == (IndexPage(number=first, url=f"{SITE}?p={first}"),)


@pytest.mark.parametrize("fold", [COLLECT, DISCOVERY, SWEEP], ids=["collect", "discovery", "sweep"])
def test_a_calendar_goes_on_behind_weeks_without_events(fold: Fold) -> None:
    def week(number: int, rows: int) -> PageSeen:
        return shown(number, rows=rows, to=f"{SITE}?week={number + 1}", evidence=NextEvidence.CALENDAR)

    gap = [week(1, 0), week(2, 0), week(3, 2), week(4, 0), week(5, 1), week(6, 0), week(7, 0), week(8, 0)]
    step, followed = follow(fold, *(replace(each, last=False) for each in gap))
    assert followed == [f"{SITE}?week={number}" for number in range(2, 9)]
    assert step.state["ended"] == "end"


def test_another_empty_page_still_ends_the_walk() -> None:
    step, followed = follow(DISCOVERY, shown(1, to=f"{SITE}?p=2"), shown(2, rows=0, to=f"{SITE}?p=3"))
    assert followed == [f"{SITE}?p=2"]
    assert step.state["ended"]

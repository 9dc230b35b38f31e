"""Other events on the page of one event: told by the heading above them, wherever it stands."""

# ruff: noqa: E501 - a part of a page is one line

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.extraction import extract

NOW = datetime(2026, 3, 1, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))


def read(body: str, *, title: str, slug: str) -> list[tuple[str, str]]:
    page = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    found = extract(page, url=f"https://hall.test/agenda/{slug}", kind="event", now=NOW)
    return [(item["title"], str(item.get("starts_at"))[:16]) for item in found.items]


def _page_with_others(heading: str) -> str:
    cards = "".join(
        f"<div><a href=/e/{at}><h3>Other Play {at}</h3></a><p>{at} April 2026, 19:00</p></div>"
        for at in range(10, 20)
    )
    own = "<h1>The Cherry Orchard</h1><p>Saturday 14 March 2026, 20:00</p><p>Town Hall, Mill Street 4</p>"
    return f"<main>{own}{heading}<div>{cards}</div></main>"


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>Related events</h2>",
        "<h6>You may also like</h6>",
        "<div class=section-title>More from this organiser</div>",
        "<div><div><h2>Weitere Veranstaltungen</h2></div></div>",
        "<h2>Événements similaires</h2>",
        "<h2>Dit vind je misschien ook leuk</h2>",
        "<h2>Eventi correlati</h2>",
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("slug", ["the-cherry-orchard", "123"])
def test_other_events_behind_their_heading_are_not_the_pages(heading: str, wrapped: bool, slug: str) -> None:
    page = _page_with_others(heading)
    if wrapped:
        page = page.replace(heading, f"<section>{heading}").replace("</main>", "</section></main>")
    assert read(page, title="The Cherry Orchard | Hall", slug=slug) == [
        ("The Cherry Orchard", "2026-03-14T20:00")
    ]


@pytest.mark.parametrize("heading", ["<h2>Upcoming events</h2>", "<h2>Next shows</h2>"])
def test_what_may_head_the_pages_own_days_takes_none_of_them_away(heading: str) -> None:
    page = f"<main><h1>The Cherry Orchard</h1><p>Saturday 14 March 2026, 20:00</p>{heading}<ul><li>21 March 2026, 20:00</li><li>28 March 2026, 20:00</li></ul></main>"
    assert len(read(page, title="The Cherry Orchard", slug="the-cherry-orchard")) == 3


def test_a_list_behind_such_a_heading_stays_where_the_page_has_no_day_of_its_own() -> None:
    page = _page_with_others("<h2>More events</h2>").replace("<p>Saturday 14 March 2026, 20:00</p>", "")
    assert len(read(page, title="The Cherry Orchard", slug="123")) == 10

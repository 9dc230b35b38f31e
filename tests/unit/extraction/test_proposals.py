"""How a source should be set up, as its page suggests, each with its evidence."""

from larder.extraction import try_page
from larder.extraction.proposals import Proposal, sitemaps_in

HEAD = (
    '<link rel="alternate" type="application/rss+xml" title="Flats" href="/feed.rss">'
    '<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments.rss">'
    '<link rel="alternate" hreflang="en" href="/en">'
    '<link rel="alternate" type="text/calendar" href="/all.ics">'
)
ROWS = "".join(
    f'<li class="flat"><a href="/expose/{n}">Helle Wohnung Nummer {n} am Park</a><p>{50 + n} m²</p>'
    f"<b>{700 + n} €</b></li>"
    for n in range(6)
)


def proposed(html: str, kind: str) -> dict[str, tuple[str, str]]:
    trial = try_page(html, url="https://homes.test/list", kind=kind)
    return {each.field: (each.value, each.because) for each in trial.proposals if each.field != "feed"}


def test_an_index_proposes_its_plan_language_and_currency() -> None:
    page = f"<html lang='de-DE'><head>{HEAD}</head><body><h1>Wohnungen</h1><ul>{ROWS}</ul></body></html>"
    assert proposed(page, "listing") == {
        "plan": ("index", "the page lists 6 listings"),
        "language": ("de", 'the page declares lang="de"'),
        "currency": ("EUR", "6 of 6 prices on the page are in it"),
    }


def test_a_single_product_is_monitored() -> None:
    page = "<html lang=en><h1>Copper lamp</h1><b>£ 12.99</b><button>Add to basket</button></html>"
    found = proposed(page, "product")
    assert found["plan"] == ("monitor", "the page shows a single product")
    assert found["currency"][0] == "GBP"


def test_events_are_an_agenda() -> None:
    rows = "".join(
        f"<li><b>{n} October 2099</b> <a href='/e/{n}'>Jazz night number {n}</a></li>" for n in range(3, 9)
    )
    found = proposed(f"<html><h1>Agenda</h1><ul>{rows}</ul></html>", "event")
    assert found["plan"] == ("agenda", "the page lists 6 events")


def test_feeds_that_the_page_links_are_proposed() -> None:
    trial = try_page(
        f"<html><head>{HEAD}</head><ul>{ROWS}</ul></html>", url="https://homes.test/list", kind="listing"
    )
    feeds = [each for each in trial.proposals if each.field == "feed"]
    assert feeds == [
        Proposal(
            field="feed",
            value="https://homes.test/feed.rss",
            because="the page links it as application/rss+xml",
        ),
        Proposal(
            field="feed", value="https://homes.test/all.ics", because="the page links it as text/calendar"
        ),
    ]


def test_sitemaps_of_robots_txt_are_proposed_within_bounds() -> None:
    text = "User-agent: *\nDisallow:\nSitemap: https://homes.test/sitemap.xml\nsitemap: javascript:1\n"
    assert [each.value for each in sitemaps_in(text)] == ["https://homes.test/sitemap.xml"]
    many = "".join(f"Sitemap: https://homes.test/{n}.xml\n" for n in range(500))
    assert len(sitemaps_in(many)) == 10

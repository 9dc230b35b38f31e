"""A run says which pages it could not read, and why: in its line, in `why`, in `status` and in JSON."""

import json
from pathlib import Path

import pytest

from tests.acceptance.served import Answer, Site, add_source, serving, shell
from tests.unit.cli.conftest import Shell

FLATS = 10


def index(base: str) -> str:
    rows = "".join(
        f'<li class="flat"><a href="{base}/expose/{n}-wohnung">Wohnung am Park {n}, hell</a>'
        f"<p>{2 + n % 3} Zimmer, {50 + n} m²</p><b>{700 + 10 * n} €</b></li>"
        for n in range(FLATS)
    )
    return f"<html lang=de><title>Wohnungen</title><body><h1>Wohnungen</h1><ul>{rows}</ul></body></html>"


def marked_up(base: str) -> str:
    """Rows whose addresses stand in markup alone, on another host."""
    rows = [
        {
            "@type": "Apartment",
            "name": f"Wohnung am Park {n}, hell",
            "url": f"{base}/expose/{n}-wohnung",
            "offers": {"@type": "Offer", "price": str(700 + n), "priceCurrency": "EUR"},
        }
        for n in range(FLATS)
    ]
    listed = [{"@type": "ListItem", "position": n, "item": row} for n, row in enumerate(rows)]
    markup = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": listed})
    return (
        f'<html lang=de><title>Wohnungen</title><script type="application/ld+json">{markup}</script></html>'
    )


def detail(n: int) -> Answer:
    return Answer(f"<h1>Wohnung am Park {n}, hell</h1><b>{700 + 10 * n} €</b>")


@pytest.fixture
def larder(tmp_path: Path) -> Shell:
    return shell(tmp_path)


def read(larder: Shell, site: Site) -> tuple[str, dict[str, object]]:
    add_source(larder, site.url("/wohnungen"), "--kind", "listing")
    line = larder("run", "start", "it")
    (run,) = larder("run", "list", "--json").json
    return " ".join(line.out.split()), run


def test_pages_that_robots_txt_forbids_are_counted_and_said_everywhere(larder: Shell) -> None:
    with serving() as site:
        site.answers["/robots.txt"] = Answer("User-agent: *\nDisallow: /expose/", "text/plain")
        site.answers["/wohnungen"] = Answer(index(""))
        line, run = read(larder, site)
        why, status = larder("why", "it").out, larder("status").out
    assert f"{FLATS} pages not read: {FLATS} blocked by robots txt" in line
    assert (run["status"], run["pages_not_read"], run["inserted"]) == ("partial", FLATS, FLATS)
    assert run["not_read"]["blocked_by_robots_txt"]["items"] == FLATS  # type: ignore[index]
    assert f"{FLATS} pages not read: blocked by robots txt" in why
    assert f"{FLATS} rows seen, {FLATS} items read, {FLATS} stored, {FLATS} pages not read" in " ".join(
        why.split()
    )
    assert f"{FLATS} pages not read" in " ".join(status.split())
    assert "larder why it" in status
    assert "rows_lost" in larder("alert", "list").out


def test_pages_that_a_server_fails_to_bring_name_their_host(larder: Shell) -> None:
    with serving() as site:
        site.answers["/wohnungen"] = Answer(index(""))
        for n in range(FLATS):
            site.answers[f"/expose/{n}-wohnung"] = detail(n) if n % 4 else Answer("no", status=403)
        line, run = read(larder, site)
    assert "3 pages not read: 3 blocked" in line
    assert "127.0.0.1" in run["not_read"]["blocked"]["details"]  # type: ignore[index]


def test_a_page_removed_since_its_index_showed_it_is_counted_without_blame(larder: Shell) -> None:
    with serving() as site:
        site.answers["/wohnungen"] = Answer(index(""))
        for n in range(1, FLATS):
            site.answers[f"/expose/{n}-wohnung"] = detail(n)
        _, run = read(larder, site)
    assert (run["status"], run["pages_not_read"]) == ("completed", 1)
    assert run["not_read"]["not_found"]["items"] == 1  # type: ignore[index]


def test_rows_that_lead_to_a_site_that_nobody_reviewed_say_so_with_the_next_step(larder: Shell) -> None:
    with serving() as site:
        site.answers["/wohnungen"] = Answer(marked_up("https://www.wohnungen.test"))
        line, run = read(larder, site)
        why = " ".join(larder("why", "it").out.split())
    assert f"{FLATS} pages not read: {FLATS} terms" in line
    assert (run["status"], run["pages_not_read"], run["inserted"]) == ("partial", FLATS, FLATS)
    assert f"{FLATS} pages not read: terms (www.wohnungen.test: the terms of" in why
    assert "larder site review wohnungen.test" in why


MONTHS = ("januari", "februari", "maart")


def agenda(page: int, *, dated: bool) -> Answer:
    """Eight nights on one page of three; without a day that can be read they are rows all the same."""
    rows = "".join(
        '<li class="avond">'
        + (
            f"<time>{n + 1} {MONTHS[page - 1]} 2031, 20:30</time>"
            if dated
            else f'<img src="/{n}.png" alt="">'
        )
        + f'<a href="/avond/{page}{n}-concert"><h3>Concert van ensemble {page}{n}</h3></a></li>'
        for n in range(8)
    )
    more = f'<a rel="next" href="/agenda?p={page + 1}">Volgende</a>' if page < 3 else ""
    return Answer(f"<html lang=nl><body><h1>Agenda</h1><ul>{rows}</ul>{more}</body></html>")


def night(page: int, n: int) -> Answer:
    return Answer(
        f"<html lang=nl><h1>Concert van ensemble {page}{n}</h1>"
        f"<p>{n + 1} {MONTHS[page - 1]} 2031, 20:30</p><p>Grote zaal</p></html>"
    )


def test_a_later_page_without_a_day_that_can_be_read_is_no_end(larder: Shell) -> None:
    """Its rows are there: the page counts as not read, and the walk goes on to the page after it."""
    with serving() as site:
        site.answers["/agenda"] = agenda(1, dated=True)
        site.answers["/agenda?p=2"] = agenda(2, dated=False)
        site.answers["/agenda?p=3"] = agenda(3, dated=True)
        for page in (1, 3):
            for n in range(8):
                site.answers[f"/avond/{page}{n}-concert"] = night(page, n)
        add_source(larder, site.url("/agenda"), "--kind", "event")
        larder("run", "start", "it")
        (run,) = larder("run", "list", "--json").json
        why = " ".join(larder("why", "it").out.split())
    assert site.asked["/agenda?p=3"] == 1
    assert (run["status"], run["pages_not_read"], run["inserted"]) == ("partial", 1, 16)
    assert run["not_read"]["page_structure_changed"]["page"] == site.url("/agenda?p=2")
    assert "8 rows are shown; none has a readable day" in why


@pytest.mark.parametrize("hosts", [("www.wohnungen.test",), ("one.test", "two.test", "three.test")])
def test_visible_rows_that_lead_to_other_sites_are_stored_from_the_row_alone(
    larder: Shell, hosts: tuple[str, ...]
) -> None:
    """An aggregator: no other site is asked for anything, and each page that was not read is counted."""
    with serving() as site:
        rows = index("")
        for n in range(FLATS):
            rows = rows.replace(f'"/expose/{n}-', f'"https://{hosts[n % len(hosts)]}/expose/{n}-')
        site.answers["/wohnungen"] = Answer(rows)
        _, run = read(larder, site)
        records = larder("records", "list", "--json").json
    assert (run["status"], run["rows_shown"], run["inserted"]) == ("partial", FLATS, FLATS)
    assert run["not_read"]["terms"]["items"] == FLATS  # type: ignore[index]
    assert sorted(each["price_minor"] for each in records) == [70_000 + 1_000 * n for n in range(FLATS)]


def test_an_index_that_answers_its_next_link_with_the_same_page_counts_its_rows_once(larder: Shell) -> None:
    with serving() as site:
        page = index("") + '<a rel="next" href="/wohnungen?seite=2">weiter</a>'
        site.answers["/wohnungen"] = site.answers["/wohnungen?seite=2"] = Answer(page)
        for n in range(FLATS):
            site.answers[f"/expose/{n}-wohnung"] = detail(n)
        _, run = read(larder, site)
    assert (run["rows_shown"], run["status"]) == (FLATS, "completed"), run
    assert (run["inserted"], run["unchanged"], run["extracted"]) == (FLATS, FLATS, 2 * FLATS), run

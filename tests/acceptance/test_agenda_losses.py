"""What a run of an agenda says of rows that are there twice, and of own pages that name no day."""

from pathlib import Path

from tests.acceptance.served import Answer, Site, add_source, serving, shell

TITLES = ("Jazz night", "Pub quiz", "Choir evening", "Poetry slam", "Film club", "Chess cafe", "Open stage")


def row(title: str, day: int, address: str) -> str:
    return (
        f"<li class=event><h3><a href=/e/{address}>{title}</a></h3>"
        f"<time datetime=2031-03-{day:02}>{day} March 2031</time><p>Town hall</p></li>"
    )


def agenda(rows: str, following: str = "") -> Answer:
    pager = f"<nav class=pagination><a rel=next href={following}>Next</a></nav>" if following else ""
    return Answer(f"<html lang=en><body><h1>Agenda</h1><ul class=events>{rows}</ul>{pager}</body></html>")


def own_page(title: str, day: int | None) -> Answer:
    when = f"<p><time datetime=2031-03-{day:02}>{day} March 2031</time></p>" if day else "<p>118 minutes.</p>"
    return Answer(f"<html lang=en><title>{title}</title><body><h1>{title}</h1>{when}</body></html>")


def two_pages(site: Site) -> None:
    first = [(title, day, title.replace(" ", "-").lower()) for day, title in enumerate(TITLES, start=1)]
    second = [(f"{title} II", day + 10, f"{address}-ii") for title, day, address in first]
    second[2] = ("Pub quiz", 2, "quiz-in-the-pub")
    site.answers["/agenda"] = agenda("".join(row(*each) for each in first), "/agenda?page=2")
    site.answers["/agenda?page=2"] = agenda("".join(row(*each) for each in second))
    for title, day, address in (*first, *second):
        site.answers[f"/e/{address}"] = own_page(title, day)


def test_an_event_that_two_pages_list_under_two_addresses_is_said_to_be_double(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        two_pages(site)
        add_source(larder, site.url("/agenda"), "--kind", "event")
        run = larder("run", "start", "it", "--kind", "discovery", "--json").json
    double = run["left_out"]["duplicate_within_run"]
    assert (run["status"], double["items"]) == ("completed", 1)
    assert double["details"].startswith("Pub quiz 2031-03-02 was shown before")
    assert double["page"].endswith("/agenda?page=2")
    assert (run["inserted"], run["unchanged"], run["dropped"]) == (13, 13, 1), (
        "each own page confirms its row"
    )


def test_own_pages_that_name_no_day_are_no_loss(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        two_pages(site)
        for title in TITLES:
            site.answers[f"/e/{title.replace(' ', '-').lower()}"] = own_page(title, None)
        add_source(larder, site.url("/agenda"), "--kind", "event")
        run = larder("run", "start", "it", "--kind", "discovery", "--json").json
    assert (run["status"], run["inserted"], run["pages_not_read"]) == ("completed", 13, 0)


def test_an_own_page_that_says_not_found_is_a_page_not_read(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        two_pages(site)
        site.answers["/e/jazz-night"] = own_page("Page not found", None)
        add_source(larder, site.url("/agenda"), "--kind", "event")
        run = larder("run", "start", "it", "--kind", "discovery", "--json").json
    assert (run["status"], run["inserted"], run["pages_not_read"]) == ("partial", 13, 1)

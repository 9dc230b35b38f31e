"""A row that stays incomplete after its own page was read is not asked for by every discovery."""

from pathlib import Path

from tests.acceptance.served import Answer, Site, add_source, serving, shell

ROWS = 6


def index(day: str) -> Answer:
    rows = "".join(
        f'<li class="product"><a href="/p/{n}-lamp"><img src="/{n}.jpg"><h3>Copper lamp {n} round</h3></a>'
        f"<p>Copper, {20 + n} cm</p></li>"
        for n in range(ROWS)
    )
    return Answer(f"<html lang=en><body><h1>Lamps of {day}</h1><ul class=products>{rows}</ul></body></html>")


def without_prices(site: Site) -> None:
    site.answers["/lamps"] = index("Monday")
    for n in range(ROWS):
        site.answers[f"/p/{n}-lamp"] = Answer(
            f"<html lang=en><h1>Copper lamp {n} round</h1><p>Copper.</p></html>"
        )


def test_its_page_is_read_once_and_the_row_is_counted_by_the_next_discovery(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        without_prices(site)
        add_source(larder, site.url("/lamps"), "--kind", "product", "--plan", "index")
        larder("run", "start", "it")
        asked = {path: times for path, times in site.asked.items() if path.startswith("/p/")}
        site.answers["/lamps"] = index("Tuesday")
        larder("run", "start", "it", "--kind", "discovery")
        again = {path: times for path, times in site.asked.items() if path.startswith("/p/")}
        second = larder("run", "list", "--json").json[0]
    assert asked == {f"/p/{n}-lamp": 1 for n in range(ROWS)}
    assert again == asked
    left = second["left_out"]["missing_required_field"]
    assert left["items"] == ROWS
    assert left["details"].startswith("price: "), "it names the field"
    assert left["page"].endswith("/p/0-lamp")
    assert second["rows_shown"] == ROWS


def test_it_is_counted_though_the_index_page_did_not_change(tmp_path: Path) -> None:
    """The same page shows the same rows, and they are as incomplete as before."""
    larder = shell(tmp_path)
    with serving() as site:
        without_prices(site)
        add_source(larder, site.url("/lamps"), "--kind", "product", "--plan", "index")
        larder("run", "start", "it")
        larder("run", "start", "it", "--kind", "discovery")
        second = larder("run", "list", "--json").json[0]
        replayed = larder("replay", "--source", "it", "--apply")
    assert replayed.code == 0, replayed.err
    assert second["left_out"]["missing_required_field"]["items"] == ROWS
    assert (second["rows_shown"], second["status"]) == (ROWS, "failed")


def test_a_row_that_its_page_completed_is_seen_on_the_unchanged_index(tmp_path: Path) -> None:
    """Afterwards the page is as good as any that did not change."""
    larder = shell(tmp_path)
    with serving() as site:
        without_prices(site)
        for n in range(ROWS):
            site.answers[f"/p/{n}-lamp"] = Answer(
                f"<html lang=en><h1>Copper lamp {n} round</h1><p>€ {20 + n}.50</p>"
                "<button>Add to cart</button></html>"
            )
        add_source(larder, site.url("/lamps"), "--kind", "product", "--plan", "index", "--currency", "EUR")
        runs = [larder("run", "start", "it", "--kind", "discovery", "--json").json for _ in range(3)]
    assert [run["inserted"] for run in runs] == [ROWS, 0, 0]
    assert [run["rows_shown"] for run in runs] == [ROWS] * 3
    assert [run["status"] for run in runs] == ["completed"] * 3

"""When does an index say that it is empty?"""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.selectors import read_selectors
from larder.stages.parse.empty import states_no_results
from larder.stages.parse.extraction_task import ExtractionTask

CLAIM = "<p>No results found</p>"


def says(body: str, *, kind: Kind = Kind.LISTING, empty: str | None = None) -> bool:
    page = Page("https://site.test/list", f"<html><body>{body}</body></html>")
    declared = (
        read_selectors({"index": {"row": ".row", "fields": {"title": "h2"}, "empty": empty}}).index
        if empty
        else None
    )
    return states_no_results(ExtractionTask(page=page, kind=kind, purpose=Purpose.INDEX, declared=declared))


@pytest.mark.parametrize(
    "body",
    [
        CLAIM,
        "<h2>Keine Treffer</h2><p>Versuchen Sie es erneut.</p>",
        "<p>Er zijn <b>geen</b> resultaten</p>",
        f"<aside><ul><li>€ 0 – € 50</li><li>€ 50 – € 100</li><li>€ 100 – € 200</li></ul></aside>{CLAIM}",
        f'<ul><li><a href="?p=1">€ 0 – € 50</a></li><li><a href="?p=2">€ 50 – € 90</a></li>'
        f'<li><a href="?p=3">€ 90 – € 99</a></li></ul>{CLAIM}',
        f"<form><label>up to € 100 a month</label><label>up to € 200 a month</label></form>{CLAIM}",
    ],
    ids=["said", "in German", "in pieces", "filters beside it", "filters as links", "a form"],
)
def test_a_claim_that_readers_see_counts(body: str) -> None:
    assert says(body)


@pytest.mark.parametrize(
    "body",
    [
        '<p style="display: none">No results found</p><p>Loading</p>',
        '<div style="visibility:hidden"><p>No results found</p></div><p>Loading</p>',
        "<p hidden>No results found</p><p>Loading</p>",
        '<div aria-hidden="true"><p><span>No results</span> found</p></div><p>Loading</p>',
        "<template><p>No results found</p></template><p>Loading</p>",
        '<script type="text/x-template"><p>No results found</p></script><p>Loading</p>',
        "<noscript>No results found</noscript><p>Loading</p>",
        "<dialog>No results found</dialog><p>Loading</p>",
        "<select><option>No results</option></select><p>Loading</p>",
        '<p class="d-none">No results found</p><p>Loading</p>',
    ],
    ids=[
        "style",
        "visibility",
        "hidden",
        "aria",
        "template",
        "script",
        "noscript",
        "dialog",
        "option",
        "class",
    ],
)
def test_a_claim_that_is_hidden_does_not(body: str) -> None:
    assert not says(body)


def test_no_page_with_priced_rows_is_empty() -> None:
    rows = "".join(
        f'<div><a href="/flat/{n}">A bright flat in town</a> <span>€ {900 + n}</span></div>' for n in range(3)
    )
    assert not says(CLAIM + rows)
    assert says(CLAIM + rows.replace("€", "No."))


def test_no_agenda_with_dated_rows_is_empty() -> None:
    rows = "".join(f"<li><b>{n} October 2026</b> <i>Jazz in the garden</i></li>" for n in range(3, 6))
    assert not says(f"<p>No events found</p><ul>{rows}</ul>", kind=Kind.EVENT)
    assert says("<p>No events found</p><p>This site was made in 2026.</p>", kind=Kind.EVENT)


def test_a_declared_sign_of_emptiness_must_be_seen() -> None:
    assert says('<p class="none">Schade!</p>', empty=".none")
    assert not says('<p class="none" style="display:none">Schade!</p><p>Loading</p>', empty=".none")
    assert not says('<div hidden><p class="none">Schade!</p></div><p>Loading</p>', empty=".none")


def test_an_empty_list_in_markup_counts_where_no_rows_are_shown() -> None:
    markup = '<script type="application/ld+json">{"@type":"ItemList","numberOfItems":0}</script>'
    rows = "".join(f'<li><a href="/p/{n}">A lamp of copper</a> € {10 + n}</li>' for n in range(3))
    assert says(f"{markup}<p>Hello</p>")
    assert not says(f"{markup}<ul>{rows}</ul>")


def test_many_prices_cost_no_more_than_a_few() -> None:
    assert says(CLAIM + "5 €<br>" * 20_000)

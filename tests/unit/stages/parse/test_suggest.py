"""What is proposed in the place of a selector that stopped matching, and what is not."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.core.model.item import Item
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.stages.normalize import Context, fields_without_validation
from larder.stages.parse.repair import (
    Sample,
    Suggestion,
    reads_as_before,
    reads_new_pages_right,
    suggest_detail,
    suggest_index,
)

THEN = datetime(2026, 3, 2, tzinfo=UTC)
NOW = THEN + timedelta(days=1)
HOMES = [(1, "Loft", "€ 1,250"), (2, "Barge", "€ 990"), (3, "Attic", "€ 700"), (4, "Mill", "€ 2,100")]
INDEX = {
    "row": "article.card",
    "fields": {"title": "h2 a", "url": "h2 a@href", "price": ".price"},
    "next": "a.next@href",
}
DETAIL = {"fields": {"title": "h1", "price": ".price"}}
OLD_ROW = (
    '<article class="card"><h2><a href="/home/{n}">{title}</a></h2><b class="price">{price}</b></article>'
)
NEW_ROW = '<li class="tile"><a class="to" href="/home/{n}">{title}</a><i class="rate">{price}</i></li>'
PAGER = '<nav><a href="/?page=2">2</a><a class="{name}" href="/?page=2">Next</a></nav>'


def index_page(row: str, *, at: datetime, more: str = "", pager: str = "next", homes: Any = HOMES) -> Sample:
    rows = "".join(row.format(n=n, title=title, price=price) for n, title, price in homes)
    html = f"<html><body><main>{more}{rows}</main>{PAGER.format(name=pager)}</body></html>"
    return Sample(page=Page("https://homes.test/", html), at=at)


def detail_page(number: int, body: str, *, at: datetime) -> Sample:
    return Sample(page=Page(f"https://homes.test/home/{number}", f"<html><body>{body}</body></html>"), at=at)


def meaning(raw: Mapping[str, Any], sample: Sample) -> Mapping[str, Any]:
    context = Context(
        source="homes", kind=Kind.LISTING, base_url=sample.page.url, observed_at=sample.at, index=True
    )
    return fields_without_validation(Item(fields=raw), context)


def suggested(row: str, **drawn: Any) -> Suggestion:
    old = [index_page(OLD_ROW, at=THEN)]
    return suggest_index(INDEX, old, [index_page(row, at=NOW, **drawn)], meaning)


def after(found: Suggestion) -> dict[str, Any]:
    return {change.path.removeprefix("index."): change.after for change in found.changes}


def test_what_reads_as_before_is_left_alone() -> None:
    found = suggested(OLD_ROW)
    assert (found.stopped, found.changes, found.doubts) == ((), (), ())
    assert reads_as_before("index", INDEX, [index_page(OLD_ROW, at=THEN)], [index_page(OLD_ROW, at=NOW)])


def test_every_selector_of_a_new_layout_is_found_and_proven() -> None:
    found = suggested(NEW_ROW, pager="onward")
    assert found.stopped == (
        "index.row", "index.fields.title", "index.fields.url", "index.fields.price", "index.next"
    )  # fmt: skip
    assert found.proven
    assert after(found) == {
        "row": ".tile",
        "fields.title": ".to",
        "fields.url": ".to@href",
        "fields.price": {"css": ".rate", "only": True},
        "next": ".onward@href",
    }
    assert not reads_as_before("index", INDEX, [index_page(OLD_ROW, at=THEN)], [index_page(NEW_ROW, at=NOW)])


@pytest.mark.parametrize(
    ("price", "selector"),
    [
        ('<s class="sum">€ 2,500</s> <b class="sum">{price}</b>', {"css": "b.sum", "only": True}),
        ('<span class="sum old">€ 2,500</span> <b class="sum">{price}</b>', {"css": "b.sum", "only": True}),
        ('<i class="sum" data-rent="{price}">ask</i>', {"css": ".sum", "attr": "data-rent", "only": True}),
        ("<u>Rent: {price} per month</u>", {"css": "u", "only": True}),
    ],
    ids=["crossed out", "called old", "an attribute", "among words"],
)
def test_the_price_is_found_wherever_it_went(price: str, selector: dict[str, Any]) -> None:
    found = suggested(NEW_ROW.replace('<i class="rate">{price}</i>', price))
    assert (found.doubts, after(found)["fields.price"]) == ((), selector)


def test_whole_and_cents_in_elements_of_their_own_are_joined() -> None:
    homes = [(n, title, f"{price}.95") for n, title, price in HOMES]
    old = [index_page(OLD_ROW, at=THEN, homes=homes)]
    split = NEW_ROW.replace("{price}</i>", "{price}</i><sup>95</sup>")
    found = suggest_index(INDEX, old, [index_page(split, at=NOW)], meaning)
    assert found.proven
    assert after(found)["fields.price"] == {"css": ".rate, sup", "join": "."}


def test_an_amount_that_nobody_can_explain_is_a_doubt() -> None:
    found = suggested(NEW_ROW.replace("</i>", "</i> <em>€ 1,111</em>"))
    assert not found.proven
    assert found.doubts == ("price: another amount is shown beside it (€ 1,111)",)


def test_a_price_that_changed_since_proves_nothing_and_disproves_nothing() -> None:
    homes = [*HOMES[:3], (4, "Mill", "€ 2,050")]
    found = suggested(NEW_ROW, homes=homes)
    assert found.proven
    assert found.figures["changed"] == 1
    dear = [(n, title, f"€ {n},999") for n, title, _ in HOMES]
    assert not suggested(NEW_ROW, homes=dear).proven


def test_rows_that_are_no_records_are_left_out() -> None:
    advert = (
        '<li class="tile ad"><a class="to" href="https://ads.test/9">Buy!</a><i class="rate">€ 1</i></li>'
    )
    found = suggested(NEW_ROW, more=advert)
    assert found.proven
    assert after(found)["row"] == ".tile:not(.ad)"


def test_two_known_records_are_too_few() -> None:
    found = suggested(NEW_ROW, homes=HOMES[:2])
    assert found.broken
    assert not found.proven


def test_where_nothing_known_is_left_it_is_told_what_fell_silent() -> None:
    found = suggested(NEW_ROW, homes=[(8, "Tent", "€ 10"), (9, "Hut", "€ 20"), (7, "Cave", "€ 30")])
    assert found.stopped == ("index.fields.title", "index.fields.url", "index.fields.price")
    assert found.doubts == ("no known record is on the new pages",)


def test_places_that_mean_something_else_on_archived_pages_are_not_proposed() -> None:
    declared = {
        "row": "tbody tr",
        "fields": {"title": "td a", "url": "td a@href", "price": "td:nth-child(2)"},
    }
    row = '<tr><td><a href="/home/{n}">{title}</a></td><td>{price}</td><td>{n} rooms</td></tr>'
    swapped = '<tr><td><a href="/home/{n}">{title}</a></td><td>{n} rooms</td><td>{price}</td></tr>'
    old, new = ("<table><tbody>" + each + "</tbody></table>" for each in (row, swapped))
    found = suggest_index(declared, [index_page(old, at=THEN)], [index_page(new, at=NOW)], meaning)
    assert "index.fields.price" in found.stopped
    assert not found.proven


def test_places_are_proposed_where_the_rows_cannot_be_taken_for_archived_ones() -> None:
    declared = {
        "row": "tbody tr",
        "fields": {"title": "td a", "url": "td a@href", "price": "td:nth-child(2)"},
    }
    row = '<tr><td><a href="/home/{n}">{title}</a></td><td>{price}</td><td>{n} rooms</td></tr>'
    wider = row.replace("<tr>", "<tr><td><input></td>")
    old, new = ("<table><tbody>" + each + "</tbody></table>" for each in (row, wider))
    found = suggest_index(declared, [index_page(old, at=THEN)], [index_page(new, at=NOW)], meaning)
    assert found.proven
    assert after(found)["row"] == "tbody tr:has(input)"
    assert after(found)["fields.price"] == {"css": "td:nth-of-type(3)", "only": True}


def test_pages_of_things_are_mended_from_what_they_said() -> None:
    old = [detail_page(n, f'<h1>{t}</h1><p class="price">{p}</p>', at=THEN) for n, t, p in HOMES]
    new = [detail_page(n, f'<h2 class="name">{t}</h2><p class="cost">{p}</p>', at=NOW) for n, t, p in HOMES]
    found = suggest_detail(DETAIL, old, new, meaning)
    assert found.proven
    assert {change.path: change.after for change in found.changes} == {
        "detail.fields.title": ".name",
        "detail.fields.price": {"css": ".cost", "only": True},
    }
    assert found.changes[1].examples[0] == ("€ 1,250", "€ 1,250")
    assert reads_new_pages_right("detail", DETAIL, old, meaning, by=(DETAIL, old))
    assert not reads_new_pages_right("detail", DETAIL, new, meaning, by=(DETAIL, old))


def test_one_page_proves_nothing() -> None:
    old = [detail_page(1, '<h1>Loft</h1><p class="price">€ 1,250</p>', at=THEN)]
    new = [detail_page(1, '<h1>Loft</h1><p class="cost">€ 1,250</p>', at=NOW)]
    found = suggest_detail(DETAIL, old, new, meaning)
    assert found.stopped == ("detail.fields.price",)
    assert not found.proven

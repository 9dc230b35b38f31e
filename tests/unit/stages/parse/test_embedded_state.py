"""Things in a page's own state: the one that bears the page's title, and only what is its own."""

import json
from html import escape
from typing import Any

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.embedded_state import embedded_items
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import find_next


def fields(state: Any) -> dict[str, Any]:
    html = f"<title>Rain coat</title><h1>Rain coat</h1><script>window.state = {json.dumps(state)}</script>"
    task = ExtractionTask(page=Page("https://x.test/coat", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    return dict(embedded_items(task)[0].fields)


def size(code: str, **more: Any) -> dict[str, Any]:
    return {"name": "Rain coat", "price": 70, "sku": code, **more}


def test_the_object_with_the_page_s_title_wins() -> None:
    found = fields([{"name": "Umbrella", "price": 9, "sku": "U1"}, size("C1")])
    assert (found["price"], found["sku"]) == ("70", "C1")


def test_the_code_of_one_size_is_not_the_thing_s() -> None:
    found = fields([size("C1-36"), size("C1-37")])
    assert found["price"] == "70"
    assert "sku" not in found


def test_the_code_of_the_thing_stays_where_its_sizes_have_others() -> None:
    found = fields({**size("C1"), "brand": "Anna", "sizes": [size("C1-36"), size("C1-37")]})
    assert found["sku"] == "C1"


def test_an_event_of_a_state_has_the_address_that_it_is_given() -> None:
    state = {"title": "Quiz", "dateTime": "2026-12-03T19:00:00+01:00", "eventUrl": "/events/71/"}
    html = f"<h1>Events</h1><script>window.state = {json.dumps([state])}</script>"
    task = ExtractionTask(page=Page("https://x.test/events", html), kind=Kind.EVENT, purpose=Purpose.INDEX)
    assert embedded_items(task)[0].fields["url"] == "https://x.test/events/71/"


def test_rows_and_the_next_page_are_read_from_an_attribute() -> None:
    rows = [{"id": n, "name": f"Coat {n}", "url": f"/coats/{n}", "price": f"{n}9.50"} for n in range(1, 6)]
    state = {"props": {"products": {"data": rows, "next_page_url": "/coats?page=2", "total": 9}}}
    page = Page("https://x.test/coats", f'<div id=app data-page="{escape(json.dumps(state))}"></div>')
    task = ExtractionTask(page=page, kind=Kind.PRODUCT, purpose=Purpose.INDEX)
    assert [item.fields["price"] for item in embedded_items(task)] == [f"{n}9.50" for n in range(1, 6)]
    following = find_next(task)
    assert following is not None
    assert following.url == "https://x.test/coats?page=2"


def test_attributes_of_scripts_comments_and_small_controls_are_no_state() -> None:
    state = json.dumps([{"name": "Coat", "price": 70, "text": "x" * 300}])
    html = f"<script>a='{state}'</script><!-- <p data-x='{state}'> --><a data-y='{{\"price\": 1}}'>b</a>"
    assert Page("https://x.test/", html).state_attributes == []
    assert len(Page("https://x.test/", f"<p :items='{state}'>").state_attributes) == 1


@pytest.mark.parametrize(
    "priced",
    [
        {"pricing": {"current": 19.99, "was": 29.99, "currency": "EUR"}},
        {"price": {"value": {"amount": 19.99, "currency": "EUR"}}},
        {"price": {"value": {"centAmount": 1999, "fractionDigits": 2, "currencyCode": "EUR"}}},
        {
            "prices": {
                "sale": {"cents": 1999, "currency": "EUR"},
                "regular": {"cents": 2999, "currency": "EUR"},
            }
        },
        {"prices": {"sale": None, "regular": {"cents": 1999, "currency": "EUR"}}},
        {"prices": [{"price": 19.99, "currency": "EUR"}]},
        {"priceInfo": {"currentPrice": {"price": 19.99, "currencyUnit": "EUR"}}},
        {
            "priceRange": {
                f"{end}VariantPrice": {"amount": "19.99", "currencyCode": "EUR"} for end in ("min", "max")
            }
        },
        {"price_in_cents": 1999, "currency": "EUR"},
    ],
    ids=lambda priced: json.dumps(priced)[:40],
)
def test_a_price_inside_an_object_is_read_by_the_names_of_its_keys(priced: dict[str, Any]) -> None:
    found = fields([{"name": "Rain coat", "sku": "C1", **priced}])
    assert (found["price"], found["currency"]) == ("19.99", "EUR")


@pytest.mark.parametrize(
    "priced",
    [
        {"prices": [{"price": 19.99}, {"price": 14.99}]},
        {"priceRange": {"minVariantPrice": {"amount": "5"}, "maxVariantPrice": {"amount": "9"}}},
        {"offer": "save 20 on its price"},
    ],
    ids=["tiers", "range", "words"],
)
def test_of_several_prices_none_is_chosen(priced: dict[str, Any]) -> None:
    state = json.dumps([{"name": "Rain coat", "sku": "C1", **priced}])
    html = f"<title>Rain coat</title><h1>Rain coat</h1><script>window.state = {state}</script>"
    task = ExtractionTask(page=Page("https://x.test/coat", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    assert not any(item.fields.get("price") for item in embedded_items(task))


def test_a_home_of_a_state_is_called_by_the_address_that_is_displayed_and_not_by_its_summary() -> None:
    rows = [
        {"id": n, "url": f"/homes/{n}", "displayAddress": f"{n} Mill Lane, Leeds", "heading": "Featured",
         "summary": f"A house with {n} rooms in a quiet lane", "price": {"amount": 100_000 + n}}
        for n in range(1, 7)
    ]  # fmt: skip
    page = Page(
        "https://x.test/leeds",
        f"<script id=__NEXT_DATA__ type='application/json'>{json.dumps(rows)}</script>",
    )
    found = embedded_items(ExtractionTask(page=page, kind=Kind.LISTING, purpose=Purpose.INDEX))
    assert [item.fields["title"] for item in found] == [f"{n} Mill Lane, Leeds" for n in range(1, 7)]

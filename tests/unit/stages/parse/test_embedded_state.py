"""Things in a page's own state: the one that bears the page's title, and only what is its own."""

import json
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.embedded_state import embedded
from larder.stages.parse.strategy_input import Look


def fields(state: Any) -> dict[str, Any]:
    html = f"<title>Rain coat</title><h1>Rain coat</h1><script>window.state = {json.dumps(state)}</script>"
    look = Look(page=Page("https://x.test/coat", html), kind=Kind.PRODUCT, purpose=Purpose.DETAIL)
    return dict(embedded(look)[0].fields)


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
    look = Look(page=Page("https://x.test/events", html), kind=Kind.EVENT, purpose=Purpose.INDEX)
    assert embedded(look)[0].fields["url"] == "https://x.test/events/71/"

"""Adapters are found by id and by domain, and say who they are."""

import re

import pytest

from larder import adapters
from larder.core.errors import BadInput
from larder.core.model.source import Kind, Source
from larder.sdk import Item, Quarantined, SiteAdapter


def source(adapter: str, url: str, **params: object) -> Source:
    return Source(
        id=1, slug="s", name="S", kind=Kind.LISTING, site_id=1, adapter=adapter, url=url, params=params
    )


def test_an_adapter_is_found_by_id_or_the_known_ones_are_named() -> None:
    assert adapters.find("willhaben").domain == "willhaben.at"
    with pytest.raises(BadInput, match="unknown adapter 'nosuch'") as told:
        adapters.find("nosuch")
    assert "willhaben" in told.value.hint.text


def test_an_adapter_is_found_by_domain() -> None:
    found = adapters.by_domain("amazon.co.jp")
    assert found is not None
    assert found.id == "amazon"
    assert adapters.by_domain("example.com") is None


@pytest.mark.parametrize("adapter", adapters.known(), ids=lambda adapter: adapter.id)
def test_an_adapter_says_who_it_is(adapter: SiteAdapter) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_-]*", adapter.id)
    assert re.fullmatch(r"\d+\.\d+\.\d+", adapter.version)
    assert adapter.manifest.owner
    assert adapter.manifest.summary
    assert adapters.find(adapter.id) is adapter


def test_only_the_one_that_needs_it_asks_for_javascript() -> None:
    assert [each.id for each in adapters.known() if each.manifest.javascript] == ["apartments"]


@pytest.mark.parametrize(
    ("adapter", "url", "page", "expected"),
    [
        ("listing", "https://x.test/flats", 1, "https://x.test/flats"),
        ("listing", "https://x.test/flats", 3, None),  # only the page before can tell
        (
            "willhaben",
            "https://www.willhaben.at/iad/x",
            2,
            "https://www.willhaben.at/iad/x?rows=90&sort=1&page=2",
        ),
        ("sgammo", "https://sgammo.com/catalog/9mm/", 2, "https://sgammo.com/catalog/9mm/page/2/"),
        ("apartments", "https://www.apartments.com/boston-ma/", 4, "https://www.apartments.com/boston-ma/4/"),
    ],
)
def test_index_pages_are_addressed(adapter: str, url: str, page: int, expected: str | None) -> None:
    assert adapters.find(adapter).index_url(source(adapter, url), page) == expected


@pytest.mark.parametrize("adapter", adapters.known(), ids=lambda adapter: adapter.id)
def test_a_template_for_index_pages_wins(adapter: SiteAdapter) -> None:
    templated = source(adapter.id, "https://x.test/", index_url="https://x.test/list/{page}.html")
    assert adapter.index_url(templated, 2) == "https://x.test/list/2.html"


def test_an_actors_demo_item_is_kept_apart() -> None:
    verdict = adapters.find("apartments").normalize(Item(fields={"unknown_shape": "demo item"}))
    assert isinstance(verdict, Quarantined)
    assert verdict.details == "demo item"


def test_by_default_the_normalize_hook_changes_nothing() -> None:
    item = Item(fields={"title": "x"})
    assert adapters.find("listing").normalize(item) is item

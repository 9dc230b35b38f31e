"""A look at a run's pages compares, or says nothing."""

from datetime import UTC, datetime
from typing import Any

from larder.core.model.source import Kind, Source
from larder.engine.healing.check_selectors import OpenedPages, check_selectors
from larder.engine.healing.pages import DETAIL, INDEX, HealingPages
from larder.sdk.page import Page
from larder.stages.parse.repair import Sample

DECLARED = {DETAIL: {"fields": {"title": "h9"}}}
PAGE = Sample(
    page=Page("https://homes.test/home/1", "<html><h1>A home</h1></html>"),
    at=datetime(2026, 1, 1, tzinfo=UTC),
)


def gathered() -> HealingPages:
    source = Source(
        id=1, slug="homes", name="Homes", kind=Kind.LISTING, site_id=1, adapter="listing",
        url="https://homes.test/", params={"selectors": DECLARED},
    )  # fmt: skip
    nothing: dict[str, Any] = {INDEX: [], DETAIL: []}
    run: Any = None
    return HealingPages(
        source=source, run=run, original=DECLARED, new=nothing, old=nothing, before={}, repaired={}
    )


def test_with_no_page_of_before_nothing_is_said_of_details() -> None:
    first = OpenedPages(new={INDEX: [], DETAIL: [PAGE]}, old={INDEX: [], DETAIL: []})
    assert check_selectors(gathered(), first) == []
    second = OpenedPages(new={INDEX: [], DETAIL: [PAGE]}, old={INDEX: [], DETAIL: [PAGE]})
    assert [each.suggestion.part for each in check_selectors(gathered(), second)] == [DETAIL]

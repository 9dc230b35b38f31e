"""Pages of a site with an applied profile: what the profile reads is added to what the page lists."""

from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.site_profile import SiteProfile
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.selectors import read_selectors
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.profile.reading import read_profiled

SELECTORS = {"detail": {"fields": {"title": "h1 b"}}}
PROFILE = SiteProfile(fields={}, selectors=SELECTORS, pages=5, rows=20)


def shows(*days: str) -> list[tuple[str, list[str]]]:
    """When each item of an event's page takes place, and what the profile reads for it."""
    listed = "".join(
        f"<li class=show><span class=date>{day}</span> <a href='/order'>Order</a></li>" for day in days
    )
    html = f"<main><h1><i>The Players:</i> <b>Hamlet</b></h1><ul>{listed}</ul></main>"
    task = ExtractionTask(
        page=Page("https://venue.test/e/hamlet", html),
        kind=Kind.EVENT,
        purpose=Purpose.DETAIL,
        declared=read_selectors(SELECTORS).detail,
    )
    found = read_profiled(
        task, PROFILE, tuple(STRATEGIES), lambda each, strategies: run_cascade(each, strategies, [])
    )
    assert isinstance(found, Extracted)
    return [
        (str(item.fields["date_text"]), [str(value.raw) for value in item.profile]) for item in found.items
    ]


def test_the_shows_that_an_events_page_lists_stay_when_a_profile_is_applied() -> None:
    days = ("4 December 2026 20:00", "5 December 2026 20:00", "6 December 2026 15:00")
    assert [when for when, _ in shows(*days)] == list(days)
    assert {tuple(values) for _, values in shows(*days)} == {("Hamlet",)}


def test_days_without_times_are_readings_of_one_event() -> None:
    assert len(shows("4 December 2026", "5 December 2026", "6 December 2026")) == 1

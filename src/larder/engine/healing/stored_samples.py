"""Opens stored pages as samples for testing selectors; finds those of a run to learn a profile from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from larder.core.model.job import Purpose
from larder.core.model.page import Fetched
from larder.core.model.site_profile import MIN_PAGES
from larder.core.model.source import Source
from larder.core.ports import ParseRunner
from larder.engine.processing.learn_profile import evenly_spread, row_urls
from larder.engine.processing.stored_page import load_stored_page
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.stages.parse.repair import Sample
from larder.store.pages.blobs import Blobs
from larder.store.pages.page_rows import PageRow
from larder.store.pages.run_pages import FetchedPage

MAX_PAGES_OF_RUN = 300
"""Maximum pages of a run that are searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPages:
    """An index page, and detail pages of its rows."""

    index: Sample
    details: Sequence[Sample]

    @property
    def enough(self) -> bool:
        """Whether there are enough pages for a proof."""
        return len(self.details) >= MIN_PAGES


async def open_learning_pages(
    blobs: Blobs, runner: ParseRunner, fetched: Sequence[FetchedPage], source: Source, adapter: SiteAdapter
) -> LearningPages | None:
    """The first index page of a run, and pages of its rows; None if no index page is stored."""
    first = [fetched_page.page for fetched_page in fetched if fetched_page.purpose == Purpose.INDEX][:1]
    index = await open_samples(blobs, first)
    if not index:
        return None
    urls = set(await runner.run(partial(row_urls, source, adapter, index[0])))
    rows = [
        fetched_page.page
        for fetched_page in fetched
        if fetched_page.purpose != Purpose.INDEX and fetched_page.page.url in urls
    ]
    return LearningPages(index=index[0], details=await open_samples(blobs, evenly_spread(rows)))


async def open_samples(blobs: Blobs, rows: Sequence[PageRow]) -> list[Sample]:
    """Stored pages whose body still exists."""
    fetched = [await load_stored_page(blobs, row) for row in rows]
    return [as_sample(each) for each in fetched if each is not None]


def as_sample(fetched: Fetched) -> Sample:
    """A stored page as a sample."""
    content_type = fetched.headers.get("content-type")
    return Sample(
        page=Page(fetched.final_url, fetched.body, content_type=content_type), at=fetched.fetched_at
    )

"""Feeds: a document for machines comes in (RSS, JSON Feed, iCalendar, sitemap …), its rows go out.

`feed` is the strategy's function; `feed_of` gives the whole document: rows, the next page, further indexes.
"""

from larder.core.model.item import Item, Strategy
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.feeds.document import Feed, feed_of, is_feed

__all__ = ["Feed", "feed", "feed_of", "is_feed"]


def feed(task: ExtractionTask) -> list[Item]:
    """The rows of a feed; none if the page is no feed."""
    found = task.page.cached(feed_of) if task.wants_rows else None
    rows = found.rows if found is not None else ()
    return [Item(fields=row, strategy=Strategy.FEED, score=0.8 if "title" in row else 0.5) for row in rows]

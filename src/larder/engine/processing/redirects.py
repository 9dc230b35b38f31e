"""Pages that were removed and whose addresses lead to the home page or the index instead.

Such a page shows other things: it is neither the record's page nor evidence that the record exists.
"""

import re
from dataclasses import replace
from http import HTTPStatus

from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sdk.adapter import SiteAdapter
from larder.sdk.urls import canonical_url, origin

_HOME = re.compile(
    r"/(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:(?:index|default|home|start)(?:\.\w{2,5})?/?)?", re.IGNORECASE
)
"""The path of a home page, whatever its language."""
REDIRECTS = range(HTTPStatus.MULTIPLE_CHOICES, HTTPStatus.BAD_REQUEST)
_OWN_PAGES = frozenset({Purpose.DETAIL, Purpose.TARGET, Purpose.CHECK})


def with_redirect_outcome(fetched: Fetched, work: Work, adapter: SiteAdapter) -> Fetched:
    """The page; a detail page that led to the home page or the index is missing, whatever it shows."""
    if work.job.request.purpose not in _OWN_PAGES or not fetched.outcome.has_page:
        return fetched
    if fetched.payload is not None or not redirected_home(fetched, work, adapter):
        return fetched
    error = f"redirected to {fetched.final_url}"
    return replace(fetched, outcome=FetchOutcome.NOT_FOUND, status=redirect_status(fetched), error=error)


def redirect_status(fetched: Fetched) -> int:
    """The status of the first redirect."""
    return next((hop.status for hop in fetched.hops if hop.status in REDIRECTS), HTTPStatus.FOUND)


def redirected_home(fetched: Fetched, work: Work, adapter: SiteAdapter) -> bool:
    """Whether the request was redirected to the index or the home page."""
    ended, requested = canonical_url(fetched.final_url), canonical_url(fetched.url)
    if ended == requested:
        return False
    if _HOME.fullmatch(_path(ended)):
        return "?" in requested or not _HOME.fullmatch(_path(requested))
    indexes = {canonical_url(url) for url in (adapter.index_url(work.source, 1), work.source.url) if url}
    paths = {_place(index) for index in indexes}
    if _place(requested) in paths:  # as a shop's page of one variant, if that page is the source's
        return ended in indexes and work.job.request.purpose is not Purpose.TARGET
    return _place(ended) in paths


def _place(url: str) -> str:
    """An address without its query."""
    return url.partition("?")[0]


def _path(url: str) -> str:
    return _place(url).removeprefix(origin(url)) or "/"

"""The rows of pages: what a fetch and its reading store, and what is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from larder.core.model.item import NextPage
from larder.core.model.page import Fetched
from larder.core.policy.trust.loss import LeftOut


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """The result of reading a page, and an index page's statements about itself."""

    page_id: int
    adapter_version: str
    items: int
    last: bool | None = None
    next_page: NextPage | None = None
    advertised: int | None = None
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)
    parse_ms: int | None = None


class PageRow(NamedTuple):
    """A stored page with the location of its body."""

    id: int
    job_id: int
    source_id: int
    url: str
    final_url: str | None
    fetcher: str
    outcome: str
    status: int | None
    headers: Any
    content_hash: str | None
    size: int | None
    hops: Any
    duration_ms: int | None
    error: str | None
    fetched_at: datetime
    adapter_version: str | None
    last: int | None
    advertised: int | None
    yielded: int
    location: str | None


class NewPage(NamedTuple):
    """A page that was fetched for a job."""

    job_id: int
    source_id: int
    fetched: Fetched


class JobUrl(NamedTuple):
    """The address that a job requests for its source."""

    job_id: int
    source_id: int
    url: str

"""Pages of the platform sites, without a server."""

from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

from larder import adapters
from larder.core.model.site_profile import SiteProfile
from larder.core.model.source import Source
from larder.engine.processing.learn_profile import detail_urls, learn_profile
from larder.sdk.page import Page
from larder.stages.parse.repair import Sample
from tests.platform_sites import Shape

BASE = "https://shape.example"
NOW = datetime(2026, 11, 16, tzinfo=UTC)


def source_of(shape: Shape) -> Source:
    """A source as it is added by address alone."""
    return Source(
        id=1, slug="it", name="it", kind=shape.kind, site_id=1, adapter=shape.kind, url=BASE + shape.path,
        language=shape.language,
    )  # fmt: skip


def page_at(shape: Shape, url: str) -> Page:
    """The page that the shape shows at an address."""
    parts = urlsplit(url)
    body = shape.answer(parts.path, dict(parse_qsl(parts.query)))
    assert body is not None, url
    return Page(url, body)


def sample_at(shape: Shape, url: str) -> Sample:
    """The same, fetched now."""
    return Sample(page=page_at(shape, url), at=NOW)


def learned(shape: Shape, *, pages: int = 5, only_better: bool = False) -> SiteProfile | None:
    """The profile of a shape from its first index page and a few detail pages."""
    source, adapter = source_of(shape), adapters.find(shape.kind)
    index = sample_at(shape, BASE + shape.path)
    details = [sample_at(shape, url) for url in detail_urls(source, adapter, index)[:pages]]
    return learn_profile(source, adapter, index, details, now=NOW, only_better=only_better)

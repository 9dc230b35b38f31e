"""Loads a stored page as if it had just been fetched."""

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.store.pages.blobs import Blobs
from larder.store.pages.page_rows import PageRow


async def load_stored_page(blobs: Blobs, page: PageRow) -> Fetched | None:
    """The page with its body; None where the body is no longer stored."""
    if page.location is None or page.content_hash is None:
        return None
    body = await blobs.get(page.location, page.content_hash)
    return None if body is None else as_fetched(page, body)


def as_fetched(page: PageRow, body: bytes) -> Fetched:
    """The page as its fetch returned it."""
    return Fetched(
        outcome=FetchOutcome(page.outcome),
        url=page.url,
        final_url=page.final_url or page.url,
        fetched_at=page.fetched_at,
        status=page.status,
        headers=page.headers or {},
        body=body,
        content_hash=page.content_hash,
        fetcher=page.fetcher,
    )

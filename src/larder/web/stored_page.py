"""An excerpt of a stored page's HTML, as text, around given words."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from larder.app import App
from larder.sdk import Page
from larder.store.database import Connection
from larder.store.tables import blobs, pages

CONTEXT_CHARS = 1_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """An excerpt of HTML: before, match, after."""

    before: str
    match: str
    after: str


async def page_excerpt(app: App, page_id: int | None, words: Sequence[str]) -> Excerpt | None:
    """Around the first of `words` on the page, else its beginning; None if it is not stored."""
    if page_id is None:
        return None
    row = await app.look(_stored_location, page_id)
    if row is None:
        return None
    store = app.blobs()
    try:
        body = await store.get(row[0], row[1])
    finally:
        await store.close()
    if body is None:
        return None
    html = Page(row[2], body).text
    for each in words:
        at = html.find(each)
        if at >= 0:
            end = at + len(each)
            return Excerpt(
                before=html[max(0, at - CONTEXT_CHARS) : at],
                match=each,
                after=html[end : end + CONTEXT_CHARS],
            )
    return Excerpt(before="", match="", after=html[: 2 * CONTEXT_CHARS])


def _stored_location(conn: Connection, page_id: int) -> tuple[str, str, str] | None:
    query = (
        select(blobs.c.location, blobs.c.content_hash, pages.c.url)
        .join(pages, pages.c.content_hash == blobs.c.content_hash)
        .where(pages.c.id == page_id)
    )
    row = conn.execute(query).one_or_none()
    return None if row is None else (row[0], row[1], row[2])

"""An excerpt of a stored page's HTML, as text, around given words."""

from collections.abc import Sequence
from dataclasses import dataclass

from larder.app import App
from larder.sdk import Page
from larder.store.reads.stored_bodies import stored_page

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
    row = await app.read(stored_page, page_id)
    if row is None:
        return None
    store = app.blobs()
    try:
        body = await store.get(row.location, row.content_hash)
    finally:
        await store.close()
    if body is None:
        return None
    html = Page(row.url, body).text
    for word in words:
        at = html.find(word)
        if at >= 0:
            end = at + len(word)
            return Excerpt(
                before=html[max(0, at - CONTEXT_CHARS) : at],
                match=word,
                after=html[end : end + CONTEXT_CHARS],
            )
    return Excerpt(before="", match="", after=html[: 2 * CONTEXT_CHARS])

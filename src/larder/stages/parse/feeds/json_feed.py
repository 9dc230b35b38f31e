"""JSON Feed 1 and 1.1."""

from typing import Any

from larder.sdk.raw_fields import without_empty
from larder.stages.parse.feeds.rows import Rows
from larder.stages.parse.json_values import text

MAX_ENTRIES = 50_000


def read(document: Any) -> Rows | None:
    """The rows of a JSON Feed; None where the document is something else."""
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        return None
    rows = (_row(entry) for entry in document["items"][:MAX_ENTRIES] if isinstance(entry, dict))
    return Rows(
        rows=tuple(row for row in rows if "url" in row or "title" in row),
        next_url=text(document.get("next_url")),
    )


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    pictures = (text(entry.get(name)) for name in ("image", "banner_image"))
    return without_empty(
        {
            "title": text(entry.get("title")),
            "url": text(entry.get("url")) or text(entry.get("external_url")),
            "description": text(entry.get("summary"))
            or text(entry.get("content_text"))
            or text(entry.get("content_html")),
            "posted_at": text(entry.get("date_published")),
            "images": [picture for picture in pictures if picture],
        }
    )

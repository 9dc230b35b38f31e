"""JSON Feed 1 and 1.1."""

from typing import Any

from larder.sdk.raw_fields import without_empty
from larder.stages.parse.feeds.rows import FeedRows
from larder.stages.parse.feeds.safe_xml import MAX_ENTRIES
from larder.stages.parse.json_values import json_text


def read(document: Any) -> FeedRows | None:
    """The rows of a JSON Feed; None if the document is something else."""
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        return None
    rows = (_row(entry) for entry in document["items"][:MAX_ENTRIES] if isinstance(entry, dict))
    return FeedRows(
        rows=tuple(row for row in rows if "url" in row or "title" in row),
        next_url=json_text(document.get("next_url")),
    )


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    pictures = (json_text(entry.get(name)) for name in ("image", "banner_image"))
    return without_empty(
        {
            "title": json_text(entry.get("title")),
            "url": json_text(entry.get("url")) or json_text(entry.get("external_url")),
            "description": json_text(entry.get("summary"))
            or json_text(entry.get("content_text"))
            or json_text(entry.get("content_html")),
            "posted_at": json_text(entry.get("date_published")),
            "images": [picture for picture in pictures if picture],
        }
    )

"""Prints a page's trace: the attempts to fetch it, and the items that became no record."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from larder.actions.formatting import value_text
from larder.cli.common.output import ago, print_fields, print_heading, print_table, status_text
from larder.store.reads.operators.page_traces import PageLine, PageTrace

if TYPE_CHECKING:
    from larder.app.page_items import PageItemsView, RawItem

MAX_BLOCK = 600


def draw_pages(lines: Sequence[PageLine]) -> None:
    """Print the pages of a run."""
    now = datetime.now(UTC)
    print_table(
        ("page", "for", "number", "status", "outcome", "code", "items", "ms", "fetched", "url", "error"),
        (
            (p.job, p.purpose, p.number, status_text(p.status), p.outcome, p.code, p.yielded, p.duration_ms,
             ago(p.fetched_at, now), p.url, p.error)
            for p in lines
        ),
        empty="No pages: none requested yet, or deleted by retention.",
    )  # fmt: skip


def draw_items(view: "PageItemsView") -> None:
    """Print every item of a stored page."""
    print_fields([("page", view.url), ("read as", view.purpose), ("cannot be read", view.failure or None)])
    for number, item in enumerate(view.items, start=1):
        print_heading(f"{number}. {item.outcome} {item.reason}".rstrip())
        print_fields([("read by", f"{item.strategy}, score {item.score:.2f}"), *_raw_fields(item)])


def _raw_fields(item: "RawItem") -> list[tuple[str, object]]:
    fields = [(name, value_text(value)) for name, value in item.fields.items()]
    return [*fields, ("block", item.block[:MAX_BLOCK] or None)]


def draw_trace(view: PageTrace) -> None:
    """Print the path of one page through the pipeline."""
    now, page = datetime.now(UTC), view.page
    print_fields(
        [
            ("page", page.url),
            ("of", f"run {view.run}, {view.source}"),
            ("read by", view.adapter),
            ("stage", view.stage),
            ("status", status_text(page.status)),
            ("error", view.error),
        ]
    )
    print_heading("Attempts")
    print_table(
        ("when", "by", "outcome", "code", "bytes", "ms", "error"),
        (
            (ago(a.fetched_at, now), a.fetcher, a.outcome, a.status, a.size, a.duration_ms, a.error or None)
            for a in view.attempts
        ),
        empty="None yet.",
    )
    print_heading("Items that did not become records")
    print_table(
        ("item", "outcome", "reason", "read by", "title"),
        ((i.position, i.outcome, i.reason or i.error, i.strategy, i.fields.get("title")) for i in view.items),
        empty=f"None; {page.yielded or 0} were read.",
    )

"""Pagers that name rows instead of pages: `1–15 | 16–30 | 31–32`, without a link for the current range."""

import re
from collections.abc import Iterator
from itertools import islice

from turbohtml import Element, Text

from larder.core.model.item import NextEvidence, NextPage
from larder.sdk.page import Page
from larder.sdk.urls import registrable_domain
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.pagination.links import is_disabled, link_target

MAX_LINKS = 5_000
MAX_LABEL = 20
MAX_CLIMB = 3
MAX_NODES = 200

_RANGE = re.compile(r"[\[(]?\s*(\d{1,6})\s*[-–—]\s*(\d{1,6})\s*[\])]?")


def follows_by_range(page: Page) -> NextPage | None:
    """The link to the rows right after those on the page."""
    for link in page.tree.select("a[href]")[:MAX_LINKS]:
        if (rows := _range(link.text)) is None or rows[0] < 2 or is_disabled(link):
            continue
        if rows[0] - 1 not in _last_rows_shown(link):
            continue
        url = link_target(page, link.attr("href") or "")
        if url and registrable_domain(url) == registrable_domain(page.url):
            label = " ".join(link.text.split())
            return NextPage(url=url, evidence=NextEvidence.LINK, because=f"pager link '{label}'")
    return None


def _range(text: str) -> tuple[int, int] | None:
    found = _RANGE.fullmatch(text.strip()) if len(text) <= MAX_LABEL else None
    rows = (int(found[1]), int(found[2])) if found else None
    return rows if rows and rows[0] <= rows[1] else None


def _last_rows_shown(link: Element) -> set[int]:
    """The ends of ranges beside a link that are no links themselves; the first range counts from one."""
    for node in lineage(link, MAX_CLIMB):
        shown = list(_ranges_in(node)) if isinstance(node, Element) else []
        if ends := {rows[1] for rows, linked in shown if not linked}:
            return ends if any(rows[0] == 1 for rows, _ in shown) else set()
    return set()


def _ranges_in(box: Element) -> Iterator[tuple[tuple[int, int], bool]]:
    """The ranges in an element, each with whether it is a link."""
    for node in islice(box.descendants, MAX_NODES):
        if isinstance(node, Text) and isinstance(node.parent, Element):
            linked = node.parent.closest("a") is not None
            yield from ((rows, linked) for rows in map(_range, node.data.split("|")) if rows)

"""The rows of an index without markup: like siblings, each with a link, a title and usually a price."""

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.sdk.page import Page, text_of
from larder.sdk.urls import join
from larder.stages.parse.heuristic.prices import is_former, priced
from larder.stages.parse.heuristic.row_titles import is_huge, row_title
from larder.stages.parse.heuristic.rows import rows_of
from larder.stages.parse.strategy_input import MAX_BLOCK, MAX_ITEMS, Look, tidy

FEWEST = 3
"""Two alike are a coincidence."""


def cards(look: Look) -> list[Item]:
    """One item a card; none where the page has no row of them."""
    found = [item for row, price in look.page.once(card_rows) if (item := _item(row, price, look))]
    once = {item.fields["url"]: item for item in reversed(found)}
    items = list(reversed(once.values()))
    return items[:MAX_ITEMS] if len(items) >= FEWEST else []


def card_rows(page: Page) -> list[tuple[Element, str]]:
    """Elements that hold one price each, with that price; a crossed-out one does not count."""
    shown = [(element, text) for element, text in page.once(priced) if not is_former(element)]
    rows = rows_of([element for element, _ in shown])
    found: dict[Element, str] = {}
    for element, text in shown:
        found.setdefault(rows[element], text)
    return [(row, price) for row, price in found.items() if _has_link(row) and not is_huge(row)]


def _has_link(row: Element) -> bool:
    return row.tag == "a" or row.select_one("a[href]") is not None


def _item(row: Element, price: str, look: Look) -> Item | None:
    link = (
        row if row.tag == "a" else row.select_one("h1 a[href], h2 a[href], h3 a[href], h4 a[href], a[href]")
    )
    href = (link.attr("href") or "") if link is not None else ""
    title = row_title(row) or (link.attr("title") or "" if link is not None else "")
    if not title or not href or href.startswith(("#", "javascript:", "mailto:")):
        return None
    picture = row.select_one("img[src]")
    fields = tidy(
        {
            "title": title,
            "url": join(look.page.url, href),
            "price": price,
            "platform_id": row.attr("data-id") or row.attr("data-adid") or row.attr("data-listing-id"),
            "images": [join(look.page.url, picture.attr("src") or "")] if picture is not None else [],
            "address": text_of(row.select_one("[class*=address i], [class*=location i], [class*=ort i]")),
        }
    )
    if "url" not in fields:
        return None
    return Item(fields=fields, strategy=Strategy.HEURISTIC, score=0.4, block=row.html[:MAX_BLOCK])

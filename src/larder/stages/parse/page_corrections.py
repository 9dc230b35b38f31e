"""Corrects the markup of a detail page by its visible content: stock, title, currency.

The control in the buy area decides about stock: a disabled button, or one that only takes an e-mail address,
sells nothing, whatever the markup says, and a button that buys contradicts "out of stock".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.core.policy.trust.offer_status import status_before, without_status
from larder.sdk.page import brief_text_of
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.amount_texts import MIN_SALE_SHARE
from larder.stages.parse.heuristic.brand import brand_of
from larder.stages.parse.heuristic.buy_control import Control, buy_control, may_contradict
from larder.stages.parse.heuristic.headline import announced_title, headline, similarity, source_around
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.title import listing_title
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.heuristic.prices import selling_price
from larder.stages.parse.heuristic.site_name import without_site
from larder.stages.parse.heuristic.stock import is_beside, says_sold_out
from larder.stages.parse.heuristic.stock_labels import is_labelled_sold
from larder.stages.parse.interest import page_interest
from larder.stages.parse.page_currency import with_currency

_MARKUP = frozenset({Strategy.JSON_LD, Strategy.MICRODATA, Strategy.EMBEDDED})
_CONTRADICTING_CONTROL = {
    "instock": Control.SWITCHED_OFF,
    "outofstock": Control.BUYS,
    "soldout": Control.BUYS,
}
_AVAILABILITY_OF_CONTROL = {Control.SWITCHED_OFF: "OutOfStock", Control.BUYS: "InStock"}
_CROSSED_OUT = "del, s, strike"
_CROSSING_OUT = (b"<del", b"<s>", b"<s ", b"<strike")
MAX_CROSSED = 20
PRICE_BYTES = 20_000
"""Maximum bytes between the headline and its price."""
MIN_TITLE_SIMILARITY = 0.5
MAX_NAME_SHARE = 0.6
"""Of a title: a name that is more of it says as much."""


def corrected_by_page(task: ExtractionTask, items: Sequence[Item]) -> Sequence[Item]:
    """The items, corrected by the visible page."""
    if len(items) == 1 and not task.wants_rows and items[0].strategy in _MARKUP:
        items = [_with_shown_fields(items[0], _shown_fields(task, items[0]))]
    if len(items) == 1 and not task.wants_rows and "interested" not in items[0].fields:
        items = [_with_shown_fields(items[0], without_empty({"interested": task.page.cached(page_interest)}))]
    if task.wants_rows and task.kind is Kind.LISTING:
        items = [_with_shown_fields(item, _badge_before_title(item)) for item in items]
    return with_currency(task, items)


def _with_shown_fields(item: Item, shown: dict[str, Any]) -> Item:
    if not shown:
        return item
    origins = dict.fromkeys(shown, Strategy.HEURISTIC.value)
    return replace(item, fields={**item.fields, **shown}, strategies={**item.strategies, **origins})


def _badge_before_title(item: Item) -> dict[str, Any]:
    """The item; "sold" or "reserved" before its title becomes its status."""
    title = str(item.fields.get("title", ""))
    status = status_before(title)
    return {"status": status.value, "title": without_status(title)} if status else {}


def _shown_fields(task: ExtractionTask, item: Item) -> dict[str, Any]:
    if task.kind is Kind.PRODUCT:
        return _shown_stock(task, item) | _shown_price(task, item) | _shown_brand(task, item)
    return _shown_title(task, item) if task.kind is Kind.LISTING else {}


def _shown_stock(task: ExtractionTask, item: Item) -> dict[str, Any]:
    claim = str(item.fields.get("availability", "")).replace(" ", "").lower().rpartition("/")[2]
    if claim == "limitedavailability":  # stated by few shops, and wrong for some
        sold_out = says_sold_out(task.page, task.page.cached(headline)[1])
        return {"availability": "OutOfStock"} if sold_out else {}
    against = _CONTRADICTING_CONTROL.get(claim)
    if against is Control.SWITCHED_OFF and is_labelled_sold(task.page):
        return {"availability": "OutOfStock"}
    if against is None or not may_contradict(task.page, against):
        return {}
    return (
        {"availability": _AVAILABILITY_OF_CONTROL[against]}
        if task.page.cached(buy_control) is against
        else {}
    )


def _shown_price(task: ExtractionTask, item: Item) -> dict[str, Any]:
    """The selling price, if the page crosses out the price in its markup."""
    claimed = rough_amount(str(item.fields.get("price", "")))
    if not claimed or not any(map(source_around(task.page, 0, PRICE_BYTES).__contains__, _CROSSING_OUT)):
        return {}
    _, head = task.page.cached(headline)
    near = {head, *lineage(head)} if head is not None else set()
    struck = task.page.css(_CROSSED_OUT)[:MAX_CROSSED]
    crossed = (each for each in struck if not is_beside(each, near, task.page))
    if not any(rough_amount(brief_text_of(each)) == claimed for each in crossed):
        return {}
    shown = selling_price(task.page, head)
    return {"price": shown} if MIN_SALE_SHARE * claimed <= rough_amount(shown) < claimed else {}


def _shown_brand(task: ExtractionTask, item: Item) -> dict[str, Any]:
    """The brand that the page shows, if the markup's is a number that it shows nowhere."""
    claimed = str(item.fields.get("brand", "")).strip()
    if not claimed.isdigit() or claimed in task.page.visible:
        return {}
    return {"brand": brand_of(task.page, labelled=True)}


def _shown_title(task: ExtractionTask, item: Item) -> dict[str, Any]:
    """The page's headline, if the markup's name for a listing is none of the page's titles.

    A home's name that says its kind alone (`3 bedroom flat`) goes on as the title that begins with it does.
    """
    shown, head = task.page.cached(headline)
    announced = task.page.cached(announced_title)
    title = str(item.fields.get("title", "")).casefold()
    if head is None or title in ("", shown.casefold()):
        return {}
    if longer := next((t for t in (shown, without_site(announced, task.page)) if _goes_on(title, t)), ""):
        return {"title": longer} if task.page.cached(facts) else {}
    if title in f"{shown} {announced}".casefold():
        return {}
    return (
        {"title": task.page.cached(listing_title)}
        if similarity(shown, announced) >= MIN_TITLE_SIMILARITY
        else {}
    )


def _goes_on(name: str, title: str) -> bool:
    """Whether a title says much more behind this name."""
    return title.casefold().startswith(f"{name} ") and len(name) < MAX_NAME_SHARE * len(title)

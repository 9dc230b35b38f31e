"""Corrects what a detail page's markup states by what the page shows: stock, title, currency.

The control in the buy area decides about stock: a button that is switched off or only takes an e-mail address
sells nothing, whatever the markup says, and a button that buys contradicts "out of stock".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.core.policy.trust.offer_status import status_before, without_status
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.heuristic.buy_control import Control, buy_control, may_contradict
from larder.stages.parse.heuristic.headline import announced_title, headline, likeness
from larder.stages.parse.heuristic.listing.title import listing_title
from larder.stages.parse.heuristic.stock import says_sold_out
from larder.stages.parse.heuristic.stock_labels import is_labelled_sold
from larder.stages.parse.interest import page_interest
from larder.stages.parse.page_currency import with_currency
from larder.stages.parse.strategy_input import Look

_MARKUP = frozenset({Strategy.JSON_LD, Strategy.MICRODATA, Strategy.EMBEDDED})
_CLAIMS = {"instock": Control.SWITCHED_OFF, "outofstock": Control.BUYS, "soldout": Control.BUYS}
_SHOWN = {Control.SWITCHED_OFF: "OutOfStock", Control.BUYS: "InStock"}
MIN_TITLE_LIKENESS = 0.5


def corrected_by_page(look: Look, items: Sequence[Item]) -> Sequence[Item]:
    """The items, corrected by what the page shows."""
    if len(items) == 1 and not look.wants_rows and items[0].strategy in _MARKUP:
        items = [_with(items[0], _shown(look, items[0]))]
    if len(items) == 1 and not look.wants_rows and "interested" not in items[0].fields:
        items = [_with(items[0], without_empty({"interested": look.page.once(page_interest)}))]
    if look.wants_rows and look.kind is Kind.LISTING:
        items = [_with(item, _badge_before_title(item)) for item in items]
    return with_currency(look, items)


def _with(item: Item, shown: dict[str, Any]) -> Item:
    if not shown:
        return item
    origins = dict.fromkeys(shown, Strategy.HEURISTIC.value)
    return replace(item, fields={**item.fields, **shown}, strategies={**item.strategies, **origins})


def _badge_before_title(item: Item) -> dict[str, Any]:
    """A row's title without "sold" or "reserved" before it, which is its status."""
    title = str(item.fields.get("title", ""))
    status = status_before(title)
    return {"status": status.value, "title": without_status(title)} if status else {}


def _shown(look: Look, item: Item) -> dict[str, Any]:
    if look.kind is Kind.PRODUCT:
        return _stock(look, item)
    return _title(look, item) if look.kind is Kind.LISTING else {}


def _stock(look: Look, item: Item) -> dict[str, Any]:
    claim = str(item.fields.get("availability", "")).replace(" ", "").lower().rpartition("/")[2]
    if claim == "limitedavailability":  # said of few, and by some shops of none
        sold_out = says_sold_out(look.page, look.page.once(headline)[1])
        return {"availability": "OutOfStock"} if sold_out else {}
    against = _CLAIMS.get(claim)
    if against is Control.SWITCHED_OFF and is_labelled_sold(look.page):
        return {"availability": "OutOfStock"}
    if against is None or not may_contradict(look.page, against):
        return {}
    return {"availability": _SHOWN[against]} if look.page.once(buy_control) is against else {}


def _title(look: Look, item: Item) -> dict[str, Any]:
    """The page's headline where the markup's name for a listing is none of the page's own titles."""
    shown, head = look.page.once(headline)
    announced = look.page.once(announced_title)
    title = str(item.fields.get("title", "")).casefold()
    if head is None or not title or title in f"{shown} {announced}".casefold():
        return {}
    return (
        {"title": look.page.once(listing_title)} if likeness(shown, announced) >= MIN_TITLE_LIKENESS else {}
    )

"""A product (or one advert) on a page without usable markup: meta tags, then what a reader would see."""

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.heuristic.brand import brand_of
from larder.stages.parse.heuristic.buy_control import Control, buy_control
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.legal_pages import is_legal_page
from larder.stages.parse.heuristic.prices import selling_price
from larder.stages.parse.heuristic.product_codes import code_of
from larder.stages.parse.heuristic.stock import (
    buyable,
    can_be_sent,
    says_in_stock,
    says_sold_out,
    stock_words,
)
from larder.stages.parse.heuristic.stock_labels import labelled_stock
from larder.stages.parse.meta_tags import announced, announced_code
from larder.stages.parse.strategy_input import Fields, Look

_SELLS = frozenset({"price", "availability", "buyable"})


def product(look: Look) -> list[Item]:
    """The one thing a detail page sells; none where the page shows no price, stock or code for it."""
    page = look.page
    fields = dict(page.once(announced))
    if look.asks("title"):
        fields["title"] = page.once(headline)[0]
    if look.asks("sku"):
        fields["sku"] = announced_code(page) or code_of(page)
    if look.asks("price") and "price" not in fields:
        fields["price"] = selling_price(page, page.once(headline)[1], rent=look.kind is Kind.LISTING)
    if look.asks("availability") and "availability" not in fields:
        head = page.once(headline)[1]
        fields |= {
            "availability": _stock(look, head, priced=look.lacking is not None or bool(fields.get("price"))),
            "buyable": buyable(page, head) or None,
        }
    if look.kind is Kind.PRODUCT and look.asks("brand") and "brand" not in fields:
        fields["brand"] = brand_of(page, labelled=look.asks("sku"))
    fields = without_empty(fields)
    if look.lacking is None and not _is_thing(fields, look):
        return []
    return [Item(fields=fields, strategy=Strategy.HEURISTIC, score=0.4 + 0.1 * ("price" in fields))]


def _stock(look: Look, head: Element | None, *, priced: bool) -> str:
    """What the page says of stock, in words or by the control in its buy area; an advert has no such area."""
    page = look.page
    labelled = labelled_stock(head) if look.kind is Kind.PRODUCT else ""
    if words := stock_words(page, head) if labelled != "OutOfStock" else labelled:
        return words
    if look.kind is Kind.PRODUCT and page.once(buy_control) is Control.BUYS:
        return labelled or "InStock"
    if can_be_sent(page, head):
        return labelled
    if page.once(buy_control) is Control.SWITCHED_OFF or (priced and says_sold_out(page, head)):
        return "OutOfStock"
    if labelled:
        return labelled
    in_stock = priced and look.kind is Kind.PRODUCT and says_in_stock(head)
    return "InStock" if in_stock and not buyable(page, head) else ""


def _is_thing(fields: Fields, look: Look) -> bool:
    """A title and something to sell; an imprint has amounts, too, but sells nothing."""
    if "title" not in fields or is_legal_page(fields["title"], look.page.url):
        return False
    return not fields.keys().isdisjoint(_SELLS) or look.kind is Kind.LISTING

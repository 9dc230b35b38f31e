"""Reads a product (or one advert) from a page without usable markup: meta tags, then visible elements."""

from turbohtml import Element

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.sdk.raw_fields import without_empty
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.extraction_task import ExtractionTask, Fields
from larder.stages.parse.heuristic.brand import brand_of
from larder.stages.parse.heuristic.buy_control import Control, buy_control
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.legal_pages import is_legal_page
from larder.stages.parse.heuristic.prices import selling_price
from larder.stages.parse.heuristic.product_codes import code_of
from larder.stages.parse.heuristic.stock import (
    has_buy_button,
    has_cart_form,
    says_in_stock,
    says_sold_out,
    stock_words,
)
from larder.stages.parse.heuristic.stock_labels import is_labelled_sold, labelled_stock, later_notice
from larder.stages.parse.meta_tags import meta_fields, meta_product_code

_SALE_FIELDS = frozenset({"price", "availability", "buyable"})


def product(task: ExtractionTask) -> list[Item]:
    """The one item that a detail page sells; none if the page shows no price, stock or code for it."""
    page = task.page
    fields = dict(page.cached(meta_fields))
    if task.wants("title"):
        fields["title"] = page.cached(headline)[0]
    if task.wants("sku"):
        fields["sku"] = meta_product_code(page) or code_of(page)
    if task.wants("price") and not rough_amount(announced := str(fields.get("price", ""))):
        shown = selling_price(page, page.cached(headline)[1], rent=task.kind is Kind.LISTING)
        fields["price"] = shown or ("" if task.kind is Kind.LISTING else announced)
    if task.wants("availability") and "availability" not in fields:
        head = page.cached(headline)[1]
        fields |= {
            "availability": _stock(task, head, priced=task.lacking is not None or bool(fields.get("price"))),
            "buyable": has_buy_button(page, head) or None,
        }
    if task.kind is Kind.PRODUCT and task.wants("brand") and "brand" not in fields:
        fields["brand"] = brand_of(page, labelled=task.wants("sku"))
    fields = without_empty(fields)
    if task.lacking is None and not _is_for_sale(fields, task):
        return []
    return [Item(fields=fields, strategy=Strategy.HEURISTIC, score=0.4 + 0.1 * ("price" in fields))]


def _stock(task: ExtractionTask, head: Element | None, *, priced: bool) -> str:
    """The page's stock, by words or by the control in its buy area; an advert has no such area."""
    page = task.page
    labelled = labelled_stock(page, head) if task.kind is Kind.PRODUCT else ""
    if words := stock_words(page, head) if labelled != "OutOfStock" else labelled:
        return words
    if task.kind is Kind.PRODUCT and (later := later_notice(page, head)):
        return later
    if task.kind is Kind.PRODUCT and page.cached(buy_control) is Control.BUYS:
        return labelled or "InStock"
    if has_cart_form(page, head):
        return labelled
    if page.cached(buy_control) is Control.SWITCHED_OFF or (priced and says_sold_out(page, head)):
        return "OutOfStock"
    if labelled:
        return labelled
    if priced and task.kind is Kind.PRODUCT and is_labelled_sold(page):
        return "OutOfStock"
    in_stock = priced and task.kind is Kind.PRODUCT and says_in_stock(page, head)
    return "InStock" if in_stock and not has_buy_button(page, head) else ""


def _is_for_sale(fields: Fields, task: ExtractionTask) -> bool:
    """Whether it has a title and an offer; an imprint has amounts, but sells nothing."""
    if "title" not in fields or is_legal_page(fields["title"], task.page.url):
        return False
    return not fields.keys().isdisjoint(_SALE_FIELDS) or task.kind is Kind.LISTING

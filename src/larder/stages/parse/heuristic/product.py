"""A product (or one advert) on a page without usable markup: meta tags, then what a reader would see."""

from larder.core.model.item import Item, Strategy
from larder.stages.parse.announced import announced, announced_code
from larder.stages.parse.heuristic.codes import code_of
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.prices import selling_price
from larder.stages.parse.heuristic.stock import stock_words
from larder.stages.parse.look import Look, tidy


def product(look: Look) -> list[Item]:
    """The one thing a detail page sells; none where the page shows no price, stock or code for it."""
    page = look.page
    title, head = headline(page)
    told = announced(page)
    fields = tidy(
        {
            "title": title,
            "availability": stock_words(page, head) if "availability" not in told else "",
            "sku": announced_code(page) or code_of(page),
            **told,
        }
    )
    if "price" not in fields and (price := selling_price(page, head)):
        fields["price"] = price
    if not look.completing and ("title" not in fields or not fields.keys() & {"price", "availability"}):
        return []
    return [Item(fields=fields, strategy=Strategy.HEURISTIC, score=0.4 + 0.1 * ("price" in fields))]

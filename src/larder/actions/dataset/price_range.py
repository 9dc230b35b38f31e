"""Parses prices as people write them: 1,200.50, 1.200,50, €20, JPY 5000.

Separators are read as on shop pages; ambiguous input is refused. Without a currency a price holds in each
record's own currency; with one it filters by it.
"""

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.store.reads.query import Query

if TYPE_CHECKING:
    from larder.stages.normalize.price import Price

_PLAIN = r"\d{1,12}(?:[.,]\d{1,2})?"
_GROUPED = r"\d{1,3}(?:(?P<mark>[.,'\s])\d{3}(?:(?P=mark)\d{3}){0,2})(?:(?!(?P=mark))[.,]\d{1,2})?"
_WRITTEN = re.compile(rf"(?P<code>(?:[A-Za-z]{{3}}|[€$£])\s?)?(?:{_PLAIN}|{_GROUPED})")


def with_price_range(query: Query, low: str | None, high: str | None) -> Query:
    """`query` with the price range from `low` to `high`; either may be empty."""
    prices = [_price(each) if each else None for each in (low, high)]
    codes = {price.code() for price in prices if price} - {None}
    if query.currency:
        codes.add(query.currency.upper())
    least, most = (None if price is None else price.amount for price in prices)
    if len(codes) > 1 or (least is not None and most is not None and least > most):
        hint = "use one currency" if len(codes) > 1 else "the first price must be the lower one"
        raise BadInput(f"invalid price range: {quoted(low or '', 20)} to {quoted(high or '', 20)}", hint=hint)
    return replace(query, price_min=least, price_max=most, currency=next(iter(codes), None))


def parse_decimal_price(text: str | None) -> Decimal | None:
    """An amount in major units; a currency is not part of it."""
    return _price(text).amount if text else None


def _price(text: str) -> "Price":
    from larder.stages.normalize.price import parse_price  # noqa: PLC0415 - only where a price is given

    shape = _WRITTEN.fullmatch(text)
    price = parse_price(text.upper()) if shape else None
    if shape is None or price is None or (shape["code"] and price.code() is None):
        hint = "write 1200, 12.50 or EUR 1,200"
        raise BadInput(f"a price must be a number, not {quoted(text, 40)}", hint=hint)
    return price

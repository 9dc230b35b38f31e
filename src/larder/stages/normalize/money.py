"""Converts an item's price fields to minor units, or says why that is not possible."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from larder.core.model.money import SMALL_UNITS, exponent, to_minor
from larder.core.model.source import Kind
from larder.core.policy.rent_period import rent_period
from larder.stages.normalize.context import Context
from larder.stages.normalize.currency import currency_code, undecided_sign
from larder.stages.normalize.price import Ambiguous, Price, PriceCandidate, choose_price, read_candidates
from larder.stages.normalize.text import clean

LOWEST, HIGHEST = 1, 99_999_999


class Money(StrEnum):
    """The result of parsing a price."""

    FOUND = "found"
    ABSENT = "absent"
    FREE = "free"
    ZERO = "zero"
    UNREADABLE = "unreadable"
    AMBIGUOUS = "ambiguous"
    OUT_OF_RANGE = "out_of_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceReading:
    """A price in its output fields, or none and why."""

    state: Money
    fields: dict[str, Any] = field(default_factory=dict)
    details: str = ""
    sign: str | None = None
    """The currency's sign, if several use it and neither page nor source shows which one is meant."""


def default_currency(raw: Mapping[str, Any], source: str | None) -> str | None:
    """The currency for a price without one: the source's, else that of the page's country."""
    return source or currency_code(clean(raw.get("page_currency")))


def price_fields(raw: Mapping[str, Any], context: Context) -> PriceReading:
    """The price fields of a raw item of this source."""
    return read_money(
        raw.get("price"),
        currency=raw.get("currency"),
        default=default_currency(raw, context.currency),
        kind=context.kind,
    )


def read_money(value: Any, *, currency: Any, default: str | None, kind: Kind) -> PriceReading:
    """The price fields of an item; `currency` is the page's word, `default` the source's."""
    candidates = read_candidates(value)
    if not any(candidate.text for candidate in candidates):
        return PriceReading(state=Money.ABSENT)
    stated = currency_code(clean(currency), default=default) if currency else None
    chosen = choose_price(candidates, currency=stated or default)
    if isinstance(chosen, Ambiguous):
        return PriceReading(state=Money.AMBIGUOUS, details=" / ".join(map(str, chosen.amounts)))
    if chosen is None:
        return _none_chosen(candidates)
    reading = _in_minor(chosen, stated or chosen.code(default), kind, candidates)
    word = clean(currency) if stated else chosen.currency
    return replace(reading, sign=undecided_sign(word, default=default))


def _none_chosen(candidates: list[PriceCandidate]) -> PriceReading:
    """The result if no price was chosen.

    Crossed-out and per-unit prices are no price, nor is a text without a number.
    """
    unread = next((c.text for c in candidates if not c.struck and not c.per_unit), "")
    digits = any(character.isdigit() for character in unread)
    return PriceReading(state=Money.UNREADABLE if digits else Money.ABSENT, details=unread[:100])


def _in_minor(price: Price, code: str | None, kind: Kind, candidates: list[PriceCandidate]) -> PriceReading:
    minor = to_minor(price.amount, code)
    if price.amount == 0:
        no_digits = not any(character.isdigit() for c in candidates for character in c.text)
        return PriceReading(
            state=Money.FREE if no_digits else Money.ZERO, fields=_fields(price.amount, 0, code)
        )
    if not LOWEST <= minor <= _highest(kind, code):
        return PriceReading(state=Money.OUT_OF_RANGE, details=str(price.amount))
    fields = _fields(price.amount, minor, code)
    if kind is Kind.LISTING and (period := rent_period(" ".join(f"{c.text} {c.label}" for c in candidates))):
        fields["period"] = period
    return PriceReading(state=Money.FOUND, fields=fields)


def _highest(kind: Kind, code: str | None) -> int:
    """The upper bound of a price.

    Houses cost more than goods, and a listing's bound is in whole units; where a unit is worth little, both
    are higher (docs/decisions/prices.md).
    """
    units = 10 ** exponent(code) if kind is Kind.LISTING else 1
    return HIGHEST * units * SMALL_UNITS.get(code or "", 1)


def _fields(amount: Decimal, minor: int, code: str | None) -> dict[str, Any]:
    places = Decimal(1).scaleb(-exponent(code))
    return {
        "price": format(Decimal(minor) * places if amount else Decimal(0) * places, "f"),
        "price_minor": minor,
    } | ({"currency": code} if code else {})

"""Reads prices, and chooses the selling price among several.

price-parser reads a text, within rules of our own for what it misreads: raised cents, small change with three
digits, counts before the price. Choosing among several prices follows the shop's own marks (crossed out, per
unit, for so many) and never a guess: an open choice is `Ambiguous`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from price_parser import Price as Parsed

from larder.core.model.money import SHARED_SIGNS, exponent, to_minor
from larder.stages.normalize.currency import currency_code

__all__ = ["Ambiguous", "Price", "PriceCandidate", "choose_price", "currency_code", "parse_price", "to_minor"]

MAX_TEXT = 400
_MAX_DIGITS = 15

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED_CENTS = re.compile(r"(?<=\d)[.,]?\s?([⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
_FREE = re.compile(
    r"\s*(?:free|for free|free of charge|free entry|free admission|gratis|gratis toegang|toegang gratis"
    r"|gratis entree|entree gratis|kostenlos|kostenfrei|umsonst|zu verschenken|eintritt frei"
    r"|freier eintritt|gratuit|gratuito|za darmo|zdarma|admission free|entry free|entrée libre"
    r"|entrée gratuite|entrada (?:libre|livre|gratuita|gratis)|ingresso (?:libero|gratuito)|entrata libera"
    r"|wstęp wolny|vstup zdarma|vstup volný|fri entré|fritt inträde|free event)\s*[!.]*\s*",
    re.IGNORECASE,
)
_DATE = re.compile(r"\s*\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}\s*")
_MONTH = r"(?:jan|feb|mar|mär|mrt|apr|may|mai|mei|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}"
_WHEN = re.compile(
    rf"\b\d{{1,2}}:\d{{2}}\b|\b\d{{1,2}}[./-]\d{{1,2}}[./-](?:19|20)\d{{2}}\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}\b|\b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?![.,]\d)",
    re.IGNORECASE,
)
"""`Auction Saturday 5 December 10:00am`: a day or a time in place of a price."""
_WAS_NOW = re.compile(
    r"\b(?:was|statt|van|old price|uvp|avant)\b.*?\d.*?"
    r"\b(?:now|jetzt|nur|voor|nu|maintenant)\b[^\d]{0,12}(?=\d)",
    re.IGNORECASE | re.DOTALL,
)
_COUNT_FIRST = re.compile(
    r"^\s*\d{1,4}\s*(?:x|×|for|für|voor|pour|per|stück|st\.?|pcs|pieces|packs?|ausgaben|rounds?)\b[^\d€$£]*"
    r"(?=(?:[€$£]|EUR|USD|GBP)\s?\d|\d[\d.,]*\s?(?:[€$£]|EUR|USD|GBP))",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(
    r"(\d+(?:[.,]\d{1,3})?)"
    r"(?:(k|m)|\s?(mio\.?|milli[oó]n(?:en|es|s)?|millió|milioni|milhões|miljoen|mln\.?|ezer|lakhs?|crores?|cr\.?"
    r"|(?:tis\.?|mil\.)(?=\s?(?:Kč|CZK|€|EUR))|(?-i:M)(?=\s(?:Ft|HUF|EUR|€))|E(?=\s(?:Ft|HUF))))(?![\w$€£])",
    re.IGNORECASE,
)
_FACTORS = {"k": 1_000, "tis": 1_000, "ezer": 1_000, "e": 1_000, "lakh": 100_000, "cr": 10_000_000}
"""The factors of words for a scale; any other word is a million."""
_APOSTROPHE = re.compile(r"(?<=\d)[\u2019\u02bc](?=\d{3}(?!\d))")
"""`CHF 3’540`: Swiss separators of thousands."""
_SMALL_CHANGE = re.compile(r"\W*(\d{1,2})\s?(?:(p)|¢|ct\.?|cents?)(?: each)?\W*", re.IGNORECASE)
"""`85p`, `99 ct`: an amount below one."""
_MYRIADS = re.compile(
    r"(?:(\d{1,4}(?:\.\d+)?)\s?[億亿억]\s?)?"
    r"(?:(\d{1,3}(?:\.\d{3}){2,3}|\d[\d,]{0,9}(?:\.\d+)?)\s?[万萬만])?"
)
"""`1億2,800万円`, `18.5万円`: a hundred million, and ten thousand. Two dots separate thousands."""
_EURO = re.compile(r"\beuros?\b(?!\s?€)", re.IGNORECASE)
_MONEY_SIGN = re.compile(r"[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|Ft|HUF|Kč|CZK|AED|Rs|INR|zł|PLN)\b")
_ANY_SIGN = re.compile(rf"{_MONEY_SIGN.pattern}|\b(?:kr|SEK|NOK|DKK|AUD|CAD|RON|lei)\b|:-|,-", re.IGNORECASE)
_GLYPH = re.compile(r"[€$£¥₹]")
_WORD_BESIDE = re.compile(
    r"(?<![^\W_])([A-Z]{3}|LE|L\.E\.?|K[Ss]h|S/)\s?(?=\d)|(?<=[\d-])\s?([A-Z]{3}|KM|LE|L\.E\.?)(?![^\W_])"
)
"""`LE 79`, `25,00 KM`, `1.250 SEK`, `S/ 12`: letters beside a number. Elsewhere `KM` is a distance."""
_ENGLISH = frozenset({"ALL", "CUP", "PEN", "TOP"})
"""Codes that are words, too."""
_SIGN_AS_POINT = re.compile(r"(?<![\d.,])(\d{1,7})([€£$])(\d{2,3})(?![\d.,])")
_FORMER = re.compile(
    r"\b(?:was|old|former(?:ly)?|regular|list price|rrp|msrp|uvp|statt|vorher|ehemals|van|adviesprijs"
    r"|oude prijs|normale prijs|avant|prix conseillé|you save|savings?|besparing|ersparnis|deposit|kaution"
    r"|shipping|versand|verzendkosten)\b",
    re.IGNORECASE,
)
_CURRENT = re.compile(
    r"\b(?:now|sale|special|current|our price|offer|deal|today|jetzt|aktion|angebot|sonderpreis|nu"
    r"|nieuwe prijs|aanbieding|actie|maintenant|promo|selling)\b",
    re.IGNORECASE,
)
_PER_UNIT = re.compile(
    r"(?:\bper\s|\bpro\s|/)\s*(?:\d+\s*)?(?:rounds?|rds?|rnd|shot|kg|g|gr|l|ltr|lit(?:er|re)|ml|cl|m²|m2|qm"
    r"|sq\.?\s?ft|oz|lb|kilo|meter|metre)\b|\bCPR\b|¢\s*/",
    re.IGNORECASE,
)
_BY_MEASURE = re.compile(
    r"(?:\bper\s|\bpro\s|/)\s*(?:1\s?|100\s?)?(?:kg|g|gr|l|ltr|lit(?:er|re)|kilo|oz|lb|meter|metre)\b",
    re.IGNORECASE,
)
_THREE_DIGITS = re.compile(r"(?<![\d.,])(\d{1,3})([.,])(\d{3})(?![\d.,])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """An amount and its currency as written; `code` is its meaning."""

    amount: Decimal
    currency: str | None = None

    def code(self, default: str | None = None) -> str | None:
        """The ISO 4217 code; `default` decides if the sign is shared or absent."""
        return currency_code(self.currency, default=default)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceCandidate:
    """One price on a page, with its marks."""

    text: str
    label: str = ""
    struck: bool = False
    quantity: int | None = None
    per_unit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """Several prices and no rule to choose by."""

    amounts: tuple[Decimal, ...]


def parse_price(text: str | None, *, currency_hint: str | None = None) -> Price | None:
    """The first price in `text`, or None; the hint is used for the currency only."""
    return _parsed(text[:MAX_TEXT], currency_hint[:MAX_TEXT] if currency_hint else None) if text else None


@lru_cache(maxsize=4_096)
def _parsed(text: str, currency_hint: str | None) -> Price | None:
    """As `parse_price`, cached: a shop repeats the same prices."""
    if _DATE.fullmatch(text) or (_WHEN.search(text) and not _ANY_SIGN.search(text)):
        return None
    if _FREE.fullmatch(text):
        return Price(amount=Decimal(0))
    return _read(_prepared(text), currency_hint)


def _read(text: str, hint: str | None) -> Price | None:
    parsed = Parsed.fromstring(text, _own_currency(text) or hint)
    amount = parsed.amount
    if amount is None or not amount.is_finite() or amount.adjusted() > _MAX_DIGITS:
        return None
    return Price(amount=_three_decimals(text, parsed.currency, amount), currency=parsed.currency)


def _own_currency(text: str) -> str | None:
    """The code of a price that is written with a code or a country's letters; the parser prefers its hint."""
    words = {found[1] or found[2] for found in _WORD_BESIDE.finditer(text)} - _ENGLISH
    if glyph := _GLYPH.search(text):
        words &= SHARED_SIGNS.get(glyph[0], frozenset())  # `$12.990 COP`
    return currency_code(words.pop()) if len(words) == 1 else None


def _prepared(text: str) -> str:
    if (small := _SMALL_CHANGE.fullmatch(text)) is not None:
        return f"{'£' if small[2] else ''}0.{int(small[1]):02}"
    text = _APOSTROPHE.sub("'", _EURO.sub("EUR", text))
    text = _RAISED_CENTS.sub(lambda cents: "." + cents[1].translate(_RAISED), text)
    text = _SIGN_AS_POINT.sub(lambda glued: f"{glued[1]}.{glued[3].rstrip('0') or '0'} {glued[2]}", text)
    text = _spoken_thousands(_MYRIADS.sub(_in_myriads, text))
    current = _WAS_NOW.search(text)
    if current and (now := Parsed.fromstring(text[current.end() :]).amount):
        tail = text[current.start() :]
        sign = Parsed.fromstring(tail).currency or ""
        return f"{sign} {now}"
    return _COUNT_FIRST.sub("", text)


def _in_myriads(spoken: re.Match[str]) -> str:
    if not (spoken[1] or spoken[2]):
        return spoken[0]
    myriads = (spoken[2] or "0").replace(",", "")
    if myriads.count(".") > 1:
        myriads = myriads.replace(".", "")
    amount = Decimal(spoken[1] or 0) * 10**8 + Decimal(myriads) * 10_000
    return format(amount.quantize(Decimal(1)), "f")


def _spoken_thousands(text: str) -> str:
    """`€ 250k` and `£1.2m`, if a currency shows that money is meant."""
    if not _MONEY_SIGN.search(text):
        return text
    return _THOUSANDS.sub(_spelt_out, text)


def _spelt_out(spoken: re.Match[str]) -> str:
    word = (spoken[2] or spoken[3]).lower()
    factor = next((by for begin, by in _FACTORS.items() if word.startswith(begin)), 1_000_000)
    amount = Decimal(spoken[1].replace(",", ".")) * factor
    return format(amount.quantize(Decimal(1)), "f")


def _three_decimals(text: str, currency: str | None, amount: Decimal) -> Decimal:
    """The amount with three decimals: `1.250` dinars are one and a quarter, and `0.199` is nowhere 199."""
    small = _THREE_DIGITS.search(text)
    if small is None:
        return amount
    fils = small[2] == "." and exponent(currency_code(currency)) == 3
    return Decimal(f"{small[1]}.{small[3]}") if fils or small[1] == "0" else amount


def choose_price(
    candidates: Iterable[PriceCandidate], *, currency: str | None = None
) -> Price | Ambiguous | None:
    """The selling price among those of a page; None if none of them is one."""
    offered = [c for c in candidates if not _is_former(c)]
    whole = [c for c in offered if not _is_per_unit(c)]
    selling = whole or [c for c in offered if _is_by_measure(c)]
    read = [(c, price) for c in selling if (price := parse_price(c.text, currency_hint=currency))]
    singles = [pair for pair in read if pair[0].quantity in (None, 1)]
    if singles:
        return _one_of(singles, currency)
    return _from_tiers(read)


def _one_of(pairs: list[tuple[PriceCandidate, Price]], currency: str | None) -> Price | Ambiguous:
    """The only amount, or the one marked as current, or the one in the source's own currency."""
    exact = [pair for pair in pairs if pair[0].quantity == 1]
    current = [pair for pair in pairs if _CURRENT.search(pair[0].label)]
    local = [pair for pair in pairs if currency and pair[1].code() == currency]
    for group in (pairs, exact, current, local):
        if len({price.amount for _, price in group}) == 1:
            return max((price for _, price in group), key=lambda price: price.currency is not None)
    return Ambiguous(amounts=tuple(sorted({price.amount for _, price in pairs})))


def _from_tiers(pairs: list[tuple[PriceCandidate, Price]]) -> Price | Ambiguous | None:
    """The lowest price of tiers without one for a single piece, if a piece costs the same in each."""
    if not pairs:
        return None
    each = {(price.amount / (c.quantity or 1)).quantize(Decimal("0.0001")) for c, price in pairs}
    amounts = {price.amount for _, price in pairs}
    if len(each) == 1 or len(amounts) == 1:
        return min((price for _, price in pairs), key=lambda price: price.amount)
    return Ambiguous(amounts=tuple(sorted(amounts)))


def _is_former(candidate: PriceCandidate) -> bool:
    return candidate.struck or bool(_FORMER.search(candidate.label))


def _is_per_unit(candidate: PriceCandidate) -> bool:
    return candidate.per_unit or bool(_PER_UNIT.search(candidate.text) or _PER_UNIT.search(candidate.label))


def _is_by_measure(candidate: PriceCandidate) -> bool:
    """Whether it is sold by weight, volume or length: then it has no other price."""
    return not candidate.per_unit and bool(_BY_MEASURE.search(candidate.text))


def read_candidates(value: Any) -> list[PriceCandidate]:
    """Raw prices (number, text, mapping or a list of them) as candidates."""
    if isinstance(value, list | tuple):
        return [candidate for entry in value[:100] for candidate in read_candidates(entry)]
    if isinstance(value, Mapping):
        return [_from_mapping(value)]
    text = _as_text(value)
    return [PriceCandidate(text=text)] if text else []


def _from_mapping(value: Mapping[Any, Any]) -> PriceCandidate:
    quantity = value.get("quantity")
    whole = isinstance(quantity, int) and not isinstance(quantity, bool) and quantity > 0
    return PriceCandidate(
        text=_as_text(value.get("text")),
        label=str(value.get("label") or "")[:MAX_TEXT],
        struck=value.get("struck") is True,
        quantity=quantity if whole else None,
        per_unit=value.get("per_unit") is True,
    )


def _as_text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float | Decimal):
        return _plain(value)
    return value.strip()[:MAX_TEXT] if isinstance(value, str) else ""


def _plain(number: float | Decimal) -> str:
    """Digits and a dot with two decimals, so that 1.299 is not taken for thousands."""
    try:
        amount = Decimal(str(number))
        return format(amount.quantize(Decimal("0.01")) if amount.as_tuple().exponent == -3 else amount, "f")
    except (InvalidOperation, ValueError):
        return ""

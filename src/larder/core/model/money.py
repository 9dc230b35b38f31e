"""Amounts are whole numbers of a currency's smallest unit; this module knows that unit.

Amounts for people have a sign (€, $, £) where it belongs to one currency, else the ISO 4217 code. They always
have all of the currency's decimals, so that amounts in a column can be compared.
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

_NO_COINS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
EXPONENTS: Mapping[str, int] = dict.fromkeys(_NO_COINS.split(), 0) | dict.fromkeys(_THOUSANDTHS.split(), 3)
"""The decimals of currencies that do not have two."""
_TENS = "CZK EGP HKD MDL MXN NOK SEK THB TRY TWD UAH UYU ZAR"
_HUNDREDS = "ALL AMD BDT CRC DZD HUF INR ISK JPY KES KZT LKR MKD NPR PHP PKR RSD RUB XAF XOF XPF"
_THOUSANDS = "ARS CLP COP IQD KHR KRW MMK MNT NGN PYG TZS UGX"
_MYRIADS = "GNF IDR IRR LAK LBP UZS VND"
SMALL_UNITS: Mapping[str, int] = {
    code: units
    for codes, units in ((_TENS, 10), (_HUNDREDS, 100), (_THOUSANDS, 1_000), (_MYRIADS, 10_000))
    for code in codes.split()
}
"""About how many of their units a dollar is worth, for currencies with small ones: a power of ten."""
SIGNS: Mapping[str, str] = {"EUR": "€", "USD": "$", "GBP": "£"}


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHARED_SIGNS: Mapping[str, frozenset[str]] = {
    "$": _codes("USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD BMD BSD BBD JMD TTD UYU"),
    "kr": _codes("SEK NOK DKK ISK"),
    "£": _codes("GBP EGP GIP FKP SHP"),
    "¥": _codes("JPY CNY"),
    "rs": _codes("INR PKR LKR NPR MUR SCR"),
    "₨": _codes("INR PKR LKR NPR MUR SCR"),
    "fr": _codes("CHF XOF XAF XPF"),
    "br": _codes("BYN ETB"),
}
"""Signs that several currencies use, in lower case."""


def exponent(currency: str | None) -> int:
    """How many decimals the currency has: 2 for most, 0 for yen, 3 for dinars."""
    return EXPONENTS.get(currency or "", 2)


def to_minor(amount: Decimal, currency: str | None) -> int:
    """In minor units; half a unit rounds up."""
    return int((amount * 10 ** exponent(currency)).to_integral_value(ROUND_HALF_UP))


def least_minor(amount: Decimal, decimals: int) -> int:
    """The smallest price in minor units that is at least `amount`."""
    return int((amount * 10**decimals).to_integral_value(ROUND_CEILING))


def most_minor(amount: Decimal, decimals: int) -> int:
    """The largest price in minor units that is at most `amount`."""
    return int((amount * 10**decimals).to_integral_value(ROUND_FLOOR))


def from_minor(minor: int, currency: str | None) -> Decimal:
    """The amount in major units, with all its decimals."""
    return Decimal(minor).scaleb(-exponent(currency))


def format_amount(amount: Decimal, currency: str | None) -> str:
    """For people: `€1,250.00`, `CHF 1,250.00`, `JPY 1,250`."""
    digits = f"{amount:,.{exponent(currency)}f}"
    sign = SIGNS.get(currency or "")
    return f"{sign}{digits}" if sign else f"{currency or ''} {digits}".strip()


def format_minor(minor: int, currency: str | None) -> str:
    """`format_amount` for minor units."""
    return format_amount(from_minor(minor, currency), currency)

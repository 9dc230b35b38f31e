"""Amounts are whole numbers of a currency's smallest unit; this module knows that unit."""

from decimal import ROUND_HALF_UP, Decimal

_NO_COINS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
_EXPONENTS = dict.fromkeys(_NO_COINS.split(), 0) | dict.fromkeys(_THOUSANDTHS.split(), 3)


def exponent(currency: str | None) -> int:
    """How many decimals the currency has: 2 for most, 0 for yen, 3 for dinars."""
    return _EXPONENTS.get(currency or "", 2)


def to_minor(amount: Decimal, currency: str | None) -> int:
    """In minor units; half a unit rounds up."""
    return int((amount * 10 ** exponent(currency)).to_integral_value(ROUND_HALF_UP))


def from_minor(minor: int, currency: str | None) -> Decimal:
    """The amount in major units, with all its decimals."""
    return Decimal(minor).scaleb(-exponent(currency))

"""Finds amounts in a text: a number with a currency beside it, and its approximate value."""

import re
from functools import lru_cache

SIGN = (
    r"(?<![^\W\d_])(?:R|USD?|A(?:U|UD)?|C(?:A|AD)?|NZD?|HKD?|SG?D?|MXN?|NT|ARS|CLP|COP)\$|[$€£¥₹₩₽₺₴₸₪฿₫￥₱₦]|(?<![^\W\d_])(?:RM|S/\.?|K[Ss]h\.?)(?=\s?\d)|"
    r"(?<![^\W\d_])Fr\.(?=\s?\d{1,3}(?:['’]\d{3})*\.[-–—])|د\.إ|(?<![^\W\d_])(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|BGN|HRK|RUB|UAH|TRY|BRL|INR|JPY|"
    r"CNY|KRW|TWD|AUD|[Ee]uros?|"
    r"CAD|NZD|SGD|HKD|MXN|CLP|ARS|COP|EGP|L\.E\.?|AED|SAR|QAR|KWD|ZAR|ILS|THB|MYR|IDR|PHP|VND|NGN|KES|PKR|"
    r"BAM|RSD|ISK|GEL|KZT|Rp|Rs|TL|Kn|kn|zł|Kč|kr|Ft|Lei|lei|лв|руб|б\.?\s?р|грн|тг|р)\b\.?|원|円|元"
)
NUMBER = r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?"
_SCALE = r"(?:[Mm]|[Mm]io\.?|mln\.?|mil\.|millió|ezer|tis\.)\s|[万萬만億亿억]\s?"
_MYRIADS = {"万": 10_000, "萬": 10_000, "만": 10_000, "億": 10**8, "亿": 10**8, "억": 10**8}
_LARGE = r"(?:\d{1,4}[億亿억]\s?)?"
"""`1億2,800万円`: a hundred million and 28 million."""
_SIGN_BEGINS = r"$€£¥₹₩₽₺₴₸₪฿₫￥₱₦د원円元A-VZeklzбглрт"
AMOUNT = re.compile(
    rf"(?=[\d{_SIGN_BEGINS}])(?:(?=[{_SIGN_BEGINS}])(?:{SIGN})\s*(?P<after>{NUMBER})"
    rf"|(?P<before>{_LARGE}(?:{NUMBER}))(?:(?:\s*,[-–—]{{1,2}}|[.,][-–—]{{1,2}})?\s*(?:(?:{_SCALE})?(?:{SIGN})|:-(?!\w))"
    r"|,[-–—]{1,2}(?![\w-])))"
)
"""A lookahead for what an amount may begin with: most positions of most texts begin none."""
RANGE = re.compile(rf"(?P<low>{NUMBER})\s*[–—-]\s*(?:{NUMBER})\s*(?P<sign>{SIGN})")
"""`352,00 – 376,45 €`: the lower amount counts."""

LONGEST_KNOWN = 100
"""Maximum characters of a cached amount."""

_BEFORE_AMOUNT = re.compile(r"\s(?:for|at|für|voor|pour|por|a|per|för|for|za)$", re.IGNORECASE)


def rough_amount(text: str) -> float:
    """An amount as a number, exact enough to compare it with another one of the page."""
    return _number_of(text) if len(text) <= LONGEST_KNOWN else _number_of.__wrapped__(text)


@lru_cache(maxsize=8_192)
def _number_of(text: str) -> float:
    found = AMOUNT.search(text)
    if found is not None and not _MYRIADS.keys().isdisjoint(found[0]):
        return _in_myriads(found[0])
    number = re.sub(r"[^\d.,]", "", (found["after"] or found["before"]) if found else text)
    units, cents = re.fullmatch(r"([\d.,]*?)(?:[.,](\d{1,2}))?", number).groups("")  # type: ignore[union-attr]
    digits = re.sub(r"\D", "", units)
    return float(f"{digits or 0}.{cents or 0}")


def _in_myriads(amount: str) -> float:
    parts = re.findall(r"(\d[\d.,]*)\s?([万萬만億亿억]?)", amount)
    return float(sum(_decimal(number) * _MYRIADS.get(scale, 1) for number, scale in parts))


def _decimal(number: str) -> float:
    """Whether it has decimals.

    `2,800` and `1.234.567` have none, and neither has `12.988` before a myriad.
    """
    digits = number.replace(",", "")
    return float(digits.replace(".", "") if digits.count(".") > 1 else digits)


def without_amount(text: str) -> str:
    """A text without its amount and the word before that: `Sold for $850,000` → `Sold`."""
    left = AMOUNT.sub(" ", text)
    return text if left == text else _BEFORE_AMOUNT.sub("", left.rstrip(" .:,-–"))

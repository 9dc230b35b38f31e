"""Amounts in a text: a number with a currency beside it, and how large it is, roughly."""

import re

SIGN = (
    r"(?<![^\W\d_])(?:R|US|AU?|CA?|NZ|HK|S|MX|NT)\$|[$€£¥₹₩₽₺₴₸₪฿₫￥]|(?<![^\W\d_])(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|BGN|HRK|RUB|UAH|TRY|BRL|INR|JPY|"
    r"CNY|KRW|TWD|AUD|[Ee]uros?|"
    r"CAD|NZD|SGD|HKD|MXN|CLP|ARS|COP|Rs|Kn|kn|zł|Kč|kr|Ft|Lei|lei|лв|руб|б\.?\s?р|грн|тг|р)\b\.?|원|円|元"
)
NUMBER = r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?"
_SCALE = r"(?:[Mm]|[Mm]io\.?|mln\.?|mil\.|millió|ezer|tis\.)\s"
_SIGN_BEGINS = r"$€£¥₹₩₽₺₴₸₪฿₫￥원円元A-Ueklzбглрт"
AMOUNT = re.compile(
    rf"(?=[\d{_SIGN_BEGINS}])(?:(?=[{_SIGN_BEGINS}])(?:{SIGN})\s*(?P<after>{NUMBER})"
    rf"|(?P<before>{NUMBER})(?:(?:\s*,[-–—]{{1,2}}|[.,][-–—]{{1,2}})?\s*(?:(?:{_SCALE})?(?:{SIGN})|:-(?!\w))"
    r"|,[-–—]{1,2}(?![\w-])))"
)
"""What a place may begin with is asked first: most places of most texts begin no amount."""
RANGE = re.compile(rf"(?P<low>{NUMBER})\s*[–—-]\s*(?:{NUMBER})\s*(?P<sign>{SIGN})")
"""`352,00 – 376,45 €`: from the lower one on."""

_BEFORE_AMOUNT = re.compile(r"\s(?:for|at|für|voor|pour|por|a|per|för|for|za)$", re.IGNORECASE)


def rough_amount(text: str) -> float:
    """An amount as a number, good enough to compare with another of the same page."""
    found = AMOUNT.search(text)
    number = re.sub(r"[^\d.,]", "", (found["after"] or found["before"]) if found else text)
    whole, cents = re.fullmatch(r"([\d.,]*?)(?:[.,](\d{1,2}))?", number).groups("")  # type: ignore[union-attr]
    digits = re.sub(r"\D", "", whole)
    return float(f"{digits or 0}.{cents or 0}")


def without_amount(text: str) -> str:
    """`Sold for $850,000` → `Sold`: a text without its amount and the word before that."""
    left = AMOUNT.sub(" ", text)
    return text if left == text else _BEFORE_AMOUNT.sub("", left.rstrip(" .:,-–"))

"""Finds the ISO 4217 code of a currency.

A sign that several countries use means the source's own currency if that is one of them.
"""

from larder.core.model.money import SHARED_SIGNS


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


CODES = _codes(
    """AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP
    BYN BZD CAD CDF
    CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF
    GTQ GYD HKD HNL
    HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR
    LRD LSL LYD MAD
    MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP
    PKR PLN PYG QAR
    RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
    TRY TTD TWD TZS
    UAH UGX USD UYI UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL"""
)

_SIGNS = {
    "€": "EUR", "euro": "EUR", "euros": "EUR", "eur": "EUR", "£": "GBP", "₤": "GBP", "￡": "GBP", "zł": "PLN",
    "zl": "PLN", "kč": "CZK", "kc": "CZK", "₽": "RUB", "руб": "RUB", "рублей": "RUB", "р": "RUB",
    "rub": "RUB",
    "грн": "UAH", "₴": "UAH", "₹": "INR", "र": "INR", "rs": "INR", "r$": "BRL", "a$": "AUD", "au$": "AUD",
    "c$": "CAD", "ca$": "CAD", "can$": "CAD", "cad$": "CAD", "us$": "USD", "hk$": "HKD",
    "nz$": "NZD", "s$": "SGD",
    "nt$": "TWD", "mx$": "MXN", "tt$": "TTD", "bz$": "BZD", "円": "JPY", "元": "CNY", "人民币": "CNY",
    "₩": "KRW",
    "원": "KRW", "฿": "THB", "₫": "VND", "đ": "VND", "vnđ": "VND", "₪": "ILS", "ft": "HUF", "lei": "RON",
    "leu": "RON", "лв": "BGN", "kn": "HRK", "₺": "TRY", "tl": "TRY", "rp": "IDR", "rm": "MYR", "₱": "PHP",
    "₦": "NGN", "kd": "KWD", "fr": "CHF", "sfr": "CHF", "chf": "CHF", "dinara": "RSD",
    "дин": "RSD", "ريال": "SAR",
    "تومان": "IRR", "ریال": "IRR", "جنيه": "EGP", "le": "EGP", "l.e": "EGP",
    "ksh": "KES", "s/": "PEN", "د.إ": "AED", "₸": "KZT", "тг": "KZT",
    "br": "BYN", "₾": "GEL",
    "₵": "GHS", "gh₵": "GHS", "৳": "BDT", "lek": "ALL", "km": "BAM", "$": "USD", "¥": "JPY", "￥": "JPY",
}  # fmt: skip


def currency_code(text: str | None, *, default: str | None = None) -> str | None:
    """The ISO 4217 code of a sign, name or code; None if it is ambiguous."""
    if not text:
        return default
    sign = _plain(text)
    if (code := sign.rstrip("$").upper()) in CODES:
        return code
    if default in SHARED_SIGNS.get(sign, ()):
        return default
    return _SIGNS.get(sign)


def undecided_sign(text: str | None, *, default: str | None) -> str | None:
    """The sign that several currencies use, if nothing shows which one is meant."""
    sign = _plain(text or "")
    shared = SHARED_SIGNS.get(sign)
    return sign if shared and default not in shared else None


def _plain(text: str) -> str:
    return text.strip().rstrip(".").casefold()

"""The currency chosen in a page's currency selector: the meaning of a shared sign on that page."""

import re

from turbohtml import Element

from larder.sdk.page import Page, brief_text_of

MAX_SELECTORS = 4
MAX_OPTIONS = 60
MAX_LABEL = 60

_SELECTS = (
    "select[name*=currency i], select[id*=currency i], select[class*=currency i], [class*=currency i] select"
)
_CODE = re.compile(r"\b[A-Z]{3}\b")
_NAMES = {
    "us dollar": "USD", "u.s. dollar": "USD", "american dollar": "USD", "australian dollar": "AUD",
    "canadian dollar": "CAD", "new zealand dollar": "NZD", "singapore dollar": "SGD",
    "hong kong dollar": "HKD", "mexican peso": "MXN", "peso mexicano": "MXN", "peso argentino": "ARS",
    "peso chileno": "CLP", "swedish kron": "SEK", "svensk": "SEK", "danish kron": "DKK", "dansk": "DKK",
    "norwegian kron": "NOK", "norsk": "NOK", "icelandic": "ISK", "pound sterling": "GBP",
    "british pound": "GBP", "egyptian pound": "EGP", "japanese yen": "JPY", "chinese yuan": "CNY",
    "indian rupee": "INR", "pakistani rupee": "PKR", "swiss franc": "CHF", "franken": "CHF", "euro": "EUR",
}  # fmt: skip
"""What the names of currencies contain, in lower case."""


def selected_currency(page: Page) -> str:
    """The code of the chosen currency; empty if no selector shows one."""
    if b"urrency" not in page.markup.body:
        return ""
    chosen = (_chosen(each) for each in page.css(_SELECTS)[:MAX_SELECTORS])
    return next((code for label in chosen if (code := _code(label))), "")


def _chosen(select: Element) -> str:
    """The selected option; if none is marked, the first one, as in browsers."""
    options = select.select("option")[:MAX_OPTIONS]
    marked = next((each for each in options if each.attr("selected") is not None), None)
    option = marked if marked is not None else next(iter(options), None)
    if option is None:
        return ""
    return f"{brief_text_of(option)} {option.attr('value') or ''}"[:MAX_LABEL]


def _code(label: str) -> str:
    if found := _CODE.search(label):
        return found[0]
    return next((code for name, code in _NAMES.items() if name in label.lower()), "")

"""The parts of a page's address; an invalid address has none."""

import re
from urllib.parse import SplitResult, unquote, urlsplit

_VARIANT = re.compile(r"([\w.-]*\d[\w.-]*)[-_]\w{1,3}")
SHORTEST = 5
_NOTHING = SplitResult("", "", "", "", "")


def parts_of(url: str) -> SplitResult:
    """The address in parts."""
    try:
        return urlsplit(url)
    except ValueError:
        return _NOTHING


def path_of(url: str) -> str:
    """The decoded path."""
    return unquote(parts_of(url).path)


def addressed_code(url: str, code: str) -> str:
    """`AB1234` if the address has that and `code` is a variant of it (`AB1234-2`); else empty."""
    variant = _VARIANT.fullmatch(code)
    path = path_of(url).lower() if variant else ""
    if variant is None or len(variant[1]) < SHORTEST or code.lower() in path:
        return ""
    named = re.search(rf"(?<![a-z0-9]){re.escape(variant[1].lower())}(?![a-z0-9])", path)
    return variant[1] if named else ""

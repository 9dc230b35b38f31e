"""The parts of a page's address that say something about it; an address that is none says nothing."""

from urllib.parse import SplitResult, unquote, urlsplit

_NOTHING = SplitResult("", "", "", "", "")


def parts_of(url: str) -> SplitResult:
    """The address in parts."""
    try:
        return urlsplit(url)
    except ValueError:
        return _NOTHING


def path_of(url: str) -> str:
    """The path, readable."""
    return unquote(parts_of(url).path)

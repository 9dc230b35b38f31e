"""Recognises the site's own name, which follows page titles and is not the name of an item."""

import re

from larder.sdk.page import Page
from larder.stages.parse.heuristic.address import parts_of

MAX_TITLE = 300
SHORTEST = 3
_SEPARATOR = re.compile(r"\s+(?:[|·•–—:-]|::)\s+|\s*\|\s*")
_OTHER = re.compile(r"[^a-z0-9]")


def is_site_name(text: str, page: Page) -> bool:
    """Whether it is the site's name, by its host or its meta tags."""
    named = _plain(text)
    return is_host_name(text, page.url) or (
        len(named) >= SHORTEST and named == _plain(page.meta().get("og:site_name", ""))
    )


def is_host_name(text: str, url: str) -> bool:
    """Whether it is the name of the host: `Shop`, `Shop.com`."""
    named = _plain(text)
    host = (parts_of(url).hostname or "").removeprefix("www.").replace("-", "")
    labels = host.split(".")
    return len(named) >= SHORTEST and named in ("".join(labels), labels[0], "".join(labels[-2:]))


def without_site(title: str, page: Page) -> str:
    """A title without the site's name before or after it."""
    parts = _SEPARATOR.split(title[:MAX_TITLE])
    if len(parts) > 1 and is_site_name(parts[-1], page):
        return title[: title.rindex(parts[-1])].rstrip(" |·•–—:-")
    if len(parts) > 1 and is_site_name(parts[0], page):
        return title[len(parts[0]) :].lstrip(" |·•–—:-")
    return title


def _plain(text: str) -> str:
    return _OTHER.sub("", text[:MAX_TITLE].lower())

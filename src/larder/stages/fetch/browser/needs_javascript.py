"""Detects pages that are empty without their scripts.

Such a page has scripts, almost no text, no data that can be read without running scripts, and either an empty
root element or a request to enable JavaScript. It is detected in one pass over the bytes, without
backtracking.
"""

import re

MAX_READ = 512 * 1024
FEW_WORDS = 240
"""Characters of text; a page with fewer has no content for a reader."""
HARDLY_ANY = 40

_HIDDEN = (b"script", b"style", b"noscript", b"template", b"svg", b"head")
_DATA = (
    b"application/ld+json",
    b"itemscope",
    b"__next_data__",
    b"__nuxt_data__",
    b"__initial_state__",
    b"__preloaded_state__",
    b"__apollo_state__",
    b"application/json",
)
_MOUNT = re.compile(rb"<(div|main|section|[a-z]+-[a-z-]{1,40})\b[^<>]{0,200}>\s{0,200}</\1>")
_PLEA = re.compile(rb"javascript|scripting")
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_SPACE = re.compile(rb"\s+")


def needs_javascript(body: bytes, content_type: str = "text/html") -> bool:
    """Whether a reader without JavaScript would see nothing of this page."""
    if "html" not in content_type or len(body) > MAX_READ or b"<" not in body:
        return False
    page = body.lower()
    if b"<script" not in page or any(mark in page for mark in _DATA):
        return False
    visible, plea = _without_hidden(page)
    text = len(_SPACE.sub(b" ", _TAG.sub(b" ", visible)).strip())
    if text >= FEW_WORDS:
        return False
    return text < HARDLY_ANY or plea or _MOUNT.search(visible) is not None


def _without_hidden(page: bytes) -> tuple[bytes, bool]:
    """The page without hidden parts, and whether those ask to enable JavaScript."""
    plea = False
    for name in _HIDDEN:
        parts, at = [], 0
        opening, closing = b"<" + name, b"</" + name
        while (start := page.find(opening, at)) >= 0:
            if page[start + len(opening) : start + len(opening) + 1].isalnum():  # <header> is not <head>
                parts.append(page[at : start + len(opening)])
                at = start + len(opening)
                continue
            end = page.find(closing, start)
            end = len(page) if end < 0 else end
            plea = plea or (name == b"noscript" and _PLEA.search(page, start, end) is not None)
            parts.append(page[at:start])
            at = page.find(b">", end) + 1 or len(page)
        page = b"".join([*parts, page[at:]])
    return page, plea

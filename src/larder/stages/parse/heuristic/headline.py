"""Which element names the thing the page is about?"""

import re

from turbohtml import Element

from larder.sdk.page import Page, text_of

MAX_HEADS = 40
_WORD = re.compile(r"\w+")
_HEADS = "h1, [itemprop=name]"
_SPARE_HEADS = "h2, [class*=title i], [class*=name i], [id*=title i]"


def headline(page: Page) -> tuple[str, Element | None]:
    """The page's own title and where it stands; the title alone where no element shows it."""
    announced = announced_title(page)
    heads = [head for head in page.css(_HEADS)[:MAX_HEADS] if head.tag != "meta"]
    best = _closest(heads, announced)
    if best is None or (announced and likeness(text_of(best), announced) < 0.3):
        spare = _closest(page.css(_SPARE_HEADS)[: MAX_HEADS * 3], announced)
        if spare is not None and likeness(text_of(spare), announced) >= 0.6:
            best = spare
    if best is None:
        return announced, None
    return text_of(best) or announced, best


def announced_title(page: Page) -> str:
    """What the page calls itself to others."""
    meta = page.meta()
    return meta.get("og:title") or meta.get("twitter:title") or text_of(page.first("title"))


def _closest(heads: list[Element], announced: str) -> Element | None:
    named = [head for head in heads if (text := text_of(head)) and len(text) < 300]
    if not named:
        return None
    return max(named, key=lambda head: likeness(text_of(head), announced)) if announced else named[0]


def likeness(a: str, b: str) -> float:
    """How much of the shorter text's words the other one has, 0–1; longer agreement counts a little more."""
    ours, theirs = set(_WORD.findall(a.casefold())), set(_WORD.findall(b.casefold()))
    if not ours or not theirs:
        return 0.0
    shared = len(ours & theirs)
    return shared / len(ours) * 0.7 + shared / len(theirs) * 0.3

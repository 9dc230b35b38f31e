"""Meta tags by name, Open Graph among them."""

from turbohtml import Document

MAX_TAGS = 500


def read_meta(tree: Document) -> dict[str, str]:
    """Name → content; the first of a name counts, as for crawlers; canonical link as `canonical`.

    Microdata counts only if it has one value on the whole page: each row of a list has a price of its own.
    """
    tags: dict[str, str] = {}
    items: dict[str, set[str]] = {}
    for tag in tree.select("meta")[:MAX_TAGS]:
        named = tag.attr("property") or tag.attr("name")
        name = (named or tag.attr("itemprop") or "").strip().lower()
        content = " ".join((tag.attr("content") or "").split())
        if name and content and named:
            tags.setdefault(name, content)
        elif name and content:
            items.setdefault(name, set()).add(content)
    tags = {**{name: next(iter(own)) for name, own in items.items() if len(own) == 1}, **tags}
    links = (link for link in tree.select("link") if (link.attr("rel") or "").lower() == "canonical")
    canonical = next(((link.attr("href") or "").strip() for link in links), "")
    return {**tags, "canonical": canonical} if canonical else tags

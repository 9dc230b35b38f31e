"""Meta tags by name, Open Graph among them."""

from turbohtml import Document

MAX_TAGS = 500


def read_meta(tree: Document) -> dict[str, str]:
    """Name → content; the first of a name wins, as crawlers read it; canonical link as `canonical`."""
    tags: dict[str, str] = {}
    for tag in tree.select("meta")[:MAX_TAGS]:
        name = tag.attr("property") or tag.attr("name") or tag.attr("itemprop")
        content = " ".join((tag.attr("content") or "").split())
        if name and content:
            tags.setdefault(name.strip().lower(), content)
    links = (link for link in tree.select("link") if (link.attr("rel") or "").lower() == "canonical")
    canonical = next(((link.attr("href") or "").strip() for link in links), "")
    return {**tags, "canonical": canonical} if canonical else tags

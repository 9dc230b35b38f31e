"""Meta tags by name, Open Graph among them."""

from turbohtml import Document

MAX_TAGS = 500


def read_meta(tree: Document) -> dict[str, str]:
    """Name → content; the first of a name wins, as crawlers read it; canonical link as `canonical`."""
    tags: dict[str, str] = {}
    for tag in tree.select("meta[content]")[:MAX_TAGS]:
        name = tag.attr("property") or tag.attr("name") or tag.attr("itemprop")
        content = " ".join((tag.attr("content") or "").split())
        if name and content:
            tags.setdefault(name.strip().lower(), content)
    canonical = tree.select_one('link[rel="canonical" i][href]')
    if canonical is not None and canonical.attr("href"):
        tags["canonical"] = (canonical.attr("href") or "").strip()
    return tags

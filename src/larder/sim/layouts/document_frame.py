"""The parts that all layouts share: the document around the content, styles, the pager, the picture.

Pages are plain, valid HTML that a person can browse. A page about a listing depends on the listing alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.wording import SiteBrand, advert_count, iso_time, short_time

STYLE = """
:root{--ink:#1f2933;--soft:#66727f;--line:#e3e8ee;--ground:#f6f7f9;--accent:#0b7a75}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--ground);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
.wide{max-width:70rem;margin:0 auto;padding:0 1.25rem}
.top{background:#fff;border-bottom:1px solid var(--line)}
.top .wide{display:flex;gap:1.5rem;align-items:center;height:3.75rem}
.brand{font-weight:700;font-size:1.25rem;letter-spacing:-.02em;color:var(--ink)}
.brand::before{content:"";display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:.2em;background:var(--accent)}
.top nav{display:flex;gap:1.25rem;margin-left:auto;font-size:.95rem}
main.wide{padding-top:1.75rem;padding-bottom:3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 .3rem;letter-spacing:-.02em}
.count,.where,.seller,.when,.period{color:var(--soft);font-size:.92rem}
.price,time{white-space:nowrap}.price{font-weight:700;font-size:1.15rem}
.lead{display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap}.lead p{margin:0}
.pager{display:flex;flex-wrap:wrap;gap:.4rem;margin-top:2rem;align-items:center}
.pager a,.pager span{padding:.35rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:#fff}
.pager .here{background:var(--accent);border-color:var(--accent);color:#fff}
.pager .gap{border:0;background:none;padding:.35rem .1rem}
.none{padding:3rem;text-align:center;color:var(--soft);background:#fff;border-radius:.8rem}
.photo{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;background:#dfe6ec}
.advert{display:grid;grid-template-columns:minmax(0,3fr) minmax(16rem,2fr);gap:2rem;margin-top:1.25rem}
.advert .photo{border-radius:.8rem;margin-bottom:1.1rem}
.side{background:#fff;border:1px solid var(--line);border-radius:.8rem;padding:1.25rem;align-self:start}
.side .price{font-size:1.7rem}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem;margin:1rem 0 0}
.facts dt{color:var(--soft)}.facts dd{margin:0;color:inherit;font-size:1rem}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.88rem;padding:1.25rem 0 2rem}
@media(max-width:45rem){.advert{grid-template-columns:1fr}}
"""


def html_document(brand: SiteBrand, *, title: str, body: str, style: str = "", head: str = "") -> str:
    """A whole page."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} | {escape(brand.display_name)}</title>
{head}<style>{STYLE}{style}</style>
</head>
<body>
<header class="top"><div class="wide"><a class="brand" href="{brand.base}/">{escape(brand.display_name)}</a>
<nav><a href="{brand.page(1)}">{escape(brand.nav)}</a>
<a href="{brand.base}/account/">Sign in</a></nav></div></header>
<main class="wide">
{body}
</main>
<footer><div class="wide">{escape(brand.display_name)} is a simulated site.
{escape(brand.tagline)}</div></footer>
</body>
</html>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The text above the rows of an index page."""

    title: str
    counted: str
    """The total number, in words."""
    order: str = "newest first"


def index_document(
    brand: SiteBrand,
    page: ListingPage[Any],
    rows: str,
    *,
    style: str,
    script: str = "",
    heading: Heading | None = None,
) -> str:
    """An index page around its rows: the total number, the position of the page, the pager."""
    shown = heading or Heading(title="Homes to let", counted=advert_count(page.total))
    following = "" if page.last else f'<link rel="next" href="{brand.page(page.page + 1)}">\n'
    body = f"""<h1>{escape(shown.title)}</h1>
<div class="lead"><p class="count">{escape(shown.counted)}</p>
<p class="where">{shown.order}, page {page.page} of {page.pages}</p></div>
{rows if page.rows else '<p class="none">No adverts on this page.</p>'}
{_pager(brand, page)}
{script}"""
    head = f'<link rel="canonical" href="{brand.page(page.page)}">\n{following}'
    return html_document(brand, title=shown.title, body=body, style=style, head=head)


def listing_document(brand: SiteBrand, listing: Listing, body: str, *, style: str, script: str = "") -> str:
    """A listing's page around its facts."""
    head = f'<link rel="canonical" href="{brand.listing(listing)}">\n'
    return html_document(brand, title=listing.home.title, body=f"{body}\n{script}", style=style, head=head)


def item_list(page: ListingPage[Any], items: Sequence[Mapping[str, Any]], **more: str) -> dict[str, Any]:
    """An index page as schema.org tells lists: its rows in their order, and how many there are in all."""
    return {
        "@context": "https://schema.org",
        "@type": "ItemList",
        **more,
        "numberOfItems": page.total,
        "itemListElement": [
            {"@type": "ListItem", "position": position, "item": item}
            for position, item in enumerate(items, start=1)
        ],
    }


def json_script(value: Mapping[str, Any], attributes: str) -> str:
    """JSON in a script element, escaped so that it cannot end the element."""
    text = json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
    return f"<script {attributes}>{text}</script>"


def time_element(moment: datetime, kind: str) -> str:
    """A `<time>` element: text and `datetime`."""
    return f'<time class="{kind}" datetime="{iso_time(moment)}">{short_time(moment)}</time>'


def _pager(brand: SiteBrand, page: ListingPage[Any]) -> str:
    before = (
        f'<a class="prev" rel="prev" href="{brand.page(page.page - 1)}">Back</a>' if page.page > 1 else ""
    )
    after = "" if page.last else f'<a class="next" rel="next" href="{brand.page(page.page + 1)}">Next</a>'
    return f'<nav class="pager" aria-label="Pages">{before}{"".join(_numbers(brand, page))}{after}</nav>'


def _numbers(brand: SiteBrand, page: ListingPage[Any]) -> Iterator[str]:
    near = range(max(1, page.page - 2), min(page.pages, page.page + 2) + 1)
    numbers = sorted({1, page.pages, *near})
    for previous, number in zip([0, *numbers], numbers, strict=False):
        if number > previous + 1:
            yield '<span class="gap">…</span>'
        if number == page.page:
            yield f'<span class="here" aria-current="page">{number}</span>'
        else:
            yield f'<a href="{brand.page(number)}">{number}</a>'


def message_page(brand: SiteBrand, *, title: str, text: str) -> str:
    """A page with one sentence."""
    link = f'<p><a href="{brand.page(1)}">All adverts</a></p>'
    return html_document(brand, title=title, body=f"<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n{link}")

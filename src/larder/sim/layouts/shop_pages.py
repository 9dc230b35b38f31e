"""Pages of a simulated shop: with its facts as JSON-LD, or in plain HTML that is read by declared selectors.

The crossed-out price and the prices by quantity are beside the selling price, as traps for whoever reads.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts.document_frame import Heading, html_document, index_document, item_list, json_script
from larder.sim.shop import Offer
from larder.sim.wording import SiteBrand, decimal, slug

SELECTORS: Mapping[str, Any] = {
    "index": {
        "row": "article.good",
        "fields": {
            "title": "h2 a",
            "url": "h2 a@href",
            "price": ".now",
            "platform_id": "@data-id",
            "availability": ".stock",
            "brand": ".maker",
        },
        "next": "a.next@href",
        "total": ".count",
        "empty": ".none",
    },
    "detail": {
        "fields": {
            "title": "h1",
            "price": ".buy .now",
            "platform_id": "article.sheet@data-id",
            "availability": ".stock",
            "brand": ".maker",
            "sku": ".number",
            "gtin": ".ean",
            "mpn": ".mpn",
            "category": ".kind",
            "rating": {"css": ".stars", "regex": r"([\d.]+) of 5"},
            "review_count": {"css": ".stars", "regex": r"(\d+) reviews?"},
            "description": ".about",
            "images": {"css": "img.photo", "attr": "src", "many": True},
        },
    },
}

_STYLE = """
:root{--accent:#b45309}
.goods{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:1.1rem;margin-top:1.25rem}
.good{background:#fff;border:1px solid var(--line);border-radius:.8rem;padding:.9rem;
display:flex;flex-direction:column;gap:.25rem}
.good h2{font-size:1rem;line-height:1.35;margin:0}.good h2 a{color:var(--ink)}.good .buy{margin-top:auto}
.photo{aspect-ratio:1;border-radius:.6rem}.now{font-weight:700;font-size:1.2rem;white-space:nowrap}
.was{color:var(--soft);margin-left:.4rem}.maker,.kind{color:var(--soft);font-size:.9rem}
.stock{font-size:.9rem}.sheet{display:grid;grid-template-columns:minmax(0,2fr) minmax(16rem,3fr);gap:2rem}
.tiers{border-collapse:collapse;margin:.8rem 0}.tiers td{border:1px solid var(--line);padding:.25rem .7rem}
"""


def url(brand: SiteBrand, offer: Offer) -> str:
    """The URL of an offer's page."""
    return f"{brand.base}/product/{offer.platform_id}-{slug(offer.title)}"


def pictures(brand: SiteBrand, offer: Offer) -> list[str]:
    """The URLs of its pictures."""
    return [f"{brand.base}/image/{offer.platform_id}-{place}.png" for place in (1, 2)]


def euros_and_cents(cents: int) -> str:
    """`€ 1,249.95`."""
    return f"€ {cents // 100:,}.{cents % 100:02}"


def index(brand: SiteBrand, page: ListingPage[Offer], *, marked: bool) -> str:
    """An index page; `marked`: with JSON-LD."""
    rows = "\n".join(_tile(brand, offer) for offer in page.rows)
    heading = Heading(title="Everything we sell", counted=f"{page.total:,} products")
    script = json_script(item_list(page, [_brief(brand, row) for row in page.rows]), _KIND) if marked else ""
    return index_document(
        brand, page, f'<div class="goods">\n{rows}\n</div>', style=_STYLE, script=script, heading=heading
    )


def detail(brand: SiteBrand, offer: Offer, *, marked: bool) -> str:
    """A product's own page."""
    script = (
        json_script({"@context": "https://schema.org", **_product(brand, offer)}, _KIND) if marked else ""
    )
    images = "".join(f'<img class="photo" src="{where}" alt="">' for where in pictures(brand, offer))
    body = f"""<article class="sheet" data-id="{offer.platform_id}"><div>{images}</div>
<div><h1>{escape(offer.title)}</h1><p class="maker">{escape(offer.good.brand)}</p>{_stars(offer)}
{_buy(offer)}{_tiers(offer)}<p class="about">{escape(about(offer))}</p>
<dl class="facts"><dt>Range</dt><dd class="kind">{escape(offer.good.category)}</dd>
<dt>Number</dt><dd class="number">{offer.sku}</dd><dt>Maker's number</dt><dd class="mpn">{offer.good.mpn}</dd>
{f'<dt>EAN</dt><dd class="ean">{offer.gtin}</dd>' if offer.gtin else ""}</dl></div></article>
{script}"""
    head = f'<link rel="canonical" href="{url(brand, offer)}">\n'
    return html_document(brand, title=offer.title, body=body, style=_STYLE, head=head)


def about(offer: Offer) -> str:
    """The product's properties as the page shows them."""
    return f"{offer.good.praise} {offer.good.brand} {offer.good.model}, {offer.good.trait.written[0]}."


_KIND = 'type="application/ld+json"'


def _tile(brand: SiteBrand, offer: Offer) -> str:
    return (
        f'<article class="good" data-id="{offer.platform_id}">'
        f'<img class="photo" src="{pictures(brand, offer)[0]}" alt="" loading="lazy">'
        f'<h2><a href="{url(brand, offer)}">{escape(offer.title)}</a></h2>'
        f'<span class="maker">{escape(offer.good.brand)}</span>{_buy(offer)}</article>'
    )


def _buy(offer: Offer) -> str:
    was = f'<del class="was">{euros_and_cents(offer.was)}</del>' if offer.was else ""
    stock = "In stock" if offer.in_stock else "Sold out"
    price = f'<span class="now">{euros_and_cents(offer.price)}</span>'
    return f'<div class="buy">{price}{was} <span class="stock">{stock}</span></div>'


def _stars(offer: Offer) -> str:
    if offer.rating is None:
        return ""
    return f'<p class="stars">{offer.rating} of 5 from {offer.reviews} reviews</p>'


def _tiers(offer: Offer) -> str:
    rows = "".join(
        f"<tr><td>{tier.quantity}+</td><td>{euros_and_cents(tier.price)}</td></tr>" for tier in offer.tiers
    )
    return f'<table class="tiers">{rows}</table>' if rows else ""


def _brief(brand: SiteBrand, offer: Offer) -> dict[str, Any]:
    return {
        "@type": "Product",
        "productID": offer.platform_id,
        "name": offer.title,
        "url": url(brand, offer),
        "image": pictures(brand, offer),
        "brand": {"@type": "Brand", "name": offer.good.brand},
        "offers": {
            "@type": "Offer",
            "price": decimal(offer.price),
            "priceCurrency": "EUR",
            "availability": f"https://schema.org/{'InStock' if offer.in_stock else 'OutOfStock'}",
            **_crossed_out(offer),
        },
    }


def _crossed_out(offer: Offer) -> dict[str, Any]:
    if offer.was is None:
        return {}
    spec = {"@type": "UnitPriceSpecification", "priceType": "https://schema.org/StrikethroughPrice"}
    return {"priceSpecification": {**spec, "price": decimal(offer.was), "priceCurrency": "EUR"}}


def _product(brand: SiteBrand, offer: Offer) -> dict[str, Any]:
    codes = {"gtin13": offer.gtin} if offer.gtin else {}
    stars = {"@type": "AggregateRating", "ratingValue": offer.rating, "reviewCount": offer.reviews}
    return {
        **_brief(brand, offer),
        **codes,
        **({"aggregateRating": stars} if offer.rating is not None else {}),
        "sku": offer.sku,
        "mpn": offer.good.mpn,
        "category": offer.good.category,
        "description": about(offer),
    }

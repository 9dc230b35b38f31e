"""Pages as shop and agenda systems write them: each the smallest that has its system's habits. Made up."""

# ruff: noqa: E501 - pages are as wide as they are

from typing import Any, NamedTuple


class Shop(NamedTuple):
    """A page and what is on it."""

    html: str
    expected: dict[str, Any]


HEAD = "<!doctype html><html lang={lang}><head><title>Copper kettle – Corner</title>{head}</head><body>{nav}{body}"
NAV = "<header><a href=/>Corner</a><div class=mini-cart><span class=amount>€ 0,00</span></div></header>"
TITLE = "<h1 class='product_title entry-title'>Copper kettle</h1>"
RELATED = """<section class='related products'><h2>You may also like</h2><ul class=products>
<li class=product><h2>Tin mug</h2><span class=price>€ 4,50</span><a class=button>Add to cart</a></li>
<li class=product><h2>Tray</h2><span class=price>€ 9,00</span><a class=button>Add to cart</a></li>
<li class=product><h2>Spoon</h2><span class=price>€ 1,00</span><a class=button>Add to cart</a></li></ul></section>"""


def page(body: str, *, head: str = "", lang: str = "en") -> str:
    return HEAD.format(lang=lang, head=head, nav=NAV, body=body)


def money(amount: str) -> str:
    return (
        "<span class='woocommerce-Price-amount amount'><bdi>"
        f"<span class='woocommerce-Price-currencySymbol'>&euro;</span>{amount}</bdi></span>"
    )


SOLD = {"title": "Copper kettle", "price": "39.95", "currency": "EUR", "availability": "in_stock"}

SHOPS = {
    "woocommerce": Shop(
        page(
            f"<div class='product type-product'>{TITLE}<p class=price>{money('39,95')}</p>"
            "<p class='stock in-stock'>5 in stock</p><form class=cart><button name=add-to-cart value=7 "
            "class='single_add_to_cart_button button alt'>Add to cart</button></form><div class=product_meta>"
            "<span class=sku_wrapper>SKU: <span class=sku>CK-1200</span></span></div></div>" + RELATED
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "woocommerce sale": Shop(
        page(
            f"<div class=product>{TITLE}<p class=price><del aria-hidden=true>{money('49,00')}</del> "
            "<span class=screen-reader-text>Original price was: &euro;49,00.</span>"
            f"<ins aria-hidden=true>{money('39,95')}</ins>"
            "<span class=screen-reader-text>Current price is: &euro;39,95.</span></p>"
            "<form class=cart><button class='single_add_to_cart_button'>Add to cart</button></form></div>"
            + RELATED
        ),
        SOLD,
    ),
    "woocommerce sold out": Shop(
        page(
            f"<div class=product>{TITLE}<p class=price>{money('39,95')}</p>"
            f"<p class='stock out-of-stock'>Out of stock</p></div>{RELATED}"
        ),
        {**SOLD, "availability": "out_of_stock"},
    ),
    "woocommerce price specification": Shop(
        page(
            TITLE,
            head="""<script type="application/ld+json">{"@context":"https://schema.org/","@graph":[
            {"@type":"BreadcrumbList","itemListElement":[]},{"@type":"Product","name":"Copper kettle",
            "sku":1200,"offers":[{"@type":"Offer","priceSpecification":[
            {"@type":"UnitPriceSpecification","price":"49.00","priceCurrency":"EUR",
             "priceType":"https://schema.org/ListPrice"},
            {"@type":"UnitPriceSpecification","price":"39.95","priceCurrency":"EUR"}],
            "availability":"http://schema.org/InStock"}]}]}</script>""",
        ),
        {**SOLD, "sku": "1200"},
    ),
    "shopify meta": Shop(
        page(
            f"<div class=product-single>{TITLE}<span class=product-single__price>€39,95</span>"
            "<button type=submit name=add class=btn>Add to cart</button></div>",
            head="<meta property=og:price:amount content='39,95'><meta property=og:price:currency content=EUR>",
        ),
        SOLD,
    ),
    "shopify json in cents": Shop(
        page(
            f"<div class=product>{TITLE}</div><script type=application/json data-product-json>"
            '{"id":11,"title":"Copper kettle","handle":"copper-kettle","vendor":"Hearth","price":3995,'
            '"price_min":3995,"compare_at_price":4900,"available":true,"variants":[{"id":12,"sku":"CK-1200",'
            '"price":3995,"available":true}]}</script>'
        ),
        {"title": "Copper kettle", "price": "39.95", "availability": "in_stock", "sku": "CK-1200"},
    ),
    "magento": Shop(
        page(
            f"<div class=product-info-main>{TITLE}<div class=product-info-price><div class=price-box>"
            "<span class=special-price><span class='price-container price-final_price'>"
            "<span class=price-label>Special Price</span><span data-price-amount=39.95 "
            "data-price-type=finalPrice class=price-wrapper><span class=price>€39.95</span></span></span></span>"
            "<span class=old-price><span class=price-label>Regular Price</span><span data-price-amount=49 "
            "data-price-type=oldPrice class=price-wrapper><span class=price>€49.00</span></span></span></div>"
            "<div class='stock available'><span>In stock</span></div><div class='product attribute sku'>"
            "<strong class=type>SKU</strong> <div class=value>24-MB01</div></div></div>"
            "<button class='action primary tocart'><span>Add to Cart</span></button></div>" + RELATED
        ),
        {**SOLD, "sku": "24-MB01"},
    ),
    "prestashop": Shop(
        page(
            f"<section id=main>{TITLE}<div class=product-prices><div class=product-discount>"
            "<span class=regular-price>€49.00</span></div><div class=product-price><div class=current-price>"
            "<span class=current-price-value content=39.95>€39.95</span><span class='discount "
            "discount-percentage'>Save 18%</span></div></div><div class=tax-shipping-delivery-label>Tax included"
            "</div></div><button class='btn add-to-cart'>Add to cart</button><span id=product-availability>"
            "In stock</span><div class=product-reference><label class=label>Reference </label>"
            "<span>demo_12</span></div></section>"
        ),
        {**SOLD, "sku": "demo_12"},
    ),
    "opencart": Shop(
        page(
            f"<div id=content>{TITLE}<ul class=list-unstyled><li>Brand: <a>Hearth</a></li>"
            "<li>Product Code: CK-1200</li><li>Availability: In Stock</li></ul><ul class=list-unstyled>"
            "<li><h2>€39.95</h2></li><li>Ex Tax: €33.02</li></ul>"
            "<button id=button-cart>Add to Cart</button></div>"
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "bigcommerce": Shop(
        page(
            f"<div class=productView>{TITLE}<div class='price-section price-section--withTax non-sale-price--withTax'>"
            "Was: <span data-product-non-sale-price-with-tax class='price price--non-sale'>€49.00</span></div>"
            "<div class=price-section><span data-product-price-with-tax class='price price--withTax'>€39.95"
            "</span></div><dl class=productView-info><dt class='productView-info-name sku-label'>SKU:</dt>"
            "<dd class=productView-info-value data-product-sku>CK-1200</dd></dl>"
            "<input type=submit id=form-action-addToCart value='Add to Cart'></div>"
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "wix": Shop(
        page(
            "<div><h1 data-hook=product-title>Copper kettle</h1><div data-hook=sku>SKU: CK-1200</div>"
            "<div data-hook=product-price><span data-hook=formatted-primary-price>€39.95</span></div>"
            "<button data-hook=add-to-cart>Add to Cart</button></div>"
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "squarespace": Shop(
        page(
            f"<article class=ProductItem>{TITLE}<div class=product-price><span class=sqs-money-native>39.95</span>"
            "</div><div class=sqs-add-to-cart-button role=button>Add To Cart</div></article>",
            head="<meta property=product:price:amount content=39.95>"
            "<meta property=product:price:currency content=EUR><meta property=product:availability content=instock>",
        ),
        SOLD,
    ),
    "shopware": Shop(
        page(
            f"<div class=product-detail>{TITLE}<p class=product-detail-price>39,95&nbsp;€*</p>"
            "<p class=product-detail-tax>Preise inkl. MwSt. zzgl. Versandkosten</p>"
            "<p class='delivery-information delivery-available'>Sofort verfügbar, Lieferzeit: 2-5 Tage</p>"
            "<button class='btn btn-buy'>In den Warenkorb</button><div class=product-detail-ordernumber-container>"
            "<span class=product-detail-ordernumber-label>Produktnummer:</span> "
            "<span class=product-detail-ordernumber>SW10001</span></div></div>",
            lang="de",
        ),
        {**SOLD, "sku": "SW10001"},
    ),
    "raised cents": Shop(
        page(
            f"<main>{TITLE}<div class=price-block><span class=price>€ 39<sup>95</sup></span></div>"
            "<button>In winkelwagen</button><p>Artikelnummer 4411882</p></main>",
            lang="nl",
        ),
        {**SOLD, "sku": "4411882"},
    ),
    "cents in a span": Shop(
        page(
            f"<main>{TITLE}<div class=product-price><span class=price__integer>39</span>"
            "<span class=price__separator>,</span><span class=price__decimals>95</span>"
            "<span class=price__currency>€</span></div><button>In den Warenkorb</button></main>",
            lang="de",
        ),
        SOLD,
    ),
    "twitter card": Shop(
        page(
            f"<main>{TITLE}<button>Buy now</button></main>",
            head="<meta name=twitter:label1 content=Price><meta name=twitter:data1 content='€39.95'>"
            "<meta name=twitter:label2 content=Availability><meta name=twitter:data2 content='In stock'>",
        ),
        SOLD,
    ),
    "data layer": Shop(
        page(
            f"<main>{TITLE}<button>Add to basket</button></main><script>dataLayer.push({{'event':'view_item',"
            "'ecommerce':{'currency':'EUR','value':39.95,'items':[{'item_id':'CK-1200',"
            "'item_name':'Copper kettle','price':39.95}]}});</script>"
        ),
        {"title": "Copper kettle", "price": "39.95", "availability": "in_stock", "sku": "CK-1200"},
    ),
    "enhanced ecommerce": Shop(
        page(
            f"<main>{TITLE}<button>Add to basket</button></main><script>dataLayer = [{{'ecommerce':{{"
            "'currencyCode':'EUR','detail':{'products':[{'name':'Copper kettle','id':'CK-1200',"
            "'price':'39.95','brand':'Hearth'}]}}}];</script>"
        ),
        {"title": "Copper kettle", "price": "39.95", "availability": "in_stock", "brand": "Hearth"},
    ),
    "data attributes": Shop(
        page(
            f"<div class=product data-product-sku=CK-1200 data-price=39.95 data-currency=EUR>{TITLE}"
            "<button class=add-to-cart>Add to cart</button></div>"
        ),
        {"title": "Copper kettle", "price": "39.95", "sku": "CK-1200"},
    ),
    "a table of facts": Shop(
        page(
            f"<main>{TITLE}<p class=price>€ 39,95</p><p>Sofort lieferbar</p><table>"
            "<tr><th>Hersteller</th><td>Hearth</td></tr><tr><th>Art.-Nr.</th><td>12-4478</td></tr></table></main>",
            lang="de",
        ),
        {**SOLD, "sku": "12-4478"},
    ),
    "definition list": Shop(
        page(
            f"<main>{TITLE}<p class=our_price>Our price: $39.95</p><p class=list_price>List price: $49.00</p>"
            "<dl><dt>Item #</dt><dd>AB-4478</dd></dl><a class=btn>Add to bag</a></main>"
        ),
        {"title": "Copper kettle", "price": "39.95", "currency": "USD", "sku": "AB-4478"},
    ),
    "back soon": Shop(
        page(
            f"<main>{TITLE}<p class=price>€ 39,95</p><button disabled>Sold out</button>"
            "<button class=notify>Notify me when available</button></main>"
        ),
        {**SOLD, "availability": "out_of_stock"},
    ),
    "french": Shop(
        page(
            f"<main>{TITLE}<div class=prix>39,95 €</div><p>Réf. : CK1200</p><p class=dispo>En stock</p>"
            "<button>Ajouter au panier</button></main>",
            lang="fr",
        ),
        {**SOLD, "sku": "CK1200"},
    ),
    "product group": Shop(
        page(
            TITLE,
            head="""<script type="application/ld+json">{"@context":"https://schema.org",
            "@type":"ProductGroup","name":"Copper kettle","productGroupID":"CK","hasVariant":[
            {"@type":"Product","sku":"CK-1","name":"Copper kettle, 1 l","offers":{"@type":"Offer",
             "price":39.95,"priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}},
            {"@type":"Product","sku":"CK-2","name":"Copper kettle, 2 l","offers":{"@type":"Offer",
             "price":39.95,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}]}</script>""",
        ),
        SOLD,
    ),
    "microdata in a sale": Shop(
        page(
            "<div itemscope itemtype=http://schema.org/Product><h1 itemprop=name>Copper kettle</h1>"
            "<meta itemprop=sku content=CK-1200><div itemprop=offers itemscope itemtype=http://schema.org/Offer>"
            "<s>€ 49,00</s><span itemprop=price content=39.95>€ 39,95</span>"
            "<meta itemprop=priceCurrency content=EUR><link itemprop=availability href=http://schema.org/InStock>"
            "</div></div>" + RELATED
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "rdfa": Shop(
        page(
            "<div vocab=https://schema.org/ typeof=Product><h1 property=name>Copper kettle</h1>"
            "<span property=sku>CK-1200</span><div property=offers typeof=Offer><span property=priceCurrency "
            "content=EUR>€</span><span property=price content=39.95>39,95</span>"
            "<link property=availability href=https://schema.org/InStock></div></div>"
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "next data": Shop(
        page(
            f"<main>{TITLE}</main><script id=__NEXT_DATA__ type=application/json>"
            '{"props":{"pageProps":{"product":{"name":"Copper kettle","sku":"CK-1200","price":{"current":'
            '{"value":39.95,"currency":"EUR"},"previous":{"value":49.0,"currency":"EUR"}},"inStock":true}}}}'
            "</script>"
        ),
        {**SOLD, "sku": "CK-1200"},
    ),
    "unit price beside it": Shop(
        page(
            f"<main>{TITLE}<div class=price>39,95 €</div><div class=base-price>79,90 € / kg</div>"
            "<p class=shipping-price>Versand 4,95 €</p><button>In den Warenkorb</button></main>",
            lang="de",
        ),
        SOLD,
    ),
    "was and now": Shop(
        page(f"<main>{TITLE}<p class=price>Was £49.00, now £39.95</p><button>Add to basket</button></main>"),
        {"title": "Copper kettle", "price": "39.95", "currency": "GBP"},
    ),
}


class Agenda(NamedTuple):
    """A page of events and what is on it: title and start, in order."""

    html: str
    expected: list[tuple[str, str]]


NIGHTS = [
    ("Blue Hour", 14, "Sat", "za", "Sa"),
    ("The Tin Men", 15, "Sun", "zo", "So"),
    ("Silk Road", 20, "Fri", "vr", "Fr"),
]
LATER = [(f"{title}", f"2026-03-{day}T20:30") for title, day, *_ in NIGHTS]
DAYS = [(title, start[:10]) for title, start in LATER]


def each(row: str, *, lang: str = "en", around: str = "{}") -> str:
    """An agenda whose rows are all alike."""
    rows = "".join(
        row.format(title=title, day=day, en=en, nl=nl, de=de, slug=title.lower().replace(" ", "-"))
        for title, day, en, nl, de in NIGHTS
    )
    return (
        f"<!doctype html><html lang={lang}><title>Agenda – The Hall</title><body><header><nav><a href=/>Home</a>"
        f"<a href=/agenda>Agenda</a></nav></header><main><h1>Agenda</h1>{around.format(rows)}</main>"
        "<footer>© 2026 The Hall, founded 1 May 1998</footer>"
    )


AGENDAS = {
    "the events calendar": Agenda(
        each(
            "<article class=tribe-events-calendar-list__event><div class=tribe-events-calendar-list__event-details>"
            "<time class=tribe-events-calendar-list__event-datetime datetime=2026-03-{day}>"
            "<span class=tribe-event-date-start>March {day} @ 8:30 pm</span> - <span class=tribe-event-time>"
            "10:00 pm</span></time><h3 class=tribe-events-calendar-list__event-title>"
            "<a href=/event/{slug}/>{title}</a></h3></div></article>"
        ),
        LATER,
    ),
    "drupal views": Agenda(
        each(
            "<div class=views-row><div class=views-field-title><a href=/node/{day}>{title}</a></div>"
            "<span class=date-display-single content=2026-03-{day}T20:30:00+00:00>{en}, 03/{day}/2026 - 20:30"
            "</span></div>"
        ),
        LATER,
    ),
    "json-ld list": Agenda(
        each(
            '<script type="application/ld+json">{{"@context":"https://schema.org","@type":"MusicEvent",'
            '"name":"{title}","startDate":"2026-03-{day}T20:30:00+00:00","location":{{"@type":"Place",'
            '"name":"The Hall","address":"Quay 1"}},"url":"https://hall.example/{slug}"}}</script>'
            "<a href=/{slug}>{title}</a>"
        ),
        LATER,
    ),
    "dutch cards": Agenda(
        each(
            "<a class=card href=/agenda/{slug}><div class=date><span class=weekday>{nl}</span> "
            "<span class=day>{day}</span> <span class=month>mrt</span></div><h2>{title}</h2>"
            "<p>Grote zaal · aanvang 20.30 uur</p><span class=btn>Tickets</span></a>",
            lang="nl",
        ),
        LATER,
    ),
    "dutch table": Agenda(
        each(
            "<tr><td>{nl} {day} maart 2026</td><td>20:30</td><td><a href=/v/{slug}>{title}</a></td>"
            "<td><a href=/k/{slug}>Bestel</a></td></tr>",
            lang="nl",
            around="<table>{}</table>",
        ),
        LATER,
    ),
    "german list": Agenda(
        each(
            "<li><p class=termin>{de}, {day}.03.2026, 20:30 Uhr</p><p class=titel><a href=/p/{slug}>{title}</a></p>"
            "<p>Eintritt: 12 €</p></li>",
            lang="de",
            around="<ul class=programm>{}</ul>",
        ),
        LATER,
    ),
    "microdata": Agenda(
        each(
            "<div itemscope itemtype=http://schema.org/Event><a itemprop=url href=/e/{slug}><span itemprop=name>"
            "{title}</span></a><meta itemprop=startDate content=2026-03-{day}T20:30><div itemprop=location "
            "itemscope itemtype=http://schema.org/Place><span itemprop=name>The Hall</span></div></div>"
        ),
        LATER,
    ),
    "headings with a date below": Agenda(
        each(
            "<section><h3>{title}</h3><p><strong>{en} {day} March 2026, 8:30pm</strong></p>"
            "<p>An evening to remember.</p><a href=/more/{slug}>More</a></section>"
        ),
        LATER,
    ),
    "dates as headings": Agenda(
        each("<h4>{en} {day} March 2026</h4><ul><li>20:30 <a href=/e/{slug}>{title}</a></li></ul>"),
        DAYS,
    ),
    "state of an app": Agenda(
        each("<div class=skeleton></div>")
        + "<script>window.__STATE__ = "
        + '{"events":['
        + ",".join(f'{{"title":"{t}","start_date":"{s}:00","url":"/e/{s}"}}' for t, s in LATER)
        + "]};</script>",
        LATER,
    ),
    "time elements": Agenda(
        each(
            "<article><time datetime=2026-03-{day}T20:30>{day} Mar</time><h2><a href=/e/{slug}>{title}</a></h2>"
            "</article>"
        ),
        LATER,
    ),
}

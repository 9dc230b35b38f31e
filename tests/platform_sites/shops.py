"""Shops after the structure of WooCommerce, Shopify, Magento and PrestaShop."""

import json
from decimal import Decimal

from tests.platform_sites.shape import IndexView, Thing, by_query, comma, numbered
from tests.platform_sites.shop_parts import FOOTER, header, shop


def _woo_index(view: IndexView) -> str:
    first = (view.number - 1) * 12 + 1
    rows = "".join(_woo_row(thing) for thing in view.things)
    numbers = view.numbers(
        '<li><span aria-current="page" class="page-numbers current">{n}</span></li>',
        '<li><a class="page-numbers" href="/shop/page/{n}/">{n}</a></li>',
    )
    after = view.unless_last(
        f'<li><a class="next page-numbers" href="/shop/page/{view.number + 1}/">→</a></li>'
    )
    return (
        f'{header("Cart", "£0.00")}<main><h1 class="page-title">Shop</h1><p class="woocommerce-result-count">'
        f"Showing {first}–{first + len(view.things) - 1} of {view.total} results</p>"
        f'<ul class="products columns-4">{rows}</ul>'
        f'<nav class="woocommerce-pagination"><ul class="page-numbers">{numbers}{after}</ul></nav></main>{FOOTER}'
    )


def _woo_price(thing: Thing) -> str:
    price = f'<span class="woocommerce-Price-amount amount"><bdi><span>£</span>{thing.price:.2f}</bdi></span>'
    if thing.number % 5:
        return f'<span class="price">{price}</span>'
    was = f'<del><span class="amount"><bdi>£{(thing.price or 0) + Decimal(10):.2f}</bdi></span></del>'
    return f'<span class="price">{was} <ins>{price}</ins></span>'


def _woo_row(thing: Thing) -> str:
    sale = '<span class="onsale">Sale!</span>' if thing.number % 5 == 0 else ""
    action = "Add to basket" if thing.in_stock else "Read more"
    return (
        f'<li class="product type-product post-{thing.number} {"instock" if thing.in_stock else "outofstock"}">'
        f'<a href="/product/{thing.slug}/" class="woocommerce-LoopProduct-link"><img src="/i/{thing.number}.jpg" alt="">'
        f'{sale}<h2 class="woocommerce-loop-product__title">{thing.name}</h2>{_woo_price(thing)}</a>'
        f'<a href="?add-to-cart={thing.number}" class="button">{action}</a></li>'
    )


def _woo_detail(thing: Thing) -> str:
    stock = (
        '<p class="stock in-stock">In stock</p><form class="cart"><button type="submit" name="add-to-cart" '
        f'value="{thing.number}" class="single_add_to_cart_button button">Add to basket</button></form>'
        if thing.in_stock
        else '<p class="stock out-of-stock">Out of stock</p>'
    )
    return (
        f'{header("Cart", "£0.00")}<main><div class="product type-product"><h1 class="product_title entry-title">'
        f'{thing.name}</h1><p class="price">{_woo_price(thing)}</p><div class="short-description"><p>Made to last.'
        f'</p></div>{stock}<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">W{thing.number:04}'
        f'</span></span></div></div><section class="related products"><h2>Related products</h2><ul class="products">'
        f'<li class="product"><a href="/product/other-1/"><h2>Other thing</h2><span class="price">£3.00</span></a></li>'
        f"</ul></section></main>{FOOTER}"
    )


def _shopify_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="grid__item"><div class="card-wrapper"><div class="card__information"><h3 class="card__heading">'
        f'<a href="/products/{t.slug}" class="full-unstyled-link">{t.name}</a></h3><div class="price">'
        f'<span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">${t.price:.2f} USD'
        f"</span></div>{'' if t.in_stock else '<span class=badge>Sold out</span>'}</div></div></li>"
        for t in view.things
    )
    after = (
        f'<li><a href="/collections/all?page={view.number + 1}" class="pagination__item--prev" aria-label="Next page">'
        "<svg></svg></a></li>"
        if view.number < view.pages
        else ""
    )
    return (
        f'{header("Cart", "$0.00")}<main><h1>Products</h1><p class="product-count">{view.total} products</p>'
        f'<ul id="product-grid" class="grid product-grid">{rows}</ul><nav class="pagination" aria-label="Pagination">'
        f"<ul>{after}</ul></nav></main>{FOOTER}"
    )


def _shopify_detail(thing: Thing) -> str:
    offer = {
        "@type": "Offer",
        "price": f"{thing.price:.2f}",
        "priceCurrency": "USD",
        "availability": f"http://schema.org/{'InStock' if thing.in_stock else 'OutOfStock'}",
    }
    node = {
        "@context": "http://schema.org/",
        "@type": "Product",
        "name": thing.title,
        "sku": f"S-{thing.number}",
        "offers": [offer],
    }
    button = (
        '<button type="submit" name="add">Add to cart</button>'
        if thing.in_stock
        else '<button type="submit" name="add" disabled>Sold out</button>'
    )
    return (
        f'<script type="application/ld+json">{json.dumps(node)}</script>{header("Cart", "$0.00")}<main><product-info>'
        f'<h1>{thing.name}</h1><span class="price-item">${thing.price:.2f} USD</span><form>{button}</form></product-info>'
        f"</main>{FOOTER}"
    )


def _magento_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="item product product-item"><div class="product-item-info"><a href="/{t.slug}.html" '
        f'class="product photo product-item-photo"><img src="/m/{t.number}.jpg" alt="{t.name}"></a>'
        f'<strong class="product name product-item-name"><a class="product-item-link" href="/{t.slug}.html">{t.name}</a>'
        f'</strong><div class="price-box"><span class="price-label">Sonderangebot</span><span class="price">'
        f'{comma(t.price)}&nbsp;€</span></div><div class="actions-primary">{_magento_action(t)}</div></div></li>'
        for t in view.things
        if t.price is not None
    )
    numbers = "".join(
        f'<li class="item"><a href="/wohnen.html?p={n}" class="page"><span class="label">Seite</span><span>{n}</span></a></li>'
        for n in range(1, view.pages + 1)
        if n != view.number
    )
    after = (
        f'<li class="item pages-item-next"><a class="action next" href="/wohnen.html?p={view.number + 1}" title="Weiter">'
        "<span>Weiter</span></a></li>"
        if view.number < view.pages
        else ""
    )
    first = (view.number - 1) * 9 + 1
    return (
        f'{header("Warenkorb", "0,00 €")}<main><h1>Wohnen</h1><p class="toolbar-amount">Artikel '
        f'<span class="toolbar-number">{first}</span>-<span class="toolbar-number">{first + len(view.things) - 1}</span>'
        f' von <span class="toolbar-number">{view.total}</span></p><ol class="products list items product-items">{rows}</ol>'
        f'<div class="pages"><ul class="items pages-items">{numbers}{after}</ul></div></main>{FOOTER}'
    )


def _magento_action(thing: Thing) -> str:
    if thing.in_stock:
        return '<button type="button" class="action tocart">In den Warenkorb</button>'
    return '<div class="stock unavailable"><span>Nicht auf Lager</span></div>'


def _magento_detail(thing: Thing) -> str:
    stock = (
        '<div class="stock available"><span>Auf Lager</span></div><form><button class="action primary tocart">'
        "In den Warenkorb</button></form>"
        if thing.in_stock
        else '<div class="stock unavailable"><span>Nicht auf Lager</span></div>'
    )
    price = comma(thing.amount)
    return (
        f'{header("Warenkorb", "0,00 €")}<main><h1 class="page-title"><span class="base">{thing.name}</span></h1>'
        f'<div class="product-info-main"><div class="price-box"><span class="price">{price}&nbsp;€</span></div>'
        f'<div class="tax">inkl. 19 % MwSt.</div>{stock}<div class="sku">Artikelnummer: <span>M{thing.number:05}</span>'
        f"</div></div></main>{FOOTER}"
    )


def _presta_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="product-miniature" data-id-product="{t.number}"><a href="/maison/{t.slug}.html" class="thumbnail">'
        f'<img src="/p/{t.number}.jpg" alt=""></a><h3 class="h3 product-title"><a href="/maison/{t.slug}.html">{t.name}</a></h3>'
        f'<div class="product-price-and-shipping"><span class="price" aria-label="Prix">{comma(t.price)} €</span></div>'
        f"{'' if t.in_stock else '<ul class=product-flags><li>Rupture de stock</li></ul>'}</article>"
        for t in view.things
        if t.price is not None
    )
    after = view.unless_last(
        f'<li><a rel="next" href="/3-maison?page={view.number + 1}" class="next js-search-link">Suivant</a></li>'
    )
    return (
        f'{header("Panier", "0,00 €")}<main><h1>Maison</h1><p>Il y a {view.total} produits.</p><section id="products">'
        f'<div class="products">{rows}</div><nav class="pagination"><ul class="page-list">{after}</ul></nav></section>'
        f"</main>{FOOTER}"
    )


def _presta_detail(thing: Thing) -> str:
    stock = "InStock" if thing.in_stock else "OutOfStock"
    button = (
        '<button class="btn add-to-cart">Ajouter au panier</button>'
        if thing.in_stock
        else '<span id="product-availability">Rupture de stock</span><button class="add-to-cart" disabled>Ajouter au panier</button>'
    )
    return (
        f'{header("Panier", "0,00 €")}<main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">{thing.name}'
        f'</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><link itemprop="availability" '
        f'href="https://schema.org/{stock}"><meta itemprop="priceCurrency" content="EUR"><span class="current-price" '
        f'itemprop="price" content="{thing.price}">{comma(thing.amount)} €</span></div><div class="product-add-to-cart">{button}</div>'
        f"</main>{FOOTER}"
    )


SHOPS = (
    shop(
        "woocommerce", "GBP", "en-GB", 40, path="/shop/", per_page=12,
        page_of=numbered("/shop/page/", "/", first="/shop/"), index=_woo_index, detail=_woo_detail,
        detail_path=lambda t: f"/product/{t.slug}/",
    ),
    shop(
        "shopify", "USD", "en", 34, path="/collections/all", per_page=10, beyond="empty",
        page_of=by_query("page", path="/collections/all"), index=_shopify_index, detail=_shopify_detail,
        detail_path=lambda t: f"/products/{t.slug}",
    ),
    shop(
        "magento", "EUR", "de", 31, path="/wohnen.html", per_page=9, beyond="last",
        page_of=by_query("p", path="/wohnen.html"), index=_magento_index, detail=_magento_detail,
        detail_path=lambda t: f"/{t.slug}.html",
    ),
    shop(
        "prestashop", "EUR", "fr", 27, path="/3-maison", per_page=12, beyond="empty",
        page_of=by_query("page", path="/3-maison"), index=_presta_index, detail=_presta_detail,
        detail_path=lambda t: f"/maison/{t.slug}.html",
    ),
)  # fmt: skip

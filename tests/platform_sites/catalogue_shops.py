"""Shops after the structure of OpenCart, Zen Cart and Odoo: tax-free amounts, tables, quantity prices."""

from collections.abc import Mapping
from decimal import Decimal

from tests.platform_sites.shape import IndexView, Thing, comma, numbered
from tests.platform_sites.shop_parts import shop

_TAX = Decimal("1.2")
_OPENCART_HEAD = (
    '<nav id="top"><form><a href="#">£ Currency</a><ul><li><button name="EUR">€ Euro</button></li></ul></form></nav>'
    '<header><div id="cart"><button class="btn"><span id="cart-total">0 item(s) - £0.00</span></button></div></header>'
    '<nav id="menu"><ul><li><a href="/index.php?route=product/category&amp;path=18">Kitchen (3)</a></li></ul></nav>'
)
_OPENCART_SIDE = (
    '<aside id="column-left"><div class="list-group"><a class="list-group-item" href="/index.php?route=product/category&amp;path=20">'
    'Home (31)</a><a class="list-group-item" href="/index.php?route=product/category&amp;path=26">Garden (0)</a></div></aside>'
)


def _opencart_row(thing: Thing) -> str:
    price, address = (
        thing.amount,
        f"/index.php?route=product/product&amp;path=20&amp;product_id={thing.number + 40}",
    )
    tax = f'<span class="price-tax">Ex Tax: £{price / _TAX:.2f}</span>'
    special = f'<span class="price-new">£{price:.2f}</span> <span class="price-old">£{price + 20:.2f}</span>'
    return (
        f'<div class="product-layout"><div class="product-thumb"><div class="image"><a href="{address}"><img src="/i/{thing.number}.jpg" '
        f'alt="{thing.name}"></a></div><div class="caption"><h4><a href="{address}">{thing.name}</a></h4><p>Made for every day ..</p>'
        f'<div class="price">{special if thing.number % 4 == 0 else f"£{price:.2f}"} {tax}</div></div><div class="button-group">'
        f'<button type="button" onclick="cart.add({thing.number})">Add to Cart</button><button title="Compare this Product"></button></div></div></div>'
    )


def _opencart_index(view: IndexView) -> str:
    path = "/index.php?route=product/category&amp;path=20"
    first = (view.number - 1) * 9 + 1
    numbers = "".join(
        f'<li class="active"><span>{n}</span></li>'
        if n == view.number
        else f'<li><a href="{path}&amp;page={n}">{n}</a></li>'
        for n in range(1, view.pages + 1)
    )
    after = view.unless_last(
        f'<li><a href="{path}&amp;page={view.number + 1}">&gt;</a></li><li><a href="{path}&amp;page={view.pages}">&gt;|</a></li>'
    )
    return (
        f'{_OPENCART_HEAD}<div id="product-category"><div class="row">{_OPENCART_SIDE}<div id="content"><h2>Home</h2><label>Show:</label>'
        f'<select><option>9</option><option>25</option></select><div class="row">{"".join(map(_opencart_row, view.things))}</div>'
        f'<ul class="pagination">{numbers}{after}</ul><div>Showing {first} to {first + len(view.things) - 1} of {view.total} '
        f"({view.pages} Pages)</div></div></div></div>"
    )


def _opencart_detail(thing: Thing) -> str:
    price = thing.amount
    former = (
        f'<li><span style="text-decoration: line-through;">£{price + 20:.2f}</span></li>'
        if thing.number % 4 == 0
        else ""
    )
    return (
        f'{_OPENCART_HEAD}<div id="product-product"><div class="row">{_OPENCART_SIDE}<div id="content"><div class="row"><div class="col-sm-4">'
        f'<h1>{thing.name}</h1><ul class="list-unstyled"><li>Brand: <a href="/index.php?route=product/manufacturer&amp;id=8">Norr</a></li>'
        f"<li>Product Code: product {thing.number}</li><li>Availability: {'In Stock' if thing.in_stock else 'Out Of Stock'}</li></ul>"
        f'<ul class="list-unstyled">{former}<li><h2>£{price:.2f}</h2></li><li>Ex Tax: £{price / _TAX:.2f}</li><li>10 or more '
        f'£{price - 2:.2f}</li></ul><div id="product"><button type="button" id="button-cart" class="btn">Add to Cart</button></div></div></div>'
        f'<h3>Related Products</h3><div class="product-thumb"><h4><a href="/index.php?route=product/product&amp;product_id=1">Bench</a></h4>'
        f'<p class="price">£100.00</p></div></div></div></div>'
    )


def _zencart_price(thing: Thing) -> str:
    price = thing.amount
    if thing.number % 3:
        return f'<span class="productBasePrice">${price:.2f}</span>'
    return (
        f'<span class="normalprice">${price + 10:.2f} </span>&nbsp;<span class="productSpecialPrice">${price:.2f}</span>'
        '<span class="productPriceDiscount"><br>Save:&nbsp;12% off</span>'
    )


def _zencart_index(view: IndexView) -> str:
    path, first = "/index.php?main_page=index&amp;cPath=1", (view.number - 1) * 10 + 1
    rows = "".join(
        f'<tr class="productListing-odd"><td><a href="/index.php?main_page=product_info&amp;cPath=1&amp;products_id={t.number}">'
        f'<img src="/{t.number}.gif" alt="{t.name}"></a></td><td><h3 class="itemTitle"><a href="/index.php?main_page=product_info&amp;cPath=1'
        f'&amp;products_id={t.number}">{t.name}</a></h3></td><td align="right">{_zencart_price(t)}<br>'
        f"{'Add: <input name=q value=0 size=4>' if t.in_stock else '<img src=/sold_out.gif alt=&quot;Sold Out&quot;>'}</td></tr>"
        for t in view.things
    )
    pager = " ".join(
        f'<strong class="current">{n}</strong>'
        if n == view.number
        else f'<a href="{path}&amp;page={n}">{n}</a>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<table width=100%><tr><td id="navColumnOne"><h3>Categories</h3><a href="/index.php?main_page=index&amp;cPath=2">Software</a> (4)'
        f'<h3>Bestsellers</h3><ol><li><a href="/index.php?main_page=product_info&amp;products_id=901">Lamp</a> $299.99</li></ol></td><td>'
        f'<h1 id="productListHeading">Hardware</h1><div class="navSplitPagesResult">Displaying <b>{first}</b> to <b>'
        f'{first + len(view.things) - 1}</b> (of <b>{view.total}</b> products)</div><div class="navSplitPagesLinks">{pager}</div>'
        f'<table><tr class="productListing-rowheading"><th>Image</th><th>Item</th><th>Price</th></tr>{rows}</table></td></tr></table>'
    )


def _zencart_detail(thing: Thing) -> str:
    buy = (
        'Add to Cart: <input name="cart_quantity" value="1"><input type="image" alt="Add to Cart" title=" Add to Cart ">'
        if thing.in_stock
        else '<img src="/sold_out.gif" alt="Sold Out" title=" Sold Out ">'
    )
    return (
        f'<form><h1 id="productName" class="productGeneral">{thing.name}</h1><h2 id="productPrices" class="productGeneral">'
        f'{_zencart_price(thing)}</h2><ul id="productDetailsList"><li>Model: ZC-{thing.number:03}</li><li>{4 * thing.in_stock} Units in Stock'
        f'</li></ul><div id="cartAdd">{buy}</div><p>This product was added to our catalog on Tuesday 02 January, 2024.</p></form>'
    )


def _odoo_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="oe_product"><form itemscope itemtype="http://schema.org/Product"><a itemprop="url" href="/shop/{t.slug}?category=3">'
        f'<img src="/web/image/{t.number}" alt="{t.name}"></a><h6><a itemprop="name" href="/shop/{t.slug}?category=3">{t.name}</a></h6>'
        f'<div class="product_price" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span>€&nbsp;<span class="oe_currency_value">'
        f'{comma(t.amount)}</span></span><span itemprop="price" style="display:none">{t.price}</span><span itemprop="priceCurrency" '
        f'style="display:none">EUR</span></div></form></div>'
        for t in view.things
    )
    numbers = "".join(
        f'<li class="page-item {"active" if n == view.number else ""}"><a class="page-link" href="/shop{f"/page/{n}" if n > 1 else ""}?category=3">'
        f"{n}</a></li>"
        for n in range(1, view.pages + 1)
    )
    return (
        f'<header><nav><a href="/">Start</a><a href="/shop/cart">Mijn mandje <sup>0</sup></a></nav></header><main><h1>Meubelen</h1>'
        f'<div id="products_grid">{rows}<ul class="pagination">{numbers}</ul></div></main>'
    )


def _odoo_detail(thing: Thing) -> str:
    buy = (
        '<a role="button" id="add_to_cart" href="#" class="btn a-submit">In winkelmandje</a>'
        if thing.in_stock
        else '<div class="availability_messages"><div class="text-danger">Niet op voorraad</div></div>'
    )
    return (
        f'<main><section itemscope itemtype="http://schema.org/Product" id="product_detail"><h1 itemprop="name">{thing.name}</h1>'
        f'<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><h3>€&nbsp;<span class="oe_currency_value">'
        f'{comma(thing.amount)}</span><span itemprop="price" style="display:none">{thing.price}</span><span itemprop="priceCurrency" '
        f'style="display:none">EUR</span></h3></div>{buy}</section></main>'
    )


def _opencart_page(path: str, query: Mapping[str, str]) -> int | None:
    here = path == "/index.php" and query.get("route") == "product/category" and query.get("path") == "20"
    return int(query.get("page", "1")) if here else None


def _zencart_page(path: str, query: Mapping[str, str]) -> int | None:
    here = path == "/index.php" and query.get("main_page") == "index" and query.get("cPath") == "1"
    return int(query.get("page", "1")) if here else None


CATALOGUE_SHOPS = (
    shop(
        "opencart", "GBP", "en-GB", 31, path="/index.php?route=product/category&path=20", per_page=9, beyond="empty",
        page_of=_opencart_page, index=_opencart_index, detail=_opencart_detail,
        detail_path=lambda t: f"/index.php?route=product/product&product_id={t.number + 40}",
    ),
    shop(
        "zencart", "USD", "en", 34, path="/index.php?main_page=index&cPath=1", per_page=10, beyond="last",
        page_of=_zencart_page, index=_zencart_index, detail=_zencart_detail,
        detail_path=lambda t: f"/index.php?main_page=product_info&products_id={t.number}",
    ),
    shop(
        "odoo", "EUR", "nl", 42, path="/shop", per_page=20, beyond="last",
        page_of=numbered("/shop/page/", "", first="/shop"), index=_odoo_index, detail=_odoo_detail,
        detail_path=lambda t: f"/shop/{t.slug}",
    ),
)  # fmt: skip

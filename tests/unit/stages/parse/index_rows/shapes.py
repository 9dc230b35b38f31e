"""Index pages as shops, classifieds and forums build them, made up for tests: six things each."""
# ruff: noqa: E501

from collections.abc import Callable, Mapping
from dataclasses import dataclass

THINGS = (
    ("Red bicycle, barely used", "149,00", "red-bicycle-barely-used"),
    ("Oak kitchen table", "280,00", "oak-kitchen-table"),
    ("Camera with two lenses", "1.050,00", "camera-with-two-lenses"),
    ("Set of garden chairs", "75,50", "set-of-garden-chairs"),
    ("Wool winter coat size 42", "60,00", "wool-winter-coat-size-42"),
    ("Turntable and speakers", "199,00", "turntable-and-speakers"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A page, and the paths and prices that its rows lead to; the titles are those of THINGS."""

    html: str
    path: Callable[[int], str]
    priced: frozenset[int] = frozenset(range(6))


def _each(row: Callable[[int, str, str, str], str]) -> str:
    return "".join(row(n, *thing) for n, thing in enumerate(THINGS))


def _page(body: str, *, h1: str = "All offers", before: str = "", after: str = "") -> str:
    menu = "".join(
        f'<li><a href="/c/{name}/">{name.title()}</a></li>'
        for name in ("home", "garden", "sport", "audio", "sale", "gift")
    )
    foot = "".join(
        f'<a href="/{name}">{name.title()}</a> '
        for name in ("about", "impressum", "shipping", "terms-of-use", "jobs")
    )
    return (
        f"<html><body><header><a href=/>Corner</a><nav><ul>{menu}</ul></nav><a href=/cart>€ 0,00</a></header>"
        f"{before}<div id=content><h1>{h1}</h1>{body}</div>{after}<footer>{foot}</footer></body></html>"
    )


def _woocommerce() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        badge = "<span class=onsale>Aanbieding!</span>" if n % 2 else ""
        old = f"<del><bdi>€ {int(price[0]) + 1}{price[1:]}</bdi></del> " if n % 2 else ""
        return f"""<li class="product type-product post-{n} {"first" if n % 3 == 0 else ""}">
          <a href="/product/{slug}/" class="woocommerce-LoopProduct-link">{badge}<img src="/i/{n}.jpg" alt="">
          <h2 class="woocommerce-loop-product__title">{title}</h2>
          <span class="price">{old}<ins><bdi>€ {price}</bdi></ins></span></a>
          <a href="?add-to-cart={n}" class="button add_to_cart_button">In winkelwagen</a></li>"""

    best = "".join(f'<li><a href="/product/best-{n}/">Bestseller {n}</a> € {n}9,00</li>' for n in range(1, 5))
    side = f'<div class="sidebar"><h3>Populair</h3><ul>{best}</ul></div>'
    return _page(f'<ul class="products columns-3">{_each(row)}</ul>', after=side)


def _shopify() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        return f"""<li class="grid__item"><div class="card-wrapper"><div class="card"><div class="card__inner">
          <h3 class="card__heading"><a href="/collections/all/products/{slug}" class="full-unstyled-link">{title}</a></h3>
          </div><div class="card__content"><h3 class="card__heading h5">
          <a href="/collections/all/products/{slug}">{title}</a></h3>
          <div class="price"><s class="price-item price-item--regular">€999,00</s>
          <span class="price-item price-item--sale">€{price}</span></div><a href="#quick-{n}">Quick view</a></div></div></div></li>"""

    return _page(f'<ul id="product-grid" class="grid product-grid">{_each(row)}</ul>')


def _magento() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        old = '<span class="old-price"><span class="price">2.000,00 €</span></span>' if n % 2 == 0 else ""
        return f"""<li class="item product product-item"><div class="product-item-info">
          <a href="https://corner.test/{slug}.html" class="product photo"><img data-src="/m/{n}.jpg" alt="{title}"></a>
          <strong class="product name product-item-name"><a class="product-item-link" href="https://corner.test/{slug}.html">
          {title} </a></strong><div class="price-box">{old}<span class="special-price"><span class="price">{price} €</span></span>
          </div><a class="action tocompare" href="/catalog/product_compare/add/{n}">Vergleichen</a></div></li>"""

    layered = "".join(
        f'<li><a href="/all.html?price={n}00-{n}99">{n}00 € - {n}99 € <span>{n}</span></a></li>'
        for n in range(1, 9)
    )
    side = f'<div class="sidebar"><div class="filter"><ol class="items">{layered}</ol></div></div>'
    return _page(f'<div class="products"><ol class="products list items">{_each(row)}</ol></div>', after=side)


def _prestashop() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        flag = '<ul class="product-flags"><li class="product-flag new">Nouveau</li></ul>'
        return f"""<div class="js-product product col-xs-12"><article class="product-miniature" data-id-product="{n}">
          <a href="/fr/{n}-{slug}.html" class="thumbnail"><img src="/{n}-home.jpg" alt="{title}"></a>
          <h2 class="h3 product-title"><a href="/fr/{n}-{slug}.html">{title}</a></h2>
          <div class="product-price-and-shipping"><span class="regular-price">1 999,00 €</span>
          <span class="discount-percentage">-20%</span><span class="price">{price} €</span></div>{flag}
          <a class="quick-view" href="#">Aperçu rapide</a></article></div>"""

    return _page(f'<section id="products"><div class="products row">{_each(row)}</div></section>')


def _classifieds_table() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        asked = "Bieden" if n in (1, 4) else f"€ {price}"
        return f"""<tr class="{"odd" if n % 2 else "even"}"><td><a href="/v/{slug}-m{7000 + n}"><img src="t{n}.jpg"></a></td>
          <td><a href="/v/{slug}-m{7000 + n}">{title}</a><br><small>Ophalen of verzenden</small></td><td>{asked}</td>
          <td><a href="/u/seller{n % 2}">Verkoper {n % 2}</a></td><td>Utrecht</td><td>Vandaag</td></tr>"""

    return _page(
        f"<table><tr><th>Foto<th>Titel<th>Prijs<th>Verkoper<th>Plaats<th>Datum</tr>{_each(row)}</table>"
    )


def _forum_market() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        return f"""<tr><td class="icon"><img src="/new.gif" alt="New posts"></td>
          <td class="topic"><a class="topictitle" href="viewtopic.php?f=12&t={4100 + n}">[For sale] {title}</a>
          <br>by <a href="memberlist.php?mode=viewprofile&u={n % 3}">member{n % 3}</a></td><td>{n}</td><td>{n * 31}</td>
          <td>by <a href="memberlist.php?mode=viewprofile&u={n % 2 + 7}">other{n % 2}</a>
          <a href="viewtopic.php?f=12&t={4100 + n}&p={9000 + n}#p{9000 + n}"><img src="/last.gif"></a></td></tr>"""

    return _page(f'<table class="forumbg">{_each(row)}</table>', h1="Marketplace")


def _german_list() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        asked = "Preis auf Anfrage" if n == 3 else "VB" if n == 5 else f"{price} € VB"
        return f"""<li class="ad-listitem"><article class="aditem" data-adid="{90000 + n}"><div class="aditem-image">
          <a href="/s-anzeige/{slug}/{90000 + n}-217-3331"><img src="/{n}.jpg" alt=""></a></div><div class="aditem-main">
          <div class="aditem-main--top--left">10115 Berlin</div><div class="aditem-main--top--right">Heute, 10:{n}1</div>
          <h2><a class="ellipsis" href="/s-anzeige/{slug}/{90000 + n}-217-3331">{title}</a></h2><p>Ich verkaufe das hier gut
          erhalten, Abholung in Mitte.</p><p class="price">{asked}</p></div></article></li>"""

    sponsored = '<li class="ad-listitem"><article><span>Gesponsert</span><h2><a href="/s-anzeige/ad/91-2-3">Buy here</a></h2> 5 €</article>'
    similar = "".join(
        f'<li><a href="/s-anzeige/other/{n}-217-1"><h3>Other thing {n}</h3><p>{n}0 €</p></a></li>'
        for n in range(10, 16)
    )
    return _page(
        f'<ul id="srchrslt">{sponsored}{_each(row)}</ul>',
        after=f'<div class="similar-ads"><ul>{similar}</ul></div>',
    )


def _definition_list() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        return f'<dt><a href="item{n}.html">{title}</a></dt><dd>Nice and clean. <b>{price} EUR</b></dd>'

    return _page(f"<dl>{_each(row)}</dl>")


def _two_rows_each() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        return f"""<tr><td>{n + 1}.</td><td><a href="/item?id={n + 400}">{title}</a></td></tr>
          <tr><td></td><td>€ {price} · by <a href="/user?id=u{n % 2}">u{n % 2}</a></td></tr>"""

    return _page(f"<table>{_each(row)}</table>")


def _estate_agents() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        asked = "Prix sur demande" if n == 2 else f"{price} €"
        return f"""<div class="annonce"><h4 class="tag">Exclusivité</h4><a href="/agence/agence-{n % 4}/"><img src="/logo{n}.png"
          alt="Agence {n % 4}"></a><a href="/annonces/{slug}-{5550 + n}/"><img src="/p{n}.jpg" alt=""></a><h3>
          <a href="/annonces/{slug}-{5550 + n}/">{title}</a></h3><div>{3 + n} pièces</div><div>{40 + n} m²</div><div>{asked}</div>
          <a href="/annonces/{slug}-{5550 + n}/">Voir l'annonce</a></div>"""

    return _page(f"<main><div class=liste>{_each(row)}</div></main>")


def _two_columns() -> str:
    cells = [
        f'<div class="col"><a href="/oferta/{slug}"><span>{title}</span></a><p>{price} €</p><a href="/oferta/{slug}">Ver detalles</a></div>'
        for title, price, slug in THINGS
    ]
    rows = "".join(
        f'<div class="row">{one}{two}</div>' for one, two in zip(cells[::2], cells[1::2], strict=True)
    )
    return _page(f"<div class=listado>{rows}</div>")


def _whole_card_links() -> str:
    def row(n: int, title: str, price: str, slug: str) -> str:
        return f"""<a class="x9 k{n}" href="/annunci/{slug}-{31000 + n}.htm"><div><img src="/{n}.webp" alt=""></div><div class="b1">
          <p class="q">{"Vetrina" if n % 2 else "Privato"}</p><p class="t">{title}</p><p>Milano (MI)</p><p>{price} €</p></div></a>"""

    return _page(f"<div>{_each(row)}</div>")


SHAPES: Mapping[str, Shape] = {
    "WooCommerce": Shape(html=_woocommerce(), path=lambda n: f"/product/{THINGS[n][2]}/"),
    "Shopify": Shape(html=_shopify(), path=lambda n: f"/collections/all/products/{THINGS[n][2]}"),
    "Magento": Shape(html=_magento(), path=lambda n: f"/{THINGS[n][2]}.html"),
    "PrestaShop": Shape(html=_prestashop(), path=lambda n: f"/fr/{n}-{THINGS[n][2]}.html"),
    "a table of classifieds": Shape(
        html=_classifieds_table(),
        path=lambda n: f"/v/{THINGS[n][2]}-m{7000 + n}",
        priced=frozenset({0, 2, 3, 5}),
    ),
    "a forum market": Shape(
        html=_forum_market(), path=lambda n: f"/viewtopic.php?f=12&t={4100 + n}", priced=frozenset()
    ),
    "a list of adverts": Shape(
        html=_german_list(),
        path=lambda n: f"/s-anzeige/{THINGS[n][2]}/{90000 + n}-217-3331",
        priced=frozenset({0, 1, 2, 4}),
    ),
    "a definition list": Shape(html=_definition_list(), path=lambda n: f"/item{n}.html"),
    "two table rows each": Shape(html=_two_rows_each(), path=lambda n: f"/item?id={n + 400}"),
    "estate agents": Shape(
        html=_estate_agents(),
        path=lambda n: f"/annonces/{THINGS[n][2]}-{5550 + n}/",
        priced=frozenset({0, 1, 3, 4, 5}),
    ),
    "two columns": Shape(html=_two_columns(), path=lambda n: f"/oferta/{THINGS[n][2]}"),
    "links around whole cards": Shape(
        html=_whole_card_links(), path=lambda n: f"/annunci/{THINGS[n][2]}-{31000 + n}.htm"
    ),
}

"""Shops of five countries.

Instalments and transfer prices in Portuguese, crowns in Swedish, `12€95` in French; an English shop whose rows
name the currency and whose pages show its sign alone; a German one with prices by quantity and by the litre.
"""

from decimal import Decimal

from tests.platform_sites.shape import IndexView, Thing, by_query, comma, numbered
from tests.platform_sites.shop_parts import shop

_CENT = Decimal("0.01")


def _instalments(thing: Thing) -> str:
    price = thing.amount
    sixth, transfer = (price / 6).quantize(_CENT), (price * Decimal("0.95")).quantize(_CENT)
    return (
        f'<div class="price"><span class="list-price">De: <s>R$ {comma(price + 30)}</s></span><span class="best-price">Por: <strong>R$ {comma(price)}</strong>'
        f'</span><span class="installments">ou 6x de R$ {comma(sixth)} sem juros</span><span class="pix">R$ {comma(transfer)} à vista no Pix</span></div>'
    )


def _loja_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="shelf-item"><a href="/{t.slug}/p"><img src="/a/{t.number}.jpg" alt="{t.name}"></a><h3><a href="/{t.slug}/p">{t.name}</a></h3>'
        f'{_instalments(t)}<a class="btn-buy" href="/{t.slug}/p">{"Comprar" if t.in_stock else "Indisponível"}</a></li>'
        for t in view.things
    )
    numbers = "".join(
        f'<li class="{"pgCurrent" if n == view.number else ""}"><a href="/casa?page={n}">{n}</a></li>'
        for n in range(1, view.pages + 1)
    )
    after = view.unless_last(f'<li class="next"><a href="/casa?page={view.number + 1}">próximo</a></li>')
    return (
        f'<header><a href="/">Loja</a><a href="/checkout">Carrinho R$ 0,00</a></header><main><h1>Casa</h1><p>{view.total} produtos</p><ul class="shelf">{rows}'
        f'</ul><div class="pager"><ul>{numbers}{after}</ul></div></main><footer>Frete grátis acima de R$ 199,00</footer>'
    )


def _loja_detail(thing: Thing) -> str:
    buy = (
        '<a class="buy-button" href="/checkout/add">Comprar</a>'
        if thing.in_stock
        else "<p>Produto indisponível</p><button>Avise-me</button>"
    )
    return (
        f'<header><a href="/">Loja</a></header><div class="top-bar">Frete grátis acima de R$ 199,00</div><main><h1>{thing.name}</h1>{_instalments(thing)}{buy}'
        f'<h2>Quem viu, viu também</h2><ul class="shelf"><li><a href="/outro/p">Outro</a> <span class="best-price">R$ 9,90</span></li></ul></main>'
    )


def _crowns(amount: Decimal) -> str:
    return f"{comma(amount).replace('.', ' ')} kr"


def _butik_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="produkt"><a href="/produkt/{t.slug}"><img src="/b/{t.number}.jpg"><span class="namn">{t.name}</span><span class="pris">'
        f"{_crowns(t.amount)}</span></a><button>{'Köp' if t.in_stock else 'Slutsåld'}</button></article>"
        for t in view.things
    )
    after = view.unless_last(f'<a class="nasta" href="/hem/sida/{view.number + 1}">Nästa sida</a>')
    return (
        f'<header><a href="/">Butik</a> <a href="/varukorg">Varukorg (0)</a></header><div class="filter"><label>0–100 kr</label></div><main><h1>Hem</h1>'
        f"<div>{rows}</div>{after}</main>"
    )


def _butik_detail(thing: Thing) -> str:
    former = f"<p>Ord. pris {_crowns(thing.amount + 100)}</p>" if thing.number % 3 == 0 else ""
    stock = (
        '<p class="lager">I lager</p><button>Lägg i varukorg</button>'
        if thing.in_stock
        else '<p class="lager">Slutsåld</p>'
    )
    return (
        f'<header><a href="/">Butik</a></header><main><h1>{thing.name}</h1><p class="pris">{_crowns(thing.amount)}</p>{former}'
        f"<p>Fri frakt över 499 kr. Dela upp från 55 kr/mån</p>{stock}</main>"
    )


def _raised(thing: Thing) -> str:
    whole, cents = divmod(int(thing.amount * 100), 100)
    return f'<div class="tile__price"><span class="euros">{whole}</span><sup>€{cents:02}</sup></div>'


def _tiles_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="tile"><a class="tile__link" href="/fiche/{t.number}/{t.slug}"><img alt="" src="/{t.number}.jpg"><div class="tile__brand">Maison Rose</div>'
        f'<div class="tile__label">{t.name}</div></a>{_raised(t)}</div>'
        for t in view.things
    )
    after = view.unless_last(
        f'<a href="/maison/page-{view.number + 1}.html" class="paginator__btn"><i class="chevron"></i></a>'
    )
    return f'<header><a href="/">Rose</a></header><main><h1>Maison</h1><div class="tiles">{rows}</div><div class="paginator">{after}</div></main>'


def _tiles_detail(thing: Thing) -> str:
    buy = "<button>Ajouter au panier</button>" if thing.in_stock else "<p>Produit épuisé</p>"
    return (
        f'<header><a href="/">Rose</a></header><main><p class="brand">Maison Rose</p><h1>{thing.name}</h1>{_raised(thing)}'
        f"<p>Livraison offerte dès 49€ d'achat</p>{buy}</main>"
    )


def _studio_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="grid-item"><a href="/shop/p/{t.slug}" aria-label="{t.name}"></a><div class="grid-title">{t.name}</div><div class="product-price">'
        f"SEK {t.amount:,.2f}</div>{'' if t.in_stock else '<div class=sold-out>sold out</div>'}</div>"
        for t in view.things
    )
    return f'<header><a href="/">Studio</a> <a href="/cart">Cart 0</a></header><main><div class="list-grid">{rows}</div></main>'


def _studio_detail(thing: Thing) -> str:
    card = '<a href="/shop/p/other">Other</a><a href="/shop/p/other"><img src="/o.jpg"></a>'
    buy = (
        '<div class="add-to-cart-button" role="button">Add To Cart</div>'
        if thing.in_stock
        else '<div class="product-mark sold-out">Sold Out</div>'
    )
    return (
        f'<header><a href="/">Studio</a></header><main><section><h1>{thing.name}</h1><div class="product-price">{thing.amount:,.2f} kr</div>{buy}</section>'
        f'<section><p>More</p><div>{card}<div class="product-price">95.00 kr</div><button>Add To Cart</button></div></section></main>'
    )


def _tiers(thing: Thing) -> list[Decimal]:
    """What one costs of three and of six; some things cost the same however many are bought."""
    shares = ("0.9", "0.8") if thing.number % 10 == 2 else ()
    return [(thing.amount * Decimal(share)).quantize(_CENT) for share in shares]


def _tiers_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="productbox"><a href="/{t.slug}"><img src="/{t.number}.jpg" alt="{t.name}"></a><div class="title"><a href="/{t.slug}">{t.name}</a></div>'
        f'<div class="price"><span>{"ab " if _tiers(t) else ""}{comma(min([t.amount, *_tiers(t)]))} €</span> <i class="pricePerUnit">0,5 l | '
        f"{comma(t.amount * 2)} €/l</i></div><p>{'sofort verfügbar' if t.in_stock else 'Momentan nicht verfügbar'}</p></div>"
        for t in view.things
    )
    numbers = "".join(f'<a href="/pflege?seite={n}">{n}</a>' for n in range(1, view.pages + 1))
    return f'<header><a href="/">Pflegewelt</a></header><main><h1>Pflege</h1><div>{rows}</div><div>{numbers}</div></main>'


def _tiers_detail(thing: Thing) -> str:
    tiers = "".join(
        f'<tr class="bulk-price-{3 * n}"><td>ab {3 * n}</td><td class="bulk-price">{comma(price)} €</td></tr>'
        for n, price in enumerate(_tiers(thing), 1)
    )
    buy = (
        "<button>In den Warenkorb</button>"
        if thing.in_stock
        else "<button>Benachrichtigen, wenn verfügbar</button>"
    )
    return (
        f'<header><a href="/">Pflegewelt</a></header><main><h1>{thing.name}</h1><div class="offer"><div class="price">{comma(thing.amount)} €</div>'
        f"<p>{comma(thing.amount * 2)} € pro 1 l</p><table>{tiers}</table>{buy}</div></main>"
    )


REGIONAL_SHOPS = (
    shop(
        "studio-en", "SEK", "en-US", 22, path="/shop", per_page=40, beyond="first", page_of=numbered("/shop/", "", first="/shop"),
        index=_studio_index, detail=_studio_detail, detail_path=lambda t: f"/shop/p/{t.slug}",
    ),
    shop(
        "tiers-de", "EUR", "de", 27, path="/pflege", per_page=12, beyond="empty", page_of=by_query("seite", path="/pflege"),
        index=_tiers_index, detail=_tiers_detail, detail_path=lambda t: f"/{t.slug}",
    ),
    shop(
        "loja-pt", "BRL", "pt-BR", 30, path="/casa", per_page=12, beyond="empty", page_of=by_query("page", path="/casa"),
        index=_loja_index, detail=_loja_detail, detail_path=lambda t: f"/{t.slug}/p",
    ),
    shop(
        "butik-sv", "SEK", "sv", 26, path="/hem", per_page=10, page_of=numbered("/hem/sida/", "", first="/hem"),
        index=_butik_index, detail=_butik_detail, detail_path=lambda t: f"/produkt/{t.slug}",
    ),
    shop(
        "tiles-fr", "EUR", "fr", 29, path="/maison/", per_page=12, page_of=numbered("/maison/page-", ".html", first="/maison/"),
        index=_tiles_index, detail=_tiles_detail, detail_path=lambda t: f"/fiche/{t.number}/{t.slug}",
    ),
)  # fmt: skip

"""Shops whose pages are turned by a script, whose links carry a session, and whose law asks for a second price."""

from collections.abc import Mapping
from decimal import Decimal

from tests.platform_sites.shape import IndexView, Thing, by_query, comma
from tests.platform_sites.shop_parts import shop


def _radio_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="col"><div class="card product-box"><a href="/{t.slug}/SW{t.number}" class="product-image-link" title="{t.name}"><img src="/m/{t.number}.jpg" '
        f'alt="{t.name}"></a><a href="/{t.slug}/SW{t.number}" class="product-name">{t.name}</a><div class="product-price-info"><p class="product-price-unit">'
        f'Inhalt: 0.5 Kilogramm ({comma(t.amount * 2)} €* / 1 Kilogramm)</p><span class="product-price">{comma(t.amount)} €*</span></div></div></div>'
        for t in view.things
    )
    radios = "".join(
        f'<li class="page-item"><input type="radio" name="p" id="p{n}" value="{n}"{" checked" if n == view.number else ""}><label for="p{n}">{n}</label></li>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<header><span class="header-cart-total">0,00 €*</span></header><main><aside class="filter-panel">Preis 5 € – 200 €</aside><h1>Küche</h1>'
        f'<div class="row listing">{rows}</div><nav class="pagination-nav"><ul class="pagination">{radios}</ul></nav></main>'
    )


def _radio_detail(thing: Thing) -> str:
    stock = "Sofort verfügbar, Lieferzeit 1-3 Tage" if thing.in_stock else "Nicht mehr verfügbar"
    return (
        f'<header><span class="header-cart-total">0,00 €*</span></header><main><h1>{thing.name}</h1><p class="product-detail-price">{comma(thing.amount)} €*</p>'
        f'<div class="product-detail-price-unit">Inhalt: 0.5 Kilogramm ({comma(thing.amount * 2)} €* / 1 Kilogramm)</div><p class="delivery-availability">{stock}</p>'
        f'<div class="slider"><h3>Kunden kauften auch</h3><a href="/x/SW1">Anderes</a><span class="product-price">9,99 €*</span></div></main>'
    )


def _more_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="tile"><a href="/p/{t.slug}"><img data-src="/{t.number}.jpg" alt=""><span class="tile__brand">Hus</span><span class="tile__name">{t.name}'
        f'</span></a><div class="tile__price"><span class="tile__now">€ {int(t.amount)},<sup>{int(t.amount * 100) % 100:02d}</sup></span></div>'
        f"<span>{'Op voorraad' if t.in_stock else 'Tijdelijk uitverkocht'}</span></div>"
        for t in view.things
    )
    shown = (view.number - 1) * 12 + len(view.things)
    button = (
        f'<button type="button" data-next="/c/lampen?page={view.number + 1}">Toon meer producten</button>'
    )
    return (
        f'<header><a href="/tas">Tas € 0,00</a></header><main><h1>Lampen</h1><div class="grid">{rows}</div><p>Je hebt {shown} van de {view.total} producten bekeken'
        f"</p>{button if view.number < view.pages else ''}</main>"
    )


def _more_detail(thing: Thing) -> str:
    buy = "<button>In winkelmand</button>" if thing.in_stock else "<button>Mail mij</button>"
    price = thing.amount
    return (
        f'<header><a href="/tas">Tas € 0,00</a></header><main><h1>{thing.name}</h1><div class="pdp__price"><i>Adviesprijs € {comma(price + 20)}</i> <span class="price">€ '
        f"{int(price)},<sup>{int(price * 100) % 100:02d}</sup></span></div><p>of 3 termijnen van € {comma(price / 3)}</p>{buy}</main>"
    )


def _zloty(amount: Decimal) -> str:
    return f"{comma(amount).replace('.', ' ')} zł"


def _lowest(thing: Thing) -> str:
    """The lowest price of thirty days, which the law asks for, and the regular one."""
    before = thing.amount + 9
    return (
        f'<span class="omnibus">Najniższa cena produktu w okresie 30 dni przed obniżką: <span>{_zloty(before - 6)}</span></span><span class="max">Cena regularna: '
        f"<span>{_zloty(before)}</span></span>"
        if thing.number % 3 == 0
        else ""
    )


def _polish_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="product" data-product_id="{t.number}"><a class="product__icon" href="/product-pol-{t.number}-{t.slug}.html"><img alt="{t.name}"></a><h3><a '
        f'class="product__name" href="/product-pol-{t.number}-{t.slug}.html">{t.name}</a></h3><div class="product__prices">{_lowest(t)}<strong class="price">'
        f"{_zloty(t.amount)}<span> brutto</span> <span>/ szt.</span></strong></div></div>"
        for t in view.things
    )
    numbers = view.numbers(
        "<li><span>{n}</span></li>", '<li><a href="/kuchnia.html?counter={at}">{n}</a></li>', first=0
    )
    return f'<header><a href="/basketedit.php">0,00 zł</a></header><h1>Kuchnia</h1><section class="products">{rows}</section><ul class="pagination">{numbers}</ul>'


def _polish_detail(thing: Thing) -> str:
    buy = "<button>Dodaj do koszyka</button>" if thing.in_stock else "<span>Produkt niedostępny</span>"
    return (
        f'<header><strong>0,00 zł</strong></header><main><h1>{thing.name}</h1><div class="prices">{_lowest(thing)}<strong class="price">{_zloty(thing.amount)}</strong>'
        f" / szt. brutto</div>{buy}<p>Wysyłka od 9,90 zł</p></main>"
    )


def _session_index(view: IndexView) -> str:
    visit = f"osCsid={view.number * 7919:026x}"
    rows = "".join(
        f'<tr class="productListing-odd"><td><a href="/product_info.php?products_id={t.number}&amp;{visit}"><img src="{t.number}.gif" alt="{t.name}"></a></td><td>'
        f'<a href="/product_info.php?products_id={t.number}&amp;{visit}">{t.name}</a></td><td align="right">{comma(t.amount)}EUR</td><td><a href="/index.php?cPath=3&amp;'
        f'action=buy_now&amp;products_id={t.number}&amp;{visit}"><img src="buy.gif" alt="Comprar Ahora"></a></td></tr>'
        for t in view.things
    )
    numbers = "&nbsp;".join(
        f"<b>{n}</b>"
        if n == view.number
        else f'<a href="/index.php?cPath=3&amp;page={n}&amp;{visit}"><u>{n}</u></a>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<table><tr><td><a href="/index.php?cPath=1&amp;{visit}">Jardín</a> (6)<br><a href="/index.php?cPath=2&amp;{visit}">Baño</a> (9)</td><td><h1>Hogar</h1>'
        f'<table class="productListing">{rows}</table><p>(de <b>{view.total}</b> productos) Páginas: {numbers}</p></td></tr></table>'
    )


def _session_detail(thing: Thing) -> str:
    buy = (
        "<input type='image' src='cart.gif' alt='Añadir a la Cesta'>"
        if thing.in_stock
        else "<span class='markProductOutOfStock'>Agotado</span>"
    )
    return (
        f'<form name="cart_quantity" method="post"><table><tr><td><h1>{thing.name}</h1></td><td align="right">{comma(thing.amount)}EUR</td></tr><tr><td>{buy}</td></tr>'
        f'</table></form><table><tr><td>También han comprado</td></tr><tr><td><a href="/product_info.php?products_id=9">Ratón</a></td></tr></table>'
    )


def _session_page(path: str, query: Mapping[str, str]) -> int | None:
    named = path == "/index.php" and query.get("cPath") == "3" and "action" not in query
    return int(query.get("page", "1")) if named else None


SCRIPTED_SHOPS = (
    shop(
        "radio-de", "EUR", "de", 29, path="/kueche/", per_page=9, page_of=by_query("p", path="/kueche/"),
        index=_radio_index, detail=_radio_detail, detail_path=lambda t: f"/{t.slug}/SW{t.number}", beyond="empty",
    ),
    shop(
        "more-nl", "EUR", "nl", 31, path="/c/lampen", per_page=12, page_of=by_query("page", path="/c/lampen"),
        index=_more_index, detail=_more_detail, detail_path=lambda t: f"/p/{t.slug}",
    ),
    shop(
        "kuchnia-pl", "PLN", "pl", 32, path="/kuchnia.html", per_page=12, page_of=by_query("counter", path="/kuchnia.html", base=0),
        index=_polish_index, detail=_polish_detail, detail_path=lambda t: f"/product-pol-{t.number}-{t.slug}.html", beyond="last",
    ),
    shop(
        "sessions-es", "EUR", "es", 34, path="/index.php?cPath=3", per_page=10, page_of=_session_page,
        index=_session_index, detail=_session_detail, detail_path=lambda t: f"/product_info.php?products_id={t.number}", beyond="last",
    ),
)  # fmt: skip

"""Shops whose rows show several amounts, or one that is no plain price: without tax, by weight, by the month."""

from decimal import Decimal

from larder.core.model.source import Kind
from tests.platform_sites.shape import IndexView, Shape, Thing, amounts, comma, numbered, pick, whole
from tests.platform_sites.shop_parts import FOOTER, header, shop

_TAX = Decimal("1.22")
_CARS = (
    ("Volta", "Merano", "Corso", "Linea"),
    ("Kombi", "Coupé", "Limousine"),
    ("Sport", "Komfort", "Basis"),
)


def _negozio_prices(thing: Thing) -> str:
    """Without tax, with tax, and the tax: each behind its label."""
    bare = (thing.amount / _TAX).quantize(Decimal("0.01"))
    parts = (
        ("PricebasePrice", "Prezzo base: ", bare),
        ("PricesalesPrice", "Prezzo di vendita: ", thing.amount),
        ("PricetaxAmount", "Ammontare IVA: ", thing.amount - bare),
    )
    return "".join(
        f'<div class="{name} vm-price-value"><span class="vm-price-desc">{label}</span>'
        f'<span class="{name}">{comma(amount)} €</span></div>'
        for name, label, amount in parts
    )


def _negozio_index(view: IndexView) -> str:
    cards = "".join(
        f'<div class="product vm-col-3"><div class="spacer"><a href="/negozio/{t.slug}-detail"><img src="/i/{t.number}.jpg" alt=""></a>'
        f'<h2><a href="/negozio/{t.slug}-detail">{t.name}</a></h2><div class="product-price">{_negozio_prices(t)}</div>'
        f'<a class="product-details" href="/negozio/{t.slug}-detail">Dettagli prodotto</a></div></div>'
        for t in view.things
    )
    pages = view.numbers("<li>{n}</li>", '<li><a href="/negozio/results,{at}-9">{n}</a></li>', step=9)
    return f'{header("Carrello", "0,00 €")}<main><h1>Negozio</h1><div class="row">{cards}</div><ul class="vm-pagination">{pages}</ul></main>{FOOTER}'


def _negozio_detail(thing: Thing) -> str:
    button = (
        '<input type="submit" class="addtocart-button" value="Aggiungi al carrello">'
        if thing.in_stock
        else '<p class="availability">Non disponibile</p>'
    )
    return (
        f'<main><h1>{thing.name}</h1><div class="product-price">{_negozio_prices(thing)}</div>{button}</main>'
    )


def _hofladen_index(view: IndexView) -> str:
    cards = "".join(
        f'<div class="produkt"><img src="/i/{t.number}.jpg" alt=""><h4>{t.name}</h4><p class="preis">{comma(t.amount)} € <small>/ kg</small></p>'
        f'<p>ca. 500 g</p><a href="/hofladen/{t.slug}.html">Details</a> <button>In den Korb</button></div>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/hofladen/seite/{view.number + 1}">weiter »</a>')
    return f'<h1>Hofladen</h1><div class="produkte">{cards}</div><p>Seite {view.number} von {view.pages} {after}</p>'


def _hofladen_detail(thing: Thing) -> str:
    stock = "<p>Auf Lager</p>" if thing.in_stock else "<p>zurzeit ausverkauft</p>"
    return f'<h1>{thing.name}</h1><p class="preis">{comma(thing.amount)} € <small>/ kg</small></p>{stock}<p>Vom Feld.</p>'


def _cars(seed: str, count: int) -> list[Thing]:
    titles, prices = pick(seed, count, *_CARS), amounts(seed, count, 1_900, 39_000)
    return [
        Thing(number=n + 1, title=title, price=price)
        for n, (title, price) in enumerate(zip(titles, prices, strict=True))
    ]


def _autohaus_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="vehicle" itemscope itemtype="http://schema.org/Car"><a href="/fahrzeug/{t.slug}/"><img data-lazy="/c/{t.number}.jpg" alt=""></a>'
        f'<h2><a href="/fahrzeug/{t.slug}/" itemprop="name">{t.name}</a></h2><ul><li>EZ 03/2019</li><li>{20_000 + t.number * 900} km</li></ul>'
        f'<span class="rate">Finanzierung ab 199,00 € mtl.</span><strong>{whole(t.amount)},– €</strong></div>'
        for t in view.things
    )
    pages = view.numbers(
        '<strong class="page">{n}</strong>', '<a class="page" href="/fahrzeuge/seite-{n}/">{n}</a>'
    )
    return f'<header><a href="/">Autohaus</a></header><main><h1>Fahrzeuge</h1>{rows}<div class="seiten">{pages}</div></main>'


def _autohaus_detail(thing: Thing) -> str:
    return (
        f'<main><h1>{thing.name}</h1><div class="box"><p>Finanzierung ab 199,00 € mtl.</p><strong>{whole(thing.amount)},– €</strong></div>'
        "<section><h3>Ähnliche Fahrzeuge</h3><div><a href='/fahrzeug/x/'>Ein anderer</a> <strong>9.900,– €</strong></div></section></main>"
    )


def _results(path: str, _: object) -> int | None:
    if path == "/negozio":
        return 1
    first = path.removeprefix("/negozio/results,").partition("-")[0]
    return (int(first) - 1) // 9 + 1 if path.startswith("/negozio/results,") and first.isdigit() else None


PRICED_SHOPS = (
    shop(
        "negozio-it", "EUR", "it", 25, path="/negozio", per_page=9, page_of=_results, index=_negozio_index,
        detail=_negozio_detail, detail_path=lambda t: f"/negozio/{t.slug}-detail", beyond="empty",
    ),
    shop(
        "hofladen-de", "EUR", "de", 20, path="/hofladen/", per_page=8,
        page_of=numbered("/hofladen/seite/", "", first="/hofladen/"), index=_hofladen_index,
        detail=_hofladen_detail, detail_path=lambda t: f"/hofladen/{t.slug}.html",
    ),
    Shape(
        name="autohaus-de", kind=Kind.LISTING, currency="EUR", language="de", things=_cars("autohaus-de", 27),
        path="/fahrzeuge/", per_page=10, page_of=numbered("/fahrzeuge/seite-", "/", first="/fahrzeuge/"),
        index=_autohaus_index, detail=_autohaus_detail, detail_path=lambda t: f"/fahrzeug/{t.slug}/",
    ),
)  # fmt: skip

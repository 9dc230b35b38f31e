"""Sites whose next page is no link: a Norwegian button of htmx, a Polish list of pages to choose from.

A Spanish one has its next rows' address in an attribute of its own, and its towns on bare pills.
"""

from dataclasses import replace

from larder.core.model.source import Kind
from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, whole
from tests.platform_sites.shop_parts import goods

_NUMBERS = ("I", "II", "III", "IV", "V")
_FLATS = (("Jasne mieszkanie", "Kawalerka", "Apartament"), ("przy parku", "w centrum", "z garażem"), _NUMBERS)
_STAYS = (("Casa rural", "Villa", "Estudio"), ("con piscina", "frente al mar", "en la sierra"), _NUMBERS)


def _kroner(thing: Thing) -> str:
    return f"{whole(thing.amount, ' ')},-"


def _vare_index(view: IndexView) -> str:
    cards = "".join(
        f'<article><a href="/vare/{t.number}"><img src="/v/{t.number}.avif" alt=""></a><h3><a href="/vare/{t.number}">{t.name}</a></h3><p data-pris="{int(t.amount)}">{_kroner(t)}</p>'
        f"{'' if t.in_stock else '<em>Utsolgt</em>'}</article>"
        for t in view.things
    )
    more = f'<button hx-get="/klaer?side={view.number + 1}" hx-target="#varer" hx-swap="beforeend">Vis flere</button>'
    return f'<header><a href="/">Hytta</a><a href="/handlekurv">Handlekurv 0,-</a></header><main><h1>Klær</h1><div id="varer">{cards}</div>{view.unless_last(more)}</main>'


def _vare_detail(thing: Thing) -> str:
    buy = "<button>Legg i handlekurv</button>" if thing.in_stock else "<button>Varsle meg</button>"
    return (
        f'<header><a href="/handlekurv">Handlekurv 0,-</a></header><main><h1>{thing.name}</h1><p>{_kroner(thing)}</p><p>Delbetal fra 99,- per måned</p>{buy}'
        '<h2>Dette vil du kanskje like</h2><article><h3><a href="/vare/1">Annen vare</a></h3><p>199,-</p></article></main><footer>Fri frakt over 999,-</footer>'
    )


def _zloty(thing: Thing) -> str:
    return f"{whole(thing.price, ' ')} zł" if thing.price is not None else "Zapytaj o cenę"


def _street(thing: Thing) -> str:
    return f"{thing.place}, ul. Leśna {thing.number % 50 + 1}"


def _oferty_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="oferta"><img src="/m/{t.number}.jpg"><h3><a href="/oferta/{t.number}">{t.name}</a></h3><p class="adres">{_street(t)}</p><p>{t.size} m² | {t.rooms} pok.</p>'
        f'<p class="kwota">{_zloty(t)}</p></div>'
        for t in view.things
    )
    options = view.numbers(
        '<option value="/oferty?s={n}" selected>{n}</option>', '<option value="/oferty?s={n}">{n}</option>'
    )
    return (
        f'<div><a href="/">Biuro</a></div><h1>Mieszkania na sprzedaż</h1><div class="lista">{rows}</div>'
        f'<p>Strona <select onchange="location=this.value">{options}</select> z {view.pages}</p>'
    )


def _oferty_detail(thing: Thing) -> str:
    return (
        f'<div><a href="/">Biuro</a></div><h1>{thing.name}</h1><p>{_street(thing)}</p><table><tr><td>Cena</td><td>{_zloty(thing)}</td></tr><tr><td>Powierzchnia</td><td>{thing.size} m²</td></tr>'
        f"<tr><td>Liczba pokoi</td><td>{thing.rooms}</td></tr><tr><td>Czynsz</td><td>650 zł</td></tr></table><p>Prowizja biura 2 500 zł.</p>"
    )


def _pills(thing: Thing) -> str:
    return f'<span class="pill">{thing.place}</span><span class="pill">{thing.rooms} dorm.</span><span class="pill">{thing.size} m²</span>'


def _night(thing: Thing) -> str:
    return f'<span class="precio">{whole(thing.amount)} € <small>/ noche</small></span>'


def _stays_index(view: IndexView) -> str:
    cards = "".join(
        f'<a class="tarjeta" href="/alojamiento/{t.slug}"><img src="/a/{t.number}.jpg" alt="">{_pills(t)}<strong>{t.name}</strong>{_night(t)}<span>{whole(t.amount * 5)} € en total</span></a>'
        for t in view.things
    )
    more = f'<div class="infinito" data-siguiente-tramo="/buscar?inicio={view.number * 12}"></div>'
    return f'<header><a href="/">Vacas</a></header><h1>Alojamientos</h1><p>{view.total} alojamientos</p><section>{cards}</section>{view.unless_last(more)}'


def _stays_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Vacas</a></header><h1>{thing.name}</h1><div class="pills">{_pills(thing)}</div><div class="caja">{_night(thing)}<p>Gastos de limpieza: 60 €</p>'
        f"<p>Total: {whole(thing.amount * 5 + 60)} €</p></div><h2>También te puede interesar</h2><a class=tarjeta href=/alojamiento/x><strong>Otro</strong><span class=precio>99 € / noche</span></a>"
    )


def _in(towns: tuple[str, ...], found: list[Thing], times: int = 1) -> list[Thing]:
    return [
        replace(t, place=towns[n % len(towns)], price=t.price * times if t.price else None)
        for n, t in enumerate(found)
    ]


_WARES = [replace(t, price=t.amount.to_integral_value() * 10) for t in goods("klaer-nb", 33)]
UNLINKED_PAGES: tuple[Shape, ...] = (
    Shape(
        name="klaer-nb", kind=Kind.PRODUCT, currency="NOK", language="nb", things=_WARES, path="/klaer", per_page=12,
        page_of=by_query("side", path="/klaer"), index=_vare_index, detail=_vare_detail, detail_path=lambda t: f"/vare/{t.number}",
    ),
    classified_site(
        "oferty-pl", "PLN", "pl", _in(("Kraków", "Gdynia", "Łódź"), adverts("oferty-pl", 30, "pl", *_FLATS, low=180, high=1900, unpriced=9), 1000),
        path="/oferty", per_page=12, page_of=by_query("s", path="/oferty"), index=_oferty_index, detail=_oferty_detail,
        detail_path=lambda t: f"/oferta/{t.number}", beyond="empty",
    ),
    classified_site(
        "vacas-es", "EUR", "es", _in(("Cádiz", "Nerja", "Ronda"), adverts("vacas-es", 32, "es", *_STAYS, low=45, high=390)),
        path="/buscar", per_page=12, page_of=by_query("inicio", path="/buscar", step=12, base=0), index=_stays_index,
        detail=_stays_detail, detail_path=lambda t: f"/alojamiento/{t.slug}",
    ),
)  # fmt: skip

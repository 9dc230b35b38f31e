"""Estate agents: a Hungarian one whose agents have headings, a Dutch one with streets for titles, Swiss rents.

Amounts in millions and with apostrophes, towns in elements of their own, numbers before their units.
"""

from decimal import Decimal

from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, numbered, whole

_NUMBERS = tuple(str(n) for n in range(3, 90))
_AGENTS = (
    "Kasler Béla",
    "Kovács Ildikó",
    "Demeter Anita",
    "Varga Péter",
    "Nagy Éva",
    "Tóth Pál",
    "Kiss Ilona",
)


def _millions(thing: Thing) -> str:
    """24,9 M Ft"""
    return f"{thing.amount / 1_000_000:.1f} M Ft".replace(".", ",")


def _hu_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="propertyListItem"><a href="/ingatlan/HZ{t.number}/{t.slug}"><img alt="{t.name}"></a><h2>{t.name}</h2>'
        f'<ul><li>{t.size} m²</li><li>{t.rooms} szobás</li></ul><div class="agentBox"><h4><a href="/kozvetito/{t.number % 7}">{_AGENTS[t.number % 7]}</a></h4></div>'
        f'<div class="price">{_millions(t)}</div><a class="btn" href="/ingatlan/HZ{t.number}/{t.slug}">Részletek</a></div>'
        for t in view.things
    )
    pages = view.numbers("<b>{n}</b> ", '<a href="/elado?page={n}">{n}</a> ')
    return f'<nav><a href="/">Kezdőlap</a></nav><h1>Eladó házak</h1><div class="list">{rows}</div><div class="pages">{pages}</div>'


def _hu_detail(thing: Thing) -> str:
    return (
        f'<nav><a href="/">Kezdőlap</a></nav><h1>{thing.name}</h1><p class="price">{_millions(thing)}</p><p>Miskolc</p><dl><dt>Alapterület</dt><dd>{thing.size} m²</dd>'
        f'<dt>Szobák</dt><dd>{thing.rooms}</dd></dl><div class="agentBox"><h4><a href="/kozvetito/{thing.number % 7}">{_AGENTS[thing.number % 7]}</a></h4></div>'
    )


def _in_millions(things: list[Thing]) -> list[Thing]:
    return [
        Thing(
            number=t.number,
            title=t.title,
            price=t.amount * 100_000,
            size=t.size,
            rooms=t.rooms,
        )
        for t in things
    ]


def _nl_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="aanbodEntry"><a href="/aanbod/huis-{t.number}-{t.slug}/"><span class="banner">{"Verkocht onder voorbehoud" if t.number % 5 == 0 else ""}</span>'
        f'<h3 class="street-address">{t.name}</h3><span class="postal-code">35{t.number % 90 + 10} AB</span> <span class="locality">Utrecht</span>'
        f"<span>Koopprijs</span><span>{_asked(t)}</span><span>Woonoppervlakte</span><span>{t.size} m²</span></a></li>"
        for t in view.things
    )
    after = view.unless_last(f'<a rel="next" href="/aanbod/koop/pagina-{view.number + 1}/">Volgende</a>')
    return f'<nav><a href="/">Home</a></nav><h1>Aanbod</h1><p>{view.total} objecten</p><ul>{rows}</ul>{after}'


def _asked(thing: Thing) -> str:
    return f"€ {whole(thing.price)},- k.k." if thing.price is not None else "Prijs op aanvraag"


def _nl_detail(thing: Thing) -> str:
    return (
        f'<nav><a href="/">Home</a></nav><h1 class="street-address">{thing.name}</h1><span class="postal-code">35{thing.number % 90 + 10} AB</span> <span class="locality">Utrecht</span>'
        f'<div class="price">{_asked(thing)}</div><div><span>Woonoppervlakte</span><span>{thing.size} m²</span></div><div><span>Perceeloppervlakte</span><span>{thing.size * 2} m²</span></div>'
        f"<div><span>Aantal kamers</span><span>{thing.rooms + 2} kamers (waarvan {thing.rooms} slaapkamers)</span></div><p>Servicekosten € 125,- per maand</p>"
    )


def _thousands(things: list[Thing]) -> list[Thing]:
    return [
        Thing(
            number=t.number,
            title=t.title,
            price=t.price * 1000 if t.price else None,
            size=t.size,
            rooms=t.rooms,
        )
        for t in things
    ]


def _francs(amount: Decimal) -> str:
    """3’540.–"""
    return f"CHF {whole(amount, '’')}.–"


def _ch_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="result"><a href="/mieten/{t.number}"><div class="price">{_francs(t.amount)}</div><div><strong>{t.rooms}.5 Zimmer</strong>, <strong>{t.size} m²</strong></div>'
        f'<address>Seestrasse {t.number % 90}, 8002 Zürich</address><p class="card-title">{t.name}</p></a></div>'
        for t in view.things
    )
    pages = view.numbers("<span>{n}</span>", '<a href="/mieten/zuerich?ep={n}">{n}</a>')
    return f'<nav><a href="/">Start</a></nav><h1>Wohnungen mieten</h1><div>{rows}</div><nav class="pager">{pages}</nav>'


def _ch_detail(thing: Thing) -> str:
    rent = thing.amount
    return (
        f'<nav><a href="/">Start</a></nav><h1>{thing.name}</h1><address>Seestrasse {thing.number % 90}, 8002 Zürich</address><dl><dt>Miete:</dt><dd>{_francs(rent)}</dd>'
        f"<dt>Nebenkosten:</dt><dd>CHF 200.–</dd><dt>Anzahl Zimmer:</dt><dd>{thing.rooms}.5</dd><dt>Wohnfläche:</dt><dd>{thing.size} m²</dd></dl>"
    )


_HOUSES = adverts("hazak-hu", 26, "en", ("Eladó ház", "Felújított ház"), ("Miskolc, Fő utca", "Mályi, Kossuth utca"), _NUMBERS, low=120, high=690)  # fmt: skip
_STREETS = adverts("makelaar-nl", 27, "nl", ("Bergweg", "Lindenlaan", "Molenpad"), _NUMBERS, low=225, high=890, unpriced=9)  # fmt: skip
AGENCIES: tuple[Shape, ...] = (
    classified_site(
        "hazak-hu", "HUF", "hu", _in_millions(_HOUSES), path="/elado", per_page=10, page_of=by_query("page", path="/elado"),
        index=_hu_index, detail=_hu_detail, detail_path=lambda t: f"/ingatlan/HZ{t.number}/{t.slug}",
    ),
    classified_site(
        "makelaar-nl", "EUR", "nl", _thousands(_STREETS), path="/aanbod/koop/", per_page=10,
        page_of=numbered("/aanbod/koop/pagina-", "/", first="/aanbod/koop/"), index=_nl_index, detail=_nl_detail,
        detail_path=lambda t: f"/aanbod/huis-{t.number}-{t.slug}/",
    ),
    classified_site(
        "wohnen-ch", "CHF", "de-CH", adverts("wohnen-ch", 24, "de", ("Helle Wohnung", "Ruhige Wohnung"), ("mit Seesicht", "am Park"), _NUMBERS, low=1150, high=3900),
        path="/mieten/zuerich", per_page=10, page_of=by_query("ep", path="/mieten/zuerich"), index=_ch_index, detail=_ch_detail,
        detail_path=lambda t: f"/mieten/{t.number}",
    ),
)  # fmt: skip

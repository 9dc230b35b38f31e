"""Flats and rooms: Swedish homes without a price, a Portuguese map that knows all, Dutch rooms on a short last page.

Fees, deposits and prices by the square metre stand beside the price; living areas beside plots.
"""

import json
from collections.abc import Sequence

from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, whole

_NUMBERS = tuple(str(n) for n in range(3, 90))


def _kronor(thing: Thing) -> str:
    return f"{whole(thing.price, ' ')} kr" if thing.price is not None else "Pris saknas"


def _homes_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="hit"><a class="listing-card" href="/bostad/{t.number}"><div class="showing">Visning sön 6 dec kl 13:00</div><h2>{t.name}</h2><div class="listing-card__location">Centrum</div>'
        f'<div class="listing-card__attribute">{_kronor(t)}</div><div>{t.size} m²</div><div>{t.rooms} rum</div><div class="listing-card__attribute--fee">{t.size * 41} kr/mån</div></a></li>'
        for t in view.things
    )
    after = view.unless_last(
        f'<a class="next_page" rel="next" href="/bostader?page={view.number + 1}">Nästa</a>'
    )
    return f'<header><a href="/">Bo</a></header><h1>Bostäder till salu</h1><ul class="results">{rows}</ul><div class="pagination">{after}</div>'


def _homes_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Bo</a></header><h1>{thing.name}</h1><p class="price">{_kronor(thing)}</p><dl><dt>Antal rum</dt><dd>{thing.rooms} rum</dd><dt>Boarea</dt><dd>{thing.size} m²</dd>'
        f"<dt>Tomtarea</dt><dd>{thing.size * 4} m²</dd><dt>Avgift</dt><dd>{thing.size * 41} kr/mån</dd><dt>Driftkostnad</dt><dd>8 000 kr/år</dd></dl>"
    )


def _homes() -> list[Thing]:
    streets = ("Storgatan", "Kungsgatan", "Björkvägen")
    found = adverts("bostad-sv", 34, "en", streets, _NUMBERS, low=1495, high=8900, unpriced=7)
    return [
        Thing(
            number=each.number,
            title=each.title,
            price=each.price * 1000 if each.price else None,
            size=each.size,
            rooms=each.rooms,
        )
        for each in found
    ]


def _map_state(things: Sequence[Thing]) -> str:
    """The markers of all pages' flats, without addresses."""
    markers = [
        {"id": t.number, "lat": 41.1, "lng": -8.6, "price": int(t.price or 0), "title": t.title}
        for t in things
    ]
    return json.dumps({"map": {"markers": markers}, "user": None})


def _map_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="offer-item"><h3><a href="/anuncio/{t.slug}-ID{t.number}.html"><span>{t.name}</span></a></h3><ul><li class="offer-item-price">{whole(t.amount, " ")} €/mês</li>'
        f'<li>{t.size} m²</li><li class="offer-item-price-per-m">{int(t.price or 0) // t.size} €/m²</li></ul><p>Imobiliária Sol AMI 1234</p></article>'
        for t in view.things
    )
    after = view.unless_last(
        f'<li class="pager-next"><a href="/arrendar/?page={view.number + 1}">&gt;</a></li>'
    )
    return (
        f'<header><a href="/">imo</a></header><h1>Apartamentos para arrendar</h1><div class="listing">{rows}</div><ul class="pager">{after}</ul>'
        f"<script>window.__INITIAL_STATE__ = {_map_state(_MAPPED)};</script>"
    )


def _map_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">imo</a></header><h1>{thing.name}</h1><strong class="price">{whole(thing.amount, " ")} €/mês</strong><a href="#map">Rua Direita, Braga</a>'
        f"<dl><dt>Área útil (m²)</dt><dd>{thing.size} m²</dd><dt>Área bruta (m²)</dt><dd>{thing.size + 12} m²</dd><dt>Caução</dt><dd>2 rendas</dd></dl>"
    )


def _rooms_index(view: IndexView) -> str:
    rows = "".join(
        f'<a class="Paper-root ListingCard_root" href="/huren/kamer-{t.number}"><span class="subtitle">{t.name}</span><div><p>{t.size % 20 + 8} m²</p><p>Per direct - Onbepaalde tijd</p></div>'
        f'<p class="h5">€{int(t.price or 0)},-</p><p>{"Incl. G/W/E" if t.number % 2 else "Excl."} /maand</p><span class="chip">Nieuw</span></a>'
        for t in view.things
    )
    pages = view.numbers(
        '<li class="active"><span>{n}</span></li>', '<li><a href="/huren/kamers?pageNo={n}">{n}</a></li>'
    )
    return f'<header><a href="/">kamers</a></header><h1>Kamers te huur</h1><div class="grid">{rows}</div><ul class="pagination">{pages}</ul>'


def _rooms_detail(thing: Thing) -> str:
    rent = int(thing.price or 0)
    return (
        f'<header><a href="/">kamers</a></header><h1>{thing.name}</h1><h4>€{rent},- /maand {"incl." if thing.number % 2 else "excl."}</h4><div><p>{thing.size % 20 + 8} m²</p></div>'
        f"<div><h5>Kosten</h5><p>Borg</p><p>€{rent * 2},-</p><p>Servicekosten</p><p>€50,-</p></div><p>4 huisgenoten, leeftijd 20 - 28</p>"
    )


_MAPPED = adverts(
    "mapa-pt",
    42,
    "es",
    ("Apartamento T1 Avenida da República", "Apartamento T2 Rua Direita"),
    _NUMBERS,
    low=550,
    high=2400,
)
FLATS: tuple[Shape, ...] = (
    classified_site(
        "bostad-sv", "SEK", "sv", _homes(), path="/bostader", per_page=15, page_of=by_query("page", path="/bostader"),
        index=_homes_index, detail=_homes_detail, detail_path=lambda t: f"/bostad/{t.number}", beyond="empty",
    ),
    classified_site(
        "mapa-pt", "EUR", "pt", _MAPPED, path="/arrendar/", per_page=14, page_of=by_query("page", path="/arrendar/"),
        index=_map_index, detail=_map_detail, detail_path=lambda t: f"/anuncio/{t.slug}-ID{t.number}.html",
    ),
    classified_site(
        "kamers-nl", "EUR", "nl", adverts("kamers-nl", 32, "nl", ("Kamer te huur Kerkstraat", "Kamer te huur Parklaan"), _NUMBERS, low=320, high=950),
        path="/huren/kamers", per_page=15, page_of=by_query("pageNo", path="/huren/kamers"), index=_rooms_index, detail=_rooms_detail,
        detail_path=lambda t: f"/huren/kamer-{t.number}", beyond="empty",
    ),
)  # fmt: skip

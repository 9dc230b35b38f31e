"""Classified sites: goods in Dutch, German and English, flats in French and Spanish, a forum's market."""

from typing import Any

from larder.core.model.source import Kind
from tests.platform_sites.shape import IndexView, Shape, Thing, amounts, by_query, numbered, pick, whole

_TOWNS = {
    "nl": ("Utrecht", "Zwolle", "Breda", "Groningen"),
    "de": ("Leipzig", "Bremen", "Kassel", "Erfurt"),
    "fr": ("Nantes", "Lille", "Rennes", "Dijon"),
    "es": ("Sevilla", "Bilbao", "Vigo", "Murcia"),
    "en": ("Oakland", "Berkeley", "Fremont", "Alameda"),
    "pl": ("Warszawa", "Kraków", "Gdańsk", "Lublin"),
}


def adverts(
    seed: str, count: int, language: str, *parts: tuple[str, ...], low: int, high: int, unpriced: int = 0
) -> list[Thing]:
    """So many adverts; of every `unpriced` one has no price."""
    titles, prices, towns = pick(seed, count, *parts), amounts(seed, count, low, high), _TOWNS[language]
    return [
        Thing(
            number=10_000 + n * 7,
            title=title,
            price=None if unpriced and n % unpriced == 2 else price,
            place=towns[n % len(towns)],
            size=35 + n * 3 % 90,
            rooms=1 + n % 4,
        )
        for n, (title, price) in enumerate(zip(titles, prices, strict=True))
    ]


def _nl_index(view: IndexView) -> str:
    sponsored = (
        '<li class="hz-Listing hz-Listing--cas"><a class="hz-Link" href="https://ads.example/klik?x=1"><h3>Gratis '
        'keukenadvies</h3><span class="price">Zie omschrijving</span></a><span class="label">Topadvertentie</span></li>'
    )
    rows = "".join(
        f'<li class="hz-Listing"><a class="hz-Link" href="/v/fietsen/m{t.number}-{t.slug}"><div class="hz-Listing-group">'
        f'<h3 class="hz-Listing-title">{t.name}</h3><p class="hz-Listing-price">{f"€ {whole(t.price)},00" if t.price else "Bieden"}</p>'
        f'<span class="hz-Listing-date">Vandaag</span><span class="hz-Listing-location">{t.place}</span></div></a></li>'
        for t in view.things
    )
    after = view.unless_last(
        f'<a class="hz-Link hz-Pagination-next" href="/l/fietsen/p/{view.number + 1}/">Volgende</a>'
    )
    return (
        f'<header><a href="/">Markt</a> <a href="/plaats">Plaats advertentie</a></header><main><h1>Fietsen</h1>'
        f'<span>{view.total} resultaten</span><ul class="hz-Listings">{sponsored}{rows}</ul><nav class="hz-Pagination">'
        f'<span>Pagina {view.number} van {view.pages}</span>{after}</nav></main><footer><a href="/help">Help</a></footer>'
    )


def _nl_detail(thing: Thing) -> str:
    price = f"€ {whole(thing.price)},00" if thing.price else "Bieden"
    return (
        f'<header><a href="/">Markt</a></header><main><h1 class="Listing-title">{thing.name}</h1><div class="Listing-price">{price}</div>'
        f'<div class="Description">Ophalen in {thing.place}. Nette staat.</div><div class="Seller"><span>Jan</span></div>'
        f'<section class="similar"><h2>Vergelijkbare advertenties</h2><ul><li><a href="/v/fietsen/m1-x">Oude fiets</a> € 20,00</li>'
        f"</ul></section></main>"
    )


def _de_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="ad-listitem"><article class="aditem" data-adid="{t.number}"><div class="aditem-main--top">{t.place}</div>'
        f'<h2 class="text-module-begin"><a class="ellipsis" href="/s-anzeige/{t.slug}/{t.number}">{t.name}</a></h2>'
        f'<p class="aditem-main--middle--price">{f"{whole(t.price)} €" + (" VB" if t.number % 2 else "") if t.price else "Zu verschenken"}</p>'
        f"</article></li>"
        for t in view.things
    )
    numbers = view.numbers(
        '<span class="pagination-current">{n}</span>',
        '<a class="pagination-page" href="/s-moebel/seite:{n}/c88">{n}</a>',
    )
    after = view.unless_last(
        f'<a class="pagination-next" title="Nächste" href="/s-moebel/seite:{view.number + 1}/c88"></a>'
    )
    return (
        f'<header><a href="/">Start</a><a href="/p-anzeige-aufgeben.html">Anzeige aufgeben</a></header><main>'
        f'<h1>Möbel</h1><span class="breadcrump-summary">{view.total} Ergebnisse</span><ul id="srchrslt-adtable">{rows}</ul>'
        f'<div class="pagination">{numbers}{after}</div></main><footer><a href="/impressum.html">Impressum</a></footer>'
    )


def _de_detail(thing: Thing) -> str:
    price = (
        f"{whole(thing.price)} €" + (" VB" if thing.number % 2 else "") if thing.price else "Zu verschenken"
    )
    return (
        f'<header><a href="/">Start</a></header><main><article><h1 id="viewad-title">{thing.name}</h1><h2 id="viewad-price">{price}</h2>'
        f'<span id="viewad-locality">{thing.place}</span><p id="viewad-description-text">Abholung in {thing.place}.</p></article>'
        f'</main><footer><a href="/impressum.html">Impressum</a></footer>'
    )


def _fr_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="card-annonce"><a class="lien" href="/annonces/location/{t.slug}.htm"><img src="/f/{t.number}.jpg" alt=""></a>'
        f'<div class="infos"><div class="titre"><a href="/annonces/location/{t.slug}.htm">{t.name}</a></div><div class="prix">'
        f'{whole(t.price, " ")} € <small>/mois CC</small></div><div class="criteres">{t.rooms} p · {t.size} m² · {t.place}</div>'
        f'<div class="agence">Agence du Centre</div></div></div>'
        for t in view.things
        if t.price is not None
    )
    after = view.unless_last(
        f'<a class="suivant" href="/location?LISTING-LISTpg={view.number + 1}">Suivant ›</a>'
    )
    return (
        f'<nav><a href="/">Accueil</a><a href="/vendre">Vendre</a></nav><h1>Appartements à louer</h1><p>{view.total} annonces</p>'
        f'<div class="liste">{rows}</div><div class="pagination">{after}</div><footer><a href="/mentions">Mentions légales</a></footer>'
    )


def _fr_detail(thing: Thing) -> str:
    return (
        f'<nav><a href="/">Accueil</a></nav><h1>{thing.name}</h1><p class="prix">{whole(thing.amount, " ")} € /mois CC</p>'
        f'<ul class="criteres"><li>{thing.rooms} pièces</li><li>Surface {thing.size} m²</li></ul><p class="adresse">{thing.place}</p>'
        f'<footer><a href="/mentions">Mentions légales</a></footer>'
    )


def _es_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="item"><div class="item-info-container"><a href="/inmueble/{t.number}/" class="item-link" title="{t.name}">{t.name}</a>'
        f'<span class="item-price">{whole(t.price)}<span class="txt-big">€/mes</span></span><div class="item-detail-char">'
        f'<span class="item-detail">{t.rooms} hab.</span><span class="item-detail">{t.size} m²</span></div></div></article>'
        for t in view.things
        if t.price is not None
    )
    after = (
        f'<li class="next"><a rel="nofollow" class="icon-arrow-right-after" href="/alquiler-viviendas/pagina-{view.number + 1}.htm">'
        "<span>Siguiente</span></a></li>"
        if view.number < view.pages
        else ""
    )
    return (
        f'<header><a href="/">Inicio</a></header><main><h1>{view.total} casas y pisos en alquiler</h1><section class="items-container">'
        f'{rows}</section><div class="pagination"><ul>{after}</ul></div></main><footer><a href="/aviso-legal">Aviso legal</a></footer>'
    )


def _es_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Inicio</a></header><main><h1><span class="main-info__title-main">{thing.name}</span></h1><div class="info-data">'
        f'<span class="info-data-price"><span>{whole(thing.amount)}</span> €/mes</span></div><div class="info-features"><span>{thing.size} m²</span>'
        f"<span>{thing.rooms} hab.</span></div><p>{thing.place}</p></main>"
    )


def _forum_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="row"><dl class="row-item topic_read"><dt><div class="list-inner"><a href="./viewtopic.php?f=12&amp;t={t.number}" '
        f'class="topictitle">{t.name}</a><br>by <a href="./memberlist.php?u={t.number % 9}" class="username">user{t.number % 9}</a> » '
        f'Mon Mar 02, 2026</div></dt><dd class="posts">{t.number % 13}</dd></dl></li>'
        for t in view.things
    )
    numbers = view.numbers(
        '<li class="active"><span>{n}</span></li>',
        '<li><a class="button" href="./viewforum.php?f=12&amp;start={at}">{n}</a></li>',
        step=15,
        first=0,
    )
    return (
        f'<ul id="nav-main"><li><a href="./faq.php">FAQ</a></li><li><a href="./ucp.php?mode=login">Login</a></li></ul><h2>Marketplace</h2>'
        f'<div class="action-bar"><div class="pagination">{view.total} topics <ul>{numbers}</ul></div></div><div class="forumbg"><ul class="topiclist topics">'
        f"{rows}</ul></div>"
    )


def _forum_detail(thing: Thing) -> str:
    return (
        f'<ul id="nav-main"><li><a href="./faq.php">FAQ</a></li></ul><h2 class="topic-title">{thing.name}</h2><div class="postbody"><h3>{thing.name}</h3>'
        f'<p class="author">by user1</p><div class="content">Selling for ${whole(thing.amount, ",")} or best offer. Pick up in {thing.place}.</div></div>'
    )


def _en_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="result-row" data-pid="{t.number}"><time class="result-date" datetime="2026-03-02 10:00">Mar 2</time><h3 class="result-heading">'
        f'<a href="/eby/bik/d/{t.slug}/{t.number}.html" class="result-title hdrlnk">{t.name}</a></h3><span class="result-meta">'
        f'<span class="result-price">${whole(t.price, ",")}</span><span class="result-hood"> ({t.place})</span></span></li>'
        for t in view.things
        if t.price is not None
    )
    offset = view.number * 20
    after = f'<a href="/search/bik?s={offset}" class="button next" title="next page">next &gt;</a>'
    return (
        f'<header><a href="/">all</a></header><h1>bicycles</h1><div class="paginator"><span class="totalcount">{view.total}</span>{after}</div>'
        f'<ul class="rows">{rows}</ul><div class="paginator bottom">{after}</div>'
    )


def _en_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">all</a></header><h1 class="postingtitle"><span id="titletextonly">{thing.name}</span> - <span class="price">'
        f'${whole(thing.amount, ",")}</span><small> ({thing.place})</small></h1><section id="postingbody">In good shape.</section>'
    )


_BIKES = (
    ("Batavus", "Gazelle", "Trek", "Giant"),
    ("stadsfiets", "racefiets", "kinderfiets"),
    ("rood", "blauw", "28 inch", "met mand"),
)
_FURNITURE = (
    ("Altes", "Großes", "Schönes"),
    ("Sofa", "Bett", "Regal", "Bücherregal"),
    ("aus Eiche", "mit Polster", "in Weiß", "zum Abholen"),
)
_APARTMENTS = (
    ("Appartement", "Studio", "Duplex"),
    ("lumineux", "rénové", "calme", "meublé"),
    ("avec balcon", "proche gare", "dernier étage"),
)
_FLATS = (
    ("Piso", "Ático", "Estudio"),
    ("en calle Mayor", "en avenida del Puerto", "en plaza Nueva"),
    ("reformado", "luminoso", "exterior", "con terraza"),
)
_CAMERAS = (
    ("WTS:", "FS:"),
    ("Leica M3", "Nikon F2", "Canon AE-1", "Pentax K1000"),
    ("body", "with 50mm", "kit", "boxed", "user copy"),
)
_RIDES = (
    ("vintage", "commuter", "touring"),
    ("road bike", "mountain bike", "cruiser"),
    ("54cm", "small", "like new", "with lights", "needs work"),
)


def classified_site(name: str, currency: str, language: str, things: list[Thing], **more: Any) -> Shape:
    """A site of adverts."""
    return Shape(name=name, kind=Kind.LISTING, currency=currency, language=language, things=things, **more)


CLASSIFIEDS = (
    classified_site(
        "markt-nl", "EUR", "nl", adverts("markt-nl", 38, "nl", *_BIKES, low=20, high=900, unpriced=6), path="/l/fietsen/",
        per_page=15, page_of=numbered("/l/fietsen/p/", "/", first="/l/fietsen/"), index=_nl_index, detail=_nl_detail,
        detail_path=lambda t: f"/v/fietsen/m{t.number}-{t.slug}", beyond="last",
    ),
    classified_site(
        "anzeigen-de", "EUR", "de", adverts("anzeigen-de", 40, "de", *_FURNITURE, low=20, high=800, unpriced=9), path="/s-moebel/c88",
        per_page=14, page_of=numbered("/s-moebel/seite:", "/c88", first="/s-moebel/c88"), index=_de_index, detail=_de_detail,
        detail_path=lambda t: f"/s-anzeige/{t.slug}/{t.number}",
    ),
    classified_site(
        "flats-fr", "EUR", "fr", adverts("flats-fr", 30, "fr", *_APARTMENTS, low=420, high=1900), path="/location",
        per_page=12, page_of=by_query("LISTING-LISTpg", path="/location"), index=_fr_index, detail=_fr_detail,
        detail_path=lambda t: f"/annonces/location/{t.slug}.htm", beyond="empty",
    ),
    classified_site(
        "flats-es", "EUR", "es", adverts("flats-es", 33, "es", *_FLATS, low=450, high=2100), path="/alquiler-viviendas/",
        per_page=15, page_of=numbered("/alquiler-viviendas/pagina-", ".htm", first="/alquiler-viviendas/"), index=_es_index,
        detail=_es_detail, detail_path=lambda t: f"/inmueble/{t.number}/", beyond="first",
    ),
    classified_site(
        "forum-market", "USD", "en", adverts("forum-market", 36, "en", *_CAMERAS, low=60, high=1500), path="/viewforum.php",
        per_page=15, page_of=by_query("start", path="/viewforum.php", step=15, base=0), index=_forum_index, detail=_forum_detail,
        detail_path=lambda t: f"/viewtopic.php?t={t.number}",
    ),
    classified_site(
        "bikes-en", "USD", "en", adverts("bikes-en", 45, "en", *_RIDES, low=40, high=1900), path="/search/bik",
        per_page=20, page_of=by_query("s", path="/search/bik", step=20, base=0), index=_en_index, detail=_en_detail,
        detail_path=lambda t: f"/eby/bik/d/{t.slug}/{t.number}.html", beyond="empty",
    ),
)  # fmt: skip

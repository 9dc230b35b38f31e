"""Marketplaces: tools in Spanish after Osclass, a forum's market, bicycles in Polish. Some adverts have no price."""

from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Thing, by_query, comma, numbered, whole

_TOOLS = (
    ("Bosch", "Makita", "Hilti", "Metabo"),
    ("taladro", "sierra", "lijadora", "martillo"),
    ("casi nuevo", "usado", "con maletín", "para piezas"),
)
_SYNTHS = (
    ("Moog", "Korg", "Roland", "Behringer"),
    ("Minilogue", "SH-101", "Sub 37", "Model D"),
    ("mint", "boxed", "with case", "needs repair"),
)
_BIKES = (
    ("Rower", "Kross", "Giant", "Romet"),
    ("miejski", "górski", "dziecięcy", "szosowy"),
    ("jak nowy", "używany", "28 cali", "po serwisie"),
)


def _osclass_price(thing: Thing) -> str:
    return f"{comma(thing.price)} Euro €" if thing.price else "Consultar con el vendedor"


def _osclass_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="listing-card"><a class="listing-thumb" href="/herramientas/{t.slug}-i{t.number}"><img src="/{t.number}.jpg" alt="{t.name}"></a>'
        f'<div class="listing-basicinfo"><a href="/herramientas/{t.slug}-i{t.number}" class="title" title="{t.name}">{t.name}</a>'
        f'<div class="listing-attributes"><span class="category">Herramientas</span> - <span class="location">{t.place}</span> - 2 noviembre, 2026 '
        f'<span class="currency-value"> {_osclass_price(t)}</span></div><p>Funciona perfectamente, se puede probar...</p></div></li>'
        for t in view.things
    )
    numbers = view.numbers(
        '<li><span class="searchPaginationSelected">{n}</span></li>',
        '<li><a class="searchPaginationNonSelected" href="/herramientas/{n}">{n}</a></li>',
    )
    after = view.unless_last(
        f'<li><a class="searchPaginationLast" href="/herramientas/{view.pages}">&raquo;</a></li>'
    )
    return (
        f'<div id="header"><a href="/">Anuncios</a><a href="/item/new">Publica tu anuncio</a></div><div id="main"><h1>Herramientas</h1>'
        f'<span class="counter-search">{view.total} anuncios</span><ul class="listing-card-list">{rows}</ul><div class="paginate"><ul>{numbers}'
        f"{after}</ul></div></div>"
    )


def _osclass_detail(thing: Thing) -> str:
    return (
        f'<div id="header"><a href="/">Anuncios</a></div><div id="main"><div id="item-content"><h1><span class="price">{_osclass_price(thing)}</span> '
        f'<strong>{thing.name}</strong></h1><ul id="item_location"><li><strong>Localización</strong>: {thing.place}, España</li></ul>'
        f'<div id="description"><p>Vendo por no usar. Nuevo costaba 300 euros.</p></div><div class="similar_ads"><h2>Anuncios relacionados</h2>'
        f'<ul><li class="listing-card"><a class="title" href="/herramientas/otro-i1">Otro</a> 5,00 Euro €</li></ul></div></div></div>'
    )


def _forum_index(view: IndexView) -> str:
    rows = "".join(
        f'<tr class="topic-list-item" data-topic-id="{t.number}"><td class="main-link"><a href="/t/{t.slug}/{t.number}" class="title">{t.name}</a>'
        f'<div><a href="/c/market/5">Marketplace</a><a href="/tag/sell">sell</a></div></td><td class="posters"><a href="/u/user{t.number % 7}">'
        f'<img title="user{t.number % 7}"></a></td><td class="num posts">{t.number % 11}</td><td class="num views">{t.number % 300}</td>'
        f'<td class="num age">{1 + t.number % 20}d</td></tr>'
        for t in view.things
    )
    after = view.unless_last(f'<a rel="next" href="/c/market/5?page={view.number}">next page →</a>')
    return (
        f'<header><a href="/">Forum</a></header><main><h1>Marketplace</h1><table class="topic-list"><thead><tr><th>Topic</th><th></th><th>Replies'
        f"</th><th>Views</th><th>Activity</th></tr></thead><tbody>{rows}</tbody></table>{after}</main>"
    )


def _forum_detail(thing: Thing) -> str:
    price = int(thing.price or 0)
    return (
        f'<header><a href="/">Forum</a></header><main><div id="topic-title"><h1><a href="/t/{thing.slug}/{thing.number}">{thing.name}</a></h1></div>'
        f'<div class="crawler-post"><time datetime="2026-10-01T10:00:00Z">October 1, 2026</time><div class="post"><p>Hello, I am selling this. '
        f"Asking price: {price} € shipped within EU. Located in {thing.place}.</p></div></div>"
        f'<div class="crawler-post"><div class="post"><p>Would you take {price - 30} €?</p></div></div></main>'
    )


def _polish_price(thing: Thing) -> str:
    if not thing.price:
        return "Za darmo"
    more = "<style>.x{}</style><span>do negocjacji</span>" if thing.number % 2 else ""
    return f"{whole(thing.price, ' ')} zł{more}"


def _polish_index(view: IndexView) -> str:
    rows = "".join(
        f'<div data-cy="l-card" id="{t.number}" class="css-1s"><a class="css-1t" href="/d/oferta/{t.slug}-ID{t.number}.html"><img src="/{t.number}.jpg" '
        f'alt="{t.name}"></a><div data-cy="ad-card-title"><a class="css-1t" href="/d/oferta/{t.slug}-ID{t.number}.html"><h4>{t.name}</h4></a>'
        f'<p data-testid="ad-price">{_polish_price(t)}</p></div><p data-testid="location-date">{t.place} - Dzisiaj o 09:21</p></div>'
        for t in view.things
    )
    numbers = "".join(
        f'<li class="{"active" if n == view.number else ""}"><a href="/rowery/{f"?page={n}" if n > 1 else ""}">{n}</a></li>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<header><a href="/">Ogłoszenia</a><a href="/dodaj">Dodaj ogłoszenie</a></header><main><h1>Rowery</h1><div>{rows}</div>'
        f'<ul class="pagination-list">{numbers}</ul></main>'
    )


def _polish_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Ogłoszenia</a></header><main><span>Dodane 02 listopada 2026</span><div data-cy="offer_title"><h4>{thing.name}</h4></div>'
        f'<div data-testid="ad-price-container"><h3>{_polish_price(thing)}</h3></div><div data-cy="ad_description"><h3>Opis</h3><div>Odbiór '
        f"{thing.place}.</div></div></main>"
    )


MARKETPLACES = (
    classified_site(
        "osclass-es", "EUR", "es", adverts("osclass-es", 33, "es", *_TOOLS, low=15, high=900, unpriced=8), path="/herramientas",
        per_page=10, page_of=numbered("/herramientas/", "", first="/herramientas"), index=_osclass_index, detail=_osclass_detail,
        detail_path=lambda t: f"/herramientas/{t.slug}-i{t.number}", beyond="empty",
    ),
    classified_site(
        "forum-eu", "EUR", "en", adverts("forum-eu", 44, "de", *_SYNTHS, low=120, high=2400), path="/c/market/5",
        per_page=20, page_of=by_query("page", path="/c/market/5", base=0), index=_forum_index, detail=_forum_detail,
        detail_path=lambda t: f"/t/{t.slug}/{t.number}", beyond="empty",
    ),
    classified_site(
        "rowery-pl", "PLN", "pl", adverts("rowery-pl", 38, "pl", *_BIKES, low=120, high=4900, unpriced=12), path="/rowery/",
        per_page=16, page_of=by_query("page", path="/rowery/"), index=_polish_index, detail=_polish_detail,
        detail_path=lambda t: f"/d/oferta/{t.slug}-ID{t.number}.html", beyond="last",
    ),
)  # fmt: skip

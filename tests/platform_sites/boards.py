"""A market whose adverts lack a price now and then, while their prose names amounts."""

from tests.platform_sites.classifieds import adverts, classified_site
from tests.platform_sites.shape import IndexView, Thing, by_query, whole

_FURNITURE = (
    ("Soffa", "Matbord", "Skåp", "Säng", "Skrivbord"),
    ("i trä", "vitt", "modernt", "ek"),
    ("fint skick", "som ny", "IKEA", "retro", "150 cm"),
)


def _crowns(thing: Thing) -> str:
    return f"{whole(thing.price, ' ')} kr" if thing.price else ""


def _prose_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="sc-1k"><p><a href="/annonser?cg=2020">Möbler</a> · {t.place}</p><h2><a href="/annons/{t.slug}">{t.name}</a></h2><div class="Price">'
        f"{_crowns(t)}</div></article>"
        for t in view.things
    )
    after = view.unless_last(f'<a href="/annonser/mobler?page={view.number + 1}">Nästa</a>')
    return f'<header><a href="/">Start</a></header><main><h1>Möbler</h1><span>{view.total} annonser</span><div>{rows}</div><div class="Pagination">{after}</div></main>'


def _prose_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Start</a></header><main><article><h1>{thing.name}</h1><div class="Price">{_crowns(thing)}</div><div>Paket skickas med ombud från 59 kr</div>'
        f'<p>Säljes på grund av flytt, hämtas i {thing.place}. Nypris 4 500 kr.</p></article><section><h2>Liknande annonser</h2><a href="/annons/x-1">Stol 150 kr</a>'
        "</section></main>"
    )


BOARDS = (
    classified_site(
        "prose-sv", "SEK", "sv", adverts("prose-sv", 45, "de", *_FURNITURE, low=50, high=9900, unpriced=7), path="/annonser/mobler",
        per_page=20, page_of=by_query("page", path="/annonser/mobler"), index=_prose_index, detail=_prose_detail,
        detail_path=lambda t: f"/annons/{t.slug}", beyond="last",
    ),
)  # fmt: skip

"""Markets that say little in a row or too much: forum threads, a car dealer's stock, adverts without a price."""

from decimal import Decimal

from larder.sim.shapes.classifieds import adverts, classified_site
from larder.sim.shapes.shape import IndexView, Thing, by_query, numbered, whole

_HIFI = (
    ("Marantz", "Technics", "Thorens", "Quad", "Rega"),
    ("amplifier", "turntable", "tuner", "speakers"),
    ("2230", "SL-1200", "33/303", "boxed", "serviced"),
)
_CARS = (
    ("Volkswagen", "Renault", "Toyota", "Volvo", "Ford"),
    ("Golf", "Clio", "Yaris", "V60", "Focus"),
    ("1.6 TDI", "Hybrid", "Automaat", "Sport"),
)
_FURNITURE = (
    ("Soffa", "Matbord", "Skåp", "Säng", "Skrivbord"),
    ("i trä", "vitt", "modernt", "ek"),
    ("fint skick", "som ny", "IKEA", "retro", "150 cm"),
)


def _thread_row(thing: Thing) -> str:
    """Its links to its author, to itself and to its latest reply are made much alike."""
    author = f"/members/user{thing.number % 97}.{thing.number % 97}/"
    own = f"/threads/{thing.slug}.{thing.number}/"
    return (
        f'<div class="structItem"><div><a href="{author}" class="avatar"><span>u</span></a></div><div><div class="structItem-title"><a href="/forums/biete.12/?prefix_id=3" '
        f'class="labelLink"><span class="label">Biete</span></a><a href="{own}">{thing.name}</a></div><a href="{author}" class="username">user{thing.number % 97}</a> '
        f'<a href="{own}"><time>10. November 2026</time></a></div><dl><dt>Antworten</dt><dd>3</dd></dl><div><a href="{own}latest">Gestern</a></div></div>'
    )


def _thread_index(view: IndexView) -> str:
    sticky = '<div class="structItem"><div class="structItem-title"><a href="/threads/marktregeln.3/">Marktregeln – bitte lesen</a></div></div>'
    after = (
        f'<a href="/forums/biete.12/page-{view.number + 1}" class="pageNav-jump--next">Nächste</a>'
        if view.number < view.pages
        else ""
    )
    rows = "".join(map(_thread_row, view.things))
    return (
        f'<header><a href="/">Forum</a></header><h1>Biete</h1><div class="pageNav">{after}</div><div class="structItemContainer"><div class="sticky">{sticky}</div>'
        f"<div>{rows}</div></div>"
    )


def _thread_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Forum</a></header><h1><span class="label">Biete</span> {thing.name}</h1><article class="message"><dl><dt>Beiträge</dt><dd>1.204</dd></dl>'
        f"<div>Verkaufe wie beschrieben, voll funktionsfähig.<br>Preis: {whole(thing.price or Decimal(0))} € inkl. Versand<br>Standort: {thing.place}</div></article>"
        '<article class="message"><div>Nehme ich für 50 € weniger?</div></article>'
    )


def _car_price(thing: Thing) -> str:
    return f"€ {whole(thing.price)},-" if thing.price else "Prijs op aanvraag"


def _car_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="occasion"><a href="/aanbod/{t.slug}"><img data-src="/{t.number}.jpg"></a><h3><a href="/aanbod/{t.slug}">{t.name}</a></h3><ul><li>2019</li><li>'
        f'{t.size}.450 km</li></ul><div class="occasion__price"><span class="lease">Private lease v.a. <strong>€ {190 + t.size},- p/m</strong></span><span class="amount">'
        f'{_car_price(t)}</span></div><a class="btn" href="/aanbod/{t.slug}">Bekijk auto</a><a href="/proefrit?auto={t.number}">Proefrit</a></div>'
        for t in view.things
    )
    numbers = "".join(
        f'<a{" class=active" if n == view.number else ""} href="/aanbod?start={(n - 1) * 12}">{n}</a>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<header><a href="/">Jansen</a></header><main><h1>Ons aanbod</h1><p><strong>{view.total}</strong> occasions</p><div class="grid">{rows}</div>'
        f'<div class="paginering">{numbers}</div></main>'
    )


def _car_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Jansen</a></header><main><h1>{thing.name}</h1><div class="detail-price"><strong>{_car_price(thing)}</strong><div>Private lease v.a. € '
        f"{190 + thing.size},- p/m</div></div><table><tr><th>Wegenbelasting</th><td>€ 156 - € 170 per kwartaal</td></tr></table><h2>Vergelijkbare occasions</h2>"
        f'<div><h3><a href="/aanbod/x">Fiat Panda</a></h3>€ 4.950,-</div></main>'
    )


def _crowns(thing: Thing) -> str:
    return f"{whole(thing.price, ' ')} kr" if thing.price else ""


def _prose_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="sc-1k"><p><a href="/annonser?cg=2020">Möbler</a> · {t.place}</p><h2><a href="/annons/{t.slug}">{t.name}</a></h2><div class="Price">'
        f"{_crowns(t)}</div></article>"
        for t in view.things
    )
    after = f'<a href="/annonser/mobler?page={view.number + 1}">Nästa</a>' if view.number < view.pages else ""
    return f'<header><a href="/">Start</a></header><main><h1>Möbler</h1><span>{view.total} annonser</span><div>{rows}</div><div class="Pagination">{after}</div></main>'


def _prose_detail(thing: Thing) -> str:
    return (
        f'<header><a href="/">Start</a></header><main><article><h1>{thing.name}</h1><div class="Price">{_crowns(thing)}</div><div>Paket skickas med ombud från 59 kr</div>'
        f'<p>Säljes på grund av flytt, hämtas i {thing.place}. Nypris 4 500 kr.</p></article><section><h2>Liknande annonser</h2><a href="/annons/x-1">Stol 150 kr</a>'
        "</section></main>"
    )


BOARDS = (
    classified_site(
        "threads-de", "EUR", "de", adverts("threads-de", 46, "de", *_HIFI, low=40, high=2900), path="/forums/biete.12/",
        per_page=20, page_of=numbered("/forums/biete.12/page-", "", first="/forums/biete.12/"), index=_thread_index,
        detail=_thread_detail, detail_path=lambda t: f"/threads/{t.slug}.{t.number}/",
    ),
    classified_site(
        "dealer-nl", "EUR", "nl", adverts("dealer-nl", 40, "nl", *_CARS, low=1950, high=48000, unpriced=9), path="/aanbod",
        per_page=12, page_of=by_query("start", path="/aanbod", step=12, base=0), index=_car_index, detail=_car_detail,
        detail_path=lambda t: f"/aanbod/{t.slug}", beyond="empty",
    ),
    classified_site(
        "prose-sv", "SEK", "sv", adverts("prose-sv", 45, "de", *_FURNITURE, low=50, high=9900, unpriced=7), path="/annonser/mobler",
        per_page=20, page_of=by_query("page", path="/annonser/mobler"), index=_prose_index, detail=_prose_detail,
        detail_path=lambda t: f"/annons/{t.slug}", beyond="last",
    ),
)  # fmt: skip

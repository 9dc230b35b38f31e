"""Sites whose pages follow each other, or whose rows are told apart, in unusual ways.

One title many times over, a page for each day or letter, pagers of components and cursors, days in sentences,
prices in long titles, raised cents.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from larder.core.model.source import Kind
from tests.platform_sites.agendas import MONTHS, START, agenda, when
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, numbered, whole
from tests.platform_sites.shop_parts import FOOTER, goods, header, shop

_LETTERS = "abcdefgh"
_BRANCHES = ("Northgate", "Westfield", "Easton", "Southside")
_DAYS_IT = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")


def _branches_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="event-teaser"><h3><a href="/events/{500 + t.number}">{t.name}</a></h3>'
        f'<p class="when">{when(t):%a} {when(t).day} {when(t):%b %Y, %I.%M%p}</p><p class="where">{t.place} Library</p></article>'
        for t in view.things
    )
    after = view.unless_last(f'<a class="next" href="/whats-on?page={view.number + 1}">Next</a>')
    return f"<header><a href=/>City libraries</a></header><main><h1>What's on</h1><p>{view.total} events</p>{rows}{after}</main>"


def _branches_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<main><h1>{thing.name}</h1><dl><dt>Date</dt><dd>{at:%A} {at.day} {at:%B %Y}</dd><dt>Time</dt><dd>{at:%I.%M%p}</dd>"
        f"<dt>Venue</dt><dd>{thing.place} Library</dd></dl></main>"
    )


def _at_branches(things: list[Thing]) -> list[Thing]:
    """Two courses, each at one time in four places."""
    first = when(things[0]).replace(minute=30)
    return [
        replace(
            t,
            title=("Rhyme Time", "Lego Club")[n // 4 % 2],
            starts=(first + timedelta(days=n // 4)).replace(hour=10 + n // 4 % 2 * 5),
            place=_BRANCHES[n % 4],
        )
        for n, t in enumerate(things)
    ]


def _day_of(path: str, query: Mapping[str, str]) -> int | None:
    if path != "/programma":
        return None
    day = query.get("datum", f"{START.day:02}")[-2:]
    return int(day) - START.day + 1 if day.isdigit() else None


def _days_index(view: IndexView) -> str:
    day = when(view.things[0])
    first = day - timedelta(days=view.number - 1)
    days = [first + timedelta(days=n) for n in range(view.pages)]
    tabs = "".join(
        f'<a class="dag" href="/programma{f"?datum={each:%Y-%m-%d}" if n else ""}">{each.day} {MONTHS["nl"][each.month - 1]}</a>'
        for n, each in enumerate(days)
    )
    films = "".join(
        f'<div class="film"><h3><a href="/film/{t.slug}">{t.name}</a></h3><p>118 min</p><a href="/bestel/{t.number}">{when(t):%H:%M}</a></div>'
        for t in view.things
    )
    return (
        f'<nav><a href="/">Bioscoop</a></nav><h1>Programma</h1><div class="dagen">{tabs}</div>'
        f"<h2>{day.day} {MONTHS['nl'][day.month - 1]} {day.year}</h2><div>{films}</div>"
    )


def _days_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<h1>{thing.name}</h1><p>{at.day} {MONTHS['nl'][at.month - 1]} {at.year}</p><p>{at:%H:%M} uur</p>"
        "<p>Regie: A. de Wit. 118 minuten.</p>"
    )


def _by_day(things: list[Thing]) -> list[Thing]:
    """Six films a day."""
    first = START.replace(minute=30)
    times = [(first + timedelta(days=n // 6)).replace(hour=13 + n % 6) for n in range(len(things))]
    return [replace(t, starts=at) for t, at in zip(things, times, strict=True)]


def _posts_index(view: IndexView) -> str:
    posts = "".join(
        f'<div class="post"><h2 class="entry-title"><a href="/eventi/{t.slug}/">{t.name}</a></h2><div class="entry-meta">Pubblicato il 10 novembre 2026</div>'
        f'<p>{_invitation(t)} <a class="more-link" href="/eventi/{t.slug}/">Continua a leggere</a></p></div>'
        for t in view.things
    )
    older = view.unless_last(f'<a href="/eventi/page/{view.number + 1}/">← Articoli meno recenti</a>')
    return f'<nav><a href="/">Parrocchia</a></nav><h1>Eventi</h1>{posts}<nav class="navigation"><div class="nav-previous">{older}</div></nav>'


def _invitation(thing: Thing) -> str:
    at = when(thing)
    return (
        f"La comunità è invitata: {_DAYS_IT[at.weekday()]} {at.day} {MONTHS['it'][at.month - 1]} alle ore {at:%H:%M} presso il "
        "salone parrocchiale si terrà la nostra iniziativa."
    )


def _posts_detail(thing: Thing) -> str:
    return f'<article><h1>{thing.name}</h1><div class="entry-meta">Pubblicato il 10 novembre 2026</div><p>{_invitation(thing)}</p></article>'


def _letters_index(view: IndexView) -> str:
    links = "".join(
        f"<b>{each.upper()}</b> " if n == view.number else f'<a href="/register/{each}">{each.upper()}</a> '
        for n, each in enumerate(_LETTERS[: view.pages], 1)
    )
    rows = "".join(
        f'<div class="ware"><a href="/ware/{t.slug}">{t.name}</a><span class="preis">{t.amount:.2f} €</span></div>'
        for t in view.things
    )
    return f'{header("Warenkorb", "0,00 €")}<h1>Von A bis Z</h1><div class="az">{links}</div>{rows}{FOOTER}'


def _component_index(view: IndexView) -> str:
    cards = "".join(
        f'<div wire:key="product-{t.number}" class="group relative flex"><a href="/shop/{t.slug}" wire:navigate><img src="/p.jpg" alt=""></a>'
        f'<div class="p-4"><h3 class="text-sm"><a href="/shop/{t.slug}" wire:navigate>{t.name}</a></h3><p class="text-base">${t.amount:.2f}</p></div></div>'
        for t in view.things
    )
    pages = view.numbers(
        '<span aria-current="page">{n}</span>',
        '<button type="button" wire:click="gotoPage({n}, \'page\')" aria-label="Go to page {n}">{n}</button>',
    )
    return (
        f'{header("Bag", "$0.00")}<h1>Shop</h1><div class="grid">{cards}</div><nav role="navigation" aria-label="Pagination Navigation">'
        f"<p>{view.total} results</p>{pages}</nav>{FOOTER}"
    )


def _sold(thing: Thing, sign: str, buy: str, gone: str) -> str:
    button = f"<button>{buy}</button>" if thing.in_stock else f"<p>{gone}</p>"
    return f"<main><h1>{thing.name}</h1><p class='price'>{sign}</p>{button}</main>"


def _raised(thing: Thing) -> str:
    cents = int(thing.amount * 100) % 100
    return f"<span>€</span><span>{whole(thing.amount)}</span><sup>{cents:02}</sup>"


def _cursor_index(view: IndexView) -> str:
    cards = "".join(
        f'<li class="_1x2y"><a class="_9k8j" href="/products/{t.slug}"><img alt="{t.name}" src="/i.jpg"><p class="_cc">{t.name}</p><p class="_dd">{_raised(t)}</p>'
        f'<p class="_ee">{"Nog 3 op voorraad" if t.in_stock else "Uitverkocht"}</p></a></li>'
        for t in view.things
    )
    more = view.unless_last(f'<a class="_nx" href="/alles?cursor=c{view.number}">Meer laden ↓</a>')
    return f"{header('Mandje', '€ 0,00')}<main><h1>Alles</h1><ul>{cards}</ul>{more}</main>{FOOTER}"


def _cursor_of(path: str, query: Mapping[str, str]) -> int | None:
    cursor = query.get("cursor", "c0")[1:]
    return int(cursor) + 1 if path == "/alles" and cursor.isdigit() else None


def _market_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="row"><dl><dt><a href="/viewtopic.php?t={800 + t.number}" class="topictitle">{t.name}</a><br>door <a href="/memberlist.php?u={t.number}">jan{t.number}</a></dt>'
        f'<dd class="posts">{t.number % 7} <dfn>Reacties</dfn></dd><dd class="views">{t.number * 11}</dd></dl></li>'
        for t in view.things
    )
    pages = view.numbers(
        "<li class=active><span>{n}</span></li>",
        '<li><a href="/viewforum.php?start={at}">{n}</a></li>',
        step=15,
        first=0,
    )
    return f'<div><a href="/">Forum</a></div><h2>Markt</h2><ul class="topics">{rows}</ul><div class="pagination">{view.total} onderwerpen <ul>{pages}</ul></div>'


def _market_detail(thing: Thing) -> str:
    return (
        f'<h2 class="topic-title">{thing.name}</h2><div class="content">Zo goed als nieuw, nieuwprijs € 900. '
        f"Vraagprijs € {whole(thing.amount)}.</div>"
    )


def _offered(seed: str, count: int) -> list[Thing]:
    """Things with their prices in their titles, which are long."""
    found = [replace(t, price=t.amount.to_integral_value()) for t in goods(seed, count)]
    return [
        replace(t, title=f"[Te koop] Zeer nette {t.title} uit Utrecht - € {whole(t.amount)}") for t in found
    ]


_LIBRARY = agenda(
    "branches-en", "en", 24, path="/whats-on", per_page=9, page_of=by_query("page", path="/whats-on"),
    index=_branches_index, detail=_branches_detail, detail_path=lambda t: f"/events/{500 + t.number}",
)  # fmt: skip
_CINEMA = agenda(
    "dagen-nl", "nl", 24, path="/programma", per_page=6, page_of=_day_of, index=_days_index, detail=_days_detail,
    detail_path=lambda t: f"/film/{t.slug}",
)  # fmt: skip
WALKS = (
    replace(_LIBRARY, things=_at_branches(list(_LIBRARY.things))),
    replace(_CINEMA, things=_by_day(list(_CINEMA.things))),
    agenda(
        "parrocchia-it", "it", 20, path="/eventi", per_page=7,
        page_of=numbered("/eventi/page/", "/", first="/eventi"), index=_posts_index, detail=_posts_detail,
        detail_path=lambda t: f"/eventi/{t.slug}/",
    ),
    shop(
        "register-de", "EUR", "de", 28, path="/register/a", per_page=4,
        page_of=lambda path, _: {f"/register/{each}": n for n, each in enumerate(_LETTERS, 1)}.get(path),
        index=_letters_index, detail=lambda t: _sold(t, f"{t.amount:.2f} €", "In den Warenkorb", "Ausverkauft"),
        detail_path=lambda t: f"/ware/{t.slug}",
    ),
    shop(
        "component-en", "USD", "en", 28, path="/shop", per_page=10, page_of=by_query("page", path="/shop"),
        index=_component_index, detail=lambda t: _sold(t, f"${t.amount:.2f}", "Add to bag", "Sold out"),
        detail_path=lambda t: f"/shop/{t.slug}",
    ),
    shop(
        "cursor-nl", "EUR", "nl", 26, path="/alles", per_page=10, page_of=_cursor_of, index=_cursor_index,
        detail=lambda t: _sold(t, _raised(t), "In winkelwagen", "Uitverkocht"),
        detail_path=lambda t: f"/products/{t.slug}",
    ),
    Shape(
        name="prikbord-nl", kind=Kind.LISTING, currency="EUR", language="nl", things=_offered("prikbord-nl", 35),
        path="/viewforum.php", per_page=15, page_of=by_query("start", path="/viewforum.php", step=15, base=0),
        index=_market_index, detail=_market_detail, detail_path=lambda t: f"/viewtopic.php?t={800 + t.number}",
    ),
)  # fmt: skip

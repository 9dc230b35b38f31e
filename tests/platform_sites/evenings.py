"""Programmes that say little twice: films below a strip of days, numbers below months, ordinals, two sides of a match.

Where a list goes on and its heading does not, the 31st is followed by days of the next month.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import groupby

from tests.platform_sites.agendas import MONTHS, START, agenda, when
from tests.platform_sites.shape import IndexView, Thing, by_query

_DAYS_ES = ("Lunes", "Martes", "Miércoles", "Jueves", "Viernes", "Sábado", "Domingo")
_FILMS_A_DAY = 5


def _strip_index(view: IndexView) -> str:
    first = when(view.things[0]) - timedelta(days=view.number - 1)
    days = [first + timedelta(days=n) for n in range(view.pages)]
    strip = "".join(
        f'<td class="tabDia{" activo" if n == view.number else ""}"><a href="/cartelera?fecha={day:%Y-%m-%d}"><span>{_DAYS_ES[day.weekday()]}<br>{day:%d/%m/%Y}</span></a></td>'
        for n, day in enumerate(days, 1)
    )
    films = "".join(
        f'<table class="pelicula"><tr><td><a class="titulo" href="/pelicula/{t.slug}">{t.name}</a></td></tr><tr><td><table><tr><td><a href="/entradas/{t.number}">{when(t):%H:%M}</a></td>'
        f'</tr><tr><td><a href="/entradas/{t.number}">Comprar<br>Entradas</a></td></tr></table></td></tr></table>'
        for t in view.things
    )
    return (
        f'<div><a href="/">Inicio</a></div><table><tr><td><table><tr>{strip}</tr></table></td></tr><tr><td>{films}</td></tr></table>'
        "<p>Primera sesión laborables: 6,70 € (hasta las 17:30)</p>"
    )


def _strip_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<h1>{thing.name}</h1><p>Dirección: A. de Wit. 105 min.</p><p>{_DAYS_ES[at.weekday()]} {at.day} de {MONTHS['es'][at.month - 1]} de {at.year}, "
        f"{at:%H:%M}</p>"
    )


def _day_of(path: str, query: Mapping[str, str]) -> int | None:
    day = query.get("fecha", f"{START.day:02}")[-2:]
    return int(day) - START.day + 1 if path == "/cartelera" and day.isdigit() else None


def _by_evening(things: list[Thing]) -> list[Thing]:
    times = [
        (START + timedelta(days=n // _FILMS_A_DAY)).replace(hour=16 + n % _FILMS_A_DAY, minute=15)
        for n in range(len(things))
    ]
    return [replace(t, starts=at) for t, at in zip(things, times, strict=True)]


def _parish_index(view: IndexView) -> str:
    months = "".join(
        f"<h3>{MONTHS['de'][month - 1]}</h3><ul>"
        + "".join(
            f'<li>{when(t).day}. - <a href="/termin-{t.number}.html">{t.name}</a>, {when(t):%H.%M} Uhr, Gemeindehaus</li>'
            for t in things
        )
        + "</ul>"
        for month, things in groupby(view.things, key=lambda t: when(t).month)
    )
    return f'<div><a href="/">Gemeinde</a></div><h1>Termine {START.year}</h1>{months}<p>Pfarrbüro geöffnet Di und Do 9–12 Uhr</p>'


def _parish_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<div><a href='/'>Gemeinde</a></div><h2>{thing.name}</h2><p><em>am {at.day}. {MONTHS['de'][at.month - 1]} {at.year} um {at:%H.%M} Uhr</em></p>"
        "<p>Herzliche Einladung!</p>"
    )


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 11 <= day <= 13 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _pub_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="gig"><div class="when">{when(t):%a} {_ordinal(when(t).day)}</div><div class="what"><a href="/gig/{t.slug}">{t.name}</a></div>'
        f'<div class="time">{when(t):%-I.%M}pm</div></div>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/gigs?p={view.number + 1}">Next</a>')
    return f"<header><a href=/>The Anchor</a></header><h1>What's On in {when(view.things[0]):%B}</h1>{rows}{after}"


def _pub_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<header><a href=/>The Anchor</a></header><h1>{thing.name}</h1><p>{at:%A} {_ordinal(at.day)} {at:%B} {at.year}</p>"
        f"<p>Doors {at - timedelta(hours=1):%-I.%M}pm | Show {at:%-I.%M}pm</p>"
    )


def _matches(things: list[Thing]) -> list[Thing]:
    return [
        replace(t, title=f"{t.title} v Rovers" if t.number % 2 else f"Rovers v {t.title}") for t in things
    ]


def _fixtures_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="fixture"><div>{when(t):%a} {when(t).day} {when(t):%b}</div><div>League</div><a class="fixture__teams" href="/match/{t.number}">{_sides(t)}</a>'
        f"<div>KO {when(t):%H:%M}</div><div>Mill Lane</div></div>"
        for t in view.things
    )
    after = view.unless_last(f'<a href="/fixtures?page={view.number + 1}">More fixtures</a>')
    return f"<header><a href=/>Rovers</a></header><h1>Fixtures</h1>{rows}{after}"


def _sides(thing: Thing) -> str:
    home, _, away = thing.name.partition(" v ")
    return f"<span>{home}</span> <span>v</span> <span>{away}</span>"


def _fixtures_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<header><a href=/>Rovers</a></header><h1>{thing.name}</h1><p>League · {at:%A} {at.day} {at:%B} {at.year} · Kick-off {at:%H:%M}</p><p>Mill Lane</p>"
        f"<h3>Head to head</h3><ul><li>12 Mar 2025: {thing.name} 2-1</li><li>4 Oct 2024: {thing.name} 0-0</li></ul>"
    )


_FIXTURES = agenda(
    "fixtures-en", "en-GB", 20, path="/fixtures", per_page=8, page_of=by_query("page", path="/fixtures"),
    index=_fixtures_index, detail=_fixtures_detail, detail_path=lambda t: f"/match/{t.number}",
)  # fmt: skip
_CINEMA = agenda(
    "cartelera-es", "es", 25, path="/cartelera", per_page=_FILMS_A_DAY, page_of=_day_of, index=_strip_index,
    detail=_strip_detail, detail_path=lambda t: f"/pelicula/{t.slug}",
)  # fmt: skip
EVENINGS = (
    replace(_CINEMA, things=_by_evening(list(_CINEMA.things))),
    replace(_FIXTURES, things=_matches(list(_FIXTURES.things))),
    agenda(
        "pfarre-de", "de", 22, path="/termine", per_page=22, page_of=by_query("seite", path="/termine"),
        index=_parish_index, detail=_parish_detail, detail_path=lambda t: f"/termin-{t.number}.html",
    ),
    agenda(
        "gigs-en", "en-GB", 20, path="/gigs", per_page=10, page_of=by_query("p", path="/gigs"), index=_pub_index,
        detail=_pub_detail, detail_path=lambda t: f"/gig/{t.slug}",
    ),
)  # fmt: skip

"""Programmes of one evening, or one month, a page: cinemas with a strip of days and tables within tables."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from tests.platform_sites.agendas import MONTHS, START, agenda, when
from tests.platform_sites.shape import IndexView, Thing

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
        f'<table><tr><td><a class="titulo" href="/pelicula/{t.slug}">{t.name}</a></td></tr><tr><td><table><tr><td><a href="/entradas/{t.number}">{when(t):%H:%M}</a></td>'
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


_CINEMA = agenda(
    "cartelera-es", "es", 25, path="/cartelera", per_page=_FILMS_A_DAY, page_of=_day_of, index=_strip_index,
    detail=_strip_detail, detail_path=lambda t: f"/pelicula/{t.slug}",
)  # fmt: skip
EVENINGS = (replace(_CINEMA, things=_by_evening(list(_CINEMA.things))),)

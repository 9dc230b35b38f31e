"""Agendas: a WordPress calendar, venues in Dutch, German, French and Spanish, a town's list in Italian."""

from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from larder.core.model.source import Kind
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, numbered, pick


def _next_december(today: date) -> datetime:
    """3 December of this year, or of the next where that is near: what an agenda shows lies ahead."""
    return datetime(today.year + (today >= date(today.year, 12, 1)), 12, 3)  # noqa: DTZ001 - a wall clock


START = _next_december(date.today())  # noqa: DTZ011 - days without a year are read by the real calendar
_BANDS = ("The Quiet Harbour", "Mira Vos", "Lanterne", "Okto", "Paper Birds", "Dora & the Lines", "Noord")
_NIGHTS = ("album release", "in trio", "acoustic set", "and guests", "late show", "matinee", "unplugged")
MONTHS = {
    "nl": ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "it": [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}
DAYS_NL = ("ma", "di", "wo", "do", "vr", "za", "zo")
DAYS_DE = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")


def nights(seed: str, count: int, gap: int = 2) -> list[Thing]:
    """So many nights, each on a later day."""
    rng, at, found = Random(seed), START, []
    for n, title in enumerate(pick(seed, count, _BANDS, _NIGHTS)):
        at += timedelta(days=rng.randint(1, gap))
        starts = at.replace(hour=rng.choice((15, 19, 20, 21)), minute=rng.choice((0, 30)))
        found.append(Thing(number=n + 1, title=title, starts=starts, place="Town Hall"))
    return found


def when(thing: Thing) -> datetime:
    """When a night begins."""
    return thing.starts or START


def _wp_index(view: IndexView) -> str:
    rows, month = [], ""
    for t in view.things:
        at = when(t)
        name = f"{MONTHS['en'][at.month - 1]} {at.year}"
        if name != month:
            month = name
            rows.append(f'<h2 class="tribe-events-calendar-list__month-separator"><time>{name}</time></h2>')
        rows.append(
            f'<div class="tribe-common-g-row tribe-events-calendar-list__event-row"><div class="tribe-events-calendar-list__event-date-tag">'
            f'<time datetime="{at:%Y-%m-%d}"><span>{at:%a}</span><span>{at.day}</span></time></div><article class="tribe-events-calendar-list__event">'
            f'<time class="tribe-events-calendar-list__event-datetime" datetime="{at:%Y-%m-%d}"><span class="tribe-event-date-start">{at:%B} {at.day} @ '
            f"{at:%-I:%M} {at:%p}</span></time>".replace("AM", "am").replace("PM", "pm")
            + f'<h3 class="tribe-events-calendar-list__event-title"><a href="/event/{t.slug}/" rel="bookmark">{t.name}</a></h3>'
            f"<address><span>{t.place}</span></address></article></div>"
        )
    after = (
        f'<a href="/events/list/page/{view.number + 1}/" rel="next" class="tribe-events-c-nav__next">Next <span>Events</span></a>'
        if view.number < view.pages
        else '<button disabled class="tribe-events-c-nav__next">Next <span>Events</span></button>'
    )
    return f'<header><a href="/">Home</a></header><main><h1>Events</h1><div class="tribe-events-calendar-list">{"".join(rows)}</div><nav>{after}</nav></main>'


def _wp_detail(thing: Thing) -> str:
    at = when(thing)
    shown = f"{at:%B} {at.day}, {at.year} @ {at:%-I:%M} {at:%p}".replace("AM", "am").replace("PM", "pm")
    return (
        f'<header><a href="/">Home</a></header><main><h1 class="tribe-events-single-event-title">{thing.name}</h1><div class="tribe-events-schedule"><h2>'
        f'<span class="tribe-event-date-start">{shown}</span></h2></div><dl><dt>Venue</dt><dd class="tribe-venue">{thing.place}</dd></dl>'
        f'<a class="tribe-events-gcal" href="/cal">Add to calendar</a></main>'
    )


def _nl_index(view: IndexView) -> str:
    rows = "".join(
        f'<a class="agenda-item" href="/agenda/{t.slug}"><div class="datum"><span class="dag">{DAYS_NL[when(t).weekday()]}</span>'
        f'<span class="nr">{when(t).day}</span><span class="maand">{MONTHS["nl"][when(t).month - 1]}</span></div><div class="info"><h3>{t.name}</h3>'
        f'<span class="zaal">Grote Zaal</span><span class="tijd">{when(t):%H.%M} uur</span></div><span class="knop">Tickets</span></a>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/agenda?pagina={view.number + 1}">Volgende</a>')
    return f'<header><a href="/">Home</a><a href="/huur">Zaalhuur</a></header><main><h1>Agenda</h1><div class="lijst">{rows}</div><div class="pager">{after}</div></main>'


def _nl_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<header><a href="/">Home</a></header><main><h1>{thing.name}</h1><p class="wanneer">{DAYS_NL[at.weekday()]} {at.day} {MONTHS["nl"][at.month - 1]} {at.year}, '
        f'aanvang {at:%H:%M} uur</p><p class="prijs">€ 17,50</p><p>Maximaal 4 kaarten per bestelling.</p></main>'
    )


def _de_index(view: IndexView) -> str:
    rows = "".join(
        f"<h3>{DAYS_DE[when(t).weekday()]}, {when(t).day}. {MONTHS['de'][when(t).month - 1]} {when(t).year}</h3><table class=tag><tr>"
        f'<td class="zeit">{when(t):%H:%M} Uhr</td><td class="was"><a href="/programm/{t.number}.html">{t.name}</a><br>Saal 1</td>'
        f'<td><a href="https://tickets.example/{t.number}">Karten</a></td></tr></table>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/programm/seite-{view.number + 1}/">weiter »</a>')
    return f'<div id=nav><a href="/">Start</a> <a href="/impressum">Impressum</a></div><h1>Programm</h1>{rows}<p>{after}</p>'


def _de_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div id=nav><a href="/">Start</a></div><h1>{thing.name}</h1><p>{DAYS_DE[at.weekday()]}, {at.day}. {MONTHS["de"][at.month - 1]} {at.year}, {at:%H:%M} Uhr'
        f"</p><p>Einlass eine Stunde vorher.</p>"
    )


def _fr_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="evenement"><div class="date"><span class="jour">{when(t).day}</span> <span class="mois">{MONTHS["fr"][when(t).month - 1]}</span> '
        f'<span class="annee">{when(t).year}</span></div><h2><a href="/agenda/evenement/{t.number}-{t.slug}">{t.name}</a></h2><p class="lieu">{t.place}</p>'
        f'<p class="heure">à {when(t).hour}h{when(t):%M}</p></li>'
        for t in view.things
    )
    after = view.unless_last(f'<a rel="next" href="/agenda?p={view.number + 1}">Page suivante</a>')
    return f'<nav><a href="/">Accueil</a></nav><h1>Agenda</h1><ul class="evenements">{rows}</ul><div class="pagination">{after}</div>'


def _fr_detail(thing: Thing) -> str:
    at = when(thing)
    return f'<nav><a href="/">Accueil</a></nav><h1>{thing.name}</h1><p>Le {at.day} {MONTHS["fr"][at.month - 1]} {at.year} à {at.hour}h{at:%M}</p><p>{thing.place}</p>'


def _es_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="evento"><time datetime="{when(t):%Y-%m-%dT%H:%M}">{when(t).day} de {MONTHS["es"][when(t).month - 1]}</time>'
        f'<h4><a href="/eventos/{t.slug}">{t.name}</a></h4><span class="hora">{when(t):%H:%M} h</span></div>'
        for t in view.things
    )
    more = f'<a class="cargar-mas" href="/eventos?pag={view.number + 1}">Cargar más</a>'
    body = rows or "<p>No hay más eventos.</p>"
    return (
        f'<header><a href="/">Inicio</a></header><section id="eventos">{body}</section>{more if rows else ""}'
    )


def _es_detail(thing: Thing) -> str:
    at = when(thing)
    return f'<header><a href="/">Inicio</a></header><h1>{thing.name}</h1><p>{at.day} de {MONTHS["es"][at.month - 1]} de {at.year}, {at:%H:%M} h</p><p>{thing.place}</p>'


def _it_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="views-row"><article class="node node--type-event"><h2><a href="/evento/{t.slug}"><span class="field--name-title">{t.name}</span></a></h2>'
        f'<div class="field--name-field-data">{when(t).day} {MONTHS["it"][when(t).month - 1]} {when(t).year} - ore {when(t):%H:%M}</div></article></div>'
        for t in view.things
    )
    after = view.unless_last(
        f'<li class="pager__item pager__item--next"><a href="?page={view.number}" title="Vai alla pagina successiva" rel="next"><span aria-hidden="true">››</span></a></li>'
    )
    return f'<nav><a href="/">Home</a></nav><h1>Eventi</h1><div class="view-content">{rows}</div><nav class="pager"><ul class="pager__items">{after}</ul></nav>'


def _it_detail(thing: Thing) -> str:
    at = when(thing)
    return f'<nav><a href="/">Home</a></nav><h1>{thing.name}</h1><div class="field--name-field-data">{at.day} {MONTHS["it"][at.month - 1]} {at.year} - ore {at:%H:%M}</div><p>{thing.place}</p>'


def agenda(name: str, language: str, count: int, **more: Any) -> Shape:
    """A site of events of its own."""
    return Shape(
        name=name, kind=Kind.EVENT, currency="EUR", language=language, things=nights(name, count), **more
    )


AGENDAS = (
    agenda(
        "wordpress-events", "en", 24, path="/events/", per_page=10, page_of=numbered("/events/list/page/", "/", first="/events/"),
        index=_wp_index, detail=_wp_detail, detail_path=lambda t: f"/event/{t.slug}/",
    ),
    agenda(
        "venue-nl", "nl", 26, path="/agenda", per_page=12, page_of=by_query("pagina", path="/agenda"), index=_nl_index,
        detail=_nl_detail, detail_path=lambda t: f"/agenda/{t.slug}",
    ),
    agenda(
        "programm-de", "de", 22, path="/programm/", per_page=10, page_of=numbered("/programm/seite-", "/", first="/programm/"),
        index=_de_index, detail=_de_detail, detail_path=lambda t: f"/programm/{t.number}.html",
    ),
    agenda(
        "agenda-fr", "fr", 23, path="/agenda", per_page=9, page_of=by_query("p", path="/agenda"), index=_fr_index,
        detail=_fr_detail, detail_path=lambda t: f"/agenda/evenement/{t.number}-{t.slug}", beyond="last",
    ),
    agenda(
        "eventos-es", "es", 25, path="/eventos", per_page=10, page_of=by_query("pag", path="/eventos"), index=_es_index,
        detail=_es_detail, detail_path=lambda t: f"/eventos/{t.slug}", beyond="empty",
    ),
    agenda(
        "drupal-it", "it", 21, path="/eventi", per_page=8, page_of=by_query("page", path="/eventi", base=0), index=_it_index,
        detail=_it_detail, detail_path=lambda t: f"/evento/{t.slug}",
    ),
)  # fmt: skip

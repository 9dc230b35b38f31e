"""Agendas of towns and libraries: bookings until a day, weeks of few rows, words for more that no list has."""

from datetime import timedelta
from itertools import groupby

from tests.platform_sites.agendas import MONTHS, agenda, when
from tests.platform_sites.shape import IndexView, Thing, by_query

_LENGTH = timedelta(minutes=90)
_DAYS_DE = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
_DAYS_DA = ("Mandag", "Tirsdag", "Onsdag", "Torsdag", "Fredag", "Lørdag", "Søndag")
_DAYS_FI = ("ma", "ti", "ke", "to", "pe", "la", "su")


def _day(at: timedelta, thing: Thing) -> str:
    moment = when(thing) + at
    return f"{moment:%A} {moment.day} {moment:%B} {moment.year}"


def _hour(thing: Thing, later: timedelta = timedelta()) -> str:
    moment = when(thing) + later
    return (f"{moment:%-I:%M}{moment:%p}" if moment.minute else f"{moment:%-I}{moment:%p}").lower()


def _council_index(view: IndexView) -> str:
    rows = "".join(
        f'<li class="listing__item"><h2><a href="/events/{t.slug}">{t.name}</a></h2><div><span>Date:</span> {_day(timedelta(), t)}<br><span>Time:</span> '
        f"{_hour(t)} to {_hour(t, _LENGTH)}<br><span>Location:</span> {t.place}</div><p>Book by {(when(t) - timedelta(days=5)).day} "
        f"{when(t) - timedelta(days=5):%B}. For ages 5 to 12.</p></li>"
        for t in view.things
    )
    after = view.unless_last(
        f'<a href="?page={view.number}" title="Go to next page"><span>Next page</span>›</a>'
    )
    return (
        f'<h1>Events</h1><form><label>From <input type="date" name="start"></label></form><p>{view.total} results</p><ul class="listing">{rows}</ul>'
        f'<nav class="pager">{after}</nav><footer>Page last updated 18/11/2026</footer>'
    )


def _council_detail(thing: Thing) -> str:
    return (
        f"<h1>{thing.name}</h1><dl><dt>When</dt><dd>{_day(timedelta(), thing)}, {_hour(thing)} to {_hour(thing, _LENGTH)}</dd><dt>Where</dt><dd>{thing.place}</dd></dl>"
        '<h2>You may also like</h2><ul><li><a href="/events/x">Fireworks</a> 5 December 2026</li></ul>'
    )


def _city_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="card"><a href="/tapahtumat/{t.slug}"><h3>{t.name}</h3></a><div>{_DAYS_FI[when(t).weekday()]} {when(t).day}.{when(t).month}.{when(t).year} klo '
        f"{when(t):%H.%M}–{when(t) + _LENGTH:%H.%M}</div><div>{t.place}</div></div>"
        for t in view.things
    )
    after = view.unless_last(
        f'<div><a class="btn" href="/tapahtumat?sivu={view.number + 1}">Näytä lisää</a></div>'
    )
    return f"<h1>Tapahtumat</h1>{rows}{after}"


def _city_detail(thing: Thing) -> str:
    at = when(thing)
    return f"<h1>{thing.name}</h1><p>{at.day}.{at.month}.{at.year} klo {at:%H.%M}</p><p>Paikka: {thing.place}</p>"


def _library_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="teaser"><p class="teaser__kicker">{_DAYS_DE[when(t).weekday()]}., {when(t).day}.{when(t).month}., {when(t):%H.%M} Uhr | {place}</p>'
        f'<h3><a href="/veranstaltung/{t.number}-{t.slug}.html">{t.name}</a></h3><p>Eintritt frei. <span>Anmeldung bis {when(t) - timedelta(days=3):%d.%m.}</span></p></div>'
        for place, things in groupby(view.things, key=_branch)
        for t in things
    )
    after = view.unless_last(f'<a href="?woche=2026-{view.number + 50}">Nächste Woche ›</a>')
    return f'<h1>Veranstaltungen</h1><div><strong>Woche</strong> {after}</div><div class="list">{rows}</div>'


def _branch(thing: Thing) -> str:
    """Every other name is so long that the day stands in a long text."""
    return "Stadtteilbibliothek am Alten Nordbahnhof" if thing.number % 2 else "Nord"


def _library_detail(thing: Thing) -> str:
    at = when(thing)
    return f"<h1>{thing.name}</h1><p>{at.day}. {MONTHS['de'][at.month - 1]} {at.year}, {at:%H.%M} Uhr</p><p>Ort: {_branch(thing)}</p>"


def _culture_index(view: IndexView) -> str:
    rows = "".join(
        f"<tr><td valign=top><b>{_DAYS_DA[when(t).weekday()]} d. {when(t).day}. {when(t):%b}.</b><br>kl. {when(t):%H.%M}</td>"
        f'<td><a href="/arrangement?id={t.number}"><b>{t.name}</b></a><br>{t.place}, 8600 Silkeborg<br><font size=1>Pris: 80 kr.</font></td></tr>'
        for t in view.things
    )
    after = view.unless_last(
        f'<a href="/kalender?startnr={view.number * 8}">Næste 8 arrangementer &gt;&gt;</a>'
    )
    return f"<table width=600><tr><td><h1>Kalender</h1></td></tr></table><table>{rows}</table>{after}"


def _culture_detail(thing: Thing) -> str:
    at = when(thing)
    return f"<h1>{thing.name}</h1><table><tr><td>Tid:</td><td>{at.day}/{at.month} {at.year} kl. {at:%H.%M}</td></tr><tr><td>Sted:</td><td>{thing.place}</td></tr></table>"


COUNCILS = (
    agenda(
        "council-en", "en-GB", 26, path="/events", per_page=10, page_of=by_query("page", path="/events", base=0),
        index=_council_index, detail=_council_detail, detail_path=lambda t: f"/events/{t.slug}",
    ),
    agenda(
        "kaupunki-fi", "fi", 21, path="/tapahtumat", per_page=8, page_of=by_query("sivu", path="/tapahtumat"),
        index=_city_index, detail=_city_detail, detail_path=lambda t: f"/tapahtumat/{t.slug}",
    ),
    agenda(
        "bibliothek-de", "de", 22, path="/veranstaltungen", per_page=4,
        page_of=lambda path, query: int(query.get("woche", "2026-50")[5:]) - 49 if path == "/veranstaltungen" else None,
        index=_library_index, detail=_library_detail,
        detail_path=lambda t: f"/veranstaltung/{t.number}-{t.slug}.html",
    ),
    agenda(
        "kultur-da", "da", 21, path="/kalender", per_page=8, page_of=by_query("startnr", path="/kalender", step=8, base=0),
        index=_culture_index, detail=_culture_detail, detail_path=lambda t: f"/arrangement?id={t.number}",
    ),
)  # fmt: skip

"""Calendars of events: an English table, a month grid, French days, German deadlines, Czech weeks, Dutch dashes.

Several events a day, empty days, days that are no event's: deadlines, the day a page was made, popular things.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from larder.core.model.source import Kind
from tests.platform_sites.agendas import MONTHS, START, nights, when
from tests.platform_sites.shape import IndexView, Shape, Thing, by_query, numbered

_LENGTH = timedelta(minutes=90)
_DAYS_FR = ("Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi", "Dimanche")
_DAYS_CS = ("Pondělí", "Úterý", "Středa", "Čtvrtek", "Pátek", "Sobota", "Neděle")


def _crowded(seed: str, count: int) -> list[Thing]:
    """So many events, three on two days each and none on every third."""
    found = nights(seed, count)
    days = [START + timedelta(days=n // 3 * 3 + (n % 3 == 2)) for n in range(count)]
    return [
        Thing(
            number=thing.number,
            title=thing.title,
            place=thing.place,
            starts=day.replace(hour=10 + 4 * (thing.number % 3), minute=30 * (thing.number % 2)),
        )
        for thing, day in zip(found, days, strict=True)
    ]


def _by_day(things: Sequence[Thing]) -> list[tuple[datetime, list[Thing]]]:
    """Every day from the first to the last, with its events in order."""
    ordered = sorted(things, key=when)
    held = {day: list(found) for day, found in groupby(ordered, key=lambda t: when(t).date())}
    first, last = when(ordered[0]), when(ordered[-1])
    days = [first + timedelta(days=n) for n in range((last.date() - first.date()).days + 1)]
    return [(day, held.get(day.date(), [])) for day in days]


def _clock(at: datetime) -> str:
    return f"{at:%-I:%M} {at:%p}".lower()


def _table_index(view: IndexView) -> str:
    rows = "".join(
        f'<tr><td>{when(t):%d/%m/%Y}<br/>{when(t):%H:%M} - {when(t) + _LENGTH:%H:%M}</td><td><a href="/events/{t.slug}/">{t.name}</a><br/><i>{t.place}, Leeds</i></td></tr>'
        for t in view.things
    )
    pager = view.numbers(
        '<strong><span class="page-numbers current">{n}</span></strong>',
        '<a class="page-numbers" href="/events/?pno={n}">{n}</a>',
    )
    return (
        f'<nav><a href="/">Home</a></nav><main><h1>Events</h1><table class="events-table"><thead><tr><th>Date/Time</th><th>Event</th></tr></thead><tbody>{rows}'
        f'</tbody></table><span class="em-pagination">{pager}</span></main><aside><h3>News</h3><ul><li><a href="/news/a/">Roof repaired</a> 12/10/2026</li></ul></aside>'
    )


def _table_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<nav><a href="/">Home</a></nav><main><h1>{thing.name}</h1><p><strong>Date/Time</strong><br/>Date(s) - {at:%d/%m/%Y}<br/><i>{at:%H:%M} - {at + _LENGTH:%H:%M}</i></p>'
        f"<p><strong>Location</strong><br/>{thing.place}</p></main>"
    )


def _grid_index(view: IndexView) -> str:
    cells = "".join(
        f'<div class="month__day"><h3 class="month__day-date"><span class="hide">{len(things)} events,</span><time datetime="{day:%Y-%m-%d}">{day.day}</time></h3>'
        + "".join(
            f'<article class="month__event"><div><time datetime="{when(t):%H:%M}">{_clock(when(t))}</time> - <time datetime="{when(t) + _LENGTH:%H:%M}">{_clock(when(t) + _LENGTH)}</time></div>'
            f'<h3><a href="/event/{t.slug}/" rel="bookmark">{t.name}</a></h3></article>'
            for t in things
        )
        + "</div>"
        for day, things in _by_day(view.things)
    )
    first = when(view.things[0])
    after = view.unless_last(f'<a rel="next" href="/events/view/{view.number + 1}/">Next</a>')
    return (
        f'<main><h1>Calendar of Events</h1><div class="top-bar"><time datetime="{first:%Y-%m}-01">{first:%B %Y}</time></div><div class="month">{cells}</div>'
        f'<nav>{after}</nav><div class="minis"><h2>Popular this week</h2><div><a href="/event/a/">A walk</a> <span>Nov 20</span></div><div><a href="/event/b/">A talk</a> <span>Nov 21</span>'
        "</div></div></main>"
    )


def _grid_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<main><a href="/events/">All Events</a><h1>{thing.name}</h1><h2><span class="date-start">{at:%B} {at.day} @ {_clock(at)}</span> - <span>{_clock(at + _LENGTH)}</span></h2>'
        f'<dl><dt>Date:</dt><dd><abbr title="{at:%Y-%m-%d}">{at:%B} {at.day}</abbr></dd><dt>Time:</dt><dd>{_clock(at)} - {_clock(at + _LENGTH)}</dd><dt>Venue</dt><dd>{thing.place}</dd></dl></main>'
    )


def _french_day(at: datetime) -> str:
    return f"{_DAYS_FR[at.weekday()]} {at.day:02d} {MONTHS['fr'][at.month - 1].capitalize()} {at.year}"


def _days_index(view: IndexView) -> str:
    rows = "".join(
        f'<tr><td class="ev_left">{_french_day(day)}</td><td class="ev_right"><ul>'
        + "".join(
            f'<li><p>{when(t):%H:%M} - {when(t) + _LENGTH:%H:%M} <a class="ev_link" href="/agenda/evenement/{t.number}/-/{t.slug}">{t.name}</a> :: <a href="/agenda/cat/12">Culture</a></p></li>'
            for t in things
        )
        + "</ul></td></tr>"
        for day, things in _by_day(view.things)
        if things
    )
    numbers = view.numbers(
        "<li><span>{n}</span></li>", '<li><a href="/agenda?limitstart={at}">{n}</a></li>', step=12, first=0
    )
    return (
        f'<div class="menu"><a href="/">Mairie</a></div><h1>Agenda</h1><table>{rows}</table><ul class="pagination">{numbers}</ul><p>Il y a 120 événements dans le passé.</p>'
        f"<table><tr>{''.join(f'<td><a href=/agenda/jour/{n}>{n}</a></td>' for n in range(1, 31))}</tr></table>"
    )


def _days_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div class="menu"><a href="/">Mairie</a></div><h2>{thing.name}</h2><p>{_french_day(at)}, {at:%H:%M} - {at + _LENGTH:%H:%M}</p><p><b>Lieu</b> : {thing.place}</p>'
        f"<p>Contact : mairie@example.org, 02 40 00 00 00</p>"
    )


def _chamber_facts(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<dl><dt>Beginn</dt><dd>{at:%d.%m.%Y %H:%M}</dd><dt>Ende</dt><dd>{at + _LENGTH:%d.%m.%Y %H:%M}</dd><dt>Ort</dt><dd>{thing.place}</dd>"
        f"<dt>Anmeldeschluss</dt><dd>{at - timedelta(days=9):%d.%m.%Y}</dd></dl>"
    )


def _chamber_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="event-list-item"><h3><a href="/veranstaltungen/detail?tx_pi[event]={t.number}&amp;cHash=ab{t.number}">{t.name}</a></h3>{_chamber_facts(t)}'
        f'<p>Noch {t.number % 9 + 1} freie Plätze</p><a href="/veranstaltungen/anmeldung?event={t.number}">Zur Anmeldung</a></div>'
        for t in view.things
    )
    after = view.unless_last(
        f'<li class="next"><a href="/veranstaltungen?tx_list[currentPage]={view.number + 1}&amp;cHash=cc">Nächste</a></li>'
    )
    return f'<nav><a href="/">Kammer</a></nav><h1>Veranstaltungen</h1><div class="event-list">{rows}</div><ul class="paginator">{after}</ul>'


def _chamber_detail(thing: Thing) -> str:
    return (
        f'<nav><a href="/">Kammer</a></nav><h1>{thing.name}</h1><div class="submitted">Erstellt am 02.10.2026 - 09:14</div>{_chamber_facts(thing)}'
        f"<p>Gebühr: 45,00 EUR</p>"
    )


def _week_index(view: IndexView) -> str:
    days = "".join(
        f'<div class="den"><h3>{_DAYS_CS[day.weekday()]} {day.day}. {day.month}.</h3>'
        + (
            "".join(
                f'<div class="akce"><b>{when(t):%H:%M}</b> <a href="/program/{t.number}">{t.name}</a> <i>{t.place}</i></div>'
                for t in things
            )
            or "<p>Žádný program</p>"
        )
        + "</div>"
        for day, things in _by_day(view.things)
    )
    after = view.unless_last(f'<a href="/program?tyden={view.number + 1}">další týden »</a>')
    return f'<div class="menu"><a href="/">Klub</a></div><h1>Program</h1><div class="tyden">{days}</div><p>{after}</p>'


def _week_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div class="menu"><a href="/">Klub</a></div><h1>{thing.name}</h1><p>{_DAYS_CS[at.weekday()].lower()} {at.day}. {at.month}. {at.year} v {at:%H:%M}, {thing.place}</p>'
        f"<p>Vstupné 150 Kč</p>"
    )


def _nature_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="row"><div class="col-3"><span>{when(t):%d-%m-%Y}</span></div><div class="col-9"><h3><a href="/activiteiten/detail/{t.slug}">{t.name}</a></h3>'
        f"<p>Tijd: {when(t):%H:%M} - {when(t) + _LENGTH:%H:%M}</p><p>Locatie: {t.place}</p></div></div>"
        for t in view.things
    )
    news = "".join(
        f'<li>{n:02}-10-2026 <a href="/nieuws/bericht-{n}">Nieuws van {n}</a></li>' for n in (1, 7, 12)
    )
    after = view.unless_last(f'<a href="/activiteiten/pagina/{view.number + 1}">volgende</a>')
    return f'<header><a href="/">Natuurhuis</a></header><main><h1>Activiteiten</h1><div>{rows}</div>{after}</main><aside><ul>{news}</ul></aside>'


def _nature_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<header><a href="/">Natuurhuis</a></header><main><h1>{thing.name}</h1><table><tr><th>Datum</th><td>{at:%d-%m-%Y}</td></tr><tr><th>Tijd</th><td>{at:%H:%M} uur</td></tr>'
        f"<tr><th>Locatie</th><td>{thing.place}</td></tr><tr><th>Aanmelden tot</th><td>{at - timedelta(days=3):%d-%m-%Y}</td></tr></table></main>"
    )


def _calendar(name: str, language: str, count: int, **more: Any) -> Shape:
    return Shape(
        name=name, kind=Kind.EVENT, currency="EUR", language=language, things=_crowded(name, count), **more
    )


CALENDARS = (
    _calendar(
        "table-en-gb", "en-GB", 34, path="/events/", per_page=12, page_of=by_query("pno", path="/events/"),
        index=_table_index, detail=_table_detail, detail_path=lambda t: f"/events/{t.slug}/", beyond="empty",
    ),
    _calendar(
        "month-grid-en", "en-US", 30, path="/events/view/", per_page=12, page_of=numbered("/events/view/", "/", first="/events/view/"),
        index=_grid_index, detail=_grid_detail, detail_path=lambda t: f"/event/{t.slug}/",
    ),
    _calendar(
        "jours-fr", "fr-FR", 33, path="/agenda", per_page=12, page_of=by_query("limitstart", path="/agenda", step=12, base=0),
        index=_days_index, detail=_days_detail, detail_path=lambda t: f"/agenda/evenement/{t.number}/-/{t.slug}", beyond="last",
    ),
    _calendar(
        "kammer-de", "de", 28, path="/veranstaltungen", per_page=10, page_of=by_query("tx_list[currentPage]", path="/veranstaltungen"),
        index=_chamber_index, detail=_chamber_detail, detail_path=lambda t: f"/veranstaltungen/detail?tx_pi[event]={t.number}",
    ),
    _calendar(
        "tyden-cs", "cs", 30, path="/program", per_page=9, page_of=by_query("tyden", path="/program"),
        index=_week_index, detail=_week_detail, detail_path=lambda t: f"/program/{t.number}",
    ),
    _calendar(
        "natuur-nl", "nl", 29, path="/activiteiten", per_page=14, page_of=numbered("/activiteiten/pagina/", "", first="/activiteiten"),
        index=_nature_index, detail=_nature_detail, detail_path=lambda t: f"/activiteiten/detail/{t.slug}",
    ),
)  # fmt: skip

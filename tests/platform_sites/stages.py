"""Agendas that show more than the days of events: deadlines after labels, stages above acts, plain lines.

German courses with a day to register by, a Dutch festival by day and stage, an Italian library without markup.
"""

from dataclasses import replace
from datetime import timedelta
from itertools import groupby

from tests.platform_sites.agendas import MONTHS, agenda, when
from tests.platform_sites.shape import IndexView, Thing, by_query

_LENGTH = timedelta(minutes=60)
_PARAMETER = "tx_events[currentPage]"


def _course_facts(thing: Thing) -> str:
    at = when(thing)
    return (
        f"<b>Beginn:</b> {at:%d.%m.%Y}, {at:%H:%M} Uhr<br><b>Ende:</b> {at:%d.%m.%Y}, {at + _LENGTH:%H:%M} Uhr<br>"
        f"<b>Ort:</b> {thing.place}<br><b>Anmeldeschluss:</b> {at - timedelta(days=9):%d.%m.%Y}<br>Freie Plätze: 12"
    )


def _courses_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="event-list-item row"><h3><a href="/kurse/detail/{t.slug}">{t.name}</a></h3><p>{_course_facts(t)}</p>'
        f'<a href="/kurse/detail/{t.slug}">Details</a> | <a href="/kurse/anmeldung/{t.number}">Anmeldung</a></div>'
        for t in view.things
    )
    pages = view.numbers(
        "<li class=current>{n}</li>", '<li><a href="/kurse?tx_events%5BcurrentPage%5D={n}">{n}</a></li>'
    )
    return f'<nav><a href="/">Start</a></nav><h1>Kurse</h1><div class="tx-events">{rows}<ul class="f3-widget-paginator">{pages}</ul></div>'


def _courses_detail(thing: Thing) -> str:
    return f'<nav><a href="/">Start</a></nav><h1>{thing.name}</h1><p>Stand: 01.11.2026</p><p>{_course_facts(thing)}</p>'


def _stages_index(view: IndexView) -> str:
    days = "".join(
        f'<section class="dag"><h2>{day.day} {MONTHS["nl"][day.month - 1]} {day.year}</h2>'
        f'<div class="podium"><h3>Grote zaal</h3><ul>{_acts(list(found))}</ul></div>'
        f'<div class="podium"><h3>Tent</h3><ul></ul></div></section>'
        for day, found in groupby(view.things, key=lambda t: when(t).date())
    )
    return f'<nav><a href="/">Home</a></nav><h1>Programma</h1>{days}'


def _acts(things: list[Thing]) -> str:
    return "".join(
        f'<li><span class="tijd">{when(t):%H:%M} - {when(t) + _LENGTH:%H:%M}</span> <a href="/artiest/{t.slug}">{t.name}</a></li>'
        for t in things
    )


def _stages_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<nav><a href="/">Home</a></nav><h1>{thing.name}</h1><p>{at.day} {MONTHS["nl"][at.month - 1]} {at.year}</p>'
        f"<p>{at:%H:%M} uur</p><p>Een band uit Gent.</p>"
    )


def _by_stage(things: list[Thing]) -> list[Thing]:
    """Four acts a day, one after the other."""
    first = when(things[0]).replace(minute=0)
    return [
        Thing(
            number=t.number,
            title=t.title,
            starts=(first + timedelta(days=n // 4)).replace(hour=14 + 2 * (n % 4)),
            place=t.place,
        )
        for n, t in enumerate(things)
    ]


def _lines_index(view: IndexView) -> str:
    rows = "".join(
        f"<p><strong>{when(t).day} {MONTHS['it'][when(t).month - 1]} {when(t).year}, ore {when(t):%H.%M}</strong><br>"
        f'<a href="/appuntamento.php?id={t.number}">{t.name}</a><br><em>{t.place} – ingresso libero</em></p>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/appuntamenti.php?p={view.number + 1}">successiva &gt;</a>')
    return f'<div><a href="/">Biblioteca</a></div><h1>Appuntamenti</h1><p>Aggiornati al 15 novembre 2026.</p>{rows}<p>{after}</p>'


def _lines_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div><a href="/">Biblioteca</a></div><h2>{thing.name}</h2><p>{at.day} {MONTHS["it"][at.month - 1]} {at.year}</p><p>ore {at:%H.%M}</p>'
        f"<p>{thing.place}</p>"
    )


_FESTIVAL = agenda(
    "festival-nl", "nl", 24, path="/programma", per_page=24, page_of=by_query("dag", path="/programma"),
    index=_stages_index, detail=_stages_detail, detail_path=lambda t: f"/artiest/{t.slug}",
)  # fmt: skip
STAGES = (
    agenda(
        "kurse-de", "de", 24, path="/kurse", per_page=10, page_of=by_query(_PARAMETER, path="/kurse"),
        index=_courses_index, detail=_courses_detail, detail_path=lambda t: f"/kurse/detail/{t.slug}",
    ),
    replace(_FESTIVAL, things=_by_stage(list(_FESTIVAL.things))),
    agenda(
        "biblioteca-it", "it", 21, path="/appuntamenti.php", per_page=8,
        page_of=by_query("p", path="/appuntamenti.php"), index=_lines_index, detail=_lines_detail,
        detail_path=lambda t: f"/appuntamento.php?id={t.number}",
    ),
)  # fmt: skip

"""Programmes of events: an English blog archive, a Czech list, an Italian theatre, a French town, cards, days, a hall.

Sidebars with dates, hours without minutes, `8 - 11pm`, offsets as page numbers, days as headings.
"""

from datetime import timedelta

from tests.platform_sites.agendas import DAYS_NL, MONTHS, START, agenda, when
from tests.platform_sites.shape import IndexView, Thing, by_query, numbered

_MONTHS_IT = ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic")
_MONTHS_FR = (
    "janv.",
    "févr.",
    "mars",
    "avr.",
    "mai",
    "juin",
    "juil.",
    "août",
    "sept.",
    "oct.",
    "nov.",
    "déc.",
)
_MONTHS_CS = (
    "ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu", "prosince",
)  # fmt: skip
_DAYS_FR = ("lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim.")


def _archive_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="event type-event hentry"><h2 class="entry-title"><a href="/events/event/{t.slug}/">{t.name}</a></h2><div class="eo-event-date">'
        f'<time itemprop="startDate" datetime="{when(t):%Y-%m-%dT%H:%M:00}+00:00">{when(t).day} {when(t):%B %Y %-I:%M %p}</time></div><ul class="eo-event-meta">'
        f'<li><strong>Venue:</strong> <a href="/venue/hall/">{t.place}</a></li></ul><p>An evening in good company. <a href="/events/event/{t.slug}/">Read more</a></p></article>'
        for t in view.things
    )
    after = view.unless_last(
        f'<div class="nav-next"><a href="/events/event/page/{view.number + 1}/">Later events <span>&rarr;</span></a></div>'
    )
    return (
        f'<header><a href="/">Site</a></header><main><h1 class="page-title">Events</h1>{rows}<nav id="nav-below">{after}</nav></main>'
        '<aside id="secondary" class="widget-area"><h2>Recent Posts</h2><ul><li><a href="/2026/10/hello/">Hello</a> <span>October 3, 2026</span></li></ul>'
        f'<h2>Next up</h2><ul><li><a href="/events/event/first/">First one</a> 3rd December {START.year}</li></ul></aside>'
    )


def _archive_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<header><a href="/">Site</a></header><main><article><h1 class="entry-title">{thing.name}</h1><ul class="eo-event-meta"><li><strong>Date:</strong> '
        f'<time itemprop="startDate" datetime="{at:%Y-%m-%dT%H:%M:00}+00:00">{at.day} {at:%B %Y %-I:%M %p}</time></li><li><strong>Venue:</strong> {thing.place}'
        f"</li></ul><p>Posted on October 1, 2026 by admin</p></article></main>"
    )


def _czech_index(view: IndexView) -> str:
    rows = "".join(
        f'<dt>{when(t).day}. {when(t).month}. {when(t).year} v {when(t):%H:%M}</dt><dd><a href="/akce/{t.number}-{t.slug}"><strong>{t.name}</strong></a>'
        f"<br>{t.place}, vstupné 250 Kč</dd>"
        for t in view.things
    )
    after = view.unless_last(f'<a href="/akce/strana-{view.number + 1}">další »</a>')
    return f'<div id="menu"><a href="/">Úvod</a> <a href="/kontakt">Kontakt</a></div><h1>Kalendář akcí</h1><dl>{rows}</dl><div>{after}</div>'


def _czech_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div id="menu"><a href="/">Úvod</a></div><h1>{thing.name}</h1><p><b>Kdy:</b> {at.day}. {_MONTHS_CS[at.month - 1]} {at.year} od {at:%H:%M} hodin</p>'
        f"<p><b>Kde:</b> {thing.place}</p>"
    )


def _hour_it(thing: Thing) -> str:
    at = when(thing)
    return f"ore {at.hour}.{at:%M}" if at.minute else f"ore {at.hour}"


def _theatre_index(view: IndexView) -> str:
    rows = "".join(
        f'<article class="spettacolo"><div class="calendario"><span class="g">{when(t):%d}</span><span class="m">{_MONTHS_IT[when(t).month - 1]}</span></div>'
        f'<h2 class="titolo"><a href="/spettacoli/{t.slug}.html">{t.name}</a></h2><p class="info">{_hour_it(t)} – {t.place}</p><p>Biglietti da € 12 a € 30</p></article>'
        for t in view.things
    )
    after = view.unless_last(f'<a class="altri" href="/spettacoli?dopo={view.number + 1}">Carica altri</a>')
    return f'<nav><a href="/">Home</a></nav><h1>Stagione {START.year}/{START.year % 100 + 1}</h1><section>{rows}</section>{after}<footer>Biglietteria: mar–sab ore 16–19</footer>'


def _theatre_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<nav><a href="/">Home</a></nav><h1>{thing.name}</h1><p class="quando">{at.day} {MONTHS["it"][at.month - 1]} {at.year}, {_hour_it(thing)}</p>'
        f"<p>{thing.place}</p>"
    )


def _when_fr(thing: Thing) -> str:
    at = when(thing)
    return f"{_DAYS_FR[at.weekday()]} {at.day} {_MONTHS_FR[at.month - 1]} {at.year} à {at.hour} h {at:%M}"


def _town_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="item"><img src="/l/{t.number}.jpg" alt=""><p class="date-evt">{_when_fr(t)}</p><h3><a href="/article-{t.number + 100}.html">{t.name}</a>'
        f'</h3><p class="lieu">{t.place}</p></div>'
        for t in view.things
    )
    pager = " | ".join(
        f'<strong class="on">{(n - 1) * 10}</strong>'
        if n == view.number
        else f'<a href="/agenda.php?debut={(n - 1) * 10}#suite">{(n - 1) * 10}</a>'
        for n in range(1, view.pages + 1)
    )
    return (
        f'<div id="entete"><a href="/">Accueil</a></div><div id="contenu"><h1>Agenda culturel</h1>{rows}<p class="pagination">{pager}</p></div>'
        '<div id="extra"><h2>Actualités</h2><ul><li><a href="/article-7.html">Travaux rue Haute</a> <small>12 novembre 2026</small></li></ul></div>'
    )


def _town_detail(thing: Thing) -> str:
    return (
        f'<div id="entete"><a href="/">Accueil</a></div><div id="contenu"><h1>{thing.name}</h1><p class="date-evt">{_when_fr(thing)}</p><p>{thing.place}</p>'
        '<p class="info-publi">Publié le 3 octobre 2026</p></div>'
    )


def _cards_index(view: IndexView) -> str:
    rows = "".join(
        f'<li><section class="event-card-details"><a href="/e/{t.slug}-tickets-{880000 + t.number}?aff=list" aria-label="View {t.name}"><h3>{t.name}</h3></a>'
        f"<p>{when(t):%a, %b} {when(t).day}, {when(t):%-I:%M %p}</p><p>{t.place} · London</p><p>From £12.50</p><p>Promoted by Great Nights</p></section>"
        f'<aside><a href="/e/{t.slug}-tickets-{880000 + t.number}?aff=list"><img alt="{t.name} primary image"></a></aside></li>'
        for t in view.things
    )
    after = (
        f'<li><a href="/d/london/?page={view.number + 1}" aria-label="Next Page"><i></i></a></li>'
        if view.number < view.pages
        else '<li><button disabled aria-label="Next Page"></button></li>'
    )
    return (
        f'<header><a href="/">Nights</a></header><main><h1>Music events in London</h1><ul>{rows}</ul><footer><ul class="Pagination-module"><li>'
        f"{view.number} of {view.pages}</li>{after}</ul></footer></main>"
    )


def _cards_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<header><a href="/">Nights</a></header><main><h1 class="event-title">{thing.name}</h1><div><h2>Date and time</h2><span class="date-info">'
        f"{at:%A, %B} {at.day}, {at.year} · {at:%-I:%M} - {at + timedelta(hours=3):%-I:%M%p}</span></div><h2>Location</h2><p>{thing.place}</p>"
        "<p>Refunds up to 7 days before event</p></main>"
    )


def _days_index(view: IndexView) -> str:
    rows = "".join(
        f'<h3 class="day">{when(t):%A}, {when(t).day} {when(t):%B %Y}</h3><div class="ev"><span>{when(t):%H:%M}–{when(t) + timedelta(hours=1):%H:%M}</span> '
        f'<a href="/whats-on/{t.number}/{t.slug}">{t.name}</a> <em>{t.place}</em></div>'
        for t in view.things
    )
    after = view.unless_last(f'<a href="/whats-on?from={view.number * 8}" title="Later">Later events ›</a>')
    return f'<div class="nav"><a href="/">Library</a></div><h1>What\'s on</h1>{rows}<div class="more">{after}</div><p>Last update: 01/11/2026</p>'


def _days_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<div class="nav"><a href="/">Library</a></div><h1>{thing.name}</h1><p>{at:%A}, {at.day} {at:%B %Y}, {at:%H:%M} to {at + timedelta(hours=1):%H:%M}</p>'
        f"<p>{thing.place}</p>"
    )


def _hall_index(view: IndexView) -> str:
    rows = "".join(
        f'<div class="program-item"><a class="overlay" href="/programma/{t.slug}" aria-label="{t.name}"></a><span>{DAYS_NL[when(t).weekday()]} {when(t).day} '
        f"{MONTHS['nl'][when(t).month - 1]} '{when(t):%y}</span><h2>{t.name}</h2><div>Zaal open: {when(t) - timedelta(minutes=30):%H:%M} | Aanvang: {when(t):%H:%M}"
        f'</div><a href="https://tickets.example/{t.number}">Koop tickets</a><a href="/programma/{t.slug}">Meer info</a></div>'
        for t in view.things
    )
    after = view.unless_last(
        f'<div class="load-more"><a href="/programma?offset={view.number * 9}">Laad meer programma</a></div>'
    )
    return f'<header><nav><a href="/">Home</a></nav></header><main><h1>Programma</h1>{rows}{after}</main>'


def _hall_detail(thing: Thing) -> str:
    at = when(thing)
    return (
        f'<header><nav><a href="/">Home</a></nav></header><main><h1>{thing.name}</h1><dl><dt>Datum</dt><dd>{DAYS_NL[at.weekday()]} {at.day} '
        f"{MONTHS['nl'][at.month - 1]} {at.year}</dd><dt>Zaal open</dt><dd>{at - timedelta(minutes=30):%H:%M}</dd><dt>Aanvang</dt><dd>{at:%H:%M}</dd></dl>"
        f'<h2>Misschien ook iets voor jou</h2><ul><li><a href="/programma/elders"><time datetime="{START.year}-12-24T19:00:00">do 24 dec 19:00</time><h3>Kerst elders</h3>'
        "</a></li></ul></main>"
    )


PROGRAMMES = (
    agenda(
        "zaal-nl", "nl", 24, path="/programma", per_page=9, page_of=by_query("offset", path="/programma", step=9, base=0),
        index=_hall_index, detail=_hall_detail, detail_path=lambda t: f"/programma/{t.slug}",
    ),
    agenda(
        "archive-en", "en-GB", 23, path="/events/event/", per_page=10, page_of=numbered("/events/event/page/", "/", first="/events/event/"),
        index=_archive_index, detail=_archive_detail, detail_path=lambda t: f"/events/event/{t.slug}/",
    ),
    agenda(
        "akce-cs", "cs", 21, path="/akce/", per_page=9, page_of=numbered("/akce/strana-", "", first="/akce/"),
        index=_czech_index, detail=_czech_detail, detail_path=lambda t: f"/akce/{t.number}-{t.slug}",
    ),
    agenda(
        "teatro-it", "it", 22, path="/spettacoli", per_page=10, page_of=by_query("dopo", path="/spettacoli"),
        index=_theatre_index, detail=_theatre_detail, detail_path=lambda t: f"/spettacoli/{t.slug}.html",
    ),
    agenda(
        "ville-fr", "fr", 27, path="/agenda.php", per_page=10, page_of=by_query("debut", path="/agenda.php", step=10, base=0),
        index=_town_index, detail=_town_detail, detail_path=lambda t: f"/article-{t.number + 100}.html", beyond="last",
    ),
    agenda(
        "cards-en", "en-GB", 25, path="/d/london/", per_page=10, page_of=by_query("page", path="/d/london/"),
        index=_cards_index, detail=_cards_detail, detail_path=lambda t: f"/e/{t.slug}-tickets-{880000 + t.number}", beyond="last",
    ),
    agenda(
        "days-en", "en-GB", 24, path="/whats-on", per_page=8, page_of=by_query("from", path="/whats-on", step=8, base=0),
        index=_days_index, detail=_days_detail, detail_path=lambda t: f"/whats-on/{t.number}/{t.slug}",
    ),
)  # fmt: skip

"""Simulated events: concerts, markets and festivals, composed from word lists, in Dutch.

An event is a function of the calendar's seed and its number. Three numbers in a row are one series: the
same title in the same place on other dates. No two series share a title within weeks.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from zoneinfo import ZoneInfo

SERIES = 3
TOWN = ZoneInfo("Europe/Amsterdam")
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """A place of events."""

    name: str
    also: str
    """Other names that are used for it."""
    street: str
    city: str
    latitude: float
    longitude: float


VENUES = (
    Venue(name="De Oude Ketel", also="Oude Ketel", street="Ketelkade 4", city="Utrecht",
          latitude=52.0951, longitude=5.1102),
    Venue(name="Theater de Lantaarn", also="De Lantaarn", street="Lange Nieuwstraat 18", city="Utrecht",
          latitude=52.0868, longitude=5.1236),
    Venue(name="Poppodium Kade Zes", also="Kade Zes", street="Havenkade 6", city="Leiden",
          latitude=52.1612, longitude=4.4903),
    Venue(name="Stadsmuseum", also="Het Stadsmuseum", street="Oude Singel 31", city="Leiden",
          latitude=52.1639, longitude=4.4885),
    Venue(name="Buurthuis De Linde", also="De Linde", street="Lindelaan 2", city="Delft",
          latitude=52.0089, longitude=4.3622),
    Venue(name="Marktplein", also="Het Marktplein", street="Markt 1", city="Delft",
          latitude=52.0116, longitude=4.3594),
    Venue(name="Filmhuis Noorderlicht", also="Noorderlicht", street="Noorderhaven 50", city="Groningen",
          latitude=53.2216, longitude=6.5587),
    Venue(name="Sporthal Zuid", also="Zuidhal", street="Zuiderweg 12", city="Groningen",
          latitude=53.2011, longitude=6.5713),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType:
    """A kind of event: its words, hours and prices."""

    category: str
    titles: tuple[str, ...]
    hours: tuple[tuple[int, int], ...]
    euros: tuple[int, ...]
    venues: tuple[int, ...]
    descriptions: tuple[str, ...]
    days: int = 1
    """More than one: it lasts from a day to a day."""


_ARTISTS = (
    "Roos van Dalen", "Trio Mistral", "De Zwarte Zwaan", "Kamerkoor Aurora", "Blauwe Maandag", "Nina Okafor",
    "Papieren Vliegers", "Duo Veld & Vos", "Orkest Morgenrood", "Sam Brouwer", "Lichtjaren", "Hella Stroom",
)  # fmt: skip
_PLAYS = (
    "De Kersentuin", "Wachten op de Trein", "Het Huis aan Zee", "Driekoningenavond", "Een Kop Thee te Veel",
    "De Laatste Schipper", "Moeder Aarde", "Glazen Stad",
)  # fmt: skip
_THEMES = (
    "Licht en Schaduw", "Tuinen van Steen", "Brieven uit Batavia", "De Kleur Blauw", "Onder de Dijk",
    "Vrouwen van de Wol", "Zilver en Zout", "Nachtvlinders",
)  # fmt: skip

EVENT_TYPES = (
    EventType(category="muziek", titles=("{artist} speelt {theme}", "{artist}: {theme}"),
         hours=((20, 0), (20, 30), (21, 0), (15, 0)), euros=(0, 12, 17, 22, 28), venues=(0, 2, 4),
         descriptions=("Een avond met {artist}.", "Voor wie van luisteren houdt.")),
    EventType(category="theater", titles=("{play} door {artist}", "{artist} in {play}"),
         hours=((19, 30), (20, 0), (20, 15)), euros=(14, 18, 24), venues=(1, 0),
         descriptions=("Een voorstelling over wat blijft.", "Met inleiding vooraf.")),
    EventType(category="film", titles=("Filmavond: {play} met {artist}", "{play} (nagesprek met {artist})"),
         hours=((19, 0), (21, 15)), euros=(8, 10, 11), venues=(6, 1),
         descriptions=("Op het grote doek.", "Met nagesprek.")),
    EventType(category="kunst", titles=("{artist}, {theme}", "{theme}: nieuw werk van {artist}"),
         hours=((11, 0),), euros=(0, 9, 12), venues=(3,), days=10,
         descriptions=("Schilderijen en tekeningen.", "Dagelijks geopend tot vijf uur.")),
    EventType(category="markt", titles=("{edition}e Boekenmarkt {city}", "{edition}e Streekmarkt {city}"),
         hours=((9, 0), (10, 0)), euros=(0,), venues=(5, 4),
         descriptions=("Meer dan veertig kramen.", "Ook bij regen.")),
    EventType(category="familie",
         titles=("Knutselmiddag {theme} met {artist}", "Poppenkast {play} door {artist}"),
         hours=((14, 0), (14, 30), (10, 30)), euros=(3, 5, 7), venues=(4, 3, 1),
         descriptions=("Vanaf vier jaar.", "Neem een oude trui mee.")),
    EventType(category="muziek", titles=("{edition}e Jazzdagen {city}", "{edition}e Festival {theme}"),
         hours=((13, 0), (16, 0)), euros=(25, 35, 45), venues=(2, 5), days=3,
         descriptions=("Drie dagen, vier podia.", "Met eten uit de buurt.")),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedEvent:
    """One event, whichever agendas announce it."""

    entity: str
    """Its identity, the same wherever it is announced."""
    number: int
    title: str
    category: str
    description: str
    venue: Venue
    starts_at: datetime
    """In the town's time zone."""
    ends_at: datetime
    days: int
    price: int
    """In cents; 0 is free."""


def random_event(seed: int, number: int, announced_at: datetime) -> SimulatedEvent:
    """The event of that number; it begins some time after it was announced."""
    sort, venue, words = _series(seed, number // SERIES)
    rng = Random(f"{seed}:ahead:{number // SERIES}")  # noqa: S311 - luck, not secrecy
    hour, minute = sort.hours[number // SERIES % len(sort.hours)]
    apart = max(6, 2 * sort.days)
    day = announced_at.astimezone(TOWN) + DAY * (2 + rng.expovariate(1 / 14) + apart * (number % SERIES))
    starts_at = day.replace(hour=hour, minute=minute, second=0, microsecond=0)
    length = timedelta(hours=2) if sort.days == 1 else DAY * (sort.days - 1) + timedelta(hours=5)
    return SimulatedEvent(
        entity=f"event-{seed}-{number}",
        number=number,
        title=words["title"],
        category=sort.category,
        description=words["telling"],
        venue=venue,
        starts_at=starts_at,
        ends_at=starts_at + length,
        days=sort.days,
        price=100 * sort.euros[number // SERIES % len(sort.euros)],
    )


@lru_cache(maxsize=1 << 14)
def _series(seed: int, series: int) -> tuple[EventType, Venue, dict[str, str]]:
    rng = Random(f"{seed}:series:{series}")  # noqa: S311
    sort = rng.choice(EVENT_TYPES)
    venue = VENUES[rng.choice(sort.venues)]
    words = {
        "artist": _ARTISTS[series % len(_ARTISTS)],
        "play": _PLAYS[series // len(_ARTISTS) % len(_PLAYS)],
        "theme": _THEMES[series // len(_ARTISTS) % len(_THEMES)],
        "city": venue.city,
        "edition": str(series + 1),
    }
    description = " ".join(sort.descriptions).format_map(words)
    return sort, venue, {"title": rng.choice(sort.titles).format_map(words), "telling": description}


def agenda_title(of: SimulatedEvent, title_style: int, rng: Random) -> str:
    """The title in the style of one agenda."""
    match title_style % 3:
        case 0:
            return of.title
        case 1:
            return f"{of.title} @ {of.venue.also}" if rng.random() < 0.4 else of.title.replace(":", " -")
        case _:
            return f"{of.category.capitalize()}: {of.title}"


_DAYS = ("ma", "di", "wo", "do", "vr", "za", "zo")
_MONTHS = ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec")


def date_in_words(of: SimulatedEvent) -> str:
    """`za 14 mrt 20:00 uur`; what lasts for days, `14 t/m 16 mrt`."""
    start, end = of.starts_at, of.ends_at
    if of.days == 1:
        return f"{_DAYS[start.weekday()]} {start.day} {_month(start)} {start:%H:%M} uur"
    if start.month == end.month:
        return f"{start.day} t/m {end.day} {_month(end)}"
    return f"{start.day} {_month(start)} t/m {end.day} {_month(end)}"


def _month(moment: datetime) -> str:
    return _MONTHS[moment.month - 1]

"""What does a scout search for, what does it leave out, and how long does it wait?"""

from datetime import timedelta

SEARCH_AGAIN_AFTER = timedelta(days=90)
"""The time before a searched place is searched again."""
CACHE_FRESH = timedelta(days=6)
"""How long the answer to a query is reused."""
FIRST_WAIT, MAX_WAIT = timedelta(seconds=30), timedelta(minutes=30)
MAX_WAITS = 8
"""So many rate limits in a row count as a provider that is down."""
MAX_FAILED_QUERIES = 5
"""Failed queries in a row after which this run asks no more."""
PAGES_PER_PLACE = 15
PAGES_PER_SITE = 2
"""Maximum pages of one site for one place."""

_QUERIES = {
    "nl": (
        "agenda {place}",
        "uitagenda {place}",
        "evenementen {place}",
        "wat te doen in {place} dit weekend",
        "concerten en theater {place} programma",
    ),
    "de": (
        "Veranstaltungen {place}",
        "Veranstaltungskalender {place}",
        "Termine {place}",
        "was ist los in {place} am Wochenende",
        "Konzerte und Theater {place} Spielplan",
    ),
    "en": (
        "events {place}",
        "event calendar {place}",
        "what's on in {place}",
        "things to do in {place} this weekend",
        "concerts and theatre {place} programme",
    ),
}
_LANGUAGES = {"NL": "nl", "BE": "nl", "SR": "nl", "DE": "de", "AT": "de", "CH": "de", "LI": "de"}

NOISE = frozenset({
    "9292.nl", "airbnb.com", "apple.com", "booking.com", "buienradar.nl", "eventbrite.com", "expedia.com",
    "facebook.com", "funda.nl", "getyourguide.com", "google.com", "groupon.com", "indeed.com",
    "instagram.com", "linkedin.com", "marktplaats.nl", "meetup.com", "pinterest.com", "reddit.com",
    "songkick.com", "spotify.com", "ticketmaster.com", "ticketmaster.nl", "ticketswap.com", "ticketswap.nl",
    "tiktok.com", "tripadvisor.com", "tripadvisor.de", "tripadvisor.nl", "twitter.com", "viagogo.com",
    "weather.com", "wikipedia.org", "wikivoyage.org", "x.com", "yelp.com", "youtube.com",
})  # fmt: skip
"""Sites that searches for events often return and that are no place's own agenda."""
_FILES = (".pdf", ".doc", ".docx", ".xls", ".xlsx", ".jpg", ".jpeg", ".png", ".gif", ".zip", ".mp3", ".mp4")


def language_of(country: str) -> str:
    """The language in which a country is searched."""
    return _LANGUAGES.get(country, "en")


def queries(place: str, country: str) -> tuple[str, ...]:
    """The five queries of a place."""
    return tuple(query.format(place=place) for query in _QUERIES[language_of(country)])


def is_noise(domain: str, path: str) -> bool:
    """Whether a site or a file cannot be an agenda of its own."""
    return domain in NOISE or path.lower().endswith(_FILES)


def wait_after(limits_in_a_row: int, retry_after: timedelta | None) -> timedelta:
    """How long to wait after a rate limit: what the provider says, at least a doubling time."""
    doubled = min(MAX_WAIT, FIRST_WAIT * (1 << min(limits_in_a_row, 10)))
    return max(doubled, min(retry_after or timedelta(0), timedelta(days=1)))

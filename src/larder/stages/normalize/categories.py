"""What kind of evening is it? Ten categories, by words in Dutch and English; what fits none is `community`.

The words of the title and of the page's own category count more than those of the description.
"""

import re
from enum import StrEnum


class EventCategory(StrEnum):
    """The ten categories of events."""

    MUSIC = "music"
    THEATRE = "theatre"
    FILM = "film"
    ART = "art"
    FOOD = "food"
    SPORT = "sport"
    MARKET = "market"
    FAMILY = "family"
    LEARNING = "learning"
    COMMUNITY = "community"


_WORDS = {
    EventCategory.MARKET: r"\w*markt(?:en)?|market|braderie|rommelmarkt|fair|beurs|bazaar|vrijmarkt"
    r"|kofferbak\w*",
    EventCategory.FILM: r"films?|bioscoop|cinema|movies?|documentaires?|documentar(?:y|ies)|screening"
    r"|filmhuis",
    EventCategory.FAMILY: r"famil(?:ie|y|ies)\w*|kinder\w*|kids|children|jeugd\w*|sinterklaas|peuters?"
    r"|kleuters?|\d\+",
    EventCategory.THEATRE: r"theat(?:er|re)\w*|toneel\w*|cabaret(?:ier)?|musicals?|opera|ballet"
    r"|dans(?:voorstelling)?"
    r"|dance performance|stand-?up|comedy|voorstelling|improv\w*|kleinkunst|circus",
    EventCategory.MUSIC: r"muziek\w*|music|concert\w*|\w*concert(?:en)?|bands?|dj'?s?|festival|jazz|blues"
    r"|rock|pop|punk"
    r"|metal|techno|house|hip-?hop|klassiek|classical|koor|choir|orkest|orchestra|live act|gig|tribute"
    r"|singer\w*"
    r"|kamermuziek|fanfare|harmonie|club(?:nacht|night)|rave|kwartet|quartet|symfon\w*|symphon\w*",
    EventCategory.ART: r"kunst\w*|arts?|expositie|exposition|exhibition|tentoonstelling|galerie|gallery"
    r"|museum|schilder\w*"
    r"|fotografie|photography|sculptu\w*|vernissage",
    EventCategory.FOOD: r"food\w*|eten|diner|dinner|proeverij|tasting|wijn\w*|wine|bier\w*|beer|culinair"
    r"|culinary|brunch"
    r"|lunch|high tea|bbq|streetfood|kookworkshop|cooking",
    EventCategory.SPORT: r"sport\w*|voetbal\w*|football|soccer|hardlop\w*|run|marathon|wielren\w*|fiets\w*"
    r"|cycling|yoga"
    r"|wandel(?:tocht|ing)?\w*|hike|hiking|tennis|hockey|schaats\w*|toernooi|tournament|triathlon|zwem\w*",
    EventCategory.LEARNING: r"lezing(?:en)?|lecture|workshops?|cursus(?:sen)?|course|training|talks?"
    r"|masterclass|seminar"
    r"|webinar|college|les(?:sen)?|rondleiding|guided tour|debat|debate|symposium|conferentie|conference",
}
_PATTERNS = {category: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for category, words in _WORDS.items()}
_NAMES = {category.value: category for category in EventCategory}
_BODY = 2_000


def categorize(title: str, *, given: str | None = None, description: str | None = None) -> EventCategory:
    """The first category whose words appear in what the page calls it, in its title or in its description."""
    for text in (given, title, (description or "")[:_BODY]):
        if text and (found := _match(text)):
            return found
    return EventCategory.COMMUNITY


def _match(text: str) -> EventCategory | None:
    if named := _NAMES.get(text.strip().casefold()):
        return named
    hits = {category: len(pattern.findall(text)) for category, pattern in _PATTERNS.items()}
    best = max(hits, key=lambda category: hits[category])
    return best if hits[best] else None

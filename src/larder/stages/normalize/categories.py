"""Assigns one of ten categories to an event, by words in Dutch and English; the default is `community`.

The words of the title and of the page's own category count more than those of the description.
"""

import re
from enum import StrEnum

from larder.core.policy.word_search import required_texts


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
    EventCategory.MARKET: r"""
        \w*markt(?:en)? | markets? | braderie | fair | beurs | bazaar | kofferbak\w*
    """,
    EventCategory.FILM: r"""
        films? | film\w+ | bioscoop | cinema | movies? | documentaires? | documentar(?:y|ies)
      | screening
    """,
    EventCategory.FAMILY: r"""
        famil(?:ie|y|ies)\w* | kinder\w* | kids | children\w* | jeugd\w* | sinterklaas | peuters?
      | kleuters?
    """,
    EventCategory.THEATRE: r"""
        theat(?:er|re)\w* | toneel\w* | cabaret\w* | musicals? | opera | ballet | dans
      | dansvoorstelling | dance | stand-?up | comedy | voorstelling | improv\w* | kleinkunst | circus
    """,
    EventCategory.MUSIC: r"""
        \w*muziek\w* | music | \w*concert\w* | bands? | dj'?s? | festival | jazz | blues | rock | pop
      | punk | metal | techno | house | hip-?hop | klassiek | classical | \w*koor | choir | \w*orkest
      | orchestra | live\sact | gig | tribute | singer\w* | fanfare | harmonie | club(?:nacht|night)
      | rave | kwartet | quartet | symfon\w* | symphon\w*
    """,
    EventCategory.ART: r"""
        kunst\w* | arts? | exposities? | exposition | exhibitions? | tentoonstelling\w* | galerie
      | gallery | museum | schilder\w* | fotografie | photography | sculptu\w* | vernissage
    """,
    EventCategory.FOOD: r"""
        food\w* | eten | diner | dinner | \w*proeverij | tasting | wijn\w* | wine | bier\w* | beer
      | culinair\w* | culinary | brunch | lunch | high\stea | bbq | streetfood | kookworkshop | cooking
    """,
    EventCategory.SPORT: r"""
        sport\w* | voetbal\w* | football | soccer | hardlop\w* | run | marathon | wielren\w* | fiets\w*
      | cycling | yoga | wandel\w* | hike | hiking | tennis | hockey | schaats\w* | toernooi
      | tournament | triathlon | zwem\w*
    """,
    EventCategory.LEARNING: r"""
        lezing(?:en)? | lectures? | workshops? | cursus(?:sen)? | courses? | training | talks?
      | masterclass | seminar | webinar | college | les(?:sen)? | rondleiding\w* | guided\stours?
      | debat | debate | symposium | conferentie | conference | education | literary
    """,
}
_PATTERNS = {category: re.compile(rf"\b(?:{words})\b", re.VERBOSE) for category, words in _WORDS.items()}
_STEMS = {category: required_texts("".join(words.split())) for category, words in _WORDS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAMES = {category.value: category for category in EventCategory}
_BODY = 2_000


def categorize(title: str, *, value: str | None = None, description: str | None = None) -> EventCategory:
    """The first category with words in the page's own category, the title or the description."""
    for text in (value, title, (description or "")[:_BODY]):
        if text and (category := _match(text)):
            return category
    return EventCategory.COMMUNITY


def _match(text: str) -> EventCategory | None:
    if named := _NAMES.get(text.strip().casefold()):
        return named
    text = _CAMEL.sub(" ", text).lower()  # schema.org writes `MusicEvent`
    likely = (each for each in _PATTERNS if any(stem in text for stem in _STEMS[each]))
    hits = {category: len(_PATTERNS[category].findall(text)) for category in likely}
    best = max(hits, key=lambda category: hits[category], default=None)
    return best if best and hits[best] else None

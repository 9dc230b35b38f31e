"""Days that are no event's: `No public skating on December 26`, `Am 26. Dezember geschlossen`, sidebars.

Of notices only a sentence that ties the day to its denial counts: a band may be called `No Doubt`.
"""

import re
from functools import lru_cache

from turbohtml import Node

from larder.core.policy.word_search import WordSearch
from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.element_names import is_in_sidebar
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.patterns import days_in

MIN_DAYS = 3
MAX_NOTICE = 120
MAX_WORDS = 24

_NO = (
    r"no|geen|keine?n?|pas de(?! deux| trois| quatre)|aucune?|ning[uú]n[ao]?|no hay|no habrá"
    r"|nessun[ao]?|non c['’]è|non ci sono|niente"
)
_CLOSED = r"closed|gesloten|dicht|geschlossen|fermée?s?|relâche|cerrad[oa]s?|chius[oaie]"
_CLOSES = (
    r"close|closes|sluiten|sluit|schließen|schließt|fermons|ferme|ferment|fermera|cerramos|cierra|cerrará"
    r"|chiudiamo|chiude|chiuderà"
)
_BE = (
    r"is|are|be|we['’]re|zijn|wij|we|zijn we|zijn wij|ist|sind|bleibt|bleiben|haben|wir|est|sont|sera|seront"
    r"|está|están|estará|permanecerá|è|sono|siamo|resta|rimane|remains|blijft|sommes|estamos"
)
_ON = (
    r"on|on the|op|am|an|le|les|el|los|il|i|ce|from|van|vom|du|del|dal|until|tot|bis|tussen|between|zwischen"
)
_LEAD = (
    r"(?:(?:there (?:is|are|will be)|er (?:is|zijn)|es gibt|il n['’]y (?:a|aura)"
    r"|sorry|let op|attention|note)\W+)?"
)
_FORMS = (
    rf"{_LEAD}(?:{_NO})\s.{{2,70}}\s(?:{_ON})\s*@",  # no skating on @
    rf"{_LEAD}(?:{_NO})\s(?-i:[a-zß-ÿ])[^-–—|:,]{{2,50}}\s@",  # no skating @: names have capitals
    rf"(?:{_ON})\s+@\W*(?:[\w'’]+\s+){{0,3}}(?:{_NO})\s.{{2,70}}",  # on @ there is no skating
    rf"(?:.{{2,60}}\s(?:{_BE})\s+)?(?:{_CLOSED})(?:\s*:|\s(?:{_ON}))?\s*@.{{0,20}}",  # we are closed on @
    rf"(?:(?:.{{2,60}}\s(?:{_BE})\s+)?(?:{_ON})\s+)?@\W*(?:(?:{_BE})\s+(?:.{{2,40}}\s)?)?(?:{_CLOSED})",
    # on @ we are closed, the museum is on @ closed
    rf"(?:{_LEAD}(?:{_ON})\s+)?@\W*(?:.{{2,40}}\s)?(?:{_CLOSES})(?:\s.{{2,60}})?",  # on @ we close at four
)
_NOTICE = re.compile("|".join(_FORMS), re.IGNORECASE)
_ANY = WordSearch(_NO, _CLOSED, _CLOSES)
_SENTENCE = re.compile(r"(?<=[^\W\d]{2})[.!;]\s+|\n")


def is_notice(mention: Mention) -> bool:
    """Does the mention's own sentence say that nothing takes place on that day?"""
    block = mention.element.closest("p, li, h1, h2, h3, h4, h5, h6, td, div") or mention.element
    text = brief_text_of(block, MAX_WORDS)
    return len(text) <= 2 * MAX_NOTICE and any(_states_no_event(each) for each in _SENTENCE.split(text))


@lru_cache(maxsize=2_048)
def _states_no_event(sentence: str) -> bool:
    if len(sentence) > MAX_NOTICE or _ANY.search(sentence) is None:
        return False
    return _NOTICE.fullmatch(_days_masked(sentence).strip(" .!")) is not None


def _days_masked(sentence: str) -> str:
    """A sentence with `@` for the days that it names."""
    days = days_in(sentence)
    return f"{sentence[: days[0].start()]}@{sentence[days[-1].end() :]}" if days else sentence


def without_sidebars(found: list[Mention]) -> list[Mention]:
    """Days in a sidebar count only where hardly another day is named."""
    known: dict[Node, bool] = {}
    own = [mention for mention in found if not is_in_sidebar(mention.element, known)]
    return own if len(own) >= MIN_DAYS else found

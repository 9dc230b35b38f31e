"""Is an offer still available?

The words for sold, reserved, rented and removed in all languages name one state each. A state counts as the
whole of a badge, as a badge before a title, or as the value of a status field; within other text the same
words speak of other things.
"""

import re
from enum import StrEnum

from larder.core.policy.word_search import WordSearch

MAX_BADGE = 40


class OfferStatus(StrEnum):
    """What a badge or a status field says of an offer."""

    RESERVED = "reserved"
    RENTED = "rented"
    SOLD = "sold"
    REMOVED = "removed"


WORDS = {
    OfferStatus.RESERVED: r"reserved|under offer|sale agreed|sold stc|sold subject to contract|pending|"
    r"under contract|reserviert|gereserveerd|onder (?:bod|optie)|in trattativa|"
    r"verkocht onder voorbehoud|verhuurd onder voorbehoud|"
    r"r[ée]serv[ée]e?|sous compromis|sous offre|reservad[oa]|riservat[oa]|prenotat[oa]|"
    r"zarezerwowan[eya]|rezerwacja|rezervov[aá]n[aáeéoý]|reserver(?:ad|at|et|t)|foglalt|rezervat[ăa]?|varattu|"
    r"rezervirano|rezerve",
    OfferStatus.RENTED: r"rented|let agreed|let|leased|vermietet|verhuurd|lou[ée]e?|alquilad[oa]|"
    r"arrendad[oa]|affittat[oa]|alugad[oa]|wynajęt[eya]|pronajat[oaé]|uthyrd|udlejet|utleid|kiadva|închiriat",
    OfferStatus.SOLD: r"sold|already sold|verkauft|bereits verkauft|verkocht|"
    r"al verkocht|reeds verkocht|vendue?|vendid[oa]|"
    r"vendut[oa]|sprzedan[eya]|såld|solgt|prod[aá]n[aáeéoý]|predané|prodano|eladva|vândut[ăa]?|myyty|satıldı",
    OfferStatus.REMOVED: r"deleted|removed|expired|inactive|withdrawn|no longer available|gel[öo]scht|"
    r"deaktiviert|abgelaufen|verwijderd|verlopen|niet meer beschikbaar|supprim[ée]e?|expir[ée]e?|"
    r"annonce d[ée]sactiv[ée]e|eliminad[oa]|expirad[oa]|caducad[oa]|anuncio no disponible|rimoss[oa]|"
    r"scadut[oa]|annuncio scaduto",
}
_FOUND = {state: re.compile(words, re.IGNORECASE) for state, words in WORDS.items()}
_ANY = WordSearch(*WORDS.values())
_BEFORE = re.compile(rf"^\W*(?:(?:{'|'.join(WORDS.values())})\s*(?:[•|:!*–—-]|\])+\s*)+", re.IGNORECASE)


def offer_status(badge: str) -> OfferStatus | None:
    """The status in a badge or a status field; None if it names none. `SOLD_STC` is `sold stc`."""
    if len(badge) > 2 * MAX_BADGE:
        return None
    words = badge.rpartition("/")[2].replace("_", " ").strip(" •|:!*–—-[]()\n\t")
    if not words or _ANY.fullmatch(words) is None:
        return None
    return next((state for state, pattern in _FOUND.items() if pattern.fullmatch(words)), None)


def status_before(title: str) -> OfferStatus | None:
    """The status in a badge before the title."""
    badge = _BEFORE.match(title[:MAX_BADGE])
    return offer_status(badge[0]) if badge else None


def without_status(title: str) -> str:
    """A title without the badge before it."""
    return _BEFORE.sub("", title)

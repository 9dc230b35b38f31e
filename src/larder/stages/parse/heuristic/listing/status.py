"""Is a listing still to be had? The words for sold, reserved and rented before its title or on a badge."""

import re

from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.segments import segments

BESIDE = 8
MAX_BADGE = 40

_STATES = {
    "reserved": r"reserved|under offer|sale agreed|sold stc|sold subject to contract|pending|under contract|"
    r"reserviert|gereserveerd|onder (?:bod|optie)|in trattativa|"
    r"verkocht onder voorbehoud|verhuurd onder voorbehoud|"
    r"r[ée]serv[ée]e?|sous compromis|sous offre|reservad[oa]|riservat[oa]|prenotat[oa]",
    "rented": r"rented|let agreed|let|leased|vermietet|verhuurd|lou[ée]e?|alquilad[oa]|arrendad[oa]|"
    r"affittat[oa]|alugad[oa]",
    "sold": r"sold|verkauft|verkocht|vendue?|vendid[oa]|vendut[oa]|sprzedan[eya]|såld",
    "removed": r"deleted|removed|expired|no longer available|gel[öo]scht|deaktiviert|verwijderd|"
    r"niet meer beschikbaar|"
    r"supprim[ée]e?|annonce d[ée]sactiv[ée]e|eliminad[oa]|anuncio no disponible|rimoss[oa]|annuncio scaduto",
}
_FOUND = {state: re.compile(words, re.IGNORECASE) for state, words in _STATES.items()}
_BEFORE = re.compile(rf"^\W*(?:(?:{'|'.join(_STATES.values())})\s*(?:[•|:!*–—-]|\])+\s*)+", re.IGNORECASE)


def status(page: Page) -> str:
    """`sold`, `reserved`, `rented` or `removed`; empty where neither title nor badge says so."""
    title, _ = page.once(headline)
    badge = _BEFORE.match(title[:MAX_BADGE])
    shown = page.once(segments)
    close = shown.texts[max(0, shown.head - BESIDE) : shown.head + BESIDE]
    badges = (segment.text for segment in close if len(segment.text) <= MAX_BADGE)
    return next((state for text in (badge[0] if badge else "", *badges) if (state := status_of(text))), "")


def status_of(badge: str) -> str:
    """What a badge says; a badge says nothing else."""
    words = badge.strip(" •|:!*–—-[]()")
    return next((state for state, pattern in _FOUND.items() if pattern.fullmatch(words)), "")


def without_status(title: str) -> str:
    """A title without the badge before it."""
    return _BEFORE.sub("", title)

"""What does a page that answered 200 say about its record?

Sites often say it in words instead of a status: that it is sold, or that there is no such page. A phrase
counts within a short piece of text (a title, a heading, a notice), a single word only as a label on its own
("SOLD", "Verkauft – 3 Zimmer"): long prose mentions such words about other things. The caller picks the
pieces that speak of the page's own record, never those of related ones.
"""

import re
from collections.abc import Iterable
from enum import StrEnum

from larder.core.policy.trust.offer_status import OfferStatus, offer_status

MAX_NOTICE_LENGTH = 160


class GoneNotice(StrEnum):
    """What the page's words mean."""

    GONE = "gone"
    NOT_FOUND = "not_found"


GONE_PHRASES = (
    "no longer available",
    "no longer active",
    "no longer listed",
    "no longer for sale",
    "no longer for rent",
    "has been sold",
    "has been rented",
    "has been removed",
    "has been taken down",
    "listing has expired",
    "already sold",
    "already rented",
    "nicht mehr verfügbar",
    "nicht mehr online",
    "nicht mehr aktiv",
    "bereits verkauft",
    "bereits vermietet",
    "wurde verkauft",
    "wurde vermietet",
    "wurde gelöscht",
    "ist abgelaufen",
    "niet meer beschikbaar",
    "niet langer beschikbaar",
    "niet meer actief",
    "reeds verkocht",
    "reeds verhuurd",
    "is verkocht",
    "is verhuurd",
    "is verwijderd",
    "is verlopen",
    "n'est plus disponible",
    "n'est plus en ligne",
)
GONE_LABELS = (
    "sold",
    "rented",
    "let agreed",
    "verkauft",
    "vermietet",
    "verkocht",
    "verhuurd",
    "vendu",
    "loué",
)
NOT_FOUND_PHRASES = (
    "page not found",
    "page cannot be found",
    "page does not exist",
    "page doesn't exist",
    "seite nicht gefunden",
    "seite existiert nicht",
    "seite wurde nicht gefunden",
    "pagina niet gevonden",
    "pagina bestaat niet",
    "page introuvable",
)
NOT_FOUND_LABELS = (
    "404",
    "error 404",
    "404 error",
    "not found",
    "404 not found",
    "nicht gefunden",
    "niet gevonden",
)


def _pattern(phrases: Iterable[str], labels: Iterable[str]) -> re.Pattern[str]:
    anywhere = "|".join(map(re.escape, phrases))
    alone = "|".join(map(re.escape, labels))
    return re.compile(rf"\b(?:{anywhere})\b|^\W*(?:{alone})(?:\W*$|[:!)\]]|\s+[-–—|])")


_GONE = _pattern(GONE_PHRASES, GONE_LABELS)
_NOT_FOUND = _pattern(NOT_FOUND_PHRASES, NOT_FOUND_LABELS)


def gone_notice(pieces: Iterable[str], *, also: Iterable[str] = ()) -> GoneNotice | None:
    """What the notices among these texts say; gone weighs more. `also`: the site's own phrases."""
    notices = [text for piece in pieces if len(text := _plain(piece)) <= MAX_NOTICE_LENGTH]
    own = [phrase for each in also if (phrase := _plain(each))]
    if any(_GONE.search(text) or any(phrase in text for phrase in own) for text in notices):
        return GoneNotice.GONE
    return GoneNotice.NOT_FOUND if any(_NOT_FOUND.search(text) for text in notices) else None


def is_ended(status: object) -> bool:
    """Whether a status in a row, in embedded state or on a page says that the thing is not available."""
    if not isinstance(status, str):
        return False
    state = offer_status(status)
    if state is not None:
        return state is not OfferStatus.RESERVED
    return gone_notice([_plain(status.rpartition("/")[2].replace("_", " "))]) is GoneNotice.GONE


def _plain(piece: str) -> str:
    return " ".join(piece.replace("’", "'").casefold().split())

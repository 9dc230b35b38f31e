"""Tells which texts can be the title of an event: not a date, a time, a price, a button or an address."""

import re
from functools import lru_cache
from typing import NamedTuple

from larder.stages.parse.agenda.patterns import short_date, without_outer_when, without_when
from larder.stages.parse.agenda.relative_days import is_ordinal
from larder.stages.parse.agenda.status import is_status
from larder.stages.parse.agenda.words import (
    NO_EVENTS,
    has_common_words_only,
    is_address,
    is_break,
    is_count_or_call,
)
from larder.stages.parse.pagination.words import link_meaning

MAX_TITLE = 200

_DANGLING = re.compile(
    r"(?:\s+(?:on|at|from|the|am|um|ab|vom|op|om|van|vanaf|le|à|de|du|dès|el|a las|desde|il|alle|dal))+$",
    re.IGNORECASE,
)
"""Matches words before a day or time that was removed."""
_LETTER = re.compile(r"\w")
_NO_NAME = re.compile(r"[a-z]+(?:_[a-z0-9]+)+|\S+@\S+\.[a-z]{2,}", re.ASCII)
"""Matches the name of an icon (`date_range`), drawn by its font, and an address of mail."""
_ASKS = re.compile(
    r"(?:kiedy|gdzie|za ile|ile|dla kogo|jak|wann|wo|was|wer|wie ?viel|wie|für wen|when|where|what|who"
    r"|how(?: much)?|quand|où|quoi|qui|combien|comment|pour qui|cu[áa]ndo|d[óo]nde|qu[ée]|qui[ée]n(?:es)?"
    r"|cu[áa]nto|c[óo]mo|quando|dove|cosa|chi|quanto|come|onde|quem|wanneer|waar|wat|hoeveel|voor wie|n[äa]r"
    r"|var|vad|vem|hvorn[åa]r|hvor|hvad|hvem|kdy|kde|co|kdo|kolik|pro koho|milloin|missä|mitä)\s?\?\W*",
    re.IGNORECASE,
)
"""Matches what heads a fact of an event: `When?`."""
_ZONE = re.compile(r"(?:[ECMP][SD]?T|AK[SD]T|HST|CES?T|EES?T|WES?T|GMT|BST|IST|UTC|MES?Z|AE[SD]T|NZ[SD]T)\W*")
"""Matches a time zone behind a time: `10:00 AM EST`."""
_EMPTY_PART = re.compile(r"(?:^|\s)[|·•/]\s+[|·•/](?:\s|$)")
"""Matches a line of facts whose day or time was removed: `League · · Kick-off`."""
AT_PLACE = re.compile(r"(?:at|in|im|bij|te|dans|chez|presso|hos|på)[ ,]+(?:in )?(?=[^\W\d_a-z])")
"""Matches lower-case text that was after a day and time: a place, not a title."""


class Candidate(NamedTuple):
    """A text that could be a row's title."""

    text: str
    weight: float
    href: str = ""

    @property
    def key(self) -> str:
        """The text by which it is counted: without the part after a bar."""
        return self.text.partition("|")[0].strip().casefold()


@lru_cache(maxsize=4_096)
def as_title(text: str) -> str:
    """The text if it can be a title, else empty: not a date, a time, a price or a button."""
    if len(text) < 2 or len(text) > MAX_TITLE or link_meaning(text) is not None:
        return ""
    if _NO_NAME.fullmatch(text) or _ASKS.fullmatch(text):
        return ""
    text, whole = without_outer_when(text).rstrip(" :"), text
    if text != whole and AT_PLACE.match(text):
        return ""
    if is_count_or_call(text) or is_ordinal(text):
        return ""
    dated = text[-1:] in ".0123456789" and short_date(text, called=False)
    bare = "" if dated or NO_EVENTS.search(text) or is_status(text) else without_when(text)
    if _EMPTY_PART.search(bare) or _ZONE.fullmatch(bare):
        return ""
    if len(_LETTER.findall(bare)) < 2 or has_common_words_only(bare) or is_address(bare) or is_break(bare):
        return ""
    return text if len(bare) > 0.75 * len(text) else without_time_words(bare)


def without_time_words(text: str) -> str:
    """A text without the `from` or `ab` before a day or time that was removed."""
    return _DANGLING.sub("", text)

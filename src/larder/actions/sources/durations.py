"""Durations as people write them, with the words and the decimal comma of several languages."""

import re
from collections.abc import Mapping
from datetime import timedelta

from larder.core.errors import BadInput
from larder.core.quoting import quoted

_DURATION = re.compile(r"(\d{1,6}(?:[.,]\d{1,3})?)\s*([^\W\d_]{0,12})\.?")
_WORDS: Mapping[int, str] = {
    1: "s sec second sekunde seconde segundo secondo secondi",
    60: "m min minute minuut minuto minuti",
    3_600: "h hr hour std stunde uur uren u heure hora ora ore",
    86_400: "d day t tag dag j jour día dia giorno giorni g",
    604_800: "w wk week woche wo semaine sem semana settimana settimane",
}
_SECONDS = {word: seconds for seconds, words in _WORDS.items() for word in words.split()}
_PLURALS = ("", "s", "n", "e", "en", "es")


def parse_duration(text: str) -> timedelta:
    """6h, 1d, 90m, 1,5 Std, 2 jours; without a unit: seconds."""
    match = _DURATION.fullmatch(text.strip().lower())
    unit = _seconds(match[2]) if match else None
    if match is None or unit is None:
        raise BadInput(f"{quoted(text)} is not a duration", hint="write 90m, 6h or 1d")
    return timedelta(seconds=round(float(match[1].replace(",", ".")) * unit))


def _seconds(word: str) -> int | None:
    """The seconds of a unit, in the singular or the plural."""
    singular = (word.removesuffix(plural) for plural in _PLURALS)
    return next((_SECONDS[each] for each in singular if each in _SECONDS), None) if word else 1

"""Reads relative days: `vandaag`, `tomorrow, 20:00`, and running events: `until 3 May`."""

import re

from larder.stages.parse.agenda.patterns import EDGE, MONTH, lone_month, without_times

_FROM_TODAY = re.compile(
    r"(?:vandaag|vanavond|vanmiddag|morgen|today|tonight|tomorrow|heute(?: abend)?|aujourd['’]hui|ce soir"
    r"|demain|hoy|mañana|oggi|stasera|domani|hoje|amanhã|dziś|dzisiaj|jutro|dnes|zítra|i\s?dag"
    r"|i\s?morgon|i\s?morgen|i\s?kväll"
    r"|i\s?aften)(?!\w)",
    re.IGNORECASE,
)
_BETWEEN_DAY_AND_TIME = re.compile(
    r"[\s,;:|·•@–-]*(?:(?:at|om|um|kl|à|a las|alle|ore|às|godz|v|o|od|from)\.?\s*)?"
)
MAX_FROM_TODAY = 40


def day_from_today(text: str) -> str:
    """A relative day that is all of a text, with its time if it has one: `Today`, `morgen, 20:00`."""
    found = _FROM_TODAY.match(text) if len(text) <= MAX_FROM_TODAY else None
    if found is None:
        return ""
    rest = _BETWEEN_DAY_AND_TIME.sub("", text[found.end() :], count=1)
    return found[0] if not without_times(rest).strip(EDGE + ".") else ""


_UNTIL = re.compile(
    r"(?<!\w)(?:t/m|tot(?: en met)?|until|till|through|bis(?: zum)?|jusqu['’]au|hasta(?: el)?|fino al"
    r"|até(?: ao?)?)\s+$|(?<!\w)(?:now|nu|jetzt|ora|ahora|maintenant|agora)\s*[-–—]\s*$",
    re.IGNORECASE,
)


def with_until(day: str, text: str) -> str:
    """The day in a text; for a text with only a last day, that the event runs until then."""
    before = text.partition(day)[0][-MAX_FROM_TODAY:]
    open_start = len(text) <= MAX_FROM_TODAY * 2 and _UNTIL.search(before) and not _DIGIT.search(before)
    return f"until {day}" if open_start else day


_DIGIT = re.compile(r"\d")


_THIS_MONTH = re.compile(
    r"(?<!\w)(?:this month|deze maand|diesen monat|dieser monat|ce mois(?:-ci)?|este mes|questo mese)(?!\w)",
    re.IGNORECASE,
)
_IN_MONTH = re.compile(rf"(?<!\w)(?:in|im|en|a)\s+(?P<month>{MONTH})\W*$", re.IGNORECASE)
THIS_MONTH = "this month"


def month_headed(text: str) -> str:
    """The month that a heading ends with: `Activities November 2026`, `Events in November`, `This Month`."""
    words = text.split()
    found = lone_month(" ".join(words[-2:])) if len(words) > 2 else None
    if found and found[1]:
        return found[0]
    if len(text) > MAX_FROM_TODAY * 2 or _DIGIT.search(text):
        return ""
    named = _IN_MONTH.search(text)
    return named["month"] if named else THIS_MONTH if _THIS_MONTH.search(text) else ""


def is_ordinal(text: str) -> bool:
    """Whether a text is only an ordinal day of the month: `18th`."""
    return _ORDINAL.fullmatch(text.strip()) is not None


_ORDINAL = re.compile(r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)", re.IGNORECASE)

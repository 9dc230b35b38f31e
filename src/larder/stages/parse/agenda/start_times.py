"""Chooses the start among the times of day in a text, by the words beside them.

`Doors 19:00, show 20:00, curfew 23:00` starts at eight; so does `19:00 Doors open 20:00 Start`. An amount
behind `presale` or `Abendkasse` is no time.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from larder.core.lazy_pattern import lazy_pattern
from larder.stages.parse.agenda.patterns import CLOCK, CLOCK_TO, HOURS, TIME, without_days, without_times

_DAY_MARK = " | "
"""Replaces a day: before a time, `Doors: | ` is a label, `Garden open | ` is a title."""
_DASH_BEHIND_DAY = lazy_pattern(r" \| \s*[-–—]\s*(?=\d)")
"""Matches what joins a day and its time: `7/10/2019-4:00 PM`."""
_SECONDS = lazy_pattern(r"(?<=\d:[0-5]\d):[0-5]\d(?![\d:])")
_SHORT_LENGTH = lazy_pattern(r"[1-6]\s?h")
"""Matches a length of hours, where another time is beside it: `(3h, 12:00-15:00)`."""
_START_WORDS = (
    r"starts?|aanvang|begins?|beginn|begint|showtime|show|curtain|début|inizio|inicio|anstoß|stage time"
    r"|(?:på )?scen(?:e|en)?|börjar|begynder|början|comienzo|comienza|empieza|início|começa|początek"
    r"|začátek|začíná|alkaa"
)
_AFTER_START = (
    r"(?:\s+(?:hoofdact|hoofdprogramma|programma|programme?|concert|voorstelling|event|du concert"
    r"|du spectacle"
    r"|spettacolo|concerto|at|om|um|à|a las|alle|às|o|v|od))?"
)
_RANGE = rf"(?:{CLOCK})(?:{CLOCK_TO}(?:{CLOCK}|\d{{1,2}}(?![\d:.])))?"
_START = lazy_pattern(rf"(?:{_START_WORDS})\b\w*{_AFTER_START}[:\s|]*(?P<at>{_RANGE})", re.IGNORECASE)
_BEHIND = (
    rf"(?<![\d.:])(?P<at>{CLOCK})(?:\s*(?:uur|uhr|hrs?)\b)?\s*[-–:|]?\s*(?:aanvang|starts?|beginn|showtime)\b"
)
_START_BEHIND = lazy_pattern(rf"{_BEHIND}{_AFTER_START}(?!\W{{0,3}}\d)", re.IGNORECASE)
"""Matches `20:00 Start`: the word after its time, as in lists with terms below their values."""
_SAYS_BEHIND = lazy_pattern(_BEHIND, re.IGNORECASE)
"""The same for a text whose words are known to follow their times: more times may follow."""
_DOOR_WORDS = (
    r"doors?|deuren?|zaal open|einlass|inloop|open|portes|puertas|apertura|ouverture|insläpp"
    r"|dörrar(?:na)?(?: öppnar)?"
    r"|dørene?(?: åbner| åpner)?|dører|åbner|ovet(?: auki| aukeavat)?|drzwi|bramy|portas|dveře|porte|cancelli"
)
_DOORS = lazy_pattern(
    rf"(?:{_DOOR_WORDS})\b\w*(?:\s*:[\s|]*|\s*)(?:(?:at|ab|om|um|vanaf|from|à|dès|a las|alle|às|o|v|od)\s+)?"
    rf"(?:{CLOCK})(?:\s*[-–]\s*(?:{CLOCK}))?",
    re.IGNORECASE,
)
_WORDS_BEHIND = lazy_pattern(
    rf"^\W*(?:{CLOCK})\W+(?:{_DOOR_WORDS})\b|(?:{CLOCK})(?:\s*(?:uur|uhr|hrs?))?\s?:\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Matches a text whose words follow their times: `19:00 Doors`, `17:00 uur: restaurant`."""
_CLOSING = lazy_pattern(
    rf"(?<!\w)(?:curfew|eindtijd|einde|ende|ends(?: at)?|uiterlijk|finish(?:es)?|slut[tar]*"
    rf"|término|koniec|konec|päättyy"
    rf"|(?<![^\W\d_]\s)(?:end(?: at)?|fine?|fim|final))"
    rf"(?!\w)\W{{0,3}}(?P<at>{CLOCK})",
    re.IGNORECASE,
)
"""The last line's words end names, too: `Cup Final 19:45`, `West End 19:30`."""
_CLOSING_BEHIND = lazy_pattern(
    rf"(?<![\d.:])(?:{CLOCK})\s*[-–:|]?\s*(?:end|ende|einde|fin|fine|fim)(?:\s(?:of|de|des|van|evento|event)|$)",
    re.IGNORECASE,
)
"""Matches `23:00 - Fine evento`."""
_SALES = lazy_pattern(
    r"(?<!\w)(?:voorverkoop|avondkassa|abendkasse|vorverkauf|vvk|vk|ak|pre-?sale|on the door|entr[ée]e"
    r"|eintritt|tickets?|prijs|preis|price|prix|tarif|ingresso|toegang)\W{0,3}\d{1,3}\.\d\d(?!\s*(?:uur"
    r"|uhr|h|[ap]\.?m))",
    re.IGNORECASE,
)
_ASIDE_WORDS = (
    r"happy hour|box office|ticket sales?|after-?(?:party|show)|vorverkauf|kartenverkauf|kaartverkoop"
    r"|voorverkoop"
)
_ASIDES = lazy_pattern(
    rf"(?<!\w)(?:{_ASIDE_WORDS})\s+(?:starts?|begins?|opens?|beginnt|startet|öffnet|begint|opent|from|ab|vanaf)"
    rf"\W{{0,3}}(?:(?:at|ab|om|um|vanaf|from)\s+)?(?:{_RANGE})",
    re.IGNORECASE,
)
"""Matches the start of something else: `Happy hour starts 17:00`."""
_FOR = lazy_pattern(
    rf"(?<![\d.:])\d{{1,2}}(?:[.:]\d{{2}})?\s*(?:[ap]\.?m)?\s+for\s+(?={CLOCK})", re.IGNORECASE
)
"""Matches `7.30 for 8pm`: arrival at half past seven, start at eight."""
_LENGTHS = lazy_pattern(
    rf"(?<!\w)(?:durée|\w*dauer|\w*duur|duration|durata|duración|duração|running time|runtime|length"
    rf"|laufzeit|spielzeit|lengte|długość|délka|længde|kesto)\W{{0,3}}(?:(?:ca|environ|env|circa|about|approx"
    rf"|rund|unos)\W+)?(?:{CLOCK})",
    re.IGNORECASE,
)
"""Matches a duration: `Durée : 1h40`."""
_ASIDE_LIKE = lazy_pattern(
    rf"{_ASIDE_WORDS}|dur[aéu]|dauer|duur|length|time|zeit|lengte|długo|délk|længd|kest"
)
_DIGIT = lazy_pattern(r"\d")
_CLOCK_LIKE = lazy_pattern(r"\d(?:\s?[:.uh]\s?\d\d|\s*(?:[ap]\.?\s?m|uur|uhr|hr|[uh](?!\w)))")
_CLOCK_WORDS = lazy_pattern(rf"noon|{HOURS}\.?\s*\d")
"""Matches at least all that `CLOCK` matches in lower case: a fast check."""
_START_LIKE = lazy_pattern(
    r"start|aanvang|beg[iy]n|show|curtain|début|inizio|in[ií]cio|anstoß|stage t|scen|börja|comien|empiez"
    r"|começ|począ|začá|začí"
    r"|alkaa"
)
_DOORS_LIKE = lazy_pattern(
    r"door|deur|zaal|einlass|inloop|open|porte|puertas|apertura|ouverture|insläpp|dörr|dør|åbner|ovet"
    r"|drzwi|bram|portas|dveře"
    r"|cancelli"
)
_CLOSING_LIKE = lazy_pattern(
    r"curfew|eind|ende|ends|end |end:|uiterlijk|finish|slut|fi[nm]|térm|kon[ie]|päätt"
)
_SALES_LIKE = lazy_pattern(
    r"verkoop|kass|verkauf|vvk|vk|ak|sale|door|entr|eintr|ticket|pr[ei][ijcx]|tarif|ingress|toegang"
)


@lru_cache(maxsize=4_096)
def time_in(text: str) -> str:
    """The start time as written; the opening of doors only if there is no other time."""
    text = _SECONDS.sub("", text)
    small = text.lower()
    if _CLOCK_LIKE.search(small) is None and _CLOCK_WORDS.search(small) is None:
        return ""
    bare = _DASH_BEHIND_DAY.sub(_DAY_MARK, without_days(text, _DAY_MARK))
    bare = _without_asides(_without_amounts(bare, small), small)
    if labelled := _labelled_start(bare, small):
        return labelled
    found = TIME.search(bare)
    if found is not None and _CLOSING_LIKE.search(small):
        bare = _CLOSING_BEHIND.sub(" ", _CLOSING.sub(" ", bare))
        found = TIME.search(bare)
    if found is not None and _DOORS_LIKE.search(small) and _DOORS.search(bare):
        found = TIME.search(_DOORS.sub(" ", bare)) or found
    if found is not None and _SHORT_LENGTH.fullmatch(found[0].strip().lower()):
        found = TIME.search(bare, found.end()) or found
    return found[0].strip().replace(",", ".").replace(": ", ":") if found else ""


def _without_amounts(bare: str, small: str) -> str:
    return _SALES.sub(" ", bare) if "." in bare and _SALES_LIKE.search(small) else bare


def _without_asides(text: str, small: str) -> str:
    text = _FOR.sub(" ", text) if " for " in small else text
    return _LENGTHS.sub(" ", _ASIDES.sub(" ", text)) if _ASIDE_LIKE.search(small) else text


def _labelled_start(bare: str, small: str) -> str:
    if _START_LIKE.search(small) is None:
        return ""
    labelled = _SAYS_BEHIND.search(bare) if _WORDS_BEHIND.search(bare) else None
    labelled = labelled or _START.search(bare) or _START_BEHIND.search(bare)
    return labelled["at"].strip() if labelled else ""


@lru_cache(maxsize=4_096)
def closing_time_in(text: str) -> str:
    """The end time, after a word such as `curfew`, `Ende`."""
    small = text.lower()
    if _CLOSING_LIKE.search(small) is None or _CLOCK_LIKE.search(small) is None:
        return ""
    found = _CLOSING.search(without_days(text))
    return found["at"].strip() if found else ""


def start_label_in(text: str) -> str:
    """The time with a label for the start; empty without such a label."""
    small = text.lower()
    return _labelled_start(_without_asides(text, small), small) if _DIGIT.search(small) else ""


def doors_time_in(text: str) -> str:
    """The time with a label for the opening of doors."""
    found = _DOORS.search(text) if _DOORS_LIKE.search(text.lower()) else None
    clock = TIME.search(found[0]) if found else None
    return clock[0].strip() if clock else ""


def may_label_times(text: str) -> bool:
    """Whether a page's text may have labels for start or end: a fast check."""
    small = text.lower()
    return _START_LIKE.search(small) is not None or _CLOSING_LIKE.search(small) is not None


def with_colons(clock: str) -> str:
    """`16 bis 17.30` and `18.30 - 21.00` with colons, as a point is ambiguous in a range."""
    return _POINT.sub(":", clock) if _IN_RANGE.match(clock) else clock


_IN_RANGE = lazy_pattern(rf"\d{{1,2}}(?:\.\d\d)?{CLOCK_TO}\d", re.IGNORECASE)
_POINT = lazy_pattern(r"(?<=\d)\.(?=\d\d(?!\d))")


def without_own_day(text: str, day: str) -> str:
    """A text without its day, which could be read as a time: `27.11 | 19:00`, `Samedi 21 à 14h`."""
    own = day if day in text else day.rpartition(" ")[0]  # its month may be in a heading
    return text.replace(own, " ", 1) if own and (TIME.fullmatch(own) or f"{own} à " in text) else text


@lru_cache(maxsize=4_096)
def listed_clocks(text: str) -> tuple[str, ...]:
    """Several times without a label for start or end: `14:00, 16:30`, `14.00 en 16.30 uur`."""
    small = text.lower()
    if any(like.search(small) for like in (_START_LIKE, _DOORS_LIKE, _CLOSING_LIKE)):
        return ()
    found = _LISTED.search(_without_amounts(without_days(text), small))
    return tuple(each[0].strip() for each in _ONE_CLOCK.finditer(found[0])) if found else ()


def shows_times_alone(text: str) -> bool:
    """Whether a text is only times of day: `18:00`, `18:00 en 20:40 uur`."""
    return not any(map(str.isalpha, _AND.sub(" ", without_times(text))))


_AND_WORDS = r"(?:and|en|und|et|y|e|og|och|oraz|ja)(?!\w)"
_AND = lazy_pattern(rf"(?<!\w){_AND_WORDS}", re.IGNORECASE)
_ALSO = rf"(?:\s*(?:uur|uhr|hrs?)(?!\w))?\s*(?:[,;/|&+]|{_AND_WORDS})\s*"
_LISTED = lazy_pattern(rf"(?<![\d.,:/-])(?:{CLOCK})(?:{_ALSO}(?:{CLOCK}))+(?!{CLOCK_TO}\d)", re.IGNORECASE)
_ONE_CLOCK = lazy_pattern(CLOCK, re.IGNORECASE)


def is_range(clock: str) -> bool:
    """Whether a written time has an end."""
    return len(_READING.findall(clock)) > 1


def labelled_clock(before: str, text: str, behind: str, label_in: Callable[[str], str]) -> str:
    """The time of a label: in its text, else after it, else before it (`<dd>` above `<dt>`)."""
    if clock := label_in(text):
        return clock
    if TIME.search(text) is None and _LABEL.fullmatch(text):
        beside = (_UNIT.sub("", each) for each in (behind, before))
        clock = next((each for each in beside if TIME.fullmatch(each)), "")
        return label_in(f"{text.rstrip(': ')} {clock}") if clock else ""
    return ""


_UNIT = lazy_pattern(r"\s*(?:uur|uhr|hrs?|h)\.?$", re.IGNORECASE)
_LABEL = lazy_pattern(
    rf"(?:{_START_WORDS}|{_DOOR_WORDS}|curfew|eind|ende|ends?)\w*(?:\s(?:open|hoofdact|hoofdprogramma"
    rf"|programma|event|time))?\s?:?",
    re.IGNORECASE,
)


@lru_cache(maxsize=1_024)
def clock_key(clock: str) -> str:
    """A key that is equal for all notations of one time: `7.30pm`, `19:30 uur`."""
    found = _READING.search(clock)
    if found is None:
        return clock.casefold()
    hour = (
        int(found["hour"]) % 12 + 12 * (found["half"] in ("p", "P")) if found["half"] else int(found["hour"])
    )
    return f"{hour}:{int(found['minute'] or 0):02}"


_READING = lazy_pattern(
    r"(?P<hour>\d{1,2})(?:\s?[:.uh]\s?(?P<minute>\d\d))?\s*(?:(?P<half>[ap])\.?\s?m)?", re.IGNORECASE
)


_NOON = "12:00"


def may_end_at(start: str, end: str) -> bool:
    """Whether a time of day is later than the start, or in the night after it; 18:00 cannot end 20:00."""
    begins, ends = (clock_key(clock).zfill(len(_NOON)) for clock in (start, end))
    return ends > begins or ends < min(begins, _NOON)

"""Days relative to today: `morgen`, `volgende week zaterdag`, `dit weekend`, `over drie weken`."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import any_of
from larder.stages.normalize.dates.holidays import find_holidays
from larder.stages.normalize.dates.mentions import DateMention
from larder.stages.normalize.dates.words import (
    CARDINALS,
    DAYPART,
    FULL_WEEKDAY,
    MONTH,
    MONTHS,
    ORDINALS,
    OUR_WEEKDAY,
    OUR_WEEKDAYS,
    TH,
    UNIT,
    UNITS,
    WEEKDAYS,
)

_OFFSETS = (
    (-2, r"(?:the\s+)?day\s+before\s+yesterday|eergisteren|vorgestern"),
    (2, r"(?:the\s+)?day\s+after\s+tomorrow|overmorgen|übermorgen|uebermorgen"),
    (-1, r"gister(?:en)?(?:ochtend|middag|namiddag|avond|nacht)?|yesterday|gestern|last\s+night"
         r"|letzte\s+nacht"),
    (0, r"vandaag|today|tonight|heute(?:\s+(?:morgen|abend|früh|nacht|mittag|nachmittag))?|vanavond"
        r"|vanmiddag|vanochtend|vanmorgen|vannacht|(?:this|deze|diesen)\s+(?:morning|afternoon|evening"
        r"|morgen|ochtend|middag|namiddag|avond|nacht|abend)|per\s+direct|ab\s+sofort|available\s+now"
        r"|immediately|^now$|^nu$|^sofort$|^jetzt$|aujourd'hui|ce\s+soir|hoy|esta\s+noche|oggi|stasera|hoje"
        r"|dziś|dzisiaj|dnes|i\s?dag|i\s?kväll|i\s+aften"),
    (1, r"(?<!'s )(?<!de )(?<!der )morgen(?:ochtend|middag|namiddag|avond|nacht|vroeg)?|tomorrow|demain"
        r"|(?<!la )mañana|domani|amanhã|jutro|zítra|i\s?morgon"),
)  # fmt: skip
_DAYS_AWAY = tuple((days, lazy_pattern(rf"(?:\b|^)(?:{words})(?:\b|$)")) for days, words in _OFFSETS)

_NEXT = r"(?:next|volgende|volgend|nächste[nrms]?|naechste[nrms]?)"
_COMING = r"(?:komende|komend|aanstaande|aankomende?|a\.s\.|coming|upcoming|kommende[nrms]?)"
_THIS = r"(?:this|deze|dit|diese[nrms]?)"
_LAST = r"(?:last|past|vorige|vorig|afgelopen|previous|letzte[nrms]?|vergangene[nrms]?|voorbije)"
_WHICH = rf"(?:(?P<next>{_NEXT})|(?P<coming>{_COMING})|(?P<this>{_THIS})|(?P<last>{_LAST}))"
_WEEK = r"(?:week|woche)"
_SHORT = any_of({word: day for word, day in OUR_WEEKDAYS.items() if len(word) <= 4})
_DAY_OF = rf"(?P<wd>{FULL_WEEKDAY})(?:s|{DAYPART})?"

_WEEK_THEN_DAY = lazy_pattern(rf"\b{_WHICH}\s+{_WEEK},?\s+(?:op\s+|on\s+|am\s+)?{_DAY_OF}\b")
_DAY_THEN_WEEK = lazy_pattern(rf"\b{_DAY_OF},?\s+(?:of\s+|in\s+|der\s+)?{_WHICH}\s+{_WEEK}\b")
_WHICH_DAY = lazy_pattern(rf"\b{_WHICH}\s+{_DAY_OF}\b")
_PLAIN_DAY = lazy_pattern(rf"\b(?:{_DAY_OF}\b|(?P<short>{_SHORT})(?:\.|(?=\s*$)))")
_WEEKEND = lazy_pattern(rf"\b(?:{_WHICH}\s+|am\s+|in\s+het\s+)(?:weekend|weekeinde|wochenende)\b")
_PERIOD = lazy_pattern(
    rf"\b(?:(?P<dom>3[01]|[12]\d|0?[1-9])\s+(?:of\s+|van\s+)?)?{_WHICH}\s+(?P<unit>{_WEEK}|maand|month|monat|jaar|year|jahr)\b"
)
"""`this month`, `18 this month`."""
_NTH = lazy_pattern(
    rf"\b(?P<nth>{any_of(ORDINALS)}|laatste|last|letzte[rn]?|\d{TH})\s+(?P<wd>{FULL_WEEKDAY})\s+"
    rf"(?:van|in|of|im)\s+(?:(?P<mo>{MONTH})|(?:de\s+|the\s+)?(?:{_WHICH}\s+)?(?:maand|month|monat)\b)"
)
_DOM = lazy_pattern(
    rf"\b(?:(?P<wd>{OUR_WEEKDAY})[.,]*\s+(?:(?:de|the|den)\s+)?(?P<a>[12]?\d|3[01]){TH}?\.?"
    rf"|(?:de|the|den)\s+(?P<b>[12]?\d|3[01]){TH})(?![\w:/€%-]|\.\d)"
)

_AMOUNT = (
    rf"(?:\d+(?:[.,]\d+)?|anderhal(?:f|ve)|half|halve|{any_of(CARDINALS)}|enkele|paar|een\s+paar|a\s+few"
    r"|a\s+couple\s+of|einigen?|few)"
)
_PIECE = rf"(?P<amount>{_AMOUNT})\s*(?P<unit>{UNIT})"
_ANY_UNIT = lazy_pattern(UNIT)
_PIECES = rf"{_AMOUNT}\s*{UNIT}(?:(?:\s*,\s*|\s+)(?:(?:en|and|und)\s+)?{_AMOUNT}\s*{UNIT})*"
_AGO = lazy_pattern(
    rf"\b(?:vor|before)\s+(?P<a>{_PIECES})|\b(?P<b>{_PIECES})\s+(?:geleden|ago|terug|earlier|eerder)\b"
)
_AHEAD = lazy_pattern(
    rf"\b(?<!kwart )(?<!\d )(?:over|in|within|binnen|nach)\s+(?:(?:about|ongeveer|circa|ca\.?|de|het)\s+)*"
    rf"(?P<a>{_PIECES})|\b(?P<b>{_PIECES})\s+(?:later|from\s+now|vanaf\s+nu|hence|später)\b"
)
_ALONE = lazy_pattern(rf"^(?:now\s*)?(?P<sign>[-+])?\s*(?P<a>{_PIECES})$")
_EXACT = {"second": 1, "minute": 60, "quarter_hour": 900, "hour": 3600}
_DAYS = {"day": 1, "week": 7}
_CALENDAR = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


def find_moment(text: str, now: datetime, *, prefer: str) -> tuple[DateMention, datetime | None] | None:
    """`anderhalf uur geleden`, `over drie weken`: the day, and the exact moment if hours are counted."""
    if not _ANY_UNIT.search(text):
        return None
    for pattern, sign in ((_AGO, -1), (_AHEAD, 1), (_ALONE, -1 if prefer == "past" else 0)):
        if (match := pattern.search(text)) and (direction := _sign(match, sign)):
            pieces = next(filter(None, (match.groupdict().get(name) for name in ("a", "b"))))
            moment, exact = _moved(now, pieces, direction)
            mention = DateMention(begin=match.start(), until=match.end(), day=moment.date())
            return mention, moment if exact else None
    return None


def _sign(match: re.Match[str], otherwise: int) -> int:
    """The direction of a time span; alone it has none, unless the past is wanted."""
    written = match.groupdict().get("sign")
    return {"-": -1, "+": 1}[written] if written else otherwise


def _moved(now: datetime, pieces: str, sign: int) -> tuple[datetime, bool]:
    exact = False
    for piece in re.finditer(_PIECE, pieces):
        amount, unit = _amount(piece["amount"]) * sign, UNITS[piece["unit"]]
        if unit in _CALENDAR:
            whole = int(amount * _CALENDAR[unit])
            now = now.combine(add_months(now.date(), whole), now.timetz())
        else:
            now += timedelta(seconds=float(amount * _EXACT.get(unit, _DAYS.get(unit, 0) * 86_400)))
            exact = exact or unit in _EXACT
    return now, exact


def _amount(word: str) -> Decimal:
    if word[0].isdecimal():
        return Decimal(word.replace(",", "."))
    if word.startswith("anderhal"):
        return Decimal("1.5")
    if word.startswith("hal"):
        return Decimal("0.5")
    if word in CARDINALS:
        return Decimal(CARDINALS[word])
    return Decimal(2 if "paar" in word or "couple" in word else 3)


def add_months(day: date, months: int) -> date:
    """The same day of another month, or its last day if it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def find_relative(text: str, today: date, *, prefer: str, timed: bool) -> list[DateMention]:
    """The days relative to today; a bare `za` counts only beside a time (`timed`) or with its full stop."""
    mentions: list[DateMention] = []
    readers = (_offsets, _weeks, _nths, _which_days, _weekends, _periods, _doms, find_holidays)
    for mention in (mention for reader in readers for mention in reader(text, today)):
        if _is_free(mention, mentions):
            mentions.append(mention)
    mentions.extend(
        mention for mention in _plain_days(text, today, prefer, timed=timed) if _is_free(mention, mentions)
    )
    return sorted(mentions, key=lambda mention: mention.begin)


def _is_free(mention: DateMention, mentions: list[DateMention]) -> bool:
    return all(mention.until <= other.begin or mention.begin >= other.until for other in mentions)


def _mention(match: re.Match[str], day: date, last: date | None = None) -> DateMention:
    return DateMention(begin=match.start(), until=match.end(), day=day, last=last)


def _offsets(text: str, today: date) -> Iterator[DateMention]:
    for days, pattern in _DAYS_AWAY:
        for match in pattern.finditer(text):
            yield _mention(match, today + timedelta(days=days))


def _weeks(text: str, today: date) -> Iterator[DateMention]:
    monday = today - timedelta(days=today.weekday())
    for pattern in (_WEEK_THEN_DAY, _DAY_THEN_WEEK):
        for match in pattern.finditer(text):
            yield _mention(match, monday + timedelta(days=7 * _weeks_away(match) + WEEKDAYS[match["wd"]]))


def _weeks_away(match: re.Match[str]) -> int:
    if match["next"] or match["coming"]:
        return 1
    return -1 if match["last"] else 0


def _which_days(text: str, today: date) -> Iterator[DateMention]:
    """`Next Friday` is next week's; `komende vrijdag` the first to come; `last Friday` the latest one."""
    for match in _WHICH_DAY.finditer(text):
        weekday = WEEKDAYS[match["wd"]]
        if match["next"]:
            day = today + timedelta(days=7 - today.weekday() + weekday)
        elif match["last"]:
            day = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
        else:
            day = upcoming(today + timedelta(days=1 if match["coming"] else 0), weekday)
        yield _mention(match, day)


def upcoming(today: date, weekday: int) -> date:
    """The first such weekday from `today` on."""
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _plain_days(text: str, today: date, prefer: str, *, timed: bool) -> Iterator[DateMention]:
    for match in _PLAIN_DAY.finditer(text):
        word = match["wd"] or match["short"]
        if match["wd"] or timed or match[0].endswith("."):
            yield _mention(match, _nearest_weekday(today, WEEKDAYS[word], prefer))


def _nearest_weekday(today: date, weekday: int, prefer: str) -> date:
    ahead = upcoming(today, weekday)
    behind = ahead if ahead == today else ahead - timedelta(days=7)
    if prefer == "past":
        return behind
    if prefer == "nearest":
        return min(ahead, behind, key=lambda day: abs((day - today).days))
    return ahead


def _weekends(text: str, today: date) -> Iterator[DateMention]:
    for match in _WEEKEND.finditer(text):
        saturday = today + timedelta(days=5 - today.weekday() + (7 * _weekends_away(match, today)))
        yield _mention(match, saturday, saturday + timedelta(days=1))


def _weekends_away(match: re.Match[str], today: date) -> int:
    if match["last"]:
        return -1
    return 1 if match["next"] or (match["coming"] and today.weekday() >= 5) else 0


def _periods(text: str, today: date) -> Iterator[DateMention]:
    for match in _PERIOD.finditer(text):
        away = _weeks_away(match)
        if match["unit"] in ("week", "woche"):
            monday = today - timedelta(days=today.weekday() - 7 * away)
            yield _mention(match, monday, monday + timedelta(days=6))
        elif match["unit"] in ("maand", "month", "monat"):
            first = add_months(today.replace(day=1), away)
            last = add_months(first, 1) - timedelta(days=1)
            dom = min(int(match["dom"] or 1), last.day)
            yield _mention(match, first.replace(day=dom), None if match["dom"] else last)
        else:
            yield _mention(match, date(today.year + away, 1, 1), date(today.year + away, 12, 31))


def _nths(text: str, today: date) -> Iterator[DateMention]:
    """`eerste zondag van maart`: this year's, or next year's once it is over; `… van de maand` likewise."""
    for match in _NTH.finditer(text):
        days = (_nth(first, WEEKDAYS[match["wd"]], match["nth"]) for first in _months(match, today))
        if day := next((day for day in days if day and day >= today), None):
            yield _mention(match, day)


def _months(match: re.Match[str], today: date) -> tuple[date, date]:
    """The month that is meant, and the one to use if that is over."""
    if match["mo"]:
        month = MONTHS[match["mo"].rstrip(".")]
        return date(today.year, month, 1), date(today.year + 1, month, 1)
    first = add_months(today.replace(day=1), _weeks_away(match))
    return first, add_months(first, 1)


def _nth(first: date, weekday: int, word: str) -> date | None:
    if word.startswith(("laatst", "last", "letzt")):
        end = add_months(first, 1) - timedelta(days=1)
        return end - timedelta(days=(end.weekday() - weekday) % 7)
    place = ORDINALS.get(word) or int(re.sub(r"\D", "", word))
    day = upcoming(first, weekday) + timedelta(weeks=place - 1)
    return day if day.month == first.month else None


def _doms(text: str, today: date) -> Iterator[DateMention]:
    """`za 14`, `de 27e`: of this month or of the next that has one, on that weekday if one is named."""
    for match in _DOM.finditer(text):
        dom, weekday = int(match["a"] or match["b"]), WEEKDAYS.get(match["wd"])
        months = (add_months(today.replace(day=1), ahead) for ahead in range(13))
        days = [
            month.replace(day=dom) for month in months if 1 <= dom <= monthrange(month.year, month.month)[1]
        ]
        ahead = [day for day in days if day >= today]
        fitting = [day for day in ahead if weekday is None or day.weekday() == weekday]
        if ahead:
            yield _mention(match, (fitting or ahead)[0])

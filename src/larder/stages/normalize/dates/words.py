"""The words for days, months, numbers and periods of time.

Dates are read in every language of `calendar_names` at once: agendas mix languages, and a word that two share
means the same day in both. So are `today` and `tomorrow`; other relative days (`next week`) are read in
Dutch, English and German.
"""

import re

from larder.sdk.calendar_names import any_of, month_numbers, weekday_numbers

MONTHS = month_numbers()
WEEKDAYS = weekday_numbers()
FULL_WEEKDAYS = {word: day for word, day in WEEKDAYS.items() if len(word) > 4 and word != "woens"}
OUR_WEEKDAYS = weekday_numbers("nl", "en", "de")
"""Short forms of other languages (`sam`, `dom`, `man`) count only right before a date."""

_CARDINALS = {
    1: "een één one a an ein eine einen einem einer",
    2: "twee two zwei",
    3: "drie three drei",
    4: "vier four",
    5: "vijf five fünf",
    6: "zes six sechs",
    7: "zeven seven sieben",
    8: "acht eight",
    9: "negen nine neun",
    10: "tien ten zehn",
    11: "elf eleven",
    12: "twaalf twelve zwölf",
    13: "dertien thirteen dreizehn",
    14: "veertien fourteen vierzehn",
    15: "vijftien fifteen fünfzehn",
    20: "twintig twenty zwanzig",
    30: "dertig thirty dreißig",
}
CARDINALS = {word: number for number, words in _CARDINALS.items() for word in words.split()}

_ORDINALS = {
    1: "eerste first erste ersten",
    2: "tweede second zweite zweiten",
    3: "derde third dritte dritten",
    4: "vierde fourth vierte vierten",
    5: "vijfde fifth fünfte fünften",
    6: "zesde sixth sechste sechsten",
    7: "zevende seventh siebte siebten",
    8: "achtste eighth achte achten",
    9: "negende ninth neunte neunten",
    10: "tiende tenth zehnte zehnten",
    11: "elfde eleventh elfte elften",
    12: "twaalfde twelfth zwölfte zwölften",
    13: "dertiende thirteenth",
    14: "veertiende fourteenth",
    15: "vijftiende fifteenth",
    16: "zestiende sixteenth",
    17: "zeventiende seventeenth",
    18: "achttiende eighteenth",
    19: "negentiende nineteenth",
    20: "twintigste twentieth",
    21: "eenentwintigste twenty-first",
    22: "tweeëntwintigste twenty-second",
    23: "drieëntwintigste twenty-third",
    24: "vierentwintigste twenty-fourth",
    25: "vijfentwintigste twenty-fifth",
    26: "zesentwintigste twenty-sixth",
    27: "zevenentwintigste twenty-seventh",
    28: "achtentwintigste twenty-eighth",
    29: "negenentwintigste twenty-ninth",
    30: "dertigste thirtieth",
    31: "eenendertigste thirty-first",
}
ORDINALS = {word: number for number, words in _ORDINALS.items() for word in words.split()}

_UNITS = {
    "second": "seconden seconde seconds second secs sec sekunden sekunde",
    "minute": "minuten minuut minutes minute mins min m",
    "quarter_hour": "kwartieren kwartier viertelstunde",
    "hour": "uren uur hours hour hrs hr h stunden stunde std std.",
    "day": "dagen dag days day d tagen tage tag",
    "week": "weken week weeks wk w wochen woche",
    "month": "maanden maand months month mnd mo mon monaten monate monat",
    "quarter": "kwartalen kwartaal quarters quarter quartale quartal",
    "year": "jaren jaar years year yr y jr jahren jahre jahr",
    "decade": "decennia decennium decades decade jahrzehnte jahrzehnt",
}
UNITS = {word: unit for unit, words in _UNITS.items() for word in words.split()}


_WHOLE = r"(?![^\W\d_])"
MONTH = rf"{any_of(MONTHS)}{_WHOLE}\.?"
WEEKDAY = rf"{any_of(WEEKDAYS)}{_WHOLE}"
OUR_WEEKDAY = rf"{any_of({**OUR_WEEKDAYS, **FULL_WEEKDAYS})}{_WHOLE}"
FULL_WEEKDAY = any_of(FULL_WEEKDAYS)
UNIT = rf"{any_of(UNITS)}{_WHOLE}"
DAYPART = (
    r"(?:voormiddag|namiddag|nachmittags?|vormittags?|afternoon|morning|evening|night|ochtends?|middags?"
    r"|avonds?|abends?|nachts?|morgens)"
)
UNTIL = (
    r"(?:t\s?/\s?m|t\.?e\.?m\.?|tm|tot\s+en\s+met|tot\s+aan|tot|until|till|til|through|thru|to|bis\s+zum|bis"
    r"|jusqu'au|(?<=\s)(?:au|al|a|do)(?=\s+\d|\s*$)|all'|hasta(?:\s+el)?|até|až(?:\s+do)?"
    r"|-{1,2}|>|→)"
)
TH = r"(?:st|nd|rd|th|ste|de|er|e|º|ª)"
AND = r"(?:en|and|und|et|och|og|&|\+)"
BETWEEN = r"(?:tussen|between|zwischen)"


def plain_spelling(text: str) -> str:
    """Lower case, plain dashes and spaces: one spelling for equal texts."""
    text = _GLUED.sub(" ", text.lower().translate(_PLAIN))
    return " ".join(text.split())


_GLUED = re.compile(r"(?<=dag)(?=\d)|(?<=day)(?=\d)|(?<=tag)(?=\d)")
_PLAIN = str.maketrans(
    {"–": "-", "—": "-", "‒": "-", "−": "-", "\u2011": "-", "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'"}
)

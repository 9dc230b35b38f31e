"""The period that a rent is for: a month, a week, a night, a day, a year.

Periods have one name for all languages. The words count only right beside an amount: elsewhere in a text they
do not speak of the rent.
"""

import re

_PERIODS = (
    (
        re.compile(
            r"(?<![a-z])(?:p\.?\s?m|p\s?/\s?m|(?:pp)?p\.?c?\.?m)\b|/\s?mo|month|maand|monat|\bmtl\b|/\s?mnd|"
            r"mensu|\bmois\b|\bmese?s?\b|\bmensil|\bm[êe]s\b|\bmensal|\bmies\b|miesi[ąe]c|/\s?mån|månad|måned|"
            r"/\s?md\b|/\s?mdr?\.|/\s?kk\b|kuukau|/\s?hó\b|havonta|/\s?měs|měsíčn|měsíc|mesačn|lunar|/\s?lun[ăa]\b"
        ),
        "month",
    ),
    (
        re.compile(
            r"(?<![a-z])(?:(?:pp)?p\.?\s?w|p\s?/\s?w)\b|/\s?w(?:k|eek)|per week|pro woche|wöchentlich|weekly|"
            r"/\s?woche|semaine|\bsemanas?\b|semanal|settiman|/\s?tydz|tydzień|vecka|\buge\b"
        ),
        "week",
    ),
    (
        re.compile(r"night|nacht|nuit|\bnoches?\b|\bnotte\b|\bnoites?\b|\bdob[aęy]\b|/\s?noc\b|\bnatt\b"),
        "night",
    ),
    (
        re.compile(
            r"per day|/\s?day|\bdaily|pro tag|/\s?tag\b|per dag|/\s?dag\b|par jour|/\s?jour|al día|/\s?día|"
            r"por dia|/\s?dia\b|al giorno|/\s?giorno|/\s?dzień"
        ),
        "day",
    ),
    (
        re.compile(
            r"year|jaar|jahr|(?<![a-z])p\.?\s?a\b|annum|\bpar an\b|/\s?an\b|al año|/\s?año|all'anno|/\s?anno|"
            r"por ano|/\s?ano\b|rocznie|/\s?rok\b|/\s?år\b|per år"
        ),
        "year",
    ),
)
"""In lower case; the first that is found counts."""


def rent_period(text: str) -> str | None:
    """The period that the words beside a rent name; None if they name none."""
    small = text.lower()
    return next((period for pattern, period in _PERIODS if pattern.search(small)), None)

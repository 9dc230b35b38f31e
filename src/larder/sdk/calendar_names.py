"""Names of months and weekdays in the languages that Larder reads, in lower case.

A short form that is an ordinary word of another of these languages (`set`, `pro`, `out`) is left out; if the
language is known, `with_full_months` expands it.
"""

import re
from collections.abc import Iterable
from functools import cache

MONTHS = {
    "nl": "januari|jan februari|febr|feb maart|mrt|maa april|apr mei juni|jun juli|jul augustus|aug "
          "september|sept|sep oktober|okt november|nov december|dec",
    "en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
          "september|sept|sep october|oct november|nov december|dec",
    "de": "januar|jänner|jan februar|feber|feb märz|maerz|mär|mrz april|apr mai juni|jun juli|jul august|aug "
          "september|sept|sep oktober|okt november|nov dezember|dez",
    "fr": "janvier|janv février|fevrier|févr|fevr|fév mars avril|avr mai juin juillet|juil août|aout "
          "septembre octobre novembre décembre|decembre|déc",
    "es": "enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre octubre "
          "noviembre diciembre|dic",
    "it": "gennaio|genn|gen febbraio|febb marzo aprile maggio|magg|mag giugno|giu luglio|lug agosto "
          "settembre|sett "
          "ottobre|ott novembre dicembre",
    "pt": "janeiro fevereiro|fev março|marco abril maio junho julho agosto setembro outubro novembro "
          "dezembro",
    "pl": "stycznia|styczeń|sty lutego|luty|lut marca|marzec kwietnia|kwiecień|kwi maja|maj "
          "czerwca|czerwiec|cze lipca|lipiec|lip sierpnia|sierpień|sie września|wrzesień|wrz "
          "października|październik|paź listopada|listopad|lis grudnia|grudzień|gru",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember|des",
    "cs": "ledna|leden února|únor března|březen dubna|duben května|květen června|červen července|červenec "
          "srpna|srpen září října|říjen listopadu prosince|prosinec",
    "sk": "januára|január februára|február marca|marec apríla|apríl mája|máj júna|jún júla|júl "
          "augusta|august septembra|september októbra|október novembra|november decembra|december",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "fi": "tammikuuta|tammikuu helmikuuta|helmikuu maaliskuuta|maaliskuu huhtikuuta|huhtikuu "
          "toukokuuta|toukokuu kesäkuuta|kesäkuu heinäkuuta|heinäkuu elokuuta|elokuu syyskuuta|syyskuu "
          "lokakuuta|lokakuu marraskuuta|marraskuu joulukuuta|joulukuu",
}  # fmt: skip
"""By language: the twelve months, with the forms of each separated by bars."""

WEEKDAYS = {
    "nl": "maandag|maa|ma dinsdag|din|di woensdag|woens|woe|wo donderdag|don|do vrijdag|vrij|vri|vr "
          "zaterdag|zat|za zondag|zon|zo",
    "en": "monday|mon tuesday|tues|tue wednesday|weds|wed thursday|thurs|thur|thu friday|fri saturday|sat "
          "sunday|sun",
    "de": "montag|mo dienstag|di mittwoch|mi donnerstag|do freitag|fr samstag|sonnabend|sa sonntag|so",
    "fr": "lundi|lun mardi mercredi|mer jeudi|jeu vendredi|ven samedi|sam dimanche|dim",
    "es": "lunes|lun martes miércoles|miercoles|mié jueves|jue viernes|vie sábado|sabado|sáb domingo|dom",
    "it": "lunedì|lunedi|lun martedì|martedi mercoledì|mercoledi|mer giovedì|giovedi|gio venerdì|venerdi|ven "
          "sabato|sab domenica|dom",
    "pt": "segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta "
          "sábado domingo",
    "pl": "poniedziałek|pon|pn wtorek|wt środa|śr czwartek|czw piątek|pt sobota|sob niedziela|niedz|nd",
    "sv": "måndag|mån tisdag|tis onsdag|ons torsdag|tors|tor fredag|fre lördag|lör söndag|sön",
    "da": "mandag|man tirsdag|tir onsdag|ons torsdag|tor fredag|fre lørdag|lør søndag|søn",
    "no": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "cs": "pondělí úterý středa čtvrtek pátek sobota neděle",
    "sk": "pondelok utorok streda štvrtok piatok sobota nedeľa",
    "hu": "hétfő kedd szerda csütörtök péntek szombat vasárnap",
    "ro": "luni marți|marti miercuri joi vineri sâmbătă|sambata duminică|duminica",
    "ca": "dilluns dimarts dimecres dijous divendres dissabte diumenge",
    "fi": "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
}  # fmt: skip
"""By language: the seven days from Monday on, with the forms of each separated by bars."""


_SHORT_MONTHS = {
    "it": {"set": "settembre"},
    "pt": {"set": "setembro", "out": "outubro"},
}
"""By language: short forms that are words of other languages."""
_DAY_BEFORE = r"(?<!\w)(?:0?[1-9]|[12]\d|3[01])[°ºª]?(?:\s*[./-]\s*|\s+de\s+|\s+)"
_DATE_BEHIND = r"\.?(?:\s*(?:[<,;|()–—-]|$)|[\s./]+(?:de\s+|del\s+)?'?\d|\s+(?:ore|alle|dalle|às|h)\b)"
_ALONE_BEHIND = r"\.?\s*(?:20\d\d)?\s*(?:<|$)"
_IN_DATES = {
    language: re.compile(
        rf"(?P<day>{_DAY_BEFORE})(?P<short>{'|'.join(forms)})(?={_DATE_BEHIND})"
        rf"|(?P<edge>>\s*|\A\s*)(?P<alone>{'|'.join(forms)})(?={_ALONE_BEHIND})",
        re.IGNORECASE,
    )
    for language, forms in _SHORT_MONTHS.items()
}


def with_full_months(text: str, language: str | None) -> str:
    """The text or markup with such short forms of its language expanded in dates."""
    if language not in _IN_DATES:
        return text
    forms = _SHORT_MONTHS[language]

    def full(match: re.Match[str]) -> str:
        return (match["day"] or match["edge"] or "") + forms[(match["short"] or match["alone"]).lower()]

    return _IN_DATES[language].sub(full, text)


_ROUND = re.compile(
    r"(?<!\w)(?:round|match ?day|spieltag|speelronde|speeldag|ronde|journée|jornada|giornata|kolejka|kolo"
    r"|omgång|kierros|kampdag|game|match|week|episode|chapter|volume|vol|deel|teil|part|partie|parte)"
    r"\.?\s\d{1,2}(?=\s*[-–—:|,]\s*\d)",
    re.IGNORECASE,
)


def with_rounds_masked(text: str) -> str:
    """A text of the same length without numbers of rounds: `Round 12 - 22 November` begins on the 22nd."""
    return _ROUND.sub(lambda found: "_" * len(found[0]), text)


def month_numbers(*languages: str) -> dict[str, int]:
    """The number, from 1, for every form of a month's name; of all languages if none is given."""
    return _numbers(MONTHS, languages, first=1)


def weekday_numbers(*languages: str) -> dict[str, int]:
    """The number for every form of a weekday's name; Monday is 0."""
    return _numbers(WEEKDAYS, languages, first=0)


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, with one branch for each first letter.

    Most texts fail there.
    """
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(re.escape(word[0]), []).append(re.escape(word[1:]))
    return "(?:" + "|".join(f"{first}(?:{'|'.join(ends)})" for first, ends in rests.items()) + ")"


def _numbers(names: dict[str, str], languages: tuple[str, ...], *, first: int) -> dict[str, int]:
    listed = (names[language] for language in languages or names)
    return {
        form: at
        for line in listed
        for at, forms in enumerate(line.split(), first)
        for form in forms.split("|")
    }


_EVERY = (
    r"every|each|elke|iedere|jede[nrsm]?|tous\s+les|toutes\s+les|chaque|todos\s+los|todas\s+las|cada|ogni|tutti\s+i"
    r"|tutte\s+le|todos\s+os|todas\s+as|(?:w\s+)?każd[yaąe]|co|hver|varje|každ[ýáou]{1,2}"
)
_WHICH = r"(?:\s+(?:[^\W\d_]{2,10}|\d\w{0,3})){0,3}?"
"""`first`, `2nd and`: of a month."""


_SIGNS = (
    "every", "each", "elke", "iedere", "jede", "tous", "toutes", "chaque", "todos", "todas", "cada",
    "ogni", "tutt", "każd", "co ", "hver", "varje", "každ", "days", "dags", "tags",
)  # fmt: skip
"""Every text with a recurring day contains one of these: plain searches are fast."""


@cache
def _recurring_days() -> re.Pattern[str]:
    weekday = any_of(weekday_numbers())
    names = (name for name in weekday_numbers("en", "nl", "de") if name.endswith(("day", "dag", "tag")))
    plural = any_of(f"{name}s" for name in names)
    return re.compile(
        rf"(?<!\w)(?:(?:{_EVERY}){_WHICH}\s+{weekday}(?:s|en|e)?|{plural})(?!\w)", re.IGNORECASE
    )


def recurring_day(text: str) -> str:
    """`Every Tuesday`, `jeden ersten Freitag`, `dinsdags`: a day that comes again and names no date."""
    small = text.lower()
    found = _recurring_days().search(text) if any(word in small for word in _SIGNS) else None
    return found[0].strip() if found else ""

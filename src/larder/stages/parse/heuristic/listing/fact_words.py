"""Words for the area, rooms, bedrooms and bathrooms of a home: one line a language, regular expressions.

`Zimmer`, `pièces` and `locali` are all rooms, `quartos` and `chambres` bedrooms; `habitaciones` are both.
Labels and kinds of area are matched against lower-case text: ignoring case costs several times as much.
"""

import re

from larder.core.policy.word_search import joined_lines

METRES = joined_lines(r"""
    m²|m2\b|m\^2|㎡|sq\.?\s?m\b\.?|sqm\b|sq\.?\s?met(?:er|re)s?|square met(?:er|re)s?
    qm\b|quadratmeter|vierkante meters?|m[eè]tres? carr[ée]s?|metros? cuadrados?|mts?2\b|mq\b
    metri quadr[ai]ti?
    metri quadri|metros? quadrados?|kvm\b|kvadratmeter|кв\.?\s?м\b|м²|м2\b|平方米|平米
    τ\.?\s?μ\.?|négyzetméter|kv\.\s?m\b|metri p[ăa]tra[țt]i|metrekare|neliötä|ตร\.?ม\.?|م²
""")
FEET = r"sq\.?[\s-]?f(?:ee)?t\b\.?|sqft\b|ft²|ft2\b|ft\^2|square[\s-](?:feet|foot)|sf\b"

BEDS = joined_lines(r"""
    bed(?:\s?room)?s?|bedroomed|bd(?:rm)?s?|br|bds
    schlafzimmer|slaapkamers?|slpks?|slk
    chambres?(?: à coucher)?|ch
    dorm(?:s|itorios?)?|alcobas?|rec[aá]maras?
    camer[ae] da letto|camer[ae]
    quartos?|dormit[óo]rios?
    sovrum|soverom|soveværelser?|makuuhuone(?:tta)?|sypialni[ae]?|спал(?:ьн[ияі]|ен[ья]?)
    ložnic[ei]?|spálň[ae]|hálószoba|dormitoare|spavaće sobe|spalnic[ae]|υπνοδωμάτι[αο]|yatak odası
    magamistuba|miegamieji
""")
SLEEPING_ROOMS = r"hab(?:s|itaci[oó]n(?:es)?)?"
"""Spanish words for bedrooms, which are the only rooms that Spanish pages count."""
BATHS = joined_lines(r"""
    bath(?:\s?room)?s?|ba|bths?
    b[aä]d(?:er|ezimmer)?|badkamers?
    salles? de bains?|salles? d['’]eau|sdb|sde
    baños?|aseos?
    bagn[io]
    banheiros?|casas? de banho|wcs?
    badrum|baderom|badeværelser?|łazienk[iae]?|łazienek|koupeln[ay]|koupelen|kúpeľn[ae]|fürdőszoba
    kylpyhuone(?:tta)?|băi|baie|санузл[аы]|санузел|kupaonic[ae]|kopalnic[ae]|banyo|μπάνι[οα]|vannituba|vonios
""")
ROOMS = joined_lines(r"""
    rooms?
    zimmer|zi|zkb|r[aä]ume?
    kamers?|vertrekken
    pi[èe]ces?
    ambientes?|c[oó]modos?|assoalhadas?|divis[õo]es
    local[ei]|van[io]
    rum|rok|værelser?|rom|huonetta|poko(?:je|i|ój)|комнат[аы]?|комн\b\.?|комнатн\w{1,3}|кімнатн\w{1,3}|szob[ai]|od[ae]|pokoj[eů]?|tuba|tube
    huonetta|huoneita|izb[ay]|кімнат[аи]?|стаи|sob[aei]|δωμάτι[αο]|kambari(?:ai|ų)|istabas?|toa
""")
"""Words after a number."""

ROOMS_BY_HOME_TYPE = {
    "monolocale": 1, "bilocale": 2, "trilocale": 3, "quadrilocale": 4, "pentalocale": 5,
}  # fmt: skip
"""Italian names of flats by their number of rooms."""

_MANY = (
    r"(?:number of|no\.? of|nr\.? of|total(?: number of)?|full|anzahl(?: der)?|"
    r"aantal|antal|liczba|počet|nombre de|nb\.? de|"
    r"n[uú]mero (?:de|di)|n[º°.]? ?(?:de|di)?|#)?\s*"
)
_TOTAL = r"\s*(?:\(?(?:total|gesamt|totaal|insgesamt|anzahl)\)?)?"


def _label(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_MANY}(?:{words}){_TOTAL}")


COUNT_LABELS = {
    "beds": _label(f"{BEDS}|{SLEEPING_ROOMS}"),
    "baths": _label(BATHS + "|bathrooms? \\(?full\\)?|full baths?"),
    "rooms": _label(ROOMS + "|zimmeranzahl|raumanzahl|anzahl zimmer"),
}

LIVING = re.compile(
    joined_lines(r"""
    living|floor|internal|interior|built|constructed|building|usable|house size|property size|apartment size
    square f|sq\.? ?f|sqft
    wohnfl|wfl|woonopp|gebruiksopp|wonen\b|woon
    habitable|carrez|construid|[úu]til|utile|edificad|privativ|calpestabile|commerciale
    boarea|bruksareal|boligareal|powierzchnia u|lakóter|общая|загальна
""")
)
"""Words for the living area, which is preferred to any other area."""

AREA_LABEL = re.compile(
    r"(?:total |gesamt|ca\.? ?)?(?:"
    + joined_lines(r"""
    area|size|floor\s?area|floor\s?size|living (?:area|space|size)
    (?:house|property|apartment|unit|building) size
    (?:gross |net )?internal area|interior(?: livable)? area|finished area|built(?:-up)? area
    surface(?: area)?
    sq\.?\s?f(?:ee)?t|square (?:feet|footage|foot|met(?:er|re)s)|sqft|sqm
    (?:gesamt)?(?:wohn)?fl[äa]che(?:\s?\(?ca\.?\)?)?|gr[öo](?:ß|ss)e|wfl|m2|m²
    (?:gebruiks|woon)?oppervlakte?(?: wonen)?|wonen(?: \(woonoppervlakte\))?|grootte
    surface(?: habitable| carrez| totale)?|superficie(?: \w+)?|metros(?: construidos| [úu]tiles)?|tama[ñn]o
    metratura|[áa]rea(?: \w+){0,2}|boarea|bruksareal|boligareal|powierzchnia(?: \w+)?
    (?:общая |жилая |полезная )?площадь
    alapterület|(?:užitná |obytná |podlahová |celková |úžitková )?plocha|suprafa[țt][aă](?: \w+)?
    площа(?: \w+)?|площ
    (?:asuin)?pinta-ala|boyta|bolig(?:areal|størrelse)|areal|størrelse|storlek|metrekare|εμβαδόν?
    kvadratura|(?:stambena )?površina
    velikost|üldpind|plotas|bendras plotas|platība
""")
    + r")(?:\s*\(?(?:in )?(?:m²|m2|sqm|sq\.?\s?m|sq\.?\s?ft|sqft|ft²)\)?)?"
)

OTHER_AREA = re.compile(
    joined_lines(r"""
    plot|\blot\b|\bland\b|site area|\berf\b|stand size|garden|\byard\b|terrac|balcon|patio|garage
    parking|storage|basement|cellar|acre
    grundst|nutzfl|garten|terrasse|balkon|keller|loggia|gewerbefl
    perceel|tuin|dakterras|berging|kelder|inhoud|externe
    terrain|jardin|cave\b|s[ée]jour|cuisine
    parcela|terreno|solar\b|jard[ií]n|trastero|sal[oó]n|cocina
    giardino|cantina|quintal|lote|tomt|działk
    kwh|co2|co₂|energ|consum|emissi|\bper\b|\bpro\b|/\s?a\b|/\s?m(?![a-z])|\baño|year|jahr
    жил(?:ая|ой|ых)|житлова|кухн[ия]|участ(?:ок|ка)|земл|сот(?:ок|ки)|telek|pozemk|pozemek|teren|zahrad|tontti|arsa
    kitchen|lounge|dining|reception room|bedroom|schlafzimmer|wohnzimmer
""")
)
"""Words for areas of other things than the home, and for quantities per area."""

_SPELT = {
    r"bed": ("one", "two", "three", "four", "five", "six"),
    r"zimmer|raum": ("ein", "zwei", "drei", "vier", "fünf", "sechs"),
    r"kamer|slaapkamer": ("een", "twee", "drie", "vier", "vijf", "zes"),
    r"pi[èe]ces?\b|chambres?\b": ("une", "deux", "trois", "quatre", "cinq", "six"),
    r"habitaci|dormitorio": ("una", "dos", "tres", "cuatro", "cinco", "seis"),
}
"""Numbers from one on, and the words before which they count."""
_SPELT_COUNTS = {word: str(number) for words in _SPELT.values() for number, word in enumerate(words, 1)}
_SPELT_BEFORE = re.compile(
    "|".join(rf"\b(?:{'|'.join(words)})(?=[\s-]?(?:{counted}))" for counted, words in _SPELT.items()),
    re.IGNORECASE,
)


def with_digits(text: str) -> str:
    """`Two bedroom flat` as `2 bedroom flat`."""
    return _SPELT_BEFORE.sub(lambda found: f"{_SPELT_COUNTS[found[0].lower()]} ", text)

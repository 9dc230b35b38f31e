"""Reads the stated total number of rows of an index.

A count is accepted if it names rows, or ends a range ("1–24 of 317"); one below the number of rows on the
page counts something else, such as a basket.
"""

import re
from itertools import islice

from larder.core.policy.word_search import alternatives, grouped
from larder.sdk.page import Page
from larder.stages.parse.extraction_task import ExtractionTask

MAX_TEXT = 200_000
MAX_COUNTS = 40
MAX_NUMBERS = 5_000
CONTEXT_LENGTH = 30

_ROW_WORDS = (
    r"results?|rows|listings|items|products|events|hits|adverts|ads|postings|properties|homes|"
    r"resultaten|advertenties|producten|artikelen|woningen|evenementen|"
    r"treffern?|anzeigen|ergebnissen?|angeboten?|produkten?|objekten?|immobilien|veranstaltungen|"
    r"résultats|annonces|produits|biens|événements|resultados|anuncios|productos|inmuebles|viviendas|eventos|"
    r"produkter|annonser|annoncer|varer|varor|träffar|resultater|ogłosze[nń]\w*|produkt[óy]w|wyników|ofert|"
    r"produktů|položek|inzerátů|nabídek|zoekertjes|inserate|occasions|artigos|articles|artículos|articoli|lots|"
    r"kursen? gefunden|terminen? gefunden|konzerten? gefunden|cursussen gevonden|activiteiten gevonden|"
    r"voorstellingen gevonden|activités trouvées|spectacles trouvés|cursos encontrados|corsi trovati|"
    r"risultati|annunci|prodotti|immobili|eventi|anúncios|produtos|imóveis|veicoli|véhicules|offres|vehículos|"
    r"alojamientos|hébergements|unterkünfte|accommodations|alloggi|alojamentos|noclegów|"
    r"vehicles|fahrzeuge|voertuigen|kavels|objecten|zimmerangebote|výsledků|výsledkov|inzerátov|ponúk|produktov|"
    r"találat|termék|hirdetés|ingatlan|rezultate|produse|anunțuri|anunturi|proprietăți|tulosta|tuotetta|ilmoitusta|"
    r"kohdetta|treff|boliger|bostäder|lejemål|товаров|товара|объявлений|объявления|результатов|предложений|"
    r"товарів|оголошень|обяви|резултата|sonuç|ürün|ilan|αποτελέσματα|προϊόντα|αγγελίες|rezultata|proizvoda|oglasa|"
    r"nekretnina|rezultatov|izdelkov|oglasov|zadetkov|kuulutust|tulemust|toodet|skelbimai|skelbimų|rezultatai|"
    r"sludinājumi|rezultāti"
)
_ROWS = re.compile(rf"\+?\s*(?:{grouped(alternatives(_ROW_WORDS))})\b(?!-\w)")
_REST = r"(?>\d{0,2}(?:[.,'’\u00a0\u202f ]\d{3}){1,2}(?!\d)|\d{0,8}(?!\d))"
_SHORT_OF, _LONG_OF = "(?:of|de|di|su|af|av|od|из)", "(?:van|von|sur|din|від)"
_BEHIND_OF = "|".join(
    rf"(?<={word}\d)"
    for word in (_SHORT_OF, rf"{_SHORT_OF}\s", rf"{_SHORT_OF}\s\s", _LONG_OF, rf"{_LONG_OF}\s")
)
_NUMBER = re.compile(rf"\d(?<![\d.,'’-]\d)(?:(?:{_BEHIND_OF}){_REST}|{_REST}(?=\s*{_ROWS.pattern}))")
"""A number after "of" or before a word for rows.

Its left context is checked after its first digit, so that the search skips other text quickly.
"""
_ELSEWHERE = re.compile(
    r"\S+\s+(?:are |is |liegen |zijn |were )?(?:in the past|in the future|hidden|archived"
    r"|in der vergangenheit|in het verleden|dans le passé|en el pasado|in passato)"
)
"""The text after a count of something outside the list."""
_RANGE_BEFORE = re.compile(
    r"\d{1,6}\s*(?:-|–|—|to|bis|t/m|tot|à|a|al|la|til|till|až|do|по|до)\s*\d{1,6}\s*"
    r"(?:of|van|von|de|di|sur|su|af|av|od|из|din|від)\s*$",
    re.IGNORECASE,
)
_OF_BEFORE = re.compile(r"\b(?:of|van|von|sur|de|di|af|av|od|из|din|від)\s*$", re.IGNORECASE)
_ROWS_OF_BEFORE = re.compile(rf"\d\s*{_ROWS.pattern}\s*(?:of|van|von|sur|de|di|su)\s*$")
_OF_TOTAL = re.compile(rf"{_ROWS.pattern}\s*(?:of|van|von|sur|de|di|su)\s*\d")
"""`9 products of 27`: the total is behind the number of rows that are shown."""
_MONEY_BEFORE = re.compile(r"(?:[€$£¥]|\b(?:eur|usd|gbp|chf|pln|aud|cad|sek|nok|dkk|kr))\s?$")
"""In lower case: before such text the number is an amount, whatever word follows."""
_DATE_BEHIND = re.compile(r"[/.-]\d")
_PART_BEFORE = re.compile(r"(?:\b(?:next|top|last)\s*|/\s?)$", re.IGNORECASE)


def advertised_total(task: ExtractionTask, rows: int = 0) -> int | None:
    """The total shown on the page; None if there is none. `rows`: how many are on this page."""
    if task.declared is not None and task.declared.total is not None:
        return whole_number(str(task.declared.total.read(task.page.tree) or ""))
    counts = [(sure, count) for sure, count in task.page.cached(_counts) if count >= rows]
    return min(counts, key=lambda each: each[0])[1] if counts else None


def _counts(page: Page) -> list[tuple[int, int]]:
    """The counts of rows on a page, each with its sureness: the end of a range first."""
    shown = page.visible[:MAX_TEXT].lower()
    found: list[tuple[int, int]] = []
    for number in islice(_NUMBER.finditer(shown), MAX_NUMBERS):
        behind = shown[number.end() : number.end() + CONTEXT_LENGTH]
        if _DATE_BEHIND.match(behind):  # `26-27 di 29/12`: a season and a Tuesday
            continue
        behind = behind.lstrip()
        names_rows = _ROWS.match(behind) is not None and not _counts_else(behind)
        before = shown[max(0, number.start() - CONTEXT_LENGTH) : number.start()]
        sure = None if _MONEY_BEFORE.search(before) else _doubt(before, names_rows=names_rows)
        if sure is not None and (count := whole_number(number[0])) is not None:
            found.append((sure, count))
        if len(found) >= MAX_COUNTS:
            break
    return found


def _counts_else(behind: str) -> bool:
    """Whether it counts rows outside of the list, or the rows of this page."""
    return _ELSEWHERE.match(behind) is not None or _OF_TOTAL.match(behind) is not None


def _doubt(before: str, *, names_rows: bool) -> int | None:
    if before[-1:].isspace() and _OF_BEFORE.search(before):
        if _RANGE_BEFORE.search(before) or _ROWS_OF_BEFORE.search(before):
            return 0
        return 1 if names_rows else None
    return 2 if names_rows and not _PART_BEFORE.search(before) else None


def whole_number(text: str) -> int | None:
    """A whole number with any separators of thousands."""
    digits = re.sub(r"[.,'’\s](?=\d{3}(?!\d))", "", text)
    found = re.search(r"\d{1,9}", digits)
    return int(found[0]) if found else None

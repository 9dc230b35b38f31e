"""How many rows does the index claim to have in all?

A count is believed where it names rows, or ends a range ("1–24 of 317"); one below the rows that the page
shows counts something else, such as a basket.
"""

import re

from larder.stages.parse.strategy_input import Look

MAX_TEXT = 200_000
MAX_COUNTS = 40

_N = r"(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,2}|\d{1,9})"
_ROWS = (
    r"(?:results?|rows|listings|items|products|events|hits|adverts|ads|postings|properties|homes|"
    r"resultaten|advertenties|producten|artikelen|woningen|evenementen|"
    r"treffern?|anzeigen|ergebnissen?|angeboten?|produkten?|objekten?|immobilien|veranstaltungen|"
    r"résultats|annonces|produits|biens|événements|resultados|anuncios|productos|inmuebles|viviendas|eventos|"
    r"risultati|annunci|prodotti|immobili|eventi|anúncios|produtos|imóveis)"
)
_RANGE = re.compile(
    rf"\b\d{{1,6}}\s*(?:-|–|—|to|bis|t/m|tot|à|a|al)\s*\d{{1,6}}\s*(?:of|van|von|de|di|sur|su|\(of)\s*{_N}\b",
    re.IGNORECASE,
)
_OF = re.compile(rf"\b(?:of|van|von|sur|de|di)\s+{_N}\s*{_ROWS}\b", re.IGNORECASE)
_COUNT = re.compile(
    rf"(?<![\d.,-])(?<!next )(?<!top )(?<!last )(?<!/ )(?<!/){_N}\+?\s*{_ROWS}\b", re.IGNORECASE
)


def advertised(look: Look, rows: int = 0) -> int | None:
    """The total that the page shows; None where it shows none. `rows`: how many are on this page."""
    if look.declared is not None and look.declared.total is not None:
        return whole(str(look.declared.total.read(look.page.tree) or ""))
    shown = look.page.visible[:MAX_TEXT]
    for pattern in (_RANGE, _OF, _COUNT):
        counts = (
            whole(found[1]) for found, _ in zip(pattern.finditer(shown), range(MAX_COUNTS), strict=False)
        )
        believed = next((count for count in counts if count is not None and count >= rows), None)
        if believed is not None:
            return believed
    return None


def whole(text: str) -> int | None:
    """A whole number, whatever parts its thousands."""
    digits = re.sub(r"[.,'’\s](?=\d{3}(?!\d))", "", text)
    found = re.search(r"\d{1,9}", digits)
    return int(found[0]) if found else None

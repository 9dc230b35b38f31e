"""Where an index page stands in its index: is there a next one, and how many rows does the site claim?

Only what the page says counts; where it says nothing the answer is None, and the run decides.
"""

import re

from turbohtml import Element

from larder.stages.parse.look import Look

_NEXT_WORDS = frozenset({
    "next", "next page", "volgende", "volgende pagina", "nächste", "nächste seite", "weiter", "suivant",
    "siguiente", "successivo", "older", "more results", "›", "»", "→", ">", "next ›", "next »", "next →",
    "volgende ›", "volgende »"
})  # fmt: skip
_PAGERS = "nav a, [class*=pag i] a, [id*=pag i] a, [class*=next i], [aria-label]"
_OF = re.compile(r"(?:page|pagina|seite)\s*(\d{1,6})\s*(?:of|van|von|/)\s*(\d{1,6})", re.IGNORECASE)
_ROWS = "results|rows|listings|items|products|events|hits|adverts|resultaten|advertenties|treffer|anzeigen"
_COUNT = re.compile(
    rf"\b(?:of|van|von)\s+(\d[\d.,]{{0,11}})\s*(?:{_ROWS})\b|\b(\d[\d.,]{{0,11}})\s*(?:{_ROWS})\b",
    re.IGNORECASE,
)
MAX_LINKS = 2_000


def is_last(look: Look) -> bool | None:
    """True where the page shows that none follows, False where it links to one, None where it is silent."""
    if look.declared is not None and look.declared.next is not None:
        return look.declared.next.read(look.page.tree) is None
    if _links_on(look):
        return False
    shown = _OF.search(look.page.visible)
    if shown:
        return int(shown[1]) >= int(shown[2])
    return True if _has_pager(look) else None


def advertised(look: Look) -> int | None:
    """How many rows the index claims to have in all."""
    if look.declared is not None and look.declared.total is not None:
        return _whole(str(look.declared.total.read(look.page.tree) or ""))
    found = _COUNT.search(look.page.visible[:200_000])
    return _whole(found[1] or found[2]) if found else None


def _links_on(look: Look) -> bool:
    page = look.page
    if page.first('link[rel~="next" i][href], a[rel~="next" i][href]') is not None:
        return True
    return any(_says_next(link) for link in page.css(_PAGERS)[:MAX_LINKS])


def _says_next(link: Element) -> bool:
    if not link.attr("href") or _is_off(link):
        return False
    words = {" ".join(link.text.split()).casefold(), (link.attr("aria-label") or "").strip().casefold()}
    return bool(words & _NEXT_WORDS) or "next" in (link.attr("class") or "").lower().split()


def _is_off(link: Element) -> bool:
    return "disabled" in (link.attr("class") or "") or link.attr("aria-disabled") == "true"


def _has_pager(look: Look) -> bool:
    return (
        look.page.first('a[rel~="prev" i], [class*=pagination i] a[href], nav[aria-label*=pag i] a[href]')
        is not None
    )


def _whole(text: str) -> int | None:
    digits = re.sub(r"[.,\s](?=\d{3}\b)", "", text)
    found = re.search(r"\d{1,9}", digits)
    return int(found[0]) if found else None

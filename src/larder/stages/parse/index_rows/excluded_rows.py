"""Recognises elements that are not rows of the list: similar items, menus, sidebars, advertising, notices."""

import re
from collections.abc import Sequence
from functools import lru_cache

from turbohtml import Element, Node

from larder.core.policy.word_search import required_texts
from larder.stages.parse.heuristic.page_position import ancestors, lineage, name_of

MAX_BADGES = 40
MAX_BADGE = 30
MAX_NOTICE = 300
MAX_CLIMB = 3

_OUTSIDE_NAME = re.compile(
    r"(?:^|[\s_-])(?:related|similar|recommend\w*|upsell\w*|cross-?sell\w*|also-\w+|viewed|recently|sidebar|"
    r"side-?bar|"
    r"(?<!details[-_])(?<!detail[-_])(?<!product[-_])(?<!item[-_])(?<!info[-_])footer|navbar|nav|navigation|menu|submenu|megamenu|mega-menu|breadcrumbs?|"
    r"newsletter|cookie\w*|modal|popup|minicart|mini-cart|(?:facet|filter)s?(?![_-](?:target|results?|content|grid|products?))|pagination|pager|toolbar|tags?-?cloud|"
    r"suggest\w*|partners?|sponsors?|testimonials?|blog-posts|news-list)(?:$|[\s_-])|relatedproducts|"
    r"similar(?:items|ads|products|listings)|recommendations"
)
_OUTSIDE_TAGS = frozenset({"nav", "footer", "aside", "header"})
_SPONSORED = re.compile(
    r"sponsored|gesponser[dt]|gesponsord|sponsoris[ée]e?|patrocinad[oa]|sponsorizzat[oa]|promoted result"
)
_SPONSORED_STEMS = ("spons", "patrocinad", "promoted result")
"""Each of those words contains one of these."""
_NOTICE_NAME = re.compile(r"(?:^|[\s_-])(?:global-?)?announce(?:ment|d)?s?(?:$|[\s_-])")
_PINNED_NAME = re.compile(r"(?:^|[\s_-])(?:sticky|pinned|stickied)(?:$|[\s_-])")
_RULE_WORDS = (
    r"rules?|guidelines|read (?:me|this|first|before)|please read|faq|how to|welcome to|warning|scams?|"
    r"regeln|hinweise?|bitte lesen|willkommen|warnung|"
    r"(?:\w*(?:spel|markt|plaats|forum))?regels|lees (?:dit|mij|eerst)|welkom|waarschuwing|"
    r"r[èe]gles|r[èe]glement|[àa] lire|lisez|bienvenue|reglas|normas|leer antes|bienvenid[oa]s|benvenut[io]|"
    r"regolamento|regole|leggere|leggi|regulamin|zasady|regras|regler|pravidla"
)
_RULES = re.compile(rf"\b(?:{_RULE_WORDS})\b")
_RULE_STEMS = required_texts(_RULE_WORDS)
_SAYS_PINNED = re.compile(
    r"\b(?:sticky|pinned|stickied|important|wichtig|angepinnt|belangrijk|vastgezet|épinglée?|fijado|importante|"
    r"in evidenza|ważny|przyklejony|fixo|viktigt|klistrad)\b"
)
_SAYS_NOTICE = re.compile(
    r"(?:announcement|mededeling|ankündigung|bekanntmachung|comunicado)\s?:|"
    r"about the [\w ,&'-]{1,60} category|über die kategorie „?\w|"
    r"over de categorie \w|à propos de la catégorie \w"
)
_MARKS = ("title", "alt", "aria-label")
_MARKED = "[title], [alt], [aria-label]"
MAX_MARKED = 8
_SPONSORED_NAME = re.compile(r"(?:^|[\s_-])(?:sponsored|advertorial|ad-slot|adslot|banner-ad|native-ad)")


def is_outside_list(element: Element) -> bool:
    """Whether it is outside of the page's list; an element with the page's heading never is."""
    for node in ancestors(element):
        if not isinstance(node, Element) or node.tag in ("main", "body"):
            return False
        if node.tag in _OUTSIDE_TAGS or _is_outside_name(name_of(node)):
            return node.select_one("h1") is None
    return False


class OutsideListCache:
    """The same for many elements of a page; the answer is cached for each parent."""

    def __init__(self) -> None:
        self._known: dict[Node | None, bool] = {}

    def __call__(self, element: Element) -> bool:
        """Whether it is outside of the page's list."""
        parent = element.parent
        if parent not in self._known:
            self._known[parent] = is_outside_list(element)
        return self._known[parent]


@lru_cache(maxsize=8_192)
def _is_outside_name(name: str) -> bool:
    return len(name) < 400 and _OUTSIDE_NAME.search(name.lower()) is not None


def is_sponsored(row: Element) -> bool:
    """Whether a short text of a row, or its name, marks it as advertising."""
    if _is_sponsored_name(name_of(row)):
        return True
    text = row.text.lower()
    if not any(stem in text for stem in _SPONSORED_STEMS):
        return False
    badges = row.select("span, small, em, i, b, label, p, div")[:MAX_BADGES]
    return any(
        len(text) < MAX_BADGE and _SPONSORED.match(text)
        for each in badges
        if (text := each.text.strip().lower())
    )


def notice_rows(rows: Sequence[Element]) -> frozenset[Element]:
    """The few rows of a board that are notices; none if most rows match, as those are adverts."""
    around: dict[Node | None, str] = {}  # rows of one list share their ancestors
    for row in rows:
        if (parent := row.parent) not in around:
            levels = (node for node in lineage(row, MAX_CLIMB) if isinstance(node, Element))
            around[parent] = "\n".join(map(name_of, levels))
    texts = [row.text[:MAX_NOTICE].lower().strip() for row in rows]
    all_texts = "\n".join(texts)
    ruled = any(stem in all_texts for stem in _RULE_STEMS)  # checked once for all rows: few pages are boards
    found = frozenset(
        row
        for row, text in zip(rows, texts, strict=True)
        if _is_notice(row, text, around[row.parent], ruled=ruled)
    )
    return found if 2 * len(found) < len(rows) else frozenset()


def _is_notice(row: Element, text: str, around: str, *, ruled: bool) -> bool:
    """Whether it is a notice above a board's adverts: an announcement, or pinned rules."""
    announced, pinned = _named_notice_and_pinned(f"{name_of(row)}\n{around}")
    if announced or _SAYS_NOTICE.match(text):
        return True
    return ruled and _RULES.search(text) is not None and (pinned or _says_pinned(row, text))


def _says_pinned(row: Element, text: str) -> bool:
    """Whether a word before its title, or the name of an icon, marks a row as pinned."""
    if _SAYS_PINNED.match(text):
        return True
    marks = ((each.attr(name) or "").lower() for each in row.select(_MARKED)[:MAX_MARKED] for name in _MARKS)
    return any(len(mark) <= MAX_BADGE and _SAYS_PINNED.search(mark) for mark in marks)


@lru_cache(maxsize=8_192)
def _named_notice_and_pinned(names: str) -> tuple[bool, bool]:
    """Whether these names mean an announcement, and whether they mean pinned."""
    names = names.lower()
    return _NOTICE_NAME.search(names) is not None, _PINNED_NAME.search(names) is not None


@lru_cache(maxsize=8_192)
def _is_sponsored_name(name: str) -> bool:
    return _SPONSORED_NAME.search(name.lower()) is not None

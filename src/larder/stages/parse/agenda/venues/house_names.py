"""Recognises venues by their names without markup: `Grote Zaal`, `Salle des fêtes`, `Room 12`."""

import re
from collections.abc import Iterator
from itertools import islice

from turbohtml import Element, Text

from larder.core.lazy_pattern import lazy_pattern
from larder.stages.parse.agenda.patterns import EDGE, first_day, without_when
from larder.stages.parse.agenda.words import has_common_words_only, is_room
from larder.stages.parse.heuristic.page_position import lineage, name_of

MAX_NODES = 120
MAX_NAME = 60
MAX_WORDS = 6
MAX_CLIMB = 2

_LAST = (
    r"zaal|hall|halle|theat(?:er|re)|saal|kirche|kerk|church|cathedral|chapel|centrum|cent(?:re|er)|museum"
    r"|bibliotheek|library|bibliothek|stadion|stadium|arena|auditorium|haus|huis|huset|gallery|galerie|gården|school|chambers"
)
_FIRST = (
    r"salle|sala|teatro|théâtre|auditori(?:o|um)|église|iglesia|chiesa|palazzo|palacio|palau|biblioteca"
    r"|bibliothèque|médiathèque|museo|musée|maison|centro|casa|plaza|piazza|teatr|muzeum|dom kultury"
    r"|biblioteka|kościół|kostel|divadlo|espace|parque|parco|parc|auditório|igreja|museu|stadthalle|zaal|saal|raum"
)
_ALONE = (
    r"auditori(?:o|um)|auditório|médiathèque|bibliothèque|bibliothek|bibliotheek|biblioteca|rathaus"
    r"|stadthalle|stadhuis|bürgerhaus|gemeindesaal|dorpshuis|buurthuis|kulturhaus"
    r"|town hall|city hall|village hall|mairie"
)
_COMPOUND = r"[^\W\d_]{4,}(?:kirche|kerk|saal|zaal|halle|haus|huis|scheune|schuur|platz|plein)"
_HOUSE = lazy_pattern(
    rf"(?:(?:[\w.'’&-]+\s)+(?:{_LAST})(?:\s\d{{1,3}})?|(?:{_FIRST})(?:\s[\w.'’&-]+)+|{_ALONE}|{_COMPOUND})",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*[·•|]\s*|\s[–-]\s|,\s")
_AT = re.compile(r"^(?:.*\s)??(?:at|in|im|bij|te|dans)[ ,]+(?:in )?(?=[^\W\d_a-z])")
_KINDS = re.compile(r"genre|categor|kategor|type|tag|label|kicker|author|organi|descri|intro|summary|excerpt")
_GENRE = re.compile(
    r"(?:musical|physical|street|dance|youth|family|puppet|community|music|fringe|straat|jeugd|at|open|free)\s",
    re.IGNORECASE,
)


def house_in(row: Element) -> str:
    """The first text of a row that is the name of a venue or ends with the number of a room."""
    for node in islice(row.descendants, MAX_NODES):
        if not isinstance(node, Text) or node.data.isspace() or _names_row(node):
            continue
        line = " ".join(node.data.split())
        if is_room(line) and len(line) <= 2 * MAX_NAME:
            return _AT.sub("", without_when(line))
        if house := next(_houses(line), ""):
            return house
    return ""


def _houses(line: str) -> Iterator[str]:
    """A venue's name that is a complete part of a line, which is no sentence."""
    if len(line) > 2 * MAX_NAME or line.endswith((".", "!", "?", ":")):
        return
    for part in _PARTS.split(line):
        name = part.strip(EDGE)
        if not name[:1].isupper() or len(name) > MAX_NAME or len(name.split()) > MAX_WORDS:
            continue
        if _HOUSE.fullmatch(name) and not (
            _GENRE.match(name) or first_day(name) or has_common_words_only(name)
        ):
            yield name


def _names_row(text: Text) -> bool:
    """Whether it is in a link, a heading or a category: `Escape Room 2`, `Musical Theatre`."""
    holder = text.parent
    if not isinstance(holder, Element) or holder.closest("a, h1, h2, h3, h4, strong, b, button") is not None:
        return True
    around = (each for each in (holder, *lineage(holder, MAX_CLIMB)) if isinstance(each, Element))
    return any(_KINDS.search(name_of(each).lower()) for each in around)

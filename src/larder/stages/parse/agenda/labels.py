"""Classifies the words around a date: a label (`<b>Deadline:</b> 3 May`), or the rest of a sentence."""

import re
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.element_names import PUBLISHED
from larder.stages.parse.agenda.patterns import days_in
from larder.stages.parse.agenda.relative_days import with_until

MAX_PIECES = 20
MAX_LABEL = 40
MAX_CLIMB = 2
MAX_LABEL_WORDS = 3
MAX_LEAD = 24
"""Minimum characters before a day in a sentence, if much of the text is left after it."""
MAX_LEAD_WORDS = 2
MAX_REST = 60
MAX_ASIDE = 12
"""Minimum characters before a day in brackets that is an aside."""
MAX_BLOCK_NODES = 20

_PUBLISHED_WORDS = (
    r"opublikowan|publikacji|publicerad|udgivet|offentliggjort|zveřejněn|publikováno|julkaistu|közzétéve"
    r"|objavljeno"
)
_SOLD_FROM = (
    r"(?<!\w)(?:kaarten|karten|tickets?|billets|biglietti|entradas|billetterie|bilety|biljetter|billetter"
    r"|bilhetes)(?!\w)"
    r"[^.;:]{0,24}"
    r"(?<!\w)(?:vanaf|ab|from|à partir du|dès le|dal|a partire dal|desde el|a partir del|od|från|fra)"
    r"(?: de| dem)?\s*$"
)
"""Matches text before the day when tickets go on sale: `Kaarten à € 8,50 vanaf`."""
_OTHER_DATE_WORDS = re.compile(
    r"(?<!\w)(?:displaying|showing|zeige|affichage de|mostrando)\s\d+\s[^\W\d_]+\s"
    rf"|{PUBLISHED.pattern}|{_PUBLISHED_WORDS}|{_SOLD_FROM}|data dodania|anmeldung ab|on sale|pre-?sale"
    r"|(?:public|general|priority) (?:booking|sale)"
    r"|sales? (?:start|end|open)|deadline|anmeldeschluss|anmeldefrist"
    r"|(?:regist(?:er|rations?)|booking|sign[ -]?up|rsvp|apply|enrol\w*):? (?:closes|ends|opens|starts|begins"
    r"|(?:\w+ ){0,2}(?:by|till?|until|before))"
    r"|(?:inschrijv|aanmeld|opgeven|reserver|anmeld|buchbar|tilmeld|anmäl|zapis|přihláš"
    r"|ilmoittaut)\w*:?(?: \w+){0,2}"
    r" (?:tot|vóór|bis|til|till|senast|senest|do|mennessä)"
    r"|(?:book|order|reply|return)(?: (?:a place|tickets?|online|now|early|your \w+))? (?:by|before)"
    r"|no later than|(?:last|closing) (?:day|date)|uiterlijk|spätestens|au plus tard|a más tardar"
    r"|nejpozději|najpóźniej|viimeistään|legkésőbb|senest|senast|entro (?:e non oltre )?il"
    r"|(?:inscri[pvçt]|réserv|reserv|iscri[vz]|prenota)\w*(?: \w+){0,2} (?:jusqu['’]\w+|avant|hasta|fino"
    r"|entro|até)(?: \w+)?"
    r"|inscriptions?\s*:?\s*(?:jusqu|avant)|inscripción(?:es)?\s*:?\s*(?:hasta|$)|plazo|iscrizion[ei]"
    r"|zapisy|tilmelding|anmäl"
    r"|billettsalg|billetsalg|biljettsläpp|biljettförsäljning|lipunmyynti|předprodej|przedsprzedaż"
    r"|sprzedaż biletów|venta de bilhetes|ticketverkauf|ticketverkoop"
    r"|voorverkoop|vorverkauf|kartenverkauf|kaartverkoop|mise en vente|ouverture des ventes|a la venta"
    r"|venta (?:de entradas|anticipada)|in vendita|prevendita|since|sinds|seit|(?<!\w)stand\s*:?\s*$"
    r"|last (?:change|update)|release(?:d|s| date)?|kinostart|(?:data di )?uscita|filmstart|bioscooprelease"
    r"|sortie(?: nationale| en salles?)?(?: le|\s*:)?\s*$|version \d"
    r"|bijgewerkt|gewijzigd|aktualisiert|änderung|mis à jour"
    r"|mise à jour|actualizad"
    r"|aggiornat|aggiornamento|aktualizac|uppdaterad|opdateret|(?<!\w)(?:created|added|erstellt"
    r"|eingestellt|angelegt"
    r"|aangemaakt|toegevoegd|créée?|ajoutée?|creado|añadido|creato|inserito|criado|utworzon[aeoy]|dodan[aeoy]"
    r"|vloženo|přidáno|skapad|oprettet|premiere|première|premiera|premiär|estreno)(?!\w)",
    re.IGNORECASE,
)
"""Matches text before a day that is not an event's."""
_LETTER = re.compile(r"[^\W\d_]")
_EMPHASIS = frozenset({"i", "em", "a", "u"})
_TITLES = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
_HEADS = frozenset({"h1", "h2", "h3"})
"""Matches headings that are labels only with a colon: `<h3>Release date:</h3>`."""
_PAIRED = frozenset({"dd", "td"})
_LABELS = frozenset({"dt", "th", "td"})
_INLINE = frozenset({"b", "strong", "span", "em", "i", "label", "small", "div", "p", "h4", "h5", "h6"})


def says_other_day(before: str) -> bool:
    """Whether the text before a day says that it is not an event's."""
    return _is_other_label(before[-MAX_LABEL:])


@lru_cache(maxsize=4_096)
def _is_other_label(label: str) -> bool:
    return _OTHER_DATE_WORDS.search(label) is not None


def is_other_day(node: Node, before: str = "") -> bool:
    """Whether a day is not an event's, by its label or by the text `before` it."""
    return _is_other_label(f"{label_of(node)} {before}"[-MAX_LABEL:])


def label_of(node: Node) -> str:
    """The label right before a text or an element; empty if there is none."""
    for _ in range(MAX_CLIMB + 1):
        before = node.previous_sibling
        while isinstance(before, Text) and before.data.isspace():
            before = before.previous_sibling
        if before is not None:
            return _as_label(before, node)
        parent = node.parent
        if not isinstance(parent, Element) or parent.tag in ("tr", "li", "body"):
            return ""
        node = parent
    return ""


def _as_label(before: Node, node: Node) -> str:
    if not isinstance(before, Element):
        return ""
    paired = before.tag in _LABELS and isinstance(node, Element) and node.tag in _PAIRED
    heads = before.tag in _HEADS
    if not paired and not heads and before.tag not in _INLINE:
        return ""
    text = brief_text_of(before, MAX_PIECES)[: MAX_LABEL + 1].strip()
    if heads and not text.endswith(":"):
        return ""
    if days_in(text):  # another day's line
        return ""
    brief = text.endswith(":") or len(text.split()) <= MAX_LABEL_WORDS
    return text[:MAX_LABEL] if paired or (len(text) <= MAX_LABEL and brief) else ""


def is_in_sentence(found: re.Match[str], flat: str, parent: Element) -> bool:
    """Whether a day is part of a sentence, in its text or in the paragraph that emphasizes or links it."""
    return _is_prose(found, flat, parent) or _is_within_sentence(found[0], parent)


def _is_prose(found: re.Match[str], flat: str, parent: Element) -> bool:
    if found.start() > MAX_ASIDE and flat.startswith(")", found.end()) and _is_remark(found[0], flat):
        return True
    rest = len(flat) - len(found[0])
    sentence = rest > 2 * MAX_REST and flat.count(" ", 0, found.start()) > MAX_LEAD_WORDS
    lead = 0 if parent.tag == "p" or sentence else MAX_LEAD
    return found.start() > lead and rest > MAX_REST and parent.tag not in _TITLES


def _is_remark(day: str, flat: str) -> bool:
    """Whether a day is in brackets with words: `New fares (from May 1, 2019)`; alone it may be the row's."""
    _, bracket, inside = flat.partition(day)[0].rpartition("(")
    return bool(bracket) and _LETTER.search(inside) is not None and with_until(day, flat) == day


def _is_within_sentence(day: str, parent: Element) -> bool:
    """Whether it is emphasized or linked in the middle of a paragraph's sentence."""
    block = parent.closest("p") if parent.tag in _EMPHASIS else None
    text = " ".join(block.text.split()) if block is not None and _is_short_block(block) else ""
    before = text.partition(day)[0]
    return len(text) - len(day) > MAX_REST and MAX_LEAD < len(before) < len(text) and before[-1:] == " "


def _is_short_block(block: Element) -> bool:
    return next(islice(block.descendants, MAX_BLOCK_NODES, None), None) is None

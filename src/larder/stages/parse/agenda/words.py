"""Words that are not an event's title: common words of event pages, calls to action, states, documents."""

import re
from functools import lru_cache

from turbohtml import Element, Text

from larder.sdk.calendar_names import month_numbers, weekday_numbers

MAX_LINKS = 40
MAX_TEXT = 200

_COMMON = """
    agenda agendas minutes view notulen download pdf audio video ticket tickets koop kopen bestel
    bestellen
    reserveren reserveer boek lees meer verder info infos informatie information informations more read
    details detail
    kaarten event events evenement evenementen find get book now learn all see show shows upcoming past
    next
    previous prev today
    uitverkocht sold out
    datum date dates data time times tijd tijden uhrzeit zeit aanvang eindtijd start end einde zaal
    genre locatie
    location venue click here calendar kalender ical ics google outlook export subscribe save
    schedule document documents wachtlijst canceled cancelled prijs normale price prices buy register
    rsvp add
    to share decision decisions open board meeting meetings pauze duur waar wanneer when where and en
    the for van
    on at from about website site link links live online free gratis kostenlos gratuit gratuito
    programma programme program filter filters sort by list month week day
    mehr lesen weiterlesen weiter anmelden karten jetzt kaufen buchen zur veranstaltung veranstaltungen
    termin termine
    ausverkauft eintritt beginn begin einlass ende
    quando onde dove cuándo dónde quand où kiedy gdzie wann gremium sitzung raum
    veranstaltungsdetails termindetails eventdetails evenementdetails
    voir plus lire la suite réserver réservez billets billetterie en savoir événement événements agenda
    acheter
    programmation complet
    ver más leer comprar entradas reservar evento eventos inscribirse inscripción inscríbete agotado
    entrada
    leggi tutto di più acquista biglietti prenota scopri eventi dettagli altro
    czytaj więcej kup bilet bilety szczegóły wydarzenie wydarzenia
    läs mer köp biljett biljetter boka evenemang læs mere køb billet billetter arrangement arrangementer
    les mer kjøp
    číst více koupit vstupenky akce
    saiba mais comprar ingressos bilhetes
    cancelled canceled postponed rescheduled geannuleerd afgelast verplaatst abgesagt verschoben annulé
    reporté
    cancelado aplazado annullato rinviato new nieuw neu nouveau nuevo nuovo
    doors pm am uur uhr hrs h u kl godz ore performance performances showing committee commission
    council full special regular extra released selling fast last few added added limited availability
    presented hosted members member only entree toegang voorverkoop avondkassa abendkasse
    tentative provisional confirmed tbc tba voorlopig vorläufig join zoom teams webinar livestream
    je ne le les des du de der die das den dem det
    your you our us we it is no not with this that i a an of in zum zu
    v ve od do w o à um om às alle al od hod hodin dne den dia día le el il
    veranstaltungskalender kalender spielplan spielzeit konzertkalender terminkalender
    uitagenda concertagenda voorstellingen activiteiten concerten calendrier manifestations sorties
    calendario cartelera actividades appuntamenti spettacoli manifestazioni attività
    anmeldung anmelden aanmelden inschrijven inscription inscrire iscriviti iscrizione tilmelding
    anmälan zapisy
    rezervace rezerwacja
    vandaag morgen heute tomorrow tonight aujourd hui demain hoy mañana oggi domani hoje amanhã dziś
    dzisiaj jutro dnes zítra idag imorgon dag morgon kväll aften weekend i
    wochen woche monat jahr kw weken weeknr maand jaar semaine mois année semana mes año ano settimana mese
    anno tydzień miesiąc rok týden měsíc vecka månad uge måned year uke
    binnenkort verwacht coming soon demnächst bientôt prochainement próximamente prossimamente breve
    wkrótce snart brzy
    kalendář akcí kalendarz wydarzeń imprez evenemangskalender arrangementskalender whats what s gigs concerts
"""

COMMON_WORDS = frozenset(_COMMON.split()) | frozenset(month_numbers()) | frozenset(weekday_numbers())
"""Words that alone are not a title."""

NO_EVENTS = re.compile(
    r"(?<!\w)(?:no|geen|keine?|aucune?|ningún|ninguna?|nessuna?|nenhuma?|sem|inga|ingen|brak|žádn[áéý])"
    r" (?:\w+ )?(?:events?|programme?|shows?|screenings?|evenementen|activiteiten|voorstellingen"
    r"|veranstaltung(?:en)?"
    r"|vorstellung(?:en)?|termine|programm|événements?|eventos?|evento|eventi|evenemang|arrangementer"
    r"|wydarzeń"
    r"|seansów|akce|program)(?!\w)",
    re.IGNORECASE,
)
"""Matches texts of a day without events."""

_FREE = (
    r"free (?:admission|entry|event)|(?:admission|entry)(?: is)? free|gratis|kostenlos|kostenfrei"
    r"|eintritt frei|freier eintritt|entrée (?:libre|gratuite)|gratuit"
    r"|entrada (?:libre|livre|gratuita|gratis)|ingresso (?:libero|gratuito)|entrata libera|gratuito"
    r"|wstęp wolny|vstup (?:zdarma|volný)|fri entré|fritt inträde"
)
_COSTS = (
    r"price|cost|costs|admission|entry|tickets?|preis|eintritt|kosten|prijs|toegang|entree|prix|tarif|précio|precio"
    r"|prezzo|preço|ingresso|entrada|cena|wstęp|vstupné|pris|inträde|entré"
)
PRICE = re.compile(
    r"(?:€|EUR|\$|£|CHF)\s?\d[\d.,]*(?:,-)?|(?<![\d.,:])\d{1,5}(?:[.,]\d{1,2})?\s?(?:€|EUR\b|£|zł|Kč|CHF\b|kr\b)"
    rf"|(?<!\w)(?:{_FREE})(?!\w)|(?:(?<!\w)(?:{_COSTS})\s*:?\s+)(?P<free>free|frei|libre|libero|livre|zdarma|fri|fritt)"
    r"(?!\w)",
    re.IGNORECASE,
)
"""Matches an event's price: an amount with its currency, or a word for free."""
PRICE_LABEL = re.compile(rf"(?:{_COSTS})s?\s*:?", re.IGNORECASE)

_MARKS = ("€", "$", "£", "EUR", "CHF", "zł", "Kč", "kr")
_STEMS = ("free", "grat", "frei", "kostenl", "libre", "liber", "livre", "woln", "zdarma", "voln", "fri")
"""One of these is in every text with a price: substring search is fast."""


def may_cost(text: str) -> bool:
    """Whether a text may have a price, even with joined parts: a fast check."""
    small = text.lower()
    return any(mark in text for mark in _MARKS) or any(stem in small for stem in _STEMS)


def price_in(text: str) -> str:
    """The event's price in a text; empty if there is none."""
    found = PRICE.search(text)
    return ("free" if found["free"] else found[0]) if found else ""


_WORD = re.compile(r"[^\W\d_]+")


_MEETINGS = frozenset({
    "meeting", "hearing", "session", "vergadering", "zitting", "sitzung", "séance", "réunion", "sesión",
    "reunión", "seduta", "riunione"
})  # fmt: skip
_BODIES = frozenset({
    "board", "committee", "commission", "council", "full", "regular", "special", "extra", "joint", "annual",
    "public", "members"
})  # fmt: skip


def has_common_words_only(text: str) -> bool:
    """Whether a text has only common words of event pages; `Board Meeting`, a body's meeting, is a title."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return COMMON_WORDS.issuperset(words) and not _names_meeting(words)


def _names_meeting(words: list[str]) -> bool:
    """Whether these are a body and a word for its meeting."""
    if len(words) > 2 and words[-1] in ("schedule", "calendar", "dates"):
        words = words[:-1]
    return len(words) > 1 and words[-1] in _MEETINGS and _BODIES.issuperset(words[:-1])


_DOCUMENT = re.compile(
    r"(?<!\w)(?:minutes|agendas?|notulen|protokoll|procès-verbal|verbale|actas?|pdf|download"
    r"|transcripts?|recorded|recording"
    r"|audio|survey|newsletter|webcast|attachments?|\w+ (?:notice|summary|packet|materials?))(?!\w)",
    re.IGNORECASE,
)
_DOCUMENT_LABEL = re.compile(
    r"(?:(?:meeting|board|agenda|public) )?"
    r"(?:notice|summary|packet|materials?|slides|presentations?|minutes|agenda)",
    re.IGNORECASE,
)
_DOCUMENT_FILE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|mp3|mp4|ics)(?:$|[?#])|//(?:drive|docs)\.google\.[a-z]+/"
    r"|//[\w.]*dropbox\.com/|//[\w-]+\.sharepoint\.com/",
    re.IGNORECASE,
)
"""Matches the address of a file, or of a folder at a file host."""


def leads_to_document(href: str) -> bool:
    """Whether it is the address of a file, or of a file host."""
    return _DOCUMENT_FILE.search(href) is not None


@lru_cache(maxsize=4_096)
def names_document(text: str) -> bool:
    """Whether a text names minutes, an agenda or a recording."""
    return _DOCUMENT.search(text) is not None or is_document_label(text)


@lru_cache(maxsize=4_096)
def is_document_label(text: str) -> bool:
    """Whether a text is only a word for a document, with or without a link."""
    return _DOCUMENT_LABEL.fullmatch(text.strip()) is not None


def without_document_words(text: str) -> str:
    """A text without words for documents."""
    return " ".join(_DOCUMENT.sub(" ", text).split())


def is_document(link: Element) -> bool:
    """Whether it is a link to minutes, an agenda or another file."""
    if link.tag != "a":
        return False
    return leads_to_document(link.attr("href") or "") or names_document(link.text[:MAX_TEXT])


def is_label_of_link(node: Text) -> bool:
    """Whether it is the text of a link to a document, a common link text (`Minutes`, `Video`), or an icon."""
    link = node.parent
    if not isinstance(link, Element) or link.tag != "a":
        return is_document_label(node.data) or is_icon(node)
    return is_document(link) or has_common_words_only(node.data)


def is_icon(text: Text) -> bool:
    """Whether a text is the name of an icon that its font draws: `<i class="material-icons">person</i>`."""
    holder = text.parent
    return isinstance(holder, Element) and _ICON_FONT.search(holder.attr("class") or "") is not None


_ICON_FONT = re.compile(r"(?<![\w-])material-(?:icons|symbols)")


def holds_documents(cell: Element) -> bool:
    """Whether all its links are to documents."""
    links = cell.select("a[href]")[:MAX_LINKS]
    return bool(links) and all(map(is_document, links))


_ROOM = re.compile(
    r"(?:^|[,–-]\s(?:[\w.'’]+\s){0,3}|\s)(?:room|raum|zaal|saal|salle|sala|sal)\s(?:no\.?\s?|#)?\d{1,4}\s?[a-z]?"
    r"(?:\s?/\s?[a-z])?$",
    re.IGNORECASE,
)


def is_room(text: str) -> bool:
    """Whether a text ends with a numbered room: `Student Union, Room 339`."""
    return _ROOM.search(text) is not None


_ADDRESS = re.compile(
    r"(?<!\d)\d{1,5}\s+(?:[\w.']+\s+){1,4}(?:st|street|ave|avenue|rd|road|blvd|boulevard|drive|dr|lane"
    r"|ln|way|plaza|pl)(?!\w)"
    r"|(?:straat|laan|weg|straße|strasse|str\.|plein|platz)\s+\d+|,\s[A-Z]{2}(?:\s\d{5})?$",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\S@\S|^@|@$")


_BREAK = re.compile(
    r"(?:(?:coffee|lunch|tea|short|morning|afternoon)[ -]?)?(?:break|lunch)"
    r"|(?:kaffee|mittags|lunch|koffie|thee)?-?pau[sz]e|pause (?:café|déjeuner)|déjeuner|mittagessen"
    r"|pausa(?: (?:caff[èé]|pranzo|café|para (?:el )?café))?|descanso|przerwa(?: kawowa| obiadowa)?"
    r"|fika|frokost|registration(?: (?:and|&) coffee)?",
    re.IGNORECASE,
)


def is_break(text: str) -> bool:
    """Whether it is a break between the sessions of a timetable: `Coffee break`."""
    return _BREAK.fullmatch(text.strip()) is not None


_RESULTS = (
    r"results?|resultaten|resultaat|ergebniss?e?|treffer|résultats?|resultados?|risultat[io]|wynik(?:i|ów)?"
    r"|resultater|resultat"
)
_SHOWN = (
    r"displaying|showing|viewing|weergegeven|toont|getoond|angezeigt(?: werden)?|affichage(?: de)?|mostrando"
)
_FOUND = r"found|gevonden|gefunden|trouvée?s?|encontrad[oa]s|trovat[ie]|listed|in total"
_REGISTER = r"register|registration|join|attend|sign up|book|rsvp|reserve"
_COUNT_OR_CALL = re.compile(
    rf"(?:{_SHOWN})\s+(?:[^\W\d]+\s+){{0,2}}\d+(?:\W.*)?|(?:{_FOUND}\s)?\d+\s+(?:{_RESULTS})(?:\W.*)?"
    rf"|\d+\s+[^\W\d]+\s+(?:{_FOUND})\W*|\d+\s?[-–]\s?\d+\s(?:of|van|von|de|sur|di)\s\d+(?:\W.*)?"
    rf"|(?:\d\d?[./-]\d\d?\W{{1,3}})?(?:link|click(?: here)?|tap(?: here)?)\s(?:to|for)"
    rf"\s(?:{_REGISTER})(?:\W.*)?"
    r"|link\s(?:zur anmeldung|naar (?:de )?aanmelding)(?:\W.*)?|lien d['’]inscription(?:\W.*)?",
    re.IGNORECASE,
)


def is_count_or_call(text: str) -> bool:
    """Whether a text is the number of results or where to register: `Displaying 87 meetings …`."""
    return _COUNT_OR_CALL.fullmatch(text.strip()) is not None


def is_address(text: str) -> bool:
    """Whether it is a street and its number, a mailbox, or a page's address."""
    return "://" in text or _MAIL.search(text) is not None or _ADDRESS.search(text) is not None

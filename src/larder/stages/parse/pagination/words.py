"""The words of links to a next page, in the languages that Larder reads, and the names of their
containers.
"""

import re
from enum import IntEnum
from functools import lru_cache

from larder.core.lazy_pattern import lazy_pattern

_NOUN = (
    r"(?:pages?|paginas?|páginas?|pagine|seiten?|results?|resultaten|ergebnisse|résultats|resultados"
    r"|risultati|"
    r"items|artikelen|artikel|ads|adverts|listings|annonces|anuncios|anúncios|annunci|advertenties|anzeigen|"
    r"postings|posts|entries|berichten|beiträge|einträge|products|producten|produkte|produits|productos|"
    r"prodotti|events?|evenementen|veranstaltungen|termine|événements|evénements|eventos|eventi|activiteiten|"
    r"strona|strana|sida|side|woningen|objekte|angebote|biens|annoncer|annonser|varer|varor|produkter|"
    r"ogłosze(?:nia|ń)|oferty?|produkty|produktów|inzer[áa]t[yů]|produtos|artículos|articoli|articles|artigos"
    r"|entradas|wpisy|inlägg|indlæg|postagens|nights|shows|concerts|gigs|dates|films|activities|performances"
    r"|voorstellingen|concerten|vorstellungen|konzerte|spectacles|conciertos|spettacoli|concerti|koncert[ůy]"
    r"|seans[ey]|wydarzenia|evenemang|konserter|aktivitäten|activités|actividades|attività)"
)
_NEXT_WORDS = (
    r"(?:next|volgende|nächste[rns]?|naechste|weiter|vorwärts|suivante?s?|siguientes?|próxim[oa]s?"
    r"|proxim[oa]s?|"
    r"seguinte|avanti|successiv[oaie]|prossim[oaie]|następn[ay]|dalej|další|ďalšie|nästa|næste|neste"
    r"|seuraava|(?:la )?suite|"
    r"следующая|older|oudere|ältere|plus anciens|meno recenti|(?:más )?antigu[oa]s|(?:mais )?antig[oa]s"
    r"|starsze|äldre|ældre|later|latere|spätere"
    r"|következő|următoarea|următorul|urmatoarea|sljedeć[aei]|sledeć[aei]|naslednj[aei]|ďalš[íia]|järgmised?"
    r"|nākam[aā]|kit[ai]s?|sonraki|επόμεν[ηοα]|наступн[аі]|следваща)"
)
_LEAD = (
    r"(?:(?:go to|ga naar|naar|gehe zur?|zur|zu|aller à|passer à|ir a|ir para|vai a|vai alla|przejdź do|"
    r"gå till|gå til) )?"
    r"(?:(?:the|de|la|il|der|die|het|el|a|à) )?"
)
_NEXT = lazy_pattern(
    rf"{_LEAD}{_NEXT_WORDS}(?: \d{{1,4}}(?: [^\W\d_]{{3,20}})?)?(?: {_NOUN})?(?: {_NEXT_WORDS})?"
    rf"|{_LEAD}{_NOUN} {_NEXT_WORDS}(?: {_NEXT_WORDS})?"
    r"|(?:older|oudere|ältere|äldre|ældre) [^\W\d_]{3,15}",
    re.IGNORECASE,
)
_WORDS = r"(?: [^\W\d_]+(?:['’][^\W\d_]+)?){0,2}"
_MORE = lazy_pattern(
    rf"(?:load|show|view|see|get) (?:\d{{1,4}} )?more{_WORDS}|more {_NOUN}|"
    rf"(?:laad|toon|bekijk) (?:nog )?(?:\d{{1,4}} )?meer{_WORDS}|meer {_NOUN}|"
    rf"meer (?:{_NOUN} )?(?:laden|tonen|bekijken|weergeven)|"
    rf"(?:\d{{1,4}} )?(?:mehr|weitere)(?: \d{{1,4}})?(?: {_NOUN})?(?: (?:laden|anzeigen|einblenden|zeigen))?|"
    rf"(?:voir|afficher|charger) (?:plus|davantage){_WORDS}|(?:voir|afficher) la suite|"
    rf"plus (?:de |d'|d ){_NOUN}|"
    rf"(?:ver|cargar|mostrar) más{_WORDS}|más {_NOUN}|"
    rf"(?:mostra|carica|vedi) (?:altr[oiae]|di più){_WORDS}|altri {_NOUN}|"
    rf"(?:ver|carregar|mostrar) mais{_WORDS}|(?:pokaż|wczytaj|załaduj|zobacz) (?:więcej|"
    rf"kolejne)(?: \d{{1,4}})?{_WORDS}|"
    rf"(?:visa|ladda) (?:\d{{1,4}} )?fler{_WORDS}|(?:vis|indlæs|hent|last) flere{_WORDS}|(?:načíst|"
    rf"zobrazit) další(?:ch)?(?: \d{{1,4}})?{_WORDS}|"
    rf"(?:näytä|lataa) lisää{_WORDS}|(?:mutass többet|több betöltése|továbbiak|még több{_WORDS})|"
    rf"(?:vezi|încarcă|afișează) mai mult[eă]?{_WORDS}|(?:prikaži|učitaj|pokaži|naloži) (?:više|več){_WORDS}|"
    rf"(?:zobraziť|načítať) (?:viac|ďalšie){_WORDS}|(?:načíst|zobrazit) více{_WORDS}|daha fazla{_WORDS}|"
    rf"(?:показати|завантажити) (?:ще|більше){_WORDS}|näita rohkem{_WORDS}|rodyti daugiau{_WORDS}",
    re.IGNORECASE,
)
_PERIOD = lazy_pattern(
    r"(?:la )?(?:next|volgende|nächster?|nächsten?|prossim[oa]|próxim[oa]|następn[ya]|przyszły|další"
    r"|příští|nästa|næste|neste) "
    r"(?:month|week|maand|monat|woche|mese|settimana|mes|mês|semana|tydzień|miesiąc|týden|měsíc|vecka"
    r"|månad|uge|måned|uke)|"
    r"(?:mois|semaine|mes|semana|mese|settimana) (?:suivante?|prochaine?|siguiente|successiv[oa]|seguinte)",
    re.IGNORECASE,
)
_PREVIOUS_WORDS = (
    r"(?:prev(?:ious)?|earlier|vorige[rns]?|vorherige[rns]?|zurück|terug|précédente?s?|anterior(?:es)?"
    r"|precedente|poprzedni[aey]?|předchozí|föregående|forrige|edellinen)"
)
_UNIT = (
    r"(?:day|week|month|dag|maand|tag|woche|monat|jour|semaine|mois|día|semana|mes|mês|giorno|settimana|mese"
    r"|dzień|tydzień|miesiąc|den|týden|měsíc|vecka|månad|uge|måned|uke)"
)
_STEP = lazy_pattern(
    rf"{_LEAD}(?:{_NEXT_WORDS}|{_PREVIOUS_WORDS})(?: {_UNIT})?"
    rf"|{_LEAD}{_UNIT} (?:{_NEXT_WORDS}|{_PREVIOUS_WORDS})",
    re.IGNORECASE,
)
_ARROWS = frozenset({"›", "→", ">", "▶", "►", "❯", "⟩", "chevron_right", "arrow_forward"})
_DOUBLE_ARROWS = frozenset({"»", ">>", "⟫", "››"})
_MARKS = lazy_pattern(r"[‹›«»→←↓<>▶►❯⟩⟫|.…:\[\]()]+")
_SPACE = lazy_pattern(r"\s+")


_LOADS = lazy_pattern(
    rf"\b(?:load|laad|laden|charger|cargar|carica|carregar|wczytaj|załaduj|ladda|indlæs|hent|last|"
    rf"načíst|{_NOUN})\b|\d(?: more)?\s*$",
    re.IGNORECASE,
)


_BARE_MORE = frozenset({"more", "meer", "mehr", "plus", "más", "altro", "altri", "mais"})


@lru_cache(maxsize=8_192)
def says_only_more(label: str) -> bool:
    """Whether a link's text is only `more`, which may also open a single item."""
    return " ".join(_MARKS.sub(" ", label).split()).lower() in _BARE_MORE


class LinkMeaning(IntEnum):
    """The meaning of a link's words, the surest first."""

    NEXT = 1
    ARROW = 2
    DOUBLE_ARROW = 3
    """The next page, or the last one."""
    MORE = 4
    PERIOD = 5
    """The next month or week."""


@lru_cache(maxsize=8_192)
def link_meaning(label: str) -> LinkMeaning | None:
    """The meaning of a link's text as a target; None for other texts."""
    text = _SPACE.sub(" ", label).strip()
    if not text or len(text) > 60:
        return None
    if text in _ARROWS:
        return LinkMeaning.ARROW
    if text in _DOUBLE_ARROWS:
        return LinkMeaning.DOUBLE_ARROW
    bare = " ".join(_MARKS.sub(" ", text).split())
    for claim, pattern in (
        (LinkMeaning.NEXT, _NEXT),
        (LinkMeaning.MORE, _MORE),
        (LinkMeaning.PERIOD, _PERIOD),
    ):
        if pattern.fullmatch(bare):
            return claim
    return None


@lru_cache(maxsize=8_192)
def is_step(label: str) -> bool:
    """Whether a link leads to the previous or next page: `« vorige Woche`, `next`, an arrow alone."""
    bare = " ".join(_MARKS.sub(" ", label).split())
    return bool(label.strip()) and (not bare or _STEP.fullmatch(bare) is not None)


@lru_cache(maxsize=8_192)
def names_rows(label: str) -> bool:
    """Whether "show more" means rows, not the rest of a text or filter."""
    return _LOADS.search(label) is not None


_PAGER = lazy_pattern(
    r"pagina|pager|paging|page-?_?(?:nav|num|list|link|item|select)|\bpages\b|seiten-?(?:navi|zahl|wechsel)|"
    r"bl(?:ae|ä)tter|bladeren|nav-links|load-?_?more|result-?s?-?nav|tribe-events-c-nav"
)
_SLIDES = r"carousel|slider|slick|swiper|\bowl\b|owl-|flickity|glide|splide|gallery|lightbox|comment|review"
_SLIDE_SHOW = lazy_pattern(_SLIDES)
_OTHER_NAVIGATION = lazy_pattern(
    rf"{_SLIDES}|post-?nav|adjacent|article-?nav|breadcrumb|crumb|related|similar|testimonial|\bmenu\b|-menu|menu-|"
    r"megamenu|filter|facet|stepper|wizard"
)
_CALENDAR = lazy_pattern(
    r"calend|kalend|datepicker|\bcal(?:next|prev|nav)?\b|month-?(?:nav|picker)", re.IGNORECASE
)
_NEXT_ICON = lazy_pattern(
    r"(?:^|[\s_#-])(?:(?:chev(?:ron)?|arrow|angle|caret|menu)s?[_-]?(?:circle-|double-|long-|thin-|small-|outline-)?(?:right|next|forward|e)(?:-\d)?|next"
    r"|right-?(?:arrow|chevron|angle))(?:$|[\s_-])",
    re.IGNORECASE,
)
_NEXT_CLASS = lazy_pattern(r"(?:^|[\s_-])next(?:$|[\s_-])|nextpage|pagenext", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def is_pager_name(name: str) -> bool:
    """Whether an element has the name of a pager."""
    return _PAGER.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_other_navigation_name(name: str) -> bool:
    """Whether an element has the name of another control that continues.

    A slide show, the next article, a filter.
    """
    return _OTHER_NAVIGATION.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_slide_show_name(name: str) -> bool:
    """Whether an element has the name of a slide show or of comments, which have pagers of their own."""
    return _SLIDE_SHOW.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_calendar_name(name: str) -> bool:
    """Whether an element has the name of a calendar."""
    return _CALENDAR.search(name) is not None


@lru_cache(maxsize=8_192)
def is_next_entry(name: str) -> bool:
    """Whether a class is that of a pager's entry for the next page."""
    return bool(name) and is_pager_name(name) and is_next_class(name)


@lru_cache(maxsize=8_192)
def is_next_class(name: str) -> bool:
    """Whether a class is that of a link to the next page."""
    return _NEXT_CLASS.search(name) is not None


@lru_cache(maxsize=8_192)
def is_next_icon(name: str) -> bool:
    """Whether a picture is named as an arrow to the right: `fa fa-chevron-right`, `#icon-next`."""
    return _NEXT_ICON.search(name) is not None

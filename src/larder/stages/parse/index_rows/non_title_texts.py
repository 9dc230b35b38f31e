"""Texts of rows that are not titles: calls to action, badges, and facts that are a number with its unit.

Most such texts are recognised because they repeat from row to row; these lists are for badges of a few rows.
"""

import re
from functools import lru_cache

from larder.core.policy.trust.offer_status import offer_status
from larder.core.policy.word_search import joined_lines
from larder.stages.parse.agenda.patterns import first_day, without_days, without_times
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.heuristic.words import OUT_OF_STOCK

_BUTTONS = joined_lines(r"""
    (?:view|see|show|read|learn) (?:more|all|details?|item|product|listing)|quick view|more info\w*
    add to (?:cart|basket|bag|wishlist|compare)|buy now|shop now|order now|book now|make (?:an )?offer
    details?|info(?:rmation)?s?|new|sale|sold|hot|top|ad|featured|sponsored|promoted|free shipping
    sold out|best ?-?sellers?|top ?-?sellers?|staff picks?|limited(?: edition)?|pre-?order
    last (?:chance|one|items?)|(?:only )?\d+ left|low stock|on sale
    laatste (?:stuks|kans)|populair|neuheit|restposten
    meilleures? ventes?|coup de cœur|exclusivité|soldes?|déstockage|novedad(?:es)?|oferta|más vendidos?
    novità|(?:in )?offerta|più vendut[oi]|nowość|promocja|wyprzedaż|polecamy
    out of stock|in stock|available|reserved|exclusive|premium|verified|today|yesterday|photos?|video|share
    bekijk (?:meer|details?|product|advertentie)|lees (?:meer|verder)|meer (?:info\w*|lezen|details)
    in winkelwagen|bestel(?:len| nu)?|nieuw|aanbieding|verkocht|uitverkocht|gereserveerd
    bieden|vandaag|gisteren
    mehr (?:details?|infos?|erfahren|anzeigen)|zum (?:angebot|produkt|exposé|expose|artikel)|zur merkliste
    in den warenkorb|jetzt (?:kaufen|ansehen|anfragen)|neu|angebot|verkauft|reserviert
    merken|heute|gestern
    ausverkauft|preis auf anfrage|vb|festpreis
    voir (?:plus|le produit|l'annonce|détails?|les? détails?)|lire (?:la suite|plus)|en savoir plus
    ajouter au panier|nouveau(?:té)?|vendu|épuisé|promo(?:tion)?|prix sur demande|aujourd'hui|hier
    ver (?:más|detalles?|producto|ficha|anuncio|oferta)|leer más|más info\w*|añadir al carrito|comprar|nuevo
    vendido|agotado|contactar|hoy|ayer|a consultar
    vedi (?:tutto|dettagli|annuncio|prodotto)|scopri(?: di più)?|leggi (?:tutto|di più)|aggiungi al carrello
    nuovo|venduto|esaurito|contatta|oggi|ieri|trattativa riservata
    saiba mais|ver (?:mais|anúncio|detalhes|produto|oferta)|adicionar ao carrinho|novo|vendido|hoje|ontem
    (?:zobacz|sprawdź|pokaż)(?: (?:więcej|szczegóły|produkt|ofertę|ogłoszenie))?|czytaj więcej|do koszyka
    (?:featured|premium|sponsored|promoted|highlighted|exclusive|new|top) (?:property|listing|home|ad)
    (?:just|newly|recently) (?:listed|added|reduced)|new (?:build|instruction)|price reduced|chain free
    (?:top|premium)-?\s?(?:anzeige|inserat|angebot|objekt|advertentie)|uitgelicht
    annonce (?:premium|sponsorisée)|(?:anuncio|inmueble) destacado|destacado|in (?:evidenza|vetrina)
    annuncio premium
    (?:läs|visa) mer|(?:visa|se) (?:produkt(?:en)?|annons(?:en)?|detaljer)|lägg i (?:varukorg|kundvagn)(?:en)?
""")
_COUNTER = re.compile(r"(\d{1,4})\s?[.)]\s+")
MIN_COUNTED = 3
_UNITS = joined_lines(r"""
    m²|m2|qm|sqm|sq\.?\s?ft\.?|ft²|ha
    zimmer|zi\.?|kamers?|slaapkamers?|rooms?|beds?|bedrooms?|baths?|bathrooms?|pièces?|chambres?
    hab\.?|habitaciones|baños?|locali|vani|bagn[io]|quartos?|camere
    amb\.?|ambientes?|dorm\.?|dormitorios?|dorms?|coch\.?|cocheras?|suites?|vagas?|banheiros?
    szob[aá]s?|pokoj[eůi]|pokój|rum|rok|soverom|værelser|łazienk[ai]
    km|kw|ps|cv|hp|pics?|photos?|fotos?|reviews?|bewertungen|avis|%|stk|pcs|min|std|h
""")
_BUTTON = re.compile(rf"(?:{_BUTTONS})[\s!.…»›→:]*", re.IGNORECASE)
_FACT = re.compile(
    rf"(?:(?:ca\.?|ab|from|vanaf|desde|dès|da|up to)\s*)?[\d.,/\s+-]{{1,14}}\s*(?:{_UNITS})\.?", re.IGNORECASE
)
_FACTS = re.compile(
    rf"(?:\d[\d.,½+]{{0,8}}\s?(?:{_UNITS})\.?(?:\s?(?:tot|cub|úteis|útiles|terület|telek|living|wfl)\.?)?"
    r"[\s,;·|•/-]{0,4}){1,8}",
    re.IGNORECASE,
)


_PRICED = re.compile(
    r"(?:\b(?:from|ab|vanaf|v\.a\.|[àa] partir de|dès|desde|a partire da|od|fra|från|"
    r"only|nur|now|nu|jetzt)\s+)?"
    rf"(?:{AMOUNT.pattern})"
    r"(?:\s*(?:/|per|par|pro|al|por|p\.?)?\s*(?:pcm|p\.?c\.?m\.?|p/?m|p/?w|pw|month|mo|week|wk|night|year|maand|mnd|jaar|monat|"
    r"jahr|mois|semaine|mese|mensili|mes|mês|semana|noche|miesiąc|mies|mc|měsíc|mån|månad|md|måned)\b\.?)?",
    re.IGNORECASE,
)
"""Matches an amount with the word that is often before it and the period that it is paid for."""
_LETTERS = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MODEL = re.compile(r"\d[\w .-]{2,40}")
MAX_TITLE = 250
SHORT_TITLE_WORDS = 2
MIN_SENTENCE = 6
"""Minimum words of a sentence."""
_SENTENCE_ENDS = (".", "…")


@lru_cache(maxsize=4_096)
def can_be_title(text: str) -> bool:
    """Whether a text may be a title: it has letters, and is not a badge, fact, price or time."""
    if not 2 < len(text) <= MAX_TITLE or len(_LETTERS.findall(text)) < 2 or is_button(text) or is_fact(text):
        return False
    if _DIGIT.search(text) is None:
        return True
    bare = without_times(without_days(_PRICED.sub(" ", text)))
    if not any(len(word) > SHORT_TITLE_WORDS or not word.isascii() for word in _WORD.findall(bare)) and len(
        bare.strip()
    ) < len(text):
        return False
    return len(_LETTERS.findall(bare)) >= max(2, 0.4 * len(_LETTERS.findall(text)))


def is_button(text: str) -> bool:
    """Whether it is a call to action or a badge."""
    if len(text) > 40:
        return False
    return _BUTTON.fullmatch(text) is not None or offer_status(text) is not None or _is_out_of_stock(text)


def _is_out_of_stock(text: str) -> bool:
    found = OUT_OF_STOCK.search(text)
    return found is not None and found.group() == text.strip(" .!").lower()


def is_model_number(text: str) -> bool:
    """Whether it is a title of numbers (`206 2002`), allowed if its author marked it as the title."""
    if _MODEL.fullmatch(text) is None or AMOUNT.fullmatch(text) is not None:
        return False
    return not first_day(text) and not is_fact(text)


def is_prose(text: str) -> bool:
    """Whether it is a sentence of a description; a title has few words, or no full stop."""
    return len(text.split()) >= MIN_SENTENCE and text.endswith(_SENTENCE_ENDS)


def is_fact(text: str) -> bool:
    """Whether it is a number with its unit, or several of them."""
    if len(text) <= 40 and _FACT.fullmatch(text) is not None:
        return True
    return len(text) <= 80 and text[:1].isdecimal() and _FACTS.fullmatch(text) is not None


def without_counters(titles: dict[str, str]) -> dict[str, str]:
    """Removes the consecutive numbers of a list's rows: `4. Mill Lane`, `5. Elm Road`."""
    found = {key: match for key, title in titles.items() if (match := _COUNTER.match(title))}
    numbers = [int(match[1]) for match in found.values()]
    if len(found) < MIN_COUNTED or 2 * len(found) <= len(titles) or numbers != sorted(set(numbers)):
        return titles
    if numbers[-1] - numbers[0] >= 2 * len(titles):
        return titles
    return {key: title[found[key].end() :] if key in found else title for key, title in titles.items()}

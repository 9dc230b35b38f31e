"""Texts of rows that are no titles: calls to action, badges, and facts that are a number with its unit.

Most such texts are recognised because they repeat from row to row; these lists are for badges of a few rows.
"""

import re

from larder.core.policy.trust.offer_status import offer_status
from larder.core.policy.word_search import joined_lines
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
    (?:läs|visa) mer|(?:visa|se) (?:produkt(?:en)?|annons(?:en)?|detaljer)|lägg i (?:varukorg|kundvagn)(?:en)?
""")
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


def is_button(text: str) -> bool:
    """Is it a call to action or a badge?"""
    if len(text) > 40:
        return False
    return _BUTTON.fullmatch(text) is not None or offer_status(text) is not None or _is_out_of_stock(text)


def _is_out_of_stock(text: str) -> bool:
    found = OUT_OF_STOCK.search(text)
    return found is not None and found.group() == text.strip(" .!").lower()


def is_fact(text: str) -> bool:
    """Is it a number with its unit, or several of them?"""
    if len(text) <= 40 and _FACT.fullmatch(text) is not None:
        return True
    return len(text) <= 80 and text[:1].isdecimal() and _FACTS.fullmatch(text) is not None

"""Reads availability. Only explicit statements count; anything else is `unknown`.

Words are searched in the order out → later → in, because "not in stock" contains "in stock".
"""

import re
from typing import Any

from larder.core.model.record import Availability
from larder.core.policy.trust.offer_status import OfferStatus, offer_status
from larder.stages.normalize.text import clean

_SCHEMA = {
    "instock": Availability.IN_STOCK,
    "instoreonly": Availability.IN_STOCK,
    "onlineonly": Availability.IN_STOCK,
    "limitedavailability": Availability.IN_STOCK,
    "madetoorder": Availability.IN_STOCK,
    "available": Availability.IN_STOCK,
    "outofstock": Availability.OUT_OF_STOCK,
    "soldout": Availability.OUT_OF_STOCK,
    "discontinued": Availability.OUT_OF_STOCK,
    "unavailable": Availability.OUT_OF_STOCK,
    "backorder": Availability.BACKORDER,
    "preorder": Availability.BACKORDER,
    "presale": Availability.BACKORDER,
}

_OUT = r"""
    out[ -]of[ -]stock | sold[ -]?out | not\s(?:currently\s)?(?:in\sstock|available) | no\slonger\savailable
  | back\sin\sstock\ssoon | unavailable | discontinued | no\sstock | \b0\s+in\sstock
  | coming\ssoon | back\ssoon | has\ssold | bald\swieder | demnächst\swieder
  | binnenkort\s(?:weer|leverbaar|beschikbaar)
  | bientôt\s(?:disponible|en\sstock|de\sretour) | victime\sde\sson\ssuccès | próximamente
  | presto\sdisponibile | disponibile\sa\sbreve | in\sarrivo
  | not\senough\s(?:products|items|stock) | no\slonger\sin\sstock
  | nicht\s(?:mehr\s)?(?:verfügbar|lieferbar|vorrätig|auf\slager|erhältlich|bestellbar|zur\sverfügung)
  | ausverkauft | vergriffen | kein\sbestand | nicht\sgenügend\sartikel
  | niet\s(?:meer\s)?(?:op\svoorraad|in\svoorraad|leverbaar|beschikbaar|voorradig|bestelbaar)
  | uitverkocht | geen\svoorraad | onvoldoende\s(?:producten\s)?(?:op\s)?voorraad
  | épuisé | rupture | indisponible | non\sdisponible | plus\s(?:disponible|en\sstock) | hors\sstock
  | pas\s(?:disponible|en\sstock) | pas\sassez\sde\sproduits
  | agotad[oa] | sin\s(?:stock|existencias) | no\s(?:est[áa]\s(?:[a-z]+\s)?)?disponible
  | fuera\sde\s(?:stock|existencia)
  | no\shay\s(?:existencias|stock|suficientes)
  | esaurit[oaie]\b | non\s(?:è\s(?:[a-zù]+\s){0,2})?disponibile | terminato | non\sin\smagazzino
  | non\sci\ssono\sabbastanza
  | niedostępn[yae] | brak\sw\smagazynie | wyprzedan[yae] | nie\sjest\sdostępn
  | brak\s(?:towaru|produktu|na\sstanie|wystarczającej)
  | esgotad[oa] | indisponível | sem\s(?:stock|estoque) | fora\sde\s(?:stock|estoque)
  | não\s(?:está\s(?:[a-z]+\s)?)?disponível | não\shá\sstock | não\sexistem\sprodutos
  | vyprodáno | není\sskladem | nedostupn | vypredané
  | tillfälligt\sslut | ej\stillgänglig | inte\si\slager | slut\spå\slager | inte\stillräckligt\smed
  | slutsåld | ej\si\slager | slut\si\slager | udsolgt | ikke\spå\slager | utsolgt | loppuunmyyty
  | нет\sв\sналичии | распродан | немає\sв\sнаявності | нет\sна\sскладе
  | tükendi | stokta\syok | nincs\s(?:készleten|raktáron) | elfogyott | kifogyott | nem\selérhető
  | stoc\sepuizat | nu\seste\s[iî]n\sstoc | fără\sstoc | indisponibil | εξαντλ | μη\sδιαθέσιμο
  | ei\svarastossa | tilapäisesti\sloppu | rasprodano | razprodano | nema\sna\s | ni\sna\szalogi
  | nie\sje\s(?:skladom|dostupn)
  | není\sdostupn | изчерпан | няма\sналичност | закінчив | läbi\smüüdud | išparduota | nav\spieejam
  | 在庫切れ | 在庫なし | 売り切れ | 品切れ | 缺货 | 售罄 | 품절
"""
_LATER = r"""
    back[ -]?order | pre[ -]?order | vorbestell | nachbestell | nachlieferung | lieferrückstand
  | nabestel | nalevering | nageleverd | wel\s(?:te\sbestellen|bestelbaar)
  | précommande | sur\scommande | réapprovisionnement
  | reserva\santicipada | para\sreserva | se\spuede\sreservar | preordine
  | op\sbestelling | auf\sbestellung | (?:bajo|sobre)\spedido | su\sordinazione | \bordinabile
  | (?:sob|por)\sencomenda | pr[ée]-?venda | na\szamówienie | na\sobjednávku | bestillingsvare
  | przedsprzedaż | предзаказ | under\sbestilling | beställningsvara | restnoter | restordre
  | på\sbe?ställning | på\sbestilling
"""
_IN = r"""
    \b[1-9]\d{0,5}\s(?:available|left|disponib|verfügbar|beschikbaar|disponíve|dostępn|tillgänglig|tilgængelig|vorrätig)
  | in[ -]stock | available\s(?:now|immediately|for\s|to\sship) | ^available$ | ready\sto\sship
  | ships\s(?:with)?in | in\sstore | only\s\d+\sleft | low\sstock | few\sleft | last\sone\b
  | nur\snoch\s\d+\sstück | letzte[ns]?\s(?:stück|exemplar) | wenige\sexemplare | geringer\sbestand
  | artikel\sverfügbar
  | nog\s(?:maar\s)?\d+\sstuks? | laatste\s(?:stuk|exemplaar) | morgen\sin\shuis | uit\svoorraad
  | plus\sque\s\d | derni(?:er|ère)s?\s(?:exemplaire|article|pièce) | expédié\ssous\s\d | produit\sdisponible
  | \bquedan?\s\d | últim[oa]s\sunidades | hay\sexistencias | entrega\sen\s\d | envío\sinmediato
  | producto\sdisponible
  | ultim[io]\s(?:pezz|articol)[io] | pronta\sconsegna | spedito\sin\s\d | prodotto\sdisponibile
  | ^quantità\sdisponibile
  | auf\slager | lagernd | vorrätig | sofort\s(?:lieferbar|verfügbar) | ^lieferbar | ^verfügbar
  | versandfertig
  | op\svoorraad | \bin\svoorraad | voorradig | direct\sleverbaar | ^leverbaar | ^beschikbaar
  | en\sstock | ^disponible | disponible\s(?:immédiatement|en\sligne)
  | en\sexistencia | hay\sstock | in\smagazzino | ^disponibile | disponibilità\simmediata
  | ^dostępn[yae] | w\smagazynie | na\sstanie | em\s(?:stock|estoque) | ^disponível
  | skladem | skladom | na\ssklade | na\s(?:stanju|zalihi|zalogi) | в\sналичност | \bналичен
  | i\slager | på\slager | varastossa
  | в\sналичии | есть\sна\sскладе | в\sнаявності
  | stokta | készleten | raktáron | în\sstoc | ^in\sstoc | διαθέσιμο
  | 在庫あり | 有货 | 现货 | 재고\s?있음
"""


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


_RULES = (
    (_words(_OUT), Availability.OUT_OF_STOCK),
    (_words(_LATER), Availability.BACKORDER),
    (_words(_IN), Availability.IN_STOCK),
)


def parse_availability(value: Any) -> Availability:
    """The availability that a field, a stock count or a sentence states explicitly."""
    if isinstance(value, bool):
        return Availability.IN_STOCK if value else Availability.OUT_OF_STOCK
    if isinstance(value, int | float):
        return Availability.IN_STOCK if value > 0 else Availability.OUT_OF_STOCK
    text = clean(value)
    if not text:
        return Availability.UNKNOWN
    return _from_schema(text) or _from_words(text)


def _from_schema(text: str) -> Availability | None:
    """`https://schema.org/InStock`, `schema:InStock`, `InStock` and `in_stock` are one word."""
    word = re.split(r"[/#:]", text.rstrip("/"))[-1]
    return _SCHEMA.get(re.sub(r"[\s_-]", "", word).casefold())


def _from_words(text: str) -> Availability:
    """The availability in words; a remark in brackets after them describes what happens without stock."""
    before, bracket, remark = text.partition("(")
    if bracket and (first := _verdict(before)) is not Availability.UNKNOWN:
        if first is Availability.OUT_OF_STOCK and _verdict(remark) is Availability.BACKORDER:
            return Availability.BACKORDER
        return first
    return _verdict(text)


def _verdict(text: str) -> Availability:
    """The availability in a text.

    For a label with its value ("Disponibilità: Disponibile") also in the value alone.
    """
    value = text.rpartition(":")[2].strip()
    found = (verdict for each in (text, value) for pattern, verdict in _RULES if pattern.search(each))
    sold = Availability.OUT_OF_STOCK if offer_status(value) is OfferStatus.SOLD else Availability.UNKNOWN
    return next(found, sold)

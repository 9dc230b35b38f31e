"""Names and words that classify an amount: the price, an older one, or something else."""

import re
from functools import lru_cache

from turbohtml import Element

from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.heuristic.page_position import lineage, name_of
from larder.stages.parse.heuristic.vocabulary.prices import FEE_WORDS

MAX_FEE_WORDS = 3

_SHIPPING_BEHIND = re.compile(
    r"\W{0,3}(?:for |in |für |pour |por )?(?:shipping|postage|delivery|versand(?:kosten)?|porto|"
    r"lieferung|verzendkosten|"
    r"verzending|frais de port|livraison|(?:gastos de )?env[ií]o|portes|spedizione|wysyłka|dostawa|"
    r"frakt|fragt|"
    r"poštovné|doprava|szállítás|livrare|toimitus|доставка|kargo)\b(?!\s*(?:free|gratis|gratuite?|offerte?|incl|inkl|"
    r"kostenlos|frei|zdarma|ingyen|bezpłatn|ilmai))",
    re.IGNORECASE,
)
"""Matches the text right behind shipping costs: `+ 5,95 € Versand`."""
FORMER_NAME = re.compile(
    r"(?:^|[\s_-])(?:old|was|before|strike|striked|crossed|previous|original|regular|market|rrp|msrp|"
    r"uvp|srp|normal|"
    r"instead|compare(?:[-_]?at)?|barr[eé]|antes|tachado|through)(?:$|[\s_-])|old-?price|price-?old"
    r"|list-?price|price-?(?:list|"
    r"was|regular)|"
    r"(?:regular|normal)-?price|was-?price|oldprice|strikethrough|line-through|priceold|price--(?:old"
    r"|discounted-from)",
    re.IGNORECASE,
)
_WITH_FORMER = re.compile(r"(?:^|\s)(?:with|has|without|no)-\S+", re.IGNORECASE)
"""Matches the name of a price with a former one beside it: `with-list-price`."""
_STRUCK_TAGS = frozenset({"del", "s", "strike"})
OTHER_AMOUNT_NAME = re.compile(
    r"shipping|delivery|versand|livraison|envio|saving|save|discount-?(?:amount|percent|badge|label)|"
    r"percent|per-?measure|"
    r"base-?price|grundpreis|basic-?price|installment|instalment|cuota|parcel|monthly|credit|"
    r"finance|member-?_?price|club-?_?price|"
    r"points|reward|loyalty|deposit|(?:tax|vat)[-_]?(?:amount|total|rate|label|info|shipping)|rating"
    r"|range-?(?:min|max)|filter|alert|threshold|subscribe|coupon|"
    r"voucher|tooltip",
    re.IGNORECASE,
)
UNIT_PRICE_NAME = re.compile(r"unit-?price|per-?unit", re.IGNORECASE)
"""Matches a price of one unit or kilogram, which is used only if no other is shown."""
OTHER_AMOUNT_WORDS = re.compile(
    r"(?:\b(?:rewards?|points?|save|savings?|off|average(?: price)?|avg\.?|estimated?|deposit|shipping|"
    r"delivery|mortgage|monthly|financ(?:e|ing|iering|ement|iamento|iación)(?: from| vanaf| dès|"
    r" da| desde)?|"
    r"finanzierung(?: ab)?|leas(?:e|ing)(?: ab| from| vanaf| dès)?|"
    r"instal?lments?(?: of)?|"
    r"ersparnis|spare|sie sparen|kaution|versand|durchschnitt(?:lich|spreis)?|raten? (?:à|zu)|monatlich|"
    r"(?:du )?spar(?:er|ar|t)?|besparelse|besparing|bespaart|rabatt?|discount|nachlass|réduction|descuento|"
    r"desconto|sconto|risparmia|poup[ae]|economi[zs]e|oszczędzasz|zniżka|sleva|ušetříte|ušetrite|zľava|"
    r"megtakarítás|kedvezmény|economisești|reducere|avans|säästä(?:t)?|säästö|alennus|скидка|экономия|знижка|"
    r"отстъпка|indirim|kazanç|ušteda|popust|prihranek|έκπτωση|κέρδος|allahindlus|nuolaida|atlaide|"
    r"down ?payment|loan amount|anzahlung|aanbetaling|apport|acompte|anticipo|acconto|wkład własny|"
    r"kontantinsats|udbetaling|egenkapital|egenandel|handpenning|záloha|akontace|önerő|előleg|käsiraha|"
    r"ön ödeme|peşinat|предоплата|первый взнос|"
    r"splátk[ay](?: od)?|měsíčně(?: od)?|mesačne(?: od)?|havi(?: részlet)?|részletre|rat[eă] de(?: la)?|"
    r"kuukausierä|taksit(?:le)?|в месяц|delbetal(?:a|ning)(?: fra| från)?|nedbetaling(?: fra)?|"
    r"bespaar|korting|gemiddeld|borg|verzending|maandelijks|"
    r"[ée]conomisez|remise|livraison|moyenne?|mensualit[ée]s?|ahorr[ao]s?|promedio|env[ií]o|"
    r"cuotas?(?: de)?|"
    r"risparmi|medio|spedizione|rate da|parcelas? de|sem juros de|\d{1,2} ?x(?: de)?|"
    r"\d+ (?:or more|oder mehr|of meer|ou plus|o más|o più)|"
    r"(?:new|retail) price|costs? new|bought (?:new )?for|paid(?: over| around| almost)?|"
    r"nieuwprijs(?: was)?|nieuw gekocht voor|"
    r"neupreis|\bnp|"
    r"valeur(?: à)? neuf|prix neuf|costó|precio original|custou|preço novo|costava|pagat[oa]|paguei|pagamos|"
    r"kostte|kostete|hat gekostet|coûtait|a coûté|costaba|kostade|"
    r"nypris|ny pris|omregistrering(?:savgift)?|"
    r"původní cena|pořizovací cena|cena nowego|"
    r"achet[ée]e?s?(?: neufs?| neuves?)?(?: à| pour)?|pay[ée]e?s?|comprad[oa] por|pagué|"
    r"comprat[oa] (?:a|per)|gekauft für|bezahlt|gekocht voor|betaald|kupion[aey] za|kosztował[aoy]?|"
    r"köpt för|købt for|cumpărat[ăe]? cu|preț (?:de )?nou|am dat|"
    r"(?:брал|покупал|купил)[аи]? за|куплен[аоы]? за|стоил[аои]?|"
    r"worth|valued at|t\.?w\.?v\.?|ter waarde van|im wert von|d'une valeur de|por valor de|del valore di|"
    r"o wartości|members?(?: only)?(?: pay| price)?|mitglieder(?:preis| zahlen)|leden(?:prijs| betalen)|"
    r"clubprijs|(?:club|loyalty|card|app) price|clubpreis|pfand|statiegeld|consigne|pantti|"
    r"prix membres?|precio socios?|prezzo soci|medlemspris|"
    r"payments? of|betalingen van|zahlungen (?:von|à|zu)|paiements? de|pagos de|plazos de|pagamenti da|"
    r"raty po|trade-?in(?: value)?|inruilwaarde|inruilkorting|eintauschprämie|ankaufsprämie|"
    r"valeur de reprise|valore di permuta|"
    r"(?:ab|vanaf|from|dès|desde|da) \d+ (?:st(?:ück|k|uks?)?\.?|pcs|pieces|units?|pièces|unidades|"
    r"uds?|pezzi|packs?|packung(?:en)?|pak(?:ken|jes)?|paquetes?|confezioni)))"
    r"[\s:~≈]*(?:was|were|is|war(?:en)?|ist|lag (?:bei|um)|betr[uä]gt?|waren|était|est|era|eran|"
    r"è|é|var|był[aoy]?|byl[aoy]?)?"
    r"[\s:~≈]*(?:up to|bis zu|tot|of|about|around|rund|etwa|circa|environ|ca\.?)?[\s:]*$",
    re.IGNORECASE,
)
"""Matches the text right before an amount that is not the price."""
SHIPPING_WORDS = re.compile(
    r"\W*(?:shipping|postage|delivery|versandkosten|versand|porto|lieferung|verzendkosten|verzending"
    r"|frais de port|livraison|gastos de env[ií]o|portes de envio|portes|spese di spedizione|spedizione"
    r"|kosz\w* (?:dostawy|wysyłki)|dostawa|frakt|fragt)\b[^.!?\d]{0,60}$",
    re.IGNORECASE,
)
"""Matches the beginning of a sentence about shipping costs: `Shipping within the country € 7.50`."""
SHIPPED_FOR = re.compile(
    r"\b(?:shipping|postage|posted|delivery|courier|versand|verschickt|lieferung|"
    r"verzend(?:en|ing|kosten)|verstuur\w*|opsturen|bezorg\w*|livraison|exp[ée]di\w+|envoi|env[ií]os?|"
    r"spedizione|wysyłk\w|przesyłk\w|dostaw\w|kurier(?:em)?|frakt|skickas?|fragt|sendes|forsendelse|"
    r"poštovné|doprav[ay]|doručení|szállítás|livrare|\bport(?: en sus| en plus)?|fdp)"
    r"(?:\s(?:is|costs?|kostet|kost|coûte|cuesta|costa|kosztuje|kostar|koster|stojí|kan"
    r"|can be done|possible|möglich|mogelijk|posible|possibile))?"
    r"(?:\s(?:for|at|für|voor|pour|à|por|per|a|za|för|mot|for|fra|från|from|ab|vanaf|od|dès|desde|da))?"
    r"(?:\s(?:ca\.?|approx\.?|about|circa|etwa|ok\.|około))?[\s:(]*$",
    re.IGNORECASE,
)
"""Matches the text right before shipping costs: `wysyłka za 25 zł`, `can be posted for £4`."""
OTHER_EDITION = re.compile(
    r"\b(?:e-?books?(?: \(?(?:epub|pdf)\)?)?|epub|kindle|audio-?books?|hörbuch(?:-download)?|luisterboek|"
    r"livre (?:audio|numérique)|audiolibro|libro electrónico|ljudbok|lydbog|used(?: from)?|gebraucht(?: ab)?|"
    r"tweedehands(?: vanaf)?|occasion(?: dès)?|usato(?: da)?|segunda mano(?: desde)?)[\s:]*$",
    re.IGNORECASE,
)
"""Matches the text before the price of another edition or of a used one, used if no other is shown."""
ASKING_WORDS = re.compile(
    r"\b(?:ask(?:ing|s)?|prices?|want(?:ed|ing)?|selling|sell|for|rent|obo|bids?|\w*preise?|"
    r"preisvorstellung|vhb|vb|fp|für|\w*miete|"
    r"kostet|\w*prij(?:s|zen)|voor|huur|prix|vends?|pour|loyer|precios?|vendo|por|alquiler|"
    r"prezz[oi]|chiedo|richiest[ao]|richiedo|"
    r"affitto|preços?|cen[ay]|za|czynsz najmu|pris(?:er)?|säljes|sælges|för|hyra|husleje|only|nur|"
    r"slechts|seulement|solo)\b[^.!?]{0,25}$",
    re.IGNORECASE,
)
"""Matches the text before an asking price in a sentence."""
PRICE_LABEL = re.compile(
    r"\W*(?:(?:sale|sales|asking|selling|list|purchase|total|my|our) )?(?:price|asking|ask|"
    r"richiest[ao]|prezzo(?: richiesto)?|"
    r"(?:kauf|verkaufs|gesamt|fest)?preis(?:vorstellung)?|(?:kalt|warm|gesamt|brutto)?miete|vhb|"
    r"vb|(?:vraag|koop|verkoop)?prijs|"
    r"(?:koop|huur)som|huur(?:prijs)?|prix(?: de vente| demandé)?|loyer(?: mensuel)?|"
    r"precio(?: de venta)?|alquiler|renta|"
    r"preço(?: de venda)?|valor|renda|canone|affitto|cena|czynsz najmu|pris|utgångspris|hyra|husleje|"
    r"vételár|irányár|eladási ár|bérleti díj|ár|preț|pret|chirie|цена|стоимость|аренда|ціна|наем|"
    r"(?:myynti)?hinta|vuokra|fiyat[ıi]?|τιμή|ενοίκιο|cijena|hind|üür|kaina|nuoma|"
    r"prisantydning|(?:kontant|udlejnings|utrops)pris|(?:måneds|månedlig )?le(?:je|ie)|kupní cena|"
    r"nájem(?:né)?|nájom|"
    r"(?:current|highest|winning) bid|hammer price|aktuelles gebot|höchstgebot|zuschlag|huidig bod|"
    r"hoogste bod|"
    r"enchère actuelle|adjugé|aktuelt bud|nuværende bud|nåværende bud|högsta bud|hammerslag|klubbat pris|"
    r"puja actual|offerta attuale|lance atual|aktualna cena|nejvyšší nabídka|korkein tarjous)"
    r"\s*[:：]?\s*",
    re.IGNORECASE,
)
"""Matches a label for the price."""
SURELY_CURRENT = re.compile(
    r"(?:sales?|special|current|now|final|offer|selling|our|actual|promo|today)[-_]?price|"
    r"price[-_]{0,2}(?:now|new|sales?|current|final|promo)",
    re.IGNORECASE,
)
NET_WORDS = re.compile(
    r"\b(?:ex|excl|exkl|excluding|without|zzgl|sin|senza|bez)\b\.?\s*(?:tax|vat|btw|gst|mwst|ust|iva"
    r"|tva|moms|dph)\b|"
    r"\bnetto?\b|\bht\b|\biva (?:escl|excl)|\+ ?(?:iva|btw|vat|mwst)\b|"
    r"\bhors taxe",
    re.IGNORECASE,
)
GROSS_WORDS = re.compile(
    r"\b(?:inc|incl|inkl|including|included|incluant|con|avec|mit|z|med)\b\.?\s*(?:\d{1,2}\s?%\s*)?"
    r"(?:tax|vat|btw|gst|mwst|ust|iva|tva|moms|mva|dph)\b|\bbrutto\b|\bttc\b|\biva incl",
    re.IGNORECASE,
)
NET_NAME = re.compile(r"(?:ex|excl|excluding|without|no|price)[-_]?(?:tax|vat)\b", re.IGNORECASE)
PER_UNIT = re.compile(
    r"/\s?(?:kg|l|ltr|100|m|m²|st|stk|1\s?(?:kilo\w{0,6}|lit[re]{2}))\b|"
    r"\bper (?!month|maand|mese)|\bpro (?!monat)|\bje\b",
    re.IGNORECASE,
)
PER_MONTH = re.compile(
    r"/\s?(?:month|mo|mes|mês|monat|mois|mese|maand|mnd|mån|md)\b|"
    r"\b(?:per|pro|par|al|pr\.?|por|ao|om|i) (?:monat|mois|mese?|maand|mês|md|måned|mån|månad|mdr)\b|"
    r"month",
    re.IGNORECASE,
)
"""Matches a monthly payment: the price of a rental, an instalment of a sale."""
CURRENT_NAME = re.compile(
    r"sale|special|current|now|our-?price|final|sell|promo|actual|offer-?price|main|today|new-?price|"
    r"price-?new|"
    r"pricenew|big|product-?price|value__price",
    re.IGNORECASE,
)
RANGE_WORDS = re.compile(r"\bfrom\b|\bab\b|\bdesde\b|\bvanaf\b|\bod\b", re.IGNORECASE)
PRICE_REMARK = re.compile(
    r"\b(?:incl\w*|inkl\w*|tax(?:es)?|vat|iva|tva|ttc|btw|mwst|moms|dph|now|only|from|ahora|solo|desde"
    r"|nu|voor|jetzt|nur|ab|"
    r"seulement|maintenant|prix|price|preis|prijs|precio|prezzo|pris|cena|eur|euros?)\b",
    re.IGNORECASE,
)
"""Matches words that may be beside an amount that stands alone."""


def is_net(label: str, text: str, remark: str) -> bool:
    """Whether the words before, in or after an amount say that tax is added; those in it are surest."""
    if GROSS_WORDS.search(text):
        return False
    if NET_WORDS.search(text) or NET_WORDS.search(remark):
        return True
    return GROSS_WORDS.search(remark) is None and NET_WORDS.search(label) is not None


@lru_cache(maxsize=8_192)
def is_other_amount(lead: str) -> bool:
    """Whether the words right before an amount say that it is not the price."""
    if OTHER_AMOUNT_WORDS.search(lead) is not None or SHIPPING_WORDS.match(lead) is not None:
        return True
    if SHIPPED_FOR.search(lead) is not None:
        return True
    return is_fee(lead)


def is_shipping(text: str) -> bool:
    """Whether words behind the only amount of a text say that it is for sending."""
    found = list(AMOUNT.finditer(text))
    return len(found) == 1 and _SHIPPING_BEHIND.match(text[found[0].end() :]) is not None


def is_fee(lead: str) -> bool:
    """Whether it is a cost of a home beside its price, by the last words before the amount."""
    words = lead.lower().rstrip(" :\n\t").split()[-MAX_FEE_WORDS:]
    return any(" ".join(words[at:]) in FEE_WORDS for at in range(len(words)))


@lru_cache(maxsize=8_192)
def is_former_name(names: str) -> bool:
    """Whether these names mean an old price."""
    return all(FORMER_NAME.search(each) for each in (names, _WITH_FORMER.sub(" ", names)))


def is_former(element: Element) -> bool:
    """Whether it is struck out, or named as an old price."""
    return is_struck(element) or is_called_former(element)


def is_called_former(element: Element) -> bool:
    """Whether it is named as an old price: by class, id or, if those mean nothing, a name for tests."""
    hook = element.attr("data-hook") or element.attr("data-testid")
    return is_former_name(name_of(element)) or (hook is not None and is_former_name(hook))


def is_struck(element: Element) -> bool:
    """Whether it is struck out."""
    if element.tag in _STRUCK_TAGS:
        return True
    for node in lineage(element, 3):
        if isinstance(node, Element) and node.tag in _STRUCK_TAGS:
            return True
    return "line-through" in (element.attr("style") or "")

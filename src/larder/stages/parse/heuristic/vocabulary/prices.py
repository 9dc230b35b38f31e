"""Words around amounts: on request, former prices, costs beside the price."""

import re

from larder.core.policy.word_search import WordSearch, joined_lines

ON_REQUEST = WordSearch(r"""
    price (?:on|upon) (?:request|application)|\bpoa\b|auf anfrage|zu verschenken|verhandlungsbasis
    ^(?:vb|vhb|v\.?b\.)$|prijs op aanvraag|op aanvraag|\bbieden\b|gratis af te halen|prix sur demande
    nous consulter|consultar|se regala|prezzo su richiesta|trattativa riservata|da concordare
    \ba convenir\b|sob consulta|a combinar|\bà débattre|\bt\.e\.a\.b\.|gegen gebot|\bverschenke
    make (?:me )?an offer|make offer|fai(?:re|tes) (?:une )?offre|\bza darmo|do uzgodnienia|\bdohodou
    \bzdarma|prisförslag|bortskänkes|\bgives væk|price on call|call(?: us| agent)? for (?:the )?price
    contact(?: us| agent)? for (?:the )?price|ask(?: us| agent)? for (?:the )?price
    enquire(?: us| agent)? for (?:the )?price|prijs n\.?o\.?t\.?k|n\.o\.t\.k|preis nach vereinbarung
    prix nous consulter|precio bajo consulta|pris saknas
    pris (?:på|efter) (?:forespørgsel|förfrågan|aftale)
    ^(?:for )?(?:free|gratis|gratuit|swap|trade|troca|trueque|scambio|tausch|ruilen|bytes)\b[^\d]{0,15}$
    prix non (?:indiqué|communiqué|précisé)|prezzo non (?:indicato|disponibile)|precio no indicado
    price not (?:given|specified|stated)|preis nicht angegeben|prijs onbekend|cena nie podana
    (?:consulte|consultar) (?:o |ao )?vendedor|consulte-nos|consultar con el vendedor|call for pricing
    цена не указана|договорная|цена по запросу|цената не е обявена|по договаряне
    цена (?:по запитване|при запитване)|ціна договірна|cijena na upit|cena na upit|po dogovoru
    preț la cerere|la cerere|hinta pyydettäessä|fiyat sorunuz|ár egyeztetés|cena v rk\b|info v rk\b
    cena na (?:vyžádání|dotaz|zapytanie)|zapytaj o cenę
    by negotiation|expressions of interest|price withheld|offers invited
    zavolejte pro cenu|cena (?:k dotazu|v realitní kanceláři)|nabídněte cenu|cena po dohode
    ár (?:kérésre|érdeklődésre)|megegyezés szerint|ingyen elvihető|ajándékba adom
    pret la cerere|sunați pentru preț|se donează
    kysy hintaa|hinta sopimuksen|annetaan ilmaiseksi
    gis bort|pris etter avtale|ring for pris|ring för pris|kontakt for pris|bud modtages|högstbjudande
    fiyat için (?:arayın|sorunuz)|fiyat alınız
    κατόπιν συνεννόησης|ρωτήστε τιμή|χαρίζεται
    уточняйте цену|цену уточняйте|отдам даром|отдаю даром|віддам безкоштовно|ціна за запитом|подарявам
    poklanjam|cena po dogovoru|podarim
    hind kokkuleppel|kaina sutartinė|cena pēc vienošanās
    chiedi (?:il )?prezzo|contattaci per il prezzo|precio a consultar|preço a definir|prix à définir
""")
"""Matches texts in place of a price."""

_FORMER = joined_lines(r"""
    was|were|rrp|msrp|list price|market price|regular(?: price)?|old price|statt|uvp|vorher|marktpreis
    prix du marché|pre(?:ci|ç)o de mercado|prezzo di mercato|cena rynkowa|marktprijs|adviesprijs
    oude prijs|van|prix conseill[ée]|avant|au lieu de|antes|pvpr?|prima|listino|førpris|før
    ordinarie pris|cena regularna|najniższa cena\D{0,60}|anstatt|ehemals|in plaats van|invece di
    en lugar de|em vez de|zamiast|istället för|(?:original|initial|former|previous|normal) price
    (?:ursprünglicher|früherer|alter|bisheriger|normaler) preis|normalpreis
    (?:oorspronkelijke|vorige|normale) prijs|normaalprijs|(?:ancien|avant) prix
    prix (?:initial|d'origine|normal|habituel|barré)|precio (?:original|anterior|normal|habitual)
    prezzo (?:originale|precedente|normale)|preço (?:original|anterior|normal)
    (?:pierwotna|poprzednia|stara) cena|cena katalogowa
    (?:det )?(?:ursprungliga|tidigare|ordinarie) priset?|(?:oprindelig|opprinnelig|tidligere) pris
    původní cena|^\W*de
    běžná cena|doporučená cena|původně|dříve|bežná cena|pôvodná cena|odporúčaná cena
    eredeti ár|régi ár|listaár|korábbi ár|fogyasztói ár
    preț (?:vechi|inițial|de listă|recomandat)|pret vechi|prp|în loc de
    norm\.|normaalihinta|alkuperäinen hinta|ovh|ennen
    ord\. pris|rek\. pris|veil(?:edende)?\.? ?(?:ut)?pris|vejl(?:edende)?\.? ?(?:uds\.?)?pris
    eski fiyat|liste fiyatı|αρχική τιμή|παλιά τιμή|ceny? przed obniżką
    старая цена|обычная цена|стара ціна|звичайна ціна|стара цена
    stara cijena|redovna cijena|preporučena cijena|stara cena|redna cena
    vana hind|tavahind|sena kaina|vecā cena
""")
_LOWEST = joined_lines(r"""
    lowest|laagste|niedrigste|günstigste|plus bas|più basso|mínimo|más bajo|mais baixo|najniższ|lägsta|laveste
    nejnižší|najnižšia|legalacsonyabb|cel mai mic|alin|най-ниска|najniža|najnižja|χαμηλότερη|madalaim
    mažiausia|zemākā
""")
FORMER_WORDS = re.compile(
    rf"\b(?:{_FORMER})(?:\s(?:was|war|était|era|var|wynosiła|byla))?\.?[\s:]*$|"
    rf"(?:{_LOWEST})[^.!?]{{0,40}}\b30\b[^.!?]{{0,40}}$",
    re.IGNORECASE,
)
"""Matches the text right before a former price, or the lowest price of 30 days that shops must name."""

FEE_WORDS = frozenset(
    joined_lines("""
    betriebskosten|nebenkosten|heizkosten|bewirtschaftungskosten|hausgeld|rücklage|provision|kaution
    servicekosten|stookkosten|energiekosten|gemeenschappelijke kosten|vve bijdrage|waarborgsom
    service charge|service charges|ground rent|council tax|hoa|hoa fee|hoa fees|hoa dues|property tax
    property taxes|charges|charges mensuelles|charges de copropriété|taxe foncière|honoraires|courtage
    comunidad|gastos de comunidad|ibi|fianza|spese|spese condominiali|condominio|condomínio|imi|caução
    opłaty|opłaty administracyjne|czynsz|czynsz administracyjny|kaucja|avgift|driftkostnad
    fællesudgifter|felleskost|felleskostnader|poplatky|kauce|közös költség|kaució
    down payment|deposit|strata fees|body corporate|rates|water rates|maintenance fee
    abschlag|ablöse|genossenschaftsanteile|maklerprovision|grunderwerbsteuer|stellplatz|stellplatzmiete
    waarborg|bemiddelingskosten|parkeerplaats
    dépôt de garantie|provision sur charges|frais d'agence|gastos|honorarios|derrama
    deposito cauzionale|spese accessorie|taxa de condomínio|iptu|despesas
    månadsavgift|deposition|insats|depositum|forudbetalt leje|aconto|a conto|ejerudgift|boligydelse
    fellesgjeld|omkostninger|kommunale avgifter|formuesverdi
    vastike|yhtiövastike|hoitovastike|takuuvuokra|vuokravakuus|vakuus|vesimaksu
    vratná kauce|jistota|zálohy|zálohy na služby|energie|provize|provize rk|depozit|zábezpeka
    rezsi|rezsiköltség|foglaló|jutalék|garanție|garantie|întreținere|comision
    aidat|depozito|κοινόχρηστα|εγγύηση|залог|комиссия|коммунальные платежи|застава|комисиона|депозит
    režije|polog|jamčevina|provizija|stroški|varščina
    tagatisraha|maakleritasu|kommunaalid|užstatas|drošības nauda
""").split("|")
)
"""Words before a cost of a home beside its price."""

"""Names of addresses and places, and the words that precede one: one line a language."""

import re

from larder.core.policy.word_search import WordSearch, alternatives, joined_lines


def _compiled_lines(lines: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(joined_lines(lines), flags)


PLACE_NAME = _compiled_lines(
    r"""
    (?:^|[\s_-])(?:address|addresse?|adresse?|adres|direcci[oó]n|indirizzo|endere[cç]o|anschrift)(?:$|[\s_-])
    street-?address|property-?address|listing-?address|display-?address|full-?address|item-?address|ad-?address
    (?:^|[\s_-])(?:location|locality|localit[eéày]|ubicaci[oó]n|localiza[cç][aã]o|standort|locatie|plaats|municipality)(?:$|[\s_-])
    (?:^|[\s_-])(?:loc|ort|town|suburb|miejscowosc)(?:$|[\s_-])
    property-?location|item-?location|ad-?location|listing-?location|municipality
    [a-z](?:Address|Location|Locality|Municipality|Adresse|Ubicacion)(?:$|[\s_A-Z-])
""",
    flags=0,
)
"""Classes and ids of address elements; a capital begins a word: `propertyAddress`."""

PLACE_LABEL = _compiled_lines(r"""
    (?:full |street |property )?address|location|city|town|suburb|neighbou?rhood|area|region
    district|located in
    adresse|anschrift|ort|standort|lage|stadt|wohnort|plz(?:\s?/\s?ort)?
    adres|plaats|woonplaats|locatie|stad|gemeente|wijk
    localisation|localit[ée]|ville|commune|lieu
    direcci[oó]n|ubicaci[oó]n|localidad|ciudad|municipio|zona|barrio|poblaci[oó]n
    indirizzo|localit[àa]|comune|citt[àa]|zona
    endere[çc]o|localiza[çc][ãa]o|local|cidade|bairro|concelho|freguesia
    lokalizacja|miasto|miejscowo[śs][ćc]|adresa|lokalita|obec|město|mesto|okres|umístění
    adress|ort|plats|kommun|område|sted|poststed|kommune|beliggenhe[dt]|placering
    osoite|sijainti|kaupunki|paikkakunta|kunta|település|cím|helyszín|város
    adres[ăa]|localitate|oraș|județ|locație|адрес|город|местоположение|район|адреса|місто|розташування
    град|населено място|konum|şehir|il(?:çe)?|semt|διεύθυνση|περιοχή|πόλη|τοποθεσία
    lokacija|mjesto|grad|županija|naselje|kraj|asukoht|aadress|linn|vieta|miestas|adresas|pilsēta
""")

TOWN_LABEL = _compiled_lines(r"""
    city|town|suburb|locality|stadt|ort|wohnort|plz(?:\s?/\s?ort)?|plaats|woonplaats|stad|gemeente|ville|commune
    localit[ée]|localidad|ciudad|municipio|poblaci[oó]n|comune|citt[àa]|cidade|miasto|miejscowo[śs][ćc]|obec|plats|sted|település
    město|mesto|poststed|kaupunki|paikkakunta|város|localitate|oraș|город|місто|град|şehir|πόλη|mjesto|kraj|linn|miestas|pilsēta
""")

CONTROL = _compiled_lines(r"""
    (?:show |view |open |ver |voir |zie |auf |zur )?(?:maps?|mapa|karte|carte|kaart|mappa|plan|kort|route)
    street ?view|directions?|(?:move|scroll|go) \w+|next|previous|back|share|save|print|location|address
    change \w+|use my location|all locations
""")
"""Texts of buttons beside an address."""

_LEADS = r"in|en|à|a|au|aux|te|em|na|no|nas|nos|at|i|w|we|auf|op|ad|bei|near|im|à venda na|v|ve"
PREPOSITION_AND_PLACE = re.compile(
    rf"(?:^|[\s,(])(?:{_LEADS})\s+(?P<place>(?:(?:[Cc]alle|[Aa]venida|[Pp]laza|[Rr]ue|[Aa]venue|[Vv]ia"
    rf"|[Vv]iale|[Pp]iazza|[Rr]ua|"
    rf"[Ll]a|[Ll]e|[Ll]es|[Ll]os|[Ll]as|[Ee]l|[Dd]e|[Dd]er|[Dd]en|[Dd]o"
    rf"|[Dd]a)\s+){{0,3}}(?:\d{{4,5}}(?:\s?[A-Z]{{2}})?\s+)?[A-ZÀ-Ý][^|;!?]{{2,100}})"
)
"""Matches a word for "in" followed by a name that begins with a capital."""

_STEPS = r"""
    home|start|search|results?|back|all|for sale|to rent|to let|for rent|buy|rent|sale|sell
    letting|lettings
    listings?|propert(?:y|ies)
    real estate|houses?|homes|flats?|apartments?|condos?|bungalows?|studios?|land|commercial
    vehicles?|cars?|motors?|jobs?|furniture
    startseite|immobilien|wohnung(?:en)?|h[äa]user|haus|kaufen?|mieten?
    zu vermieten|zu verkaufen|grundst[üu]cke?|autos?|suche
    koop|huur|te koop|te huur|woning(?:en)?|appartement(?:en)?|huizen|huis|kamer|zoeken|overzicht
    accueil|acheter|louer|vente|ventes|locations?|achat|maisons?|appartements?|annonces?|voitures?|immobilier|recherche
    inicio|comprar|alquilar|alquiler|venta|viviendas?|pisos?|casas?|inmuebles?|anuncios?|coches?|obra nueva
    vendita|affitto|case|appartamenti?|annunci|immobili|auto
    lejlighed(?:er)?|værelser?|bolig(?:er)?|til leje|til salg|lägenhet(?:er)?|bostad|bostäder|till salu
    mieszkani[ae]|wynajem|sprzedaż|byty?|pronájem|prodej
    in[ií]cio|im[óo]veis|im[óo]vel|venda|aluguel|arrendar|apartamentos?|moradias?|carros?|an[úu]ncios?
"""
CATEGORY = WordSearch(*(rf"\b{word}\b" for word in alternatives(_STEPS)))
"""Words of breadcrumbs that are categories."""

MARKETPLACE = WordSearch(
    r"\bmarket ?places?\b", r"\bclassifieds\b", r"\bkleinanzeigen\b", r"\bvraag en aanbod\b"
)
"""What boards call their part with adverts: below it are kinds of goods."""

PART_OF_TOWN = _compiled_lines(r"""
    (?:the |city |town )?cent(?:er|re)|downtown|(?:the )?(?:city|town|village|countryside|park|heart)
    (?:stadt|orts)?(?:zentrum|mitte|kern)|innenstadt|altstadt|stadtrand|grünen
    (?:stads|dorps)?centrum|binnenstad|centre[- ]ville|hyper[- ]?centre|campagne
    (?:el |il |no )?centro(?: storico| histórico| città)?|casco antiguo|centr(?:um|e)|śródmieście|centrala?
""")
"""Parts of every town, which do not identify a place."""

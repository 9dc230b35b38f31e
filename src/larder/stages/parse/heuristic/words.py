"""Words of pages in the languages that Larder reads: one line a language, regular expressions."""

import re

from larder.core.policy.word_search import WordSearch, joined_lines


def _compiled_lines(lines: str) -> re.Pattern[str]:
    return re.compile(joined_lines(lines), re.IGNORECASE)


def _stems(lines: str) -> tuple[str, ...]:
    return tuple(lines.split())


OUT_OF_STOCK = WordSearch(r"""
    out[ -]of[ -]stock|sold[ -]?out|currently unavailable|temporarily unavailable|no longer available
    discontinued|not (?:currently )?(?:available|in stock)|\bno stock\b|back in stock soon
    not enough (?:products|items|stock)|no longer in stock
    this (?:ad|listing|item) (?:has|is) (?:ended|expired|sold|no longer)|\bexpired\b
    (?:^|\s)0 in stock|coming soon|back soon|bald wieder (?:da|verfügbar|lieferbar|auf lager)|demnächst wieder
    binnenkort (?:weer )?(?:leverbaar|beschikbaar|verkrijgbaar|op voorraad)
    bientôt (?:disponible|en stock|de retour)
    victime de son succès|próximamente|presto disponibile|disponibile a breve|in arrivo
    nicht (?:mehr )?(?:verfügbar|lieferbar|auf lager|vorrätig|erhältlich|bestellbar)|ausverkauft
    nicht (?:mehr )?zur verfügung|kein bestand|nicht genügend artikel|vergriffen|verkauft
    uitverkocht|niet (?:meer )?(?:op voorraad|in voorraad|leverbaar|beschikbaar|voorradig|bestelbaar)|verkocht
    geen voorraad|onvoldoende (?:producten )?(?:op )?voorraad
    épuisé|rupture|indisponible|hors stock|non disponible|plus (?:disponible|en stock)
    pas (?:disponible|en stock)|pas assez de produits
    agotad[oa]|sin (?:stock|existencias)|no disponible|fuera de (?:stock|existencia)|vendido
    no est[áa] (?:[a-z]+ )?disponible|no hay (?:existencias|stock|suficientes)
    esaurit[oaie]\b|non disponibile|non è (?:[a-zù]+ ){0,2}disponibile|\bterminato\b|non in magazzino
    non ci sono abbastanza prodotti
    niedostępn|wyprzedan|brak w magazynie|brak (?:towaru|produktu)|brak na stanie|brak wystarczającej
    nie jest dostępn
    esgotad[oa]|indisponível|sem (?:stock|estoque)|fora de (?:stock|estoque)
    não (?:está )?(?:[a-z]+ )?disponível|não há stock|não existem produtos
    ej i lager|inte i lager|slut i lager|slut på lager|tillfälligt slut|ej tillgänglig|inte tillräckligt med
    ikke på lager
    vyprodáno|vypredané|není skladem|nie je skladom
    slutsåld|udsolgt|utsolgt|loppuunmyyty
    нет в наличии|распродан|немає в наявності
    stoc epuizat|nu este [iî]n stoc|fără stoc|indisponibil
    tükendi|stokta yok
    elfogyott|kifogyott|nincs (?:raktáron|készleten)|nem elérhető
    ei varastossa|tilapäisesti loppu
    εξαντλ|μη διαθέσιμο
    rasprodano|nema na (?:zalihi|stanju|skladištu)|ni na zalogi|razprodano|není dostupn|nie je dostupn
    изчерпан|няма наличност|не е наличен|закінчив|läbi müüdud|laost otsas|išparduota|nėra sandėlyje
    nav pieejam
    在庫切れ|在庫なし|売り切れ|品切れ|품절|售罄|缺貨|缺货|已售完
""")

IN_STOCK = WordSearch(r"""
    \bin[ -]stock\b|\d+ available|\bavailable\b|\bonly \d+ left|\b(?:low stock|few left|last one)\b
    ready to ship|ships (?:with)?in \d+|nur noch \d+ stück|letzte[ns]? (?:stück|exemplar)
    wenige exemplare|geringer bestand|versandfertig|nog (?:maar )?\d+ stuks?|laatste (?:stuk|exemplaar)
    morgen in huis|\bleverbaar\b|\bbeschikbaar\b
    plus que \d+|derni(?:er|ère)s? (?:exemplaire|article|pièce)s?|expédié sous \d+
    \bquedan? \d+|últim[oa]s unidades
    hay existencias|entrega en \d+|envío inmediato|ultim[io] (?:pezz|articol)[io]|pronta consegna
    spedito in \d+|\bdisponibili\b
    auf lager|lagernd|sofort lieferbar|\bverfügbar|\blieferbar|\bvorrätig
    op voorraad|direct leverbaar|\bvoorradig|\bin voorraad
    en stock|\bdisponible|en existencia
    \bdisponibile|disponibilità immediata|in magazzino
    \bdostępn|w magazynie
    \bdisponível|em (?:estoque|stock)
    skladem|skladom|na sklade|na stanju|na zalihi|na zalogi
    i lager|på lager|varastossa
    в наличии|в наявності
    în stoc\b|in stoc\b
    stokta|в наличност|\bналичен
    \blaos\b|yra sandėlyje|ir noliktavā
    raktáron|készleten|azonnal szállítható
    διαθέσιμο
    有貨|現貨|在庫あり|재고
""")

BACKORDER = WordSearch(r"""
    back[ -]?order|pre[ -]?order
    vorbestell|nachbestellt|nachbestell|nachlieferung|lieferrückstand
    nabestelling|nabestel|nalevering|nageleverd|op bestelling|wel (?:te bestellen|bestelbaar)
    auf bestellung
    précommande|sur commande|réapprovisionnement
    reserva anticipada|disponible para reserva|se puede reservar|(?:bajo|sobre) pedido
    preordine|su ordinazione|\bordinabile
    (?:sob|por) encomenda|pr[ée]-?venda
    na zamówienie|przedsprzedaż
    beställningsvara|bestillingsvare|restnoter|restordre|på beställning|på bestilling
    na objednávku
""")
"""Matches words for: not in stock, but can be ordered."""

STOCK_NOUN = re.compile(
    r"^\W*(?:availability|verfügbarkeit|beschikbaarheid|disponibilit[éà]|disponibilidade?|disponibilitate|dostępność|dostupnost[ťi]?|saatavuus|elérhetőség"
    r"|tillgänglighet|tilgængelighed)\b[\s:]*",
    re.IGNORECASE,
)
"""A label with a word for "in stock" that does not mean it: `Dostępność: duża ilość`."""

BUY = _stems("""
    addtocart addtobasket addtobag addtotrolley addtoshopping addtoorder addcart buynow buyitnow
    buybutton buybox
    btnbuy buybtn purchase ordernow booknow makeanoffer makeoffer
    warenkorb indenkorb einkaufswagen jetztkaufen anbieterkontaktieren
    winkelwagen winkelmand bestel ticketskopen ticketkopen
    panier acheter alcarrito alacesta alcarro comprar reservar carrinho carrello acquista
    dokoszyka kupteraz dokošík kúpiť koupit košaric dodaju ukorpu rezerv
    läggi köp lægikurv indkøbskurv leggihandle ostoskori lisääostos
    kjøp køb kundekurv handlekurv koriin kúpiť dokošíka vkošarico купи вкошницата вкошик купити καλάθι
    корзин купить докошика adaugăîncoș adaugăîncoş adaugaincos încoș încoş kosárba sepeteekle ostukorv
    krepšelį grozam
    購入 カートに 購物車 購買 立即购买 구매 장바구니
""")
"""Stems without spaces and hyphens, as `letters_and_digits` returns a text: substring search is fast."""

BASKET = _stems("""
    addtocart addtobasket addtobag addtotrolley addtoshopping addtoorder addcart buynow buyitnow
    warenkorb indenkorb einkaufswagen jetztkaufen
    winkelwagen winkelmand bestellen bestelnu
    aupanier acheter alcarrito alacesta alcarro añadiralacesta comprar carrinho alcarrello acquista
    nelcarrello
    dokoszyka kupteraz dokošík kúpiť koupit ukorpu
    läggi köp lægikurv indkøbskurv ivarukorg kundvagn leggihandle ihandlekurv ostoskori lisääostos
    kjøpnå køb dokošíka koriin vkošarico dodajukošaricu вкошницата вкошик купити στοκαλάθι
    корзин купить докошика adaugăîncoș adaugăîncoş adaugaincos kosárba sepeteekle ostukorvi įkrepšelį grozam
    カートに 購物車 立即购买 장바구니
""")
"""Stems in the text of a button that adds an item to a basket."""

BASKET_NAMES = _stems("""
    cart basket mycart shoppingcart shoppingbag warenkorb einkaufswagen winkelwagen winkelmand panier
    monpanier carrito cesta carrello carrinho koszyk košík varukorg kundvagn indkøbskurv handlekurv
    ostoskori корзина кошик coșul kosár sepet
""")
"""Beginnings of links to the basket; a link that adds to it begins with a verb."""

NOTIFY = {
    "en": ("notify me", "back in stock"),
    "de": ("benachrichtig", "e-mail, wenn"),
    "nl": ("op de hoogte", "mail mij"),
    "fr": ("me prévenir", "prévenez-moi", "m'alerter"),
    "es": ("avísame", "avisarme"),
    "it": ("avvisami", "avvertimi"),
    "pt": ("avise-me",),
    "pl": ("powiadom",),
    "hu": ("értesít",),
    "cs": ("hlídat dostupnost", "upozornit"),
    "sv": ("bevaka", "meddela mig"),
    "da": ("giv mig besked", "få besked"),
    "ru": ("сообщить о поступлении", "уведомить"),
    "no": ("gi meg beskjed", "få beskjed", "varsle meg"),
    "fi": ("ilmoita minulle", "ilmoita, kun"),
    "ro": ("anunță-mă", "anunţă-mă", "notifică-mă"),
    "sk": ("strážiť dostupnosť", "upozorniť"),
    "tr": ("haber ver", "stoğa gelince"),
    "el": ("ειδοποίησέ με", "ειδοποίηση διαθεσιμότητας"),
    "hr": ("obavijesti me",),
    "sl": ("obvesti me",),
    "uk": ("повідомити про наявність", "повідомити"),
    "bg": ("уведоми ме", "уведомете ме"),
}
"""Texts of buttons that only offer a notification, in lower case."""

CODE_LABELS = _compiled_lines(r"""
    sku(?:\s?(?:no|nr|number|#|code))?|item\s?(?:no\.?|number|code|id|#)|reference
    (?:product|model|style|catalog)\s?(?:no\.?|number|code|id|#)|listing\s?(?:id|#|no\.?)|ad\s?id|web\s?code
    advert(?:isement)?\s?(?:id|no\.?)
    art(?:ikel|icle|\.)?[\s.-]*(?:nr|no|nummer|number|code|num[ée]ro)\.?|best(?:ell|\.)?[\s-]?(?:nr\.?|nummer)
    produkt[\s-]?(?:nummer|nr\.?|code)|anzeigen-?(?:nr|id|nummer)\.?
    r[ée]f(?:[ée]rence)?(?:\s?produit)?|num[ée]ro (?:de l'|d')(?:objet|article)(?: ebay)?
    referencia|refer[êe]ncia|n[úu]mero de art[íi]culo|c[óo]d(?:igo|\.)?(?:\s?(?:del?|do)?\s?producto?)?
    codice(?:\s?(?:prodotto|articolo))?|numero oggetto(?: ebay)?
    cod\.?\s?(?:produs|prod|articol)|cikkszám|termékkód|ürün\s?kodu|stok\s?kodu|κωδικός(?:\s?προϊόντος)?|tootekood
    kod(?:\s?(?:produktu|towaru))?|indeks
    kód(?:\s?(?:produktu|zboží|tovaru))?|katalogov[eé]\s?[čc][íi]slo
    varenr\.?|varenummer|artikkelnr|tuotenumero|tuotekoodi
    артикул|код(?:\s?товара)?
    šifra(?:\s?(?:artikla|izdelka|proizvoda))?
    商品編號|商品番号|型番|품번|상품번호
""")

CODE_STEMS = _stems("""
    sku item refer product model style catalog listing ad web art best produkt anzeigen réf ref num núm
    cód cod kod indeks kód katalog varen tuote артикул код šifra
    cikkszám termékkód ürün stok κωδικός tootekood 商品 型番 품번 상품
""")
"""The beginning of each of those labels, in lower case."""


def letters_and_digits(text: str) -> str:
    """Lower case, without separators between words."""
    return "".join(text.lower().split()).replace("-", "").replace("_", "")

"""Recognises pages that every site has and that list nothing: imprint, terms, privacy, contact, sign-in."""

import re

from larder.stages.parse.heuristic.address import path_of

MAX_TITLE = 60

_LEGAL = re.compile(
    r"(?:imprint|legal(?: notice| information)?|terms(?: (?:and|&) conditions| of (?:use|service))?|"
    r"privacy(?: policy)?|cookie(?:s| policy| settings)?|contact(?: us)?|about(?: us)?|"
    r"faq|help|sign in|log ?in|register|sitemap|"
    r"impressum|datenschutz(?:erkl[äa]rung)?|agb|nutzungsbedingungen|kontakt|[üu]ber uns|anmelden|hilfe|"
    r"widerrufs(?:recht|belehrung)|"
    r"colofon|privacy(?:beleid|verklaring)|algemene voorwaarden|over ons|inloggen|veelgestelde vragen|"
    r"mentions l[ée]gales|cgv|cgu|conditions g[ée]n[ée]rales(?: .{0,20})?|"
    r"politique de confidentialit[ée]|nous contacter|[àa] propos|connexion|"
    r"aviso legal|pol[ií]tica de (?:privacidad|cookies)|contacto|sobre nosotros|qui[ée]nes somos|"
    r"iniciar sesi[óo]n|"
    r"note legali|informativa (?:sulla )?privacy|contatti|chi siamo|accedi)",
    re.IGNORECASE,
)
_WORD_END = re.compile(r"[-_.]")


def is_legal_page(title: str, url: str) -> bool:
    """Whether its headline or the last part of its address marks it as a page about the site itself."""
    piece = _WORD_END.sub(" ", path_of(url).rstrip("/").rsplit("/", 1)[-1].removesuffix(".html"))
    return any(len(text) <= MAX_TITLE and _LEGAL.fullmatch(text.strip()) for text in (title, piece))

"""An index that says itself that it has nothing is empty, not broken."""

import re

from larder.sdk.jsonld import types_of
from larder.stages.parse.strategy_input import Look

_NONE = re.compile(
    r"\bno (?:\w+ ){0,2}(?:results|events|listings|products|items|matches|adverts)\b|"
    r"\bnothing (?:was )?found\b|\b0 (?:results|events|listings|resultaten|treffer|ergebnisse|anzeigen)\b|"
    r"\bgeen (?:\w+ ){0,2}(?:resultaten|evenementen|voorstellingen|activiteiten|advertenties|concerten)\b|"
    r"\bkeine (?:\w+ ){0,2}(?:ergebnisse|treffer|veranstaltungen|anzeigen|termine|angebote)\b",
    re.IGNORECASE,
)


def says_none(look: Look) -> bool:
    """Does the page tell that there are no rows?"""
    if look.declared is not None and look.declared.empty and look.page.first(look.declared.empty) is not None:
        return True
    return _empty_list(look) or _NONE.search(look.page.visible[:100_000]) is not None


def _empty_list(look: Look) -> bool:
    nodes = [node for node in look.page.json_ld() if "ItemList" in types_of(node)]
    return any(node.get("itemListElement") == [] or node.get("numberOfItems") in (0, "0") for node in nodes)

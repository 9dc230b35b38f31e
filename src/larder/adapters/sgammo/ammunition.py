"""What a box of ammunition holds, from its title: calibre, grain, rounds, case, bullet, load, shell length.

Nothing is guessed: a number that the title gives twice and differently, or that carries no unit, is left out.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from typing import Any

_CALIBRES = (
    ("9mm Makarov", r"9\s?mm\s?mak(?:arov)?|9x18(?:mm)?"),
    ("9mm", r"9\s?mm(?:\s?(?:luger|para(?:bellum)?|nato))?|9x19(?:mm)?"),
    ("10mm Auto", r"10\s?mm(?:\s?auto)?"),
    (".380 ACP", r"\.?380\s?(?:acp|auto)"),
    (".357 Magnum", r"\.?357\s?(?:mag(?:num)?)"),
    (".357 SIG", r"\.?357\s?sig"),
    (".38 Special", r"\.?38\s?(?:special|spl|spc)"),
    (".40 S&W", r"\.?40\s?(?:s&w|s\s?&\s?w|sw|smith\s?(?:&|and)\s?wesson)"),
    (".44 Magnum", r"\.?44\s?(?:rem(?:ington)?\s?)?mag(?:num)?"),
    (".45 Colt", r"\.?45\s?(?:long\s?)?colt|\.?45\s?lc"),
    (".45 ACP", r"\.?45\s?(?:acp|auto)"),
    (".50 AE", r"\.?50\s?ae|\.?50\s?action\s?express"),
    (".50 BMG", r"\.?50\s?(?:bmg|cal(?:iber)?\s?bmg)"),
    (".32 ACP", r"\.?32\s?(?:acp|auto)"),
    (".25 ACP", r"\.?25\s?(?:acp|auto)"),
    ("5.7x28mm", r"5\.7\s?x\s?28(?:\s?mm)?"),
    (".22 WMR", r"\.?22\s?(?:wmr|mag(?:num)?|win(?:chester)?\s?mag(?:num)?)"),
    (".22 LR", r"\.?22\s?(?:lr|long\s?rifle)"),
    (".22 Short", r"\.?22\s?short"),
    (".17 HMR", r"\.?17\s?hmr"),
    (".17 WSM", r"\.?17\s?wsm"),
    ("5.56 NATO", r"5\.56(?:\s?x\s?45)?(?:\s?mm)?(?:\s?nato)?"),
    (".223 Remington", r"\.?223(?:\s?rem(?:ington)?)?"),
    (".224 Valkyrie", r"\.?224\s?valk(?:yrie)?"),
    (".22-250 Remington", r"\.?22-250(?:\s?rem(?:ington)?)?"),
    (".243 Winchester", r"\.?243(?:\s?win(?:chester)?)?"),
    (".25-06 Remington", r"\.?25-06(?:\s?rem(?:ington)?)?"),
    (".270 Winchester", r"\.?270(?:\s?win(?:chester)?)?(?!\s?wsm)"),
    ("6mm Creedmoor", r"6\s?mm\s?(?:creedmoor|cm)"),
    ("6mm ARC", r"6\s?mm\s?arc"),
    ("6.5 Creedmoor", r"6\.5\s?(?:mm\s?)?(?:creedmoor|cm|creed)"),
    ("6.5 Grendel", r"6\.5\s?(?:mm\s?)?grendel"),
    ("6.5 PRC", r"6\.5\s?prc"),
    ("6.8 SPC", r"6\.8\s?(?:mm\s?)?(?:rem(?:ington)?\s?)?spc(?:\s?ii)?"),
    ("7mm Remington Magnum", r"7\s?mm\s?rem(?:ington)?\s?mag(?:num)?"),
    ("7mm-08 Remington", r"7\s?mm-08(?:\s?rem(?:ington)?)?"),
    ("7.62x39mm", r"7\.62\s?x\s?39(?:\s?mm)?"),
    ("7.62x54R", r"7\.62\s?x\s?54(?:\s?mm)?\s?r(?:immed)?"),
    ("7.62x25mm Tokarev", r"7\.62\s?x\s?25(?:\s?mm)?(?:\s?tok(?:arev)?)?"),
    ("7.62 NATO", r"7\.62\s?x\s?51(?:\s?mm)?(?:\s?nato)?|7\.62\s?(?:mm\s?)?nato"),
    (".300 Blackout", r"\.?300\s?(?:aac\s?)?(?:blackout|blk)"),
    (".300 Winchester Magnum", r"\.?300\s?win(?:chester)?\s?mag(?:num)?"),
    (".300 PRC", r"\.?300\s?prc"),
    (".30-06 Springfield", r"\.?30-06(?:\s?(?:springfield|sprg?))?"),
    (".30-30 Winchester", r"\.?30-30(?:\s?win(?:chester)?)?"),
    (".30 Carbine", r"\.?30\s?(?:cal\s?)?carbine"),
    (".303 British", r"\.?303\s?brit(?:ish)?"),
    (".308 Winchester", r"\.?308(?:\s?win(?:chester)?)?"),
    (".338 Lapua Magnum", r"\.?338\s?lapua(?:\s?mag(?:num)?)?"),
    (".350 Legend", r"\.?350\s?legend"),
    (".450 Bushmaster", r"\.?450\s?bushmaster"),
    (".45-70 Government", r"\.?45-70(?:\s?gov(?:ernmen)?t?)?"),
    ("5.45x39mm", r"5\.45\s?x\s?39(?:\s?mm)?"),
    ("8mm Mauser", r"8\s?mm\s?mauser|7\.92\s?x\s?57(?:\s?mm)?"),
    ("12 Gauge", r"12\s?(?:gauge|ga)"),
    ("16 Gauge", r"16\s?(?:gauge|ga)"),
    ("20 Gauge", r"20\s?(?:gauge|ga)"),
    ("28 Gauge", r"28\s?(?:gauge|ga)"),
    (".410 Bore", r"\.?410(?:\s?(?:bore|gauge|ga))?"),
)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The pattern of each calibre. Every process loads this module, and few read such a title."""
    return tuple(
        (name, re.compile(rf"(?<![\w.#$-])(?:{pattern})(?![\w.]*\d)(?![a-z])", re.IGNORECASE))
        for name, pattern in _CALIBRES
    )


_ANY = re.compile(
    rf"(?<![\w.#$-])(?=[.\d])(?:{'|'.join(pattern for _, pattern in _CALIBRES)})", re.IGNORECASE
)
"""A pattern that finds any attribute: most titles are of other things, and one search rules them out."""
_AMMUNITION = re.compile(r"\b(?:ammo|ammunition|cartridges?)\b", re.IGNORECASE)
_SHOTGUN = ("Gauge", "Bore")

_GRAIN = re.compile(r"(?<![\d.])(\d{2,4}(?:\.\d)?)\s?-?(?:grains?|grn|gr)\b", re.IGNORECASE)
_BOXES = re.compile(r"(\d{1,3})\s?(?:boxes|packs|cartons)\s?(?:of|x)\s?(\d{1,4})\b", re.IGNORECASE)
_ROUNDS = re.compile(
    r"(?<![\d.])(\d{1,3}(?:,\d{3})+|\d{1,5})\s?-?(?:rounds?|rds?|rnds?|shells|ct|count|cnt)\b(?!\s?per\s?box)"
    r"|\b(?:case|box|pack|tin|bulk)\s(?:of|:)\s?(\d{1,3}(?:,\d{3})+|\d{1,5})\b"
    r"|(?<![\d.])(\d{1,5})\s?(?:per|/)\s?(?:case|box|pack)\b"
    r"|\bqty:?\s?(\d{1,5})\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(brass|steel|aluminum|aluminium|nickel(?:[- ]plated)?(?:\sbrass)?|polymer)[\s-]cas(?:e|ed|ings?)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(
    r"\b(FMJ[- ]?BT|FMJ|TMJ|GDHP|JHP|BTHP|BJHP|JSP|PSP|LRN|LHP|CPHP|SJHP|SMK|FTX|TAC-TX|TSX|TTSX|V-MAX"
    r"|ELD[- ]?(?:Match|X|M)|SST|XTP(?:\sHollow\sPoint)?|FlexLock(?:\sHollow\sPoint)?|Full\sMetal\sJacket"
    r"|Total\sMetal\sJacket|(?:Jacketed\s)?Hollow\sPoint|(?:Jacketed\s)?Soft\sPoint|Lead\sRound\sNose"
    r"|Round\sNose|Ballistic\sTip|Power-Point|Core-Lokt|Sierra\sMatchKing|Solid\sCopper|Wadcutter"
    r"|Frangible|Tracer|HP|SP|RN)\b"
)
_LENGTH = re.compile(
    r"(?<![\d/.])([123])(?:[- ](\d)/(\d)|\.(\d{1,2}))?\s?(?:\"|''|”|″|-?in(?:ch)?\b)", re.IGNORECASE
)
_BUCK = re.compile(r"(?<![\w.])#?(0{1,4}|[1-4])\s?-?buck(?:shot)?\b", re.IGNORECASE)
_SHOT = re.compile(
    r"#\s?(\d(?:\.5|-1/2|½)?)(?!\d|\s?buck)|(?<![\w.#/])(\d(?:\.5|-1/2|½)?)\s?shot\b", re.IGNORECASE
)
_SLUG = re.compile(r"\b(?:rifled\s)?slugs?\b", re.IGNORECASE)


def ammunition(title: str) -> dict[str, Any]:
    """The attributes that the title states; empty where it is about something else: a drill is 10mm, too."""
    name = calibre(title)
    if name is None:
        return {}
    found: dict[str, Any] = {
        "calibre": name,
        "grain": grain(title),
        "rounds": rounds(title),
        "case": _lower(_CASE.search(title)),
        "bullet": _first(_BULLET.search(title)),
    }
    if name.endswith(_SHOTGUN):
        found |= {"load": load(title), "shell_length": shell_length(title)}
    stated = {attribute: value for attribute, value in found.items() if value is not None}
    return stated if len(stated) > 1 or _AMMUNITION.search(title) else {}


def calibre(title: str) -> str | None:
    """The first calibre; of two that start at one position the longer."""
    if _ANY.search(title) is None:
        return None
    matches = (
        (match.start(), -match.end(), name)
        for name, pattern in _patterns()
        if (match := pattern.search(title))
    )
    return min(matches, default=(0, 0, None))[2]


def grain(title: str) -> float | int | None:
    """The bullet's weight in grains."""
    return _only(_number(weight) for weight in _GRAIN.findall(title))


def rounds(title: str) -> int | None:
    """How many rounds are sold together."""
    if boxes := _BOXES.search(title):
        return int(boxes[1]) * int(boxes[2])
    counts = ("".join(groups).replace(",", "") for groups in _ROUNDS.findall(title))
    found = _only(int(count) for count in counts)
    return int(found) if found else None


def shell_length(title: str) -> str | None:
    """`2-3/4"` as `2.75in`."""
    match = _LENGTH.search(title)
    if match is None:
        return None
    part = (
        Decimal(match[2]) / Decimal(match[3])
        if match[2] and match[3] != "0"
        else Decimal(f"0.{match[4] or 0}")
    )
    return f"{(Decimal(match[1]) + part).normalize():f}in"


def load(title: str) -> str | None:
    """Buckshot, birdshot or slug, by its number."""
    if buck := _BUCK.search(title):
        return f"{buck[1]} Buck"
    if shot := _SHOT.search(title):
        return f"{(shot[1] or shot[2]).replace('-1/2', '.5').replace('½', '.5')} Shot"
    return "Slug" if _SLUG.search(title) else None


def _only(values: Iterable[float]) -> float | int | None:
    """The one value that all agree on; None if they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _number(text: str) -> float | int:
    return float(text) if "." in text else int(text)


def _first(match: re.Match[str] | None) -> str | None:
    return match[1] if match else None


def _lower(match: re.Match[str] | None) -> str | None:
    return match[1].lower() if match else None

"""Makes short selectors for an element, as a person would write them, the most stable first.

A class, a `data-` attribute or an `itemprop` outlives a redesign more often than a place among siblings, so
places are the last resort. Names that a build tool made up are gone with its next run, and cost accordingly.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from turbohtml import Element, Node

MAX_LEVELS = 4
"""Levels of ancestors that a selector may begin with."""
NAMED_BY = frozenset({"itemprop", "rel", "property", "name", "role", "data-testid", "data-qa", "data-test"})
_PLAIN = re.compile(r"-?[A-Za-z_][\w-]*")
_MADE_UP = re.compile(
    r"^(?:css|sc|jss|jsx|emotion|svelte)-|\d{3,}|^[a-z]{1,3}\d+$|(?=[^-_]*\d)(?=[^-_]*[A-Z])[\w]{5,}"
)
_PLAIN_VALUE = re.compile(r"[A-Za-z][\w -]{1,40}")

Name = tuple[float, str]
"""What a selector costs, and the selector."""


def own_selectors(element: Element) -> list[Name]:
    """Selectors from what an element itself carries."""
    tag = element.tag
    found: list[Name] = []
    for name in classes(element):
        cost = 4.0 if is_made_up(name) else 1.0
        found += [(cost, f".{name}"), (cost + 0.1, f"{tag}.{name}")]
    found += [(1.2, f"{tag}{each}") for each in _attributes(element)]
    identifier = element.attr("id") or ""
    if _PLAIN.fullmatch(identifier) and not is_made_up(identifier):
        found.append((1.1, f"#{identifier}"))
    return [*found, (2.0, tag)]


def selectors_below(element: Element, root: Node) -> Iterator[Name]:
    """Selectors that lead from `root` down to `element`; the root itself is the empty one."""
    if element is root:
        yield 0.9, ""
        return
    names = own_selectors(element)
    yield from names
    for far, parent in enumerate(ancestors_below_root(element, root)):
        for cost, outer in own_selectors(parent):
            if cost < 2:
                yield from ((cost + each + 0.6 + far / 4, f"{outer} {name}") for each, name in names)
        if far == 0:
            yield from ((each + 2.2, f"{parent.tag} > {name}") for each, name in names)
    around = next(ancestors_below_root(element, root), None)
    outer_names = own_selectors(around) if around is not None else []
    for cost, place in _places(element):
        yield cost, place
        yield from ((cost + each, f"{outer} > {place}") for each, outer in outer_names)


def ancestors_below_root(element: Element, root: Node) -> Iterator[Element]:
    """The nearest ancestors, up to `root` and without it."""
    for far, parent in enumerate(element.ancestors):
        if (
            parent is root
            or far >= MAX_LEVELS
            or not isinstance(parent, Element)
            or parent.tag in ("body", "html")
        ):
            return
        yield parent


def classes(element: Element) -> list[str]:
    """Its classes, those that can be written down as they are."""
    return [name for name in (element.attr("class") or "").split() if _PLAIN.fullmatch(name)]


@lru_cache(maxsize=4_096)
def is_made_up(name: str) -> bool:
    """No person chose this name."""
    return _MADE_UP.search(name) is not None


def _attributes(element: Element) -> Iterator[str]:
    for name in element.attrs:
        if not _PLAIN.fullmatch(name):
            continue
        value = element.attr(name) or ""
        if name in NAMED_BY and _PLAIN_VALUE.fullmatch(value):
            yield f'[{name}="{value}"]'
        elif name.startswith("data-") or name in ("datetime", "content"):
            yield f"[{name}]"


def _places(element: Element) -> Iterator[Name]:
    parent = element.parent
    if parent is None:
        return
    inner = [each for each in parent.children if isinstance(each, Element)]
    alike = [each for each in inner if each.tag == element.tag]
    yield 7.0, f"{element.tag}:nth-child({inner.index(element) + 1})"
    if len(alike) > 1:
        yield 6.5, f"{element.tag}:nth-of-type({alike.index(element) + 1})"

"""Creates selectors for every place that shows a known value, the most stable first."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from turbohtml import Element

from larder.sdk.selectors import Field, Pick, preceding_label
from larder.stages.parse.heuristic.price_words import is_former
from larder.stages.parse.repair.evidence import DIGIT, PRICE, ValuePlaces
from larder.stages.parse.repair.known_values import SampleScope, ShownText
from larder.stages.parse.repair.selector_names import Name, selectors_below

MAX_CANDIDATES = 1_500
SEVERAL_MATCHES_COST = 7.0
"""The cost of a selector that matches several elements, higher than that of a position among siblings."""
LABEL_COST = 2.5
MAX_LABEL = 40
MAX_SCOPES = 5
"""Scopes from which candidates are made; candidates are tested on all of them."""
_NAME = re.compile(r"[.#\[]")
_DIGITS = re.compile(r"\D+")
_NUMBER = re.compile(r"\d[\d.,]*")
_ASIDE = frozenset({"alt", "title", "aria-label", "placeholder", "value"})


def candidate_selectors(old: Field, scopes: Sequence[SampleScope], places: ValuePlaces) -> Iterator[Pick]:
    """Selectors for every place that shows the value, the best first; each once."""
    many = any(pick.many for pick in old.picks)
    looked_at = [scope for scope in scopes if places.shows(scope, old.name)][:MAX_SCOPES]
    costs: dict[Pick, float] = {}
    if old.name == PRICE:
        for cost, pick in _whole_and_cents(scopes[:MAX_SCOPES]):
            costs.setdefault(pick, cost)
    for scope in looked_at:
        for shown in places.of(scope, old.name):
            dearer = _attribute_cost(shown, old.name) + _excess(shown, scope, old.name)
            for cost, css in selectors_below(shown.element, scope.node):
                if old.name == PRICE and _is_weak(css, scope):
                    continue
                pick = Pick(css=css, attr=shown.attr, many=many, only=old.name == PRICE)
                unsure = 0.0 if many or _is_only(css, scope) else SEVERAL_MATCHES_COST
                costs[pick] = min(cost + dearer + unsure, costs.get(pick, 99.0))
            for cost, pick in _selectors_by_label(shown, scope, old.name):
                costs[pick] = min(cost + dearer, costs.get(pick, 99.0))
    direct = sorted(costs.items(), key=lambda each: (each[1], each[0].css))
    yield from (pick for pick, _ in islice(direct, MAX_CANDIDATES))
    yield from _part_of_text(old, scopes[:MAX_SCOPES])


def _is_weak(css: str, scope: SampleScope) -> bool:
    """Whether it consists of tags and positions on a whole page.

    It would match any amount placed there next.
    """
    return scope.node is scope.sample.page.tree and _NAME.search(css) is None


def _selectors_by_label(shown: ShownText, scope: SampleScope, name: str) -> Iterator[tuple[float, Pick]]:
    """Selectors by the preceding words: more stable than a position, which moves with every missing fact."""
    if shown.attr or shown.element is scope.node:
        return
    label = preceding_label(shown.element)
    if 1 < len(label) <= MAX_LABEL and not DIGIT.search(label) and label not in scope.known.raw.values():
        yield LABEL_COST, Pick(css=shown.element.tag, label=label, only=name == PRICE)


def _is_only(css: str, scope: SampleScope) -> bool:
    """Whether it matches only one element: the first of several is right only until something precedes it."""
    return not css or len(scope.node.select(css)) == 1


def _excess(shown: ShownText, scope: SampleScope, name: str) -> float:
    """How much more than the value a text contains; a whole row's text is a last resort."""
    if shown.attr:
        return 0.0
    raw = scope.known.raw.get(name)
    more = len(shown.text) - len(raw) if isinstance(raw, str) else 0
    return max(0, more) / 20 + (8.0 if shown.element is scope.node else 0.0)


def _attribute_cost(shown: ShownText, name: str) -> float:
    """The cost of the value's place: visible text and data attributes are surer than `alt` or `title`."""
    if not shown.attr:
        return 0.0
    if name == "url":
        return 0.0 if shown.attr == "href" else 0.5
    return 1.5 if shown.attr in _ASIDE else 0.4


def _whole_and_cents(scopes: Sequence[SampleScope]) -> Iterator[tuple[float, Pick]]:
    """The parts of an amount in elements of their own, joined: `1,250` beside a raised `00`."""
    for scope in scopes:
        minor = scope.known.values.get(PRICE, {}).get("price_minor")
        if not isinstance(minor, int):
            continue
        texts = [each for each in scope.shown if not each.attr and len(each.text) <= 14]
        wholes = [each for each in texts if _DIGITS.sub("", each.text) == str(minor // 100)]
        for whole in wholes:
            beside = [
                each
                for each in texts
                if each.text.strip(",. ") == f"{minor % 100:02}" and _is_near(each.element, whole.element)
            ]
            for cents in beside:
                yield from _joined(whole.element, cents.element, scope)


def _joined(whole: Element, cents: Element, scope: SampleScope) -> Iterator[tuple[float, Pick]]:
    wholes, centses = _best_names(whole, scope), _best_names(cents, scope)
    for cost, css in wholes:
        for more, other in centses:
            both = f"{css}, {other}"
            if css != other and len(scope.node.select(both)) == 2:
                yield from (((cost + more) / 10, Pick(css=both, join=sign)) for sign in ".,")


def _best_names(element: Element, scope: SampleScope) -> list[Name]:
    return sorted(each for each in selectors_below(element, scope.node) if not _is_weak(each[1], scope))[:4]


def _is_near(one: Element, other: Element) -> bool:
    if one is other or is_former(one):
        return False
    around = list(islice(other.ancestors, 2))
    return any(node in around for node in islice(one.ancestors, 2))


def _part_of_text(old: Field, scopes: Sequence[SampleScope]) -> Iterator[Pick]:
    """Patterns for the value in a longer text, with the words around it: `3 rooms`, `/listing/123-…`."""
    if old.name in (PRICE, "url", "title", "description"):
        return
    costs: dict[tuple[str, str, str], float] = {}
    for scope in scopes:
        raw = scope.known.raw.get(old.name)
        if not isinstance(raw, str) or not raw:
            continue
        for shown in scope.shown:
            for pattern in _patterns(raw, shown.text, [pick.regex for pick in old.picks]):
                for cost, css in islice(sorted(selectors_below(shown.element, scope.node)), 6):
                    key = (css, shown.attr, pattern)
                    total = cost + _attribute_cost(shown, old.name) + _excess(shown, scope, old.name)
                    costs[key] = min(total, costs.get(key, 99.0))
    ordered = sorted(costs.items(), key=lambda each: (each[1], each[0]))
    for (css, attr, pattern), _ in ordered[:MAX_CANDIDATES]:
        yield Pick(css=css, attr=attr, regex=re.compile(pattern))


def _patterns(raw: str, text: str, known: Sequence[re.Pattern[str] | None]) -> Iterator[str]:
    number = _NUMBER.search(raw)
    value = number[0] if number else raw
    for pattern in known:
        if pattern is not None and (found := pattern.search(text)) and raw in (*found.groups(""), found[0]):
            yield pattern.pattern
    at = re.search(rf"(?<![\w.,]){re.escape(value)}(?![\w.,]?\w)", text)
    if at is None or len(text) > 400:
        return
    left, right = text[: at.start()], text[at.end() :]
    kind = r"\d+" if value.isdigit() else r"[\d.,]+" if number else ".+?"
    before = re.escape(_tail(left))
    after = re.escape(right[:1]) + re.escape((re.match(r"\w*", right[1:]) or [""])[0]) if number else ""
    if before:
        yield f"{before}({kind})" + ("" if number else "$")
    if after and number:
        yield f"({kind}){after}"


def _tail(left: str) -> str:
    """The last word before a value, with the text between."""
    found = re.search(r"[^\W\d]*[^\w]*$", left)
    return found[0][-24:] if found else ""

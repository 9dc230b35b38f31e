"""Where does a field's value stand now? Every place that shows it is a candidate; what proves one is that it
gives the right value in every row, on every page, and never another.

A row that shows the known value somewhere while a selector reads something else there speaks against that
selector, always. A row that shows it nowhere has changed, and speaks for nobody.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from turbohtml import Element

from larder.sdk.selectors import Field, Pick, label_of
from larder.stages.parse.declared import PASSED_OVER
from larder.stages.parse.heuristic.prices import is_former
from larder.stages.parse.suggest.known import Meaning, Reader, Scope, Shown, agrees
from larder.stages.parse.suggest.names import Name, below

PRICE = "price"
MOST_CANDIDATES = 1_500
SEVERAL = 7.0
"""What a selector costs that matches several elements: more than a place."""
LABELLED = 2.5
LONGEST_LABEL = 40
LOOKED_AT = 5
"""Scopes that candidates are made from; all of them judge."""
CHANGED_AT_MOST = 0.35
"""The share of values that may have changed since, of fields that do change."""
STEADY_AT_MOST = 0.1
"""The same of all others."""
CHANGING = frozenset({PRICE, "availability", "rating", "review_count"})
WORKS = 0.8
_NAME = re.compile(r"[.#\[]")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\D+")
_NUMBER = re.compile(r"\d[\d.,]*")
_ASIDE = frozenset({"alt", "title", "aria-label", "placeholder", "value"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How a selector did over rows whose value is known."""

    agreed: int = 0
    changed: int = 0
    contradicted: int = 0
    lost: int = 0
    """It finds nothing where the value is shown."""
    distinct: int = 0
    """How many different values it got right."""
    tolerated: float = STEADY_AT_MOST

    @property
    def works(self) -> bool:
        """Right nearly everywhere: good enough for what a person declared, and no reason to meddle."""
        return self.agreed > 0 and self.agreed >= WORKS * (self.agreed + self.contradicted + self.lost)

    @property
    def harmless(self) -> bool:
        """It never says anything wrong."""
        return not self.contradicted and self.changed <= self.tolerated * (self.agreed + self.changed)

    def sound(self, least: int) -> bool:
        """Right wherever that can be told, and often enough to tell."""
        return self.harmless and not self.lost and self.agreed >= least


def holders(scope: Scope, name: str, reader: Reader) -> list[Shown]:
    """The places that show what is known of a field."""
    known = scope.known.values.get(name)
    if not known:
        return []
    likely = (each for each in scope.shown if _may_hold(each, name, scope))
    found = [each for each in likely if _is_held(reader.meaning(name, each.text, scope.sample), known)]
    return (
        [each for each in found if each.attr or not _shows_former(each.element)] if name == PRICE else found
    )


def _shows_former(element: Element) -> bool:
    """Is it, or does it hold, an amount that is crossed out?"""
    inner = element.select("*")
    return any(is_former(each) and _DIGIT.search(each.text) for each in (element, *inner))


def _is_held(said: Meaning, known: Meaning) -> bool:
    """Of what is a list, its first entry is looked for."""
    return agrees(_firsts(said), _firsts(known))


def _firsts(meant: Meaning) -> Meaning:
    return {name: value[0] if isinstance(value, list) and value else value for name, value in meant.items()}


def _may_hold(shown: Shown, name: str, scope: Scope) -> bool:
    """Cheap to ask, before anything is parsed."""
    raw = scope.known.raw.get(name)
    if isinstance(raw, list) and raw:
        raw = raw[0]
    if not isinstance(raw, str) or len(shown.text) > 3 * len(raw) + 60:
        return False
    if name == "url":
        return shown.attr in ("href", "data-href", "data-url", "content")
    digits = _DIGITS.sub("", raw)
    return not digits or any(character.isdigit() for character in shown.text)


def read_field(name: str, picks: Sequence[Pick], scope: Scope) -> Any:
    """What alternatives read, as it would be read from now on."""
    return Field(name=name, picks=tuple(picks)).read(scope.node, PASSED_OVER.get(name))


class Places:
    """Which scopes show which known values, each looked for once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._found: dict[tuple[int, str], list[Shown]] = {}
        self._kept: list[Scope] = []

    def of(self, scope: Scope, name: str) -> list[Shown]:
        """Where a scope shows a field."""
        asked = (id(scope), name)
        if asked not in self._found:
            self._kept.append(scope)  # its id must stay its own
            self._found[asked] = holders(scope, name, self.reader)
        return self._found[asked]

    def shows(self, scope: Scope, name: str) -> bool:
        """Whether it shows it at all."""
        return bool(self.of(scope, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Places whose values are known: on the new pages, and on archived ones."""

    scopes: Sequence[Scope]
    archived: Sequence[Scope]
    places: Places

    def about(self, name: str) -> "Evidence":
        """Only what says something about a field."""
        return replace(self, scopes=[each for each in self.scopes if each.known.values.get(name)])

    def tally(self, name: str, picks: Sequence[Pick]) -> Tally:
        """Judge alternatives, the first that finds something.

        Where the value is a part of something longer, and so no scope shows it by itself, each must give it.
        """
        part = any(pick.regex is not None for pick in picks)
        shown = not part and any(self.places.shows(scope, name) for scope in self.scopes)
        told = [(scope, known) for scope in self.scopes if (known := scope.known.values.get(name))]
        judged = Counter(self._judge(name, picks, scope, everywhere=not shown) for scope, _ in told)
        right = {repr(known) for scope, known in told if self._reads(name, picks, scope)}
        counts = {word: judged[word] for word in ("agreed", "changed", "contradicted", "lost")}
        tolerated = CHANGED_AT_MOST if name in CHANGING else STEADY_AT_MOST
        return Tally(**counts, distinct=len(right), tolerated=tolerated)

    def _judge(self, name: str, picks: Sequence[Pick], scope: Scope, *, everywhere: bool) -> str:
        if read_field(name, picks, scope) is None:
            return "lost" if everywhere or self.places.shows(scope, name) else ""
        if self._reads(name, picks, scope):
            return "agreed"
        return "contradicted" if self.places.shows(scope, name) else "changed"

    def _reads(self, name: str, picks: Sequence[Pick], scope: Scope) -> bool:
        """Whether it reads what is known."""
        known, raw = scope.known.values.get(name), read_field(name, picks, scope)
        return bool(known) and agrees(self.places.reader.meaning(name, raw, scope.sample), known or {})

    def contradicts(self, name: str, picks: Sequence[Pick]) -> bool:
        """On pages of the old layout it must read what was read there, or nothing."""
        return any(
            read_field(name, picks, scope) is not None and not self._reads(name, picks, scope)
            for scope in self.archived
        )


def find(old: Field, evidence: Evidence, *, least: int) -> tuple[Pick, ...]:
    """The alternatives that read a field now; none where nothing is proven."""
    best: tuple[int, Pick] | None = None
    for pick in _candidates(old, evidence.scopes, evidence.places):
        judged = evidence.tally(old.name, [pick])
        if not judged.harmless or evidence.contradicts(old.name, [pick]):
            continue
        if judged.sound(least):
            return (pick,)
        if judged.agreed >= least and (best is None or judged.agreed > best[0]):
            best = (judged.agreed, pick)
    return _with_another(old, best[1], evidence, least=least) if best else ()


def _with_another(old: Field, first: Pick, evidence: Evidence, *, least: int) -> tuple[Pick, ...]:
    """Some rows are built otherwise: a second alternative for where the first finds nothing."""
    left = [
        scope
        for scope in evidence.scopes
        if read_field(old.name, [first], scope) is None and evidence.places.shows(scope, old.name)
    ]
    for pick in _candidates(old, left, evidence.places):
        both = (first, pick)
        if evidence.tally(old.name, both).sound(least) and not evidence.contradicts(old.name, both):
            return both
    return ()


# -- candidates --------------------------------------------------------------------------------------------


def _candidates(old: Field, scopes: Sequence[Scope], places: Places) -> Iterator[Pick]:
    """Selectors for every place that shows the value, the best first; each once."""
    many = any(pick.many for pick in old.picks)
    looked_at = [scope for scope in scopes if places.shows(scope, old.name)][:LOOKED_AT]
    made: dict[Pick, float] = {}
    if old.name == PRICE:
        for cost, pick in _in_pieces(scopes[:LOOKED_AT]):
            made.setdefault(pick, cost)
    for scope in looked_at:
        for shown in places.of(scope, old.name):
            dearer = _dearness(shown, old.name) + _excess(shown, scope, old.name)
            for cost, css in below(shown.element, scope.node):
                if old.name == PRICE and _is_weak(css, scope):
                    continue
                pick = Pick(css=css, attr=shown.attr, many=many, only=old.name == PRICE)
                unsure = 0.0 if many or _is_only(css, scope) else SEVERAL
                made[pick] = min(cost + dearer + unsure, made.get(pick, 99.0))
            for cost, pick in _labelled(shown, scope, old.name):
                made[pick] = min(cost + dearer, made.get(pick, 99.0))
    direct = sorted(made.items(), key=lambda each: (each[1], each[0].css))
    yield from (pick for pick, _ in islice(direct, MOST_CANDIDATES))
    yield from _within(old, scopes[:LOOKED_AT])


def _is_weak(css: str, scope: Scope) -> bool:
    """On a whole page tags and places alone lead to whatever amount is put there next."""
    return scope.node is scope.sample.page.tree and _NAME.search(css) is None


def _labelled(shown: Shown, scope: Scope, name: str) -> Iterator[tuple[float, Pick]]:
    """Told by the words before it: steadier than a place, which every fact that is left out moves."""
    if shown.attr or shown.element is scope.node:
        return
    label = label_of(shown.element)
    if 1 < len(label) <= LONGEST_LABEL and not _DIGIT.search(label) and label not in scope.known.raw.values():
        yield LABELLED, Pick(css=shown.element.tag, label=label, only=name == PRICE)


def _is_only(css: str, scope: Scope) -> bool:
    """The first of several is the right one only for as long as nothing comes before it."""
    return not css or len(scope.node.select(css)) == 1


def _excess(shown: Shown, scope: Scope, name: str) -> float:
    """What more a text says than the value; all that a whole row says is a last resort."""
    if shown.attr:
        return 0.0
    raw = scope.known.raw.get(name)
    more = len(shown.text) - len(raw) if isinstance(raw, str) else 0
    return max(0, more) / 20 + (8.0 if shown.element is scope.node else 0.0)


def _dearness(shown: Shown, name: str) -> float:
    """Text that people see is kept in order; attributes for machines too; hints for the blind less so."""
    if not shown.attr:
        return 0.0
    if name == "url":
        return 0.0 if shown.attr == "href" else 0.5
    return 1.5 if shown.attr in _ASIDE else 0.4


def _in_pieces(scopes: Sequence[Scope]) -> Iterator[tuple[float, Pick]]:
    """`1,250` beside a raised `00`: whole and cents in elements of their own, joined."""
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
                if each.text.strip(",. ") == f"{minor % 100:02}" and _near(each.element, whole.element)
            ]
            for cents in beside:
                yield from _joined(whole.element, cents.element, scope)


def _joined(whole: Element, cents: Element, scope: Scope) -> Iterator[tuple[float, Pick]]:
    wholes, centses = _few(whole, scope), _few(cents, scope)
    for cost, css in wholes:
        for more, other in centses:
            both = f"{css}, {other}"
            if css != other and len(scope.node.select(both)) == 2:
                yield from (((cost + more) / 10, Pick(css=both, join=sign)) for sign in ".,")


def _few(element: Element, scope: Scope) -> list[Name]:
    return sorted(each for each in below(element, scope.node) if not _is_weak(each[1], scope))[:4]


def _near(one: Element, other: Element) -> bool:
    if one is other or is_former(one):
        return False
    around = list(islice(other.ancestors, 2))
    return any(node in around for node in islice(one.ancestors, 2))


def _within(old: Field, scopes: Sequence[Scope]) -> Iterator[Pick]:
    """The value as a part of a longer text, told by the words around it: `3 rooms`, `/listing/123-…`."""
    if old.name in (PRICE, "url", "title", "description"):
        return
    made: dict[tuple[str, str, str], float] = {}
    for scope in scopes:
        raw = scope.known.raw.get(old.name)
        if not isinstance(raw, str) or not raw:
            continue
        for shown in scope.shown:
            for pattern in _patterns(raw, shown.text, [pick.regex for pick in old.picks]):
                for cost, css in islice(sorted(below(shown.element, scope.node)), 6):
                    asked = (css, shown.attr, pattern)
                    dear = cost + _dearness(shown, old.name) + _excess(shown, scope, old.name)
                    made[asked] = min(dear, made.get(asked, 99.0))
    ordered = sorted(made.items(), key=lambda each: (each[1], each[0]))
    for (css, attr, pattern), _ in ordered[:MOST_CANDIDATES]:
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
    """The last word before a value, with what stands between."""
    found = re.search(r"[^\W\d]*[^\w]*$", left)
    return found[0][-24:] if found else ""

"""Evidence for and against a selector from rows with known values.

If a row shows the known value and the selector reads something else there, that always counts against the
selector. A row that does not show the value has changed, and counts neither way.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from turbohtml import Element

from larder.sdk.selectors import Field, Pick
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.declared import SKIPPED_ELEMENTS
from larder.stages.parse.heuristic.price_words import is_former
from larder.stages.parse.index_rows.row_prices import price_rank
from larder.stages.parse.repair.known_values import Meaning, Reader, SampleScope, ShownText, agrees

PRICE = "price"
MAX_CHANGED_SHARE = 0.35
"""The allowed share of changed values, for fields that do change."""
MAX_CHANGED_SHARE_STEADY = 0.1
"""The same for all other fields."""
CHANGING = frozenset({PRICE, "availability", "rating", "review_count"})
MIN_RIGHT_SHARE = 0.8
DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The results of a selector on rows with known values."""

    agreed: int = 0
    changed: int = 0
    contradicted: int = 0
    lost: int = 0
    """Rows that show the value, in which it finds nothing."""
    distinct: int = 0
    """The number of different values that it reads right."""
    tolerated: float = MAX_CHANGED_SHARE_STEADY

    @property
    def works(self) -> bool:
        """Whether it is right nearly everywhere: a person's declaration is then left unchanged."""
        return self.agreed > 0 and self.agreed >= MIN_RIGHT_SHARE * (
            self.agreed + self.contradicted + self.lost
        )

    @property
    def harmless(self) -> bool:
        """Whether it never reads a wrong value."""
        return not self.contradicted and self.changed <= self.tolerated * (self.agreed + self.changed)

    def sound(self, least: int) -> bool:
        """Whether it is right in all rows that can tell, and those are enough."""
        return self.harmless and not self.lost and self.agreed >= least


def matching_texts(scope: SampleScope, name: str, reader: Reader) -> list[ShownText]:
    """The places that show the known value of a field."""
    known = scope.known.values.get(name)
    if not known:
        return []
    likely = (each for each in scope.shown if _may_hold(each, name, scope))
    found = [each for each in likely if _is_held(reader.meaning(name, each.text, scope.sample), known)]
    return [each for each in found if not _shows_other_amount(each)] if name == PRICE else found


def _shows_other_amount(shown: ShownText) -> bool:
    """Whether it is a former price, or labelled as net, instalment, per unit or shipping.

    A row may lack the label: its amount is found on the page, and still is not the price.
    """
    amount = None if shown.attr else AMOUNT.search(shown.text)
    is_other = amount is not None and price_rank(shown.element, amount[0], shown.element) > 0
    return is_other or _shows_former(shown)


def _shows_former(shown: ShownText) -> bool:
    """Whether it is a crossed-out amount, or contains one."""
    inner = () if shown.attr else shown.element.select("*")
    return any(is_former(each) and _says_amount(each, shown) for each in (shown.element, *inner))


def _says_amount(element: Element, shown: ShownText) -> bool:
    return DIGIT.search(shown.text if shown.attr else element.text) is not None


def _is_held(meaning: Meaning, known: Meaning) -> bool:
    """Whether the known value is in a list; for lists, the first entry counts."""
    return agrees(_first_entries(meaning), _first_entries(known))


def _first_entries(meant: Meaning) -> Meaning:
    return {name: value[0] if isinstance(value, list) and value else value for name, value in meant.items()}


def _may_hold(shown: ShownText, name: str, scope: SampleScope) -> bool:
    """A fast check before anything is parsed."""
    raw = scope.known.raw.get(name)
    if isinstance(raw, list) and raw:
        raw = raw[0]
    if not isinstance(raw, str) or len(shown.text) > 3 * len(raw) + 60:
        return False
    if name == "url":
        return shown.attr in ("href", "data-href", "data-url", "content")
    return DIGIT.search(raw) is None or DIGIT.search(shown.text) is not None


def read_field(name: str, picks: Sequence[Pick], scope: SampleScope) -> Any:
    """The value that alternatives would read from now on."""
    return Field(name=name, picks=tuple(picks)).read(scope.node, SKIPPED_ELEMENTS.get(name))


class ValuePlaces:
    """Which scopes show which known values, each searched once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._found: dict[tuple[int, str], list[ShownText]] = {}
        self._kept: list[SampleScope] = []

    def of(self, scope: SampleScope, name: str) -> list[ShownText]:
        """Where a scope shows a field."""
        key = (id(scope), name)
        if key not in self._found:
            self._kept.append(scope)  # its id stays the same
            self._found[key] = matching_texts(scope, name, self.reader)
        return self._found[key]

    def shows(self, scope: SampleScope, name: str) -> bool:
        """Whether a scope shows a field."""
        return bool(self.of(scope, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Scopes with known values, on new and on archived pages."""

    scopes: Sequence[SampleScope]
    archived: Sequence[SampleScope]
    places: ValuePlaces

    def about(self, name: str) -> "Evidence":
        """The evidence about one field."""
        return replace(self, scopes=[each for each in self.scopes if each.known.values.get(name)])

    def tally(self, name: str, picks: Sequence[Pick]) -> Tally:
        """The results of alternatives, of which the first that finds something counts.

        If the value is a part of a longer text, and so no scope shows it alone, every scope must give it.
        """
        part = any(pick.regex is not None for pick in picks)
        shown = not part and any(self.places.shows(scope, name) for scope in self.scopes)
        known_scopes = [(scope, known) for scope in self.scopes if (known := scope.known.values.get(name))]
        judged = Counter(self._judge(name, picks, scope, everywhere=not shown) for scope, _ in known_scopes)
        right = {repr(known) for scope, known in known_scopes if self._reads(name, picks, scope)}
        counts = {word: judged[word] for word in ("agreed", "changed", "contradicted", "lost")}
        tolerated = MAX_CHANGED_SHARE if name in CHANGING else MAX_CHANGED_SHARE_STEADY
        return Tally(**counts, distinct=len(right), tolerated=tolerated)

    def _judge(self, name: str, picks: Sequence[Pick], scope: SampleScope, *, everywhere: bool) -> str:
        if read_field(name, picks, scope) is None:
            return "lost" if everywhere or self.places.shows(scope, name) else ""
        if self._reads(name, picks, scope):
            return "agreed"
        return "contradicted" if self.places.shows(scope, name) else "changed"

    def _reads(self, name: str, picks: Sequence[Pick], scope: SampleScope) -> bool:
        """Whether it reads the known value."""
        known, raw = scope.known.values.get(name), read_field(name, picks, scope)
        return bool(known) and agrees(self.places.reader.meaning(name, raw, scope.sample), known or {})

    def contradicts(self, name: str, picks: Sequence[Pick]) -> bool:
        """Whether it reads something else on pages of the old layout; nothing is allowed."""
        return any(
            read_field(name, picks, scope) is not None and not self._reads(name, picks, scope)
            for scope in self.archived
        )

"""Finds elements by class and id.

Shops name their elements in a few hundred ways and use each name many times. So each distinct name is matched
once, in Python, instead of matching every element against every selector. Names that contain no stem of a
pattern are skipped: a plain search over all names together finds the others.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from functools import lru_cache
from itertools import accumulate, compress

from turbohtml import Document, Element

from larder.core.cached_property import cached_property
from larder.core.policy.word_search import grouped, required_texts

NameTest = Callable[[str], bool]
MAX_KNOWN = 8_192
MAX_KNOWN_LENGTH = 400
"""Maximum characters of a cached name."""
FEW_STEMS = 12
"""Up to so many stems are searched one by one."""


class NameSearch:
    """Matches names against patterns in lower case."""

    def __init__(self, *patterns: re.Pattern[str]) -> None:
        self.stems = frozenset(stem for pattern in patterns for stem in required_texts(pattern.pattern))
        self.any_stem = re.compile(grouped(sorted(self.stems)))
        self._judged: tuple[set[str], set[str]] = set(), set()
        """Cached names, and those of them that match."""
        self._matches = lru_cache(maxsize=MAX_KNOWN)(
            lambda name: any(pattern.search(name) is not None for pattern in patterns)
        )

    def __call__(self, name: str) -> bool:
        """Whether one of the patterns matches somewhere in a name."""
        return self._matches(name.lower())

    @property
    def known(self) -> Set[str]:
        """The cached names, whether they match or not."""
        return self._judged[0]

    def among(self, names: frozenset[str]) -> Set[str]:
        """The names of a page that match. Pages of one site share nearly all of them: a few are new."""
        known, accepted = self._judged
        new = names - known
        if not new:
            return names & accepted
        matching = {name for name in _Names(new).likely(self) if self(name)}
        self._remember(new, matching)
        return matching | (names & accepted)

    def _remember(self, new: frozenset[str], matching: set[str]) -> None:
        """Add to the cache, which is cleared when it is full."""
        known, accepted = self._judged
        if len(known) + len(new) > MAX_KNOWN:
            known, accepted = self._judged = set(), set()
        if len(new) <= MAX_KNOWN:
            short = {name for name in new if len(name) <= MAX_KNOWN_LENGTH}
            accepted |= matching & short  # before the names are cached: another thread may ask meanwhile
            known |= short


class NamedElements:
    """The named elements of one page."""

    def __init__(self, tree: Document) -> None:
        self._tree = tree

    def __call__(self, judge: NameTest, also: str = "") -> list[Element]:
        """All elements whose class or id the judge accepts or that match `also`, in document order."""
        groups = [*self.groups(judge), self._tree.select(also) if also else []]
        elements = [group for group in groups if group]
        return elements[0] if len(elements) == 1 else self._in_order(elements, also)

    def groups(self, judge: NameTest) -> tuple[list[Element], list[Element]]:
        """The elements whose class the judge accepts, then those whose id it accepts, each in order."""
        return self._classes.accepted(judge), self._ids.accepted(judge)

    def with_id(self, name: str) -> list[Element]:
        """The elements with that id; a valid page has one."""
        return self._by_id.get(name, [])

    @cached_property
    def _by_id(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for name, element in self._ids.pairs():
            found.setdefault(name, []).append(element)
        return found

    @cached_property
    def _ids(self) -> "_Attribute":
        return _Attribute(self._tree, "id")

    @cached_property
    def _classes(self) -> "_Attribute":
        return _Attribute(self._tree, "class")

    def _in_order(self, groups: list[list[Element]], also: str) -> list[Element]:
        elements = {element for group in groups for element in group}
        if elements <= self._order.keys():
            return sorted(elements, key=self._order.__getitem__)
        some = self._tree.select(f"[class], [id], {also}") if elements else []
        return [element for element in some if element in elements]

    @cached_property
    def _order(self) -> dict[Element, int]:
        """The position of each named element in the document."""
        return {element: at for at, element in enumerate(self._tree.select("[class], [id]"))}


class _Attribute:
    """One attribute of all elements that have it."""

    def __init__(self, tree: Document, name: str) -> None:
        self._elements = tree.select(f"[{name}]")
        self._values = [element.attr(name) or "" for element in self._elements]

    def pairs(self) -> Iterable[tuple[str, Element]]:
        """Each element with its value."""
        return zip(self._values, self._elements, strict=True)

    @cached_property
    def _distinct(self) -> frozenset[str]:
        return frozenset(self._values)

    def accepted(self, judge: NameTest) -> list[Element]:
        """The elements whose value the judge accepts."""
        if isinstance(judge, NameSearch):
            names = judge.among(self._distinct)
        else:
            names = {name for name in self._distinct if judge(name)}
        if not names:
            return []
        return list(compress(self._elements, map(names.__contains__, self._values)))


class _Names:
    """Distinct names, joined into one text."""

    def __init__(self, names: Iterable[str]) -> None:
        self.all = tuple(names)

    @cached_property
    def _text(self) -> str:
        return "\n".join(map(str.lower, self.all))

    @cached_property
    def _starts(self) -> list[int]:
        lengths = map(len, map(str.lower, self.all))
        return [0, *accumulate(map((1).__add__, lengths))]

    def likely(self, judge: NameSearch) -> Iterable[str]:
        """Names that the judge may accept; a few names are matched faster than searched for stems."""
        if len(self.all) <= len(judge.stems):
            return self.all
        if len(judge.stems) > FEW_STEMS:
            return self._matching(judge.any_stem)
        return {self.all[at] for stem in judge.stems for at in self._places(stem)}

    def _matching(self, pattern: re.Pattern[str]) -> Iterator[str]:
        """Names found by one pattern of all stems: for many stems that is faster than searching each."""
        match = pattern.search(self._text)
        while match is not None:
            at = bisect_right(self._starts, match.start()) - 1
            yield self.all[at]
            match = pattern.search(self._text, self._starts[at + 1])

    def _places(self, stem: str) -> Iterator[int]:
        found = self._text.find(stem)
        while found >= 0:
            at = bisect_right(self._starts, found) - 1
            yield at
            found = self._text.find(stem, self._starts[at + 1])

"""Expands the words of a search into words that the dataset has.

A word matches itself, its inflections, the compounds it begins or ends, and, if it is a compound itself, its
parts side by side. A word that matches nothing is taken for a typo: it matches the words of the dataset that
differ from it by a letter (by two, if it is long).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from larder.store.search import vocabulary
from larder.store.search.vocabulary import FormRange, exact_form, prefix_range, suffix_range
from larder.store.search.words import SHORT, STOPWORDS, fold, forms, reversed_form, tokens

EXACT, INFLECTED, PART, MAYBE, TYPO = 1.0, 0.85, 0.6, 0.5, 0.45
"""How near a word is to the one that was asked for."""

MAX_WORDS = 8
MAX_VARIANTS = 60
_LINKS = ("", "s", "n", "en", "e", "es", "er")
"""What Dutch and German put between the parts of a compound."""
_ENDINGS = ("", "s", "en", "e", "n", "es", "er")
MAX_LONGER = 40
"""So many longer words are named one by one: databases judge better by words than by how words begin."""
MAX_MEANT = 5
SURELY = 8
"""Letters of a compound that is accepted although its first part is unknown."""
TWO_SLIPS_FROM = 8
"""From this length on a word may have two slips."""
_OPEN = 4
"""From this length on a word stands for longer ones, too; the last one may be shorter: it is being typed."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query."""

    text: str
    variants: Mapping[str, float]
    """Words of the dataset, and how near each is."""
    open: bool
    """Longer words that begin so count, too; they are too many to be named."""
    parts: tuple[tuple[str, str], ...] = ()
    """What it is made of, if it is a compound."""

    def similarity(self, word: str) -> float:
        """How near a word of a text is to this one; 0: not at all."""
        known = self.variants.get(word, 0.0)
        if not known and self.open and word.startswith(self.text):
            return PART
        return known


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """All that was asked for; every word must be there."""

    words: tuple[QueryWord, ...]
    _matched: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    def matched_by(self, word: str) -> tuple[str, ...]:
        """The words of the query that a word of a text matches, as a whole or in part; looked up once."""
        if word not in self._matched:
            self._matched[word] = tuple(
                query_word.text
                for query_word in self.words
                if query_word.similarity(word) or any(word in parts for parts in query_word.parts)
            )
        return self._matched[word]


@dataclass(slots=True)
class _WordLookup:
    """One word of a query and the words of the dataset that may match it."""

    token: str
    last: bool
    variants: dict[str, float] = field(default_factory=dict)
    compounds: list[tuple[str, str]] = field(default_factory=list)
    """(compound, what is before our word in it): accepted if that is a word."""
    parts: list[tuple[str, str]] = field(default_factory=list)
    longer: set[str] = field(default_factory=set)
    """Words of the dataset that begin with it."""

    @property
    def folded(self) -> str:
        return fold(self.token)

    @property
    def open(self) -> bool:
        being_typed = self.last and not self.folded.isdigit()
        return len(self.folded) >= (2 if being_typed else _OPEN)

    @property
    def understood(self) -> bool:
        """Not by a stem alone: an unknown word may have the stem of another one."""
        return bool(self.parts or self.longer) or any(near != INFLECTED for near in self.variants.values())

    def add(self, word: str, similarity: float) -> None:
        self.variants[word] = max(similarity, self.variants.get(word, 0.0))


def parse_query(conn: Connection, text: str) -> ParsedQuery:
    """What `text` asks for; at most five looks at the vocabulary, however long it is."""
    readings = _readings(text)
    _read(conn, readings)
    unmatched = [
        lookup
        for lookup in readings
        if not lookup.understood and len(lookup.folded) > SHORT and lookup.token.isalpha()
    ]
    if unmatched:
        _correct(conn, unmatched)
    return ParsedQuery(tuple(_word(lookup) for lookup in readings))


def _readings(text: str) -> list[_WordLookup]:
    tokens_found = [token for token in dict.fromkeys(tokens(text)) if fold(token)]
    content_words = [token for token in tokens_found if fold(token) not in STOPWORDS] or tokens_found
    chosen = content_words[:MAX_WORDS]
    return [_WordLookup(token, last=i == len(chosen) - 1) for i, token in enumerate(chosen)]


def _word(lookup: _WordLookup) -> QueryWord:
    nearest = sorted(lookup.variants.items(), key=lambda each: (-each[1], len(each[0]), each[0]))
    variants = {lookup.folded: EXACT} | dict(nearest[:MAX_VARIANTS])
    listed = len(lookup.folded) >= _OPEN and len(lookup.longer) <= MAX_LONGER
    if listed and lookup.open:
        variants = dict.fromkeys(sorted(lookup.longer), PART) | variants
    return QueryWord(lookup.folded, variants, lookup.open and not listed, tuple(lookup.parts))


def _read(conn: Connection, readings: Sequence[_WordLookup]) -> None:
    """Two looks: the words themselves, then what is in front of their compounds."""
    looks = [look for i, each in enumerate(readings) for look in _lookups(i, each)]
    pieces: list[set[str]] = [set() for _ in readings]
    for number, form, word in vocabulary.find_forms(conn, looks):
        _take(readings[number], form, word, pieces[number])
    for lookup, known in zip(readings, pieces, strict=True):
        lookup.parts = [split for split in _splits(lookup.folded) if _joined(split, known)]
    _accept_compounds(conn, readings)


def _lookups(number: int, lookup: _WordLookup) -> Iterable[FormRange]:
    word = lookup.folded
    yield from (exact_form(number, form) for form in forms(lookup.token))
    if len(word) < SHORT or not word.isalpha():
        return
    if len(word) >= _OPEN:
        yield prefix_range(number, word, shortest=len(word) + 1)
    for tail in _tails(lookup):
        yield suffix_range(number, tail, shortest=len(tail) + SHORT, longest=len(tail) + 16)
    pieces = {piece for split in _splits(word) for piece in split}
    yield from (exact_form(number, piece) for piece in pieces)


def _take(lookup: _WordLookup, form: str, word: str, pieces: set[str]) -> None:
    folded = lookup.folded
    if form.startswith("<"):
        reversed_form = form[:0:-1]
        tail = max((t for t in _tails(lookup) if reversed_form.endswith(t)), key=len, default="")
        lookup.compounds.append((word, reversed_form[: len(reversed_form) - len(tail)]))
    elif form in forms(lookup.token):
        lookup.add(word, EXACT if word == folded else INFLECTED)
    elif form == word and word.startswith(folded):
        lookup.longer.add(word)
    if form == word:
        pieces.add(form)


def _tails(lookup: _WordLookup) -> set[str]:
    return {lookup.folded + end for end in _ENDINGS} | {f for f in forms(lookup.token) if len(f) > SHORT}


def _splits(word: str) -> list[tuple[str, str]]:
    """Every way to cut a word in two pieces that could be words, with or without a link between."""
    if len(word) < 2 * SHORT + 1 or not word.isalpha():
        return []
    cuts = range(SHORT, len(word) - SHORT + 1)
    return [(head, word[at:]) for at in cuts for head in _unlinked(word[:at])]


def _joined(split: tuple[str, str], known: set[str]) -> bool:
    return split[0] in known and split[1] in known


def _accept_compounds(conn: Connection, readings: Sequence[_WordLookup]) -> None:
    """A compound is one if what is in front of our word is a word, too, or if both are long."""
    heads = {
        (number, without)
        for number, lookup in enumerate(readings)
        for _, head in lookup.compounds[: 4 * MAX_VARIANTS]
        for without in _unlinked(head)
    }
    known = {
        (number, form)
        for number, form, _ in vocabulary.find_forms(conn, [exact_form(n, h) for n, h in heads])
    }
    for number, lookup in enumerate(readings):
        for compound, head in lookup.compounds:
            if any((number, without) in known for without in _unlinked(head)):
                lookup.add(compound, PART)
            elif len(head) + len(lookup.folded) >= SURELY and len(lookup.folded) > SHORT:
                lookup.add(compound, MAYBE)


def _unlinked(head: str) -> Iterable[str]:
    """The first part of a compound, without what links it to the second."""
    for link in _LINKS:
        if head.endswith(link) and len(head) - len(link) >= SHORT:
            yield head[: len(head) - len(link)]


def _correct(conn: Connection, unmatched: Sequence[_WordLookup]) -> None:
    """Take each for the nearest words there are, and for what these stand for."""
    near: list[set[str]] = [set() for _ in unmatched]
    looks = [look for number, each in enumerate(unmatched) for look in _nearby(number, each.folded)]
    for number, form, word in vocabulary.find_forms(conn, looks):
        if form in (word, reversed_form(word)):
            near[number].add(word)
    corrections = [_nearest(lookup, words) for lookup, words in zip(unmatched, near, strict=True)]
    lookups = {word: _WordLookup(word, last=False) for words in corrections for word in words}
    _read(conn, list(lookups.values()))
    for lookup, words in zip(unmatched, corrections, strict=True):
        for word in words:
            for variant, similarity in lookups[word].variants.items():
                lookup.add(variant, TYPO * similarity)


def _nearby(number: int, word: str) -> Iterable[FormRange]:
    """A slip leaves a word's beginning or its end as it was."""
    slips = _slips(word)
    prefix = max(2, (len(word) - 1) // 2 - (slips - 1))
    yield prefix_range(number, word[:prefix], shortest=len(word) - slips, longest=len(word) + slips)
    yield suffix_range(number, word[-prefix:], shortest=len(word) - slips, longest=len(word) + slips)
    for spelled in (word, _umlauts(word)):
        yield prefix_range(number, spelled, longest=len(word) + 20)


def _nearest(lookup: _WordLookup, near: set[str]) -> list[str]:
    """The least different; none where the word is only unfinished."""
    folded = lookup.folded
    if lookup.open and any(word.startswith(folded) for word in near):
        return []
    if unfinished := sorted(word for word in near if word.startswith(_umlauts(folded))):
        return unfinished[:MAX_VARIANTS]
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - slow to load, for a slip alone

    distances = {word: OSA.distance(folded, word, score_cutoff=_slips(folded)) for word in sorted(near)}
    least = min(distances.values(), default=0)
    return [word for word, slips in distances.items() if slips == least <= _slips(folded)][:MAX_MEANT]


def _umlauts(word: str) -> str:
    """As it would be folded if its umlauts had not been spelled out."""
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _slips(word: str) -> int:
    return 1 if len(word) < TWO_SLIPS_FROM else 2

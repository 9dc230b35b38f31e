"""Chooses each row's title: the text that differs from row to row and shares words with its link's address.

Never a badge, a price, a date, a call to action, or a text that many rows have.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from turbohtml import Element, Text

from larder.core.accents import without_accents
from larder.sdk.page import text_of
from larder.stages.parse.heuristic.headline import without_badge
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.index_rows.blocks import Block
from larder.stages.parse.index_rows.links import pieces_of
from larder.stages.parse.index_rows.non_title_texts import (
    can_be_title,
    is_model_number,
    is_prose,
    without_counters,
)
from larder.stages.parse.index_rows.row_links import has_other_target, is_in_seller_box
from larder.stages.parse.index_rows.title_places import place_of, title_at, title_place

MAX_TITLE = 250
MAX_LEAVES = 250
MAX_HEADS = 6
TITLE_WEIGHT = 2.5
"""Headings, links and elements named `title` weigh more than this."""
ADDRESS_WEIGHT = 3.95
"""Weight of a link whose text is a postal address: it names a home better than `Guide price`, `No chain`."""
NUMBERED_LABEL_PENALTY = 1.5
"""Subtracted from a text that differs from those of other rows only by a number."""
PROSE_PENALTY = 2.0
"""Subtracted from a sentence: cards may link their summary, too."""
SHORT_TITLE_WORDS = 2
LABEL_SHARE = 0.2
"""Maximum share of rows with the same title; a more frequent text is a label."""
HEADING_LABEL_SHARE = 0.6
"""The same for headings and links of rows without another text: an item may be offered several times."""
LINKED_HEADING_LABEL_SHARE = 1.0
"""The same for headings whose words are in the row's address: homes of one town may share it."""
MIN_SLUG_AGREEMENT = 0.6
MIN_ROWS_WITH_PLACE = 5
"""Minimum rows that show in which place titles are."""
MIN_SHARE_IN_PLACE = 0.6

_HEADS = "h1, h2, h3, h4, h5, h6"
_HEADINGS = frozenset(_HEADS.split(", "))
_TITLE_NAMES = "title titel titre titul titol headline name subject"
_TITLED = ", ".join(f"[class*={word} i]" for word in _TITLE_NAMES.split())
_SUBTITLED = re.compile(r"(?:sub|under|sous)[-_]?(?:tit|head)", re.IGNORECASE)
_UNSEEN = frozenset({"script", "style", "template", "noscript", "option"})
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_ELLIPSES = ("…", "...")


class _Candidate(NamedTuple):
    text: str
    weight: float
    parts: tuple[str, ...] = ()
    """Its parts, if it consists of several texts."""


def row_titles(found: Sequence[Block]) -> dict[str, str]:
    """The title of each row, by link target; rows without one are left out."""
    chosen: dict[str, str] = {}
    for places, often in (
        ([_heading_candidates, _link_candidates, _class_name_candidates], LABEL_SHARE),
        ([_heading_candidates, _link_candidates], HEADING_LABEL_SHARE),
        ([_linked_heading_candidates], LINKED_HEADING_LABEL_SHARE),
        ([_addressed_candidates], LINKED_HEADING_LABEL_SHARE),
        ([_link_candidates, _leaf_text_candidates], LABEL_SHARE),
    ):
        if len(chosen) < len(found):
            chosen = {**_best_titles(found, places, often), **chosen}
    return without_counters(_titles_in_their_place(found, chosen))


def _titles_in_their_place(found: Sequence[Block], chosen: dict[str, str]) -> dict[str, str]:
    """Corrects single rows by the place of most titles: a badge may have looked like a title."""
    rows = [(block.elements, block.link) for block in found]
    if len(found) < MIN_ROWS_WITH_PLACE or not (place := title_place(rows, chosen, MIN_SHARE_IN_PLACE)):
        return chosen
    for elements, link in rows:
        if (title := chosen.get(link.key)) is None or (own := place_of(title, elements)) == place:
            continue
        shown = title_at(place, elements)
        if can_be_title(shown) and (own or _words(shown).isdisjoint(_words(title))):
            chosen[link.key] = shown
    return chosen


def _best_titles(
    found: Sequence[Block], places: Sequence[Callable[[Block], Iterable[_Candidate]]], share: float
) -> dict[str, str]:
    """The best text in these places, by link target; frequent texts are no titles."""
    candidates = {block.link.key: _candidates(block, places) for block in found}
    counts = Counter(text for group in candidates.values() for text in _texts_of(group))
    often = max(2, share * len(found))
    labels = frozenset(text for text in counts if counts[text] > often) | _numbered_labels(counts, len(found))
    chosen: dict[str, str] = {}
    for block in found:
        words = _slug_words(block.link.url)
        own = (_without_labels(each, labels) for each in candidates[block.link.key])
        fit = [(_fitness(each, words, labels), each.text) for each in own if counts[each.text] <= often]
        if best := max(fit, key=lambda each: each[0], default=None):
            chosen[block.link.key] = _untruncated(best[1], candidates[block.link.key])
    return chosen


def _texts_of(group: Sequence[_Candidate]) -> set[str]:
    return {text for each in group for text in (each.text, *(each.parts if len(each.parts) > 1 else ()))}


def _numbered_labels(counts: Counter[str], rows: int) -> frozenset[str]:
    """Texts that differ from those of most rows only by a number: `2 bedroom flat`."""
    by_mask: dict[str, list[str]] = {}
    for text in counts:
        if _DIGIT.search(text):
            by_mask.setdefault(_DIGITS.sub("#", text), []).append(text)
    often = max(2, HEADING_LABEL_SHARE * rows)
    numbered = (texts for texts in by_mask.values() if sum(counts[text] for text in texts) > often)
    return frozenset(text for texts in numbered for text in texts)


def _without_labels(candidate: _Candidate, labels: frozenset[str]) -> _Candidate:
    """Removes a brand or badge before the title that many rows have."""
    own = [part for part in candidate.parts if part not in labels]
    if len(candidate.parts) < 2 or len(own) in (0, len(candidate.parts)):
        return candidate
    return _Candidate(" ".join(own), candidate.weight)


def _candidates(block: Block, places: Sequence[Callable[[Block], Iterable[_Candidate]]]) -> list[_Candidate]:
    """The texts that can be a title, each in its best place: a picture's text may repeat the heading."""
    found: dict[str, _Candidate] = {}
    for each in (candidate for place in places for candidate in place(block)):
        text = " ".join(each.text.split()).strip(" -–|·•*")
        known = found.get(text)
        if (known is None or known.weight < each.weight) and (
            can_be_title(text) or (each.weight > TITLE_WEIGHT and is_model_number(text))
        ):
            found[text] = _Candidate(text, each.weight, each.parts)
    return list(found.values())


def _heading_candidates(block: Block) -> Iterator[_Candidate]:
    for part in block.elements:
        heads = [part] if part.tag in _HEADINGS else part.select(_HEADS)[:MAX_HEADS]
        heads = [head for head in heads if not is_in_seller_box((head, *lineage(head, 3)))]
        own = [head for head in heads if not has_other_target(head, block.link)]
        for at, head in enumerate(own or heads):
            yield _Candidate(
                without_badge(head, text_of(head)),
                (4.0 if _is_linked_heading(head, block) else 3.3) - 0.2 * at,
            )


def _linked_heading_candidates(block: Block) -> Iterator[_Candidate]:
    """Headings whose words are in the address of the row's item."""
    slug = _slug_words(block.link.url)
    for each in _heading_candidates(block):
        words = _words(each.text)
        if len(words) > SHORT_TITLE_WORDS and len(words & slug) >= MIN_SLUG_AGREEMENT * len(words):
            yield each


def _addressed_candidates(block: Block) -> Iterator[_Candidate]:
    """Texts of one or two words that name a folder of the link's address: `Apartment`."""
    path = frozenset(word for piece in pieces_of(block.link.url)[0] for word in _words(unquote(piece)))
    for each in (*_heading_candidates(block), *_link_candidates(block)):
        words = _words(each.text)
        if 0 < len(words) <= SHORT_TITLE_WORDS and words <= path and not _DIGIT.search(each.text):
            yield each


def _is_linked_heading(head: Element, block: Block) -> bool:
    """Whether the heading is within the row's link, or the link within the heading."""
    return head in block.link.chain or block.link.element in lineage(head, 4) or _names_link(head, block)


def _names_link(head: Element, block: Block) -> bool:
    href = block.link.element.attr("href")
    return any(link.attr("href") == href for link in head.select("a[href]")[:3])


def _link_candidates(block: Block) -> Iterator[_Candidate]:
    """Texts of the links to the row's item; a link around a whole card has too much text."""
    for element in _target_links(block):
        if (address := element.select_one("address")) is not None and element.select_one(_HEADS) is None:
            yield _Candidate(text_of(address), ADDRESS_WEIGHT)
        texts = [text for text, _ in islice(_texts(element), 4)]
        own = _own_texts(texts)
        if len(texts) <= 3 and len(own) in (1, 2):
            yield _Candidate(" ".join(own), 3.9, tuple(own))
        elif len(own) > 2:
            yield from (_Candidate(text, 2.4 - 0.1 * at) for at, text in enumerate(own))
        for name, weight in (("title", 2.5), ("aria-label", 2.2)):
            yield _Candidate(element.attr(name) or "", weight)
        picture = element.select_one("img[alt]")
        yield _Candidate((picture.attr("alt") or "") if picture is not None else "", 1.8)


def _target_links(block: Block) -> list[Element]:
    href = block.link.element.attr("href")
    own = [
        each for part in block.elements for each in part.select("a[href]")[:60] if each.attr("href") == href
    ]
    return own[:4] or [block.link.element]


def _class_name_candidates(block: Block) -> Iterator[_Candidate]:
    for part in block.elements:
        for at, element in enumerate(part.select(_TITLED)[:MAX_HEADS]):
            texts = [text for text, _ in islice(_texts(element), 3)]
            if len(texts) not in (1, 2) or _SUBTITLED.search(element.attr("class") or ""):
                continue
            if is_in_seller_box((element, *lineage(element, 3))):
                continue
            if not has_other_target(element, block.link):
                own = _own_texts(texts)
                yield _Candidate(" ".join(own), 2.6 - 0.1 * at)


def _leaf_text_candidates(block: Block) -> Iterator[_Candidate]:
    texts = (found for part in block.elements for found in _texts(part))
    leaves = (text for text, holder in texts if not has_other_target(holder, block.link))
    for at, text in enumerate(islice(leaves, 25)):
        yield _Candidate(text, 1.5 - 0.05 * at)


def _own_texts(texts: list[str]) -> list[str]:
    """Parts of a link's or title element's text that may name the item."""
    own = [text for text in texts if can_be_title(text)] or texts
    return [text for text in own if not is_prose(text)] or own


def _texts(element: Element) -> Iterator[tuple[str, Element]]:
    """The texts within, each with its parent element."""
    for node in islice(element.descendants, MAX_LEAVES):
        if type(node) is Text and (text := " ".join(node.data.split())):
            parent = node.parent
            if isinstance(parent, Element) and parent.tag not in _UNSEEN:
                yield text, parent


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    """The words of a text in lower case and without accents, as in addresses."""
    return frozenset(word.casefold() for word in _WORD.findall(without_accents(text)))


@lru_cache(maxsize=4_096)
def _slug_words(url: str) -> frozenset[str]:
    """The words of an address; none if they are too few to compare."""
    last = pieces_of(url)[0][-2:]
    words = {word for piece in last for word in _words(unquote(piece))}
    return frozenset(words - {"html", "htm", "php"}) if len(words) >= 3 else frozenset()


def _fitness(candidate: _Candidate, slug: frozenset[str], labels: frozenset[str]) -> float:
    """The weight of its place and its share of words in the address; less if only a number differs."""
    words = _words(candidate.text)
    shared = len(words & slug) / len(words) if words and slug else 0.0
    short = 0.8 if len(candidate.text) < 5 else 0.0
    label = NUMBERED_LABEL_PENALTY if candidate.text in labels else 0.0
    prose = PROSE_PENALTY if is_prose(candidate.text) else 0.0
    return candidate.weight + 2.5 * shared * min(1.0, len(words) / 3) - short - label - prose


def _untruncated(text: str, others: Sequence[_Candidate]) -> str:
    """A title that ends in an ellipsis, replaced by the same title in full elsewhere in the row."""
    if not text.endswith(_ELLIPSES):
        return text
    stem = text.rstrip(".… ")
    return next(
        (each.text for each in others if len(each.text) > len(text) and each.text.startswith(stem)), text
    )

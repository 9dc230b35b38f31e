"""From text to words, and from a word to the forms it may be asked by. One analysis for both databases.

Words are folded (capitals, accents, ß), so that how somebody types does not matter. A word's forms are its
stems in Dutch, English and German and its spelling without umlauts; a form read backwards, behind a mark,
finds the compounds that end in it. Nobody says in which language they ask, so all three are always tried.
"""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

LANGUAGES = ("dutch", "english", "german")
SHORT = 3
"""Shorter words have no stems and begin or end no compound."""
MAX_LENGTH = 40
"""What is longer is no word."""

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

STOPWORDS = frozenset((
    "a", "am", "an", "and", "are", "as", "at", "auf", "aus", "bei", "bij", "by", "can", "das", "dass", "de",
    "dem", "den", "der", "des", "die", "dit", "do", "een", "ein", "eine", "einem", "einen", "einer", "en",
    "er", "es", "for", "from", "für", "fur", "had", "has", "hat", "have", "het", "hij", "ich", "ik", "im",
    "in", "is", "ist", "it", "je", "met", "mit", "na", "nach", "naar", "nicht", "niet", "no", "of", "om",
    "on", "ook", "op", "or", "over", "page", "per", "sein", "sich", "sie", "sind", "so", "te", "that",
    "the", "their", "this", "to", "toe", "tot", "u", "um", "und", "van", "vom", "von", "voor", "vor", "was",
    "we", "were", "wie", "will", "wir", "with", "you", "zijn", "zu", "zum", "zur",
))  # fmt: skip


def fold(word: str) -> str:
    """A word without capitals and accents; letters and digits are all that is left."""
    lowered = word.lower()
    if lowered.isascii():
        return lowered
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", lowered.translate(_LETTERS))))


def tokens(text: str) -> list[str]:
    """The words of a text in lower case; one with hyphens also in one piece."""
    matches = _TOKEN.findall(unicodedata.normalize("NFC", text).lower())
    found = (each for match in matches for each in ((match,) if match.isalnum() else _pieces(match)))
    return [each for each in found if len(each) <= MAX_LENGTH]


def _pieces(match: str) -> list[str]:
    """The parts of a word with hyphens or apostrophes, and the word without them."""
    parts = _PART.findall(match)
    return [*parts, "".join(parts)]


@lru_cache(maxsize=100_000)
def stems(token: str) -> frozenset[str]:
    """What is left of a word when its endings are taken off, in each language."""
    if len(token) <= SHORT or not token.isalpha():
        return frozenset()
    spellings = {token, fold(token)}
    return frozenset(fold(stem(spelling)) for stem in _stemmers() for spelling in spellings)


@cache
def _stemmers() -> tuple[Callable[[str], str], ...]:
    """Without the package's own `__init__`, which loads forty languages in a tenth of a second of CPU."""
    package = ModuleType(f"{__name__}.snowball")
    found = find_spec("snowballstemmer")
    package.__path__ = list((found and found.submodule_search_locations) or [])
    sys.modules[package.__name__] = package
    modules = [import_module(f"{package.__name__}.{language}_stemmer") for language in LANGUAGES]
    return tuple(
        getattr(module, f"{language.title()}Stemmer")().stemWord
        for module, language in zip(modules, LANGUAGES, strict=True)
    )


def forms(token: str) -> frozenset[str]:
    """Under what a word is found: itself, its stems, its umlauts spelled out."""
    return stems(token) | {fold(token), fold(token.translate(_SPELLED_OUT))}


def reversed_form(form: str) -> str:
    """The form under which a word's end is found."""
    return "<" + form[::-1]


def is_word(token: str) -> bool:
    """Whether it belongs in the vocabulary: numbers and codes have neither endings nor typos."""
    return len(token) >= SHORT and token.isalpha() and fold(token) not in STOPWORDS

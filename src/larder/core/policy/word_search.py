"""Patterns of many words, searched fast in texts of any case.

`re` tries a list of alternatives one by one at each letter of a text. Grouped by their first letters only a
few of them are tried; and where each begins with a letter, letters that begin none are passed over.
"""

import re
from collections.abc import Iterable, Iterator

from larder.core.lazy_pattern import lazy_pattern

_OPAQUE = re.compile(r"\\.|\[[^\]]*\]")
_GROUP = re.compile(r"\([^()]*\)")
_OPTIONAL = re.compile(r".(?:[?*]|\{[^}]*\})")
_LITERAL = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"(\\b|\^)?([^\W\d_]| )(?![?*+{])")


class WordSearch:
    """Words in lower case, matched in any case: `re.IGNORECASE` costs five times as much."""

    def __init__(self, *patterns: str) -> None:
        self.patterns = patterns
        self._pattern = lazy_pattern(
            grouped(alternative for pattern in patterns for alternative in alternatives(pattern))
        )

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text, in lower case."""
        return self._pattern.search(text.lower())

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Whether the whole text matches, in lower case."""
        return self._pattern.fullmatch(text.lower())


def joined_lines(pattern: str) -> str:
    """A pattern with alternatives on several lines, as one line."""
    return "|".join(line.strip() for line in pattern.strip().splitlines())


def alternatives(pattern: str) -> Iterator[str]:
    """A pattern's alternatives, one a line or between `|`; what is in brackets stays together."""
    for line in map(str.strip, pattern.strip().splitlines()):
        start = 0
        for bar in re.finditer(r"\||\Z", _outside_of_brackets(line)):
            yield line[start : bar.start()]
            start = bar.end()


def required_texts(pattern: str) -> frozenset[str]:
    """Texts of which every match of the pattern contains one: a plain search for them is fast."""
    return frozenset(map(_stem, alternatives(pattern)))


def _stem(alternative: str) -> str:
    """The longest plain text that every match of an alternative contains."""
    plain = _OPTIONAL.sub(" ", _outside_of_brackets(alternative))
    stem = max(_LITERAL.findall(plain), key=len, default="")
    if not stem:
        raise ValueError(f"no plain text outside of brackets in {alternative!r}: write its groups out")
    return str(stem)


def _outside_of_brackets(pattern: str) -> str:
    """A pattern with escapes, sets and groups blanked out, at the same length."""
    plain, before = _OPAQUE.sub(_blank, pattern), ""
    while plain != before:
        plain, before = _GROUP.sub(_blank, plain), plain
    return plain


def _blank(part: re.Match[str]) -> str:
    return " " * len(part[0])


def grouped(every: Iterable[str]) -> str:
    """Alternatives, grouped by their first letter, and so on; those of one letter keep their order."""
    groups: dict[str, list[str]] = {}
    for each in every:
        begin = _LETTER.match(each)
        letter, rest = (begin[2], each[begin.end() :]) if begin else ("", each)
        groups.setdefault(letter, []).append(f"(?<={begin[1]}{letter}){rest}" if begin and begin[1] else rest)
    return "|".join(_joined(letter, rests) for letter, rests in groups.items())


def _joined(letter: str, rests: list[str]) -> str:
    if not letter or len(rests) == 1:
        return "|".join(letter + rest for rest in rests)
    return f"{letter}(?:{grouped(rests)})"

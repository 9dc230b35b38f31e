"""Decides whether a path is allowed: the longest matching pattern wins.

Patterns and URLs are compared in one form of percent-encoding, and a URL is judged as it is sent. Wildcards
are matched in one pass over the path, without backtracking.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_ESCAPES = re.compile(rb"%[0-9A-Fa-f]{2}|[\x00-\x20\"<>\\^`{|}\x7f]")
_URL_ESCAPES = re.compile(_ESCAPES.pattern + rb"|[*$]")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_SCHEME = re.compile(rb"[^/?;]*?://")
_PATH_START = re.compile(rb"[/?;]")


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A path pattern, split at its wildcards."""

    length: int
    pieces: tuple[bytes, ...]
    anchored: bool

    def matches(self, path: bytes) -> bool:
        """Whether it matches, each piece at its earliest position."""
        first, *rest = self.pieces
        if not path.startswith(first):
            return False
        at = len(first)
        if self.anchored:
            if not rest:
                return at == len(path)
            end = len(path) - len(last := rest.pop())
            if end < at or not path.endswith(last):
                return False
            path = path[:end]
        for piece in rest:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return True


@dataclass(frozen=True, slots=True)
class Patterns:
    """The allowed or the disallowed patterns of an agent."""

    plain: frozenset[bytes]
    lengths: tuple[int, ...]
    wild: tuple[PathPattern, ...]

    @classmethod
    def of(cls, values: Iterable[bytes]) -> "Patterns":
        """Patterns in which plain prefixes are looked up by length, so that thousands cost no more than a
        few.
        """
        values = {_pattern_form(value) for value in values}
        wild = {value for value in values if b"*" in value or value.endswith(b"$")}
        plain = frozenset(value.replace(b"$", b"%24") for value in values - wild)
        lengths = sorted({len(value) for value in plain}, reverse=True)
        compiled = sorted(map(_compiled, wild), key=lambda pattern: -pattern.length)
        return cls(plain, tuple(lengths), tuple(compiled))

    def longest(self, path: bytes) -> int:
        """The length of the longest matching pattern; 0 if none matches."""
        plain = 0
        for length in self.lengths:
            if path[:length] in self.plain:
                plain = min(length, len(path))
                break
        for pattern in self.wild:
            if pattern.length <= plain:
                break
            if pattern.matches(path):
                return pattern.length
        return plain


@dataclass(frozen=True, slots=True)
class Rules:
    """One agent's rules: the longest pattern wins, and allow wins a tie."""

    allowed: Patterns
    disallowed: Patterns

    def allow(self, path: bytes) -> bool:
        """Whether a path is allowed.

        In an allow rule, characters outside ASCII stand for themselves, in a disallow rule for their escapes.
        A path with such characters is no URL; Google lets no allow rule match it, and we let every disallow
        rule match.
        """
        if _URL_ESCAPES.search(path):
            path = _URL_ESCAPES.sub(_escape, path)
        ascii_path = path if path.isascii() else _NOT_ASCII.sub(_escape, path)
        disallowed = self.disallowed.longest(ascii_path)
        return disallowed == 0 or self.allowed.longest(path) >= disallowed


def path_of(url: bytes) -> bytes:
    """The part of a URL that rules match: path, parameters and query."""
    start = 2 if url.startswith(b"//") else 0
    scheme = _SCHEME.match(url, start)
    begin = _PATH_START.search(url, scheme.end() if scheme else start)
    end = url.find(b"#", start)
    if begin is None or 0 <= end < begin.start():
        return b"/"
    path = url[begin.start() : end if end >= 0 else len(url)]
    return path if path.startswith(b"/") else b"/" + path


def _compiled(pattern: bytes) -> PathPattern:
    anchored = pattern.endswith(b"$")
    body = pattern[:-1] if anchored else pattern
    return PathPattern(len(pattern), tuple(body.replace(b"$", b"%24").split(b"*")), anchored)


def _pattern_form(value: bytes) -> bytes:
    return _NOT_ASCII.sub(_escape, _ESCAPES.sub(_escape, value))


def _escape(match: re.Match[bytes]) -> bytes:
    """One form for each character: escapes in capitals, and `~`, which old encoders escaped, unescaped."""
    found = match.group().upper()
    if found == b"%7E":
        return b"~"
    return found if len(found) == 3 else b"%%%02X" % found[0]

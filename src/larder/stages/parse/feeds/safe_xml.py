"""Reads XML entries as a stream, within bounds and without entities.

A document type that declares entities is refused (they can grow without limit, or read files); depth, length
of texts and number of entries are bounded. A truncated document gives the entries before its end.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

MAX_ENTRIES = 50_000
MAX_DEPTH = 60
MAX_TEXT = 20_000
MAX_VALUES = 20

_STRAY_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")


@dataclass(frozen=True, slots=True)
class Value:
    """One element within an entry: its text and attributes."""

    text: str
    attributes: Mapping[str, str]


@dataclass(slots=True)
class Entry:
    """One entry: its elements by name, without namespace."""

    name: str
    attributes: Mapping[str, str]
    values: dict[str, list[Value]] = field(default_factory=dict)

    def text(self, *names: str) -> str:
        """The first text under any of these names."""
        found = (value.text for name in names for value in self.values.get(name, ()) if value.text)
        return next(found, "")


@dataclass(slots=True)
class Document:
    """The parsed part of a document."""

    root: str = ""
    entries: list[Entry] = field(default_factory=list)
    head: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    """Elements outside of entries that have attributes: links of the whole feed."""
    broken: str = ""


def read_entries(text: str, names: frozenset[str]) -> Document:
    """The elements of these names, with their content."""
    document = _parsed(text, names)
    if document.broken and "entity" in document.broken and not document.refused:
        second = _parsed(_STRAY_AMPERSAND.sub("&amp;", text), names)
        return second.document
    return document.document


class _Refused(Exception):
    """Entities are declared, or a bound is exceeded."""


class _Reader:
    """Collects entries while a parser runs."""

    def __init__(self, names: frozenset[str]) -> None:
        self.document = Document()
        self.refused = False
        self._names = names
        self._open: list[tuple[str, Mapping[str, str], list[str]]] = []
        self._entry: Entry | None = None
        self._entry_depth = 0

    @property
    def broken(self) -> str:
        return self.document.broken

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        self.document.root = self.document.root or local
        if len(self._open) >= MAX_DEPTH:
            raise _Refused(f"elements are nested deeper than {MAX_DEPTH}")
        self._open.append((local, attributes, []))
        if self._entry is None and local in self._names and len(self._open) > 1:
            if len(self.document.entries) >= MAX_ENTRIES:
                raise _Refused(f"more than {MAX_ENTRIES} entries")
            self._entry, self._entry_depth = Entry(local, attributes), len(self._open)

    def characters(self, data: str) -> None:
        if self._open and self._entry is not None:
            self._open[-1][2].append(data)

    def end(self, _: str) -> None:
        name, attributes, pieces = self._open.pop()
        if self._entry is None:
            if attributes and len(self.document.head) < MAX_VALUES:
                self.document.head.append((name, attributes))
        elif len(self._open) < self._entry_depth:
            self.document.entries.append(self._entry)
            self._entry = None
        else:
            values = self._entry.values.setdefault(name, [])
            if len(values) < MAX_VALUES:
                values.append(Value("".join(pieces).strip()[:MAX_TEXT], attributes))

    def entity(self, *_: object) -> NoReturn:
        self.refused = True
        raise _Refused("the document declares entities")


def _parsed(text: str, names: frozenset[str]) -> _Reader:
    reader = _Reader(names)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.EntityDeclHandler = reader.entity
    parser.ExternalEntityRefHandler = reader.entity
    try:
        parser.Parse(text.lstrip("\ufeff \t\r\n").encode("utf-8", "replace"), True)
    except expat.ExpatError as wrong:
        reader.document.broken = str(wrong)
    except _Refused as wrong:
        reader.document.broken = str(wrong)
    return reader

"""The vocabulary of the dataset: words are added with records and looked up by searches.

A word is stored once and not counted, so that transactions do not contend for the rows of common words.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement, in_batches
from larder.store.search.words import fold, forms, is_word, reversed_form


class FormRange(NamedTuple):
    """All forms from `low` to below `high` within these lengths."""

    number: int
    """Identifies the range in the result."""
    low: str
    high: str
    shortest: int = 1
    longest: int = 1_000


class FoundForm(NamedTuple):
    """A form in a range, and the word it belongs to."""

    number: int
    form: str
    word: str


MAX_MATCHES = 4_000
"""The most words that one look-up returns."""

_KNOWN = Statement(
    """
    SELECT words.word FROM {rows} AS asked
    JOIN words ON words.form = asked.word AND words.word = asked.word
    """,
    scalar=str,
    rows={"word": "text"},
)

_LEARN = Statement(
    "INSERT INTO words (form, word) SELECT form, word FROM {rows} AS fresh WHERE true ON CONFLICT DO NOTHING",
    rows={"form": "text", "word": "text"},
)

_LOOK_SQLITE = Statement(
    """
    SELECT asked.number, words.form, words.word FROM {rows} AS asked
    JOIN words ON words.form >= asked.low AND words.form < asked.high
    WHERE length(words.form) BETWEEN asked.shortest AND asked.longest
    ORDER BY length(words.form), words.form, words.word LIMIT :limit
    """,
    row=FoundForm,
    rows=FormRange,
    args={"limit": "int"},
)
_LOOK_POSTGRESQL = Statement(
    """
    SELECT asked.number, found.form, found.word FROM {rows} AS asked
    CROSS JOIN LATERAL (
      SELECT form, word FROM words WHERE form >= asked.low AND form < asked.high
        AND length(form) BETWEEN asked.shortest AND asked.longest
      ORDER BY form, word LIMIT :limit
    ) AS found
    ORDER BY length(found.form), found.form, found.word LIMIT :limit
    """,
    row=FoundForm,
    rows=FormRange,
    args={"limit": "int"},
)
"""The same; a range at a time, so that each is found by the index however many there are."""

_FORGET = Statement(
    "DELETE FROM words WHERE EXISTS (SELECT 1 FROM {rows} AS gone WHERE gone.word = words.word)",
    rows={"word": "text"},
)


def exact_form(number: int, form: str) -> FormRange:
    """That form and no other; no form continues with a space."""
    return FormRange(number, form, form + " ")


def prefix_range(number: int, form: str, *, shortest: int = 1, longest: int = 1_000) -> FormRange:
    """All that begins so."""
    return FormRange(number, form, form[:-1] + chr(ord(form[-1]) + 1), shortest, longest)


def suffix_range(number: int, form: str, *, shortest: int, longest: int) -> FormRange:
    """All that ends so; the mark in front counts for one."""
    return prefix_range(number, reversed_form(form), shortest=shortest + 1, longest=longest + 1)


def find_forms(conn: Connection, ranges: Sequence[FormRange]) -> list[FoundForm]:
    """The forms in these ranges, the shortest first."""
    statement = _LOOK_SQLITE if conn.dialect.name == "sqlite" else _LOOK_POSTGRESQL
    return statement(conn, ranges, limit=MAX_MATCHES)


def add_words(conn: Connection, tokens: Iterable[str]) -> None:
    """Enter the words that are not there yet, always in the same order: two transactions never cross."""
    values = {token for token in tokens if is_word(token)}
    for batch in in_batches(sorted(values), 2_000):
        folded = sorted({fold(token) for token in batch})
        known = set(_KNOWN(conn, [(word,) for word in folded]))
        rows = {
            (form, fold(token))
            for token in batch
            if fold(token) not in known or not token.isascii()
            for each in forms(token)
            for form in (each, reversed_form(each))
        }
        _LEARN(conn, sorted(rows))


def delete_words(conn: Connection, words: Iterable[str]) -> None:
    """Take words out that no record has any more."""
    _FORGET(conn, [(word,) for word in sorted(set(words))])

"""The words that the dataset has, kept as records come and asked as people search.

A word is entered once, whoever brings it; how often it occurs is not counted, so that a common word is no row
that every transaction has to lock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from larder.store.database.statement import Statement, in_batches
from larder.store.search.words import fold, forms, is_word, reversed_form

MOST = 4_000
"""Words that one look may bring."""

_KNOWN = Statement(
    """
    SELECT words.word FROM {rows} AS asked
    JOIN words ON words.form = asked.word AND words.word = asked.word
    """,
    rows={"word": "text"},
)

_LEARN = Statement(
    "INSERT INTO words (form, word) SELECT form, word FROM {rows} AS fresh WHERE true ON CONFLICT DO NOTHING",
    rows={"form": "text", "word": "text"},
)

_RANGES = {"number": "int", "low": "text", "high": "text", "shortest": "int", "longest": "int"}
_LOOK_SQLITE = Statement(
    """
    SELECT asked.number, words.form, words.word FROM {rows} AS asked
    JOIN words ON words.form >= asked.low AND words.form < asked.high
    WHERE length(words.form) BETWEEN asked.shortest AND asked.longest
    ORDER BY length(words.form), words.form, words.word LIMIT :most
    """,
    rows=_RANGES,
    args={"most": "int"},
)
_LOOK_POSTGRESQL = Statement(
    """
    SELECT asked.number, found.form, found.word FROM {rows} AS asked
    CROSS JOIN LATERAL (
      SELECT form, word FROM words WHERE form >= asked.low AND form < asked.high
        AND length(form) BETWEEN asked.shortest AND asked.longest
      ORDER BY form, word LIMIT :most
    ) AS found
    ORDER BY length(found.form), found.form, found.word LIMIT :most
    """,
    rows=_RANGES,
    args={"most": "int"},
)
"""The same; a range at a time, so that each is found by the index however many there are."""

_FORGET = Statement(
    "DELETE FROM words WHERE EXISTS (SELECT 1 FROM {rows} AS gone WHERE gone.word = words.word)",
    rows={"word": "text"},
)


@dataclass(frozen=True, slots=True)
class FormRange:
    """A range of forms: all between `low` and `high` that are neither shorter nor longer than told."""

    number: int
    """Whose look it is; the answer carries it."""
    low: str
    high: str
    shortest: int = 1
    longest: int = 1_000


def exact_form(number: int, form: str) -> FormRange:
    """That form and no other; no form goes on with a space."""
    return FormRange(number, form, form + " ")


def prefix_range(number: int, form: str, *, shortest: int = 1, longest: int = 1_000) -> FormRange:
    """All that begins so."""
    return FormRange(number, form, form[:-1] + chr(ord(form[-1]) + 1), shortest, longest)


def suffix_range(number: int, form: str, *, shortest: int = 1, longest: int = 1_000) -> FormRange:
    """All that ends so; the mark in front counts for one."""
    return prefix_range(number, reversed_form(form), shortest=shortest + 1, longest=longest + 1)


def find_forms(conn: Connection, looks: Sequence[FormRange]) -> list[tuple[int, str, str]]:
    """(number, form, word) of all that was looked for, short ones first."""
    asked = [(each.number, each.low, each.high, each.shortest, each.longest) for each in looks]
    statement = _LOOK_SQLITE if conn.dialect.name == "sqlite" else _LOOK_POSTGRESQL
    return [(row.number, row.form, row.word) for row in statement(conn, asked, most=MOST)]


def add_words(conn: Connection, tokens: Iterable[str]) -> None:
    """Enter the words that are not there yet, always in the same order: two transactions never cross."""
    given = {token for token in tokens if is_word(token)}
    for batch in in_batches(sorted(given), 2_000):
        folded = sorted({fold(token) for token in batch})
        known = {row.word for row in _KNOWN(conn, [(word,) for word in folded])}
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

"""Texts without accents, to compare titles, names and addresses."""

import unicodedata


def without_accents(text: str) -> str:
    """The text in compatibility form (NFKD), without combining marks: `Café` is `Cafe`."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))

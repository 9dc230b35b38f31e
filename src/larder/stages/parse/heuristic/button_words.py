"""Classifies the words of a button: it buys, nothing is available, or it sends a message."""

from functools import lru_cache

from larder.stages.parse.heuristic.words import BUY, NOTIFY, OUT_OF_STOCK, letters_and_digits

MAX_WORDS = 60
"""Maximum characters of a button's text."""

_ALL_NOTIFY_WORDS = tuple(word for words in NOTIFY.values() for word in words)


@lru_cache(maxsize=8_192)
def says_out_of_stock(text: str) -> bool:
    """Whether a text has words for "not available"."""
    return OUT_OF_STOCK.search(text) is not None


@lru_cache(maxsize=8_192)
def says_buy(text: str) -> bool:
    """Whether a text, without spaces, has words for buying."""
    words = letters_and_digits(text)
    return any(map(words.__contains__, BUY))


def only_notifies(text: str) -> bool:
    """Whether a button only offers a notification, or means that nothing can be bought."""
    return len(text) < MAX_WORDS and (says_out_of_stock(text) or says_notify(text))


@lru_cache(maxsize=8_192)
def says_notify(text: str) -> bool:
    """Whether it offers a notification: "Notify me when available"."""
    words = text.lower()
    return any(map(words.__contains__, _ALL_NOTIFY_WORDS))

"""What the words of a button say: that it buys, that nothing is to be had, that it sends a message."""

from functools import lru_cache

from larder.stages.parse.heuristic.words import BUY, NOTIFY, OUT_OF_STOCK, letters_and_digits

MAX_WORDS = 60
"""Characters of what a button says; a longer text is none."""

_ALL_NOTIFY_WORDS = tuple(word for words in NOTIFY.values() for word in words)


@lru_cache(maxsize=8_192)
def says_out_of_stock(text: str) -> bool:
    """Has a text words for "not to be had"?"""
    return OUT_OF_STOCK.search(text) is not None


@lru_cache(maxsize=8_192)
def says_buy(text: str) -> bool:
    """Has a text, spaces aside, words for buying?"""
    words = letters_and_digits(text)
    return any(map(words.__contains__, BUY))


def only_notifies(text: str) -> bool:
    """Does a button only promise a message, or say that there is nothing to buy?"""
    return len(text) < MAX_WORDS and (says_out_of_stock(text) or says_notify(text))


@lru_cache(maxsize=8_192)
def says_notify(text: str) -> bool:
    """Does it promise a message: "Notify me when available"?"""
    words = text.lower()
    return any(map(words.__contains__, _ALL_NOTIFY_WORDS))

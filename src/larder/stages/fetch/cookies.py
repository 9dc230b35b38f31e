"""Cookies, one bounded jar per source: sources never share cookies."""

from collections import OrderedDict
from collections.abc import Iterable

from aiohttp import CookieJar
from yarl import URL

MAX_JARS = 1_000
MAX_COOKIES = 100
MAX_PER_ANSWER = 50
MAX_SIZE = 4_096
MAX_HEADER = 8_192


class Cookies:
    """Cookie jars by key. The least recently used jar is dropped first; a full jar is cleared."""

    def __init__(self) -> None:
        self._jars: OrderedDict[str, CookieJar] = OrderedDict()

    def header(self, key: str | None, url: str) -> str:
        """The value of the `Cookie` header; empty for none."""
        jar = self._jars.get(key) if key is not None else None
        if jar is None:
            return ""
        fitting = jar.filter_cookies(URL(url, encoded=True))
        return _joined(f"{name}={morsel.coded_value}" for name, morsel in fitting.items())

    def keep(self, key: str | None, url: str, given: Iterable[str]) -> None:
        """Store the cookies of an answer's `Set-Cookie` headers."""
        fitting = [value for value in given if len(value) <= MAX_SIZE][:MAX_PER_ANSWER]
        if key is None or not fitting:
            return
        jar = self._jar(key)
        if len(jar) + len(fitting) > MAX_COOKIES:
            jar.clear()
        jar.update_cookies_from_headers(fitting, URL(url, encoded=True))

    def _jar(self, key: str) -> CookieJar:
        jar = self._jars.setdefault(key, CookieJar(unsafe=True))  # a local site may be a bare address
        self._jars.move_to_end(key)
        if len(self._jars) > MAX_JARS:
            self._jars.popitem(last=False)
        return jar


def _joined(pairs: Iterable[str]) -> str:
    """As many whole pairs as a header may contain."""
    header = ""
    for pair in pairs:
        longer = f"{header}; {pair}" if header else pair
        if len(longer) > MAX_HEADER:
            break
        header = longer
    return header

"""The rules of a robots.txt: RFC 9309 as Google implements it.

These files are untrusted: nothing here raises, parsing takes time linear in the file, and wildcards are
matched in one pass without backtracking. The file is parsed once into blocks that their agents share; an
agent's rules are compiled on first use.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from larder.stages.fetch.robots.patterns import Patterns, Rules, path_of

MAX_BYTES = 500 * 1024
MAX_LINE = 2083 * 8 - 1  # Google's line buffer; the rest of a longer line is cut off
MAX_AGENT = 256
EVERYONE = b"*"

_BOM = b"\xef\xbb\xbf"
_AGENT_KEYS = (b"user-agent", b"useragent", b"user agent")
_ALLOW_KEYS = (b"allow",)
_DISALLOW_KEYS = (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw")
_DELAY_KEYS = (b"crawl-delay", b"crawldelay", b"crawl delay")

_TOKEN = re.compile(rb"[A-Za-z_-]*")
_WORD_START = re.compile(rb"(?<![\w\x80-\xff-])[\w\x80-\xff-]")


@dataclass(slots=True)
class _Block:
    """The rules of one group of the file."""

    allow: list[bytes] = field(default_factory=list)
    disallow: list[bytes] = field(default_factory=list)
    delay: float | None = None


@dataclass(frozen=True, slots=True)
class Robots:
    """A parsed robots.txt."""

    _blocks: dict[bytes, list[_Block]]
    _delays: dict[bytes, list[_Block]]
    _spelled: frozenset[bytes]
    _compiled: dict[bytes, Rules] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str | bytes) -> "Robots":
        """Parse a file; invalid lines are ignored."""
        state = _ParseState()
        for key, value in _lines(_as_bytes(text)[:MAX_BYTES]):
            state.take(key.lower(), value)
        return cls(state.blocks, state.delays, frozenset(state.spelled))

    def allows(self, agent: str, url: str) -> bool:
        """Whether `agent` (a product token or a full user agent) may fetch `url`."""
        return self.rules_for(agent).allow(path_of(_as_bytes(url)))

    def rules_for(self, agent: str) -> Rules:
        """The compiled rules for `agent`."""
        return self._rules(self._group(agent))

    def crawl_delay(self, agent: str) -> float | None:
        """The seconds that the agent's group asks for between requests."""
        blocks = reversed(self._delays.get(self._group(agent), []))
        return next((block.delay for block in blocks if block.delay is not None), None)

    def _group(self, agent: str) -> bytes:
        """The most specific group: the token itself, else the longest name within it, else `*`."""
        name = _folded(_as_bytes(agent[:MAX_AGENT])).strip()
        if name in self._blocks:
            return name
        inside = (part for part in _names_inside(name) if part in self._spelled)
        return max(inside, key=len, default=EVERYONE)

    def _rules(self, group: bytes) -> Rules:
        if group not in self._compiled:
            blocks = self._blocks.get(group, [])
            self._compiled[group] = Rules(
                Patterns.of(value for block in blocks for value in block.allow),
                Patterns.of(value for block in blocks for value in block.disallow),
            )
        return self._compiled[group]


class _ParseState:
    """The state of parsing a file: the agents of the next line.

    A rule ends the list of agents before it; a crawl-delay ends it for crawl-delays only.
    """

    def __init__(self) -> None:
        self.blocks: dict[bytes, list[_Block]] = {}
        self.delays: dict[bytes, list[_Block]] = {}
        self.spelled: set[bytes] = set()
        self._block = self._delay_block = _Block()
        self._ruled = self._delayed = False

    def take(self, key: bytes, value: bytes) -> None:
        if key.startswith(_AGENT_KEYS):
            self._agent(value)
        elif key.startswith(_ALLOW_KEYS):
            self._rule(self._block.allow, value)
            folder, slash, page = value.rpartition(b"/")
            if slash and page.startswith(b"index.htm"):  # a rule for the index file applies to its folder
                self._rule(self._block.allow, folder + b"/$")
        elif key.startswith(_DISALLOW_KEYS):
            self._rule(self._block.disallow, value)
        elif key.startswith(_DELAY_KEYS):
            self._delay_block.delay = _seconds(value, self._delay_block.delay)
            self._delayed = True
        elif value.startswith(b"/"):  # an unknown rule still ends its group's list of agents
            self._ruled = True

    def _agent(self, value: bytes) -> None:
        if self._ruled:
            self._block = self._delay_block = _Block()
        elif self._delayed:
            self._delay_block = _Block()
        self._ruled = self._delayed = False
        for name in self._names(value):
            _share(self.blocks, name, self._block)
            _share(self.delays, name, self._delay_block)

    def _names(self, value: bytes) -> set[bytes]:
        """The names in an agent line.

        Its leading token, as Google reads it, and the whole line if it is one word.
        """
        if value[:1] == b"*" and not value[1:2].strip():
            return {EVERYONE}
        token = _TOKEN.match(value)
        names = {token.group().lower()} if token else set()
        if len(value.split()) == 1:
            spelled = {_folded(value), _folded(value).replace(b"*", b"")} - {b""}
            self.spelled |= spelled
            names |= spelled
        return names - {b""}

    def _rule(self, patterns: list[bytes], value: bytes) -> None:
        self._ruled = True
        if value:
            patterns.append(value)


def robots_allows(text: str | bytes, *, agent: str, url: str) -> bool:
    """Whether the robots.txt `text` lets `agent` fetch `url`."""
    return Robots.parse(text).allows(agent, url)


def robots_crawl_delay(text: str | bytes, *, agent: str) -> float | None:
    """The crawl-delay that the robots.txt `text` asks of `agent`, in seconds."""
    return Robots.parse(text).crawl_delay(agent)


def _as_bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _folded(name: bytes) -> bytes:
    return name.decode("utf-8", "replace").lower().encode("utf-8")


def _share(blocks: dict[bytes, list[_Block]], name: bytes, block: _Block) -> None:
    own = blocks.setdefault(name, [])
    if not own or own[-1] is not block:
        own.append(block)


def _names_inside(agent: bytes) -> Iterator[bytes]:
    """All substrings of letters that begin at the start of a word and end at the end of its letters."""
    for start in _WORD_START.finditer(agent):
        for end in range(start.start() + 1, len(agent) + 1):
            if not agent[end : end + 1].isalpha():
                yield agent[start.start() : end]


def _lines(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in _without_bom(content).splitlines():
        pair = _key_and_value(line[:MAX_LINE])
        if pair:
            yield pair


def _without_bom(content: bytes) -> bytes:
    """Drop a byte order mark, or a part of one."""
    for size in (3, 2, 1):
        if content.startswith(_BOM[:size]):
            return content[size:]
    return content


def _key_and_value(line: bytes) -> tuple[bytes, bytes] | None:
    line = line.partition(b"#")[0].partition(b"\0")[0].strip()
    key, colon, value = line.partition(b":")
    if not colon:  # forgotten colon; accepted between exactly two words
        words = line.split()
        if len(words) != 2:
            return None
        key, value = words
    key = key.strip()
    return (key, value.strip()) if key else None


def _seconds(value: bytes, otherwise: float | None) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return otherwise
    return seconds if math.isfinite(seconds) and seconds >= 0 else otherwise

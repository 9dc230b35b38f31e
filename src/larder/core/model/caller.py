"""Who is calling, and what they may do: the same value whether a key or a browser's session let them in."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a key opens. Admin opens all that read opens."""

    READ = "read"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody at the door."""

    name: str
    scopes: frozenset[Scope] = frozenset()
    key: str | None = None
    """The prefix of the key that let them in, if one did."""

    def may(self, scope: Scope) -> bool:
        """Are they let in there?"""
        return scope in self.scopes or Scope.ADMIN in self.scopes

    @property
    def known(self) -> bool:
        """They showed something that we gave them."""
        return bool(self.scopes)


ANYONE = Caller(name="anyone")
"""Whoever shows nothing: sees what is public."""

"""Regular expressions that are compiled on first use.

Patterns of many words take milliseconds each to compile, most are about dates, and most processes read no
page. Where events are read, the process that parse workers are forked from compiles all of them beforehand.
"""

import re
from typing import Any, cast

_uncompiled: set["_LazyPattern"] = set()


class _LazyPattern:
    """Becomes a compiled pattern on first use of an attribute."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags
        _uncompiled.add(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        _uncompiled.discard(self)
        compiled = re.compile(self._text, self._flags)
        members = (member for member in dir(compiled) if not member.startswith("_"))
        vars(self).update({member: getattr(compiled, member) for member in members})
        return getattr(compiled, name)


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, on first use; an invalid pattern fails only then."""
    return cast("re.Pattern[str]", _LazyPattern(text, flags))


def compile_patterns() -> None:
    """Compile all patterns of the modules that are loaded."""
    for each in list(_uncompiled):
        _ = each.pattern

"""Identifies the code that reads a page, to the byte.

A version that its author forgot to raise would go unnoticed, so the version stored beside every value has a
digest of the adapter's own files: `1.2.0+4f1c0a9e`. A source's declarations (its selectors and strategies)
are part of the code that reads its pages, too: `1.2.0+4f1c0a9e.77b2d1`.
"""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from larder.sdk.adapter import SiteAdapter

DECLARED = ("selectors", "strategies")
_READS = (".py", ".yaml")
_DECLARATION = re.compile(r"(?<=\+[0-9a-f]{8})\.[0-9a-f]{6}$")


def version_of(adapter: SiteAdapter, params: Any) -> str:
    """The version that reads the pages of a source with these params."""
    code = adapter_revision(adapter)
    values = params if isinstance(params, Mapping) else {}
    declared = {name: values[name] for name in DECLARED if values.get(name)}
    if not declared:
        return code
    encoded = orjson.dumps(declared, option=orjson.OPT_SORT_KEYS, default=str)
    return f"{code}.{hashlib.sha256(encoded).hexdigest()[:6]}"


def same_code(one: str, other: str) -> bool:
    """Whether two versions of a source differ at most in what the source declares."""
    return _DECLARATION.sub("", one) == _DECLARATION.sub("", other)


@lru_cache(maxsize=256)
def adapter_revision(adapter: SiteAdapter) -> str:
    """An adapter's version with a digest of its code; the bare version if its files cannot be read."""
    kind = type(adapter)
    digest = hashlib.sha256(kind.__qualname__.encode())
    files = list(_files(kind))
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{kind.version}+{digest.hexdigest()[:8]}" if files else kind.version


def _files(kind: type[SiteAdapter]) -> Iterator[Path]:
    """The files of an adapter's folder without fixtures; for one in a module among others, that module."""
    place = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if place is None or not Path(place).is_file():
        return
    module = Path(place)
    if module.name != "adapter.py":
        yield module
        return
    yield from (path for path in sorted(module.parent.iterdir()) if path.suffix in _READS)

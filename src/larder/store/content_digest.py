"""The digest of a record's fields: equal fields have equal digests, so unchanged ones need not be read."""

import hashlib
from collections.abc import Mapping
from typing import Any

from larder.store import json_safe


def digest(content: Mapping[str, Any]) -> str:
    """A digest of content: equal content has equal digests. Counts of people are rounded to two digits."""
    if isinstance(people := content.get("interested"), int):
        content = {**content, "interested": f"{people:.1e}"}
    return hashlib.sha256(json_safe.dumps(content)).hexdigest()[:32]

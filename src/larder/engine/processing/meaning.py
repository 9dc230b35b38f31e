"""The normalized meaning of a source's raw fields, to compare readings."""

from collections.abc import Mapping
from typing import Any

from larder.core.model.item import Item
from larder.core.model.source import Source
from larder.stages.normalize import Context, fields_without_validation
from larder.stages.parse.repair import ReadMeaning, Sample


def meaning_on(source: Source, *, index: bool) -> ReadMeaning:
    """How this source's raw fields are normalized."""

    def understand(raw: Mapping[str, Any], sample: Sample) -> Mapping[str, Any]:
        context = Context.of(source, base_url=sample.page.url, observed_at=sample.at, index=index)
        try:
            return fields_without_validation(Item(fields=raw), context)
        except Exception:  # noqa: BLE001 - what cannot be understood means nothing
            return {}

    return understand

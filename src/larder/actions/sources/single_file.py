"""Reads one source from one file: its selectors alone, or all its fields.

A file with `sources:` is a catalogue, and must contain exactly one; any other is a declaration, to which the
caller adds the address. Every error names the file and the line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from larder.actions.sources import catalogue
from larder.actions.sources.spec import SiteSpec
from larder.core.errors import BadInput
from larder.core.model.hint import Hint
from larder.sdk.declarations.declaration import parse_declaration, read_text
from larder.sdk.declarations.yaml_lines import Lines
from larder.store.reads.lookup import domain_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleSource:
    """The fields of a source and of its site."""

    source: Mapping[str, Any] = field(default_factory=dict)
    site: SiteSpec = field(default_factory=SiteSpec)


def read(path: Path) -> SingleSource:
    """Read the only source of a file; `BadInput` if it is invalid or there are several."""
    text = read_text(path)
    entries = Lines(text, name=str(path)).value
    if not isinstance(entries, dict) or "sources" not in entries:
        return SingleSource(source={"params": parse_declaration(text, name=str(path))})
    listed = catalogue.parse(text, name=str(path))
    if len(listed.sources) > 1:
        raise BadInput(
            f"{listed.where(1)}: this is a second source",
            hint=Hint(text="import them all", action="source.import", target=str(path)),
        )
    (source,) = listed.sources
    return SingleSource(
        source=source.model_dump(exclude_unset=True), site=listed.sites.get(domain_of(source.url), SiteSpec())
    )

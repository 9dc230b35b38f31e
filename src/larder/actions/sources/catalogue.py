"""A catalogue is a YAML file of sources: read whole, checked whole, imported whole or not at all.

    defaults: {adapter: listing, tier: cool}      # said once for all sources below
    sites:
      example.com: {preset: classifieds, terms_reviewed_by: ada}
    sources:
      - slug: example-rentals
        url: https://example.com/rentals

Every complaint names the file and the line.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from larder.actions.sources import sources
from larder.actions.sources.sites import save_fields
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.core.validation_messages import validation_message
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.sdk.declarations.yaml_lines import Lines, line_of
from larder.sdk.selectors import BadSelector
from larder.sdk.urls import registrable_domain
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.reads.lookup import domain_of

Path_ = tuple[Hashable, ...]


class _File(BaseModel):
    """The structure of the file; `defaults` stay raw until they are merged into a source."""

    model_config = ConfigDict(extra="forbid")

    defaults: dict[str, Any] = Field(default_factory=dict)
    sites: dict[str, SiteSpec] = Field(default_factory=dict)
    sources: list[SourceSpec] = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A catalogue that was read without errors."""

    name: str
    sources: Sequence[SourceSpec]
    sites: dict[str, SiteSpec] = field(default_factory=dict)
    lines: Sequence[int] = ()
    """Where each source begins in the file."""

    def where(self, number: int) -> str:
        """`file:line` of a source."""
        return f"{self.name}:{self.lines[number]}" if self.lines else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCatalogue:
    """The sources that an import added, changed or left alone."""

    catalogue: str
    sources: Sequence[sources.SavedSource]

    def count(self, change: str) -> int:
        """How many were `added`, `changed` or `unchanged`."""
        return sum(source.change == change for source in self.sources)


def shipped_catalogues() -> list[str]:
    """The catalogues that come with Larder."""
    folder = files("larder") / "catalogues"
    return sorted(each.name.removesuffix(".yaml") for each in folder.iterdir() if each.name.endswith(".yaml"))


def read(name: str) -> Catalogue:
    """Read a catalogue from a file, or by the name of one that comes with Larder."""
    if name in shipped_catalogues():
        return parse((files("larder") / "catalogues" / f"{name}.yaml").read_text(encoding="utf-8"), name=name)
    try:
        return parse(decode(Path(name).read_bytes(), name=name), name=name)
    except FileNotFoundError as error:
        hint = f"give a path, or one of: {', '.join(shipped_catalogues())}"
        raise BadInput(f"there is no file {name}", hint=hint) from error
    except OSError as error:
        raise BadInput(f"{name} cannot be read ({error.strerror})", hint="check the path") from error


def decode(raw: bytes, *, name: str) -> str:
    """The text of a catalogue's file."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{name} is not UTF-8 text (byte {error.start})", hint="save it as UTF-8") from error


def parse(text: str, *, name: str = "catalogue") -> Catalogue:
    """A catalogue from its text; `BadInput` names the first mistake and its line."""
    lines = Lines(text, name=name)
    if not isinstance(lines.value, dict):
        raise BadInput(
            f"{name}:1: a catalogue begins with `sources:`", hint="see docs/reference/catalogue.md"
        )
    _refuse_doubles(lines)
    entries = _with_defaults(lines)
    try:
        read_ = _File.model_validate(entries)
    except ValidationError as error:
        raise _validation_error(error, lines) from error
    starts = [line_of(lines.tree, ("sources", number)) for number in range(len(read_.sources))]
    _refuse_same_slugs(read_.sources, starts, name)
    return Catalogue(name=name, sources=read_.sources, sites=_domains(read_.sites, lines), lines=starts)


def import_all(
    conn: Connection, catalogue: Catalogue, settings: DispatchSettings, *, who: str, now: datetime
) -> ImportedCatalogue:
    """Add or change every source of it; the first error undoes all changes."""
    done = []
    for domain, site in catalogue.sites.items():
        save_fields(conn, domain, site, now=now)
    for number, spec in enumerate(catalogue.sources):
        try:
            done.append(sources.save(conn, spec, settings, who=who, now=now))
        except BadInput as error:
            raise BadInput(f"{catalogue.where(number)}: {error}", hint=error.hint) from error
    details = {"added": [source.slug for source in done if source.change == "added"]}
    audit.record(conn, "catalogue imported", catalogue.name, details, who=who, now=now)
    return ImportedCatalogue(catalogue=catalogue.name, sources=done)


def _with_defaults(lines: Lines) -> dict[str, Any]:
    """Each source with the defaults that it does not set itself."""
    entries: dict[str, Any] = lines.value
    defaults, listed = entries.get("defaults") or {}, entries.get("sources")
    if not isinstance(defaults, dict):
        raise BadInput(f"{lines.where(('defaults',))}: `defaults` must be a mapping")
    if not isinstance(listed, list):
        return entries
    return {
        **entries,
        "sources": [{**defaults, **each} if isinstance(each, dict) else each for each in listed],
    }


def _validation_error(error: ValidationError, lines: Lines) -> BadInput:
    first = error.errors(include_url=False)[0]
    path = tuple(first["loc"])
    cause = getattr(first.get("ctx", {}).get("error"), "__cause__", None)
    if isinstance(cause, BadSelector):
        hint = cause.hint or "see docs/reference/selectors.md"
        return BadInput(f"{lines.where((*path, *cause.trail))}: {cause}", hint=hint)
    return BadInput(
        f"{lines.where(path)}: {_message(first['type'], path, first['msg'])}",
        hint="docs/reference/catalogue.md lists the fields",
    )


def _message(kind: str, path: Path_, message: str) -> str:
    field_name = next((str(part) for part in reversed(path) if not isinstance(part, int)), "catalogue")
    if kind == "extra_forbidden":
        close = get_close_matches(field_name, [*SourceSpec.model_fields, *SiteSpec.model_fields], n=1)
        return f"there is no field `{field_name}`" + (f"; did you mean `{close[0]}`?" if close else "")
    if kind == "missing":
        return f"`{field_name}` is missing"
    if kind == "too_short" and path == ("sources",):
        return "there are no sources in it"
    text = validation_message(message)
    return f"`{field_name}`: {text[0].lower()}{text[1:]}"


def _refuse_doubles(lines: Lines) -> None:
    """Refuse duplicate keys: YAML would silently keep the last of them."""
    for mapping in _mappings(lines.tree):
        seen: dict[str, int] = {}
        for key, _ in mapping.value:
            line = key.start_mark.line + 1
            if isinstance(key.value, str) and key.value in seen:
                raise BadInput(
                    f"{lines.name}:{line}: `{key.value}` appears twice (first on line {seen[key.value]})",
                    hint="keep one of them",
                )
            seen[str(key.value)] = line


def _mappings(tree: yaml.Node) -> Iterator[yaml.MappingNode]:
    """Every mapping once; an alias may refer to a mapping around it."""
    left, seen = [tree], set()
    while left:
        node = left.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield node
        left += [each[1] if isinstance(each, tuple) else each for each in node.value]


def _refuse_same_slugs(specs: Sequence[SourceSpec], lines: Sequence[int], name: str) -> None:
    seen: dict[str, int] = {}
    for spec, line in zip(specs, lines, strict=True):
        if not spec.slug:
            raise BadInput(
                f"{name}:{line}: this source has no slug", hint="name it, e.g. slug: example-rentals"
            )
        if spec.slug in seen:
            raise BadInput(
                f"{name}:{line}: {quoted(spec.slug)} appears twice (first on line {seen[spec.slug]})",
                hint="give each source a slug of its own",
            )
        seen[spec.slug] = line


def _domains(message: dict[str, SiteSpec], lines: Lines) -> dict[str, SiteSpec]:
    for domain in message:
        if registrable_domain(domain) != domain:
            raise BadInput(
                f"{lines.where(('sites', domain))}: {quoted(domain)} is not a registrable domain",
                hint="omit the protocol, the path and subdomains such as www",
            )
    return {domain_of(domain): spec for domain, spec in message.items()}

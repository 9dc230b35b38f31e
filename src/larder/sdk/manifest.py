"""The `manifest.yaml` in an adapter's folder, for people and for dispatch."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from larder.core.errors import BadInput

_KEYS = frozenset({"owner", "summary", "javascript", "reads"})
_READS = frozenset({"index", "detail", "actor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The maintainer of the adapter, and the needs of its pages."""

    owner: str
    summary: str
    javascript: bool = False
    """Whether its pages are empty until a browser ran their scripts."""
    reads: tuple[str, ...] = ("index", "detail")


def load_manifest(package: str) -> Manifest:
    """The manifest of an adapter's folder; `BadInput` names the error."""
    place = files(package) / "manifest.yaml"
    if not place.is_file():
        raise BadInput(f"{package}: manifest.yaml is missing", hint="see docs/reference/adapters.md")
    return check_manifest(yaml.safe_load(place.read_text(encoding="utf-8")), f"{package}/manifest.yaml")


def check_manifest(declared: Any, location: str) -> Manifest:
    """A manifest from what its file holds."""
    if not isinstance(declared, dict):
        raise BadInput(f"{location}: expected a mapping")
    unknown = sorted(map(str, declared.keys() - _KEYS))
    missing = sorted({"owner", "summary"} - declared.keys())
    if unknown or missing:
        wrong = [*(f"unknown key {name}" for name in unknown), *(f"missing key {name}" for name in missing)]
        raise BadInput(f"{location}: {', '.join(wrong)}", hint=f"known: {', '.join(sorted(_KEYS))}")
    reads = tuple(declared.get("reads", ("index", "detail")))
    if not set(reads) <= _READS or not isinstance(declared.get("javascript", False), bool):
        known = ", ".join(sorted(_READS))
        raise BadInput(f"{location}: `reads` is a list of {known}; `javascript` is true or false")
    return Manifest(
        owner=str(declared["owner"]),
        summary=str(declared["summary"]),
        javascript=declared.get("javascript", False),
        reads=reads,
    )

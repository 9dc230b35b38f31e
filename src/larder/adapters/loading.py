"""Loads adapters that others wrote: from installed packages (entry points) and from a folder.

An adapter that cannot be loaded is returned as `BrokenAdapter` and never stops the others.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from larder.core.errors import BadInput, LarderError
from larder.core.model.hint import Hint
from larder.core.model.source import Kind
from larder.sdk import SiteAdapter

GROUP = "larder.adapters"
ADAPTER_ID = re.compile(r"[a-z][a-z0-9_]{1,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedAdapter:
    """An adapter and where it was loaded from."""

    adapter: SiteAdapter
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenAdapter:
    """An adapter that cannot be used, and why."""

    name: str
    origin: str
    error: str


LoadResult = LoadedAdapter | BrokenAdapter


def from_packages() -> Iterator[LoadResult]:
    """Every adapter that an installed package declares in the entry point group `larder.adapters`."""
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        origin = f"package {point.dist.name} {point.dist.version}" if point.dist else "package"
        try:
            yield LoadedAdapter(adapter=_adapter_of(point), origin=origin)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - other people's code may raise anything
            yield BrokenAdapter(name=point.name, origin=origin, error=_reason(error))


def from_folder(folder: Path) -> Iterator[LoadResult]:
    """Every subfolder of `folder` that holds an adapter.py."""
    origin = f"folder {folder}"
    if not folder.is_dir():
        yield BrokenAdapter(name=folder.name, origin=origin, error="the folder does not exist")
        return
    for place in sorted(folder.iterdir()):
        if (place / "adapter.py").is_file():
            try:
                yield LoadedAdapter(adapter=load_folder(place), origin=origin)
            except LarderError as error:
                yield BrokenAdapter(name=place.name, origin=origin, error=str(error))


def load_folder(folder: Path) -> SiteAdapter:
    """The adapter in one folder; `BadInput` says why it cannot be loaded."""
    code = folder / "adapter.py"
    if not code.is_file():
        hint = Hint(text="create one", action="adapter.new", target=folder.name)
        raise BadInput(f"there is no adapter.py in {folder}", hint=hint)
    try:
        module = import_module(f"{_parent_package(folder.resolve().parent)}.{folder.resolve().name}.adapter")
    except (Exception, SystemExit) as error:
        message = f"{code} cannot be loaded ({_reason(error)})"
        raise BadInput(message, hint="correct the code and run the command again") from error
    return _checked(_class_in(module, code))


def _parent_package(folder: Path) -> str:
    """A package whose modules are this folder's: its name cannot hide another module of the same name."""
    name = f"larder_adapters_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    invalidate_caches()
    return name


def _class_in(module: ModuleType, code: Path) -> type[SiteAdapter]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, SiteAdapter) and value.__module__ == module.__name__:
            return value
    raise BadInput(f"{code} has no class that extends SiteAdapter", hint="see docs/reference/adapters.md")


def _adapter_of(point: EntryPoint) -> SiteAdapter:
    found = point.load()
    if not (isinstance(found, type) and issubclass(found, SiteAdapter)):
        raise BadInput(f"{point.value} is not a class that extends SiteAdapter")
    return _checked(found)


def _checked(found: type[SiteAdapter]) -> SiteAdapter:
    """An adapter with the four names and a manifest."""
    missing = [name for name in ("id", "version", "kind") if not hasattr(found, name)]
    if missing:
        raise BadInput(f"{found.__name__} does not set {', '.join(missing)}")
    if not ADAPTER_ID.fullmatch(str(found.id)):
        raise BadInput(f"{found.__name__}.id is {found.id}: use lower-case letters, digits and _")
    if str(found.kind) not in set(Kind):
        raise BadInput(f"{found.__name__}.kind is {found.kind}: use one of {', '.join(Kind)}")
    adapter = found()
    _ = adapter.manifest
    return adapter


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, LarderError) else f"{type(error).__name__}: {error}"

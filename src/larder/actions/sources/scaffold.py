"""Generates a new adapter whose fixture test passes: a folder, an installable package, or a declaration.

A declaration is one YAML file that `larder source import` reads; a plain site needs no code.
"""

import json
import keyword
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from larder.adapters.loading import ADAPTER_ID
from larder.core.errors import BadInput
from larder.core.model.source import Kind
from larder.core.quoting import quoted


class AdapterForm(StrEnum):
    """The form of a new adapter: a folder, an installable package or a YAML declaration."""

    FOLDER = "folder"
    PACKAGE = "package"
    DECLARATION = "declaration"


def scaffold(
    name: str, *, kind: Kind, domain: str, form: AdapterForm = AdapterForm.FOLDER
) -> Mapping[str, str]:
    """The files of a new adapter by their paths."""
    if not ADAPTER_ID.fullmatch(name) or keyword.iskeyword(name):
        raise BadInput(
            f"invalid adapter name {quoted(name)}",
            hint="lower-case letters, digits and _, such as corner_shop",
        )
    match form:
        case AdapterForm.DECLARATION:
            return {f"{name}.yaml": _declaration(name, kind, domain)}
        case AdapterForm.PACKAGE:
            return _package(name, kind, domain)
        case AdapterForm.FOLDER:
            files = {**_module(name, kind, domain), "README.md": _readme(name, domain, _USE_FOLDER)}
            return {f"{name}/{path}": text for path, text in files.items()}


def _module(name: str, kind: Kind, domain: str) -> dict[str, str]:
    return {
        "__init__.py": f'"""The adapter `{name}`."""\n',
        "adapter.py": _code(name, kind, domain),
        "manifest.yaml": f"owner: you\nsummary: The pages of {domain}.\njavascript: false\nreads: [detail]\n",
        "test_fixtures.py": _test(name),
        "fixtures/example/page.html": _page(kind),
        "fixtures/example/expected.json": json.dumps(_expected(kind, domain), indent=2) + "\n",
    }


def _package(name: str, kind: Kind, domain: str) -> dict[str, str]:
    """A project that pip installs; Larder finds the adapter by its entry point."""
    project, module = f"larder-{name.replace('_', '-')}", f"larder_{name}"
    files = {f"{module}/{path}": text for path, text in _module(name, kind, domain).items()}
    files["pyproject.toml"] = _project(name, project, module, domain)
    files["README.md"] = _readme(name, domain, _USE_PACKAGE.format(module=module))
    return {f"{project}/{path}": text for path, text in files.items()}


def write(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Write the files; existing files are never overwritten."""
    places = {folder / path: text for path, text in files.items()}
    existing = next((place for place in places if place.exists()), None)
    if existing is not None:
        raise BadInput(f"{existing} exists already", hint="choose another name, or remove it first")
    try:
        for place, text in places.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(
            f"{folder} cannot be written ({error.strerror})", hint="choose another folder"
        ) from error
    return list(places)


def class_name(name: str) -> str:
    """`corner_shop` as a class: `CornerShop`."""
    return "".join(part.capitalize() for part in name.split("_"))


_FIELDS = {
    Kind.PRODUCT: {"title": "h1", "price": ".price", "availability": ".stock", "sku": ".sku"},
    Kind.LISTING: {"title": "h1", "price": ".price", "area": ".area", "rooms": ".rooms"},
    Kind.EVENT: {"title": "h1", "date_text": ".date", "venue": ".venue"},
}
_VALUES = {
    "title": "An example", "price": "€ 24,90", "availability": "In stock", "sku": "EX-1", "area": "54 m²",
    "rooms": "2 rooms", "date_text": "Saturday 14 March 2026, 20:30", "venue": "The Hall",
}  # fmt: skip


def _code(name: str, kind: Kind, domain: str) -> str:
    fields = "".join(
        f'            "{field}": text_of(page.first("{css}")),\n' for field, css in _FIELDS[kind].items()
    )
    return f'''"""The pages of {domain}: where each value stands."""

from larder.sdk import Extracted, Failed, FailReason, Item, Kind, Page, Reading, SiteAdapter, text_of


class {class_name(name)}(SiteAdapter):
    """It sees a page and says what is on it."""

    id, version, domain, kind = "{name}", "0.1.0", "{domain}", Kind.{kind.name}

    def read_detail(self, page: Page) -> Reading:
        """The one thing a page is about; values stay as the page shows them."""
        fields = {{
{fields}        }}
        found = {{field: value for field, value in fields.items() if value}}
        if "title" not in found:
            return Failed(reason=FailReason.TITLE_NOT_FOUND)
        return Extracted(items=(Item(fields=found, strategy=self.id),), strategy=self.id)
'''


def _page(kind: Kind) -> str:
    rows = "".join(
        f'  <p class="{css[1:]}">{_VALUES[field]}</p>\n'
        for field, css in _FIELDS[kind].items()
        if css != "h1"
    )
    return f"<!doctype html>\n<title>An example</title>\n<main>\n  <h1>An example</h1>\n{rows}</main>\n"


def _expected(kind: Kind, domain: str) -> dict[str, object]:
    values = {field: _VALUES[field] for field in _FIELDS[kind]}
    return {"url": f"https://{domain}/example", "purpose": "detail", "items": [values]}


def _test(name: str) -> str:
    return f'''"""Every fixture folder reads as expected."""

from pathlib import Path

from larder.adapters.loading import load_folder
from larder.extraction.fixtures import check_fixtures


def test_every_fixture_reads_as_expected() -> None:
    adapter = load_folder(Path(__file__).parent)
    assert adapter.id == "{name}"
    results = check_fixtures(adapter)
    assert results
    assert [each for each in results if not each.held] == []
'''


_USE_FOLDER = """- `larder adapter test {name}` reads every folder in `fixtures/`
- to use it: set `LARDER_ADAPTERS_DIR` to the folder that holds this one"""
_USE_PACKAGE = """- `larder adapter test {module}` reads every folder in `{module}/fixtures/`
- to use it: `pip install .` beside Larder; its entry point in `pyproject.toml` is found by itself"""


def _readme(name: str, domain: str, use: str) -> str:
    return f"""# {name}

Reads {domain}. Write fixtures by hand after the site's structure: a saved page belongs to its site.

{use.replace("{name}", name)}
- `larder adapter list` shows whether it was loaded
- `larder try page.html --url https://{domain}/page` shows what it reads from a page
"""


def _project(name: str, project: str, module: str, domain: str) -> str:
    return f"""[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "{project}"
version = "0.1.0"
description = "Larder adapter for {domain}"
requires-python = ">=3.11"
dependencies = ["larder"]

[project.entry-points."larder.adapters"]
{name} = "{module}.adapter:{class_name(name)}"

[tool.setuptools]
packages = ["{module}"]

[tool.setuptools.package-data]
{module} = ["manifest.yaml", "fixtures/**/*"]
"""


def _declaration(name: str, kind: Kind, domain: str) -> str:
    detail = "".join(f"            {field}: {css}\n" for field, css in _FIELDS[kind].items())
    return f"""# A plain site needs no code.
# Try it:      larder try https://{domain}/page --selectors {name}.yaml
# Take it in:  larder source import {name}.yaml
sources:
  - slug: {name.replace("_", "-")}
    url: https://{domain}/
    kind: {kind}
    params:
      selectors:
        index:
          row: article            # one element a row
          fields:
            title: h2 a
            url: h2 a@href        # an attribute
            price: [.price-new, .price]   # alternatives: the first that finds something
          next: a.next@href       # found: there is another page
        detail:
          fields:
{detail}"""

"""The reference says what the code says: commands, settings, the API, fields of a catalogue.

Four pages are written from the code itself. After a change: `python tests/unit/test_reference.py`.
"""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.api import api_routes
from larder.api.openapi import ADMIN_PROBLEMS, PROBLEMS, openapi_document
from larder.app.metrics import FAMILIES
from larder.cli import COMMANDS, load_command
from larder.settings import Settings

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
EVERYWHERE = "one JSON document"
"""So begins the help of the `--json` that nearly every command has."""

COMMANDS_HEAD = """\
# Commands

`larder --help` and `larder COMMAND --help` say the same. Every command takes `--json`: one JSON document on
standard output and nothing else there (`up`, `worker`, `beat` and `demo` write one a line). Errors are two
lines on standard error, `error: …` and `hint: …`.

| exit code | means |
|---|---|
| 0 | done |
| 1 | it was tried and failed (a run that ended `failed`) |
| 2 | wrong use: a value, a file, a folder, a database or a port that cannot be used |
| 130, 143 | stopped by Ctrl-C or SIGTERM before it was done; `up` and `demo` end with 0 |

Durations are written `500ms`, `25s`, `2m`, `1h` or `1d`; a bare number is seconds. `larder --version` prints
the version; `--install-completion` and `--show-completion` set up completion for your shell.
"""

API_HEAD = """\
# API

Every route, written from the code. The same with schemas, for programs: `/api/openapi.json`.
How it is used: [use the API](../how-to/use-the-api.md).

Routes below `/api/admin` need a key with the scope `admin` (`larder key add NAME --scope admin`), sent as
`Authorization: Bearer KEY`; a browser's session will do, if it also sends its `X-CSRF-Token`. Long lists take
`limit`, and `before` or `after` to go on. A parameter that a route does not know is refused, not passed over.

Errors are `application/problem+json` (RFC 9457): `title`, `status`, `detail`, and a `hint` where there is a
next step.

| status | means |
|---|---|
"""

SETTINGS_HEAD = """\
# Settings

A deployment is set up by environment variables, or by the same lines in a file `.env` in the folder where
`larder` is started. What is not set has its default. A value that cannot be used is refused with its name: no
command guesses. The demo ignores these settings: it has its own sites and its own folder.

| variable | default | what it does |
|---|---|---|
"""


def commands_page() -> str:
    parts = [COMMANDS_HEAD]
    for name, entry in COMMANDS.items():
        command = load_command(name)
        below = getattr(command, "commands", None)
        parts.append(f"## larder {name}\n\n{entry.help if below else _help(command)}\n")
        for part, each in (below or {}).items():
            parts.append(f"### larder {name} {part}\n\n{_help(each)}\n")
    return "\n".join(parts)


def _help(command: Any) -> str:
    rows = list(_parameters(command))
    table = "\n\n| | |\n|---|---|\n" + "\n".join(rows) if rows else ""
    return f"{(command.help or '').strip()}{table}"


def _parameters(command: Any) -> Iterator[str]:
    for each in command.params:
        if each.name == "help" or EVERYWHERE in (each.help or "") or getattr(each, "hidden", False):
            continue
        if each.param_type_name == "argument":
            yield f"| `{each.metavar or each.name.upper()}` | {each.help or ''} |"
            continue
        flags = " / ".join(f"`{flag}`" for flag in (*each.opts, *each.secondary_opts))
        default = "" if each.default in (None, False, True, "") else f" Default: {_plain(each.default)}."
        yield f"| {flags} | {each.help or ''}{default} |"


def settings_page() -> str:
    rows = (
        f"| `LARDER_{name.upper()}` | {_default(field)} | {field.description} |"
        for name, field in Settings.fields().items()
    )
    return SETTINGS_HEAD + "\n".join(rows) + "\n"


def _default(field: Any) -> str:
    value = field.default
    if value is None or isinstance(value, tuple):
        return "–"
    plain = _plain(value)
    return f"`{plain}`" if plain else "–"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.value if isinstance(value, Enum) else value)


def api_page() -> str:
    described = openapi_document(api_routes())
    problems = sorted((PROBLEMS | ADMIN_PROBLEMS).items())
    parts = [API_HEAD + "".join(f"| {status} | {each['description']} |\n" for status, each in problems)]
    told: set[str] = set()
    for method, path, operation in _operations(described):
        (noun,) = operation["tags"]
        if noun not in told:
            told.add(noun)
            parts.append(f"## {noun[0].upper()}{noun[1:]}\n")
        parts.append(
            f"### {method.upper()} /api{path}\n\n{_route(operation, described['components']['schemas'])}"
        )
    return "\n".join(parts)


def _operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def _route(operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    key = " Needs an admin key." if operation.get("security") else ""
    text = f"{operation['summary']}. {operation['description'].strip()}{key}\n"
    rows = [
        f"| `{each['name']}` | {each['in']} | {each.get('description', '')} |"
        for each in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        called = next(each for each in body["schema"].get("anyOf", [body["schema"]]) if "$ref" in each)
        fields = schemas[called["$ref"].rsplit("/", 1)[-1]]["properties"]
        rows += [f"| `{name}` | body | {field.get('description', '')} |" for name, field in fields.items()]
    return text + ("\n| | | |\n|---|---|---|\n" + "\n".join(rows) + "\n" if rows else "")


METRICS_HEAD = """\
# Metrics

What `/metrics` says, written from the code. How it is set up: [monitor a deployment](../how-to/monitor.md).

Everything is read from the database: one process that serves answers for all workers, and only one needs
to be scraped. Counters begin at 0 with the process that answers, as Prometheus expects of a restart. An
answer is given again for 5 seconds, or for 20 times what it took. The labels `source`, `site` and `adapter`
have at most `LARDER_METRICS_SOURCES` values; further sources are added up as `other`.

| metric | type | labels | what it says |
|---|---|---|---|
"""


def metrics_page() -> str:
    rows = []
    for name, each in FAMILIES.items():
        labels = ", ".join(f"`{label}`" for label in each.labels) or "–"
        rows.append(f"| `{name}` | {each.type} | {labels} | {each.help} |")
    return METRICS_HEAD + "\n".join(rows) + "\n"


PAGES = {
    "cli.md": commands_page,
    "settings.md": settings_page,
    "api.md": api_page,
    "metrics.md": metrics_page,
}


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_what_the_code_says(page: str) -> None:
    assert (REFERENCE / page).read_text() == PAGES[page](), "run: python tests/unit/test_reference.py"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does(command: str) -> None:
    loaded = load_command(command)
    for each in (loaded, *getattr(loaded, "commands", {}).values()):
        assert each.help
        assert all(parameter.help for parameter in each.params if parameter.name != "help"), each.name


@pytest.mark.parametrize("model", [SourceSpec, SiteSpec])
def test_every_field_of_a_catalogue_is_told(model: type[BaseModel]) -> None:
    page = (REFERENCE / "catalogue.md").read_text()
    assert [name for name in model.model_fields if f"| `{name}` |" not in page] == []


if __name__ == "__main__":
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page())

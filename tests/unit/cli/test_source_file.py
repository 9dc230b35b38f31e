"""`larder source add --file`: a plain site needs a YAML file and no code."""

import json
import sqlite3
from typing import Any

import pytest

from tests.unit.cli.conftest import Shell

URL = "https://corner.example/flats"
SELECTORS = "selectors:\n  index: {row: article, fields: {title: h2, url: h2 a@href}}\n"


def kept(shell: Shell) -> dict[str, Any]:
    with sqlite3.connect(shell.data / "larder.db") as database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("SELECT * FROM sources").fetchone())
    database.close()
    return {**row, "params": json.loads(row["params"])}


def test_selectors_from_a_file_and_the_rest_from_the_command(larder: Shell) -> None:
    (larder.folder / "corner.yaml").write_text(SELECTORS)
    added = larder(
        "source", "add", URL, "--file", "corner.yaml", "--kind", "listing", "--tier", "hot", "--json"
    )
    assert (added.code, added.json["slug"]) == (0, "corner")
    row = kept(larder)
    assert (row["url"], row["tier"], row["plan"]) == (URL, "hot", "index")
    assert row["params"]["selectors"]["index"]["row"] == "article"


WHOLE = f"""
sites:
  corner.example: {{preset: crawler, terms_reviewed_by: ada}}
sources:
  - slug: corner-flats
    url: {URL}
    kind: listing
    tier: cool
    params:
      selectors:
        index: {{row: article, fields: {{title: h2}}}}
"""


def test_all_of_it_from_a_file(larder: Shell) -> None:
    (larder.folder / "corner.yaml").write_text(WHOLE)
    added = larder("source", "add", "--file", "corner.yaml", "--json").json
    assert (added["slug"], [reason["gate"] for reason in added["why"]["blocked_by"]]) == ("corner-flats", [])
    assert kept(larder)["tier"] == "cool"


def test_the_command_wins_over_the_file(larder: Shell) -> None:
    (larder.folder / "corner.yaml").write_text(WHOLE)
    assert larder("source", "add", "--file", "corner.yaml", "--tier", "hot", "--slug", "mine").code == 0
    row = kept(larder)
    assert (row["slug"], row["tier"], row["kind"]) == ("mine", "hot", "listing")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            "selectors:\n  index:\n    row: 'p[['\n    fields: {title: b}\n", "corner.yaml:3: ", id="selector"
        ),
        pytest.param(
            "selectors:\n  detail: {fields: {title: h1}}\nstrategy: [x]\n", "corner.yaml:3: ", id="key"
        ),
        pytest.param("selectors:\n  index: [\n", "corner.yaml:3: this is not YAML", id="YAML"),
        pytest.param("sources:\n  - {slug: a, url: nope}\n", "corner.yaml:2: ", id="source"),
        pytest.param(
            f"sources:\n  - {{slug: a, kind: event, url: {URL}}}\n  - {{slug: b, kind: event, url: {URL}}}\n",
            "corner.yaml:3: this is a second source",
            id="too many",
        ),
    ],
)  # fmt: skip
def test_a_mistake_names_its_line(larder: Shell, text: str, says: str) -> None:
    (larder.folder / "corner.yaml").write_text(text)
    answered = larder("source", "add", URL, "--file", "corner.yaml", "--kind", "listing")
    assert answered.code == 2
    assert answered.complaint[0].startswith(says)


def test_an_address_must_come_from_somewhere(larder: Shell) -> None:
    (larder.folder / "corner.yaml").write_text(SELECTORS)
    answered = larder("source", "add", "--file", "corner.yaml", "--kind", "listing")
    assert (answered.code, answered.complaint[0]) == (2, "missing argument URL: the index page of the source")
    assert larder("source", "add", URL, "--file", "none.yaml").complaint[0] == "there is no file none.yaml"

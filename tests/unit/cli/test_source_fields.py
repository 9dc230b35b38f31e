"""`larder source set` sets and removes every field that API and pages do, and `remove` removes the source."""

from tests.contract.source_samples import BEFORE, DEFAULTS, KEPT, STORED, WRITTEN
from tests.unit.cli.conftest import Shell

FLAGS = ("enabled", "needs_review", "upc_trusted", "reenables_itself")


def _options() -> list[str]:
    said: list[str] = []
    for name, text in WRITTEN.items():
        option = name.replace("_", "-")
        if name in FLAGS:
            said.append(f"--{option}" if text == "true" else f"--no-{option}")
        elif name not in ("latitude", "longitude"):
            said += [f"--{option}", text]
    return said


def test_l10_12_every_field_is_set_and_removed(larder: Shell) -> None:
    assert larder("source", "add", BEFORE["url"], "--slug", "goods", "--kind", "product").code == 0
    assert larder("source", "set", "goods", *_options()).code == 0
    fields = larder("source", "show", "goods", "--json").json["fields"]
    assert {name: fields[name] for name in STORED} == STORED
    resets = [part for name in WRITTEN if name not in KEPT for part in ("--reset", name)]
    assert larder("source", "set", "goods", *resets).code == 0
    fields = larder("source", "show", "goods", "--json").json["fields"]
    assert {name: fields[name] for name in DEFAULTS} == DEFAULTS
    assert (
        larder("source", "set", "goods", "--reset", "colour").complaint[0] == "a source has no field 'colour'"
    )
    refused = larder("source", "set", "goods", "--plan", "eager")
    assert (refused.code, "is not one of index, adaptive" in refused.complaint[0]) == (2, True)
    assert "records stay" in larder("source", "remove", "goods").out
    assert larder("source", "list", "--json").json == []


def test_l10_13_a_market_needs_no_url_where_its_adapter_can_make_it(larder: Shell) -> None:
    market = ("--adapter", "apartments", "--city", "Austin", "--state", "TX")
    made = larder("source", "add", *market, "--slug", "austin")
    assert made.code == 0, made.err
    url = larder("source", "show", "austin", "--json").json["fields"]["url"]
    assert url == "https://www.apartments.com/austin-tx/"
    refused = larder("source", "add", "--adapter", "listing", "--city", "Austin", "--state", "TX")
    assert refused.complaint[0].startswith("missing argument URL")


def test_an_unknown_place_is_refused_with_what_to_write(larder: Shell) -> None:
    told = "unknown place 'Seattle': write TOWN, COUNTRY (Utrecht, NL) or LATITUDE, LONGITUDE"
    agenda = ("source", "add", "https://hall.example/events", "--kind", "event", "--slug", "hall")
    refused = larder(*agenda, "--place", "Seattle")
    assert (refused.code, refused.complaint[0]) == (2, told)
    assert larder(*agenda).code == 0
    refused = larder("source", "set", "hall", "--place", "Seattle")
    assert (refused.code, refused.complaint[0]) == (2, told)

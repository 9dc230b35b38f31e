"""A catalogue is imported whole or not at all, and every complaint has its line."""

from pathlib import Path

import pytest
from sqlalchemy import select

from larder.actions.sources import catalogue, sources
from larder.core.errors import BadInput
from larder.core.model.source import Tier
from larder.store.tables import sites
from larder.store.tables import sources as table
from tests.unit.actions.conftest import Office

GOOD = """\
defaults: {kind: listing, tier: cool}
sites:
  homes.example: {preset: classifieds, terms_reviewed_by: ada}
sources:
  - slug: flats
    url: https://homes.example/flats
  - slug: houses
    url: https://homes.example/houses
    tier: hot
    params:
      selectors:
        index: {row: article, fields: {title: h2, url: h2 a@href}}
"""


def imported(office: Office, text: str) -> catalogue.ImportedCatalogue:
    done: catalogue.ImportedCatalogue = office.act(
        catalogue.import_all, catalogue.parse(text, name="c.yaml"), office.how
    )
    return done


def test_a_catalogue_becomes_sources(office: Office) -> None:
    done = imported(office, GOOD)
    assert [(each.slug, each.change, each.why.state) for each in done.sources] == [
        ("flats", "added", "ready"),
        ("houses", "added", "ready"),
    ]
    rows = office.ask(
        lambda conn: conn.execute(select(table.c.slug, table.c.tier).order_by(table.c.id)).all()
    )
    assert [tuple(row) for row in rows] == [("flats", "cool"), ("houses", "hot")]
    assert office.ask(lambda conn: conn.scalar(select(sites.c.preset))) == "classifieds"


def test_importing_again_changes_only_what_the_file_says_otherwise(office: Office) -> None:
    imported(office, GOOD)
    office.act(sources.set_columns, "flats", {"visibility": "public"}, office.how)
    done = imported(office, GOOD.replace("tier: hot", "tier: standard"))
    assert [each.change for each in done.sources] == ["unchanged", "changed"]
    kept = office.ask(sources.show, "flats", office.how, now=office.now).fields
    assert kept["visibility"] == "public"


def test_one_source_that_cannot_be_undoes_all(office: Office) -> None:
    with pytest.raises(BadInput, match=r"^c.yaml:7: there is no adapter 'nope'"):
        imported(office, GOOD.replace("- slug: houses", "- slug: houses\n    adapter: nope"))
    assert office.ask(lambda conn: conn.execute(select(table.c.id)).all()) == []
    assert office.ask(lambda conn: conn.execute(select(sites.c.id)).all()) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("sources: [\n", r"^c.yaml:2: this is not YAML"),
        ("sources:\n\t- slug: a\n", r"^c.yaml:2: this is not YAML"),
        ("just words", r"^c.yaml:1: a catalogue begins with `sources:`"),
        ("", r"^c.yaml:1: a catalogue begins with `sources:`"),
        ("sources: []\n", r"^c.yaml:1: there are no sources in it"),
        ("sources:\n  - slug: a\n    url: nonsense\n", r"^c.yaml:3: `url`: 'nonsense' is not a web address"),
        ("sources:\n  - slug: a\n", r"^c.yaml:2: `url` is missing"),
        ("sources:\n  - url: https://a.example/\n", r"^c.yaml:2: this source has no slug"),
        (
            "sources:\n  - slug: a\n    url: https://a.example/\n    teir: hot\n",
            "`teir`; did you mean `tier`",
        ),
        (
            "sources:\n  - slug: a\n    url: https://a.example/\n    tier: warm\n",
            r"^c.yaml:4: `tier`: must",
        ),
        ("sources:\n  - slug: a\n    slug: b\n", r"^c.yaml:3: `slug` appears twice \(first on line 2\)"),
        (
            GOOD.replace("slug: houses", "slug: flats"),
            r"^c.yaml:7: 'flats' appears twice \(first on line 5\)",
        ),
        (
            GOOD.replace("  homes.example:", "  www.homes.example:"),
            r"^c.yaml:3: 'www.homes.example' is not a registrable domain",
        ),
        (GOOD.replace("preset: classifieds", "preset: rude"), r"^c.yaml:3: `preset`: must"),
        ("defaults: 3\nsources:\n  - slug: a\n", r"^c.yaml:1: `defaults` must be a mapping"),
        ("sources: &a\n  - *a\n", r"^c.yaml:\d: "),
        (
            "sources:\n  - slug: a\n    url: https://a.example/\n    tier: \x00\n",
            r"^c.yaml: this is not YAML",
        ),
    ],
)
def test_every_mistake_is_told_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        catalogue.parse(text, name="c.yaml")


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        catalogue.read(str(tmp_path / "c.yaml"))
    with pytest.raises(BadInput, match="cannot be read"):
        catalogue.read(str(tmp_path))
    (tmp_path / "latin.yaml").write_bytes(b"sources: \xff")
    with pytest.raises(BadInput, match=r"not UTF-8 text \(byte 9\)"):
        catalogue.read(str(tmp_path / "latin.yaml"))


def test_the_catalogue_that_comes_with_larder(office: Office) -> None:
    shipped = catalogue.read("apartments-east-coast")
    tiers = {tier: [spec.name for spec in shipped.sources if spec.tier is tier] for tier in Tier}
    assert tiers == {
        Tier.HOT: ["New York City", "Boston", "Washington DC", "Philadelphia"],
        Tier.STANDARD: ["Pittsburgh", "Baltimore", "Newark", "Jersey City", "Cambridge", "Arlington VA"],
        Tier.COOL: [
            "Bryn Mawr", "Hoboken", "Stamford", "New Haven", "Providence", "Richmond", "Charlotte", "Raleigh",
            "Hartford",
        ],
    }  # fmt: skip
    done = office.act(catalogue.import_all, shipped, office.how)
    assert {reason.gate for each in done.sources for reason in each.why.blocked_by} == {"terms"}

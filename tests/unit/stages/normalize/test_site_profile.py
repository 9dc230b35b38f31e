"""Which of two readings of a field counts, and what its strategy says then."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from larder.core.model.item import Item, ProfileValue, Staged
from larder.core.model.reading import Sureness, sureness_of
from larder.core.model.source import Kind
from larder.stages.normalize import Context, normalize

NOW = datetime(2026, 11, 16, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Case:
    """Two readings of a price, and which one counts."""

    general: str | None
    by: str = "json-ld"
    profile: str | None = "€ 12,50"
    better: bool = False
    price: int | None = 1250
    strategy: str | None


CASES = {
    "both say the same": Case(general="12.50", strategy="json-ld + profile"),
    "the better proof wins": Case(general="10.33", better=True, strategy="profile ≠ json-ld"),
    "markup with as good a proof stays": Case(general="10.33", price=1033, strategy="json-ld ≠ profile"),
    "a guess never wins": Case(general="10.33", by="heuristic", strategy="profile ≠ heuristic"),
    "nothing: as before": Case(general="12.50", profile=None, better=True, strategy="json-ld ≠ profile"),
    "a label: as before": Case(general="12.50", profile="Prijs", better=True, strategy="json-ld ≠ profile"),
    "only the profile reads it": Case(general=None, strategy="profile"),
    "a word is no price": Case(general=None, profile="Gratis", price=None, strategy=None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_reading_with_the_better_evidence_counts(name: str) -> None:
    """A guess never overwrites what the profile proved; what the profile does not find is read generally."""
    case = CASES[name]
    fields = {"price": case.general, "currency": "EUR"} if case.general else {}

    read = _read(fields, {"price": case.profile}, by=case.by, better=case.better)

    assert read.fields.get("price_minor") == case.price
    assert read.strategies.get("price_minor") == case.strategy


@pytest.mark.parametrize(
    ("general", "profile", "starts"),
    [
        pytest.param("5 dec 2026 20:00", "5 dec 2026", "2026-12-05T20:00", id="a time is never given up"),
        pytest.param("5 dec 2026", "5 dec 2026 20:00", "2026-12-05T20:00", id="a time is added"),
        pytest.param("3 dec 2026 10:00", "5 dec 2026 20:00", "2026-12-05T20:00", id="another day"),
    ],
)
def test_a_start_with_a_time_beats_a_date(general: str, profile: str, starts: str) -> None:
    read = _read({"date_text": general}, {"starts_at": profile}, by="heuristic", kind=Kind.EVENT)

    assert read.fields["starts_at"].startswith(starts)
    agree = general[:1] == profile[:1]
    assert read.strategies["starts_at"] == ("heuristic + profile" if agree else "profile ≠ heuristic")


def _read(
    general: Mapping[str, Any],
    profile: Mapping[str, Any],
    *,
    by: str,
    better: bool = False,
    kind: Kind = Kind.LISTING,
) -> Staged:
    values = tuple(ProfileValue(field=name, raw=raw, better=better) for name, raw in profile.items())
    item = Item(fields={"title": "Red bicycle", **general}, strategy=by, profile=values)
    context = Context(source="it", kind=kind, base_url="https://a.example/1", observed_at=NOW, language="nl")
    said = normalize(item, context)
    assert isinstance(said, Staged)
    return said


@pytest.mark.parametrize(
    ("strategy", "sureness"),
    [
        ("by hand", Sureness.BY_HAND),
        ("heuristic + profile", Sureness.AGREED),
        ("profile", Sureness.PROVEN),
        ("json-ld", Sureness.STATED),
        ("selectors", Sureness.STATED),
        ("heuristic", Sureness.GUESSED),
        ("profile ≠ json-ld", Sureness.DISPUTED),
        (None, None),
    ],
)
def test_a_strategy_tells_how_sure_a_reading_is(strategy: str | None, sureness: Sureness | None) -> None:
    assert sureness_of(strategy) is sureness

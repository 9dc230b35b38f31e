"""What the resolver looks at: a record's identifying facts, and what a comparison of two records says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from larder.core.model.source import Kind
from larder.stages.persist.resolve.words import Wording, plain_text, read_title

BAR = 0.8
"""Two records are one thing from this score on; below it they are left alone."""
ANOTHER = -1.0
"""What one fact contributes that rules a pair out, whatever else agrees."""


@dataclass(frozen=True)
class Facts:
    """The facts of one record that identify its entity."""

    source_id: int
    kind: Kind
    title: str
    trusted: bool = False
    """Whether its source's product codes are trusted (`upc_trusted`)."""
    brand: str | None = None
    price: int | None = None
    currency: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    starts_at: datetime | None = None
    content: Mapping[str, Any] = field(default_factory=dict)

    def word(self, name: str) -> str:
        """A field of the content as plain text; empty where there is none."""
        value = self.content.get(name)
        return plain_text(value) if isinstance(value, str) else ""

    def number(self, name: str) -> float | None:
        """A field of the content that is a number."""
        value = self.content.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    @cached_property
    def maker(self) -> str:
        """The brand, in plain words."""
        return plain_text(self.brand or "")

    @cached_property
    def wording(self) -> Wording:
        """The parts of the title."""
        return read_title(self.title, without=self.maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureScore:
    """One feature's share in a score, with the reason in words."""

    feature: str
    points: float
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How likely two records are one entity, and why."""

    rule: str
    because: Sequence[FeatureScore]

    @property
    def score(self) -> float:
        """Between 0 and 1; 0 where one fact alone rules the pair out."""
        summed = 0.0 if self.ruled_out else sum(each.points for each in self.because)
        return round(min(1.0, max(0.0, summed)), 4)

    @property
    def same(self) -> bool:
        """Whether the evidence is enough for a link."""
        return self.score >= BAR

    @property
    def ruled_out(self) -> bool:
        """Whether a single fact rules out a link."""
        return any(each.points <= ANOTHER for each in self.because)

    def explanation(self) -> list[dict[str, Any]]:
        """As it is stored with a link."""
        return [{"feature": b.feature, "points": round(b.points, 3), "says": b.says} for b in self.because]


def price_gap(a: Facts, b: Facts) -> float | None:
    """The relative difference of two prices (0.1: a tenth); None where they cannot be compared."""
    if not a.price or not b.price or a.currency != b.currency:
        return None
    return max(a.price, b.price) / min(a.price, b.price) - 1

"""A site profile: where a site's pages show each field, with the evidence for it.

An applied profile has its selectors in the source's `params.selectors`, where a person reads and edits them,
and its evidence in `params.profile`. One that is not applied keeps its selectors beside its evidence.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

PROFILE = "profile"
"""The key in a source's params, and the strategy of a value that a profile read."""
SELECTORS = "selectors"
MIN_PAGES = 4
"""Detail pages that a proof needs."""
PROVEN_SHARE = 0.8
"""Of the detail pages whose row tells the field: on so many the profile must read the same."""


class ReadingChoice(StrEnum):
    """Which reading of detail pages counts."""

    PROFILE = "profile"
    GENERAL = "general"
    UNDECIDED = "undecided"
    """The profile's proof is weak, and nobody has chosen; pages are read generally."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProof:
    """How often a field's selector read what the index row says."""

    agreed: int
    pages: int
    """Detail pages whose row tells the field."""
    general: int
    """Detail pages on which the general reading agrees with the row."""

    @property
    def proven(self) -> bool:
        """Whether it is right nearly everywhere, on enough pages, and no worse than the general reading."""
        enough = self.pages >= MIN_PAGES and self.agreed >= PROVEN_SHARE * self.pages
        return enough and self.general <= self.agreed

    @property
    def better(self) -> bool:
        """Whether it is right more often than the general reading."""
        return self.agreed > self.general


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleReading:
    """One field of one detail page: what the row says, and what both readings make of it."""

    url: str
    field: str
    row: str
    general: str
    profile: str
    general_agrees: bool = False
    """Whether the general reading means the same as the row, however it is written."""
    profile_agrees: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteProfile:
    """What was learned from one index page and a few of its detail pages."""

    fields: Mapping[str, FieldProof]
    selectors: Mapping[str, Any]
    """`index` and `detail`, as a source declares them."""
    pages: int
    rows: int
    reading: ReadingChoice = ReadingChoice.UNDECIDED
    learned_at: str = ""
    samples: tuple[SampleReading, ...] = field(default=())
    proposed: tuple[str, ...] = ()
    """Fields whose selector a language model proposed; they need the same proof as others."""

    @property
    def proven(self) -> bool:
        """Whether it may be applied without a person."""
        return bool(self.fields) and all(proof.proven for proof in self.fields.values())

    @property
    def short(self) -> bool:
        """Whether some field was found on too few pages for a proof."""
        return any(proof.pages < MIN_PAGES for proof in self.fields.values())

    def chosen(self, reading: ReadingChoice) -> "SiteProfile":
        """The profile after a person chose a reading; its samples, kept for that choice, are dropped."""
        return replace(self, reading=reading, samples=())


def profile_of(params: Mapping[str, Any]) -> SiteProfile | None:
    """The profile in a source's params, applied or not; None where there is none that can be read."""
    stored = params.get(PROFILE)
    try:
        return _read(stored, params.get(SELECTORS) or {}) if isinstance(stored, Mapping) else None
    except (AttributeError, TypeError, ValueError):
        return None


def applied_profile(params: Mapping[str, Any]) -> SiteProfile | None:
    """The profile that pages are read with."""
    if PROFILE not in params:
        return None
    profile = profile_of(params)
    return profile if profile is not None and profile.reading is ReadingChoice.PROFILE else None


def may_be_learned(params: Mapping[str, Any]) -> bool:
    """Whether a profile may be learned automatically: no operator declared or chose a reading."""
    if PROFILE not in params:
        return "detail" not in (params.get(SELECTORS) or {})
    profile = profile_of(params)
    return profile is not None and profile.reading is ReadingChoice.UNDECIDED and profile.short


def with_profile(params: Mapping[str, Any], profile: SiteProfile) -> dict[str, Any]:
    """A source's params with the profile as it was decided; parts that a person declared stay as they are."""
    before = applied_profile(params)
    declared = {
        name: part
        for name, part in (params.get(SELECTORS) or {}).items()
        if before is None or name not in before.selectors
    }
    learned = {name: part for name, part in profile.selectors.items() if name not in declared}
    applied = profile.reading is ReadingChoice.PROFILE
    selectors = {**declared, **learned} if applied else declared
    others = {name: value for name, value in params.items() if name not in (SELECTORS, PROFILE)}
    evidence = _evidence(profile) | ({"parts": sorted(learned)} if applied else {SELECTORS: learned})
    return {**others, **({SELECTORS: selectors} if selectors else {}), PROFILE: evidence}


def _read(values: Mapping[str, Any], declared: Mapping[str, Any]) -> SiteProfile:
    parts = {name: declared[name] for name in values.get("parts", ()) if name in declared}
    return SiteProfile(
        fields={name: FieldProof(**proof) for name, proof in values.get("fields", {}).items()},
        selectors=values.get(SELECTORS) or parts,
        pages=int(values.get("pages", 0)),
        rows=int(values.get("rows", 0)),
        reading=ReadingChoice(values.get("reading", ReadingChoice.UNDECIDED)),
        learned_at=str(values.get("learned_at", "")),
        samples=tuple(SampleReading(**each) for each in values.get("samples", ())),
        proposed=tuple(values.get("proposed", ())),
    )


def _evidence(profile: SiteProfile) -> dict[str, Any]:
    return {
        "reading": profile.reading.value,
        "learned_at": profile.learned_at,
        "pages": profile.pages,
        "rows": profile.rows,
        "fields": {name: asdict(proof) for name, proof in profile.fields.items()},
        **({"samples": [asdict(reading) for reading in profile.samples]} if profile.samples else {}),
        **({"proposed": list(profile.proposed)} if profile.proposed else {}),
    }

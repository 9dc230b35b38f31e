"""The proof of a whole proposal: all pages are read with it, as in later runs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from larder.core.plurals import plural
from larder.sdk.selectors import Part
from larder.stages.parse.declared import SKIPPED_ELEMENTS
from larder.stages.parse.repair.evidence import MAX_CHANGED_SHARE, PRICE
from larder.stages.parse.repair.field_repairs import ESSENTIAL
from larder.stages.parse.repair.known_values import Known, Meaning, Reader, Sample, agrees, record_key

USUAL_SHARE = 0.9
"""A field that at least this share of the known records has must be in all rows."""
_IDENTITY = ("url", "platform_id", "sku")


@dataclass(slots=True, kw_only=True)
class ProofCounts:
    """Counts from reading the pages."""

    rows: int = 0
    recognised: int = 0
    agreed: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    zero: int = 0

    def take(self, values: Mapping[str, Meaning], known: Known | None, usual: Sequence[str]) -> None:
        """Count one item."""
        self.rows += 1
        self.lacking.update(name for name in usual if name not in values)
        self.zero += _is_free(values)
        if known is None:
            return
        self.recognised += 1
        for name in values.keys() & known.values.keys():
            self.compared[name] += 1
            right = agrees(values[name], known.values[name])
            self.agreed += right
            self.changed[name] += not right

    def doubts(self, known: Mapping[str, Known], *, needed: int) -> Iterator[str]:
        """Evidence against it."""
        if self.recognised < needed:
            yield f"{plural(self.recognised, 'known record')} recognized, {needed} needed"
        if self.doubled:
            yield f"{plural(self.doubled, 'row is', 'rows are')} read twice"
        if self.zero and not any(_is_free(each.values) for each in known.values()):
            yield f"a price of 0 is read {plural(self.zero, 'time')} where none was known"
        for name, times in self.lacking.items():
            allowed = 0 if name != PRICE else self.rows * (1 - USUAL_SHARE)
            if times > allowed:
                yield f"{name}: {times} of {self.rows} rows lack it"
        for name, times in self.changed.items():
            if times > MAX_CHANGED_SHARE * self.compared[name]:
                yield f"{name}: {times} of {self.compared[name]} known values are read differently"

    def figures(self) -> dict[str, int]:
        """The counts for the stored proof."""
        return {
            "rows": self.rows,
            "recognised": self.recognised,
            "agreed": self.agreed,
            "changed": sum(self.changed.values()),
        }


def _is_free(values: Mapping[str, Meaning]) -> bool:
    return values.get(PRICE, {}).get("price_minor") == 0


def usual_fields(known: Mapping[str, Known]) -> list[str]:
    """The essential fields that nearly all known records have."""
    times = Counter(name for each in known.values() for name in each.values)
    return [name for name, many in times.items() if name in ESSENTIAL and many >= USUAL_SHARE * len(known)]


def count_rows(
    part: Part, pages: Sequence[Sample], known: Mapping[str, Known], reader: Reader
) -> ProofCounts:
    """The counts from index pages read with a part."""
    counted, needs = ProofCounts(), usual_fields(known)
    for sample in pages:
        keys: Counter[str] = Counter()
        for row in part.rows(sample.page.tree):
            values = _values(part, row, sample, reader)
            key = record_key(values)
            keys[key] += 1
            counted.take(values, known.get(key), needs)
        counted.doubled += sum(times - 1 for times in keys.values())
    return counted


def count_pages(
    part: Part, pages: Sequence[Sample], known: Mapping[str, Known], reader: Reader
) -> ProofCounts:
    """The counts from pages of single things."""
    counted, needs = ProofCounts(), usual_fields(known)
    for sample in pages:
        values = _values(part, sample.page.tree, sample, reader)
        counted.take(values, known.get(sample.address), needs)
    return counted


def archived_doubts(
    part: Part, pages: Sequence[Sample], known: Mapping[str, Known], reader: Reader
) -> list[str]:
    """Doubts if anything new is read on pages of the old layout."""
    unknown = 0
    for sample in pages:
        for row in part.rows(sample.page.tree):
            values = _values(part, row, sample, reader)
            complete = any(name in values for name in _IDENTITY) and "title" in values
            unknown += complete and record_key(values) not in known
    return [f"{plural(unknown, 'row')} of archived pages read as unknown records"] if unknown else []


def _values(part: Part, scope: object, sample: Sample, reader: Reader) -> dict[str, Meaning]:
    raw = part.read(scope, SKIPPED_ELEMENTS)  # type: ignore[arg-type]
    return {name: meant for name, value in raw.items() if (meant := reader.meaning(name, value, sample))}

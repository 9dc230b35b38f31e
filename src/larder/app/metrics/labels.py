"""Bounds the number of label values: the first sources by id have labels of their own, others share one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from larder.store.reads.operators.metrics import SourceLabels

OTHER = "other"
"""The label value of everything beyond the bound."""
Labels = tuple[str, str, str]


@dataclass(slots=True)
class BoundedLabels:
    """The labels of sources and sites. Once given they stay, so that no counter changes its labels."""

    most: int
    _sources: dict[int, Labels] = field(default_factory=dict)
    _sites: set[str] = field(default_factory=set)

    def learn(self, sources: Sequence[SourceLabels]) -> None:
        """Give labels to new sources while there is room."""
        for labels in sources:
            if labels.id not in self._sources and len(self._sources) < self.most:
                self._sources[labels.id] = (labels.adapter, labels.slug, labels.site)
                self._sites.add(labels.site)

    def source(self, source_id: int | None) -> Labels:
        """The labels of a source: adapter, source and site."""
        return self._sources.get(source_id or 0, (OTHER, OTHER, OTHER))

    def site(self, domain: str) -> str:
        """The label of a site."""
        return domain if not domain or domain in self._sites else OTHER

"""Counts of one pass through the whole index, over several sweeps."""

from dataclasses import dataclass, replace

from larder.core.model.run import PageSeen


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveragePass:
    """One walk through the whole index, in as many sweeps as it takes."""

    began_at: str
    pages: int = 0
    """Pages read, overlaps included."""
    rows: int = 0
    """Rows on these pages."""
    new: int = 0
    overlap_rows: int = 0
    """Rows on pages that the last sweep had read too."""
    overlap_known: int = 0
    """Of those, rows that were already known."""
    advertised: int | None = None

    def with_page(self, seen: PageSeen, *, rows: int, again: bool, advertised: int | None) -> "CoveragePass":
        """The pass with one more page; `again`: the last sweep had read it too."""
        return replace(
            self,
            pages=self.pages + 1,
            rows=self.rows + rows,
            new=self.new + len(seen.new),
            overlap_rows=self.overlap_rows + (rows if again else 0),
            overlap_known=self.overlap_known + (len(seen.known) if again else 0),
            advertised=advertised,
        )

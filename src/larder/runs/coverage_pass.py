"""What a pass through the whole index has counted so far, over several sweeps."""

from dataclasses import dataclass, replace

from larder.core.model.run import PageSeen


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveragePass:
    """One walk through the whole index, in as many sweeps as it takes."""

    began_at: str
    pages: int = 0
    """Walked, overlaps included."""
    rows: int = 0
    """Shown on them."""
    new: int = 0
    overlap_rows: int = 0
    """Shown on pages that the sweep before had walked too."""
    overlap_known: int = 0
    """Of those, already known: what the overlap is there to show."""
    advertised: int | None = None

    def with_page(self, seen: PageSeen, *, rows: int, again: bool, advertised: int | None) -> "CoveragePass":
        """With one more page; `again`: the sweep before had walked it, too."""
        return replace(
            self,
            pages=self.pages + 1,
            rows=self.rows + rows,
            new=self.new + len(seen.new),
            overlap_rows=self.overlap_rows + (rows if again else 0),
            overlap_known=self.overlap_known + (len(seen.known) if again else 0),
            advertised=advertised,
        )

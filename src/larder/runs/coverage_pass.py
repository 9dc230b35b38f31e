"""What a pass through the whole index has counted so far, over several sweeps."""

from dataclasses import dataclass


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

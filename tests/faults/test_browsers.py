"""The short form of the proof `browsers`: a dozen pages, three browsers, one kill."""

from pathlib import Path

import pytest

from tests.proofs.browsers import visit_many


@pytest.mark.slow
def test_a_browser_neither_grows_nor_stays(chromium: Path) -> None:
    part = visit_many(chromium, pages=12, at_once=2, recycle_after=5)
    assert part.broken == []
    assert part.figures["browsers"] == 3

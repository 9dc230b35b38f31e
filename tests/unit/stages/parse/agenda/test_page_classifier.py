"""Is this page an agenda? Small pages with one sign each, and all pages of real sites."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from larder.sdk.page import Page
from larder.stages.parse.agenda.page_classifier import AGENDA_FROM, judge_agenda

ROWS = "".join(f"<li><a href='/e/{n}'>Band {n}</a> <time>{n} maart 2026</time></li>" for n in range(1, 11))
EVENTS = json.dumps(
    [{"@type": "MusicEvent", "name": f"Gig {n}", "startDate": "2026-03-01"} for n in range(4)]
)
REVIEWS = "".join(f"<div class=review><b>Great</b> {n} March 2026</div>" for n in range(1, 9))
POSTS = "".join(f"<article><h2>Story {n}</h2><time>{n} March 2026</time></article>" for n in range(1, 4))


@pytest.mark.parametrize(
    ("html", "agenda"),
    [
        pytest.param(f"<title>Agenda</title><body><h1>Agenda</h1><ul>{ROWS}</ul>", True, id="rows with days"),
        pytest.param(
            f"<title>Gigs</title><script type=application/ld+json>{EVENTS}</script>", True, id="event markup"
        ),
        pytest.param(
            f"<title>Chair</title><meta property=og:type content=product><body><form action=/cart/add>"
            f"<button>Buy</button></form><p>€ 12,50{REVIEWS}",
            False,
            id="a product with dated reviews",
        ),
        pytest.param("<title>Agenda</title><body><h1>Agenda</h1><p>Nothing planned.", False, id="no days"),
        pytest.param(f"<title>News</title><body>{POSTS}", False, id="news"),
        pytest.param("", False, id="an empty page"),
        pytest.param("<a href='" * 20_000, False, id="a hostile page"),
    ],
)
def test_signs(html: str, agenda: bool) -> None:
    judged = judge_agenda(Page("https://venue.test/", html))
    assert (judged.confidence >= AGENDA_FROM) is agenda, judged
    assert 0 <= judged.confidence <= 1


def _pages(folder: Path) -> Iterator[tuple[Path, str, bool]]:
    for index in sorted([*folder.glob("*/index.jsonl"), *folder.glob("wild/*/cases.jsonl")]):
        for line in index.read_text().splitlines():
            row = json.loads(line)
            path = index.parent / row["file"]
            known = index.parent.name == "events" or "Event." in path.name or "songkick" in path.name
            if path.is_file() and not path.name.endswith((".json", ".json.gz")):
                yield path, row.get("url") or "", known


def test_real_pages(shared_fixtures: Path) -> None:
    """Event pages against all others: F1 of at least .85 (measured: .91)."""
    right = wrong = missed = others = 0
    for path, url, event in {
        path: (path, url, event) for path, url, event in _pages(shared_fixtures)
    }.values():
        body = path.read_bytes()
        page = Page(url, gzip.decompress(body) if path.suffix == ".gz" else body)
        said = judge_agenda(page).confidence >= AGENDA_FROM
        right += event and said
        wrong += said and not event
        missed += event and not said
        others += not event
    assert right + missed > 40
    assert others > 100
    assert 2 * right / (2 * right + wrong + missed) >= 0.85, (right, wrong, missed)

"""Days without a year are ahead, unless a heading says that their events are over."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.unit.stages.parse.agenda.test_agendas import NAMES, each, read

NOW = datetime(2026, 11, 18, 20, tzinfo=ZoneInfo("Europe/Amsterdam"))


@pytest.mark.parametrize(
    ("heading", "language"),
    [
        ("Past events", "en"),
        ("Archive", "en"),
        ("Verlopen evenementen", "nl"),
        ("Afgelopen", "nl"),
        ("Vergangene Veranstaltungen", "de"),
        ("Konzertarchiv", "de"),
        ("Événements passés", "fr"),
        ("Conciertos pasados", "es"),
        ("Eventi passati (12)", "it"),
        ("Eventos anteriores", "pt"),
        ("Minione wydarzenia", "pl"),
        ("Tidigare evenemang", "sv"),
        ("Tidligere arrangementer", "da"),
        ("Proběhlé akce", "cs"),
    ],
)
def test_days_without_a_year_below_a_heading_of_past_events_are_behind(heading: str, language: str) -> None:
    row = "<li><b>{2}</b> <h3><a href='/e/{1}'>{0}</a></h3></li>"
    coming = each(row, (*NAMES[0], "21.11. 20:00"), (*NAMES[1], "3.12. 20:00"))
    over = each(row, ("Old Songs", "old", "14.10. 20:00"), ("Brass", "brass", "12.12. 20:00"))
    last = each(row, (*NAMES[2], "5.1. 20:00"))
    page = f"<h1>Agenda</h1><ul>{coming}</ul><h2>{heading}</h2><ul>{over}</ul><h2>2027</h2><ul>{last}</ul>"
    assert [at for _, at in read(page, language=language, now=NOW)] == [
        f"{day}T20:00" for day in ("2026-11-21", "2026-12-03", "2026-10-14", "2025-12-12", "2027-01-05")
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>Past Lives</h2>",
        "<h2><a href='/archive'>Past events</a></h2>",
        "<h1>The Archive</h1>",
        "<h1>Archive</h1>",
        "<h2>Upcoming and past events</h2>",
        "<nav><h2>Archive</h2></nav>",
        "<h2>Stadtarchiv</h2>",
    ],
)
def test_what_only_sounds_like_past_events_changes_no_year(heading: str) -> None:
    row = "<li><b>{2}</b> <h3><a href='/e/{1}'>{0}</a></h3></li>"
    rows = each(row, *((*name, day) for name, day in zip(NAMES, ("2.12.", "9.1.", "3.2."), strict=True)))
    found = read(f"{heading}<ul>{rows}</ul>", now=NOW)
    assert [at for _, at in found] == ["2026-12-02", "2027-01-09", "2027-02-03"]
